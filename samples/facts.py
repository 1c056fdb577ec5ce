"""Facts that follow from a board's data before anything is painted.

Painter and truth use the same facts: which hexes a building stands in, where
roads enter, what part of a hexside a bar covers, the jagged outline of a
roofless area.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import cv2
import numpy as np

from . import codes
from .canvas import SHIFT, U8, rng_for
from .hexes import Hex, HexLayout, Point
from .spec import Bar, BoardSpec, Building

MIN_FRACTION = 0.03  # share of a hex from which it counts as a building hex


@dataclass(frozen=True)
class RoadEntry:
    """Where a road enters a building: hex, pixel of the outline crossed, surface."""

    hex: Hex
    point_px: Point
    surface: str


@dataclass(frozen=True)
class BarFact:
    """A bar as drawn: hexside, covered interval, its ends in px, which ends reach a vertex."""

    hexes: tuple[Hex, Hex]
    hexside_px: tuple[Point, Point]
    interval: tuple[float, float]
    ends_px: tuple[Point, Point]
    reaches: tuple[bool, bool]


@dataclass(frozen=True)
class BuildingFact:
    """A building with all that is derived from its outline."""

    spec: Building
    hexes: dict[Hex, float]  # hex → share of its visible area
    entries: tuple[RoadEntry, ...]
    height_half: int
    bars: tuple[BarFact, ...]
    roofless_px: tuple[list[Point], ...]

    @property
    def factory(self) -> bool:
        """A building is a Factory iff a road enters it (O5.1)."""
        return bool(self.entries)


@dataclass(frozen=True)
class Slope:
    """A hexside where the ground rises: the higher hex, the lower one, the code of the slope."""

    upper: Hex
    lower: Hex
    code: int


@dataclass(frozen=True)
class HexRaster:
    """Which listed hex each pixel belongs to.

    Attributes
    ----------
    hexes : list of Hex
        Hexes of the board, by column, then row.
    index : ndarray
        (H, W) int32, position in `hexes`, −1 outside the hex field.
    visible_px : ndarray
        (len(hexes),) int64, pixels of each hex inside the hex field.
    """

    hexes: list[Hex]
    index: np.ndarray
    visible_px: np.ndarray

    @classmethod
    def of(cls, spec: BoardSpec) -> HexRaster:
        """Raster of a board."""
        w, h = spec.size_px
        left, top, right, bottom = spec.map_area_px
        ys, xs = np.mgrid[0:h, 0:w].astype(np.float64)
        cols, rows = spec.layout.hex_arrays(xs, ys)
        hexes = spec.layout.hexes_in(spec.map_area_px)
        span = 4096
        key = (cols + span) * 2 * span + rows + span
        keys = np.array([(c + span) * 2 * span + r + span for c, r in hexes])
        order = np.argsort(keys)
        place = np.clip(np.searchsorted(keys[order], key), 0, len(keys) - 1)
        index = np.where(keys[order][place] == key, order[place], -1).astype(np.int32)
        outside = (xs < left) | (xs > right) | (ys < top) | (ys > bottom)
        index[outside] = -1
        visible = np.bincount(index[index >= 0], minlength=len(hexes))
        return cls(hexes, index, visible)

    def share(self, mask: U8) -> np.ndarray:
        """(len(hexes),) float64: share of each hex's visible pixels where `mask` is set."""
        inside = (mask > 0) & (self.index >= 0)
        count = np.bincount(self.index[inside], minlength=len(self.hexes))
        return np.asarray(count / np.maximum(1, self.visible_px), np.float64)


def level_of(spec: BoardSpec) -> dict[str, int]:
    """Ground level in half-levels of each named hex above 0."""
    return {name: half for half, names in spec.levels.items() for name in names}


def slope_facts(spec: BoardSpec, by_name: dict[str, Hex]) -> tuple[Slope, ...]:
    """Every hexside between two levels, in the order of the hexes.

    Raises
    ------
    ValueError
        When a steep hexside lies between hexes of one level.
    """
    levels = level_of(spec)
    steep = {frozenset(pair) for pair in spec.steep}
    out = []
    for name, h in by_name.items():
        for n in spec.layout.neighbours(h):
            other = spec.layout.name(n)
            if n in by_name.values() and levels.get(name, 0) > levels.get(other, 0):
                sheer = frozenset((name, other)) in steep
                steep.discard(frozenset((name, other)))
                out.append(Slope(h, n, codes.STEEP_SLOPE if sheer else codes.GENTLE_SLOPE))
    if steep:
        raise ValueError(f"no ground rises at {sorted('-'.join(sorted(s)) for s in steep)}")
    return tuple(out)


def polygon_mask(spec: BoardSpec, polygon: list[Point]) -> U8:
    """(H, W) uint8, 255 inside the polygon."""
    out = np.zeros((spec.size_px[1], spec.size_px[0]), np.uint8)
    points = np.rint(np.asarray(polygon) * (1 << SHIFT)).astype(np.int32)
    cv2.fillPoly(out, [points], 255, cv2.LINE_8, SHIFT)
    return out


def cuts(p: Point, q: Point, polygon: list[Point]) -> list[float]:
    """Parameters in [0, 1] where the segment from `p` to `q` crosses the polygon's edges."""
    out = []
    dx, dy = q[0] - p[0], q[1] - p[1]
    for i, a in enumerate(polygon):
        b = polygon[(i + 1) % len(polygon)]
        ex, ey = b[0] - a[0], b[1] - a[1]
        det = dx * ey - dy * ex
        if abs(det) < 1e-9:
            continue
        t = ((a[0] - p[0]) * ey - (a[1] - p[1]) * ex) / det
        s = ((a[0] - p[0]) * dy - (a[1] - p[1]) * dx) / det
        if 0 <= t <= 1 and 0 <= s <= 1:
            out.append(t)
    return sorted(out)


def inside(p: Point, polygon: list[Point]) -> bool:
    """Whether a point lies inside a polygon or on its edge."""
    points = np.asarray(polygon, np.float32).reshape(-1, 1, 2)
    return bool(cv2.pointPolygonTest(points, p, False) >= 0)


def _between(p: Point, q: Point, t: float) -> Point:
    return p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])


def _bar_fact(
    layout: HexLayout, bar: Bar, by_name: dict[str, Hex], outline: list[Point]
) -> BarFact:
    a, b = by_name[bar.hexes[0]], by_name[bar.hexes[1]]
    p, q = layout.hexside(a, b)
    stops = sorted({0.0, 1.0, *cuts(p, q, outline)})
    pieces = [
        (max(s, bar.span[0]), min(t, bar.span[1]))
        for s, t in itertools.pairwise(stops)
        if inside(_between(p, q, (s + t) / 2), outline)
    ]
    pieces = [piece for piece in pieces if piece[1] - piece[0] > 0.02]
    if not pieces:
        raise ValueError(f"bar {bar.hexes} lies outside its building")
    t0, t1 = max(pieces, key=lambda piece: piece[1] - piece[0])
    ends = (_between(p, q, t0), _between(p, q, t1))
    return BarFact((a, b), (p, q), (t0, t1), ends, (t0 < 1e-6, t1 > 1 - 1e-6))


def _road_entries(spec: BoardSpec, outline: list[Point]) -> tuple[RoadEntry, ...]:
    out = []
    for road in spec.roads:
        path = spec.layout.px_path(road.path)
        for p, q in itertools.pairwise(path):
            for t in cuts(p, q, outline):
                point = _between(p, q, t)
                step = 2.0 / math.dist(p, q)
                for sign in (1, -1):
                    within = _between(p, q, t + sign * step)
                    if inside(within, outline):
                        out.append(RoadEntry(spec.layout.hex_at(*within), point, road.surface))
                        break
    return tuple(out)


def _union_outline(layout: HexLayout, hexes: list[Hex]) -> list[Point]:
    """Outer boundary of a group of adjoining hexes, in px."""
    edges: dict[tuple[int, int], tuple[Point, Point]] = {}
    for h in hexes:
        corners = layout.corners(h)
        for i, n in enumerate(layout.neighbours(h)):
            if n not in hexes:
                p, q = corners[i], corners[(i + 1) % 6]
                edges[(round(p[0] * 8), round(p[1] * 8))] = (p, q)
    start = min(edges)
    out, at = [], start
    while True:
        p, q = edges[at]
        out.append(p)
        at = (round(q[0] * 8), round(q[1] * 8))
        if at == start:
            return out


def _jagged(layout: HexLayout, outline: list[Point], rng: np.random.Generator) -> list[Point]:
    """The outline, rounded and torn: steps of a tenth of a hex, bulges and small teeth."""
    step = 0.1 * layout.dy
    points: list[Point] = []
    for i, p in enumerate(outline):
        q = outline[(i + 1) % len(outline)]
        n = max(2, round(math.dist(p, q) / step))
        points.extend(_between(p, q, j / n) for j in range(n))
    a = np.asarray(points)
    for _ in range(3):  # rounds the corners of the hexes off
        a = (np.roll(a, 1, 0) + 2 * a + np.roll(a, -1, 0)) / 4
    tangent = np.roll(a, -1, 0) - np.roll(a, 1, 0)
    normal = np.stack([tangent[:, 1], -tangent[:, 0]], 1)
    normal /= np.maximum(1e-9, np.hypot(normal[:, 0], normal[:, 1]))[:, None]
    if cv2.contourArea(a.astype(np.float32), oriented=True) < 0:
        normal = -normal  # outwards, whichever way round the outline runs
    n = len(a)
    knots = np.arange(0, n + 6, 6)
    bulges = np.interp(np.arange(n), knots, rng.uniform(-0.03, 0.09, len(knots)))
    teeth = rng.uniform(-0.035, 0.035, n)
    a = a + normal * ((bulges + teeth) * layout.dy)[:, None]
    return [(float(x), float(y)) for x, y in a]


def building_facts(
    spec: BoardSpec, building: Building, raster: HexRaster, by_name: dict[str, Hex]
) -> BuildingFact:
    """Derive one building's facts from its data and the board's roads."""
    outline = spec.layout.px_path(building.outline)
    shares = raster.share(polygon_mask(spec, outline))
    hexes = {h: float(s) for h, s in zip(raster.hexes, shares, strict=True) if s >= MIN_FRACTION}
    entries = _road_entries(spec, outline)
    roofless = []
    for group in building.roofless:
        rng = rng_for(spec.seed, "roofless", building.id, group)
        union = _union_outline(spec.layout, [by_name[n] for n in group])
        roofless.append(_jagged(spec.layout, union, rng))
    height = building.height_half or codes.building_height_half(
        factory=bool(entries), stairwell=bool(building.stairwells), hexes=len(hexes)
    )
    bars = tuple(_bar_fact(spec.layout, bar, by_name, outline) for bar in building.bars)
    return BuildingFact(building, hexes, entries, height, bars, tuple(roofless))
