// Panel "Correct": which tool a click on the map goes to, and the part of the panel for it.

import { $, el } from "./dom.js";
import { chooseSide, sidePart, sideTool } from "./edit-side.js";
import { gridPart, gridTool } from "./edit-grid.js";
import { hexPart, hexTool } from "./edit-hex.js";
import { outlinePart, outlineTool } from "./edit-outline.js";
import { spotPart, spotTool } from "./edit-spot.js";
import { page, useTool } from "./page.js";

const TOOLS = [
  [hexTool, "Hex", hexPart], [sideTool, "Hexside", sidePart], [outlineTool, "Outline", outlinePart],
  [spotTool, "Symbols", spotPart], [gridTool, "Grid", gridPart],
];
let chosen = hexTool;

/** Build the panel. */
export function correctPanel() {
  const bar = el("div", { class: "tools", role: "radiogroup", "aria-label": "What to correct" },
    ...TOOLS.map(([tool, label]) => el("label", { class: "tool" },
      el("input", { type: "radio", name: "tool", value: tool.id, checked: tool === chosen, onchange: () => chooseTool(tool.id) }), el("span", {}, label))));
  const parts = TOOLS.map(([, , part]) => part());
  parts.forEach((part, k) => { part.hidden = TOOLS[k][0] !== chosen; });
  return el("section", {}, bar, ...parts);
}

/** The panel is shown: the map goes to its tool. */
export const takeCorrecting = () => useTool(chosen);

/** Change the tool. */
export function chooseTool(id) {
  chosen = TOOLS.find(([tool]) => tool.id === id)[0];
  for (const [tool] of TOOLS) {
    $(`part-${tool.id}`).hidden = tool !== chosen;
    document.querySelector(`input[name="tool"][value="${tool.id}"]`).checked = tool === chosen;
  }
  useTool(chosen);
}

/** Choose hexside or hex for correcting, after a jump to a finding or a feature. */
export function takeUp(where, side) {
  if (side) {
    chooseTool("side");
    chooseSide(side);
  } else if (page.board.index.has(where)) chooseTool("hex");
}
