"""Robust least squares: five or six numbers from thousands of small distances.

Whatever was seen beside its predicted place, a hexside's line or a dot, tells a
distance along one direction.  These distances are linear in the affine map of
the lattice, so the fit is a small linear system, solved again and again while
what does not belong loses its vote.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hexsight.model.layout import DIRECTIONS, Layout, to_lattice

# Limit of Tukey's biweight, in standard deviations, at which it wastes only 5 % of what
# honest measurements tell; a tighter one votes down half of the wobble of hand-drawn hexes
# and drifts to whichever half it met first.
_BIWEIGHT = 4.685


@dataclass(frozen=True)
class Solution:
    """Outcome of a least squares fit.

    Attributes
    ----------
    layout : Layout
    used : (n,) bool ndarray
        Places that count in the end.
    rest_px : (n,) float64 ndarray
        Distances of what was seen from the fitted places.
    scatter_px : float
        Robust standard deviation of these distances.
    """

    layout: Layout
    used: NDArray[np.bool_]
    rest_px: NDArray[np.float64]
    scatter_px: float


def solve(
    layout: Layout,
    at: NDArray[np.float64],
    normal: NDArray[np.float64],
    offset_px: NDArray[np.float64],
    strength: NDArray[np.float64],
    *,
    tolerance_px: float,
    skew: bool,
) -> Solution:
    """Layout that brings predicted places onto what was seen beside them.

    Tukey's biweight, with a limit that shrinks from `tolerance_px` to what the
    scatter of the good ones asks for.

    Parameters
    ----------
    layout : Layout
        Start.
    at : (n, 2) float64 ndarray
        Lattice coordinates of the places: middles of hexsides, or dots.
    normal : (n, 2) float64 ndarray
        Unit vectors in the picture along which the distances were taken.
    offset_px : (n,) float64 ndarray
        Distance from the predicted place to what was seen.
    strength : (n,) float64 ndarray
        How clearly it was seen; above the third quartile all count alike.
    tolerance_px : float
        Largest distance that counts at all.
    skew : bool
        Six numbers (any affine map) if True; else five, with the column axis
        square to the row axis, which a handful of hand-drawn hexes can bear.
    """
    centre = at.mean(axis=0)
    target = offset_px
    if not skew:
        upright = squared(layout, centre)
        way = layout.lattice_to_pixel(at) - upright.lattice_to_pixel(at)
        target = target + (way * normal).sum(axis=1)
        layout = upright
    u, v = (at[:, 0] - centre[0]) / 3.0, (at[:, 1] - centre[1]) / 2.0
    reach = max(float(np.abs(u).max()), float(np.abs(v).max()), 1.0)
    u, v = u / reach, v / reach
    c_axis = np.array(layout.col_px) / layout.dx
    r_axis = np.array(layout.row_px) / layout.dy
    nc, nr = normal @ c_axis, normal @ r_axis
    columns = [normal[:, 0], normal[:, 1], u * nc, v * nr]
    if skew:
        columns += [u * nr, v * nc]
    else:
        turn = float(np.sign(c_axis[0] * r_axis[1] - c_axis[1] * r_axis[0]))
        columns.append(turn * (u * nr - v * nc * layout.dy / layout.dx))
    matrix = np.stack(columns, axis=-1)
    strong = float(np.percentile(strength, 75))
    vote = np.minimum(strength, strong)
    p = np.zeros(matrix.shape[1])
    limit = scatter = tolerance_px
    rest = target
    for _ in range(14):
        w = vote * np.clip(1 - (rest / limit) ** 2, 0, None) ** 2
        # A little weight on "no change" keeps a handful of sides from bending the map.
        ridge = 1e-6 * max(float(w.sum()), 1e-9) * np.eye(len(p))
        p = np.linalg.solve((matrix * w[:, None]).T @ matrix + ridge, matrix.T @ (w * target))
        rest = target - matrix @ p
        good = (np.abs(rest) < limit) & (vote > 0)
        if not good.any():
            break
        scatter = 1.4826 * float(np.median(np.abs(rest[good])))
        limit = min(max(0.75 * limit, _BIWEIGHT * scatter, 0.6), tolerance_px)
    if skew:
        step_c = (p[2] * c_axis + p[4] * r_axis) / reach
        step_r = (p[3] * r_axis + p[5] * c_axis) / reach
    else:
        swing = turn * p[4]
        step_c = (p[2] * c_axis + swing * r_axis) / reach
        step_r = (p[3] * r_axis - swing * layout.dy / layout.dx * c_axis) / reach
    o = np.array(layout.origin_px) + p[:2] - centre[0] / 3 * step_c - centre[1] / 2 * step_r
    fitted = _layout(
        o, np.array(layout.col_px) + step_c, np.array(layout.row_px) + step_r, layout.sideways
    )
    used = (np.abs(rest) < limit) & (vote > 0.25 * strong)
    return Solution(fitted if skew else squared(fitted, centre), used, rest, scatter)


def squared(layout: Layout, fixed: NDArray[np.float64]) -> Layout:
    """The layout without skew, turned half way between its axes about a fixed lattice point."""
    square = Layout.from_grid(
        layout.dx,
        layout.dy,
        layout.x0,
        layout.y0,
        sideways=layout.sideways,
        rot_deg=layout.rot_deg + layout.skew_deg / 2,
    )
    x, y = square.origin_px + layout.lattice_to_pixel(fixed) - square.lattice_to_pixel(fixed)
    return replace(square, origin_px=(float(x), float(y)))


def _layout(
    o: NDArray[np.float64], c: NDArray[np.float64], r: NDArray[np.float64], sideways: bool
) -> Layout:
    return Layout(
        (float(o[0]), float(o[1])), (float(c[0]), float(c[1])), (float(r[0]), float(r[1])), sideways
    )


def plausible(layout: Layout) -> bool:
    """True for hexes that a printed map can have: nearly regular, little skew."""
    ratio = layout.dx / layout.dy / (math.sqrt(3) / 2)
    return 0.8 < ratio < 1.25 and abs(layout.skew_deg) < 8.0


def canonical(layout: Layout) -> Layout:
    """The same lattice, as upright as can be, hex (0, 0) nearest the top left of the picture."""
    upright = _upright(layout)
    col, row = (int(v) for v in upright.pixel_to_hex((0.0, 0.0)))
    x, y = upright.lattice_to_pixel(to_lattice(col, row))
    return replace(upright, origin_px=(float(x), float(y)))


def _upright(layout: Layout) -> Layout:
    """The lattice with rows down (flat tops) or across (pointy tops), whichever turns less."""
    o = np.array(layout.origin_px)
    steps = [layout.lattice_to_pixel(d) - o for d in DIRECTIONS]
    best: tuple[float, Layout] | None = None
    for k, row in enumerate(steps):
        for other in (steps[(k + 1) % 6], steps[(k - 1) % 6]):
            col = other - row / 2
            sideways = bool(abs(row[0]) > abs(row[1]))
            # Rows run down or to the right, and so do columns.
            if row[0 if sideways else 1] <= 0 or col[1 if sideways else 0] <= 0:
                continue
            turned = _layout(o, col, row, sideways)
            turn = abs(turned.rot_deg) + abs(turned.rot_deg + turned.skew_deg)
            # As found, unless another reading is clearly more upright.
            turn += 0.0 if sideways == layout.sideways else 1.0
            if best is None or turn < best[0] - 1e-9:
                best = (turn, turned)
    assert best is not None  # the six steps go all round
    return best[1]
