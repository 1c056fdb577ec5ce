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
from hexsight.model.vassal_numbering import (
    HexGridNumbering,
    SquareGridNumbering,
    fill,
)

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
            If the engine could not read a number and so would drop the grid,
            or if its spacing is no usable number.
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
        for key, value in (("dx", dx), ("dy", dy)):
            if not MIN_SPACING_PX <= value <= MAX_SPACING_PX:
                raise ValueError(f"{key}={value!r} is no usable spacing in pixels")
        if max(abs(x0), abs(y0)) > MAX_SPACING_PX:
            raise ValueError(f"the origin ({x0}, {y0}) lies far beyond any board")
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
        left, right = java_round(X - radius), java_round(X + radius) + 1
        inner_left, inner_right = (
            java_round(X - half * radius),
            java_round(X + half * radius) + 1,
        )
        top, bottom = java_round(Y - half * dy), java_round(Y + half * dy) + 1
        middle = java_round(Y)
        return (
            (left, middle),
            (inner_left, top),
            (inner_right, top),
            (right, middle),
            (inner_right, bottom),
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


@dataclass(frozen=True)
class SquareGrid:
    """A grid of squares; attributes and defaults are VASSAL's."""

    dx: float = 48.0
    dy: float = 48.0
    x0: int = 24
    y0: int = 24
    snap_to: bool = True
    numbering: SquareGridNumbering | None = None

    @classmethod
    def from_attributes(
        cls, attributes: Mapping[str, str], numbering: SquareGridNumbering | None = None
    ) -> SquareGrid:
        """Read VASSAL's attributes; raises ValueError like `HexGrid.from_attributes`."""
        numbers: dict[str, float] = {"dx": 48.0, "dy": 48.0, "x0": 24, "y0": 24}
        for key in numbers:
            if key in attributes:
                try:
                    read = java_double if key.startswith("d") else java_int
                    numbers[key] = read(attributes[key])
                except ValueError as error:
                    raise ValueError(f"{key}={error}") from error
        for key in ("dx", "dy"):
            if not MIN_SPACING_PX <= numbers[key] <= MAX_SPACING_PX:
                raise ValueError(f"{key}={numbers[key]!r} is no usable spacing in pixels")
        return cls(
            numbers["dx"],
            numbers["dy"],
            int(numbers["x0"]),
            int(numbers["y0"]),
            java_bool(attributes.get("snapTo", "true")),
            numbering,
        )

    def raw(self, x: float, y: float) -> Point:
        """Raw (c, r) of a board pixel; the engine cuts the row towards zero."""
        return (
            math.floor((x - self.x0) / self.dx + 0.5),
            int((y - self.y0) / self.dy + 0.5),
        )

    def centre(self, c: int, r: int) -> Point:
        """Board pixel of the middle of a square."""
        return int(c * self.dx + self.x0), int(r * self.dy + self.y0)

    def snap(self, x: int, y: int) -> Point:
        """Board pixel to which a piece snaps; edges and corners left aside."""
        if not self.snap_to:
            return x, y
        across = 2 * java_round((x - self.x0) / self.dx)
        down = 2 * java_round((y - self.y0) / self.dy)
        return (
            self.x0 + java_round(across * self.dx / 2),
            self.y0 + java_round(down * self.dy / 2),
        )

    def name(self, x: float, y: float, size_px: tuple[int, int]) -> str | None:
        """Location name of a board pixel; None without numbering."""
        if self.numbering is None:
            return None
        column, row = self.numbering.named(self.dx, self.dy, size_px, *self.raw(x, y))
        return self.numbering.location(column, row)


@dataclass(frozen=True)
class Region:
    """A named point of an irregular grid."""

    name: str
    x: int
    y: int


@dataclass(frozen=True)
class RegionGrid:
    """Irregular grid: the nearest region wins."""

    regions: tuple[Region, ...] = ()
    snap_to: bool = True

    def nearest(self, x: float, y: float) -> Region | None:
        """Region nearest to a board pixel; of equally near ones the first in the file."""
        return min(self.regions, key=lambda g: (g.x - x) ** 2 + (g.y - y) ** 2, default=None)

    def snap(self, x: int, y: int) -> Point:
        """Board pixel to which a piece snaps."""
        region = self.nearest(x, y) if self.snap_to else None
        return (x, y) if region is None else (region.x, region.y)

    def name(self, x: float, y: float, size_px: tuple[int, int]) -> str | None:
        """Location name of a board pixel; None without regions."""
        region = self.nearest(x, y)
        return None if region is None else region.name

    def find(self, name: str) -> Point | None:
        """Place of the first region of this name."""
        return next(((g.x, g.y) for g in self.regions if g.name == name), None)


PlainGrid = HexGrid | SquareGrid | RegionGrid


@dataclass(frozen=True)
class Zone:
    """Part of a board with a name and perhaps a grid of its own.

    Attributes
    ----------
    name : str
        Its name.
    polygon : tuple of (int, int)
        Its outline in board pixels.
    location_format : str
        Name of a place in it, of ``$name$`` and ``$gridLocation$``.
    use_parent_grid : bool
        Use the background grid of the board instead of `own_grid`.
    own_grid : grid or None
        Its offsets count from the edge of the board, but descending numbers
        from the size of the zone's bounding box.
    """

    name: str
    polygon: Polygon
    location_format: str = "$name$"
    use_parent_grid: bool = False
    own_grid: PlainGrid | None = None

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Bounding box (left, top, right, bottom) in board pixels."""
        if not self.polygon:
            return 0, 0, 0, 0
        xs, ys = zip(*self.polygon, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the bounding box."""
        left, top, right, bottom = self.box
        return right - left, bottom - top

    def contains(self, x: float, y: float) -> bool:
        """Whether a board pixel lies in the zone, by Java's rule for edges."""
        left, top, right, bottom = self.box
        inside_box = left <= x < right and top <= y < bottom
        return len(self.polygon) > 2 and inside_box and polygon_contains(self.polygon, x, y)


@dataclass(frozen=True)
class ZonedGrid:
    """Zones over a background grid; the first zone that holds a point wins."""

    zones: tuple[Zone, ...] = ()
    background: PlainGrid | None = None

    def zone_at(self, x: float, y: float) -> Zone | None:
        """First zone that holds a board pixel."""
        return next((z for z in self.zones if z.contains(x, y)), None)

    def grid_at(
        self, x: float, y: float, size_px: tuple[int, int]
    ) -> tuple[PlainGrid | None, tuple[int, int]]:
        """Grid in force at a board pixel, and the size its numbering counts in."""
        zone = self.zone_at(x, y)
        if zone is None or zone.use_parent_grid:
            return self.background, size_px
        return zone.own_grid, zone.size_px

    def snap(self, x: int, y: int, size_px: tuple[int, int]) -> Point:
        """Board pixel to which a piece snaps."""
        grid, _ = self.grid_at(x, y, size_px)
        return (x, y) if grid is None else grid.snap(x, y)

    def name(self, x: float, y: float, size_px: tuple[int, int]) -> str | None:
        """Location name of a board pixel."""
        zone = self.zone_at(x, y)
        grid, container = self.grid_at(x, y, size_px)
        plain = None if grid is None else grid.name(x, y, container)
        if zone is None:
            return plain
        return fill(zone.location_format, {"name": zone.name, "gridLocation": plain})


BoardGrid = PlainGrid | ZonedGrid
