// The upper canvas: what follows the pointer and the questions. Cheap, drawn whole each time.

import { outlineOf, sideNamed } from "./board.js";
import { page } from "./page.js";
import { drawName, pathOf } from "./overlays.js";
import { INK, mark } from "./symbols.js";
import { drawSeen } from "./viewshed.js";
import { drawSight } from "./sightline.js";

// An outline a little inside the hex leaves what lies on its hexsides to be seen.
const INSIDE = 0.88;

/** Path of a hex in CSS px of the window; smaller by a share. */
export function hexPath(i, share = 1) {
  const path = new Path2D();
  const h = page.board.hexes[i];
  outlineOf(page.board, i).forEach(([x, y], k) => {
    const at = page.camera.toScreen(h.x + (x - h.x) * share, h.y + (y - h.y) * share);
    if (k) path.lineTo(...at);
    else path.moveTo(...at);
  });
  path.closePath();
  return path;
}

function ring(pen, path, colour, width) {
  pen.lineJoin = "round";
  pen.strokeStyle = "#fff";
  pen.lineWidth = width + 3;
  pen.stroke(path);
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.stroke(path);
}

/** The chosen hex, with its name on top of the ring. */
function drawCursor(pen, width) {
  const { board, camera } = page;
  ring(pen, hexPath(page.cursor, INSIDE), "#0b5fa5", width);
  if (page.bare || !page.shown.has("names")) return;
  drawName({ pen, board, dpr: 1, at: camera.toScreen, hexPx: board.lattice.hexHeight * camera.scale }, board.hexes[page.cursor]);
}

function drawChosenSide(pen) {
  const side = page.side && sideNamed(page.board, page.side);
  if (!side) return;
  const [a, b] = side.ends.map((p) => page.camera.toScreen(...p));
  const path = new Path2D();
  path.moveTo(...a);
  path.lineTo(...b);
  pen.lineCap = "round";
  pen.strokeStyle = INK.sky;
  pen.lineWidth = 16;
  pen.globalAlpha = 0.55;
  pen.stroke(path);
  pen.globalAlpha = 1;
  for (const [x, y] of [a, b]) mark(pen, "disc", x, y, 4, "#fff");
}

function drawChosenBuilding(pen) {
  const b = page.building !== null && page.board.buildingById.get(page.building);
  if (!b) return;
  const { camera } = page;
  pen.save();
  pen.transform(camera.scale, 0, 0, camera.scale, (0.5 - camera.x) * camera.scale, (0.5 - camera.y) * camera.scale);
  pen.lineJoin = "round";
  pen.strokeStyle = "#fff";
  pen.lineWidth = 6 / camera.scale;
  pen.stroke(pathOf(b));
  pen.strokeStyle = "#0b5fa5";
  pen.lineWidth = 3 / camera.scale;
  pen.stroke(pathOf(b));
  pen.restore();
}

/** Draws everything on a cleared canvas whose units are CSS px. */
export function drawOver(pen) {
  if (!page.board) return;
  if (!page.bare) drawSeen(pen);
  if (page.hover !== null && !page.tool?.hides?.("hover")) {
    pen.strokeStyle = "rgba(255,255,255,.9)";
    pen.lineWidth = 3;
    const path = hexPath(page.hover);
    pen.stroke(path);
    pen.strokeStyle = "rgba(16,21,26,.75)";
    pen.lineWidth = 1.2;
    pen.stroke(path);
  }
  drawChosenBuilding(pen);
  if (!page.bare) drawSight(pen, (i) => hexPath(i, INSIDE));
  drawChosenSide(pen);
  if (page.focused && page.byKeyboard) drawCursor(pen, 4);
  else if (page.tool?.showsCursor) drawCursor(pen, 2.5);
  page.tool?.draw?.(pen);
}
