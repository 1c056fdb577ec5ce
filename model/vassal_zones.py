"""VASSAL's other grids: squares, regions, and zones over a background grid."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from hexsight.model.vassal_grid import HexGrid, check_spacing
from hexsight.model.vassal_java import (
    java_bool,
    java_double,
    java_int,
    java_round,
    polygon_contains,
)
from hexsight.model.vassal_numbering import SquareGridNumbering, fill

Point = tuple[int, int]
Polygon = tuple[Point, ...]


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
        x0, y0 = int(numbers["x0"]), int(numbers["y0"])
        check_spacing(numbers["dx"], numbers["dy"], x0, y0)
        return cls(
            numbers["dx"],
            numbers["dy"],
            x0,
            y0,
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
