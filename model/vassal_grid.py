"""VASSAL's grids, exactly as its engine computes with them.

Facts come from the real engine's answers for random grids; every one of them is
a test.  A hex grid is upright (columns stand side by side) or *sideways*; then
all is computed with x and y swapped.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from hexsight.model.layout import Layout, neighbour
from hexsight.model.vassal_java import (
    java_bool,
    java_double,
    java_int,
    java_round,
    polygon_contains,
)
from hexsight.model.vassal_numbering import HexGridNumbering

DEFAULT_DY = 64.0
DEFAULT_DX = math.sqrt(3.0) / 2.0 * DEFAULT_DY
MIN_SPACING_PX = 1.0
MAX_SPACING_PX = 1e6
# Directions whose hex lies in the next column: the only ones to which the
# engine moves a point that lies outside the hexagon of its column rectangle.
_ACROSS = (1, 2, 4, 5)

Point = tuple[int, int]
Polygon = tuple[Point, ...]


@dataclass(frozen=True)
class HexGrid:
    """A hex grid; attributes and defaults are VASSAL's.

    Attributes
    ----------
    dx, dy : float
        Column spacing, and height of a hex from flat to flat, in pixels.
    x0, y0 : int
        Centre of hex (0, 0); when `sideways`, x0 runs down the board.
    sideways : bool
        Pointy-topped.
    snap_to : bool
        Whether pieces snap to the grid at all.
    edges_legal, corners_legal : bool
        Whether they snap to hexsides and vertices too.
    numbering : HexGridNumbering or None
        Names; without one VASSAL gives none.
    """

    dx: float = DEFAULT_DX
    dy: float = DEFAULT_DY
    x0: int = 0
    y0: int = 32
    sideways: bool = False
    snap_to: bool = True
    edges_legal: bool = False
    corners_legal: bool = False
    numbering: HexGridNumbering | None = None

    @classmethod
    def from_attributes(
        cls, attributes: Mapping[str, str], numbering: HexGridNumbering | None = None
    ) -> HexGrid:
        """Read VASSAL's attributes, in the order of the file.

        The order matters for one thing: the engine computes dx from dy when dx
        still has its default value.

        Raises
        ------
        ValueError
            If the engine could not read a number and so would drop the grid;
            as UnusableGridError if its spacing is no usable number.
        """
        dx, dy, x0, y0 = DEFAULT_DX, DEFAULT_DY, 0, 32
        flags = {"sideways": False, "snapTo": True, "edgesLegal": False, "cornersLegal": False}
        for key, text in attributes.items():
            try:
                if key == "x0":
                    x0 = java_int(text)
                elif key == "y0":
                    y0 = java_int(text)
                elif key == "dx":
                    dx = java_double(text)
                elif key == "dy":
                    dy = java_double(text)
                    if dx == DEFAULT_DX:
                        dx = math.sqrt(3.0) / 2.0 * dy
                elif key in flags:
                    flags[key] = java_bool(text)
            except ValueError as error:
                raise ValueError(f"{key}={error}") from error
        check_spacing(dx, dy, x0, y0)
        return cls(
            dx,
            dy,
            x0,
            y0,
            flags["sideways"],
            flags["snapTo"],
            flags["edgesLegal"],
            flags["cornersLegal"],
            numbering,
        )

    def layout(self) -> Layout:
        """The same lattice without the engine's rounding to whole pixels."""
        return Layout.from_grid(self.dx, self.dy, self.x0, self.y0, sideways=self.sideways)

    def raw(self, x: float, y: float) -> Point:
        """Raw (c, r) whose column rectangle holds a board pixel: what names go by."""
        X, Y = (y, x) if self.sideways else (x, y)
        c = math.floor((X - self.x0) / self.dx + 0.5)
        shift = self.dy / 2 if c % 2 else 0.0
        return c, java_round((Y - self.y0 - shift) / self.dy)

    def centre(self, c: int, r: int) -> Point:
        """Board pixel at which the engine places the centre of a raw hex."""
        X = int(self.dx * c + self.x0)
        half = int(self.dy / 2) if c % 2 else 0
        Y = int(self.dy * r + half + self.y0)
        return (Y, X) if self.sideways else (X, Y)

    def looked_up_centre(self, c: int, r: int) -> Point:
        """Board pixel the engine gives when it is asked for a place by its name.

        It rounds here in another way than when snapping, and so may lie one
        pixel beside `centre`.
        """
        X = int(self.dx * c) + self.x0
        Y = int(self.dy * r + (self.dy / 2 if c % 2 else 0.0)) + self.y0
        return (Y, X) if self.sideways else (X, Y)

    def snapped_raw(self, x: int, y: int) -> Point:
        """Raw hex to which a piece dropped at a board pixel snaps.

        The engine takes the hex of the column rectangle, unless its hexagon
        (rounded to pixels, one pixel larger to the right and below) does not
        hold the point and that of a hex in the next column does.
        """
        X, Y = (y, x) if self.sideways else (x, y)
        c = math.floor((X - self.x0 + self.dx / 2) / self.dx)
        above = Y - self.y0 + (0.0 if c % 2 else self.dy / 2)
        r = math.floor(above / self.dy)
        if polygon_contains(self._hexagon(c, r), X, Y):
            return c, r
        for direction in _ACROSS:
            near = neighbour(c, r, direction)
            if polygon_contains(self._hexagon(*near), X, Y):
                return near
        return c, r

    def snap(self, x: int, y: int) -> Point:
        """Board pixel to which a piece snaps; hexsides and vertices left aside."""
        return self.centre(*self.snapped_raw(x, y)) if self.snap_to else (x, y)

    def _hexagon(self, c: int, r: int) -> Polygon:
        """Hexagon of a raw hex in swapped coordinates, in the engine's single precision."""
        at = self.centre(c, r)
        X, Y = (np.float32(v) for v in (at[::-1] if self.sideways else at))
        dx, dy, half = np.float32(self.dx), np.float32(self.dy), np.float32(0.5)
        radius = np.float32(2) * dx / np.float32(3)
        xs = (X - radius, X - half * radius, X + half * radius, X + radius)
        left, inner_left, inner_right, right = (java_round(float(v)) for v in xs)
        top, bottom = java_round(float(Y - half * dy)), java_round(float(Y + half * dy)) + 1
        middle = int(Y)
        return (
            (left, middle),
            (inner_left, top),
            (inner_right + 1, top),
            (right + 1, middle),
            (inner_right + 1, bottom),
            (inner_left, bottom),
        )

    def name(self, x: float, y: float, size_px: tuple[int, int]) -> str | None:
        """Location name of a board pixel, not snapped; None without numbering."""
        if self.numbering is None:
            return None
        return self.numbering.name(self, size_px, *self.raw(x, y))

    def hexes_on(
        self, size_px: tuple[int, int], box: tuple[int, int, int, int] | None = None
    ) -> Iterator[Point]:
        """Raw hexes whose centre lies on the board (or in a box of it), by columns.

        Parameters
        ----------
        box : (left, top, right, bottom), optional
            Part of the board to look at.
        """
        left, top, right, bottom = box or (0, 0, *size_px)
        left, top = max(left, 0), max(top, 0)
        right, bottom = min(right, size_px[0]), min(bottom, size_px[1])
        if left >= right or top >= bottom:
            return
        (X0, Y0), (X1, Y1) = (
            (y, x) if self.sideways else (x, y) for x, y in ((left, top), (right, bottom))
        )
        for c in range(
            math.floor((X0 - self.x0) / self.dx) - 1, math.ceil((X1 - self.x0) / self.dx) + 2
        ):
            first = math.floor((Y0 - self.y0) / self.dy) - 2
            for r in range(first, math.ceil((Y1 - self.y0) / self.dy) + 2):
                x, y = self.centre(c, r)
                if left <= x < right and top <= y < bottom:
                    yield c, r

    def warnings(self, size_px: tuple[int, int]) -> list[str]:
        """Sentences on faults of the engine that this grid runs into."""
        return self.numbering.faults(self, size_px) if self.numbering else []


class UnusableGridError(ValueError):
    """Numbers that the engine reads but with which no grid can be."""


def check_spacing(dx: float, dy: float, x0: int, y0: int) -> None:
    """Refuse spacings that are NaN, below a pixel or beyond any board.

    Raises
    ------
    UnusableGridError
        Which names the attribute.
    """
    for key, value in (("dx", dx), ("dy", dy)):
        if not MIN_SPACING_PX <= value <= MAX_SPACING_PX:
            raise UnusableGridError(f"{key}={value!r} is no usable spacing in pixels")
    if max(abs(x0), abs(y0)) > MAX_SPACING_PX:
        raise UnusableGridError(f"the origin ({x0}, {y0}) lies far beyond any board")
