"""All grids of one sheet: map panels side by side, insets at another scale, interrupted maps.

The main grid is found first.  Where else the same lattice is printed comes with
it; other lattices are sought in the largest rectangles that it leaves free.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.grid import GridFit, GridSearch, report_lines, search_main
from hexsight.extract.grid_extent import Extent, extent_of
from hexsight.extract.grid_refine import Pen
from hexsight.extract.grid_response import to_gray
from hexsight.extract.grid_search import (
    CLEAR,
    MIN_PLANE_PX,
    PITCHES,
    Found,
    finish,
    search,
    sides_within,
)
from hexsight.extract.grid_solve import canonical
from hexsight.extract.grid_verdict import judge
from hexsight.model.layout import Layout

_CELLS = 160  # raster of free places, along the shorter side of the picture
_MOST_PLACES = 5
_LEAST_SHARE = 0.06  # of the picture's shorter side: narrower strips are margins
_FLAT = 2.0  # grey levels; paper without print is not searched
_LEAST_HEXES = 6
_OVERLAP = 0.25  # share of a grid's hexes that may lie on another

Box = tuple[int, int, int, int]


def search_grids(rgb: NDArray[np.uint8], *, hint: Layout | None = None) -> GridSearch:
    """All hex grids printed on a sheet.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
        Picture.
    hint : Layout, optional
        As for `hexsight.extract.grid.find_grid`.

    Returns
    -------
    GridSearch
        `fit` is the same as that of `search_grid`; `others` holds the further
        grids, largest first, each with its extent.  A lattice that goes on
        elsewhere on the sheet counts as a further grid with the same layout.

    Raises
    ------
    hexsight.model.errors.InputError
        If the array is no RGB picture.
    """
    main, found, plane = search_main(rgb, hint)
    if main.fit is None:
        return main
    taken = _Taken(rgb.shape[1], rgb.shape[0])
    taken.add(main.fit.extent)
    further: list[GridFit] = []
    if found is not None:
        for part in _continued(plane, found):
            taken.add(part.extent)
            further.append(report_lines(rgb, plane, part, ()))
    gray = to_gray(rgb)
    for _ in range(_MOST_PLACES):
        box = taken.largest_free()
        if box is None:
            break
        taken.close(box)
        other = _in_box(gray, box)
        if other is None or taken.covers(other.extent) > _OVERLAP:
            continue
        taken.add(other.extent)
        further.append(report_lines(rgb, gray, other, ()))
    further.sort(key=lambda fit: -_area(fit.extent))
    return replace(main, others=tuple(further))


def _area(extent: Extent) -> float:
    return float(cv2.contourArea(extent.polygon_px.astype(np.float32)))


def _continued(plane: NDArray[np.uint8], found: Found) -> Iterator[Found]:
    """The same lattice in other places of the sheet."""
    for part in found.parts:
        if len(part.hexes) < _LEAST_HEXES:
            continue
        sides = sides_within(found.layout, part)
        evidence = judge(plane, found.layout, sides, found.scatter_px, found.pen)
        if evidence.confidence >= CLEAR:
            yield replace(
                found, extent=part, evidence=evidence, share=_area(part) / plane.size, parts=()
            )


def _in_box(gray: NDArray[np.uint8], box: Box) -> Found | None:
    """A grid in a free place; once found, its neighbourhood is looked at too."""
    left, top, right, bottom = box
    part = np.ascontiguousarray(gray[top:bottom, left:right])
    if float(part[::3, ::3].std()) < _FLAT:
        return None
    seen = search(part, None, pitches=PITCHES)
    if not seen or seen[0].evidence.confidence < CLEAR:
        return None
    best = seen[0]
    height, width = gray.shape
    reach_x, reach_y = (right - left) // 2, (bottom - top) // 2
    wide = (
        max(0, left - reach_x), max(0, top - reach_y),
        min(width, right + reach_x), min(height, bottom + reach_y),
    )  # fmt: skip
    part = np.ascontiguousarray(gray[wide[1] : wide[3], wide[0] : wide[2]])
    layout = _moved(best.layout, left - wide[0], top - wide[1])
    pen = Pen(best.pen.polarity, best.pen.sigma_px, best.pen.clip)
    again = finish(part, layout, best.scatter_px, pen)
    if again.evidence.confidence < CLEAR or len(again.extent.hexes) < _LEAST_HEXES:
        return None
    layout = canonical(_moved(again.layout, wide[0], wide[1]))
    hexes = layout.pixel_to_hex(again.extent.centres_px + (wide[0], wide[1]))
    order = np.lexsort((hexes[:, 1], hexes[:, 0]))
    extent = extent_of(layout, hexes[order], (width, height))
    share = _area(extent) / gray.size
    return replace(again, layout=layout, extent=extent, share=share, parts=())


def _moved(layout: Layout, x: float, y: float) -> Layout:
    return replace(layout, origin_px=(layout.origin_px[0] + x, layout.origin_px[1] + y))


class _Taken:
    """Coarse raster of a sheet: which places carry a grid already, or were searched."""

    def __init__(self, width: int, height: int) -> None:
        self.size = (width, height)
        self.cell = max(1.0, min(width, height) / _CELLS)
        shape = (math.ceil(height / self.cell), math.ceil(width / self.cell))
        self.grids = np.zeros(shape, np.uint8)
        self.closed = np.zeros(shape, np.uint8)

    def add(self, extent: Extent) -> None:
        """Mark what a grid covers."""
        loops = [
            np.floor(p / self.cell).astype(np.int32) for p in (extent.polygon_px, *extent.holes_px)
        ]
        cv2.fillPoly(self.grids, loops, 1)

    def close(self, box: Box) -> None:
        """Mark a place that was searched."""
        left, top, right, bottom = (round(v / self.cell) for v in box)
        self.closed[top:bottom, left:right] = 1

    def covers(self, extent: Extent) -> float:
        """Share of the hexes of an extent that lie on what is marked."""
        high = np.array(self.grids.shape[::-1]) - 1
        x, y = np.clip((extent.centres_px / self.cell).astype(np.int64), 0, high).T
        return float(self.grids[y, x].mean())

    def largest_free(self) -> Box | None:
        """Largest rectangle without marks, in pixels; None when only strips are left."""
        free = (self.grids | self.closed) == 0
        least = max(MIN_PLANE_PX, _LEAST_SHARE * min(self.size)) / self.cell
        best: tuple[int, tuple[int, int, int, int]] | None = None
        heights = np.zeros(free.shape[1] + 1, np.int64)
        for bottom in range(free.shape[0]):
            heights[:-1] = np.where(free[bottom], heights[:-1] + 1, 0)
            stack: list[int] = []
            for right in range(len(heights)):
                while stack and heights[stack[-1]] >= heights[right]:
                    h = int(heights[stack.pop()])
                    left = stack[-1] + 1 if stack else 0
                    area = h * (right - left)
                    enough = h >= least and right - left >= least
                    if enough and (best is None or area > best[0]):
                        best = (area, (left, bottom + 1 - h, right, bottom + 1))
                stack.append(right)
        if best is None:
            return None
        left, top, right, bottom = (round(v * self.cell) for v in best[1])
        return left, top, min(right, self.size[0]), min(bottom, self.size[1])
