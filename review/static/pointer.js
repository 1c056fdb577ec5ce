// Mouse, pen and fingers on the map: drag pans, wheel and pinch zoom, a click goes to the tool.

import { $, calm, emit } from "./dom.js";
import { moveHover, page } from "./page.js";

const SLACK = 5; // CSS px that a click may wander
const FRICTION = 0.0045; // of a throw, per ms

/** Listen to pointers on the map. */
export function listenPointer() {
  const map = $("map");
  const down = new Map(); // pointer id → place
  let start = null, grip = null, pinch = null, speed = [0, 0], last = 0, thrown = 0;

  const spot = (event) => {
    const box = map.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const two = () => {
    const [a, b] = [...down.values()];
    return { x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2, gap: Math.hypot(a[0] - b[0], a[1] - b[1]) || 1 };
  };

  map.addEventListener("pointerdown", (event) => {
    if (event.button > 1 || !page.board) return;
    map.focus({ preventScroll: true });
    page.byKeyboard = false;
    map.classList.add("pointed");
    map.setPointerCapture(event.pointerId);
    thrown++;
    page.camera.stop();
    const at = spot(event);
    down.set(event.pointerId, at);
    if (down.size === 2) { pinch = two(); start = null; letGo("cancel"); return; }
    if (down.size > 2) return;
    const where = page.camera.toMap(...at);
    start = { at, moved: false, button: event.button };
    grip = event.button === 0 ? page.tool?.grab?.(...where, at) ?? null : null;
    speed = [0, 0];
    last = event.timeStamp;
  });

  function letGo(how, where) {
    if (!grip) return;
    page.tool?.drop?.(grip, how, where);
    grip = null;
  }

  map.addEventListener("pointermove", (event) => {
    if (!page.board) return;
    const at = spot(event);
    if (!down.has(event.pointerId)) {
      moveHover(...page.camera.toMap(...at));
      map.classList.toggle("over-grip", Boolean(page.tool?.over?.(...page.hoverAt, at)));
      return;
    }
    const before = down.get(event.pointerId);
    down.set(event.pointerId, at);
    if (pinch && down.size >= 2) {
      const now = two();
      page.camera.panBy(now.x - pinch.x, now.y - pinch.y);
      page.camera.zoomAt(now.x, now.y, now.gap / pinch.gap);
      pinch = now;
      return;
    }
    if (!start) return;
    if (!start.moved && Math.hypot(at[0] - start.at[0], at[1] - start.at[1]) < SLACK) return;
    const first = !start.moved;
    start.moved = true;
    if (grip) return page.tool.pull(grip, page.camera.toMap(...at), event);
    map.classList.add("dragging");
    const from = first ? start.at : before;
    page.camera.panBy(at[0] - from[0], at[1] - from[1]);
    const dt = Math.max(1, event.timeStamp - last);
    speed = [0, 1].map((k) => 0.6 * speed[k] + (0.4 * (at[k] - before[k])) / dt);
    last = event.timeStamp;
  });

  function end(event) {
    if (!down.delete(event.pointerId)) return;
    map.classList.remove("dragging");
    if (pinch) {
      if (down.size < 2) { pinch = null; start = null; }
      return;
    }
    const at = spot(event);
    if (!start) return;
    const was = start;
    start = null;
    if (event.type === "pointercancel") return letGo("cancel");
    if (was.moved) {
      if (grip) return letGo("done", page.camera.toMap(...at));
      if (event.timeStamp - last < 60) coast();
      return;
    }
    const held = grip;
    letGo("still");
    if (was.button !== 0) return;
    const where = page.camera.toMap(...at);
    moveHover(...where);
    page.tool?.click?.(...where, { shift: event.shiftKey, alt: event.altKey, grip: held });
    if (event.pointerType === "touch") moveHover(null);
  }
  map.addEventListener("pointerup", end);
  map.addEventListener("pointercancel", end);
  map.addEventListener("pointerleave", (event) => { if (!down.has(event.pointerId)) moveHover(null); });
  map.addEventListener("dblclick", (event) => page.tool?.twice?.(...page.camera.toMap(...spot(event))));
  map.addEventListener("contextmenu", (event) => event.preventDefault());

  /** A quick drag runs on a little. */
  function coast() {
    if (calm() || Math.hypot(...speed) < 0.15) return;
    const mine = ++thrown;
    let before = performance.now();
    const step = (now) => {
      if (mine !== thrown) return;
      const dt = Math.min(40, now - before);
      before = now;
      page.camera.panBy(speed[0] * dt, speed[1] * dt);
      const keep = Math.exp(-FRICTION * dt);
      speed = [speed[0] * keep, speed[1] * keep];
      if (Math.hypot(...speed) > 0.02) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  map.addEventListener("wheel", (event) => {
    if (!page.board) return;
    event.preventDefault();
    thrown++;
    const unit = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 400 : 1;
    const dy = event.deltaY * unit;
    const at = spot(event);
    // A trackpad's pinch comes as small steps with Ctrl held; a wheel's notch as one large step.
    if (event.ctrlKey) page.camera.zoomAt(...at, Math.exp(-dy * 0.01));
    else if (event.shiftKey) page.camera.panBy(-(event.deltaX * unit || dy), 0);
    else if (Math.abs(dy) < 40) page.camera.zoomAt(...at, Math.exp(-dy * 0.004));
    else page.camera.glideAt(...at, Math.exp(-Math.max(-300, Math.min(300, dy)) * 0.0022));
    moveHover(...page.camera.toMap(...at));
  }, { passive: false });

  $("larger").addEventListener("click", () => page.camera.glideAt(page.camera.width / 2, page.camera.height / 2, 1.5));
  $("smaller").addEventListener("click", () => page.camera.glideAt(page.camera.width / 2, page.camera.height / 2, 1 / 1.5));
  $("whole").addEventListener("click", () => page.camera.fit(true));
  map.addEventListener("focus", () => { page.focused = true; emit("cursor"); });
  map.addEventListener("keydown", () => map.classList.remove("pointed"));
  map.addEventListener("blur", () => { map.classList.remove("pointed"); page.focused = false; emit("cursor"); });
}
