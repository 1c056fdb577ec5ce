"""Where on the picture the lattice is printed: margins, legends and tables left out."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.grid_refine import Sides
from hexsight.model.layout import CORNERS, DIRECTIONS, Layout, from_lattice, to_lattice

Hex = tuple[int, int]


@dataclass(frozen=True)
class Extent:
    """The part of the picture that carries the grid.

    Attributes
    ----------
    hexes : (n, 2) int64 ndarray
        Offsets (col, row), in the fit's own numbering, of the hexes whose
        outline is printed, sorted.
    centres_px : (n, 2) float64 ndarray
        Their centres in picture pixels, which hold in any numbering.
    polygon_px : (m, 2) float64 ndarray
        Outer boundary along the hexsides of those hexes, picture pixels.
    box_px : (float, float, float, float)
        Left, top, right, bottom of that polygon, cut to the picture.
    """

    hexes: NDArray[np.int64]
    centres_px: NDArray[np.float64]
    polygon_px: NDArray[np.float64]
    box_px: tuple[float, float, float, float]

    def mask(self, size_px: tuple[int, int]) -> NDArray[np.uint8]:
        """Mask (H, W) uint8 of a picture of (width, height): 255 inside the polygon."""
        out = np.zeros((size_px[1], size_px[0]), np.uint8)
        cv2.fillPoly(out, [np.round(self.polygon_px).astype(np.int32)], 255)
        return out


def hex_support(
    layout: Layout, sides: Sides, hit: NDArray[np.float64], size_px: tuple[int, int]
) -> dict[Hex, float]:
    """Share of printed sides of each hex, from the hits of single sides.

    Sides beyond the picture are not asked for where the picture cuts the hex
    in half, but count as bare where its centre lies well inside.
    """
    total: dict[Hex, float] = {}
    count: dict[Hex, int] = {}
    for (col, row), direction, value in zip(
        sides.hexes.tolist(), sides.direction.tolist(), hit.tolist(), strict=True
    ):
        X, Y = to_lattice(col, row)
        dX, dY = DIRECTIONS[direction]
        for owner in ((col, row), from_lattice(X + dX, Y + dY)):
            total[owner] = total.get(owner, 0.0) + value
            count[owner] = count.get(owner, 0) + 1
    kept = [h for h in total if count[h] >= 3]
    centres = layout.lattice_to_pixel(np.array([to_lattice(*h) for h in kept]).reshape(-1, 2))
    inner = 0.15 * layout.dy
    high = np.array(size_px) - 1 - inner
    well_inside = np.all((centres > inner) & (centres < high), axis=1)
    return {
        h: total[h] / (6 if whole else count[h])
        for h, whole in zip(kept, well_inside.tolist(), strict=True)
    }


def _around(h: Hex) -> list[Hex]:
    X, Y = to_lattice(*h)
    return [from_lattice(X + dX, Y + dY) for dX, dY in DIRECTIONS]


def printed_hexes(support: dict[Hex, float], chance: float) -> list[Hex]:
    """Largest connected set of hexes whose surroundings carry the grid.

    Two ways in: most of its own sides are printed, and the neighbourhood is no
    desert (the outer sides of an edge hex are often the edge of the artwork and
    carry no line); or the neighbourhood is printed so well that a river along
    its own sides may hide them.  A hex beside the map shares at most three of
    its six sides with it and comes in by neither.
    """
    if not support:
        return []
    near: dict[Hex, float] = {}
    for h, own in support.items():
        around = [support[n] for n in _around(h) if n in support]
        near[h] = sum(around) / len(around) if around else own
    # What a printed hex has here: typical of those that have more than half of the best.
    both = np.array([0.5 * (support[h] + near[h]) for h in support])
    high = float(np.percentile(both[both >= 0.5 * both.max()], 75))
    high = chance + max(high - chance, 0.1)

    def printed(h: Hex) -> bool:
        own, beside = support[h], near[h]
        return (own >= max(0.5, 0.58 * high) and beside >= 0.4 * high) or (
            0.5 * (own + beside) >= chance + 0.6 * (high - chance)
        )

    inside = {h for h in support if printed(h)}
    best: set[Hex] = set()
    left = set(inside)
    for start in sorted(inside):
        if start not in left:
            continue
        left.discard(start)
        part, stack = {start}, [start]
        while stack:
            for n in _around(stack.pop()):
                if n in left:
                    left.discard(n)
                    part.add(n)
                    stack.append(n)
        if len(part) > len(best):
            best = part
    return sorted(_filled(best))


def _filled(part: set[Hex]) -> set[Hex]:
    """Close holes: whatever the outside cannot reach belongs to the map."""
    if not part:
        return part
    cols, rows = [h[0] for h in part], [h[1] for h in part]
    c0, c1, r0, r1 = min(cols) - 1, max(cols) + 1, min(rows) - 1, max(rows) + 1
    outside: set[Hex] = {(c0, r0)}
    stack: list[Hex] = [(c0, r0)]
    while stack:
        for n in _around(stack.pop()):
            inside_box = c0 <= n[0] <= c1 and r0 <= n[1] <= r1
            if inside_box and n not in part and n not in outside:
                outside.add(n)
                stack.append(n)
    return {(c, r) for c in range(c0, c1 + 1) for r in range(r0, r1 + 1) if (c, r) not in outside}


def outline(layout: Layout, hexes: list[Hex]) -> NDArray[np.float64]:
    """Outer boundary (m, 2) of a connected set of hexes, in picture pixels."""
    inside = set(hexes)
    follow: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for h in hexes:
        X, Y = to_lattice(*h)
        for d, n in enumerate(_around(h)):
            if n not in inside:
                a, b = CORNERS[d], CORNERS[(d + 1) % 6]
                follow.setdefault((X + a[0], Y + a[1]), []).append((X + b[0], Y + b[1]))
    loops: list[list[tuple[int, int]]] = []
    while follow:
        start = min(follow)
        loop = [start]
        here = follow[start].pop()
        if not follow[start]:
            del follow[start]
        while here != start and here in follow:
            loop.append(here)
            step = follow[here].pop()
            if not follow[here]:
                del follow[here]
            here = step
        loops.append(loop)
    if not loops:
        return np.zeros((0, 2))
    longest = max(loops, key=len)
    return layout.lattice_to_pixel(np.array(longest, np.float64))


def extent_of(layout: Layout, hexes: list[Hex], size_px: tuple[int, int]) -> Extent:
    """Extent made of given hexes on a picture of (width, height)."""
    polygon = outline(layout, hexes)
    if len(polygon) == 0:
        none = np.zeros((0, 2))
        return Extent(none.astype(np.int64), none, polygon, (0.0, 0.0, 0.0, 0.0))
    low = np.maximum(polygon.min(axis=0), -0.5)
    high = np.minimum(polygon.max(axis=0), np.array(size_px) - 0.5)
    box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    centres = layout.lattice_to_pixel(np.array([to_lattice(*h) for h in hexes]))
    return Extent(np.array(hexes, np.int64), centres, polygon, box)
