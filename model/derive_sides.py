"""What lies along each hexside: black bars with the vertices they reach, walls, hedges.

A bar is measured on the label raster along the hexside, whatever put it there:
a detector, LOSData or an override.  So both sources and every correction go
the same way.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import (
    HexFacts,
    HexsideFacts,
    hexside_name,
    parse_hexside,
    side_vertices,
    vertex_name,
)
from hexsight.model.layout import Layout, neighbour
from hexsight.model.overrides import HexsideOverride
from hexsight.model.terrain import BAR_KINDS, HEXSIDE_KINDS, Catalogue

SAMPLES = 48  # points along a hexside
# Widths as shares of the hex height.
BAR_REACH = 0.045  # a printed bar lies at most this far beside its hexside
WALL_REACH = 0.08  # walls and hedges are drawn looser
GAP_SHARE = 0.13  # a hole in a bar shorter than this is a label or a dot printed over it
# A bar's thickness spills on to the other hexsides at its end; shorter runs are that.
MIN_RUN = 0.2
# How near a run must come to the end of the hexside to reach its vertex.
VERTEX_SHARE = 0.08
WALL_SHARE = 0.5  # share of a hexside that a wall or hedge must cover
MIN_INSIDE = 0.15  # share of a hexside that must lie in a building for a bar to be one


@dataclass(frozen=True)
class _Sampler:
    """Looks at a raster along hexsides.

    points : (n, SAMPLES, k, 2) pixel positions, k of them across the side
    """

    rows: NDArray[np.intp]
    cols: NDArray[np.intp]
    inside: NDArray[np.bool_]

    def codes(self, raster: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Values of a raster at the points: (n, SAMPLES, k)."""
        found: NDArray[np.uint8] = raster[self.rows, self.cols]
        return found

    def any(self, wanted: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether any of the points across a place is wanted: (n, SAMPLES) bool."""
        found: NDArray[np.bool_] = np.any(wanted & self.inside, axis=2)
        return found

    def middle(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether the point on the hexside itself is in the mask: (n, SAMPLES) bool."""
        k = self.rows.shape[2] // 2
        found: NDArray[np.bool_] = mask[self.rows[:, :, k], self.cols[:, :, k]]
        return found & self.inside[:, :, k]


def _sampler(ends: NDArray[np.float64], reach_px: float, shape: tuple[int, int]) -> _Sampler:
    t = (np.arange(SAMPLES) + 0.5) / SAMPLES
    along = ends[:, 1] - ends[:, 0]
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    k = max(1, round(reach_px))
    across = np.arange(-k, k + 1) * (reach_px / k)
    points = (
        ends[:, None, None, 0]
        + along[:, None, None] * t[None, :, None, None]
        + normal[:, None, None] * across[None, None, :, None]
    )
    cols = np.rint(points[..., 0]).astype(np.intp)
    rows = np.rint(points[..., 1]).astype(np.intp)
    inside = (cols >= 0) & (cols < shape[1]) & (rows >= 0) & (rows < shape[0])
    return _Sampler(np.clip(rows, 0, shape[0] - 1), np.clip(cols, 0, shape[1] - 1), inside)


def hexside_facts(
    layout: Layout,
    hexes: tuple[HexFacts, ...],
    terrain: NDArray[np.uint8],
    in_building: NDArray[np.bool_],
    catalogue: Catalogue,
    overrides: dict[str, HexsideOverride],
    only: Container[tuple[tuple[int, int], int]] | None = None,
) -> tuple[HexsideFacts, ...]:
    """Facts of every pair of touching hexes.

    Parameters
    ----------
    layout : Layout
    hexes : tuple of HexFacts
    terrain : (H, W) uint8
        Label raster.
    in_building : (H, W) bool
        Inside any building's depiction.
    catalogue : Catalogue
    overrides : dict of str to HexsideOverride
        Bars are already painted into `terrain`; how far one reaches, and a
        ``terrain``, are taken as a person says.
    only : container of ((int, int), int), optional
        Sides by first hex and direction; the others are left out.

    Returns
    -------
    tuple of HexsideFacts
        In the order of `hexes`, each hexside at its first hex.
    """
    names = {(h.col, h.row): h.name for h in hexes}
    pairs = [
        ((h.col, h.row), d)
        for h in hexes
        for d in range(6)
        if (n := neighbour(h.col, h.row, d)) in names
        and n > (h.col, h.row)
        and (only is None or ((h.col, h.row), d) in only)
    ]
    if not pairs:
        return ()
    ends = layout.lattice_to_pixel([side_vertices(c, d) for c, d in pairs])
    bars = _sampler(ends, BAR_REACH * layout.dy, terrain.shape)
    on_bar = bars.any(catalogue.table(kind=BAR_KINDS)[bars.codes(terrain)])
    inside = bars.middle(in_building)
    walls = _sampler(ends, WALL_REACH * layout.dy, terrain.shape)
    wall_codes = np.flatnonzero(catalogue.table(kind=HEXSIDE_KINDS))
    found = walls.codes(terrain)
    here = np.bincount(found.ravel(), minlength=256) > 0
    wall_cov = np.stack(
        [
            walls.any(found == code).mean(axis=1) if here[code] else np.zeros(len(pairs))
            for code in wall_codes
        ],
        axis=1,
    )
    wanted = _by_side(overrides, {h.name: (h.col, h.row) for h in hexes})
    heights = {h.name: h.height_half for h in hexes}
    out = []
    for i, (cell, d) in enumerate(pairs):
        a, b = names[cell], names[neighbour(*cell, d)]
        runs = _runs(on_bar[i]) if inside[i].mean() >= MIN_INSIDE else ()
        best = int(wall_cov[i].argmax())
        code = int(wall_codes[best]) if wall_cov[i, best] >= WALL_SHARE else 0
        override = wanted.get((cell, d))
        if override is not None and override.bar is not None:
            runs = _told(override.bar) if inside[i].mean() >= MIN_INSIDE else ()
        if override is not None and override.terrain is not None:
            code = 0 if override.terrain == "none" else catalogue.named(override.terrain).code
        out.append(
            HexsideFacts(
                name=hexside_name(names, cell, d),
                a=a,
                b=b,
                direction=d,
                bar=runs,
                bar_share=round(sum(t1 - t0 for t0, t1 in runs), 3),
                vertices=_reached(names, cell, d, runs, ends[i], in_building),
                bar_half=max(heights[a], heights[b]) if runs else 0,
                building_share=round(float(inside[i].mean()), 3),
                terrain=code,
            )
        )
    return tuple(out)


def _by_side(
    overrides: dict[str, HexsideOverride], by_name: dict[str, tuple[int, int]]
) -> dict[tuple[tuple[int, int], int], HexsideOverride]:
    out = {}
    for text, override in overrides.items():
        first, _, direction = parse_hexside(text, by_name)
        out[(first, direction)] = override
    return out


def _told(bar: Literal["full", "none"] | tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """Covered intervals as a person says."""
    if bar == "none":
        return ()
    return ((0.0, 1.0),) if bar == "full" else ((round(bar[0], 3), round(bar[1], 3)),)


def _runs(covered: NDArray[np.bool_]) -> tuple[tuple[float, float], ...]:
    """Covered intervals, small holes closed and short runs dropped."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], covered.astype(np.int8), [0]])))
    runs = [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
    joined: list[tuple[int, int]] = []
    for a, b in runs:
        if joined and a - joined[-1][1] <= GAP_SHARE * SAMPLES:
            joined[-1] = (joined[-1][0], b)
        else:
            joined.append((a, b))
    return tuple(
        (round(a / SAMPLES, 3), round(b / SAMPLES, 3))
        for a, b in joined
        if b - a >= MIN_RUN * SAMPLES
    )


def _reached(
    names: dict[tuple[int, int], str],
    cell: tuple[int, int],
    direction: int,
    runs: tuple[tuple[float, float], ...],
    ends: NDArray[np.float64],
    in_building: NDArray[np.bool_],
) -> tuple[str, ...]:
    """Ends of a hexside that its bar reaches, if they lie inside the depiction (O5.31)."""
    if not runs:
        return ()
    touched = (runs[0][0] <= VERTEX_SHARE, runs[-1][1] >= 1 - VERTEX_SHARE)
    return tuple(
        vertex_name(names, *vertex)
        for vertex, near, (x, y) in zip(side_vertices(cell, direction), touched, ends, strict=True)
        if near and _inside(in_building, float(x), float(y))
    )


def _inside(mask: NDArray[np.bool_], x: float, y: float) -> bool:
    """Whether the pixel at a point is in a mask."""
    col, row = round(x), round(y)
    return 0 <= row < mask.shape[0] and 0 <= col < mask.shape[1] and bool(mask[row, col])
