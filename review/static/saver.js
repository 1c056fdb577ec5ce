// Sends corrections one after another; keeps what could not be sent and tries again.

import { makeBoard, patched } from "./board.js";
import { $, announce, el, emit, on } from "./dom.js";
import { page } from "./page.js";

const PULSE_MS = 4000;
const WAITS_MS = [700, 1500, 3000, 6000, 10_000];

const queue = []; // { op: "edit"|"undo"|"redo"|"reload"|"accept", edit?, label, done }
let sending = false, tries = 0, timer = null;

const keep = () => `hexsight-unsent:${page.board.name}`;

function store() {
  const unsent = queue.filter((q) => q.op === "edit").map(({ op, edit, label }) => ({ op, edit, label }));
  try {
    if (unsent.length) localStorage.setItem(keep(), JSON.stringify(unsent));
    else localStorage.removeItem(keep());
  } catch (error) {
    status("trouble", `The browser keeps nothing for this page (${error.message}); do not close it while corrections wait.`);
  }
}

function status(kind, text) {
  const line = $("status");
  line.className = `status ${kind}`;
  if (line.textContent !== text) line.textContent = text;
}

/** A sentence across the page, with buttons [label, react]. */
export function notice(text, ...buttons) {
  const bar = $("notice");
  bar.hidden = !text;
  bar.replaceChildren(el("span", {}, text ?? ""), ...buttons.map(([label, react]) =>
    el("button", { type: "button", onclick: () => { notice(null); react(); } }, label)));
  if (text) bar.append(el("button", { type: "button", "aria-label": "Close this message", onclick: () => notice(null) }, "×"));
}

/** Save a correction; it is sent at once, in order. */
export function correct(edit, label) {
  return put({ op: "edit", edit, label });
}

/** Take the last correction back. */
export const undo = () => put({ op: "undo", label: "Undo" });

/** Make it again. */
export const redo = () => put({ op: "redo", label: "Redo" });

/** Accept a finding as right, or open it again. */
export const accept = (finding, accepted, reason) => put({ op: "accept", finding, accepted, reason, label: "Accept" });

function put(entry) {
  if (!page.source.canSave || !page.board.can_save) return Promise.resolve(false);
  return new Promise((done) => {
    queue.push({ ...entry, done });
    store();
    send();
  });
}

/** Corrections that an earlier load of the page could not send. */
export function resume() {
  let unsent = [];
  try {
    unsent = JSON.parse(localStorage.getItem(keep()) ?? "[]");
  } catch (error) {
    status("trouble", `What an earlier page kept cannot be read (${error.message}).`);
  }
  if (!unsent.length || !page.board.can_save) return;
  notice(`${unsent.length} correction${unsent.length > 1 ? "s" : ""} of an earlier page could not be saved then.`,
    ["Save now", () => { for (const one of unsent) correct(one.edit, one.label); }],
    ["Forget", () => { localStorage.removeItem(keep()); }]);
}

async function send() {
  if (sending || !queue.length) return;
  sending = true;
  clearTimeout(timer);
  const entry = queue[0];
  status("busy", entry.edit?.kind === "grid" ? "Reading the map on the new grid …" : "Saving …");
  try {
    const { source, board } = page;
    const answer =
      entry.op === "edit" ? await source.edit(entry.edit, board.version)
      : entry.op === "accept" ? await source.accept(entry.finding, entry.accepted, board.version, entry.reason)
      : await source[entry.op](board.version);
    await take(answer);
    queue.shift();
    tries = 0;
    entry.done(true);
    announce(answer.label ? `Saved: ${answer.label}.` : "Saved.");
  } catch (error) {
    if (error.kind === undefined) {
      // Not the server's: a fault of this page. What was sent stays in line.
      sending = false;
      throw error;
    }
    if (error.gone) {
      later(error);
    } else if (error.status === 403) {
      // Another start of the server: what waits is kept for the page that its address opens.
      notice(strange());
      store();
      sending = false;
      status("trouble", `Not saved: ${queue.length} correction${queue.length > 1 ? "s" : ""} kept`);
      return;
    } else {
      queue.shift();
      entry.done(false);
      refused(error, entry);
    }
  }
  store();
  sending = false;
  tell();
  if (queue.length && !timer) send();
}

function later(error) {
  const wait = WAITS_MS[Math.min(tries++, WAITS_MS.length - 1)];
  emit("trouble", error);
  clearTimeout(timer);
  timer = setTimeout(() => { timer = null; send(); }, wait);
}

const strange = () => "hexsight review was started again. Open the address that it printed last; corrections that wait are offered there.";

async function refused(error, entry) {
  const again = entry.op === "edit" ? [["Make it again", () => correct(entry.edit, entry.label)]] : [];
  if (error.status === 409) {
    await reload();
    if (await editorWasHere()) notice(error.message, ["Take the file as it is now", () => takeFile(entry)]);
    else notice(`${error.message} The page shows it as it is now.`, ...again);
  } else {
    notice(error.message, ...(error.status >= 500 ? again : []));
    emit("refused", entry);
  }
}

async function editorWasHere() {
  try {
    told = (await page.source.state()).changed_outside;
    return told;
  } catch (error) {
    emit("trouble", error);
    return false;
  }
}

/** hexsight.yaml as an editor left it; then the correction again, when the person wants it. */
async function takeFile(entry) {
  await put({ op: "reload", label: "Reload" });
  await reload();
  if (entry.op === "edit") notice("The file is taken as it is now.", ["Make the correction again", () => correct(entry.edit, entry.label)]);
}

/** The board anew, whatever it is now. */
export async function reload() {
  try {
    page.board = makeBoard(await page.source.board());
    page.tiles?.forget("map");
    for (const layer of ["terrain", "elevation", "confidence"]) page.tiles?.forget(layer);
    emit("board", { all: true });
    emit("stale");
    tell();
  } catch (error) {
    emit("trouble", error);
  }
}

async function take(answer) {
  if (answer.reload) return reload();
  if (answer.board) {
    page.board = patched(page.board, { ...answer.board, version: answer.version });
    if (answer.board.tiles) page.source.heard?.(answer.board.tiles);
    for (const [layer, box] of Object.entries(answer.dirty_px ?? {})) page.tiles.forget(layer, box);
  } else page.board.version = answer.version;
  for (const key of ["undo", "redo", "undo_label", "redo_label", "busy"]) if (key in answer) page.board[key] = answer[key];
  emit("board", { changed: answer.changed ?? [] });
  emit("stale");
}

/** What is saved, in the head of the page. */
export function tell() {
  const { board } = page;
  $("undo").disabled = !board.undo || queue.length > 0;
  $("redo").disabled = !board.redo || queue.length > 0;
  $("undo").title = board.undo ? `Take back: ${board.undo_label || "the last correction"} (Ctrl+Z)` : "Nothing to take back";
  $("redo").title = board.redo ? `Make again: ${board.redo_label || "the last correction"} (Ctrl+Y)` : "Nothing to make again";
  if (!page.source.canSave) return status("", "A copy to look at");
  if (!board.can_save) return status("", board.why_not || "Only to look at: there is no hexsight.yaml to save in");
  if (tries) {
    const n = queue.length;
    return status("trouble", n ? `Not saved: the server does not answer. ${n} correction${n > 1 ? "s" : ""} kept, trying again …` : "The server does not answer.");
  }
  if (queue.length) return status("busy", "Saving …");
  status("saved", board.undo ? `Saved in ${board.project ?? "hexsight.yaml"} (${board.undo} correction${board.undo > 1 ? "s" : ""} to undo)` : "Everything is saved");
}

let gone = false, told = false;

/** Whether another page, an editor or the server's end changed something meanwhile. */
async function pulse() {
  if (document.hidden || sending || queue.length || gone) return;
  const seen = page.board.version;
  try {
    const state = await page.source.state();
    if (sending || queue.length || page.board.version !== seen) return;
    if (state.version !== seen) await reload();
    if (state.changed_outside && !told) {
      notice(`${page.board.project ?? "hexsight.yaml"} was changed by an editor.`,
        ["Take the file as it is now", () => takeFile({ op: "reload" })]);
    }
    told = state.changed_outside;
  } catch (error) {
    emit("trouble", error);
  }
}

/** Say that the server is away, and when it is back. */
export function watchServer() {
  on("trouble", (error) => {
    if (!error.gone) return notice(error.message);
    if (gone) return;
    gone = true;
    if (!queue.length) status("trouble", "The server does not answer. Nothing saved is lost.");
    watch();
  });
  if (page.source.canSave) setInterval(pulse, PULSE_MS);
  addEventListener("beforeunload", (event) => { if (queue.length) event.preventDefault(); });
}

function watch() {
  setTimeout(async () => {
    try {
      await page.source.state();
      gone = false;
      tries = 0;
      announce("The server answers again.");
      page.tiles.retry();
      tell();
      send();
    } catch (error) {
      if (error.gone) watch();
      else { gone = false; notice(error.status === 403 ? strange() : error.message); }
    }
  }, 1500);
}
