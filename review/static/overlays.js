// The layers over the map: what each draws into a tile, and the sample of it for the legend.

import { BLUE, drawCorrected } from "./corrected.js";
import { halves } from "./dom.js";
import { SIDES, lowSide, sideKind } from "./sides.js";
import { SEVERITY, INK, BUILDING, cased, entry, hatch, haloed, mark, plate, stairs, styleOf } from "./symbols.js";

const paths = new WeakMap();

/** Path of a feature's rings in map px, made once. */
export function pathOf(feature) {
  if (!paths.has(feature)) {
    const path = new Path2D();
    for (const ring of feature.rings) {
      ring.forEach(([x, y], k) => (k ? path.lineTo(x, y) : path.moveTo(x, y)));
      path.closePath();
    }
    paths.set(feature, path);
  }
  return paths.get(feature);
}

/* `view` of every draw function:
   pen    context; view.inMap() makes its units map px, view.inTile() device px
   board  the board; box: what of it the tile shows, with a margin
   u      map px that one CSS px takes; dpr: device px of a CSS px
   at     map to device px of the tile; hexPx: height of a hex in CSS px */

const clamp = (lo, value, hi) => Math.max(lo, Math.min(hi, value));
/** Below this height of a hex, in CSS px, things are drawn as plainly as they are seen. */
const TINY = 15;
/** Lines are thinner where hexes are small. */
const thin = (hexPx) => clamp(0.4, hexPx / 44, 1);

/** A line without casing. */
function plainly(pen, path, colour, width) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.stroke(path);
}

function drawGrid({ pen, board, box, u, hexPx, inMap }) {
  if (hexPx < 6) return; // it would cover the map
  inMap();
  const path = new Path2D();
  for (const h of board.near.hexes(box)) {
    const c = board.lattice.corners;
    // Three sides of each hex are the other three of its neighbours.
    path.moveTo(h.x + c[0][0], h.y + c[0][1]);
    for (const k of [1, 2, 3]) path.lineTo(h.x + c[k][0], h.y + c[k][1]);
    const edge = [3, 4, 5].filter((d) => !board.byCell.has(edgeKey(h, d)));
    for (const d of edge) {
      path.moveTo(h.x + c[d][0], h.y + c[d][1]);
      path.lineTo(h.x + c[(d + 1) % 6][0], h.y + c[(d + 1) % 6][1]);
    }
  }
  pen.lineCap = "round";
  if (hexPx > 26) {
    pen.strokeStyle = "rgba(255,255,255,.6)";
    pen.lineWidth = 2.6 * u;
    pen.stroke(path);
  }
  pen.strokeStyle = "rgba(0,60,110,.75)";
  pen.lineWidth = (hexPx > 26 ? 1 : 0.7) * u;
  pen.stroke(path);
}

function edgeKey(h, d) {
  const odd = h.col & 1;
  return { 3: `${h.col},${h.row + 1}`, 4: `${h.col - 1},${h.row + odd}`, 5: `${h.col - 1},${h.row + odd - 1}` }[d];
}

function drawNames({ pen, board, box, dpr, at, hexPx, inTile }) {
  inTile();
  for (const h of board.near.hexes(box)) drawName({ pen, board, dpr, at, hexPx }, h);
}

/** Name of one hex, where hexes are large enough. */
export function drawName({ pen, board, dpr, at, hexPx }, h) {
  if (hexPx < 30) return;
  const up = board.layout.sideways ? 0.3 : 0.37;
  const [x, y] = at(h.x, h.y - up * board.lattice.hexHeight);
  haloed(pen, h.name, x, y, clamp(9, hexPx * 0.17, 17) * dpr);
}

/** Hex on which a building's label stands: the one nearest the middle of those it has most of. */
function labelHex(board, b) {
  const own = b.hexes.map((n) => board.hexes[board.index.get(n)]).filter((h) => h);
  const mine = own.filter((h) => h.building === b.id);
  const list = mine.length ? mine : own;
  if (!list.length) return null;
  const cx = list.reduce((s, h) => s + h.x, 0) / list.length, cy = list.reduce((s, h) => s + h.y, 0) / list.length;
  return list.reduce((a, h) => (Math.hypot(h.x - cx, h.y - cy) < Math.hypot(a.x - cx, a.y - cy) ? h : a));
}

/** A label makes room for a stairwell in the middle of its hex. */
function lower(board, h) {
  const reach = 0.2 * board.lattice.hexHeight;
  const near = board.near.stairwells([h.x - reach, h.y - reach, h.x + reach, h.y + reach]);
  return near.some((s) => Math.hypot(s.x - h.x, s.y - h.y) < reach) ? 0.29 * board.lattice.hexHeight : 0;
}

function drawBuildings({ pen, board, box, u, dpr, at, hexPx, inMap, inTile }) {
  const list = board.near.buildings(box);
  inMap();
  for (const b of list) {
    const style = styleOf(b);
    pen.globalAlpha = 0.12;
    pen.fillStyle = style.colour;
    pen.fill(pathOf(b), "evenodd");
    pen.globalAlpha = 1;
    if (hexPx < TINY) plainly(pen, pathOf(b), style.colour, 1.2 * u);
    else cased(pen, pathOf(b), style.colour, style.width, u * thin(hexPx), style.dash);
  }
  if (hexPx < 24) return;
  inTile();
  const size = clamp(9.5, hexPx * 0.19, 17) * dpr;
  for (const b of list) {
    const h = labelHex(board, b);
    const label = (b.kind === "factory" ? "F " : b.kind === "market" ? "M " : "") + halves(b.height_half);
    if (h) plate(pen, label, ...at(h.x, h.y + lower(board, h)), size, styleOf(b).colour);
    for (const name of b.hexes) {
      const other = board.hexes[board.index.get(name)];
      if (other && other !== h && other.building === b.id && other.height_half !== b.height_half) {
        plate(pen, halves(other.height_half), ...at(other.x, other.y + lower(board, other)), size * 0.9, styleOf(b).colour);
      }
    }
  }
}

function drawBars({ pen, board, box, u, hexPx, inMap }) {
  inMap();
  const path = new Path2D(), dots = new Path2D();
  const r = clamp(1.2, hexPx * 0.055, 6) * u;
  for (const s of board.near.hexsides(box)) {
    const [[ax, ay], [bx, by]] = s.ends;
    for (const [from, to] of s.bar) {
      path.moveTo(ax + (bx - ax) * from, ay + (by - ay) * from);
      path.lineTo(ax + (bx - ax) * to, ay + (by - ay) * to);
    }
    for (const [x, y] of s.vertices) { dots.moveTo(x + r, y); dots.arc(x, y, r, 0, 7); }
  }
  const width = clamp(1.6, hexPx * 0.07, 8);
  pen.lineCap = "butt";
  pen.strokeStyle = INK.yellow;
  pen.lineWidth = (width + 3 * thin(hexPx)) * u;
  pen.stroke(path);
  pen.fillStyle = INK.yellow;
  pen.strokeStyle = INK.black;
  pen.lineWidth = width * u;
  pen.stroke(path);
  if (hexPx < TINY) return;
  pen.lineWidth = 1.6 * thin(hexPx) * u;
  pen.fill(dots);
  pen.stroke(dots);
}

function drawSides({ pen, board, box, u, hexPx, inMap }) {
  inMap();
  for (const s of board.near.hexsides(box)) {
    if (!s.terrain) continue;
    const kind = SIDES[sideKind(board, s)];
    if (hexPx >= TINY) kind.draw(pen, ...s.ends, u * thin(hexPx), lowSide(board, s));
    else {
      const path = new Path2D();
      path.moveTo(...s.ends[0]);
      path.lineTo(...s.ends[1]);
      plainly(pen, path, kind.colour, 1.4 * u);
    }
  }
}

function drawRoofless({ pen, board, box, u, hexPx, inMap }) {
  inMap();
  for (const area of board.near.roofless(box)) {
    if (hexPx < TINY) {
      pen.fillStyle = "rgba(160,40,110,.5)";
      pen.fill(pathOf(area), "evenodd");
      continue;
    }
    const pattern = hatch(pen, "rgba(160,40,110,.85)", 9, 1.8);
    pattern.setTransform(new DOMMatrix().scale(u));
    pen.fillStyle = pattern;
    pen.fill(pathOf(area), "evenodd");
    cased(pen, pathOf(area), "#a0286e", 1.6, u * thin(hexPx), [3, 2]);
  }
}

function drawEntries({ pen, board, box, dpr, at, hexPx, inTile }) {
  if (hexPx < 9) return;
  inTile();
  const r = clamp(2.2, hexPx * 0.11, 10) * dpr;
  for (const e of board.near.entries(box)) entry(pen, ...at(e.x, e.y), r);
}

function drawOpenings({ pen, board, box, u, hexPx, inMap }) {
  inMap();
  const path = new Path2D();
  for (const o of board.near.openings(box)) {
    path.moveTo(...o.ends[0]);
    path.lineTo(...o.ends[1]);
  }
  cased(pen, path, INK.sky, 3, u * thin(hexPx), [3, 1.5]);
}

function drawStairs({ pen, board, box, dpr, at, hexPx, inTile }) {
  if (hexPx < 9) return;
  inTile();
  const r = clamp(2.2, hexPx * 0.1, 9) * dpr;
  for (const s of board.near.stairwells(box)) stairs(pen, ...at(s.x, s.y), r);
  for (const h of board.near.hexes(box)) {
    const drawn = h.stairwell && board.near.stairwells([h.x, h.y, h.x, h.y]).some((s) => s.hex === h.name);
    if (h.stairwell && !drawn) stairs(pen, ...at(h.x, h.y + 0.2 * board.lattice.hexHeight), r);
  }
}

function drawLevels({ pen, board, box, dpr, at, hexPx, inTile }) {
  if (hexPx < 22) return;
  inTile();
  const size = clamp(9, hexPx * 0.16, 15) * dpr;
  for (const h of board.near.hexes(box)) {
    if (!h.level_half) continue;
    const [x, y] = at(h.x, h.y + 0.34 * board.lattice.hexHeight);
    haloed(pen, (h.level_half > 0 ? "▲" : "▼") + halves(Math.abs(h.level_half)), x, y, size, { colour: "#5a2d00" });
  }
}

function drawFindings({ pen, findings, box, dpr, at, hexPx, inTile }) {
  inTile();
  const r = clamp(5, hexPx * 0.1, 10) * dpr;
  for (const f of findings) {
    if (f.x === null || f.state !== "open") continue;
    if (f.x < box[0] || f.x > box[2] || f.y < box[1] || f.y > box[3]) continue;
    const kind = SEVERITY[f.severity] ?? SEVERITY.note;
    const [x, y] = at(f.x, f.y);
    mark(pen, kind.shape, x, y, r, kind.colour);
    if (r < 6 * dpr) continue;
    pen.font = `800 ${r * 1.25}px system-ui, "Liberation Sans", sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillStyle = "#10151a";
    pen.fillText(kind.shape === "disc" ? "?" : "!", x, y + r * 0.08);
  }
}

const line = (pen, w, h) => {
  const path = new Path2D();
  path.moveTo(3, h / 2);
  path.lineTo(w - 3, h / 2);
  return path;
};

/** All layers, lowest first. `raster` ones come from the server as pictures; `on` at the start. */
export const LAYERS = [
  { id: "terrain", label: "Terrain as read", raster: true, on: false, key: "terrain" },
  { id: "elevation", label: "Elevations", raster: true, on: false, draw: drawLevels, key: "elevation",
    sample: (pen, w, h) => haloed(pen, "▲1", w / 2, h / 2, 12, { colour: "#5a2d00" }) },
  { id: "confidence", label: "Confidence", raster: true, on: false, key: "confidence" },
  { id: "grid", label: "Grid", on: true, draw: drawGrid,
    sample: (pen, w, h) => cased(pen, line(pen, w, h), "#003c6e", 1.2, 1) },
  { id: "names", label: "Hex names", on: true, draw: drawNames,
    sample: (pen, w, h) => haloed(pen, "K15", w / 2, h / 2, 11) },
  { id: "buildings", label: "Buildings, heights", on: true, draw: drawBuildings, kinds: BUILDING,
    sample: (pen, w, h) => plate(pen, "F 1½", w / 2, h / 2, 11, INK.vermilion) },
  { id: "roofless", label: "Roofless", on: true, draw: drawRoofless,
    sample: (pen, w, h) => { pen.fillStyle = hatch(pen, "rgba(160,40,110,.85)", 9, 1.8); pen.fillRect(2, 2, w - 4, h - 4); } },
  { id: "sides", label: "Walls, streams, slopes", on: true, draw: drawSides, signs: SIDES,
    sample: (pen, w, h) => SIDES.hedge.draw(pen, [3, h / 2], [w - 3, h / 2], 1, null) },
  { id: "bars", label: "Black bars", on: true, draw: drawBars,
    sample: (pen, w, h) => {
      for (const [colour, width] of [[INK.yellow, 8], [INK.black, 5]]) {
        pen.strokeStyle = colour; pen.lineWidth = width; pen.stroke(line(pen, w, h));
      }
    } },
  { id: "openings", label: "Doors, windows, loopholes", on: true, draw: drawOpenings, when: (board) => board.openings?.length,
    sample: (pen, w, h) => cased(pen, line(pen, w, h), INK.sky, 3, 1, [3, 1.5]) },
  { id: "roads", label: "Road entries", on: true, draw: drawEntries,
    sample: (pen, w, h) => entry(pen, w / 2, h / 2, 7) },
  { id: "stairwells", label: "Stairwells", on: true, draw: drawStairs,
    sample: (pen, w, h) => stairs(pen, w / 2, h / 2, 6) },
  { id: "corrections", label: "Corrections", on: true, draw: drawCorrected,
    sample: (pen, w, h) => {
      const path = new Path2D();
      path.rect(4, 3, w - 8, h - 6);
      pen.fillStyle = hatch(pen, "rgba(11,95,165,.5)", 12, 1.2, true);
      pen.fill(path);
      cased(pen, path, BLUE, 2.4, 1, [4, 3]);
    } },
  { id: "findings", label: "Findings", on: true, draw: drawFindings,
    sample: (pen, w, h) => mark(pen, "diamond", w / 2, h / 2, 6, INK.orange) },
];
