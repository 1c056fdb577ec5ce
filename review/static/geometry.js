// The hex lattice on the map: as hexsight's Layout, in the terms of the Red Blob Games reference.

export const CORNERS = [[-1, -1], [1, -1], [2, 0], [1, 1], [-1, 1], [-2, 0]];
export const DIRECTIONS = [[0, -2], [3, -1], [3, 1], [0, 2], [-3, 1], [-3, -1]];

/** Lattice coordinates of a hex's centre. */
export function toLattice(col, row) {
  return [3 * col, 2 * row + (col & 1)];
}

/** Offset of the hex next to (col, row). */
export function neighbourOffset(col, row, direction) {
  const [X, Y] = toLattice(col, row);
  const [dX, dY] = DIRECTIONS[direction];
  const c = (X + dX) / 3;
  return [c, (Y + dY - (c & 1)) / 2];
}

/** Lattice of a board's layout: the affine map between lattice and board pixels. */
export function latticeOf(layout) {
  const { origin_px: o, col_px: c, row_px: r } = layout;
  const det = c[0] * r[1] - c[1] * r[0];
  const place = (X, Y) => [
    o[0] + (X / 3) * c[0] + (Y / 2) * r[0],
    o[1] + (X / 3) * c[1] + (Y / 2) * r[1],
  ];
  const corners = CORNERS.map(([X, Y]) => {
    const [x, y] = place(X, Y);
    return [x - o[0], y - o[1]];
  });
  const reach = Math.max(...corners.map(([x, y]) => Math.hypot(x, y)));
  const cellAt = (x, y) => {
    const dx = x - o[0], dy = y - o[1];
    const q = (dx * r[1] - dy * r[0]) / det;
    const s = (dy * c[0] - dx * c[1]) / det - q / 2;
    return hexRound(q, s);
  };
  return { place, corners, reach, cellAt, hexHeight: Math.hypot(r[0], r[1]), layout };
}

/** Offset of the hex in which fractional axial coordinates lie. */
export function hexRound(q, r) {
  let rq = Math.round(q), rr = Math.round(r);
  const rs = Math.round(-q - r);
  const dq = Math.abs(rq - q), dr = Math.abs(rr - r), ds = Math.abs(rs + q + r);
  if (dq > dr && dq > ds) rq = -rr - rs;
  else if (dr > ds) rr = -rq - rs;
  return [rq, rr + (rq - (rq & 1)) / 2];
}

/** Distance from a point to a segment, and where along it the nearest place lies (0–1). */
export function toSegment(x, y, a, b) {
  const ux = b[0] - a[0], uy = b[1] - a[1];
  const t = Math.max(0, Math.min(1, ((x - a[0]) * ux + (y - a[1]) * uy) / (ux * ux + uy * uy || 1)));
  return [Math.hypot(x - a[0] - t * ux, y - a[1] - t * uy), t];
}

/** Whether a point lies in rings, by the even-odd rule. */
export function inRings(x, y, rings) {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [ax, ay] = ring[i], [bx, by] = ring[j];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    }
  }
  return inside;
}

/** Box [x0, y0, x1, y1] around points. */
export function boxOf(points) {
  let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
  for (const [x, y] of points) {
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
  }
  return [x0, y0, x1, y1];
}

/** Range between two hexes. */
export function hexRange(a, b) {
  const r = (h) => h.row - (h.col - (h.col & 1)) / 2;
  const dq = a.col - b.col, dr = r(a) - r(b);
  return Math.max(Math.abs(dq), Math.abs(dr), Math.abs(dq + dr));
}

/** Vertices of a ring without those that stray less than `slack` from the line between their neighbours. */
export function simplified(ring, slack) {
  const closed = ring.length > 1 && ring[0][0] === ring.at(-1)[0] && ring[0][1] === ring.at(-1)[1];
  const points = closed ? ring.slice(0, -1) : ring.slice();
  if (points.length < 5) return points;
  let far = 0;
  points.forEach((p, i) => {
    const d = Math.hypot(p[0] - points[0][0], p[1] - points[0][1]);
    if (d > Math.hypot(points[far][0] - points[0][0], points[far][1] - points[0][1])) far = i;
  });
  const loop = [...points, points[0]];
  const keep = new Set([0, far]);
  const stack = [[0, far], [far, points.length]];
  while (stack.length) {
    const [i, j] = stack.pop();
    let worst = -1, most = slack;
    for (let k = i + 1; k < j; k++) {
      const [d] = toSegment(loop[k][0], loop[k][1], loop[i], loop[j]);
      if (d > most) { most = d; worst = k; }
    }
    if (worst >= 0) { keep.add(worst); stack.push([i, worst], [worst, j]); }
  }
  return points.filter((_, i) => keep.has(i));
}
