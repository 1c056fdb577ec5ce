// Panel "Findings": worst first, Next jumps there, accept or mend, progress.

import { hexAt, placeOf, sideNamed } from "./board.js";
import { $, announce, el, emit, on } from "./dom.js";
import { nextSteps } from "./next.js";
import { page, showPlace } from "./page.js";
import { accept, correct } from "./saver.js";
import { INK, SEVERITY } from "./symbols.js";

const ROWS = 150;
const list = { at: null, open: true, known: false, most: ROWS, again: false };
let loading = null;

/** Clicks on the map choose the finding that lies there. */
export const findingTool = {
  id: "finding", showsCursor: true,
  click(x, y) {
    const reach = 22 / page.camera.scale;
    let best = null;
    for (const f of shown()) {
      if (f.x === null) continue;
      const away = Math.hypot(f.x - x, f.y - y);
      if (away < reach && (!best || away < best.away)) best = { away, f };
    }
    if (best) choose(best.f, { jump: false });
  },
  enter() { step(1); },
  draw(pen) {
    const f = chosen();
    if (!f) return;
    const at = f.x !== null ? [f.x, f.y] : placeOf(page.board, f.where);
    if (!at) return;
    const [x, y] = page.camera.toScreen(...at);
    for (const [colour, width] of [["#fff", 7], [INK.vermilion, 3.5]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.beginPath();
      pen.arc(x, y, 24, 0, 7);
      pen.stroke();
    }
  },
};

const chosen = () => page.findings.find((f) => f.id === list.at) ?? null;
const shown = () => page.findings.filter((f) => !list.open || f.state === "open" || f.id === list.at);

/** Ask for the findings; once more when something changed while the answer was under way. */
export function loadFindings() {
  list.again = loading !== null;
  loading ??= ask().finally(() => { loading = null; });
  return loading;
}

async function ask() {
  do {
    list.again = false;
    try {
      const told = await page.source.findings();
      page.findings = told.findings;
      page.progress = told.progress;
      list.known = true;
    } catch (error) {
      emit("trouble", error);
      return;
    }
    emit("findings");
    show();
  } while (list.again);
}

/** Build the panel. */
export function findingsPanel() {
  const panel = el("section", {},
    el("div", { class: "progress" }, el("progress", { id: "done", max: 1, value: 0, "aria-label": "Findings that are settled" }), el("p", { id: "done-words" })),
    el("div", { class: "row" },
      el("button", { type: "button", id: "previous", onclick: () => step(-1) }, "Previous"),
      el("button", { type: "button", id: "next", class: "strong", onclick: () => step(1) }, "Next"),
      el("label", { class: "choice end" }, el("input", { type: "checkbox", id: "only-open", checked: true, onchange: (e) => { list.open = e.target.checked; show(); } }), "only open")),
    el("div", { id: "finding", class: "card", hidden: true }),
    el("div", { id: "next-step", class: "card", hidden: true }, el("h3", {}, "Nothing is open. What comes next"), ...nextSteps()),
    el("ol", { id: "finding-list", class: "list", "aria-label": "Findings, worst first" }),
    el("button", { type: "button", id: "more-findings", hidden: true, onclick: () => { list.most += ROWS; show(); } }, "More"));
  on("stale", () => loadFindings());
  return panel;
}

/** Go to the next open finding, or the one before. */
export function step(way) {
  const open = shown();
  if (!open.length) return announce("No finding is left.");
  const k = open.findIndex((f) => f.id === list.at);
  choose(open[k < 0 ? (way > 0 ? 0 : open.length - 1) : (k + way + open.length) % open.length]);
}

function choose(f, { jump = true } = {}) {
  list.at = f.id;
  const at = f.x !== null ? [f.x, f.y] : placeOf(page.board, f.where);
  // What has no hex concerns the map: a corner of it would show nothing.
  if (jump && at && (f.where || hexAt(page.board, ...at) !== null)) showPlace(...at);
  else if (jump) page.camera.fit(true);
  const n = shown().indexOf(f);
  announce(`${SEVERITY[f.severity]?.word ?? f.severity} ${n + 1} of ${shown().length}${f.where ? ` at ${f.where}` : ""}. ${f.text}`);
  show();
  emit("select");
  document.querySelector("#finding-list [aria-current]")?.scrollIntoView({ block: "nearest" });
}

function show() {
  const { progress, board } = page;
  const all = progress?.all ?? progress?.total ?? page.findings.length;
  const open = progress?.open ?? page.findings.filter((f) => f.state === "open").length;
  $("done").max = Math.max(1, all);
  $("done").value = all ? all - open : 1;
  $("done-words").textContent = !list.known ? "Checking …"
    : all ? `${all - open} of ${all} settled: ${progress?.mended ?? 0} mended, ${progress?.accepted ?? 0} accepted, ${open} open` : "Nothing was found that needs a look.";
  $("next-step").hidden = !list.known || open > 0 || !page.board.can_save;
  const rows = shown();
  $("finding-list").replaceChildren(...rows.slice(0, list.most).map((f) => row(f)));
  $("more-findings").hidden = rows.length <= list.most;
  $("next").disabled = $("previous").disabled = !rows.length;
  const badge = document.querySelector("#tab-findings .badge");
  if (badge) { badge.textContent = open ? String(open) : ""; badge.hidden = !open; }
  card(chosen(), board);
}

function row(f) {
  const kind = SEVERITY[f.severity] ?? SEVERITY.note;
  return el("li", { class: f.state },
    el("button", { type: "button", class: "line", "aria-current": f.id === list.at ? "true" : null, onclick: () => choose(f) },
      el("span", { class: `sev ${kind.shape}`, "aria-hidden": "true" }),
      el("span", { class: "unseen" }, `${kind.word}: `),
      el("span", { class: "where" }, f.where || "map"),
      el("span", { class: "what" }, f.text),
      f.state === "open" ? null : el("span", { class: "tag" }, f.state)));
}

let pictured = null;

function card(f, board) {
  const box = $("finding");
  box.hidden = !f;
  if (!f) return;
  const kind = SEVERITY[f.severity] ?? SEVERITY.note;
  const can = page.source.canSave && board.can_save;
  const picture = pictured?.id === f.id ? pictured.canvas : el("canvas", { class: "crop", hidden: true, role: "img", "aria-label": `The place on the map, ${f.where}` });
  if (pictured?.id !== f.id) {
    pictured = { id: f.id, canvas: picture };
    crop(f, picture);
  }
  box.replaceChildren(...[
    picture,
    el("h3", {}, `${f.where || "The map"} `, el("span", { class: "tag" }, kind.word)),
    el("p", {}, f.text),
    el("p", { class: "fine" }, `${f.check}${f.confidence < 1 ? `, ${Math.round(100 * f.confidence)} % sure` : ""}`),
    can && f.state === "open" && f.edit ? el("p", { class: "settle" },
      f.takes_out ? "Would settle it: taking your correction out, " : "Would settle it: ", el("code", {}, f.takes_out || f.override)) : null,
    can ? el("div", { class: "row" },
      f.state === "open" && f.edit ? el("button", { type: "button", id: "mend", class: "strong", onclick: () => mend(f) }, "Mend it") : null,
      f.state === "open" ? el("button", { type: "button", id: "accept", onclick: () => settle(f) }, "It is right") : null,
      f.state === "accepted" ? el("button", { type: "button", id: "reopen", onclick: () => accept(f.id, false) }, "Open again") : null,
      f.where ? el("button", { type: "button", id: "by-hand", onclick: () => emit("by-hand", { where: f.where, side: sideNamed(board, f.where) }) }, "Correct by hand") : null) : null,
    can && f.state === "open" ? el("div", { class: "row field" }, el("label", { for: "why" }, "Why it is right"),
      el("input", { id: "why", maxLength: 200, placeholder: "optional", autocomplete: "off" })) : null,
  ].filter(Boolean));
}

async function crop(f, canvas) {
  try {
    const image = await page.source.crop(f.id);
    if (!image) return;
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext("2d").drawImage(image, 0, 0);
    canvas.hidden = false;
  } catch (error) {
    emit("trouble", error);
  }
}

/** The one after this, before this leaves the list. */
function after(f) {
  const rows = shown();
  return rows[rows.indexOf(f) + 1] ?? rows[0];
}

async function settle(f) {
  const next = after(f);
  if (await accept(f.id, true, $("why")?.value.trim() || undefined)) { await loadFindings(); go(next, f); }
}

async function mend(f) {
  const next = after(f);
  if (await correct(f.edit, `mend ${f.where}`)) { await loadFindings(); go(next, f); }
}

function go(next, f) {
  const still = page.findings.find((one) => one.id === next?.id && one.state === "open");
  if (still && next.id !== f.id) choose(still);
  else show();
}

