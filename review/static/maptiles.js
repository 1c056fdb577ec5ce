// Pictures of the map (and of raster layers) in squares of a pyramid, fetched when wanted.

import { emit } from "./dom.js";

const KEEP_BYTES = 192 * 2 ** 20;
const WISHES = 300;
const AT_ONCE = 6;

/** A store of pyramid tiles of one source. */
export function makeTiles(source, info, size) {
  const have = new Map(); // key → ImageBitmap, in order of use
  const missing = new Set();
  const wanted = new Map(); // key → [layer, z, x, y], newest wish last
  const running = new Map(); // key → AbortController
  let epoch = 0, dropped = false;

  const key = (layer, z, x, y) => `${layer}/${z}/${x}/${y}`;
  const edge = info.size;
  const most = Math.max(32, Math.floor(KEEP_BYTES / (4 * edge * edge)));

  function next() {
    while (running.size < AT_ONCE && wanted.size) {
      // The newest wishes first: they are what the window shows now.
      const [name, place] = [...wanted].at(-1);
      wanted.delete(name);
      const stop = new AbortController();
      const started = epoch;
      running.set(name, stop);
      fetchOne(name, place, stop, started);
    }
    if (dropped && !running.size && !wanted.size) {
      // Whoever still lacks a tile asks again.
      dropped = false;
      emit("tile", { layer: "map", box: [0, 0, ...size] });
    }
  }

  async function fetchOne(name, place, stop, started) {
    let picture = null, failed = false;
    try {
      picture = await source.tile(...place, stop.signal);
    } catch (error) {
      failed = true;
      if (error.name !== "AbortError") emit("trouble", error);
    }
    if (running.get(name) === stop) running.delete(name);
    if (started === epoch && !stop.signal.aborted) {
      if (picture) {
        have.set(name, picture);
        while (have.size > most) {
          const [oldest, old] = have.entries().next().value;
          have.delete(oldest);
          old.close?.();
        }
        const [layer, z, x, y] = place;
        const step = edge * 2 ** z;
        emit("tile", { layer, box: [x * step, y * step, (x + 1) * step, (y + 1) * step] });
      } else if (!failed) missing.add(name);
    }
    next();
  }

  return {
    levels: info.levels,
    edge,
    /** A tile if it is here; else it is asked for. */
    get(layer, z, x, y, ask = true) {
      const name = key(layer, z, x, y);
      const found = have.get(name);
      if (found) {
        have.delete(name);
        have.set(name, found);
        return found;
      }
      if (ask && !missing.has(name) && !running.has(name)) {
        wanted.delete(name);
        wanted.set(name, [layer, z, x, y]);
        while (wanted.size > WISHES) { wanted.delete(wanted.keys().next().value); dropped = true; }
        queueMicrotask(next);
      }
      return null;
    },
    /** Whether a tile is here, or is known not to be; else it is asked for. */
    has(layer, z, x, y) {
      const name = key(layer, z, x, y);
      return have.has(name) || missing.has(name) || (this.get(layer, z, x, y), false);
    },
    /** Whether something is still under way. */
    busy: () => running.size + wanted.size > 0,
    /** Forget what shows a box of the map (all of a layer without one). */
    forget(layer, box) {
      epoch++;
      missing.clear();
      for (const stop of running.values()) stop.abort();
      running.clear();
      for (const [name, picture] of [...have]) {
        const [of, z, x, y] = name.split("/");
        const step = edge * 2 ** Number(z);
        const hit = !box || (x * step < box[2] && (Number(x) + 1) * step > box[0] && y * step < box[3] && (Number(y) + 1) * step > box[1]);
        if (of === layer && hit) { have.delete(name); picture.close?.(); }
      }
    },
    /** Tries again what failed. */
    retry() { missing.clear(); emit("tile", { layer: "map", box: [0, 0, ...size] }); },
  };
}
