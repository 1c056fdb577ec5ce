// Light, dark, or as the system says.

import { $, emit } from "./dom.js";
import { page } from "./page.js";

const KEEP = "hexsight-theme";
const ORDER = ["auto", "light", "dark"];
const WORDS = { auto: "Auto", light: "Light", dark: "Dark" };

function apply(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const button = $("theme");
  button.textContent = WORDS[theme];
  button.setAttribute("aria-label", `Colours of the page: ${WORDS[theme]}`);
  page.paper = getComputedStyle(document.documentElement).getPropertyValue("--desk").trim() || "#ffffff";
  emit("theme");
}

/** The button, and the system's changes. */
export function startTheme() {
  let theme = "auto";
  try {
    theme = ORDER.includes(localStorage.getItem(KEEP)) ? localStorage.getItem(KEEP) : "auto";
  } catch (error) {
    console.warn(`Colours are not remembered: ${error.message}`);
  }
  $("theme").addEventListener("click", () => {
    theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];
    try {
      localStorage.setItem(KEEP, theme);
    } catch (error) {
      console.warn(`Colours are not remembered: ${error.message}`);
    }
    apply(theme);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => apply(theme));
  apply(theme);
}
