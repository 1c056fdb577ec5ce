// What is seen from a hex: asked for as the pointer moves (the latest wish wins), shown on the map.

import { hexOfLocation, locationsOf, pointOf } from "./board.js";
import { $, announce, emit } from "./dom.js";
import { asked, page } from "./page.js";
import { hatch, INK } from "./symbols.js";

const FAR = 63, BLOCKED = 64;
const HALVED = ["½", "¼", "⅛", "1⁄16"]; // values 59 … 62
const isHalf = (v) => v > 58 && v < FAR;
const stateOf = (v) => (v >= BLOCKED ? "blocked" : isHalf(v) ? "half" : v === FAR ? "far" : v ? "hindered" : "clear");

const view = {
  held: false, // the key is down
  fixed: null, // name of a Location that stays shown
  level: "", // level to look from, in words; "" is the lowest
  running: null, // AbortController
  wish: null,
  shown: null, // { from, hex, best: [value of each hex], counts }
};

/** Location from which a hex looks, at the level that is chosen where it has one. */
function viewerOf(i) {
  const own = locationsOf(page.board, i);
  return (own.find(([, , words]) => words === view.level) ?? own.find(([, , words]) => words === "ground") ?? own[0])?.[1] ?? null;
}

function wanted() {
  if (view.held) return viewerOf(asked());
  return view.fixed;
}

/** Ask for what is wanted now, unless it is shown; while one question runs the newest waits. */
function update() {
  const from = wanted();
  if (from === null) {
    view.wish = null;
    view.running?.abort();
    if (view.shown) { view.shown = null; emit("seen", null); }
    return;
  }
  const underWay = view.running && !view.running.signal.aborted ? view.running.from : null;
  if (view.shown?.from === from || underWay === from) { view.wish = null; return; }
  view.wish = from;
  if (!view.running) ask();
}

async function ask() {
  const from = view.wish;
  view.wish = null;
  const stop = new AbortController();
  stop.from = from;
  view.running = stop;
  try {
    const told = await page.source.viewshed(from, stop.signal, page.observer ? { observer: page.observer } : {});
    if (!stop.signal.aborted && wanted() !== null) show(from, told.values);
  } catch (error) {
    if (error.name !== "AbortError") emit("trouble", error);
  }
  view.running = null;
  if (view.wish) ask();
}

const rank = (v) => (v < FAR ? v : v === FAR ? 900 : 1000);

function show(from, values) {
  const { board } = page;
  const best = board.hexes.map(({ locations: [first, count] }) => {
    let found = null;
    for (let k = first; k < first + count; k++) if (found === null || rank(values[k]) < rank(found)) found = values[k];
    return found;
  });
  const counts = { clear: 0, hindered: 0, half: 0, blocked: 0 };
  const hex = hexOfLocation(board, from);
  best.forEach((v, i) => {
    if (v === null || i === hex || v === FAR) return;
    counts[stateOf(v)]++;
  });
  view.shown = { from, hex, best, counts };
  emit("seen", view.shown);
}

// What is seen, painted once for the window and some way around it; a frame copies it.
const AROUND = 0.4; // of the window, on each side
const SETTLE_MS = 110;
let cover = null, settle = null;

/** Fills over the map: clear light, hindered orange with its number, blocked dark and hatched. */
export function drawSeen(pen) {
  const { shown } = view;
  if (!shown) { cover = null; return; }
  const { camera } = page;
  const dpr = pen.getTransform().a;
  const [x0, y0, x1, y1] = camera.seen();
  const fits = cover && cover.shown === shown && cover.dpr === dpr;
  const reaches = fits && x0 >= cover.box[0] && y0 >= cover.box[1] && x1 <= cover.box[2] && y1 <= cover.box[3];
  if (fits && cover.scale !== camera.scale) {
    // While the scale changes what there is is stretched.
    clearTimeout(settle);
    settle = setTimeout(() => { cover = null; emit("draft"); }, SETTLE_MS);
  } else if (!reaches) paintCover(dpr, [x0, y0, x1, y1]);
  const k = camera.scale / cover.scale;
  pen.drawImage(cover.canvas, (cover.box[0] - x0) * camera.scale, (cover.box[1] - y0) * camera.scale,
    (cover.canvas.width / dpr) * k, (cover.canvas.height / dpr) * k);
}

function paintCover(dpr, [x0, y0, x1, y1]) {
  const { camera, board } = page;
  const mx = AROUND * (x1 - x0), my = AROUND * (y1 - y0);
  const box = [x0 - mx, y0 - my, x1 + mx, y1 + my];
  const canvas = cover?.canvas ?? document.createElement("canvas");
  canvas.width = Math.round((box[2] - box[0]) * camera.scale * dpr);
  canvas.height = Math.round((box[3] - box[1]) * camera.scale * dpr);
  cover = { canvas, box, dpr, scale: camera.scale, shown: view.shown };
  const pen = canvas.getContext("2d");
  pen.setTransform(dpr, 0, 0, dpr, 0, 0);
  paint(pen, board, view.shown, box, camera.scale);
}

function paint(pen, board, shown, [x0, y0, x1, y1], k) {
  const corners = board.lattice.corners, reach = board.lattice.reach;
  const fills = { clear: new Path2D(), hindered: new Path2D(), half: new Path2D(), blocked: new Path2D(), far: new Path2D() };
  const numbers = [];
  const place = (h) => [(h.x + 0.5 - x0) * k, (h.y + 0.5 - y0) * k];
  board.hexes.forEach((h, i) => {
    const v = shown.best[i];
    if (v === null || i === shown.hex || h.x < x0 - reach || h.x > x1 + reach || h.y < y0 - reach || h.y > y1 + reach) return;
    const path = fills[stateOf(v)];
    const [x, y] = place(h);
    corners.forEach(([dx, dy], c) => (c ? path.lineTo(x + dx * k, y + dy * k) : path.moveTo(x + dx * k, y + dy * k)));
    path.closePath();
    if (v > 0 && v < FAR) numbers.push([isHalf(v) ? HALVED[v - 59] : v, x, y]);
  });
  pen.fillStyle = "rgba(86,180,233,.28)";
  pen.fill(fills.clear);
  pen.fillStyle = "rgba(230,159,0,.5)";
  pen.fill(fills.hindered);
  pen.fillStyle = hatch(pen, "rgba(255,255,255,.35)", 12, 2, true, "rgba(204,121,167,.55)");
  pen.fill(fills.half);
  pen.fillStyle = hatch(pen, "rgba(255,255,255,.16)", 10, 1.5, false, "rgba(12,14,20,.62)");
  pen.fill(fills.blocked);
  pen.fillStyle = hatch(pen, "rgba(90,96,104,.7)", 8, 2, true);
  pen.fill(fills.far);
  if (board.lattice.hexHeight * k > 20) {
    pen.font = `700 ${Math.min(16, board.lattice.hexHeight * k * 0.3)}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineWidth = 3;
    pen.strokeStyle = "rgba(255,255,255,.85)";
    pen.fillStyle = "#10151a";
    for (const [v, x, y] of numbers) { pen.strokeText(v, x, y); pen.fillText(v, x, y); }
  }
  const [x, y] = place(board.hexes[shown.hex]);
  pen.beginPath();
  pen.arc(x, y, Math.max(6, board.lattice.hexHeight * k * 0.16), 0, 7);
  pen.fillStyle = "#fff";
  pen.fill();
  pen.lineWidth = 4;
  pen.strokeStyle = INK.blue;
  pen.stroke();
}

/** The key goes down or up. */
export function holdSeen(held) {
  if (view.held === held) return;
  view.held = held;
  update();
}

/** The hex that is asked about changed, or what is asked of it. */
export const followSeen = update;

/** Keep the view from a Location on the map (null takes it away). */
export function fixSeen(name) {
  view.fixed = name;
  view.shown = null;
  update();
}

/** What is kept on the map, or null. */
export const fixedSeen = () => view.fixed;

/** Level to look from, in words: of the key, and of what is kept on the map. */
export function seenLevel(words) {
  view.level = words;
  if (view.fixed !== null) view.fixed = viewerOf(hexOfLocation(page.board, view.fixed));
  update();
}

/** Take what is known to be old off, and ask again. */
export function renewSeen() {
  view.shown = null;
  view.running?.abort();
  if (view.fixed && !pointOf(page.board, view.fixed) && !page.board.locations.some(([, name]) => name === view.fixed)) view.fixed = null;
  update();
}

/** Panel that says how much is seen, and keeps a view without a key being held. */
export function seenWords(shown) {
  const { clear, hindered, half, blocked } = shown.counts;
  return `From ${shown.from}: ${clear} hexes clear, ${hindered} hindered, ${half ? `${half} at half strength or less, ` : ""}${blocked} blocked.`;
}

/** Say what a kept view shows. */
export function announceSeen(shown) {
  if (!shown) return;
  announce(seenWords(shown));
  const list = $("seen-list");
  if (!list) return;
  const name = (i) => page.board.hexes[i].name;
  const pick = (test) => shown.best.map((v, i) => (v !== null && i !== shown.hex && test(v) ? name(i) : null)).filter(Boolean);
  list.textContent = `Clear: ${pick((v) => v === 0).join(", ") || "none"}. Hindered: ${pick((v) => stateOf(v) === "hindered").join(", ") || "none"}.`
    + (shown.counts.half ? ` Half strength: ${pick(isHalf).join(", ")}.` : "");
}
