// Map and layers, put together once for each square of the screen at each scale; a frame only
// copies squares. While the scale changes, the squares of the last scale are stretched.

import { on } from "./dom.js";
import { LAYERS } from "./overlays.js";

const EDGE = 256; // device px
const BUDGET_MS = 5; // for new squares in one frame
const AT_ONCE = 4; // of them: what they hold is painted after the frame's script has ended
const PATIENCE_MS = 300; // for the pictures of a square, before it is made with coarser ones
const SETTLE_MS = 110; // without a change of scale before squares of the new one are made

/** Painter of the lower canvas. `page` gives board, camera, shown layers, tiles and findings. */
export function makeScene(canvas, page) {
  const pen = canvas.getContext("2d", { alpha: false });
  let now = { scale: 0, squares: new Map() };
  let before = null;
  let overview = null;
  let scaleSince = 0, lastScale = 0, lastFrame = 0, frames = 0;
  let lastPlace = "", placeSince = 0, lastAt = [0, 0], heading = [0, 0];
  const spare = [], waiting = new Map(); // square → since when its pictures are under way

  const drop = (squares) => {
    for (const square of squares.values()) if (spare.length < 64) spare.push(square.canvas);
    squares.clear();
  };
  const inBox = (square, box, scale) =>
    square.x * EDGE < box[2] * scale && (square.x + 1) * EDGE > box[0] * scale &&
    square.y * EDGE < box[3] * scale && (square.y + 1) * EDGE > box[1] * scale;

  on("tile", ({ box }) => {
    for (const square of now.squares.values()) if (square.waits && inBox(square, box, now.scale)) square.stale = true;
    if (overview?.waits) overview = null;
  });

  /** Everything, or what shows a box of the map, has to be drawn again. */
  function refresh(box) {
    const margin = page.board.lattice.hexHeight;
    const wide = box && [box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin];
    for (const square of now.squares.values()) if (!wide || inBox(square, wide, now.scale)) square.stale = true;
    if (before) { drop(before.squares); before = null; }
    overview = null;
  }

  /** Tiles of the pyramid that a square at a scale needs: level, px of the map a tile, places. */
  function needed(scale, x0, y0, width, height) {
    const { tiles, board } = page;
    const z = Math.max(0, Math.min(tiles.levels - 1, Math.floor(-Math.log2(scale) + 0.3)));
    const step = tiles.edge * 2 ** z;
    const [w, h] = board.size_px;
    const left = Math.max(0, x0 / scale), top = Math.max(0, y0 / scale);
    const right = Math.min(w, (x0 + width) / scale), bottom = Math.min(h, (y0 + height) / scale);
    const places = [];
    for (let tx = Math.floor(left / step); tx * step < right; tx++) {
      for (let ty = Math.floor(top / step); ty * step < bottom; ty++) places.push([tx, ty]);
    }
    return { z, step, places };
  }

  /** Pictures that lie under the drawn layers, lowest first. */
  const rasters = () => ["map", ...LAYERS
    .filter((layer) => layer.raster && !page.bare && page.shown.has(layer.id) && page.board.tiles.layers[layer.key])
    .map((layer) => layer.key)];

  /** Whether all pictures of a square are here; asks for those that are not. */
  function gathered(scale, x0, y0) {
    const { z, places } = needed(scale, x0, y0, EDGE, EDGE);
    let all = true;
    for (const layer of rasters()) for (const [tx, ty] of places) if (!page.tiles.has(layer, z, tx, ty)) all = false;
    return all;
  }

  /** Copies of the pyramid's tiles of one layer into a square; false while some are missing. */
  function paste(to, layer, scale, x0, y0, width, height) {
    const { tiles } = page;
    const { z, step, places } = needed(scale, x0, y0, width, height);
    let whole = true;
    to.imageSmoothingEnabled = scale < 3;
    to.imageSmoothingQuality = "low";
    for (const [tx, ty] of places) {
      let found = tiles.get(layer, z, tx, ty);
      let up = 0;
      if (!found) {
        whole = false;
        // A coarser tile stands in.
        for (up = 1; z + up < tiles.levels && !found; up++) found = tiles.get(layer, z + up, tx >> up, ty >> up, false);
        up--;
      }
      if (!found) continue;
      const n = 2 ** up, part = tiles.edge / n;
      const sx = (tx % n) * part, sy = (ty % n) * part;
      const sw = Math.min(part, found.width - sx), sh = Math.min(part, found.height - sy);
      if (sw <= 0 || sh <= 0) continue;
      const px = step / part; // map px of one px of the tile
      const dx = Math.round(tx * step * scale - x0), dy = Math.round(ty * step * scale - y0);
      const ex = Math.round((tx * step + sw * px) * scale - x0), ey = Math.round((ty * step + sh * px) * scale - y0);
      to.drawImage(found, sx, sy, sw, sh, dx, dy, ex - dx, ey - dy);
    }
    return whole;
  }

  /** Map and layers of a square that begins at device px (x0, y0) of the whole map. */
  function compose(target, scale, dpr, x0, y0, plain = false) {
    const to = target.getContext("2d", { alpha: false });
    const { board, shown } = page;
    to.setTransform(1, 0, 0, 1, 0, 0);
    to.globalAlpha = 1;
    to.fillStyle = page.paper;
    to.fillRect(0, 0, target.width, target.height);
    let whole = true;
    for (const layer of rasters()) whole = paste(to, layer, scale, x0, y0, target.width, target.height) && whole;
    if (plain || page.bare) return whole;
    const margin = board.lattice.hexHeight;
    const view = {
      pen: to, board, dpr, u: dpr / scale, findings: page.findings,
      hexPx: (board.lattice.hexHeight * scale) / dpr,
      box: [x0 / scale - margin, y0 / scale - margin, (x0 + target.width) / scale + margin, (y0 + target.height) / scale + margin],
      at: (x, y) => [(x + 0.5) * scale - x0, (y + 0.5) * scale - y0],
      inMap: () => to.setTransform(scale, 0, 0, scale, scale / 2 - x0, scale / 2 - y0),
      inTile: () => to.setTransform(1, 0, 0, 1, 0, 0),
    };
    for (const layer of LAYERS) if (layer.draw && shown.has(layer.id)) layer.draw(view);
    to.setTransform(1, 0, 0, 1, 0, 0);
    return whole;
  }

  function fresh(width, height) {
    const made = (width === EDGE && height === EDGE && spare.pop()) || document.createElement("canvas");
    if (made.width !== width) made.width = width;
    if (made.height !== height) made.height = height;
    return made;
  }

  function needOverview(dpr) {
    const [w, h] = page.board.size_px;
    const scale = Math.min(1, 1024 / Math.max(w, h));
    if (overview) return;
    const made = fresh(Math.max(1, Math.ceil(w * scale)), Math.max(1, Math.ceil(h * scale)));
    overview = { canvas: made, scale, waits: !compose(made, scale, dpr, 0, 0, true) };
  }

  /** Draws a frame; true when there is more to do. */
  function frame(time, dpr) {
    const { camera, board } = page;
    const scale = camera.scale * dpr;
    if (scale !== lastScale) { lastScale = scale; scaleSince = time; }
    const settled = time - scaleSince >= SETTLE_MS || now.scale === 0;
    if (settled && now.scale !== scale) {
      if (before) drop(before.squares);
      before = now.scale ? now : null;
      now = { scale, squares: new Map() };
      waiting.clear();
    }
    const place = `${camera.x},${camera.y}`;
    if (place !== lastPlace) {
      heading = [camera.x - lastAt[0], camera.y - lastAt[1]];
      lastAt = [camera.x, camera.y];
      lastPlace = place;
      placeSince = time;
    }
    const moving = time - placeSince < SETTLE_MS;
    const ratio = scale / (now.scale || scale);
    const left = Math.round(camera.x * scale), top = Math.round(camera.y * scale);
    const [w, h] = board.size_px;
    needOverview(dpr);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = page.paper;
    pen.fillRect(0, 0, canvas.width, canvas.height);

    const x0 = Math.max(0, Math.floor(left / ratio / EDGE)), y0 = Math.max(0, Math.floor(top / ratio / EDGE));
    const x1 = Math.min(Math.ceil((w * now.scale) / EDGE), Math.ceil((left + canvas.width) / ratio / EDGE));
    const y1 = Math.min(Math.ceil((h * now.scale) / EDGE), Math.ceil((top + canvas.height) / ratio / EDGE));
    const due = [];
    let lacks = false;
    for (let x = x0; x < x1; x++) {
      for (let y = y0; y < y1; y++) {
        const square = now.squares.get(x + "," + y);
        if (!square) lacks = true;
        if (!square || square.stale) due.push([x, y, square]);
      }
    }
    const middle = [(x0 + x1 - 1) / 2, (y0 + y1 - 1) / 2];
    due.sort((a, b) => Math.hypot(a[0] - middle[0], a[1] - middle[1]) - Math.hypot(b[0] - middle[0], b[1] - middle[1]));
    // A frame that came late says that there is less room than thought.
    const most = moving || time - lastFrame > 26 ? 1 : AT_ONCE;
    const late = time - lastFrame > 20;
    lastFrame = time;
    frames++;
    const end = performance.now() + BUDGET_MS;
    let made = 0;
    const seen = due.length;
    // While the map moves, now and then one that will be seen next.
    if (settled && !seen && !late && (!moving || frames % 3 === 0)) due.push(...around(x0, y0, x1, y1, moving ? heading : null));
    if (settled) {
      for (const [x, y, old] of due) {
        if (made && (made >= most || performance.now() > end)) break;
        const key = x + "," + y;
        if (!gathered(now.scale, x * EDGE, y * EDGE)) {
          if (!waiting.has(key)) waiting.set(key, time);
          if (time - waiting.get(key) < PATIENCE_MS) continue;
        }
        waiting.delete(key);
        const square = old ?? { x, y, canvas: fresh(EDGE, EDGE) };
        square.waits = !compose(square.canvas, now.scale, dpr, x * EDGE, y * EDGE);
        square.stale = false;
        now.squares.set(key, square);
        made++;
      }
      if (seen) lacks = lacks && made < seen;
    }
    // What lies below shows through wherever a square is not ready.
    if (lacks) {
      const k = scale / overview.scale;
      pen.imageSmoothingQuality = "low";
      pen.drawImage(overview.canvas, -left, -top, overview.canvas.width * k, overview.canvas.height * k);
      if (before && settled) copy(before, scale / before.scale, left, top);
    }
    copy(now, ratio, left, top);
    trim(x0, y0, x1, y1);
    return made < due.length || !settled || moving || due.length > seen;
  }

  /** One square next to what is seen that is not there yet; where the map is moving to, if it does. */
  function around(x0, y0, x1, y1, way) {
    const out = [];
    const ahead = ([x, y]) => way[0] * (x - (x0 + x1 - 1) / 2) + way[1] * (y - (y0 + y1 - 1) / 2);
    const [w, h] = page.board.size_px;
    for (let x = Math.max(0, x0 - 1); x <= x1 && x * EDGE < w * now.scale; x++) {
      for (let y = Math.max(0, y0 - 1); y <= y1 && y * EDGE < h * now.scale; y++) {
        const square = now.squares.get(x + "," + y);
        if (!square || square.stale) out.push([x, y, square]);
      }
    }
    if (way) out.sort((a, b) => ahead(b) - ahead(a));
    return out.slice(0, way && out.length && ahead(out[0]) <= 0 ? 0 : 1);
  }

  function copy({ squares }, ratio, left, top) {
    for (const square of squares.values()) {
      const x = square.x * EDGE * ratio - left, y = square.y * EDGE * ratio - top, size = EDGE * ratio;
      if (x > canvas.width || y > canvas.height || x + size < 0 || y + size < 0) continue;
      if (ratio === 1) pen.drawImage(square.canvas, x, y);
      else {
        const [rx, ry] = [Math.floor(x), Math.floor(y)];
        pen.drawImage(square.canvas, rx, ry, Math.ceil(x + size) - rx, Math.ceil(y + size) - ry);
      }
    }
  }

  /** Forget squares far outside the window. */
  function trim(x0, y0, x1, y1) {
    const most = 3 * (x1 - x0 + 2) * (y1 - y0 + 2);
    if (now.squares.size <= most) return;
    for (const [name, s] of now.squares) {
      if (s.x < x0 - 2 || s.x > x1 + 1 || s.y < y0 - 2 || s.y > y1 + 1) {
        now.squares.delete(name);
        if (spare.length < 64) spare.push(s.canvas);
      }
    }
  }

  return { frame, refresh };
}
