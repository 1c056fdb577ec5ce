"""Where lines run, for the slow oracle: squares, polygons and fractions (`hexsight.los.oracle`)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from shapely.geometry import LineString, Polygon

from hexsight.los.tables import N_WIDTH, Compiled
from hexsight.model.board import side_vertices
from hexsight.model.layout import CORNERS, hex_distance, to_lattice

# Fineness in which centres lie, as parts of a pixel.
PARTS = 256
# Shorter pieces of a line in a hex than this share are a touch: far below any real one.
TOUCH = 1e-6


@dataclass(frozen=True)
class Run:
    """Pixels of one cell that follow each other on a line: cell, first and last (x, y)."""

    cell: int
    first: tuple[int, int]
    last: tuple[int, int]


@dataclass(frozen=True)
class Crossed:
    """A hex on a line: its index, and its side along which the line runs, if one."""

    hex: int
    along: int | None


def touched_pixels(
    start: tuple[Fraction, Fraction], end: tuple[Fraction, Fraction]
) -> list[tuple[int, int]]:
    """Pixels (x, y) that a line touches, in order.

    A pixel is the closed square from (x, y) to (x + 1, y + 1).  The line
    touches it where it runs in it for some length, or passes one of its
    corners between both ends.
    """
    (x0, y0), (x1, y1) = start, end
    found = []
    for x in range(math.floor(min(x0, x1)) - 1, math.ceil(max(x0, x1)) + 1):
        # Rows that the line reaches over this column, one more on each side for corners.
        ends = [y0, y1]
        if x0 != x1:
            ends = [
                y0 + (y1 - y0) * min(max((u - x0) / (x1 - x0), Fraction(0)), Fraction(1))
                for u in (x, x + 1)
            ]
        for y in range(math.floor(min(ends)) - 1, math.ceil(max(ends)) + 1):
            first, last = Fraction(0), Fraction(1)
            for u, v, low in ((x0, x1, x), (y0, y1, y)):
                if u == v:
                    if not low <= u <= low + 1:
                        first, last = Fraction(1), Fraction(0)
                    continue
                into, out = sorted([(low - u) / (v - u), (low + 1 - u) / (v - u)])
                first, last = max(first, into), min(last, out)
            if first < last or (first == last and 0 < first < 1):
                found.append((first + last, x, y))
    return [(x, y) for _, x, y in sorted(found)]


class BoardLines:
    """Lines between the hexes of a compiled board.

    Parameters
    ----------
    compiled : Compiled
    """

    def __init__(self, compiled: Compiled) -> None:
        self.compiled, self.tables = compiled, compiled.tables
        board = compiled.board
        self.offsets = [(h.col, h.row) for h in board.hexes]
        self.index = {o: i for i, o in enumerate(self.offsets)}
        # Rounding must not part a hexside from a line that runs along it.
        self.polygons = [
            Polygon([_regular(X + a, Y + b) for a, b in CORNERS]).buffer(1e-9)
            for X, Y in (to_lattice(*o) for o in self.offsets)
        ]
        self.vertices = sorted(
            {(X + a, Y + b) for X, Y in (to_lattice(*o) for o in self.offsets) for a, b in CORNERS}
        )

    def span(self, a: int, b: int) -> int:
        """Range in hexes."""
        return hex_distance(self.offsets[a], self.offsets[b])

    def centre(self, a: int) -> tuple[Fraction, Fraction]:
        """Centre of a hex in pixels from the outer edge of pixel (0, 0)."""
        board = self.compiled.board
        point = board.layout.lattice_to_pixel(to_lattice(*self.offsets[a]))
        x, y = (
            min(max(round((float(v) + 0.5) * PARTS), 1), size * PARTS - 1)
            for v, size in zip(point, board.size_px, strict=True)
        )
        return Fraction(x, PARTS), Fraction(y, PARTS)

    @cache  # noqa: B019 - an oracle lives as long as its test
    def runs(self, a: int, b: int) -> list[Run]:
        """What the line meets, pixel by pixel."""
        wide = int(self.tables.numbers[N_WIDTH])
        out: list[Run] = []
        for x, y in touched_pixels(self.centre(a), self.centre(b)):
            cell = int(self.tables.pixels[y * wide + x])
            if out and out[-1].cell == cell:
                out[-1] = Run(cell, out[-1].first, (x, y))
            else:
                out.append(Run(cell, (x, y), (x, y)))
        return out

    @cache  # noqa: B019
    def crossed(self, a: int, b: int) -> list[Crossed]:
        """Hexes in which the line runs for some length, those beside it included."""
        (ax, ay), (bx, by) = (to_lattice(*self.offsets[k]) for k in (a, b))
        line = LineString([_regular(ax, ay), _regular(bx, by)])
        out = []
        for k, polygon in enumerate(self.polygons):
            if polygon.intersection(line).length > TOUCH * line.length:
                out.append(Crossed(k, self._along(k, a, b)))
        return out

    def _along(self, k: int, a: int, b: int) -> int | None:
        """Number of the side of hex k that lies on the line."""
        (ax, ay), (bx, by) = (to_lattice(*self.offsets[e]) for e in (a, b))
        for n in range(6):
            (px, py), (qx, qy) = side_vertices(self.offsets[k], n)
            if all((bx - ax) * (y - ay) == (by - ay) * (x - ax) for x, y in ((px, py), (qx, qy))):
                return n
        return None

    def between(self, a: int, b: int) -> list[tuple[int, int]]:
        """Vertices of the board (lattice) that lie on the line between both ends."""
        (ax, ay), (bx, by) = (to_lattice(*self.offsets[k]) for k in (a, b))
        dx, dy = bx - ax, by - ay
        return [
            (x, y)
            for x, y in self.vertices
            if dx * (y - ay) == dy * (x - ax)
            and 0 < dx * (x - ax) + dy * (y - ay) < dx * dx + dy * dy
        ]


def _regular(X: float, Y: float) -> tuple[float, float]:
    """Lattice point in a plane where hexes are regular."""
    return float(X), float(Y) * math.sqrt(3.0)
