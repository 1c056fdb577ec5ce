// What a person has corrected: marked where it lies, with a word for what it says.

import { halves } from "./dom.js";
import { cased, hatch, haloed, mark } from "./symbols.js";

export const BLUE = "#0b5fa5";

const said = (override) => Object.entries(override ?? {}).filter(([, value]) => value !== null && value !== undefined);
const WORDS = { stairwell: "stairs", road_entry: "road", vehicular_entrance: "road enters" };

/** What a correction says, in a word or two each. */
export function wordsOf(override) {
  return said(override).map(([key, value]) => {
    if (key === "terrain") return value === "none" ? "nothing" : value;
    if (key === "building") return value === "none" ? "no building" : `${value} building`;
    if (key === "height") return `height ${halves(2 * Number(value))}`;
    if (key === "level") return `level ${halves(2 * Number(value))}`;
    if (key === "bar") return value === "none" ? "no bar" : Array.isArray(value) ? "part bar" : "bar";
    const word = WORDS[key] ?? key.replaceAll("_", " ");
    return value === false ? `no ${word}` : word;
  });
}

/** What a correction of a hexside says and the other layers do not show. */
function unseenOf(side) {
  const left = { ...side.override };
  if (left.terrain === side.terrain) delete left.terrain;
  if (left.bar && left.bar !== "none" && side.bar.length) delete left.bar;
  return wordsOf(left).join(", ");
}

const SYMBOLS = ["height", "stairwell", "road_entry", "vehicular_entrance", "roofless", "factory"];

/** What a correction of a hex says and the symbols of other layers do not show. */
function unsaidOf(h) {
  const left = { ...h.override };
  for (const key of SYMBOLS) if (left[key] && h.building) delete left[key];
  return wordsOf(left);
}

const ringPaths = new WeakMap();

function pathOf(ring) {
  if (!ringPaths.has(ring)) {
    const path = new Path2D();
    ring.forEach(([x, y], k) => (k ? path.lineTo(x, y) : path.moveTo(x, y)));
    path.closePath();
    ringPaths.set(ring, path);
  }
  return ringPaths.get(ring);
}

/** A layer's draw function, as in overlays.js. */
export function drawCorrected({ pen, board, box, u, dpr, at, hexPx, inMap, inTile }) {
  const hexes = board.near.hexes(box).filter((h) => said(h.override).length);
  const sides = board.near.hexsides(box).filter((s) => said(s.override).length);
  inMap();
  const inner = new Path2D(), below = new Path2D();
  // The hatching keeps off the hex's name.
  const top = (board.layout.sideways ? 0.2 : 0.27) * board.lattice.hexHeight;
  for (const h of hexes) {
    board.lattice.corners.forEach(([dx, dy], k) => {
      const to = k ? "lineTo" : "moveTo";
      inner[to](h.x + 0.92 * dx, h.y + 0.92 * dy);
      below[to](h.x + 0.92 * dx, h.y + Math.max(-top, 0.92 * dy));
    });
    inner.closePath();
    below.closePath();
  }
  if (hexes.length) {
    const pattern = hatch(pen, "rgba(11,95,165,.5)", 12, 1.2, true);
    pattern.setTransform(new DOMMatrix().scale(u));
    pen.fillStyle = pattern;
    pen.fill(below);
    cased(pen, inner, BLUE, 2.4, u, [4, 3]);
  }
  for (const one of board.corrections?.buildings ?? []) if (one.outline?.length > 2) cased(pen, pathOf(one.outline), BLUE, 2.4, u, [4, 3]);
  if (hexPx < 9) return;
  inTile();
  const r = Math.max(2, Math.min(4, hexPx * 0.045)) * dpr;
  const spots = sides.map((s) => [(s.ends[0][0] + s.ends[1][0]) / 2, (s.ends[0][1] + s.ends[1][1]) / 2]);
  for (const [x, y] of spots) mark(pen, "diamond", ...at(x, y), r, BLUE);
  if (hexPx < 34) return;
  const size = Math.max(9, Math.min(13, hexPx * 0.15)) * dpr;
  const write = (words, x, y) => haloed(pen, words, x, y, size, { colour: "#063d6d" });
  for (const h of hexes) {
    const words = unsaidOf(h).slice(0, 3);
    const [x, y] = at(h.x, h.y + 0.3 * board.lattice.hexHeight);
    words.forEach((word, k) => write(word, x, y - (words.length - 1 - k) * size * 1.1));
  }
  if (hexPx < 60) return;
  sides.forEach((s, k) => {
    const [x, y] = at(...spots[k]);
    write(unseenOf(s), x, y + r + size * 0.75);
  });
}
