// Correcting a hexside: a bar along all of it, a part, or none; a wall, hedge or cliff.

import { hexAt, sideAt, sideNamed, sideOf } from "./board.js";
import { $, announce, el, emit, on } from "./dom.js";
import { DIRECTIONS, toSegment } from "./geometry.js";
import { moveCursor, page } from "./page.js";
import { correct } from "./saver.js";
import { INK, mark } from "./symbols.js";

const NEAR = 12; // CSS px
let draft = null; // [from, to] while an end is dragged
let hovered = null; // hexside under the pointer

const chosen = () => (page.side ? sideNamed(page.board, page.side) : null);

/** What the bar covers: from the first to the last covered place, or all. */
function coverOf(side) {
  if (draft) return draft;
  return side.bar.length ? [side.bar[0][0], side.bar.at(-1)[1]] : [0, 1];
}

const along = (side, t) => side.ends[0].map((v, k) => v + (side.ends[1][k] - v) * t);

/** A click chooses the nearest hexside; a double click puts or removes the bar; its ends can be dragged. */
export const sideTool = {
  id: "side",
  click(x, y) {
    const found = sideAt(page.board, x, y);
    if (!found) return;
    const i = hexAt(page.board, x, y);
    if (i !== null) moveCursor(i, { quiet: true, reveal: false });
    chooseSide(found.side);
  },
  twice(x, y) {
    const found = sideAt(page.board, x, y);
    if (found && found.side.name === page.side) turn();
  },
  enter() { if (page.side) turn(); else announce("Choose a hexside with the keys 1 to 6."); },
  key(event) {
    if (event.key.toUpperCase() !== "B" || event.ctrlKey || event.metaKey || !page.side) return false;
    turn();
    return true;
  },
  moved(x, y) {
    const found = x === null ? null : sideAt(page.board, x, y)?.side ?? null;
    if (found?.name === hovered?.name) return;
    hovered = found;
    emit("draft");
    emit("hover");
  },
  /** What lies under the pointer, in words. */
  here() {
    // Asked anew: what was under the pointer may have been corrected since.
    const side = hovered && page.hover !== null ? sideNamed(page.board, hovered.name) : null;
    return side ? `${side.name}. ${side.words}` : null;
  },
  over: (x, y) => grip(x, y) !== null,
  grab: (x, y) => grip(x, y),
  pull(end, [x, y]) {
    const side = chosen();
    const cover = coverOf(side).slice();
    cover[end] = Math.round(toSegment(x, y, ...side.ends)[1] * 50) / 50;
    draft = cover;
    emit("draft");
  },
  drop(end, how) {
    const cover = draft && [Math.min(...draft), Math.max(...draft)];
    draft = null;
    emit("draft");
    if (how === "done" && cover) part(...cover);
  },
  draw(pen) {
    const side = chosen();
    if (hovered && hovered.name !== side?.name) {
      pen.strokeStyle = "rgba(86,180,233,.6)";
      pen.lineWidth = 9;
      pen.lineCap = "round";
      pen.beginPath();
      for (const p of hovered.ends) pen.lineTo(...page.camera.toScreen(...p));
      pen.stroke();
    }
    if (!side) return;
    const cover = coverOf(side);
    const at = cover.map((t) => page.camera.toScreen(...along(side, t)));
    if (draft) {
      pen.strokeStyle = INK.black;
      pen.lineWidth = 6;
      pen.beginPath();
      pen.moveTo(...at[0]);
      pen.lineTo(...at[1]);
      pen.stroke();
    }
    for (const [x, y] of at) mark(pen, "square", x, y, 6.5, side.bar.length || draft ? INK.yellow : "#fff");
  },
  leave() { page.side = hovered = null; emit("select"); },
};

function grip(x, y) {
  const side = chosen();
  if (!side) return null;
  const reach = NEAR / page.camera.scale;
  let best = null;
  coverOf(side).forEach((t, end) => {
    const [ex, ey] = along(side, t);
    const away = Math.hypot(ex - x, ey - y);
    if (away <= reach && (!best || away < best.away)) best = { away, end };
  });
  return best?.end ?? null;
}

/** Choose a hexside and say what is on it. */
export function chooseSide(side) {
  page.side = side.name;
  announce(`Hexside ${side.name}. ${side.words}`);
  emit("select");
}

/** Choose a hexside of the cursor's hex, 0 to 5 clockwise from the top as seen. */
export function chooseDirection(place) {
  const { layout } = page.board;
  const turn = ([X, Y]) => {
    const x = (X / 3) * layout.col_px[0] + (Y / 2) * layout.row_px[0], y = (X / 3) * layout.col_px[1] + (Y / 2) * layout.row_px[1];
    // A little before the top, so that a side that faces it is the first.
    return (Math.atan2(x, -y) + 2 * Math.PI + 0.2) % (2 * Math.PI);
  };
  const order = [0, 1, 2, 3, 4, 5].sort((a, b) => turn(DIRECTIONS[a]) - turn(DIRECTIONS[b]));
  const direction = order[place];
  const side = sideOf(page.board, page.cursor, direction);
  if (side) chooseSide(side);
  else announce("The map ends there.");
}

function post(change) {
  return correct({ kind: "hexside", hexside: page.side, ...change }, page.side);
}

function turn() {
  post({ bar: chosen().bar.length ? "none" : "full" });
}

function part(from, to) {
  if (to - from < 0.04) return post({ bar: "none" });
  if (from <= 0.02 && to >= 0.98) return post({ bar: "full" });
  return post({ bar: [from, to] });
}

/** Build the part of the panel. */
export function sidePart() {
  const choice = (value, words) => el("label", { class: "choice" },
    el("input", { type: "radio", name: "bar", value, onchange: () => choose(value) }), words);
  const percent = (id, label) => el("label", {}, label, " ",
    el("input", { id, type: "number", min: "0", max: "100", step: "2", class: "narrow", onchange: typed }), " %");
  const part = el("div", { id: "part-side" },
    el("h3", { id: "side-name", class: "name" }),
    el("p", { id: "side-words" }),
    el("div", { id: "side-form" }, el("fieldset", { id: "side-bar" }, el("legend", {}, "Black bar"),
      choice("", "as found"), choice("full", "along all of it"), choice("none", "none"), choice("part", "a part"),
      el("div", { class: "row", id: "side-part" }, percent("side-from", "from"), percent("side-to", "to"))),
    el("div", { class: "row field" }, el("label", { for: "side-terrain" }, "On the hexside"),
      el("select", { id: "side-terrain", onchange: (e) => post({ terrain: e.target.value || null }) })),
    el("div", { class: "row" },
      el("button", { type: "button", id: "side-clear", onclick: () => correct({ kind: "clear", hexside: page.side }, "clear") }, "As found again"))));
  on("select board tool", show);
  return part;
}

function choose(value) {
  if (value === "part") {
    const [from, to] = coverOf(chosen());
    return part(from, to > 0.98 && from < 0.02 ? 0.5 : to);
  }
  return post({ bar: value || null });
}

function typed() {
  const ends = ["side-from", "side-to"].map((id) => Math.max(0, Math.min(100, Number($(id).value))) / 100);
  if (ends[0] >= ends[1]) return announce("The second number must be the larger one.");
  return part(...ends);
}

function show() {
  const side = chosen();
  $("side-name").textContent = side ? side.name : "No hexside chosen";
  $("side-words").textContent = side ? side.words : "Click one on the map, or press 1 to 6 on a hex. Double click puts a bar or takes it away; drag its ends to shorten it.";
  $("side-form").hidden = !side;
  if (!side) return;
  const said = side.override ?? {};
  const bar = said.bar === undefined || said.bar === null ? "" : Array.isArray(said.bar) ? "part" : said.bar;
  for (const radio of document.querySelectorAll('#side-bar input[name="bar"]')) radio.checked = radio.value === bar;
  const [from, to] = side.bar.length ? coverOf(side) : [0, 0];
  $("side-from").value = Math.round(100 * from);
  $("side-to").value = Math.round(100 * to);
  const menu = $("side-terrain");
  const names = page.board.hexside_terrains ?? [];
  menu.replaceChildren(el("option", { value: "" }, said.terrain ? "as found" : `as found: ${side.terrain || "nothing"}`),
    el("option", { value: "none" }, "nothing"), ...names.map((name) => el("option", { value: name }, name)));
  menu.value = said.terrain ?? "";
  $("side-clear").disabled = !side.override;
}
