// One line of sight: its two ends, the question to the source, and the line on the map.

import { hexOfLocation, locationsOf, pointOf } from "./board.js";
import { announce, emit } from "./dom.js";
import { page } from "./page.js";
import { INK, STATE } from "./symbols.js";

/** The line that is looked at. */
export const sight = { from: null, to: null, answer: null, trouble: "", ms: 0 };

const STATES = { ...STATE, half: { colour: INK.purple, mark: "◑", word: "at half strength" } };

/** Mark, colour and word of an answer's state. */
export const stateOf = (answer) => STATES[answer.state] ?? STATES.blocked;

/** How much, after the word of a state: the Hindrance, or how often fire is halved. */
export function amountOf(answer) {
  if (answer.state === "hindered") return ` by ${answer.hindrance}`;
  return answer.halvings > 1 ? `, halved ${answer.halvings} times` : "";
}

let number = 0;

/** Ask for the line between both ends, when there are two. */
export async function askSight() {
  const mine = ++number;
  sight.trouble = "";
  if (!sight.from || !sight.to) {
    sight.answer = null;
    emit("sight");
    return;
  }
  const begun = performance.now();
  try {
    const answer = await page.source.los(sight.from, sight.to, page.observer ? { observer: page.observer } : {});
    if (mine !== number) return;
    sight.answer = answer;
    sight.ms = performance.now() - begun;
    announce(sightText(answer));
  } catch (error) {
    if (mine !== number) return;
    sight.answer = null;
    sight.trouble = error.message;
    if (error.gone) emit("trouble", error);
  }
  emit("sight");
}

/** Set one end ("from" or "to") to a Location. */
export function setEnd(end, location) {
  sight[end] = location;
  sight.answer = null;
  emit("sight");
  return askSight();
}

/** Lowest Location of a hex, where lines begin unless a level is chosen. */
export function groundOf(i) {
  const own = locationsOf(page.board, i);
  return (own.find(([, , words]) => words === "ground") ?? own[0])?.[1] ?? null;
}

/** Both ends change places. */
export function swapEnds() {
  [sight.from, sight.to] = [sight.to, sight.from];
  return askSight();
}

/** No line. */
export function clearSight() {
  sight.from = sight.to = null;
  return askSight();
}

/** Words of an answer, to read out and to copy. */
export function sightText(answer) {
  return [answer.words, ...answer.lines].join("\n");
}

function dot(pen, x, y, colour, letter) {
  pen.beginPath();
  pen.arc(x, y, 10, 0, 7);
  pen.fillStyle = colour;
  pen.fill();
  pen.lineWidth = 2.5;
  pen.strokeStyle = "#fff";
  pen.stroke();
  pen.fillStyle = "#fff";
  pen.font = "700 12px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(letter, x, y + 0.5);
}

function stroke(pen, a, b, colour, width, dash = []) {
  pen.lineCap = "round";
  for (const [c, w, d] of [["#fff", width + 3, []], [colour, width, dash]]) {
    pen.setLineDash(d);
    pen.strokeStyle = c;
    pen.lineWidth = w;
    pen.beginPath();
    pen.moveTo(...a);
    pen.lineTo(...b);
    pen.stroke();
  }
  pen.setLineDash([]);
}

function cross(pen, x, y, r) {
  for (const [colour, width] of [["#fff", 0.85 * r], [INK.vermilion, 0.48 * r]]) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.lineCap = "round";
    pen.beginPath();
    pen.moveTo(x - r, y - r);
    pen.lineTo(x + r, y + r);
    pen.moveTo(x + r, y - r);
    pen.lineTo(x - r, y + r);
    pen.stroke();
  }
}

/** A place that changes the answer and does not block. */
function ring(pen, x, y, r) {
  pen.beginPath();
  pen.arc(x, y, r, 0, 7);
  for (const [colour, width] of [["#fff", 6], [INK.purple, 3]]) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.stroke();
  }
}

/** The line, the hexes it crosses, and where it is blocked or hindered. */
export function drawSight(pen, hexPath) {
  const { board, camera } = page;
  const { answer } = sight;
  const ends = [sight.from, sight.to].map((name) => (name ? hexOfLocation(board, name) : null));
  if (answer) {
    // Where rules measure, hexes do not count: none is outlined.
    for (const name of board.measured ? [] : answer.hexes.flat()) {
      const i = board.index.get(name);
      if (i === undefined) continue;
      const path = hexPath(i);
      const adds = answer.hindrance_by_hex[name];
      if (adds) { pen.fillStyle = "rgba(230,159,0,.35)"; pen.fill(path); }
      pen.strokeStyle = "rgba(255,255,255,.9)";
      pen.lineWidth = 4;
      pen.stroke(path);
      pen.strokeStyle = INK.blue;
      pen.lineWidth = 2;
      pen.stroke(path);
    }
    const [a, b] = answer.line_px.map((p) => camera.toScreen(...p));
    // The line is dark from the first place that blocks; seen from there it is not.
    const blocked = answer.state === "blocked";
    const stop = blocked ? answer.reasons.find((r) => r.pixel && !r.hindrance) : null;
    const colour = answer.state === "clear" ? INK.blue : answer.state === "blocked" ? INK.vermilion : "#b36b00";
    if (stop) {
      const at = camera.toScreen(...stop.pixel);
      const ux = b[0] - a[0], uy = b[1] - a[1];
      const t = Math.max(0, Math.min(1, ((at[0] - a[0]) * ux + (at[1] - a[1]) * uy) / (ux * ux + uy * uy || 1)));
      const mid = [a[0] + t * ux, a[1] + t * uy];
      stroke(pen, mid, b, "#30343a", 3.5, [3, 8]);
      stroke(pen, a, mid, INK.blue, 4);
    } else stroke(pen, a, b, colour, 4, answer.state === "clear" ? [] : [12, 7]);
    for (const r of answer.reasons) {
      if (!r.pixel || r.pixel[0] < 0) continue;
      const at = camera.toScreen(...r.pixel);
      // The first place that blocks is the answer; the others say that mending it is not enough.
      if (!r.hindrance && !blocked) ring(pen, ...at, Math.min(8, board.lattice.hexHeight * camera.scale * 0.16));
      else if (!r.hindrance) cross(pen, ...at, Math.min(r === stop ? 11 : 6, board.lattice.hexHeight * camera.scale * (r === stop ? 0.24 : 0.12)));
      else {
        pen.font = "800 15px system-ui, sans-serif";
        pen.textAlign = "center";
        pen.textBaseline = "middle";
        pen.lineWidth = 4;
        pen.strokeStyle = "#fff";
        pen.strokeText("+" + r.hindrance, ...at);
        pen.fillStyle = "#7a4600";
        pen.fillText("+" + r.hindrance, ...at);
      }
    }
  }
  ends.forEach((i, k) => {
    if (i === null) return;
    const at = camera.toScreen(...(pointOf(board, k ? sight.to : sight.from) ?? [board.hexes[i].x, board.hexes[i].y]));
    if (!answer && !board.measured) {
      const path = hexPath(i);
      pen.strokeStyle = "#fff";
      pen.lineWidth = 5;
      pen.stroke(path);
      pen.strokeStyle = INK.blue;
      pen.lineWidth = 2.5;
      pen.stroke(path);
    }
    dot(pen, ...at, k ? "#10151a" : INK.blue, k ? "B" : "A");
  });
}
