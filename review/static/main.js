// Starts the page: source, board, stage, panels, and what leads from one to another.

import { makeBoard, tell as tellHex } from "./board.js";
import { makeCamera } from "./camera.js";
import { chooseTool, correctPanel, takeCorrecting, takeUp } from "./correct.js";
import { $, announce, el, emit, on } from "./dom.js";
import { featuresPanel } from "./features.js";
import { findingsPanel, findingTool, loadFindings, step } from "./findings.js";
import { listenKeys } from "./keys.js";
import { buildLayers } from "./layers.js";
import { makeTiles } from "./maptiles.js";
import { asked, page, showPlace, useTool } from "./page.js";
import { listenPointer } from "./pointer.js";
import { notice, redo, resume, tell, undo, watchServer } from "./saver.js";
import { sightPanel, sightTool } from "./sight.js";
import { askSight, sight } from "./sightline.js";
import { serverSource } from "./source-server.js";
import { staticSource } from "./source-static.js";
import { makeStage } from "./stage.js";
import { startTheme } from "./theme.js";
import { followSeen, renewSeen } from "./viewshed.js";

const PANELS = [
  { id: "sight", label: "Sight", make: sightPanel, take: () => useTool(sightTool) },
  { id: "correct", label: "Correct", make: correctPanel, take: takeCorrecting, saves: true },
  { id: "findings", label: "Findings", make: findingsPanel, take: () => useTool(findingTool) },
  { id: "list", label: "List", make: featuresPanel, take: () => useTool(sightTool) },
];
let panel = null;

function openPanel(id, focus = false) {
  for (const p of PANELS) {
    const tab = $(`tab-${p.id}`), box = $(`panel-${p.id}`);
    if (!tab) continue;
    const chosen = p.id === id;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    box.hidden = !chosen;
    if (chosen && focus) tab.focus();
  }
  if (panel !== id) {
    panel = id;
    PANELS.find((p) => p.id === id).take();
  }
  emit("shown", id);
}

function buildPanels(canSave) {
  const used = PANELS.filter((p) => canSave || !p.saves);
  $("tabs").replaceChildren(...used.map((p) => el("button", {
    type: "button", role: "tab", id: `tab-${p.id}`, "aria-controls": `panel-${p.id}`, onclick: () => openPanel(p.id),
  }, p.label, p.id === "findings" ? el("span", { class: "badge", hidden: true }) : null)));
  $("panels").replaceChildren(...used.map((p) => {
    const box = p.make();
    box.id = `panel-${p.id}`;
    box.setAttribute("role", "tabpanel");
    box.setAttribute("aria-labelledby", `tab-${p.id}`);
    box.hidden = true;
    return box;
  }));
  $("tabs").addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const k = used.findIndex((p) => p.id === panel);
    openPanel(used[(k + way + used.length) % used.length].id, true);
  });
}

function showHere() {
  const line = $("here");
  line.textContent = page.tool?.here?.() ?? tellHex(page.board, asked());
}

function goTo(event) {
  event.preventDefault();
  const field = $("goto-hex");
  const i = page.board.byUpper.get(field.value.trim().toUpperCase());
  if (i === undefined) {
    notice(`There is no hex ${field.value.trim() || "without a name"} on this map.`);
    return;
  }
  notice(null);
  const h = page.board.hexes[i];
  page.byKeyboard = true;
  showPlace(h.x, h.y);
  announce(tellHex(page.board, i));
  $("map").focus();
}

function newNames() {
  const { board } = page;
  $("hex-names").replaceChildren(...board.hexes.map((h) => el("option", { value: h.name })));
  $("title").textContent = board.name;
  document.title = `${board.name} · hexsight review`;
  $("map").setAttribute("aria-label", `Map of ${board.name}, ${board.hexes.length} hexes`);
}

async function start() {
  startTheme();
  page.source = document.getElementById("hexsight-board") ? await staticSource() : await serverSource();
  page.board = makeBoard(await page.source.board());
  const { board, source } = page;
  const saves = Boolean(source.canSave && board.can_save);
  document.body.classList.toggle("looking", !saves);
  page.camera = makeCamera(board.size_px);
  page.tiles = makeTiles(source, board.tiles, board.size_px);
  const middle = board.size_px.map((v) => v / 2);
  const away = (h) => Math.hypot(h.x - middle[0], h.y - middle[1]);
  page.cursor = board.hexes.reduce((best, h, i) => (away(h) < away(board.hexes[best]) ? i : best), 0);
  buildLayers();
  buildPanels(saves);
  newNames();
  const stage = makeStage();
  page.camera.fit();
  listenPointer();
  listenKeys({
    correctSide: () => { if (saves) { openPanel("correct"); chooseTool("side"); } },
    finding: (way) => { openPanel("findings"); step(way); },
  });
  on("hover cursor", () => { showHere(); followSeen(); });
  on("by-hand", ({ where, side }) => { openPanel("correct"); takeUp(where, side); });
  on("board", ({ all }) => {
    if (all) newNames();
    page.camera.size = page.board.size_px;
    page.cursor = Math.min(page.cursor, page.board.hexes.length - 1);
    showHere();
    renewSeen();
    if (sight.from && sight.to) askSight();
  });
  watchServer();
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", redo);
  $("goto").addEventListener("submit", goTo);
  emit("board", {});
  openPanel("sight");
  tell();
  if (saves) resume();
  // For measuring and for tests: looks in, changes nothing.
  globalThis.hexsight = { page, stage, sight };
  document.body.classList.add("ready");
  await loadFindings();
}

try {
  await start();
} catch (error) {
  $("status").textContent = "";
  notice(error.message);
  throw error;
}
