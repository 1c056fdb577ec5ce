// The board as the page holds it: what the server tells, with indexes for looking things up fast.

import { boxOf, CORNERS, inRings, latticeOf, neighbourOffset, toLattice, toSegment } from "./geometry.js";

/** Things by the squares that they touch: what lies in a box, without looking at all. */
function buckets(items, boxes, size) {
  const found = new Map();
  items.forEach((item, i) => {
    const [x0, y0, x1, y1] = boxes[i];
    for (let bx = Math.floor(x0 / size); bx <= Math.floor(x1 / size); bx++) {
      for (let by = Math.floor(y0 / size); by <= Math.floor(y1 / size); by++) {
        const key = bx + "," + by;
        if (!found.has(key)) found.set(key, []);
        found.get(key).push(item);
      }
    }
  });
  return ([x0, y0, x1, y1]) => {
    const out = new Set();
    for (let bx = Math.floor(x0 / size); bx <= Math.floor(x1 / size); bx++) {
      for (let by = Math.floor(y0 / size); by <= Math.floor(y1 / size); by++) {
        for (const item of found.get(bx + "," + by) ?? []) out.add(item);
      }
    }
    return [...out];
  };
}

/** Indexes over what GET /api/board tells. */
export function makeBoard(told) {
  const lattice = latticeOf(told.layout);
  const board = { ...told, lattice };
  board.terrainName = new Map(told.terrains.map((t) => [t.code, t.name]));
  board.index = new Map(told.hexes.map((h, i) => [h.name, i]));
  board.byUpper = new Map(told.hexes.map((h, i) => [h.name.toUpperCase(), i]));
  board.byCell = new Map(told.hexes.map((h, i) => [h.col + "," + h.row, i]));
  board.sideByName = new Map(told.hexsides.flatMap((s) => [[s.name, s], [`${s.b}-${s.a}`, s]]));
  board.buildingById = new Map(told.buildings.map((b) => [b.id, b]));
  const size = 4 * lattice.hexHeight;
  const hexBox = (h) => [h.x - lattice.reach, h.y - lattice.reach, h.x + lattice.reach, h.y + lattice.reach];
  const shapes = (list) => buckets(list, list.map((one) => boxOf(one.rings[0])), size);
  const spots = (list) => buckets(list, list.map((s) => [s.x, s.y, s.x, s.y]), size);
  board.near = {
    hexes: buckets(told.hexes, told.hexes.map(hexBox), size),
    hexsides: buckets(told.hexsides, told.hexsides.map((s) => boxOf(s.ends)), size),
    buildings: shapes(told.buildings),
    roofless: shapes(told.roofless),
    stairwells: spots(told.stairwells),
    openings: buckets(told.openings ?? [], (told.openings ?? []).map((o) => boxOf(o.ends)), size),
    entries: spots(told.buildings.flatMap((b) => b.entries)),
  };
  return board;
}

/** The board after an edit: only what the answer brought is new. */
export function patched(board, patch) {
  const told = { ...board, ...patch };
  for (const key of ["hexes", "buildings"]) {
    if (!(key in patch) || Array.isArray(patch[key])) continue;
    told[key] = board[key].slice();
    for (const [i, one] of Object.entries(patch[key])) told[key][Number(i)] = one;
  }
  return makeBoard(told);
}

/** Index of the hex at a place of the map, or null. */
export function hexAt(board, x, y) {
  return board.byCell.get(board.lattice.cellAt(x, y).join(",")) ?? null;
}

/** Index of the hex next to another, or null. */
export function neighbour(board, i, direction) {
  const h = board.hexes[i];
  return board.byCell.get(neighbourOffset(h.col, h.row, direction).join(",")) ?? null;
}

/** Corners of a hex on the map. */
export function outlineOf(board, i) {
  const h = board.hexes[i];
  return board.lattice.corners.map(([dx, dy]) => [h.x + dx, h.y + dy]);
}

/** A hexside by hex and direction: what the board tells of it, or a bare one; null at the map's edge. */
export function sideOf(board, i, direction) {
  const j = neighbour(board, i, direction);
  if (j === null) return null;
  const [first, last, way] = i < j ? [i, j, direction] : [j, i, (direction + 3) % 6];
  const name = `${board.hexes[first].name}-${board.hexes[last].name}`;
  const known = board.sideByName.get(name);
  if (known) return known;
  const h = board.hexes[first];
  const [X, Y] = toLattice(h.col, h.row);
  const end = (k) => board.lattice.place(X + CORNERS[k % 6][0], Y + CORNERS[k % 6][1]);
  return {
    name, a: h.name, b: board.hexes[last].name, direction: way, ends: [end(way), end(way + 1)],
    bar: [], bar_half: 0, vertices: [], terrain: "", confidence: 1, override: null, words: "No bar.",
  };
}

/** A hexside by its name, in either spelling. */
export function sideNamed(board, name) {
  const known = board.sideByName.get(name);
  if (known) return known;
  for (let cut = name.indexOf("-"); cut > 0; cut = name.indexOf("-", cut + 1)) {
    const i = board.index.get(name.slice(0, cut)), j = board.index.get(name.slice(cut + 1));
    if (i === undefined || j === undefined) continue;
    for (let d = 0; d < 6; d++) if (neighbour(board, i, d) === j) return sideOf(board, i, d);
  }
  return null;
}

/** The hexside nearest to a place, with its distance in px and where along it. */
export function sideAt(board, x, y) {
  const i = hexAt(board, x, y);
  if (i === null) return null;
  let best = null;
  for (let d = 0; d < 6; d++) {
    const side = sideOf(board, i, d);
    if (!side) continue;
    const [away, along] = toSegment(x, y, ...side.ends);
    if (!best || away < best.away) best = { side, away, along };
  }
  return best;
}

/** The building at a place, or null. */
export function buildingAt(board, x, y) {
  return board.near.buildings([x, y, x, y]).find((b) => inRings(x, y, b.rings)) ?? null;
}

/** Locations of a hex: [index, name, level in words]. */
export function locationsOf(board, i) {
  const [first, count] = board.hexes[i].locations;
  return board.locations.slice(first, first + count).map(([, name, words], k) => [first + k, name, words]);
}

/** A place "x,y" on the map that a line begins or ends at, by rules that measure; else null. */
export function pointOf(board, name) {
  const found = board.measured ? /^\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*$/.exec(name) : null;
  return found ? [Number(found[1]), Number(found[2])] : null;
}

/** Index of the hex in which a Location lies, by its name, or null. */
export function hexOfLocation(board, name) {
  const point = pointOf(board, name);
  if (point) return hexAt(board, ...point);
  const hex = name.split("@")[0];
  return board.index.get(hex) ?? null;
}

/** Where a hex or hexside lies on the map, by its name; null when there is none. */
export function placeOf(board, where) {
  const i = board.index.get(where);
  if (i !== undefined) return [board.hexes[i].x, board.hexes[i].y];
  const side = where ? sideNamed(board, where) : null;
  return side ? [(side.ends[0][0] + side.ends[1][0]) / 2, (side.ends[0][1] + side.ends[1][1]) / 2] : null;
}

/** One hex in words, with its name and its bars, for the line below the map and for screen readers. */
export function tell(board, i) {
  const h = board.hexes[i];
  const bars = [];
  for (let d = 0; d < 6; d++) {
    const side = sideOf(board, i, d);
    if (side?.bar.length) bars.push(side.name);
    else if (side?.terrain) bars.push(`${side.terrain} on ${side.name}`);
  }
  const said = bars.length ? ` Bar on ${bars.join(", ")}.`.replace(/^ Bar on ([^,]* on )/, " $1") : "";
  return `${h.name}. ${h.words}${said}`;
}
