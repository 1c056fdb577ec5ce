"""Where on the picture the lattice is printed: margins, legends and tables left out.

Maps with a hundred thousand hexes are common enough that all of this works on
rasters of hexes in axial coordinates, where the six neighbours are six fixed
shifts.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.model.layout import CORNERS, Layout

# Shifts (q, r) to the neighbours in the order of the layout's DIRECTIONS.
_AXIAL = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
# Terrain hides the lines of so many hexes at most; a larger hole is an inset, a table, a sea
# without hexes.
_MOST_HIDDEN = 12
_MOST_PARTS = 8


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
    holes_px : tuple of (m, 2) float64 ndarray
        Boundaries of larger bare places inside, such as inset tables.
    box_px : (float, float, float, float)
        Left, top, right, bottom of that polygon, cut to the picture.
    """

    hexes: NDArray[np.int64]
    centres_px: NDArray[np.float64]
    polygon_px: NDArray[np.float64]
    holes_px: tuple[NDArray[np.float64], ...]
    box_px: tuple[float, float, float, float]

    def mask(self, size_px: tuple[int, int]) -> NDArray[np.uint8]:
        """Mask (H, W) uint8 of a picture of (width, height): 255 where the grid is printed."""
        out = np.zeros((size_px[1], size_px[0]), np.uint8)
        if len(self.polygon_px):
            # Even-odd: what lies inside a hole lies outside.
            loops = [np.round(p).astype(np.int32) for p in (self.polygon_px, *self.holes_px)]
            cv2.fillPoly(out, loops, 255)
        return out


@dataclass(frozen=True)
class Support:
    """How well each hex is printed, as a raster in axial coordinates.

    Attributes
    ----------
    value : (Q, R) float64 ndarray
        0 to 1; NaN for hexes of which nothing is known.
    q0, r0 : int
        Axial coordinates of element (0, 0).  One hex all round is unknown.
    """

    value: NDArray[np.float64]
    q0: int
    r0: int


def lattice_of(hexes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Lattice coordinates (n, 2) of the centres of offsets (n, 2)."""
    cols, rows = hexes[..., 0], hexes[..., 1]
    return np.stack([3 * cols, 2 * rows + (cols & 1)], axis=-1)


def axial_of(hexes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Axial coordinates (n, 2) of offsets (n, 2)."""
    cols, rows = hexes[..., 0], hexes[..., 1]
    return np.stack([cols, rows - (cols - (cols & 1)) // 2], axis=-1)


def _offset(axial: NDArray[np.int64]) -> NDArray[np.int64]:
    q, r = axial[..., 0], axial[..., 1]
    return np.stack([q, r + (q - (q & 1)) // 2], axis=-1)


def support_of(
    layout: Layout,
    owners: NDArray[np.int64],
    hit: NDArray[np.float64],
    size_px: tuple[int, int],
    *,
    full: int,
    least: int,
) -> Support:
    """Share of the printed parts of each hex.

    Parameters
    ----------
    layout : Layout
    owners : (n, 2) int64 ndarray
        Hex (col, row) of each part looked at; a part of two hexes comes twice.
    hit : (n,) float64 ndarray
        1 where the part is printed.
    size_px : (int, int)
        Width and height of the picture.
    full : int
        Parts of a whole hex.  Parts beyond the picture are not asked for where
        the picture cuts the hex in half, but count as bare where its centre
        lies well inside.
    least : int
        Parts that must be known for a verdict on a hex.
    """
    if len(owners) == 0:
        return Support(np.full((1, 1), np.nan), 0, 0)
    axial = axial_of(owners)
    low = axial.min(axis=0) - 1
    shape = tuple(int(v) for v in axial.max(axis=0) - low + 2)
    index = np.ravel_multi_index((axial[:, 0] - low[0], axial[:, 1] - low[1]), shape)
    cells = shape[0] * shape[1]
    count = np.bincount(index, minlength=cells).astype(np.float64)
    total = np.bincount(index, weights=hit, minlength=cells)
    q, r = np.divmod(np.arange(cells), shape[1])
    hexes = _offset(np.stack([q + low[0], r + low[1]], axis=-1))
    centre = layout.lattice_to_pixel(lattice_of(hexes))
    inner = 0.15 * layout.dy
    well_inside = np.all((centre > inner) & (centre < np.array(size_px) - 1 - inner), axis=1)
    parts = np.where(well_inside, np.maximum(count, full), count)
    value = np.where(count >= least, total / np.maximum(parts, 1), np.nan)
    return Support(value.reshape(shape), int(low[0]), int(low[1]))


def side_owners(hexes: NDArray[np.int64], direction: NDArray[np.int64]) -> NDArray[np.int64]:
    """The hexes (2n, 2) on both sides of sides given by a hex and a direction."""
    other = _offset(axial_of(hexes) + np.array(_AXIAL)[direction])
    return np.concatenate([hexes, other])


def printed_hexes(support: Support, chance: float) -> NDArray[np.int64]:
    """Offsets (n, 2) of the largest connected set of hexes that carry the grid."""
    parts = printed_parts(support, chance)
    return parts[0] if parts else np.zeros((0, 2), np.int64)


def printed_parts(support: Support, chance: float) -> list[NDArray[np.int64]]:
    """Offsets (n, 2) of the connected sets of hexes that carry the grid, largest first.

    Two ways in: most of its own parts are printed, and the neighbourhood is no
    desert (the outer sides of an edge hex are often the edge of the artwork and
    carry no line); or the neighbourhood is printed so well that a river along
    its own sides may hide them.  A hex beside the map shares at most three of
    its six sides with it and comes in by neither.
    """
    known = ~np.isnan(support.value)
    if not known.any():
        return []
    own = np.where(known, support.value, 0.0)
    number = np.sum([_shifted(known, d) for d in range(6)], axis=0)
    beside = np.sum([_shifted(own, d) for d in range(6)], axis=0) / np.maximum(number, 1.0)
    beside = np.where(number > 0, beside, own)
    both = 0.5 * (own + beside)
    # What a printed hex has here: typical of those that have more than half of the best.
    high = float(np.percentile(both[known & (both >= 0.5 * both[known].max())], 75))
    high = chance + max(high - chance, 0.1)
    inside = (own >= max(0.5, 0.58 * high)) & (beside >= 0.4 * high)
    inside |= both >= chance + 0.6 * (high - chance)
    inside &= known
    if not inside.any():
        return []
    label = _connected(inside)
    sizes = np.bincount(label[inside])
    order = np.argsort(-sizes, kind="stable")
    return [_filled(support, inside & (label == k)) for k in order[:_MOST_PARTS] if sizes[k]]


def _filled(support: Support, part: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Offsets (n, 2), sorted, of a connected set, its small holes filled."""
    outside = _connected(~part)
    holes = np.bincount(outside.ravel()) <= _MOST_HIDDEN
    holes[outside[0, 0]] = False
    found = np.argwhere(part | (holes[outside] & ~part)) + (support.q0, support.r0)
    hexes = _offset(found.astype(np.int64))
    return hexes[np.lexsort((hexes[:, 1], hexes[:, 0]))]


def _shifted(
    raster: NDArray[np.float64] | NDArray[np.bool_], direction: int
) -> NDArray[np.float64]:
    """Value of the neighbour in a direction; 0 beyond the raster."""
    dq, dr = _AXIAL[direction]
    out = np.zeros(raster.shape)
    h, w = raster.shape
    out[max(0, -dq) : h - max(0, dq), max(0, -dr) : w - max(0, dr)] = raster[
        max(0, dq) : h - max(0, -dq), max(0, dr) : w - max(0, -dr)
    ]
    return out


def _connected(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Number of the connected part of each element of a mask; 0 outside it.

    A hex raster drawn twice as large, with a bridge between neighbours, is an
    ordinary picture whose parts OpenCV counts: a bridge touches no hex but such
    as are neighbours of its ends.
    """
    large = np.zeros((2 * mask.shape[0] + 1, 2 * mask.shape[1] + 1), np.uint8)
    large[1::2, 1::2] = mask
    for direction in (2, 3, 1):
        dq, dr = _AXIAL[direction]
        y, x = np.nonzero(mask & (_shifted(mask, direction) > 0))
        large[2 * y + 1 + dq, 2 * x + 1 + dr] = 1
    _, label = cv2.connectedComponents(large, connectivity=8)
    return np.asarray(label[1::2, 1::2], np.int64)


def outlines(layout: Layout, hexes: NDArray[np.int64]) -> list[NDArray[np.float64]]:
    """Boundaries (m, 2) in picture pixels of a set of hexes (n, 2): the largest, then its holes."""
    if len(hexes) == 0:
        return []
    axial = axial_of(hexes)
    low = axial.min(axis=0) - 1
    mask = np.zeros(axial.max(axis=0) - low + 2, np.bool_)
    mask[tuple((axial - low).T)] = True
    follow: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for d in range(6):
        edge = np.argwhere(mask & (_shifted(mask, d) == 0)) + low
        centre = lattice_of(_offset(edge.astype(np.int64)))
        starts, ends = centre + CORNERS[d], centre + CORNERS[(d + 1) % 6]
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            follow.setdefault((start[0], start[1]), []).append((end[0], end[1]))
    loops: list[list[tuple[int, int]]] = []
    while follow:
        start = min(follow)
        loop, here = [start], _next(follow, start)
        while here != start and here in follow:
            loop.append(here)
            here = _next(follow, here)
        loops.append(loop)
    loops.sort(key=lambda loop: -abs(_area(loop)))
    # Holes run the other way round than what they lie in.
    outer = _area(loops[0])
    kept = loops[:1] + [loop for loop in loops[1:] if _area(loop) * outer < 0]
    return [layout.lattice_to_pixel(np.array(loop, np.float64)) for loop in kept]


def _area(loop: list[tuple[int, int]]) -> int:
    """Twice the signed area in lattice units."""
    turned = loop[1:] + loop[:1]
    return sum(x * v - u * y for (x, y), (u, v) in zip(loop, turned, strict=True))


def _next(
    follow: dict[tuple[int, int], list[tuple[int, int]]], here: tuple[int, int]
) -> tuple[int, int]:
    step = follow[here].pop()
    if not follow[here]:
        del follow[here]
    return step


def extent_of(layout: Layout, hexes: NDArray[np.int64], size_px: tuple[int, int]) -> Extent:
    """Extent made of given hexes (n, 2) on a picture of (width, height)."""
    loops = outlines(layout, hexes)
    if not loops:
        none = np.zeros((0, 2))
        return Extent(np.zeros((0, 2), np.int64), none, none, (), (0.0, 0.0, 0.0, 0.0))
    polygon = loops[0]
    low = np.maximum(polygon.min(axis=0), -0.5)
    high = np.minimum(polygon.max(axis=0), np.array(size_px) - 0.5)
    box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    centres = layout.lattice_to_pixel(lattice_of(hexes))
    return Extent(hexes, centres, polygon, tuple(loops[1:]), box)


def within(extent: Extent, hexes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of some hexes (n, 2) belong to an extent, (n,) bool."""
    if len(extent.hexes) == 0 or len(hexes) == 0:
        return np.zeros(len(hexes), np.bool_)
    low = np.minimum(extent.hexes.min(axis=0), hexes.min(axis=0))
    width = int(max(extent.hexes[:, 1].max(), hexes[:, 1].max()) - low[1]) + 1

    def key(some: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.asarray((some[:, 0] - low[0]) * width + some[:, 1] - low[1], np.int64)

    return np.isin(key(hexes), key(extent.hexes))
