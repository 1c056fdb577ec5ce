// Correcting the grid: nudge, stretch, turn it until it lies on the printed lines, then apply.

import { $, announce, el, emit, on } from "./dom.js";
import { CORNERS, latticeOf, toLattice } from "./geometry.js";
import { page } from "./page.js";
import { correct } from "./saver.js";
import { INK, mark } from "./symbols.js";

const WAYS = [["nudge", "Nudge"], ["stretch", "Stretch"], ["turn", "Turn"]];
const FIELDS = [
  ["dx", "Column spacing, px", "0.01"], ["dy", "Row spacing, px", "0.01"],
  ["x0", "First hex, x0", "0.1"], ["y0", "First hex, y0", "0.1"], ["rot_deg", "Turn, degrees", "0.01"],
];
const draft = { layout: null, way: "nudge", from: null, pin: null };

const fieldsOf = ({ origin_px: o, col_px: c, row_px: r, sideways }) => ({
  dx: Math.hypot(...c), dy: Math.hypot(...r),
  x0: sideways ? o[1] : o[0], y0: sideways ? o[0] : o[1],
  rot_deg: ((sideways ? Math.atan2(-c[0], c[1]) : Math.atan2(c[1], c[0])) * 180) / Math.PI,
});

/** Layout of a grid's numbers, as hexsight's Layout.from_grid. */
export function layoutOf({ dx, dy, x0, y0, rot_deg }, sideways) {
  const a = (rot_deg * Math.PI) / 180, s = Math.sin(a), c = Math.cos(a);
  return sideways
    ? { origin_px: [y0, x0], col_px: [-dx * s, dx * c], row_px: [dy * c, dy * s], sideways }
    : { origin_px: [x0, y0], col_px: [dx * c, dx * s], row_px: [-dy * s, dy * c], sideways };
}

/** Hex centre in the window that stays where it is while the grid is stretched or turned. */
function pinned() {
  const { board, camera } = page;
  const [x0, y0, x1, y1] = camera.seen();
  const mx = 0.14 * (x1 - x0), my = 0.14 * (y1 - y0);
  const inside = board.hexes.filter((h) => h.x > x0 + mx && h.x < x1 - mx && h.y > y0 + my && h.y < y1 - my);
  const list = inside.length ? inside : board.hexes;
  const first = list.reduce((a, h) => (h.x + h.y < a.x + a.y ? h : a));
  const last = list.reduce((a, h) => (h.x + h.y > a.x + a.y ? h : a));
  return { first, last };
}

const centre = (layout, h) => latticeOf(layout).place(...toLattice(h.col, h.row));

/** The layout after a linear map (a, b; c, d) about a place. */
function moved(layout, [px, py], [a, b, c, d]) {
  const turn = ([x, y]) => [a * x + b * y, c * x + d * y];
  const [ox, oy] = turn([layout.origin_px[0] - px, layout.origin_px[1] - py]);
  return { ...layout, origin_px: [ox + px, oy + py], col_px: turn(layout.col_px), row_px: turn(layout.row_px) };
}

function change(layout) {
  draft.layout = layout;
  emit("draft");
  show();
}

/** Change by steps or handles: nudge by px, stretch by factors, turn by degrees. */
function nudge(layout, dx, dy) {
  return { ...layout, origin_px: [layout.origin_px[0] + dx, layout.origin_px[1] + dy] };
}
const stretch = (layout, pin, fx, fy) => moved(layout, pin, [fx, 0, 0, fy]);
const turn = (layout, pin, degrees) => {
  const a = (degrees * Math.PI) / 180;
  return moved(layout, pin, [Math.cos(a), -Math.sin(a), Math.sin(a), Math.cos(a)]);
};

/** Dragging moves, stretches or turns the draft grid; so do the arrow keys. */
export const gridTool = {
  id: "grid",
  hides: (what) => what === "hover",
  take() { page.bare = true; reset(); emit("layers"); },
  leave() { page.bare = false; draft.layout = null; emit("layers"); },
  click() { announce("Drag the grid, or use the arrow keys."); },
  enter: apply,
  over: (x, y, at) => gripAt(at) !== null,
  grab(x, y, at) {
    const way = gripAt(at);
    if (!way) return null;
    const { first } = pinned();
    draft.from = { layout: draft.layout, at: [x, y], pin: centre(draft.layout, first) };
    return way;
  },
  pull(way, [x, y]) {
    const { layout, at, pin } = draft.from;
    if (way === "nudge") return change(nudge(layout, x - at[0], y - at[1]));
    const a = [at[0] - pin[0], at[1] - pin[1]], b = [x - pin[0], y - pin[1]];
    if (way === "turn") {
      const angle = ((Math.atan2(b[1], b[0]) - Math.atan2(a[1], a[0])) * 180) / Math.PI;
      return change(turn(layout, pin, angle));
    }
    const ratio = (k) => (Math.abs(a[k]) < 20 ? 1 : Math.max(0.5, Math.min(2, b[k] / a[k])));
    return change(stretch(layout, pin, ratio(0), ratio(1)));
  },
  drop() { draft.from = null; },
  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step || !draft.layout) return false;
    const k = event.shiftKey ? 5 : event.altKey ? 0.2 : 1;
    const { first } = pinned();
    const pin = centre(draft.layout, first);
    if (draft.way === "nudge") change(nudge(draft.layout, 0.5 * k * step[0], 0.5 * k * step[1]));
    else if (draft.way === "stretch") change(stretch(draft.layout, pin, 1 + 0.0005 * k * step[0], 1 + 0.0005 * k * step[1]));
    else change(turn(draft.layout, pin, 0.02 * k * (step[0] || step[1])));
    announce(FIELDS.map(([key]) => `${key} ${round(fieldsOf(draft.layout)[key])}`).join(", "));
    return true;
  },
  draw,
};

function handles() {
  const { first, last } = pinned();
  const a = page.camera.toScreen(...centre(draft.layout, first)), b = page.camera.toScreen(...centre(draft.layout, last));
  return { pin: a, grip: b };
}

function gripAt(at) {
  if (!draft.layout || !at) return null;
  const { pin, grip } = handles();
  const near = (p) => Math.hypot(p[0] - at[0], p[1] - at[1]) < 16;
  if (near(grip)) return draft.way;
  return near(pin) ? "nudge" : null;
}

function draw(pen) {
  if (!draft.layout) return;
  const { board, camera } = page;
  const lattice = latticeOf(draft.layout);
  const [x0, y0, x1, y1] = camera.seen();
  const path = new Path2D();
  for (const h of board.hexes) {
    const [X, Y] = toLattice(h.col, h.row);
    const [cx, cy] = lattice.place(X, Y);
    if (cx < x0 - 80 || cx > x1 + 80 || cy < y0 - 80 || cy > y1 + 80) continue;
    CORNERS.forEach(([dX, dY], k) => {
      const at = camera.toScreen(...lattice.place(X + dX, Y + dY));
      path[k ? "lineTo" : "moveTo"](...at);
    });
    path.closePath();
  }
  // Thin, so that the printed lines show beside them.
  pen.strokeStyle = "rgba(224,60,0,.95)";
  pen.lineWidth = 1.25;
  pen.stroke(path);
  const { pin, grip } = handles();
  mark(pen, "disc", ...pin, 8, INK.yellow);
  mark(pen, "square", ...grip, 9, INK.yellow);
}

function reset() {
  draft.layout = page.board.layout;
  emit("draft");
  show();
}

async function apply() {
  if (!draft.layout) return;
  const { sideways, ...said } = { ...fieldsOf(draft.layout) };
  const edit = Object.fromEntries(Object.entries(said).map(([key, v]) => [key, round(v)]));
  $("grid-apply").disabled = true;
  await correct({ kind: "grid", ...edit }, "grid");
  $("grid-apply").disabled = false;
  reset();
}

const round = (v) => Math.round(v * 10_000) / 10_000;

/** Build the part of the panel. */
export function gridPart() {
  const part = el("div", { id: "part-grid" },
    el("h3", { class: "name" }, "Grid"),
    el("p", { class: "fine" }, "The orange lines are the new grid. Drag the square, or press the arrow keys on the map, until they lie on the printed lines; the disc stays where it is and moves the whole grid when dragged."),
    el("fieldset", {}, el("legend", {}, "Arrow keys and the square"),
      ...WAYS.map(([way, words]) => el("label", { class: "choice" },
        el("input", { type: "radio", name: "grid-way", value: way, checked: way === draft.way, onchange: () => { draft.way = way; emit("draft"); } }), words))),
    ...FIELDS.map(([key, label, step]) => el("div", { class: "row field" }, el("label", { for: `grid-${key}` }, label),
      el("input", { id: `grid-${key}`, type: "number", step, class: "narrow wide", onchange: typed }))),
    el("div", { class: "row" },
      el("button", { type: "button", id: "grid-apply", class: "strong", onclick: apply }, "Apply"),
      el("button", { type: "button", id: "grid-reset", onclick: reset }, "As it was"),
      el("button", { type: "button", id: "grid-auto", onclick: () => correct({ kind: "grid", auto: true }, "grid").then(reset) }, "Find it again")),
    el("p", { class: "fine" }, "The map is read again on the new grid; that takes some seconds. Corrections stay."));
  on("board", () => { if (page.tool === gridTool) reset(); });
  return part;
}

function typed() {
  const said = Object.fromEntries(FIELDS.map(([key]) => [key, Number($(`grid-${key}`).value)]));
  if (!(said.dx > 2 && said.dy > 2)) return announce("The spacing must be more than 2 px.");
  change(layoutOf(said, page.board.layout.sideways));
}

function show() {
  if (!draft.layout) return;
  for (const [key, value] of Object.entries(fieldsOf(draft.layout))) {
    const field = $(`grid-${key}`);
    if (field && document.activeElement !== field) field.value = round(value);
  }
}
