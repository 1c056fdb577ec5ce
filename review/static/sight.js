// Panel and tool "Line of sight": two clicks, levels, reasons in words.

import { hexOfLocation, locationsOf, pointOf } from "./board.js";
import { $, announce, el, on } from "./dom.js";
import { moveCursor, page, showPlace } from "./page.js";
import { amountOf, askSight, clearSight, groundOf, setEnd, sight, sightText, stateOf, swapEnds } from "./sightline.js";
import { announceSeen, fixedSeen, fixSeen, renewSeen, seenLevel, seenWords } from "./viewshed.js";

/** A click sets an end: the first one A, the next one B, and so on in turn. */
export const sightTool = {
  id: "sight",
  click(x, y, { shift }) {
    if (page.hover === null) return;
    moveCursor(page.hover, { quiet: true, reveal: false });
    const here = page.board.measured ? `${x.toFixed(1)},${y.toFixed(1)}` : null;
    pick(page.hover, shift ? "from" : null, here);
  },
  enter(i) { pick(i, null); },
};

/** Set an end to a hex, or to the very place in it for rules that measure. */
function pick(i, end, place = null) {
  const name = place ?? groundOf(i);
  if (!name) return announce(`${page.board.hexes[i].name} has no Location.`);
  const which = end ?? (!sight.from || sight.to ? "from" : "to");
  if (which === "from") sight.to = null;
  setEnd(which, name);
}

function endRow(end, letter, label) {
  return el("div", { class: "row end" },
    el("span", { class: `dot ${end}`, "aria-hidden": "true" }, letter),
    el("label", { for: `sight-${end}` }, label),
    el("input", {
      id: `sight-${end}`, list: "hex-names", autocomplete: "off", spellcheck: false, size: 7,
      onchange: (event) => type(end, event.target.value),
    }),
    el("label", { class: "unseen", for: `sight-${end}-level` }, `${label} level`),
    el("select", { id: `sight-${end}-level`, onchange: (event) => setEnd(end, event.target.value) }));
}

function type(end, text) {
  const i = page.board.byUpper.get(text.trim().toUpperCase());
  const point = pointOf(page.board, text);
  if (text.trim() && i === undefined && !point) {
    $("sight-trouble").textContent = `There is no hex ${text.trim()}.`;
    return;
  }
  setEnd(end, point ? text.trim() : i === undefined ? null : groundOf(i));
}

/** Build the panel. */
export function sightPanel() {
  const panel = el("section", {},
    el("p", { class: "lead" }, "Click two hexes. Hold ", el("kbd", {}, "V"), " to see what a hex sees."),
    endRow("from", "A", "From"),
    endRow("to", "B", "To"),
    el("div", { class: "row", id: "observer-row", hidden: true },
      el("label", { for: "observer" }, "Observer"),
      el("select", { id: "observer", onchange: (event) => { page.observer = event.target.value; askSight(); renewSeen(); } })),
    el("div", { class: "row" },
      el("button", { type: "button", id: "swap", onclick: swapEnds }, "Swap ends"),
      el("button", { type: "button", id: "copy", onclick: copy, disabled: true }, "Copy text"),
      el("button", { type: "button", id: "clear-sight", onclick: clearSight }, "Clear")),
    el("p", { id: "sight-trouble", class: "trouble", role: "alert" }),
    el("div", { id: "verdict", class: "verdict" }),
    el("ol", { id: "reasons", class: "reasons" }),
    el("div", { class: "card", id: "seen" },
      el("div", { class: "row" },
        el("button", { type: "button", id: "keep-seen", "aria-pressed": "false", onclick: keep }, "Show what is seen"),
        el("label", { class: "unseen", for: "seen-level" }, "Level to look from"),
        el("select", { id: "seen-level", onchange: (event) => seenLevel(event.target.value) })),
      el("p", { id: "seen-words" }),
      el("ul", { class: "key" },
        ...[["clear", "clear"], ["hindered", "hindered, with the number"], ["half", "half strength, halved again ¼"], ["blocked", "blocked"]].map(([state, words]) =>
          el("li", { class: `of-${state}` }, el("span", { class: `swatch ${state}`, "aria-hidden": "true" }, { hindered: "2", half: "½" }[state] ?? ""), words))),
      el("details", {}, el("summary", {}, "Hexes that are seen"), el("p", { id: "seen-list", class: "fine" }))));
  on("sight board", show);
  on("seen", (shown) => {
    $("seen-words").textContent = shown ? seenWords(shown) : "From A, or from the chosen hex; or hold V and move.";
    $("keep-seen").setAttribute("aria-pressed", String(fixedSeen() !== null));
    $("seen").classList.toggle("on", Boolean(shown));
    $("seen").classList.toggle("halves", Boolean(shown?.counts.half));
    if (shown && fixedSeen() !== null) announceSeen(shown);
  });
  return panel;
}

function keep() {
  fixSeen(fixedSeen() === null ? sight.from ?? groundOf(page.cursor) : null);
  if (fixedSeen() !== null && $("seen-level").value !== "ground") seenLevel($("seen-level").value);
  $("keep-seen").setAttribute("aria-pressed", String(fixedSeen() !== null));
}

async function copy() {
  const text = sightText(sight.answer);
  try {
    await navigator.clipboard.writeText(text);
    announce("Copied.");
    $("copy").textContent = "Copied";
    setTimeout(() => { $("copy").textContent = "Copy text"; }, 1500);
  } catch (error) {
    $("sight-trouble").textContent = `The browser does not let the page copy (${error.message}). Mark the text instead.`;
  }
}

function show() {
  const { board } = page;
  for (const end of ["from", "to"]) {
    const i = sight[end] ? hexOfLocation(board, sight[end]) : null;
    const input = $(`sight-${end}`), menu = $(`sight-${end}-level`);
    const point = sight[end] !== null && pointOf(board, sight[end]) !== null;
    if (document.activeElement !== input || i !== null) input.value = i === null ? "" : point ? sight[end] : board.hexes[i].name;
    menu.replaceChildren(...(i === null ? [] : [...(point ? [[-1, sight[end], "this place"]] : []), ...locationsOf(board, i)]).map(([, name, words]) =>
      el("option", { value: name, selected: name === sight[end] }, words)));
    menu.disabled = i === null;
  }
  $("observer-row").hidden = !(board.observers?.length > 1);
  if (board.observers && !$("observer").options.length) {
    $("observer").replaceChildren(...board.observers.map((o) => el("option", { value: o.name ?? o }, o.label ?? o)));
  }
  $("sight-trouble").textContent = sight.trouble;
  showLevels(board);
  const { answer } = sight;
  $("copy").disabled = !answer;
  $("swap").disabled = !(sight.from && sight.to);
  const verdict = $("verdict");
  verdict.className = answer ? `verdict ${answer.state}` : "verdict";
  if (!answer) {
    verdict.replaceChildren(el("p", { class: "fine" }, sight.from ? `A is ${sight.from}. Click the hex to look at.` : "No line yet."));
    $("reasons").replaceChildren();
    return;
  }
  const state = stateOf(answer);
  verdict.replaceChildren(
    el("p", { class: "state" }, el("span", { class: "sign", "aria-hidden": "true" }, state.mark),
      el("strong", {}, state.word[0].toUpperCase() + state.word.slice(1)),
      amountOf(answer)),
    el("p", {}, `${answer.from} to ${answer.to}, ${answer.notes?.distance_in === undefined ? `range ${answer.range}` : `${answer.notes.distance_in} inches`}` + (answer.tem === null || answer.tem === undefined ? "" : `, TEM ${answer.tem > 0 ? "+" : ""}${answer.tem}`)));
  if (Object.keys(answer.by_class ?? {}).length > 1) {
    const labels = new Map((board.observers ?? []).map((o) => [o.name, o.label]));
    verdict.append(el("ul", { class: "fine", id: "by-class", "aria-label": "Each class of observer" }, ...Object.entries(answer.by_class).map(([name, one]) =>
      el("li", {}, `${labels.get(name) ?? name}: ${stateOf(one).word}${amountOf(one)}`))));
  }
  $("reasons").replaceChildren(...answer.reasons.map((r, k) => reason(r, answer.lines[k])));
}

/** Levels that some hex has, to look from where the hex has it. */
function showLevels(board) {
  const menu = $("seen-level");
  if (menu.dataset.of === String(board.locations.length)) return;
  menu.dataset.of = String(board.locations.length);
  const before = menu.value;
  const names = [...new Set(board.locations.map(([, , words]) => words))];
  names.sort((a, b) => (b === "ground") - (a === "ground") || a.localeCompare(b, undefined, { numeric: true }));
  menu.replaceChildren(...names.map((words) => el("option", { value: words }, `from ${words}`)));
  if (names.includes(before)) menu.value = before;
  menu.hidden = names.length < 2;
}

function reason(r, line) {
  const where = r.hexside ?? r.hex ?? r.vertex;
  const words = line ?? `${where ? where + ": " : ""}${r.text} (${r.rule})`;
  const there = r.pixel && r.pixel[0] >= 0;
  return el("li", { class: r.hindrance ? "hinders" : "blocks" },
    el("span", {}, words),
    there ? el("button", { type: "button", class: "small", "aria-label": `Show ${where ?? "the place"}`, onclick: () => showPlace(...r.pixel) }, "Show") : null);
}
