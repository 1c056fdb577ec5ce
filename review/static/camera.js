// Which part of the map is seen, and how large: screen = (map − corner) · scale.

import { calm, emit } from "./dom.js";

const EASE_MS = 160;
const BUTTONS = 48; // CSS px that the zoom buttons take at the right edge

/** A camera over a map of `size` px in a window of CSS px. */
export function makeCamera(size) {
  const camera = { x: 0, y: 0, scale: 1, width: 1, height: 1, size };
  let flight = null;

  const least = () => Math.min(1, 0.5 * Math.min(camera.width / size[0], camera.height / size[1]));
  const limit = (scale) => Math.max(least(), Math.min(12, scale));
  function keepInside() {
    // The middle of the window never leaves the map.
    const halfW = camera.width / 2 / camera.scale, halfH = camera.height / 2 / camera.scale;
    camera.x = Math.max(-halfW, Math.min(size[0] - halfW, camera.x));
    camera.y = Math.max(-halfH, Math.min(size[1] - halfH, camera.y));
  }
  function set(x, y, scale) {
    camera.x = x; camera.y = y; camera.scale = scale;
    keepInside();
    emit("camera");
  }

  camera.toScreen = (x, y) => [(x + 0.5 - camera.x) * camera.scale, (y + 0.5 - camera.y) * camera.scale];
  camera.toMap = (sx, sy) => [sx / camera.scale + camera.x - 0.5, sy / camera.scale + camera.y - 0.5];
  camera.moving = () => flight !== null;
  camera.stop = () => { flight = null; };
  camera.resize = (width, height) => {
    const [cx, cy] = [camera.x + camera.width / 2 / camera.scale, camera.y + camera.height / 2 / camera.scale];
    camera.width = width; camera.height = height;
    set(cx - width / 2 / camera.scale, cy - height / 2 / camera.scale, limit(camera.scale));
  };
  camera.panBy = (dx, dy) => {
    flight = null;
    set(camera.x - dx / camera.scale, camera.y - dy / camera.scale, camera.scale);
  };
  camera.zoomAt = (sx, sy, factor) => {
    flight = null;
    const scale = limit(camera.scale * factor);
    set(camera.x + sx / camera.scale - sx / scale, camera.y + sy / camera.scale - sy / scale, scale);
  };
  /** Zoom in a short, smooth movement; a second call during it adds to the first. */
  camera.glideAt = (sx, sy, factor) => {
    const goal = limit((flight?.zoom ? flight.scale : camera.scale) * factor);
    if (calm()) return camera.zoomAt(sx, sy, goal / camera.scale);
    flight = { zoom: true, sx, sy, from: camera.scale, scale: goal, start: performance.now() };
    emit("camera");
  };
  camera.flyTo = (x, y, scale) => {
    const goal = limit(scale ?? camera.scale);
    const to = [x + 0.5 - camera.width / 2 / goal, y + 0.5 - camera.height / 2 / goal];
    const far = Math.hypot(to[0] - camera.x, to[1] - camera.y) * camera.scale > 3 * Math.max(camera.width, camera.height);
    if (calm() || far) { flight = null; return set(...to, goal); }
    flight = { from: [camera.x, camera.y, camera.scale], to: [...to, goal], start: performance.now() };
    emit("camera");
  };
  camera.fit = (smooth) => {
    // The buttons at the right edge cover nothing of the whole map, where there is room.
    const aside = camera.width > 400 ? BUTTONS : 0;
    const scale = Math.min((camera.width - 24 - aside) / size[0], (camera.height - 24) / size[1]);
    const left = Math.min((camera.width - size[0] * scale) / 2, camera.width - 12 - aside - size[0] * scale);
    const x = (camera.width / 2 - left) / scale;
    if (smooth) return camera.flyTo(x - 0.5, size[1] / 2 - 0.5, scale);
    set(x - camera.width / 2 / scale, size[1] / 2 - camera.height / 2 / scale, scale);
  };
  /** Bring a place into view when it lies outside or near the edge. */
  camera.reveal = (x, y, margin = 70) => {
    const [sx, sy] = camera.toScreen(x, y);
    const m = Math.min(margin, camera.width / 4, camera.height / 4);
    const dx = sx < m ? m - sx : sx > camera.width - m ? camera.width - m - sx : 0;
    const dy = sy < m ? m - sy : sy > camera.height - m ? camera.height - m - sy : 0;
    if (dx || dy) camera.panBy(dx, dy);
  };
  camera.seen = () => [camera.x, camera.y, camera.x + camera.width / camera.scale, camera.y + camera.height / camera.scale];
  /** One step of a movement in progress. */
  camera.step = (now) => {
    if (!flight) return;
    const t = Math.min(1, Math.max(0, (now - flight.start) / EASE_MS));
    const eased = 1 - (1 - t) ** 3;
    const f = flight;
    if (f.zoom) {
      const scale = f.from * (f.scale / f.from) ** eased;
      const { sx, sy } = f;
      set(camera.x + sx / camera.scale - sx / scale, camera.y + sy / camera.scale - sy / scale, scale);
    } else {
      const scale = f.from[2] * (f.to[2] / f.from[2]) ** eased;
      const mix = (k) => f.from[k] + (f.to[k] - f.from[k]) * eased;
      set(mix(0), mix(1), scale);
    }
    if (t === 1) flight = null;
  };
  return camera;
}
