// The layers menu: what is drawn over the map, with a sample of each; what the colours mean.

import { $, el, emit } from "./dom.js";
import { LAYERS } from "./overlays.js";
import { page } from "./page.js";
import { BUILDING, SEVERITY, cased, mark } from "./symbols.js";

const KEEP = "hexsight-layers";

function sample(draw) {
  const k = Math.min(3, devicePixelRatio || 1);
  const canvas = el("canvas", { width: 34 * k, height: 20 * k, class: "sample", "aria-hidden": "true" });
  const pen = canvas.getContext("2d");
  pen.scale(k, k);
  draw?.(pen, 34, 20);
  return canvas;
}

function wash(list) {
  return (pen, w, h) => {
    const some = list.slice(0, 4);
    some.forEach((one, k) => { pen.fillStyle = one.colour; pen.fillRect((k * w) / some.length, 2, w / some.length, h - 4); });
  };
}

function remembered() {
  try {
    return new Map(Object.entries(JSON.parse(localStorage.getItem(KEEP) ?? "{}")));
  } catch (error) {
    console.warn(`Layers as at first: ${error.message}`);
    return new Map();
  }
}

function remember() {
  try {
    localStorage.setItem(KEEP, JSON.stringify(Object.fromEntries(LAYERS.map(({ id }) => [id, page.shown.has(id)]))));
  } catch (error) {
    console.warn(`Layers are not remembered: ${error.message}`);
  }
}

/** Switch a layer. */
export function setLayer(id, shown) {
  if (shown) page.shown.add(id);
  else page.shown.delete(id);
  const box = $(`layer-${id}`);
  if (box) box.checked = shown;
  remember();
  emit("layers");
}

/** Fill the menu for the board. */
export function buildLayers() {
  const { board } = page;
  const before = remembered();
  const has = (layer) => (layer.raster ? board.tiles.layers[layer.key] : !layer.when || layer.when(board));
  const rows = LAYERS.filter(has).map((layer) => {
    const on = before.get(layer.id) ?? layer.on;
    if (on) page.shown.add(layer.id);
    const meaning = layer.key ? board.legend?.[layer.key] ?? [] : [];
    const draw = layer.sample ?? (meaning.length ? wash(meaning) : null);
    return el("div", { class: "layer" },
      el("label", { class: "choice" },
        el("input", { type: "checkbox", id: `layer-${layer.id}`, checked: on, onchange: (e) => setLayer(layer.id, e.target.checked) }),
        sample(draw), layer.label),
      meaning.length || layer.kinds || layer.signs || layer.id === "findings" ? key(layer, meaning) : null);
  });
  $("layer-list").replaceChildren(
    el("div", { class: "row" },
      el("button", { type: "button", id: "all-layers", onclick: () => all(true) }, "All"),
      el("button", { type: "button", id: "no-layers", onclick: () => all(false) }, "None")),
    ...rows);
}

function key(layer, meaning) {
  const line = (draw, words) => el("li", {}, sample(draw), words);
  const items = layer.kinds
    ? Object.values(BUILDING).map((style) => line((pen, w, h) => {
      const path = new Path2D();
      path.rect(4, 3, w - 8, h - 6);
      cased(pen, path, style.colour, style.width, 1, style.dash);
    }, style.word))
    : layer.signs
      ? Object.values(layer.signs).map((sign) => line((pen, w, h) => sign.draw(pen, [3, h / 2], [w - 3, h / 2], 0.8, [0, 1]), sign.words))
    : layer.id === "findings"
      ? ["error", "warn", "note"].map((k) => line((pen, w, h) => mark(pen, SEVERITY[k].shape, w / 2, h / 2, 6, SEVERITY[k].colour), SEVERITY[k].word))
      : meaning.map(({ label, colour }) => line((pen, w, h) => { pen.fillStyle = colour; pen.fillRect(4, 3, w - 8, h - 6); }, label));
  return el("details", { class: "meaning" }, el("summary", {}, "Key", el("span", { class: "unseen" }, ` to ${layer.label}`)), el("ul", { class: "key" }, ...items));
}

function all(shown) {
  for (const box of document.querySelectorAll("#layer-list input[type=checkbox]")) {
    if (box.checked !== shown) setLayer(box.id.replace("layer-", ""), shown);
  }
}
