// Answers from what `hexsight review --export` put into the page.

import { CORNERS, DIRECTIONS, hexRange, toLattice } from "./geometry.js";

const MOST_HINDRANCE = 58, BEYOND = 63, FIRST_REASON = 64;
const ADDS = { 42: 2 }; // a Roofless Factory Hex hinders by its debris as well (O5.41)

/** Source of a page without a server. */
export async function staticSource() {
  const board = JSON.parse(text("hexsight-board"));
  const findings = JSON.parse(text("hexsight-findings"));
  const { exported, hexes, locations } = board;
  const n = locations.length;
  const kept = new Map();
  const block = async (id) => {
    if (!kept.has(id)) kept.set(id, await unpacked(id));
    return kept.get(id);
  };
  const sights = [];
  for (const one of exported.sights) {
    const planes = [];
    for (const id of one.places) planes.push(await block(id));
    sights.push({ observer: one.observer, where: one.where, values: await block(one.values), planes });
  }
  const pictures = { map: await picture("hexsight-map", exported.map_scale) };
  for (const name of exported.layers) {
    const found = await picture(`hexsight-layer-${name}`, null);
    // A large layer holds every other pixel.
    found.scale = found.image.width / board.size_px[0];
    pictures[name] = found;
  }
  const byName = new Map(locations.map(([, name], i) => [name.toUpperCase(), i]));
  const byCell = new Map(hexes.map((h) => [h.col + "," + h.row, h]));
  const edge = board.tiles.size;

  const pair = (i, j) => {
    if (i > j) [i, j] = [j, i];
    return (i * (2 * n - i - 1)) / 2 + j - i - 1;
  };
  const place = (sight, k) => sight.where[sight.planes.reduce((sum, plane, p) => sum + plane[k] * 256 ** p, 0)];
  const sightOf = (more) => sights.find((one) => one.observer === (more?.observer ?? null)) ?? sights[0];
  const locationOf = (name) => {
    const found = byName.get(String(name).trim().toUpperCase());
    if (found === undefined) throw new Error(`There is no Location ${name} on this board.`);
    return found;
  };

  function los(from, to, more) {
    const sight = sightOf(more);
    const i = locationOf(from), j = locationOf(to);
    const a = hexes[locations[i][0]], b = hexes[locations[j][0]];
    const k = i === j ? -1 : pair(i, j);
    const value = k < 0 ? 0 : sight.values[k];
    const range = hexRange(a, b);
    const told = {
      version: 0, from: locations[i][1], to: locations[j][1], hindrance: 0, hindrance_by_hex: {}, tem: null, range,
      reasons: [], line_px: [[a.x, a.y], [b.x, b.y]],
      hexes: a === b ? [[a.name]] : hexLine(a, b).map((cells) => cells.map((c) => byCell.get(c.join(","))?.name).filter(Boolean)).filter((s) => s.length),
    };
    if (sight.observer) told.observer = sight.observer;
    if (sights.length > 1) told.by_class = Object.fromEntries(sights.map((one) => [one.observer, stateOf(k < 0 ? 0 : one.values[k])]));
    let word;
    if (value === BEYOND) {
      throw new Error(`${told.from} and ${told.to} are ${range} hexes apart; this page knows lines of up to ${exported.range} hexes.`);
    } else if (value >= FIRST_REASON) {
      told.state = word = "blocked";
      const reason = board.reasons[value - FIRST_REASON] ?? { code: "unknown", rule: "", text: "No reason is told." };
      const where = place(sight, k);
      told.reasons.push({ ...reason, ...(where ? named(where[0], byCell, hexes) : {}), pixel: where ? where.slice(1, 3) : null });
    } else if (value) {
      Object.assign(told, stateOf(value));
      word = told.halvings ? "half strength" + (told.halvings > 1 ? `, halved ${told.halvings} times` : "") : `clear, hindered by ${value}`;
      const where = place(sight, k);
      if (where) {
        const adds = told.halvings ? {} : { hindrance: Math.min(value, ADDS[where[3]] ?? 1) };
        told.reasons.push({ ...(board.reasons[where[3]] ?? {}), ...named(where[0], byCell, hexes), ...adds, pixel: where.slice(1, 3) });
      }
    } else {
      told.state = word = "clear";
    }
    told.words = `${told.from} → ${told.to}: ${word} (range ${range}).`;
    told.lines = told.reasons.map((r) => {
      const at = r.hexside ?? r.vertex ?? r.hex;
      const line = `${at ? at + ": " : ""}${r.text}${r.rule ? ` (${r.rule})` : ""}`;
      return r.hindrance < told.hindrance || told.halvings > 1 ? `One of them: ${line}` : line;
    });
    return told;
  }

  function viewshed(from, more) {
    const i = locationOf(from), { values } = sightOf(more);
    return { version: 0, from: locations[i][1], values: locations.map((_, j) => (i === j ? 0 : values[pair(i, j)])) };
  }

  async function tile(layer, z, x, y) {
    const from = pictures[layer];
    if (!from) return null;
    const side = edge * 2 ** z;
    const [width, height] = board.size_px;
    const w = Math.min(side, width - x * side), h = Math.min(side, height - y * side);
    if (x < 0 || y < 0 || w <= 0 || h <= 0) return null;
    const s = from.scale;
    return createImageBitmap(from.image, Math.floor(x * side * s), Math.floor(y * side * s), Math.max(1, Math.round(w * s)), Math.max(1, Math.round(h * s)), {
      resizeWidth: Math.ceil(w / 2 ** z), resizeHeight: Math.ceil(h / 2 ** z), resizeQuality: layer === "map" ? "medium" : "pixelated",
    });
  }

  async function crop(id) {
    const f = findings.findings.find((one) => one.id === id);
    if (!f || f.x === null) return null;
    const { image, scale } = pictures.map;
    const side = Math.max(8, Math.round(3 * board.layout.dy * scale));
    return createImageBitmap(image, Math.round(f.x * scale - side / 2), Math.round(f.y * scale - side / 2), side, side, { resizeWidth: 184, resizeHeight: 184 });
  }

  const refused = async () => { throw new Error("This is a copy to look at: nothing can be changed in it."); };
  return {
    canSave: false,
    board: async () => board,
    heard: () => {},
    los: async (from, to, more) => los(from, to, more),
    viewshed: async (from, signal, more) => viewshed(from, more),
    findings: async () => findings,
    state: async () => ({ version: 0, undo: 0, redo: 0 }),
    tile,
    crop,
    edit: refused, undo: refused, redo: refused, accept: refused,
  };
}

/** State, Hindrance and halvings of a value. */
function stateOf(value) {
  if (value >= FIRST_REASON) return { state: "blocked" };
  if (value === BEYOND || !value) return { state: "clear" };
  return value > MOST_HINDRANCE ? { state: "half", halvings: value - MOST_HINDRANCE } : { state: "hindered", hindrance: value };
}

const text = (id) => document.getElementById(id).textContent;

/** Name of a place as an answer tells it: under hex, hexside or vertex. */
function named(name, byCell, hexes) {
  if (hexes.some((h) => h.name === name)) return { hex: name };
  // A name may hold a dash: two hexes make a hexside, more a vertex.
  const all = new Set(hexes.map((h) => h.name));
  const parts = name.split("-");
  for (let cut = 1; cut < parts.length; cut++) {
    if (all.has(parts.slice(0, cut).join("-")) && all.has(parts.slice(cut).join("-"))) return { hexside: name };
  }
  return { vertex: name };
}

function bytesOf(id) {
  const element = document.getElementById(id);
  const raw = atob(element.textContent.trim());
  element.remove(); // half of the page's memory would be kept twice
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

async function unpacked(id) {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser is too old for this page: it lacks DecompressionStream.");
  }
  const stream = new Blob([bytesOf(id)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function picture(id, scale) {
  const bytes = bytesOf(id);
  const kind = bytes[0] === 0x52 ? "image/webp" : bytes[0] === 0x89 ? "image/png" : "image/jpeg";
  return { image: await createImageBitmap(new Blob([bytes], { type: kind })), scale };
}

/** Hexes on the line between two hex centres, two at a step where it runs along their hexside; as hexsight.los.traverse. */
export function hexLine(a, b) {
  const [x0, y0] = toLattice(a.col, a.row), [x1, y1] = toLattice(b.col, b.row);
  const dx = x1 - x0, dy = y1 - y0;
  const steps = [[[a.col, a.row]]];
  const cell = (x, y) => {
    const col = x / 3;
    return [col, (y - (col & 1)) / 2];
  };
  for (let k = 0; k < 6; k++) {
    const [ex, ey] = CORNERS[k];
    if (dx * ey === dy * ex && dx * ex + dy * ey > 0) {
      const one = DIRECTIONS[(k + 5) % 6], two = DIRECTIONS[k];
      for (let x = x0, y = y0; x !== x1 || y !== y1;) {
        const both = [cell(x + one[0], y + one[1]), cell(x + two[0], y + two[1])];
        both.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
        x += 3 * ex;
        y += 3 * ey;
        steps.push(both, [cell(x, y)]);
      }
      return steps;
    }
  }
  for (let x = x0, y = y0; x !== x1 || y !== y1;) {
    let side = -1, corner = -1, reach = -1;
    let before = dx * (y + CORNERS[5][1] - y0) - dy * (x + CORNERS[5][0] - x0);
    for (let k = 0; k < 6; k++) {
      const px = x + CORNERS[k][0] - x0, py = y + CORNERS[k][1] - y0;
      const here = dx * py - dy * px;
      if (before < 0 && here > 0) side = (k + 5) % 6;
      if (here === 0 && dx * px + dy * py > reach) {
        corner = k;
        reach = dx * px + dy * py;
      }
      before = here;
    }
    if (side < 0) {
      const [ex, ey] = CORNERS[corner];
      side = ex * dy - ey * dx > 0 ? corner : (corner + 5) % 6;
    }
    x += DIRECTIONS[side][0];
    y += DIRECTIONS[side][1];
    steps.push([cell(x, y)]);
  }
  return steps;
}
