// The keyboard: the map is one thing to focus, on which keys move a cursor from hex to hex.

import { neighbour } from "./board.js";
import { $, announce, el } from "./dom.js";
import { chooseDirection } from "./edit-side.js";
import { nextSteps } from "./next.js";
import { moveCursor, page } from "./page.js";
import { redo, undo } from "./saver.js";
import { clearSight, groundOf, setEnd, sight, swapEnds } from "./sightline.js";
import { holdSeen } from "./viewshed.js";

const PAN = 90; // CSS px

const LIST = [
  ["Arrows", "from hex to hex", false], ["Shift + arrows", "move the map", false], ["+ − 0", "larger, smaller, whole map", false],
  ["Enter", "use the tool on the hex", false], ["L", "line of sight: set an end", false], ["X", "swap both ends", false],
  ["V (hold)", "what the hex sees", false], ["Escape", "take the line away", false], ["/", "go to a hex", false],
  ["1 – 6", "choose a hexside, clockwise from the top", true], ["B", "put or remove the bar on it", true],
  ["R F T G", "roofless, Factory, stairwell, road enters (tool Hex)", true],
  ["N P", "next finding, previous finding", false], ["] [", "next, previous vertex of an outline", true],
  ["Ctrl + Z, Ctrl + Y", "undo, redo", true], ["? ", "this list", false],
];

// Row or column that sideways steps try to keep, so that going there and back ends where it began.
let course = null;

/** Neighbour in the direction of an arrow: the one that lies most that way. */
function towards(i, dx, dy) {
  const { board } = page;
  const here = board.hexes[i];
  const goal = course && course.at === i && course.axis === (dx ? "y" : "x") ? course.keep : dx ? here.y : here.x;
  let best = null;
  for (let d = 0; d < 6; d++) {
    const j = neighbour(board, i, d);
    if (j === null) continue;
    const to = board.hexes[j];
    const along = (to.x - here.x) * dx + (to.y - here.y) * dy;
    if (along < 0.3 * board.lattice.hexHeight) continue;
    const stray = Math.abs((dx ? to.y : to.x) - goal);
    // Of two as near, always the upper (or left) one: then going back undoes going there.
    const side = dx ? to.y : to.x;
    if (!best || stray < best.stray - 1 || (stray < best.stray + 1 && side < best.side)) best = { j, stray, side };
  }
  if (best) course = { at: best.j, axis: dx ? "y" : "x", keep: goal };
  return best?.j ?? null;
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function onMap(event, go) {
  if (event.altKey || event.metaKey) return false;
  if (page.tool?.key?.(event)) return true;
  if (event.ctrlKey) return false;
  const arrow = ARROWS[event.key];
  if (arrow) {
    if (event.shiftKey) { page.camera.panBy(-arrow[0] * PAN, -arrow[1] * PAN); return true; }
    const j = towards(page.cursor, ...arrow);
    page.hover = null;
    page.byKeyboard = true;
    if (j === null) announce("The map ends there.");
    else moveCursor(j);
    return true;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const middle = [page.camera.width / 2, page.camera.height / 2];
  switch (key) {
    case "+": case "=": page.camera.glideAt(...middle, 1.4); return true;
    case "-": case "_": page.camera.glideAt(...middle, 1 / 1.4); return true;
    case "0": page.camera.fit(true); return true;
    case "Enter": case " ": page.byKeyboard = true; page.tool?.enter?.(page.cursor); return true;
    case "l": {
      const name = groundOf(page.cursor);
      if (name) setEnd(!sight.from || sight.to ? "from" : "to", name);
      return true;
    }
    case "Escape": clearSight(); announce("The line is taken away."); return true;
    case "1": case "2": case "3": case "4": case "5": case "6":
      go.correctSide();
      chooseDirection(Number(key) - 1);
      return true;
    default: return false;
  }
}

const typing = (target) => target.matches?.("input:not([type=checkbox]):not([type=radio]), select, textarea, dialog *");

/** Listen; `go` opens what keys lead to. */
export function listenKeys(go) {
  const map = $("map");
  map.addEventListener("keydown", (event) => {
    if (page.board && onMap(event, go)) { event.preventDefault(); event.stopPropagation(); }
  });
  addEventListener("keydown", (event) => {
    if (!page.board || $("keys").open) return;
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y") && !typing(event.target)) {
      event.preventDefault();
      if (key === "y" || event.shiftKey) redo();
      else undo();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    const react = {
      v: () => { if (!event.repeat) holdSeen(true); },
      x: swapEnds, n: () => go.finding(1), p: () => go.finding(-1),
      "/": () => $("goto-hex").focus(), "?": openKeys,
    }[key];
    if (react) { event.preventDefault(); react(); }
  });
  addEventListener("keyup", (event) => { if (event.key.toLowerCase() === "v") holdSeen(false); });
  addEventListener("blur", () => holdSeen(false));
  $("help").addEventListener("click", openKeys);
}

function openKeys() {
  $("key-list").replaceChildren(...LIST.filter(([, , saves]) => !saves || page.board?.can_save).flatMap(([key, words]) =>
    [el("dt", {}, el("kbd", {}, key)), el("dd", {}, words)]));
  $("next-list").replaceChildren(...(page.board?.can_save ? [el("h2", {}, "After the corrections"), ...nextSteps()] : []));
  $("keys").showModal();
}
