// The two canvases and the loop that draws them: only when something changed.

import { $, on } from "./dom.js";
import { drawOver } from "./over.js";
import { page } from "./page.js";
import { makeScene } from "./scene.js";

/** Set the canvases up; gives what others need of the drawing. */
export function makeStage() {
  const map = $("map"), low = $("scene"), high = $("over");
  const over = high.getContext("2d");
  const scene = makeScene(low, page);
  let asked = false, dpr = 1, lowDue = true, highDue = true;
  const times = [];

  function fit() {
    dpr = Math.min(3, devicePixelRatio || 1);
    const { width, height } = map.getBoundingClientRect();
    for (const canvas of [low, high]) {
      canvas.width = Math.max(1, Math.round(width * dpr));
      canvas.height = Math.max(1, Math.round(height * dpr));
    }
    page.camera.resize(Math.max(1, width), Math.max(1, height));
    ask();
  }

  function ask(what = "both") {
    if (what !== "high") lowDue = true;
    if (what !== "low") highDue = true;
    if (asked) return;
    asked = true;
    requestAnimationFrame(frame);
  }

  function frame(time) {
    asked = false;
    const begun = performance.now();
    page.camera.step(time);
    if (lowDue) {
      lowDue = false;
      if (scene.frame(time, dpr)) ask("low");
    }
    if (highDue) {
      highDue = false;
      over.setTransform(1, 0, 0, 1, 0, 0);
      over.clearRect(0, 0, high.width, high.height);
      over.setTransform(dpr, 0, 0, dpr, 0, 0);
      drawOver(over);
    }
    if (page.camera.moving()) ask();
    times.push([time, performance.now() - begun]);
    if (times.length > 900) times.splice(0, 300);
  }

  on("camera", () => ask());
  on("tile", () => ask("low"));
  on("hover cursor select sight seen tool draft", () => ask("high"));
  const again = (box) => { scene.refresh(box); ask(); };
  on("layers board theme", () => again());
  on("findings", () => again());
  on("pixels", (box) => again(box));
  new ResizeObserver(fit).observe(map);
  fit();
  return {
    ask,
    again,
    /** Whether something is still to be drawn. */
    busy: () => asked || page.camera.moving(),
    /** [start, work in ms] of the last frames, for measuring. */
    frames: () => times.slice(),
  };
}
