// Panel "List": every feature and hex in words, to read, to filter, to go to.

import { $, el, emit, halves, on } from "./dom.js";
import { page, showPlace } from "./page.js";
import { hexAt, tell } from "./board.js";

const ROWS = 100;
const KINDS = [
  ["buildings", "Buildings"], ["bars", "Black bars"], ["roofless", "Roofless hexes"], ["stairwells", "Stairwells"],
  ["roads", "Road entries"], ["sides", "Walls, streams, slopes"], ["levels", "Raised or sunken hexes"],
  ["openings", "Doors, windows, loopholes"], ["corrected", "Corrected places"], ["hexes", "All hexes"],
];
let most = ROWS;

function middle(ring) {
  return [0, 1].map((k) => ring.reduce((sum, p) => sum + p[k], 0) / ring.length);
}

/** Rows [name, words, x, y] of a kind. */
function rowsOf(kind) {
  const { board } = page;
  const hex = (h) => [h.name, h.words, h.x, h.y];
  const side = (s) => [s.name, s.words, (s.ends[0][0] + s.ends[1][0]) / 2, (s.ends[0][1] + s.ends[1][1]) / 2];
  switch (kind) {
    case "buildings":
      return board.buildings.map((b) => {
        const h = board.hexes[board.index.get(b.hexes[0])];
        const at = h ? [h.x, h.y] : middle(b.rings[0]);
        return [b.hexes[0] ?? `Building ${b.id}`, `${b.words} Hexes: ${b.hexes.join(", ")}.`, ...at];
      });
    case "bars": return board.hexsides.filter((s) => s.bar.length).map(side);
    case "sides": return board.hexsides.filter((s) => s.terrain).map(side);
    case "roofless": return board.hexes.filter((h) => h.roofless).map(hex);
    case "stairwells": return board.hexes.filter((h) => h.stairwell).map(hex);
    case "roads": return board.buildings.flatMap((b) => b.entries.map((e) => [e.hex, `A road enters building ${b.id}.`, e.x, e.y]));
    case "openings": return (board.openings ?? []).map((o) => {
      const [a, b] = o.ends, x = (a[0] + b[0]) / 2, y = (a[1] + b[1]) / 2, hex = hexAt(board, x, y);
      const level = o.level === null ? "on every level" : o.level ? `on level ${o.level}` : "on the ground floor";
      return [hex === null ? "" : board.hexes[hex].name, `Opening of ${Math.round(Math.hypot(b[0] - a[0], b[1] - a[1]))} px in building ${o.building}, ${level}.`, x, y];
    });
    case "levels": return board.hexes.filter((h) => h.level_half).map((h) => [h.name, `Level ${halves(h.level_half)}. ${h.words}`, h.x, h.y]);
    case "corrected": return [...board.hexes.filter((h) => h.override).map(hex), ...board.hexsides.filter((s) => s.override).map(side)];
    default: return board.hexes.map((h, i) => [h.name, tell(board, i).slice(h.name.length + 2), h.x, h.y]);
  }
}

/** Build the panel. */
export function featuresPanel() {
  const panel = el("section", {},
    el("div", { class: "row field" }, el("label", { for: "kind" }, "Show"),
      el("select", { id: "kind", onchange: () => { most = ROWS; show(); } }, ...KINDS.map(([value, words]) => el("option", { value }, words)))),
    el("div", { class: "row field" }, el("label", { for: "filter" }, "With the words"),
      el("input", { id: "filter", type: "search", autocomplete: "off", oninput: () => { most = ROWS; show(); } })),
    el("p", { id: "feature-count", class: "fine", role: "status" }),
    el("ul", { id: "feature-list", class: "list" }),
    el("button", { type: "button", id: "more-features", hidden: true, onclick: () => { most += ROWS; show(); } }, "More"));
  on("board shown", show);
  return panel;
}

function show() {
  if ($("panel-list").hidden) return;
  const words = $("filter").value.trim().toLowerCase();
  const rows = rowsOf($("kind").value).filter(([name, text]) => !words || `${name} ${text}`.toLowerCase().includes(words));
  $("feature-count").textContent = `${rows.length} ${rows.length === 1 ? "entry" : "entries"}`;
  $("feature-list").replaceChildren(...rows.slice(0, most).map(([name, text, x, y]) =>
    el("li", {}, el("button", { type: "button", class: "line", onclick: () => { showPlace(x, y); emit("select"); } },
      el("span", { class: "where" }, name), el("span", { class: "what" }, text)))));
  $("more-features").hidden = rows.length <= most;
}
