// Small helpers for elements, events between modules, and words.

export const $ = (id) => document.getElementById(id);

/** An element with properties, attributes (data-*, aria-*, role, for, list, scope) and children. */
export function el(tag, props, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class") made.className = value;
    else if (/^(aria-|data-)|^(role|for|list|scope)$/.test(key)) made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const listeners = new Map();

/** Call a function whenever something happens on the page. */
export function on(name, react) {
  for (const one of name.split(" ")) {
    if (!listeners.has(one)) listeners.set(one, []);
    listeners.get(one).push(react);
  }
}

/** Tell every listener that something happened. */
export function emit(name, detail) {
  for (const react of listeners.get(name) ?? []) react(detail);
}

/** Half-levels in words: 3 is "1½". */
export function halves(value) {
  const whole = Math.floor(Math.abs(value) / 2);
  const text = (whole || value % 2 === 0 ? String(whole) : "") + (value % 2 ? "½" : "");
  return (value < 0 ? "−" : "") + text;
}

/** Half-levels as hexsight.yaml writes them: 3 is 1.5. */
export const levels = (value) => value / 2;

/** A height as a person wrote it, "1½" or 1.5, as a field for numbers takes it. */
export function written(value) {
  if (value === undefined || value === null) return "";
  const number = Number(String(value).trim().replace("½", ".5").replace(/^\./, "0.").replace(/^-\./, "-0."));
  return Number.isFinite(number) ? String(number) : "";
}

let wait = null;

/** Say something to screen readers; a second saying in the same moment replaces the first. */
export function announce(text) {
  clearTimeout(wait);
  wait = setTimeout(() => { $("announce").textContent = text; }, 60);
}

/** Whether the person asked for little motion. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
