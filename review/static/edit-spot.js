// Placing a stairwell or a road entry by a click on the spot.

import { hexAt } from "./board.js";
import { $, el, emit, on } from "./dom.js";
import { moveCursor, page } from "./page.js";
import { correct } from "./saver.js";
import { entry, stairs } from "./symbols.js";

let kind = "stairwell";

/** A click places the symbol that is chosen. */
export const spotTool = {
  id: "spot", showsCursor: true,
  click(x, y) {
    const i = hexAt(page.board, x, y);
    if (i === null) return;
    moveCursor(i, { quiet: true, reveal: false });
    place(x, y);
  },
  enter(i) { const h = page.board.hexes[i]; place(h.x, h.y); },
  moved() { emit("draft"); },
  draw(pen) {
    if (page.hover === null || !page.hoverAt) return;
    pen.globalAlpha = 0.7;
    const at = page.camera.toScreen(...page.hoverAt);
    if (kind === "stairwell") stairs(pen, ...at, 8);
    else entry(pen, ...at, 9);
    pen.globalAlpha = 1;
  },
};

const tenth = (v) => Math.round(v * 10) / 10;
const place = (x, y) => correct({ kind, x: tenth(x), y: tenth(y) }, kind);

/** Build the part of the panel. */
export function spotPart() {
  const choice = (value, words) => el("label", { class: "choice" },
    el("input", { type: "radio", name: "spot", value, checked: value === kind, onchange: () => { kind = value; } }), words);
  const part = el("div", { id: "part-spot" },
    el("h3", { class: "name" }, "Stairwells and road entries"),
    el("fieldset", {}, el("legend", {}, "A click places"), choice("stairwell", "a stairwell"), choice("road_entry", "a road entry")),
    el("p", { class: "fine" }, "Enter places it in the middle of the chosen hex."),
    el("p", { id: "spot-here" }),
    el("div", { class: "row" },
      el("button", { type: "button", id: "spot-no-stairs", onclick: () => take("stairwell") }, "No stairwell here"),
      el("button", { type: "button", id: "spot-no-road", onclick: () => take("road_entry") }, "No road entry here")));
  on("cursor board", () => {
    const h = page.board.hexes[page.cursor];
    const road = page.board.buildings.some((b) => b.entries.some((e) => e.hex === h.name));
    $("spot-here").textContent = `${h.name}: ${h.stairwell ? "a stairwell" : "no stairwell"}, ${road ? "a road enters" : "no road enters"}.`;
    $("spot-no-stairs").disabled = !h.stairwell;
    $("spot-no-road").disabled = !road;
  });
  return part;
}

const take = (what) => correct({ kind: "hex", hex: page.board.hexes[page.cursor].name, [what]: false }, what);
