// What the page holds: one object that its modules share, and the words for it.

import { hexAt, tell } from "./board.js";
import { announce, emit } from "./dom.js";

/** State of the page. */
export const page = {
  source: null,
  board: null,
  camera: null,
  tiles: null,
  shown: new Set(),
  findings: [],
  paper: "#ffffff",
  cursor: 0, // hex that the keyboard is on
  hover: null, // hex under the pointer
  hoverAt: null, // map px under the pointer
  side: null, // name of the hexside that is chosen
  building: null, // id of the building that is chosen
  tool: null, // what a click does
  bare: false, // nothing is drawn over the map
  observer: "", // class of observer, where the rules know several
  focused: false, // the map has the keyboard
  byKeyboard: false, // the cursor is drawn when it was moved by keys
};

/** The hex that questions are about: under the pointer, else the keyboard's. */
export const asked = () => page.hover ?? page.cursor;

/** Put the cursor on a hex, bring it into view, say what it is. */
export function moveCursor(i, { quiet = false, reveal = true } = {}) {
  page.cursor = i;
  const h = page.board.hexes[i];
  if (reveal) page.camera.reveal(h.x, h.y);
  if (!quiet) announce(tell(page.board, i));
  emit("cursor");
}

/** Take note of where the pointer is. */
export function moveHover(x, y) {
  const found = x === null ? null : hexAt(page.board, x, y);
  page.hoverAt = x === null ? null : [x, y];
  if (found !== page.hover) {
    page.hover = found;
    emit("hover");
  }
  page.tool?.moved?.(x, y);
}

/** Show a place of the map large enough to judge it. */
export function showPlace(x, y) {
  const { camera, board } = page;
  const enough = Math.max(camera.scale, 76 / board.lattice.hexHeight);
  camera.flyTo(x, y, enough);
  const i = hexAt(board, x, y);
  if (i !== null) moveCursor(i, { reveal: false });
}

/** Hand the map to a tool. */
export function useTool(tool) {
  if (page.tool === tool) return;
  page.tool?.leave?.();
  page.tool = tool;
  tool.take?.();
  emit("tool");
}
