// Colours and shapes of what is drawn over the map. The colours are Okabe and Ito's, told apart
// with every common colour blindness; each kind has a shape or pattern of its own besides.

export const INK = {
  black: "#000000", orange: "#e69f00", sky: "#56b4e9", green: "#009e73",
  yellow: "#f0e442", blue: "#0072b2", vermilion: "#d55e00", purple: "#cc79a7", white: "#ffffff",
};

export const BUILDING = {
  factory: { colour: INK.vermilion, dash: [], width: 3, word: "Factory" },
  market: { colour: INK.purple, dash: [2, 3], width: 2.5, word: "Market" },
  stone: { colour: INK.blue, dash: [], width: 2.5, word: "stone building" },
  wood: { colour: INK.orange, dash: [8, 4], width: 2.5, word: "wooden building" },
};

export const STATE = {
  clear: { colour: INK.sky, mark: "●", word: "clear" },
  hindered: { colour: INK.orange, mark: "◐", word: "hindered" },
  blocked: { colour: INK.black, mark: "■", word: "blocked" },
};

export const SEVERITY = {
  error: { colour: INK.vermilion, shape: "triangle", word: "error" },
  fail: { colour: INK.vermilion, shape: "triangle", word: "failure" },
  warn: { colour: INK.orange, shape: "diamond", word: "warning" },
  note: { colour: INK.sky, shape: "disc", word: "note" },
};

/** How a building is drawn. */
export const styleOf = (b) => BUILDING[b.kind] ?? BUILDING[b.material] ?? BUILDING.stone;

/** Stroke with a light casing, so that a line shows on any print. */
export function cased(pen, path, colour, width, u, dash = []) {
  pen.lineJoin = "round";
  pen.lineCap = "butt";
  pen.setLineDash([]);
  pen.strokeStyle = "rgba(255,255,255,.85)";
  pen.lineWidth = (width + 2) * u;
  pen.stroke(path);
  pen.setLineDash(dash.map((d) => d * u));
  pen.strokeStyle = colour;
  pen.lineWidth = width * u;
  pen.stroke(path);
  pen.setLineDash([]);
}

/** Text with a halo; x, y and size in the pen's own px. */
export function haloed(pen, text, x, y, size, { weight = 600, colour = "#10151a", halo = "#fff" } = {}) {
  pen.font = `${weight} ${size}px system-ui, "Segoe UI", "Liberation Sans", sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  pen.lineWidth = Math.max(2, size * 0.28);
  pen.strokeStyle = halo;
  pen.strokeText(text, x, y);
  pen.fillStyle = colour;
  pen.fillText(text, x, y);
}

/** A label on a plate. */
export function plate(pen, text, x, y, size, colour) {
  pen.font = `700 ${size}px system-ui, "Segoe UI", "Liberation Sans", sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const w = pen.measureText(text).width + size * 0.7, h = size * 1.35;
  pen.beginPath();
  pen.roundRect(x - w / 2, y - h / 2, w, h, h / 3);
  pen.fillStyle = "rgba(255,255,255,.94)";
  pen.fill();
  pen.lineWidth = Math.max(1.5, size * 0.14);
  pen.strokeStyle = colour;
  pen.stroke();
  pen.fillStyle = "#10151a";
  pen.fillText(text, x, y + size * 0.05);
}

/** A mark of a shape, filled, with dark and light rim. */
export function mark(pen, shape, x, y, r, colour) {
  pen.beginPath();
  if (shape === "disc") pen.arc(x, y, r, 0, 7);
  else if (shape === "square") pen.rect(x - r, y - r, 2 * r, 2 * r);
  else {
    const turns = { triangle: [3, -Math.PI / 2], diamond: [4, 0] }[shape];
    const big = shape === "triangle" ? 1.35 * r : 1.25 * r;
    for (let k = 0; k < turns[0]; k++) {
      const a = turns[1] + (2 * Math.PI * k) / turns[0];
      pen[k ? "lineTo" : "moveTo"](x + big * Math.cos(a), y + big * Math.sin(a));
    }
    pen.closePath();
  }
  pen.lineJoin = "round";
  pen.strokeStyle = "#fff";
  pen.lineWidth = Math.max(3, r * 0.62);
  pen.stroke();
  pen.fillStyle = colour;
  pen.fill();
  pen.strokeStyle = "#10151a";
  pen.lineWidth = Math.max(1, r * 0.2);
  pen.stroke();
}

/** Three steps in a square: a stairwell. */
export function stairs(pen, x, y, r) {
  mark(pen, "square", x, y, r, "#fff");
  pen.beginPath();
  pen.moveTo(x - 0.7 * r, y + 0.6 * r);
  pen.lineTo(x - 0.25 * r, y + 0.6 * r);
  pen.lineTo(x - 0.25 * r, y + 0.1 * r);
  pen.lineTo(x + 0.2 * r, y + 0.1 * r);
  pen.lineTo(x + 0.2 * r, y - 0.4 * r);
  pen.lineTo(x + 0.7 * r, y - 0.4 * r);
  pen.strokeStyle = INK.vermilion;
  pen.lineWidth = Math.max(1.5, r * 0.32);
  pen.stroke();
}

/** An arrow in a disc: where a road enters. */
export function entry(pen, x, y, r) {
  mark(pen, "disc", x, y, r, INK.green);
  pen.beginPath();
  pen.moveTo(x - 0.35 * r, y - 0.5 * r);
  pen.lineTo(x + 0.4 * r, y);
  pen.lineTo(x - 0.35 * r, y + 0.5 * r);
  pen.strokeStyle = "#fff";
  pen.lineWidth = Math.max(1.5, r * 0.34);
  pen.stroke();
}

const hatches = new Map();

/** Diagonal lines as a pattern; `flip` leans them the other way, `ground` lies below them. */
export function hatch(pen, colour, gap, width, flip = false, ground = null) {
  const key = [colour, gap, width, flip, ground].join();
  if (!hatches.has(key)) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = gap;
    const t = tile.getContext("2d");
    if (ground) {
      t.fillStyle = ground;
      t.fillRect(0, 0, gap, gap);
    }
    t.strokeStyle = colour;
    t.lineWidth = width;
    for (const s of [-gap, 0, gap]) {
      t.beginPath();
      t.moveTo(s - 1, flip ? -1 : gap + 1);
      t.lineTo(s + gap + 1, flip ? gap + 1 : -1);
      t.stroke();
    }
    hatches.set(key, tile);
  }
  return pen.createPattern(hatches.get(key), "repeat");
}
