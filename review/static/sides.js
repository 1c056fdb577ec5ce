// What lies along a hexside: each kind with a colour and a shape of its own.

import { INK } from "./symbols.js";

/* Lengths are CSS px of a full sized hex. `draw(pen, a, b, k, low)` draws from a to b, where k is
   the size of a CSS px, and low the unit vector to the lower side (null: not known). */

const at = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];

/** Unit vector across a line, and its length. */
function across(a, b) {
  const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy) || 1;
  return [[-dy / length, dx / length], length];
}

function strokes(pen, path, k, layers) {
  pen.lineJoin = "round";
  for (const [colour, width, dash = [], cap = "butt"] of layers) {
    pen.lineCap = cap;
    pen.setLineDash(dash.map((d) => d * k));
    pen.strokeStyle = colour;
    pen.lineWidth = width * k;
    pen.stroke(path);
  }
  pen.setLineDash([]);
}

function line(a, b) {
  const path = new Path2D();
  path.moveTo(...a);
  path.lineTo(...b);
  return path;
}

const CASING = "rgba(255,255,255,.9)";

/** Ticks from the line to the lower side; to both sides in turn where that is not known. */
function ticks(colour, gap, reach) {
  return (pen, a, b, k, low) => {
    const [side, length] = across(a, b);
    const path = line(a, b);
    const count = Math.max(2, Math.round(length / (gap * k)));
    for (let n = 0; n < count; n++) {
      const [x, y] = at(a, b, (n + 0.5) / count);
      const way = low ?? side.map((v) => (n % 2 ? v : -v));
      path.moveTo(x, y);
      path.lineTo(x + way[0] * reach * k, y + way[1] * reach * k);
    }
    strokes(pen, path, k, [[CASING, 4.4, [], "round"], [colour, 2.2]]);
  };
}

function cliff(pen, a, b, k, low) {
  const [side, length] = across(a, b);
  const way = low ?? side;
  const path = line(a, b);
  const teeth = new Path2D();
  const count = Math.max(2, Math.round(length / (9 * k)));
  for (let n = 0; n < count; n++) {
    const tip = at(a, b, (n + 0.5) / count);
    teeth.moveTo(...at(a, b, n / count));
    teeth.lineTo(tip[0] + way[0] * 8 * k, tip[1] + way[1] * 8 * k);
    teeth.lineTo(...at(a, b, (n + 1) / count));
    teeth.closePath();
  }
  path.addPath(teeth);
  strokes(pen, path, k, [[CASING, 4.4, [], "round"], [INK.black, 2]]);
  pen.fillStyle = INK.black;
  pen.fill(teeth);
}

function stream(pen, a, b, k) {
  const [side, length] = across(a, b);
  const waves = Math.max(1, Math.round(length / (15 * k)));
  const path = new Path2D();
  path.moveTo(...a);
  for (let n = 1; n <= 12 * waves; n++) {
    const [x, y] = at(a, b, n / (12 * waves));
    const swing = 3.4 * k * Math.sin((2 * Math.PI * n) / 12);
    path.lineTo(x + side[0] * swing, y + side[1] * swing);
  }
  strokes(pen, path, k, [[CASING, 5.4, [], "round"], [INK.blue, 3]]);
}

/** Battlements on both sides in turn. */
function rampart(pen, a, b, k) {
  const [side, length] = across(a, b);
  const count = 2 * Math.max(1, Math.round(length / (13 * k)));
  const path = new Path2D();
  path.moveTo(...a);
  for (let n = 0; n < count; n++) {
    const way = (n % 2 ? -3.2 : 3.2) * k;
    for (const t of [n / count, (n + 1) / count]) {
      const [x, y] = at(a, b, t);
      path.lineTo(x + side[0] * way, y + side[1] * way);
    }
  }
  path.lineTo(...b);
  strokes(pen, path, k, [[CASING, 5, [], "round"], ["#9a4f7c", 2.6]]);
}

function fence(pen, a, b, k) {
  const [side, length] = across(a, b);
  const path = line(a, b);
  const count = Math.max(1, Math.round(length / (12 * k)));
  for (let n = 0; n < count; n++) {
    const [x, y] = at(a, b, (n + 0.5) / count);
    for (const way of [1, -1]) {
      const [ux, uy] = [(side[0] + way * side[1]) * 2.8 * k, (side[1] - way * side[0]) * 2.8 * k];
      path.moveTo(x - ux, y - uy);
      path.lineTo(x + ux, y + uy);
    }
  }
  strokes(pen, path, k, [[CASING, 3.6, [], "round"], [INK.black, 1.5]]);
}

const hedge = (pen, a, b, k) => strokes(pen, line(a, b), k, [[CASING, 8, [], "round"], ["#00513b", 7, [0.01, 7.5], "round"], [INK.green, 5, [0.01, 7.5], "round"]]);
const wall = (pen, a, b, k) => strokes(pen, line(a, b), k, [[CASING, 9], ["#2b2b2b", 7], [INK.orange, 3.6, [5.5, 1.6]]]);
const other = (pen, a, b, k) => strokes(pen, line(a, b), k, [[CASING, 6.5], [INK.purple, 4.5, [9, 2.5, 2.5, 2.5]]]);

/** How each kind is drawn; `colour` alone where hexes are small. */
export const SIDES = {
  wall: { words: "wall", colour: INK.orange, draw: wall },
  hedge: { words: "hedge, bocage", colour: INK.green, draw: hedge },
  fence: { words: "fence", colour: INK.black, draw: fence },
  stream: { words: "stream, river", colour: INK.blue, draw: stream },
  steep: { words: "steep slope, ticks to the lower side", colour: INK.vermilion, draw: ticks(INK.vermilion, 5.5, 9) },
  gentle: { words: "gentle slope, ticks to the lower side", colour: INK.sky, draw: ticks("#0b6f9f", 12, 6) },
  cliff: { words: "cliff, teeth to the lower side", colour: INK.black, draw: cliff },
  rampart: { words: "rampart, earthwork, dune, embankment", colour: "#9a4f7c", draw: rampart },
  other: { words: "anything else", colour: INK.purple, draw: other },
};

const SAID = [["hedge", /hedge|bocage/i], ["wall", /wall/i], ["rampart", /rampart|earthwork|dune|embankment/i]];

/** Kind of a hexside by what lies on it. */
export function sideKind(board, side) {
  const kind = board.terrains.find((t) => t.name === side.terrain)?.kind;
  if (kind === "slope") return /gentle/i.test(side.terrain) ? "gentle" : "steep";
  if (kind === "fence" || kind === "stream" || kind === "cliff") return kind;
  return SAID.find(([, words]) => words.test(side.terrain))?.[0] ?? "other";
}

/** Unit vector to the lower of both hexes, null where they are level. */
export function lowSide(board, side) {
  const [a, b] = [side.a, side.b].map((name) => board.hexes[board.index.get(name)]);
  if (!a || !b || a.level_half === b.level_half) return null;
  const [high, low] = a.level_half > b.level_half ? [a, b] : [b, a];
  const length = Math.hypot(low.x - high.x, low.y - high.y) || 1;
  return [(low.x - high.x) / length, (low.y - high.y) / length];
}
