"use strict";
(async () => {
  const $ = (id) => document.getElementById(id);
  const facts = JSON.parse($("facts").textContent);
  const { hexes, locations, levels } = facts;
  const n = locations.length;
  const [width, height] = facts.size;
  const [origin, colStep, rowStep] = facts.layout;
  const BEYOND = 63, FIRST_REASON = 64;
  const ANY = -1;
  const CLEAR = 0, HINDERED = 1, BLOCKED = 2, FAR = 3, NONE = 4;
  const CORNERS = [[-1, -1], [1, -1], [2, 0], [1, 1], [-1, 1], [-2, 0]];

  const byName = new Map(hexes.map((h, i) => [h[0].toUpperCase(), i]));
  const byCell = new Map(hexes.map((h, i) => [h[1] + "," + h[2], i]));
  const ofHex = hexes.map(() => []);
  locations.forEach(([hex], i) => ofHex[hex].push(i));

  // Lattice to map pixels: as in hexsight's Layout; a pixel's middle is half a pixel in.
  const place = (X, Y) => [
    origin[0] + (X / 3) * colStep[0] + (Y / 2) * rowStep[0] + 0.5,
    origin[1] + (X / 3) * colStep[1] + (Y / 2) * rowStep[1] + 0.5,
  ];
  const centres = hexes.map((h) => place(3 * h[1], 2 * h[2] + (h[1] & 1)));
  const zero = place(0, 0);
  const corners = CORNERS.map(([X, Y]) => {
    const [x, y] = place(X, Y);
    return [x - zero[0], y - zero[1]];
  });
  const reach = Math.max(...corners.map(([x, y]) => Math.hypot(x, y)));
  const hexHeight = Math.hypot(rowStep[0], rowStep[1]);

  const hexAt = (x, y) => {
    const det = colStep[0] * rowStep[1] - colStep[1] * rowStep[0];
    const dx = x - 0.5 - origin[0], dy = y - 0.5 - origin[1];
    const q = (dx * rowStep[1] - dy * rowStep[0]) / det;
    const r = (dy * colStep[0] - dx * colStep[1]) / det - q / 2;
    let rq = Math.round(q), rr = Math.round(r);
    const rs = Math.round(-q - r);
    const dq = Math.abs(rq - q), dr = Math.abs(rr - r), ds = Math.abs(rs + q + r);
    if (dq > dr && dq > ds) rq = -rr - rs;
    else if (dr > ds) rr = -rq - rs;
    const found = byCell.get(rq + "," + (rr + (rq - (rq & 1)) / 2));
    return found === undefined ? null : found;
  };
  const range = (a, b) => {
    const r = (h) => h[2] - (h[1] - (h[1] & 1)) / 2;
    const dq = hexes[a][1] - hexes[b][1], dr = r(hexes[a]) - r(hexes[b]);
    return Math.max(Math.abs(dq), Math.abs(dr), Math.abs(dq + dr));
  };
  const halves = (value) => {
    const whole = Math.floor(Math.abs(value) / 2);
    const text = (whole || value % 2 === 0 ? String(whole) : "") + (value % 2 ? "½" : "");
    return (value < 0 ? "−" : "") + text;
  };

  const table = await unpack($("packed").textContent);
  if (!table) return;
  $("packed").remove();

  async function unpack(text) {
    if (typeof DecompressionStream === "undefined") {
      $("verdict").textContent = "This browser is too old for this page: it lacks DecompressionStream.";
      return null;
    }
    const raw = atob(text.trim());
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  const value = (i, j) => {
    if (i === j) return 0;
    if (i > j) [i, j] = [j, i];
    return table[(i * (2 * n - i - 1)) / 2 + j - i - 1];
  };
  const kind = (v) => (v === 0 ? CLEAR : v < BEYOND ? HINDERED : v === BEYOND ? FAR : BLOCKED);
  const rank = (v) => (v < BEYOND ? v : v === BEYOND ? 256 : v);
  // The best answer that a hex gives on the level that is shown; null where it has none.
  const best = (from, hex) => {
    let found = null;
    for (const j of ofHex[hex]) {
      if (shown !== ANY && locations[j][1] !== shown) continue;
      const v = value(from, j);
      if (found === null || rank(v) < rank(found)) found = v;
    }
    return found;
  };
  const says = (v) =>
    v === 0 ? "clear" : v < BEYOND ? "hindered by " + v : v === BEYOND ? "not in this page" : "blocked";
  const why = (v) => {
    if (v === BEYOND) return "Farther than " + facts.range + " hexes.";
    if (v < FIRST_REASON) return "";
    if (!facts.told) return "This table holds no reasons; build one with hexsight table build.";
    const told = facts.reasons[v - FIRST_REASON];
    return told ? told[0] + ": " + told[1] : "";
  };
  const levelOf = (i) => levels[locations[i][1]];
  const groundOf = (hex) => ofHex[hex].find((i) => levelOf(i) === "ground") ?? ofHex[hex][0];
  const nameOf = (i) => hexes[locations[i][0]][0] + " (" + levelOf(i) + ")";

  let from = 0, target = null, hover = null, shown = ANY, zoom = 1;
  let states = new Uint8Array(hexes.length), amounts = new Uint8Array(hexes.length);

  function describe(index) {
    const [, , , terrain, base, building, tall, flags] = hexes[index];
    const parts = [facts.terrains[terrain]];
    if (base) parts.push("ground at level " + halves(base));
    if (building) {
      parts.push(facts.buildings[building] + " of " + halves(tall) + (tall === 2 ? " level" : " levels"));
      if (flags & 2) parts.push("roofless");
      if (flags & 4) parts.push("stairs");
    }
    return parts.join(", ") + ".";
  }

  function look() {
    const counts = [0, 0, 0, 0, 0];
    const names = [[], []];
    hexes.forEach((h, i) => {
      const v = best(from, i);
      const state = v === null ? NONE : kind(v);
      states[i] = state;
      amounts[i] = state === HINDERED ? v : 0;
      if (i === locations[from][0]) return;
      counts[state]++;
      if (state === CLEAR) names[0].push(h[0]);
      if (state === HINDERED) names[1].push(h[0] + "\u00a0(" + v + ")");
    });
    const on = shown === ANY ? "on the level best seen" : "on the level: " + levels[shown];
    $("seen-title").textContent = "Seen from " + nameOf(from) + ", " + on;
    const words = ["clear", "hindered (number: Hindrance)", "blocked", "farther than " + facts.range + " hexes", "without such a level"];
    ["n-clear", "n-hindered", "n-blocked", "n-beyond", "n-nolevel"].forEach((id, k) => {
      $(id).textContent = counts[k] + " hexes " + words[k];
    });
    $("beyond").hidden = facts.range === null;
    $("nolevel").hidden = counts[NONE] === 0;
    $("list").textContent =
      "Clear: " + (names[0].join(", ") || "none") + ". Hindered: " + (names[1].join(", ") || "none") + ".";
    answer();
    draw();
  }

  function answer() {
    const hex = hover === null ? target : hover;
    const rows = $("answers").tBodies[0];
    rows.replaceChildren();
    if (hex === null) {
      $("verdict").textContent = "Point at a hex, or type one under To.";
      $("facts-to").textContent = $("more").textContent = "";
      $("answers").hidden = true;
      return;
    }
    const v = best(from, hex);
    const away = range(locations[from][0], hex);
    $("verdict").textContent =
      nameOf(from) + " to " + hexes[hex][0] + ": " + (v === null ? "no such level" : says(v)) + ", range " + away;
    $("facts-to").textContent = hexes[hex][0] + ": " + describe(hex);
    for (const j of ofHex[hex]) {
      const w = value(from, j);
      const row = rows.insertRow();
      for (const text of [levelOf(j), j === from ? "the same place" : says(w), j === from ? "" : why(w)]) {
        row.insertCell().textContent = text;
      }
    }
    $("answers").hidden = false;
    const ends = ofHex[hex].length ? codeOf(from) + " " + codeOf(groundOf(hex)) : "";
    $("more").textContent = ends && "Every reason with its place: hexsight los BOARD " + ends;
  }

  // What is drawn covers the part of the map that is seen, whatever the map's size.
  const scroll = $("scroll"), sheet = $("sheet"), over = $("over"), pen = over.getContext("2d");
  const hatch = (() => {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const t = tile.getContext("2d");
    t.fillStyle = "rgba(90,96,104,.35)";
    t.fillRect(0, 0, 8, 8);
    t.strokeStyle = "rgba(20,24,29,.7)";
    t.lineWidth = 2;
    t.beginPath();
    for (const s of [-8, 0, 8]) { t.moveTo(s, 8); t.lineTo(s + 8, 0); }
    t.stroke();
    return pen.createPattern(tile, "repeat");
  })();
  const FILLS = ["rgba(86,180,233,.30)", "rgba(230,159,0,.58)", "rgba(16,18,24,.66)", hatch, "rgba(154,160,166,.62)"];
  let waiting = false;

  function draw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; paint(); });
  }

  function outline(index) {
    const [x, y] = centres[index];
    pen.beginPath();
    corners.forEach(([dx, dy], k) => pen[k ? "lineTo" : "moveTo"]((x + dx) * zoom, (y + dy) * zoom));
    pen.closePath();
  }

  function ring(index, colour) {
    outline(index);
    pen.setLineDash([]);
    pen.lineJoin = "round";
    for (const [size, ink] of [[7, "#000"], [3.5, colour]]) {
      pen.lineWidth = size;
      pen.strokeStyle = ink;
      pen.stroke();
    }
  }

  function paint() {
    const dpr = Math.min(2, window.devicePixelRatio || 1);
    const w = scroll.clientWidth, h = scroll.clientHeight;
    over.width = Math.max(1, Math.round(w * dpr));
    over.height = Math.max(1, Math.round(h * dpr));
    over.style.width = w + "px";
    over.style.height = h + "px";
    const left = scroll.scrollLeft, top = scroll.scrollTop;
    pen.setTransform(dpr, 0, 0, dpr, -left * dpr, -top * dpr);
    const slack = reach * zoom;
    const seen = [];
    centres.forEach(([x, y], i) => {
      const px = x * zoom, py = y * zoom;
      if (px > left - slack && px < left + w + slack && py > top - slack && py < top + h + slack) seen.push(i);
    });
    pen.beginPath();
    pen.rect(0, 0, width * zoom, height * zoom);
    pen.save();
    pen.clip();
    FILLS.forEach((fill, state) => {
      pen.beginPath();
      for (const i of seen) {
        if (states[i] !== state || i === locations[from][0]) continue;
        const [x, y] = centres[i];
        corners.forEach(([dx, dy], k) => pen[k ? "lineTo" : "moveTo"]((x + dx) * zoom, (y + dy) * zoom));
        pen.closePath();
      }
      pen.fillStyle = fill;
      pen.fill();
    });
    const size = hexHeight * zoom * 0.34;
    if (size >= 7) {
      pen.font = "700 " + size + "px system-ui, sans-serif";
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.lineWidth = size / 4;
      pen.lineJoin = "round";
      pen.strokeStyle = "#fff";
      pen.fillStyle = "#000";
      for (const i of seen) {
        if (!amounts[i]) continue;
        const [x, y] = [centres[i][0] * zoom, centres[i][1] * zoom];
        pen.strokeText(amounts[i], x, y);
        pen.fillText(amounts[i], x, y);
      }
    }
    const to = hover === null ? target : hover;
    if (to !== null && to !== locations[from][0]) {
      const v = best(from, to);
      const state = v === null ? BLOCKED : kind(v);
      const [a, b] = [centres[locations[from][0]], centres[to]];
      pen.lineCap = "round";
      for (const [thick, ink] of [[6, "#000"], [3, state === CLEAR ? "#56b4e9" : state === HINDERED ? "#e69f00" : "#fff"]]) {
        pen.setLineDash(ink === "#fff" ? [2, 9] : []);
        pen.lineWidth = thick;
        pen.strokeStyle = ink;
        pen.beginPath();
        pen.moveTo(a[0] * zoom, a[1] * zoom);
        pen.lineTo(b[0] * zoom, b[1] * zoom);
        pen.stroke();
      }
    }
    if (to !== null) ring(to, "#ffffff");
    ring(locations[from][0], "#f0e442");
    pen.restore();
  }

  function setZoom(wanted, keep) {
    const old = zoom;
    const mx = (scroll.scrollLeft + scroll.clientWidth / 2) / old, my = (scroll.scrollTop + scroll.clientHeight / 2) / old;
    zoom = Math.min(4, Math.max(0.05, wanted));
    sheet.style.width = width * zoom + "px";
    sheet.style.height = height * zoom + "px";
    if (keep) scroll.scrollTo(mx * zoom - scroll.clientWidth / 2, my * zoom - scroll.clientHeight / 2);
    draw();
  }
  const fit = () => Math.min(scroll.clientWidth / width, scroll.clientHeight / height);

  function reveal(index) {
    const [x, y] = [centres[index][0] * zoom, centres[index][1] * zoom];
    const room = 2 * reach * zoom;
    let { scrollLeft: left, scrollTop: top } = scroll;
    if (x < left + room || x > left + scroll.clientWidth - room) left = x - scroll.clientWidth / 2;
    if (y < top + room || y > top + scroll.clientHeight - room) top = y - scroll.clientHeight / 2;
    scroll.scrollTo(left, top);
  }

  const codeOf = (i) => hexes[locations[i][0]][0] + suffix(i);
  const suffix = (i) => {
    const word = levelOf(i);
    if (word === "ground") return "";
    return "@" + ({ rooftop: "roof", cellar: "-1" }[word] || word.replace("level ", ""));
  };
  function remember() {
    const parts = [codeOf(from)];
    if (target !== null) parts.push(hexes[target][0]);
    try {
      history.replaceState(null, "", "#" + parts.map(encodeURIComponent).join("/"));
    } catch (error) {
      // Some browsers forbid it in files; the address then merely does not follow.
    }
  }

  function setFrom(location, show) {
    from = location;
    const hex = locations[from][0];
    $("from").value = hexes[hex][0];
    $("from-level").replaceChildren(...ofHex[hex].map((i) => new Option(levelOf(i), i, false, i === from)));
    if (show) reveal(hex);
    remember();
    look();
  }
  function setTarget(hex, show) {
    target = hex;
    $("to").value = hex === null ? "" : hexes[hex][0];
    if (show && hex !== null) reveal(hex);
    remember();
    answer();
    draw();
  }
  // A hex that is looked from keeps the level that was looked from, if it has it.
  const sameLevel = (hex) =>
    ofHex[hex].find((i) => locations[i][1] === locations[from][1]) ?? groundOf(hex);
  const next = (list, item) => list[(list.indexOf(item) + 1) % list.length];

  function typed(field, done) {
    const text = field.value.trim().toUpperCase();
    const found = byName.get(text);
    $("problem").textContent = "";
    if (found !== undefined && ofHex[found].length) return done(found);
    if (!text) return done(null);
    const near = hexes.filter((h) => h[0].toUpperCase().startsWith(text)).slice(0, 5).map((h) => h[0]);
    $("problem").textContent = "There is no hex " + field.value + "." + (near.length ? " Some that begin so: " + near.join(", ") + "." : "");
  }

  $("names").append(...hexes.map((h) => new Option(h[0], h[0])));
  $("to-level").append(new Option("any level, the best seen", ANY), ...levels.map((word, k) => new Option(word, k)));
  $("from").addEventListener("change", () => typed($("from"), (hex) => { if (hex !== null) setFrom(sameLevel(hex), true); }));
  $("to").addEventListener("change", () => typed($("to"), (hex) => setTarget(hex, true)));
  $("from-level").addEventListener("change", () => setFrom(Number($("from-level").value), false));
  $("to-level").addEventListener("change", () => { shown = Number($("to-level").value); look(); });
  $("larger").addEventListener("click", () => setZoom(zoom * 1.3, true));
  $("smaller").addEventListener("click", () => setZoom(zoom / 1.3, true));
  $("whole").addEventListener("click", () => setZoom(fit(), false));

  const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;
  const themed = () => (document.documentElement.dataset.theme || (dark() ? "dark" : "light")) === "dark";
  $("theme").setAttribute("aria-pressed", themed());
  $("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = themed() ? "light" : "dark";
    $("theme").setAttribute("aria-pressed", themed());
  });

  const under = (event) => {
    const box = sheet.getBoundingClientRect();
    return hexAt((event.clientX - box.left) / zoom, (event.clientY - box.top) / zoom);
  };
  sheet.addEventListener("pointermove", (event) => {
    const hex = event.pointerType === "mouse" ? under(event) : null;
    if (hex !== hover) { hover = hex; answer(); draw(); }
  });
  sheet.addEventListener("pointerleave", () => { hover = null; answer(); draw(); });
  sheet.addEventListener("click", (event) => {
    const hex = under(event);
    if (hex === null || !ofHex[hex].length) return;
    if ($("click-to").checked) setTarget(hex, false);
    else setFrom(sameLevel(hex), false);
  });
  scroll.addEventListener("scroll", draw);
  new ResizeObserver(draw).observe(scroll);

  const ARROWS = facts.sideways
    ? { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }
    : { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  scroll.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = ARROWS[event.key];
    if (step) {
      event.preventDefault();
      hover = null;
      const at = target === null ? locations[from][0] : target;
      const found = byCell.get(hexes[at][1] + step[0] + "," + (hexes[at][2] + step[1]));
      setTarget(found === undefined ? at : found, true);
    } else if (event.key === "Enter" && target !== null && ofHex[target].length) {
      setFrom(sameLevel(target), true);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = event.target instanceof HTMLElement ? event.target.tagName : "";
    if (at === "INPUT" && event.target.type === "text" || at === "SELECT") return;
    const act = {
      "/": () => { $("from").focus(); $("from").select(); },
      l: () => setFrom(next(ofHex[locations[from][0]], from), false),
      m: () => {
        shown = next([ANY, ...levels.keys()], shown);
        $("to-level").value = String(shown);
        look();
      },
      x: () => {
        if (target === null || !ofHex[target].length) return;
        const hex = locations[from][0];
        from = sameLevel(target);
        target = hex;
        $("to").value = hexes[hex][0];
        setFrom(from, false);
      },
      "+": () => setZoom(zoom * 1.3, true),
      "=": () => setZoom(zoom * 1.3, true),
      "-": () => setZoom(zoom / 1.3, true),
      0: () => setZoom(fit(), false),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act) { event.preventDefault(); act(); }
  });

  function fromAddress() {
    let parts;
    try {
      parts = location.hash.slice(1).split("/").map(decodeURIComponent);
    } catch (error) {
      return false;
    }
    const wanted = parts[0].toUpperCase();
    const found = locations.findIndex((_, i) => codeOf(i).toUpperCase() === wanted);
    if (found < 0) return false;
    const to = parts.length > 1 ? byName.get(parts[1].toUpperCase()) : undefined;
    if (to !== undefined) { target = to; $("to").value = hexes[to][0]; }
    setFrom(found, true);
    return true;
  }
  window.addEventListener("hashchange", fromAddress);

  setZoom(Math.max(fit(), Math.min(1, 40 / hexHeight)), false);
  if (!fromAddress()) {
    let middle = 0, least = Infinity;
    hexes.forEach((h, i) => {
      const away = Math.hypot(centres[i][0] - width / 2, centres[i][1] - height / 2);
      if (away < least && ofHex[i].length) { least = away; middle = i; }
    });
    setFrom(groundOf(middle), true);
  }
  document.documentElement.dataset.ready = "yes";
})();
