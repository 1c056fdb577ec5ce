"""Walls, hedges and the like: bands of a colour that follow hexsides.

A band is seen where, across the hexside, a narrow core has the colour and the
ground on both flanks has not.  That tells a wall from a building of the same
grey that reaches over the hexside.  Artists draw bands a little beside the
lattice, so the core is sought within a small shift.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Cell
from hexsight.model.layout import Layout, neighbour

# All lengths are shares of the flat-to-flat size of a hex.
_CORE = 0.035  # half width that must be covered
_FLANKS = (0.085, 0.145)  # beside the shifted core, where nothing may be
_SHIFTS = (0.0, -0.03, 0.03, -0.06, 0.06, -0.09, 0.09)
_HALF_BAND = 0.075  # half width of a band when it is painted
_SAMPLES = 25
_LEAST_OWN = 18  # mean evidence of a band's own colours, 0 to 255


@dataclass(frozen=True)
class Sides:
    """Geometry of all hexsides between two hexes of a board.

    Attributes
    ----------
    cells : (n, 2) int
        Index of both hexes in the tuple of cells, the first one lower.
    ends : (n, 2, 2) float64
        End points in board pixels.
    direction : (n,) int
        From the first hex to the second.
    """

    cells: NDArray[np.int64]
    ends: NDArray[np.float64]
    direction: NDArray[np.int64]


@dataclass(frozen=True)
class SideBands:
    """Hexsides with a band of one kind.

    Attributes
    ----------
    code : int
        Terrain code of the band.
    sides : tuple of int
        Positions in `Sides`.
    share : (n,) float32
        Of every hexside that a band covers.
    mask : (H, W) bool
        Pixels of the bands.
    confidence : (n,) float32
    """

    code: int
    sides: tuple[int, ...]
    share: NDArray[np.float32]
    mask: NDArray[np.bool_]
    confidence: NDArray[np.float32]


def sides_between(layout: Layout, cells: tuple[Cell, ...], *, outer: bool = False) -> Sides:
    """Every hexside once, in the order of its first hex; `outer` adds those at the board's edge."""
    at = {(c.col, c.row): i for i, c in enumerate(cells)}
    pairs, ends, directions = [], [], []
    for i, cell in enumerate(cells):
        for d in range(6):
            j = at.get(neighbour(cell.col, cell.row, d), -1)
            if j > i or (outer and j < 0):
                pairs.append((i, j))
                ends.append(layout.side(cell.col, cell.row, d))
                directions.append(d)
    return Sides(
        np.array(pairs, np.int64).reshape(-1, 2),
        np.array(ends, np.float64).reshape(-1, 2, 2),
        np.array(directions, np.int64),
    )


def profiles(
    plane: NDArray[np.uint8],
    ends: NDArray[np.float64],
    along: NDArray[np.float64],
    across_px: NDArray[np.float64],
) -> NDArray[np.uint8]:
    """Values of a plane on a grid along and across line segments.

    Parameters
    ----------
    plane : (H, W) uint8 ndarray
    ends : (n, 2, 2) float64 ndarray
        End points in board pixels.
    along : (k,) float64 ndarray
        Places from 0 (first end) to 1.
    across_px : (m,) float64 ndarray
        Distances to the right of the direction of travel as seen with y down.

    Returns
    -------
    (n, k, m) uint8 ndarray
        0 outside of the plane.
    """
    step = ends[:, 1] - ends[:, 0]
    unit = step / np.maximum(np.linalg.norm(step, axis=1, keepdims=True), 1e-9)
    normal = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
    x = ends[:, 0, 0, None, None] + along[:, None] * step[:, 0, None, None]
    x = np.rint(x + across_px * normal[:, 0, None, None]).astype(np.int64)
    y = ends[:, 0, 1, None, None] + along[:, None] * step[:, 1, None, None]
    y = np.rint(y + across_px * normal[:, 1, None, None]).astype(np.int64)
    height, width = plane.shape
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    found = plane[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    return np.where(inside, found, 0).astype(np.uint8)


def find_bands(
    evidence: NDArray[np.uint8],
    layout: Layout,
    sides: Sides,
    code: int,
    *,
    own: NDArray[np.uint8] | None = None,
    least: float = 0.5,
) -> SideBands:
    """Hexsides along which a band runs.

    Parameters
    ----------
    evidence : (H, W) uint8 ndarray
        How surely a pixel has the band's colours, 255 = sure; slightly blurred.
    layout : Layout
    sides : Sides
    code : int
        Terrain code to report.
    own : (H, W) uint8 ndarray, optional
        The same for colours that the band shares with nothing else.  Where
        hardly any of them is seen the band is refused: rubble and rails are
        grey too.
    least : float
        Share of the hexside from which it counts.
    """
    s = layout.dy
    along = np.linspace(0.06, 0.94, _SAMPLES)
    spacing = max(1.0, 0.02 * s)
    reach = max(_SHIFTS) + _FLANKS[1]
    across = np.arange(-np.ceil(reach * s / spacing), np.ceil(reach * s / spacing) + 1) * spacing
    profile = profiles(evidence, sides.ends, along, across).astype(np.float32) / 255.0
    share = np.zeros(len(sides.ends), np.float32)
    shift = np.zeros(len(sides.ends), np.float32)
    for offset in _SHIFTS:
        rel = np.abs(across / s - offset)
        signed = across / s - offset
        core = profile[:, :, rel <= _CORE].mean(axis=2)
        flank = (rel >= _FLANKS[0]) & (rel <= _FLANKS[1])
        left = profile[:, :, flank & (signed < 0)].mean(axis=2)
        right = profile[:, :, flank & (signed > 0)].mean(axis=2)
        seen = core > 0.55
        both = (seen & (left < 0.4) & (right < 0.4)).mean(axis=1)
        one = (seen & ((left < 0.4) | (right < 0.4))).mean(axis=1)
        # A building may stand close beside a part of a wall, never beside all of it on both sides.
        now = np.where(both >= 0.3, np.maximum(both, one), both).astype(np.float32)
        better = now > share + (0.0 if offset == 0.0 else 0.05)
        share[better], shift[better] = now[better], offset
    if own is not None:
        core = profiles(own, sides.ends, along, np.array([-_CORE, 0.0, _CORE]) * s)
        share[core.mean(axis=(1, 2)) < _LEAST_OWN] = 0.0
    chosen = np.flatnonzero(share >= least)
    mask = _paint(evidence, s, sides.ends[chosen], shift[chosen])
    confidence = np.clip(np.abs(share - least) / (1 - least), 0, 1).astype(np.float32)
    return SideBands(code, tuple(int(i) for i in chosen), share, mask, confidence)


def _paint(
    evidence: NDArray[np.uint8],
    s: float,
    ends: NDArray[np.float64],
    shift: NDArray[np.float32],
) -> NDArray[np.bool_]:
    """Pixels near the found bands that have their colour."""
    near = np.zeros(evidence.shape, np.uint8)
    for (a, b), offset in zip(ends, shift, strict=True):
        step = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
        move = np.array([-step[1], step[0]]) * float(offset) * s
        p, q = np.rint((np.stack([a, b]) + move) * 16).astype(int)
        thickness = max(1, round(2 * _HALF_BAND * s))
        cv2.line(near, tuple(p.tolist()), tuple(q.tolist()), 1, thickness, cv2.LINE_8, 4)
    return (near > 0) & (evidence > 100)


def draw_bands(
    rgb: NDArray[np.uint8], result: SideBands, colour: tuple[int, int, int] = (255, 0, 255)
) -> NDArray[np.uint8]:
    """Picture with the bands' pixels half covered by a colour."""
    out = rgb.copy()
    out[result.mask] = (out[result.mask] // 2 + np.array(colour, np.uint8) // 2).astype(np.uint8)
    return out
