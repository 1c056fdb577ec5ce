// Correcting a hex: terrain, building, heights, roofless, stairwell, road entry.

import { $, announce, el, halves, levels, on, written } from "./dom.js";
import { moveCursor, page } from "./page.js";
import { correct } from "./saver.js";

const YES_NO = [["", "as found"], ["yes", "yes"], ["no", "no"]];
const FLAGS = [
  ["roofless", "Roofless", "R"], ["factory", "Factory", "F"],
  ["stairwell", "Stairwell", "T"], ["vehicular_entrance", "Road enters", "G"],
];

let last = null; // the last correction, to be repeated by clicks
let repeating = false;

/** A click chooses the hex to correct; while repeating it makes the last correction there too. */
export const hexTool = {
  id: "hex", showsCursor: true,
  click() {
    if (page.hover === null) return;
    moveCursor(page.hover, { reveal: false });
    if (repeating && last) post(last, true);
  },
  enter() { $("hex-terrain")?.focus(); },
  key(event) {
    const flag = FLAGS.find(([, , key]) => key === event.key.toUpperCase());
    if (!flag || event.ctrlKey || event.metaKey || event.altKey) return false;
    post({ [flag[0]]: !page.board.hexes[page.cursor][flag[0]] });
    return true;
  },
};

function post(change, repeated = false) {
  const h = page.board.hexes[page.cursor];
  last = change;
  if (!repeated) $("hex-repeat").disabled = false;
  return correct({ kind: "hex", hex: h.name, ...change }, h.name);
}

const row = (id, label, control, found) =>
  el("div", { class: "row field" }, el("label", { for: id }, label), control, found ?? null);

function number(id, key, least) {
  return el("input", {
    id, type: "number", step: "0.5", min: String(least), max: "40", placeholder: "as found", class: "narrow",
    onchange: (event) => {
      const text = event.target.value.trim();
      if (event.target.validity.badInput || (text && Math.round(2 * Number(text)) !== 2 * Number(text))) {
        return announce("Write whole or half levels, such as 1.5.");
      }
      post({ [key]: text === "" ? null : Number(text) });
    },
  });
}

/** Build the part of the panel. */
export function hexPart() {
  const part = el("div", { id: "part-hex" },
    el("h3", { id: "hex-name", class: "name" }),
    el("p", { id: "hex-words" }),
    row("hex-terrain", "Terrain", el("select", { id: "hex-terrain", onchange: (e) => post({ terrain: e.target.value || null }) })),
    row("hex-building", "Building", el("select", { id: "hex-building", onchange: (e) => post({ building: e.target.value || null }) },
      ...[["", "as found"], ["stone", "stone"], ["wood", "wooden"], ["none", "none"]].map(([value, words]) => el("option", { value }, words)))),
    row("hex-height", "Height, levels", number("hex-height", "height", 0), el("span", { id: "hex-height-found", class: "fine" })),
    row("hex-level", "Ground level", number("hex-level", "level", -20), el("span", { id: "hex-level-found", class: "fine" })),
    ...FLAGS.map(([key, label, stroke]) => row(`hex-${key}`, label,
      el("select", { id: `hex-${key}`, onchange: (e) => post({ [key]: { yes: true, no: false }[e.target.value] ?? null }) },
        ...YES_NO.map(([value, words]) => el("option", { value }, words))),
      el("kbd", { title: `Key ${stroke} turns it over` }, stroke))),
    el("div", { class: "row" },
      el("button", { type: "button", id: "hex-clear", onclick: () => correct({ kind: "clear", hex: page.board.hexes[page.cursor].name }, "clear") }, "As found again"),
      el("button", { type: "button", id: "hex-repeat", disabled: true, "aria-pressed": "false", onclick: turnRepeat }, "Repeat by clicks")));
  on("cursor board", show);
  return part;
}

function turnRepeat() {
  repeating = !repeating;
  $("hex-repeat").setAttribute("aria-pressed", String(repeating));
  announce(repeating ? "Each click makes the last correction again." : "Clicks choose a hex.");
}

function show() {
  const { board } = page;
  const h = board.hexes[page.cursor];
  const said = h.override ?? {};
  $("hex-name").textContent = h.name;
  $("hex-words").textContent = h.words;
  const menu = $("hex-terrain");
  if (menu.dataset.board !== board.name) {
    menu.dataset.board = board.name;
    const kinds = new Map();
    for (const t of board.terrains) kinds.set(t.kind, [...(kinds.get(t.kind) ?? []), t.name]);
    menu.replaceChildren(el("option", { value: "" }, ""), ...[...kinds].map(([kind, names]) =>
      Object.assign(el("optgroup", {}, ...names.map((name) => el("option", { value: name }, name))), { label: kind })));
  }
  menu.options[0].textContent = `as found (${board.terrainName.get(h.terrain) ?? "unknown"})`;
  menu.value = said.terrain ?? "";
  $("hex-building").value = said.building ?? "";
  $("hex-height").value = written(said.height);
  $("hex-height-found").textContent = h.building ? `is ${halves(h.height_half)}` : "no building";
  $("hex-height").placeholder = String(levels(h.height_half));
  $("hex-level").value = written(said.level);
  $("hex-level-found").textContent = `is ${halves(h.level_half)}`;
  $("hex-level").placeholder = String(levels(h.level_half));
  for (const [key] of FLAGS) {
    const menu = $(`hex-${key}`);
    menu.options[0].textContent = key in said ? "as found" : `as found: ${h[key] ? "yes" : "no"}`;
    menu.value = said[key] === undefined || said[key] === null ? "" : said[key] === false ? "no" : "yes";
    menu.closest(".row").classList.toggle("corrected", menu.value !== "");
  }
  for (const [id, key] of [["hex-terrain", "terrain"], ["hex-building", "building"], ["hex-height", "height"], ["hex-level", "level"]]) {
    $(id).closest(".row").classList.toggle("corrected", said[key] !== undefined && said[key] !== null);
  }
  $("hex-clear").disabled = !h.override;
}
