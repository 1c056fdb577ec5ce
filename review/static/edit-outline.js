// Correcting a building's outline: drag, insert and remove its vertices, or draw a new one.

import { buildingAt, hexAt } from "./board.js";
import { $, announce, el, emit, on } from "./dom.js";
import { inRings, simplified } from "./geometry.js";
import { moveCursor, page } from "./page.js";
import { correct } from "./saver.js";
import { mark } from "./symbols.js";

const NEAR = 11; // CSS px
const edit = { ring: null, holes: [], vertex: -1, drawing: null, material: "stone" };

/** Handles on the chosen building; a click on the map chooses one. */
export const outlineTool = {
  id: "outline",
  click(x, y, { grip, alt }) {
    if (edit.drawing) return addPoint([x, y]);
    if (typeof grip === "number") {
      edit.vertex = grip;
      if (alt) removeVertex();
      else sayVertex();
      return emit("draft");
    }
    const i = hexAt(page.board, x, y);
    if (i !== null) moveCursor(i, { quiet: true, reveal: false });
    chooseBuilding(buildingAt(page.board, x, y));
  },
  twice() { if (edit.drawing) finish(); },
  enter(i) {
    if (edit.drawing) return edit.drawing.length > 2 ? finish() : announce("An outline needs three vertices.");
    const h = page.board.hexes[i];
    chooseBuilding(page.board.buildingById.get(h.building) ?? null);
  },
  /** What lies under the pointer, in words. */
  here() {
    const b = page.hoverAt && buildingAt(page.board, ...page.hoverAt);
    return b ? b.words : null;
  },
  over: (x, y) => !edit.drawing && handleAt(x, y) !== null,
  grab(x, y) {
    if (edit.drawing || !edit.ring) return null;
    const found = handleAt(x, y);
    if (!found) return null;
    if (found.insert) { edit.ring.splice(found.vertex, 0, [x, y]); edit.fresh = true; }
    edit.vertex = found.vertex;
    return found.vertex;
  },
  pull(vertex, [x, y]) { edit.ring[vertex] = [x, y]; edit.fresh = false; emit("draft"); },
  drop(vertex, how) {
    if (how === "done") return post();
    if (edit.fresh) edit.ring.splice(vertex, 1);
    edit.fresh = false;
    if (how === "cancel") load();
    emit("draft");
  },
  key(event) {
    const { key } = event;
    if (key === "Escape" && (edit.drawing || edit.vertex >= 0)) {
      edit.drawing = null;
      edit.vertex = -1;
      announce("Left.");
      emit("draft");
      return true;
    }
    if (edit.drawing) {
      if (key === "Backspace") { edit.drawing.pop(); emit("draft"); return true; }
      if (key === " ") { const h = page.board.hexes[page.cursor]; addPoint([h.x, h.y]); return true; }
      return false;
    }
    if (!edit.ring) return false;
    if (key === "[" || key === "]") {
      const n = edit.ring.length;
      edit.vertex = (edit.vertex + (key === "]" ? 1 : n - 1) + (edit.vertex < 0 && key === "[" ? 1 : 0)) % n;
      page.camera.reveal(...edit.ring[edit.vertex]);
      sayVertex();
      emit("draft");
      return true;
    }
    if (edit.vertex < 0) return false;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (step) {
      const far = event.shiftKey ? 10 : 1;
      edit.ring[edit.vertex] = edit.ring[edit.vertex].map((v, k) => v + far * step[k]);
      emit("draft");
      clearTimeout(edit.timer);
      edit.timer = setTimeout(post, 500); // one correction for a row of key strokes
      return true;
    }
    if (key === "Delete" || key === "Backspace") { removeVertex(); return true; }
    if (key === "Insert" || key === "i") {
      const a = edit.ring[edit.vertex], b = edit.ring[(edit.vertex + 1) % edit.ring.length];
      edit.ring.splice(edit.vertex + 1, 0, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
      edit.vertex++;
      sayVertex();
      emit("draft");
      return true;
    }
    return false;
  },
  draw,
  leave() { edit.drawing = null; chooseBuilding(null, true); },
};

function handleAt(x, y) {
  if (!edit.ring) return null;
  const reach = NEAR / page.camera.scale;
  let best = null;
  edit.ring.forEach(([vx, vy], vertex) => {
    const away = Math.hypot(vx - x, vy - y);
    if (away <= reach && (!best || away < best.away)) best = { away, vertex };
  });
  if (best) return best;
  edit.ring.forEach((a, k) => {
    const b = edit.ring[(k + 1) % edit.ring.length];
    const mx = (a[0] + b[0]) / 2, my = (a[1] + b[1]) / 2;
    const away = Math.hypot(mx - x, my - y);
    const long = Math.hypot(a[0] - b[0], a[1] - b[1]) * page.camera.scale > 4 * NEAR;
    if (long && away <= reach && (!best || away < best.away)) best = { away, vertex: k + 1, insert: true };
  });
  return best;
}

function sayVertex() {
  const [x, y] = edit.ring[edit.vertex];
  announce(`Vertex ${edit.vertex + 1} of ${edit.ring.length}, at ${Math.round(x)}, ${Math.round(y)}. Arrows move it, Delete removes it, Insert adds one.`);
}

function load() {
  const b = page.building === null ? null : page.board.buildingById.get(page.building);
  const slack = b?.override ? 0.8 : Math.max(0.8, 0.04 * page.board.lattice.hexHeight);
  edit.ring = b ? simplified(b.rings[0], slack).map((p) => p.slice()) : null;
  edit.holes = b ? b.rings.slice(1) : [];
  edit.vertex = -1;
}

/** Choose a building (null for none). */
export function chooseBuilding(b, quiet = false) {
  page.building = b?.id ?? null;
  load();
  if (!quiet) announce(b ? `${b.words} ${edit.ring.length} vertices; ] goes to the next one.` : "No building there.");
  emit("select");
}

function removeVertex() {
  if (edit.ring.length < 4) return announce("An outline needs three vertices.");
  edit.ring.splice(edit.vertex, 1);
  edit.vertex = -1;
  emit("draft");
  return post();
}

const rounded = (ring) => ring.map(([x, y]) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10]);

async function post() {
  clearTimeout(edit.timer);
  // The anchor lies in the building as it is now, also when numbers change by other corrections.
  const sent = { kind: "outline", building: page.building, outline: rounded(edit.ring) };
  if (edit.holes.length) sent.holes = edit.holes.map((ring) => rounded(simplified(ring, 0.5)));
  const inside = edit.ring.reduce((s, p) => [s[0] + p[0] / edit.ring.length, s[1] + p[1] / edit.ring.length], [0, 0]);
  const vertex = edit.vertex;
  const saved = await correct(sent, "outline");
  const found = page.board.buildings.find((b) => inRings(...inside, b.rings));
  if (saved && found && found.id !== page.building) page.building = found.id;
  load();
  edit.vertex = edit.ring && vertex < edit.ring.length ? vertex : -1;
  emit("select");
}

function addPoint(p) {
  edit.drawing.push(p);
  announce(`Vertex ${edit.drawing.length}. Enter ends the outline.`);
  emit("draft");
}

async function finish() {
  const ring = edit.drawing;
  // A double click has set its place twice.
  while (ring.length > 3 && Math.hypot(ring.at(-1)[0] - ring.at(-2)[0], ring.at(-1)[1] - ring.at(-2)[1]) < 3) ring.pop();
  edit.drawing = null;
  emit("draft");
  if (ring.length < 3) return;
  let inside = ring.reduce((s, p) => [s[0] + p[0] / ring.length, s[1] + p[1] / ring.length], [0, 0]);
  if (!inRings(...inside, [ring])) inside = ring[0];
  const at = inside.map((v) => Math.round(v));
  await correct({ kind: "outline", at, outline: rounded(ring), material: edit.material }, "new building");
  chooseBuilding(buildingAt(page.board, ...at));
}

function draw(pen) {
  const ring = edit.drawing ?? edit.ring;
  if (!ring) return;
  const at = ring.map((p) => page.camera.toScreen(...p));
  pen.beginPath();
  at.forEach((p, k) => pen[k ? "lineTo" : "moveTo"](...p));
  if (!edit.drawing) pen.closePath();
  for (const [colour, width] of [["#fff", 4], ["#0b5fa5", 2]]) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.stroke();
  }
  at.forEach((a, k) => {
    const b = at[(k + 1) % at.length];
    if (!edit.drawing && Math.hypot(a[0] - b[0], a[1] - b[1]) > 4 * NEAR) {
      pen.globalAlpha = 0.75;
      mark(pen, "disc", (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 3, "#fff");
      pen.globalAlpha = 1;
    }
  });
  at.forEach((p, k) => mark(pen, "square", ...p, k === edit.vertex ? 7 : 5, k === edit.vertex ? "#f0e442" : "#fff"));
}

/** Build the part of the panel. */
export function outlinePart() {
  const part = el("div", { id: "part-outline" },
    el("h3", { id: "outline-name", class: "name" }),
    el("p", { id: "outline-words" }),
    el("p", { class: "fine" }, "Drag a square to move it, a dot to insert one; Alt-click or Delete removes. Keys: ", el("kbd", {}, "]"), " next vertex, arrows move it (Shift: 10 px)."),
    el("div", { class: "row field" }, el("label", { for: "outline-material" }, "Material"),
      el("select", { id: "outline-material", onchange: (e) => { edit.material = e.target.value; } },
        el("option", { value: "stone" }, "stone"), el("option", { value: "wood" }, "wooden"))),
    el("div", { class: "row" },
      el("button", { type: "button", id: "outline-new", onclick: begin }, "Draw a new building"),
      el("button", { type: "button", id: "outline-clear", onclick: clear }, "As found again")));
  on("select board tool draft", show);
  on("board", () => { if (page.building !== null && !page.board.buildingById.has(page.building)) chooseBuilding(null, true); else if (page.tool === outlineTool) load(); });
  return part;
}

function begin() {
  chooseBuilding(null, true);
  edit.drawing = [];
  $("map").focus();
  announce("Click the vertices one after another; Enter or a double click ends, Escape leaves.");
  emit("draft");
}

function clear() {
  const b = page.board.buildingById.get(page.building);
  const found = b.rings[0][0];
  return correct({ kind: "clear", building: b.hexes[0] ?? found }, "clear");
}

function show() {
  const b = page.building === null ? null : page.board.buildingById.get(page.building);
  $("outline-name").textContent = edit.drawing ? "New building" : b ? `Building ${b.id}` : "No building chosen";
  $("outline-words").textContent = edit.drawing
    ? `${edit.drawing.length} vertices. Enter or a double click ends the outline, Backspace takes the last away, Escape leaves.`
    : b ? `${b.words} ${edit.ring?.length ?? 0} vertices.` : "Click a building on the map, or press Enter on its hex.";
  $("outline-clear").disabled = !b?.override;
  $("outline-new").disabled = Boolean(edit.drawing);
}
