"""The hex lattice of a sample: centres, corners, hexsides, vertices and names.

Written on its own, apart from `hexsight.model`, so that a fault in the
model's lattice cannot hide in a sample drawn with the same fault.

Lattice coordinates ``(u, v)`` count columns and rows from the centre of raw
hex (0, 0): the centre of raw hex (c, r) lies at ``u = c``, ``v = r`` for even
c and ``v = r + ½`` for odd c.  Pixels are ``(x, y) = (x0 + u·dx, y0 + v·dy)``,
swapped when sideways (VASSAL's sense).  Whole pixel coordinates are pixel
centres, as in OpenCV: the first pixel is centred on (0, 0).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np
from numpy.typing import NDArray

Hex = tuple[int, int]
"""Raw column and row."""
Point = tuple[float, float]

CORNERS_UV: tuple[Point, ...] = (
    (2 / 3, 0.0),
    (1 / 3, 0.5),
    (-1 / 3, 0.5),
    (-2 / 3, 0.0),
    (-1 / 3, -0.5),
    (1 / 3, -0.5),
)
"""Corners of a hex round its centre, in lattice units."""


def turned(p: Point, middle: Point, angle_deg: float) -> Point:
    """Point (px) turned clockwise in the picture round `middle`."""
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    dx, dy = p[0] - middle[0], p[1] - middle[1]
    return middle[0] + c * dx - s * dy, middle[1] + s * dx + c * dy


@dataclass(frozen=True)
class Numbering:
    """Attributes of VASSAL's HexGridNumbering that a sample uses (no descending axes)."""

    first: str = "H"
    sep: str = ""
    h_type: str = "A"
    v_type: str = "N"
    h_leading: int = 0
    v_leading: int = 0
    h_off: int = 0
    v_off: int = 1
    stagger: bool = False

    def name(self, col: int, row: int) -> str:
        """Name of raw hex (col, row), as the formulas of VASSAL give it."""
        if self.stagger and col % 2:
            row += 1
        h = _format(col + self.h_off, self.h_type, self.h_leading)
        v = _format(row + self.v_off, self.v_type, self.v_leading)
        return h + self.sep + v if self.first == "H" else v + self.sep + h


def _format(n: int, kind: str, leading: int) -> str:
    if kind == "A":
        # 26 letters, then the letter doubled: Z, AA, BB (not AA, AB).
        sign = "-" if n < 0 else ""
        return sign + ascii_uppercase[abs(n) % 26] * (abs(n) // 26 + 1)
    return f"{n:0{leading + 1}d}"


@dataclass(frozen=True)
class HexLayout:
    """Where the hexes of a board lie, as drawn.

    Attributes
    ----------
    dx, dy : float
        Column spacing (centre to centre) and flat-to-flat height, in px.
    x0, y0 : float
        Pixel of the centre of raw hex (0, 0); along the swapped axes when sideways.
    sideways : bool
        Pointy-topped: all is computed in swapped coordinates.
    numbering : Numbering
        How hexes are named.
    """

    dx: float
    dy: float
    x0: float
    y0: float
    sideways: bool
    numbering: Numbering

    def px(self, u: float, v: float) -> Point:
        """Pixel point of lattice point (u, v)."""
        a, b = self.x0 + u * self.dx, self.y0 + v * self.dy
        return (b, a) if self.sideways else (a, b)

    def px_path(self, points: tuple[Point, ...]) -> list[Point]:
        """Pixel points of a path or polygon given in lattice units."""
        return [self.px(u, v) for u, v in points]

    def uv(self, x: float, y: float) -> Point:
        """Lattice point of pixel point (x, y)."""
        a, b = (y, x) if self.sideways else (x, y)
        return (a - self.x0) / self.dx, (b - self.y0) / self.dy

    @staticmethod
    def centre_uv(h: Hex) -> Point:
        """Centre of a raw hex in lattice units."""
        return float(h[0]), h[1] + 0.5 * (h[0] % 2)

    def centre(self, h: Hex) -> Point:
        """Centre of a raw hex in px."""
        return self.px(*self.centre_uv(h))

    def corners(self, h: Hex) -> list[Point]:
        """Six corners of a raw hex in px, neighbours in the list adjacent."""
        u, v = self.centre_uv(h)
        return [self.px(u + du, v + dv) for du, dv in CORNERS_UV]

    def neighbours(self, h: Hex) -> tuple[Hex, ...]:
        """Six adjacent raw hexes; hexside i joins corners i and i + 1."""
        c, r = h
        low = r if c % 2 == 0 else r + 1  # row of the lower of two hexes in the next column
        return (
            (c + 1, low),
            (c, r + 1),
            (c - 1, low),
            (c - 1, low - 1),
            (c, r - 1),
            (c + 1, low - 1),
        )

    def hexside(self, a: Hex, b: Hex) -> tuple[Point, Point]:
        """End points (px) of the hexside between two adjacent hexes.

        The first end point is the one with the smaller x, of equal x the one
        with the smaller y.

        Raises
        ------
        ValueError
            When the hexes are not adjacent.
        """
        around = self.neighbours(a)
        if b not in around:
            raise ValueError(f"hexes {self.name(a)} and {self.name(b)} are not adjacent")
        i = around.index(b)
        corners = self.corners(a)
        p, q = corners[i], corners[(i + 1) % 6]
        return (
            (p, q)
            if (round(p[0], 6), round(p[1], 6)) < (round(q[0], 6), round(q[1], 6))
            else (q, p)
        )

    def vertex_hexes(self, a: Hex, b: Hex, end: int) -> tuple[Hex, Hex, Hex]:
        """The three hexes that meet at one end (0 or 1) of the hexside between `a` and `b`."""
        point = self.hexside(a, b)[end]
        for c in self.neighbours(a):
            if (
                c in self.neighbours(b)
                and min(math.dist(point, corner) for corner in self.corners(c)) < 0.01 * self.dy
            ):
                return a, b, c
        raise ValueError(f"no third hex at end {end} of {self.name(a)}-{self.name(b)}")

    def hex_at(self, x: float, y: float) -> Hex:
        """Raw hex in whose hexagon the pixel point lies."""
        cols, rows = self.hex_arrays(np.array([[x]]), np.array([[y]]))
        return int(cols[0, 0]), int(rows[0, 0])

    def hex_arrays(
        self, x: NDArray[np.float64], y: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Raw columns and rows of the hexagons that hold each pixel point.

        Rounds in cube coordinates, which is exact for every affinely regular lattice.
        """
        a, b = (y, x) if self.sideways else (x, y)
        q = (a - self.x0) / self.dx
        r = (b - self.y0) / self.dy - q / 2
        s = -q - r
        rq, rr, rs = np.rint(q), np.rint(r), np.rint(s)
        eq, er, es = abs(rq - q), abs(rr - r), abs(rs - s)
        fix_q = (eq > er) & (eq > es)
        fix_r = ~fix_q & (er > es)
        rq = np.where(fix_q, -rr - rs, rq)
        rr = np.where(fix_r, -rq - rs, rr)
        cols = rq.astype(np.int64)
        rows = np.floor(rr + rq / 2).astype(np.int64)
        return cols, rows

    def name(self, h: Hex) -> str:
        """Printed name of a raw hex."""
        return self.numbering.name(*h)

    def hexes_in(self, box: tuple[float, float, float, float]) -> list[Hex]:
        """Raw hexes whose centres lie inside or on the box ``(left, top, right, bottom)``."""
        u0, v0 = self.uv(box[0], box[1])
        u1, v1 = self.uv(box[2], box[3])
        out: list[Hex] = []
        for c in range(math.ceil(u0 - 1e-6), math.floor(u1 + 1e-6) + 1):
            half = 0.5 * (c % 2)
            first, last = math.ceil(v0 - half - 1e-6), math.floor(v1 - half + 1e-6)
            out.extend((c, r) for r in range(first, last + 1))
        return out
