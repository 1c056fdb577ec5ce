"""Hex name to pixel and pixel to hex name, as VASSAL reads and writes them.

VASSAL names a point by the column *rectangle* it lies in, and snaps a piece to
the true hexagon; near the slanted hexsides these differ.  Both readings are
told, and where the engine's own look-up of a name goes astray, so is that.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from hexsight.extract.source import Source
from hexsight.model.errors import UnsupportedError, UsageError
from hexsight.model.vassal_grid import HexGrid
from hexsight.model.vassal_numbering import fill
from hexsight.model.vassal_zones import (
    BoardGrid,
    PlainGrid,
    RegionGrid,
    SquareGrid,
    Zone,
    ZonedGrid,
)

_MARK = "\0"
Point = tuple[int, int]


@dataclass(frozen=True)
class Place:
    """A place on a board.

    Attributes
    ----------
    point_px : (int, int)
        Where on the board was asked, or where the named place has its centre.
    name : str
        What VASSAL calls that point, by the rectangle it lies in; empty where
        it has no name.
    snapped_name : str
        What VASSAL calls it once a piece has snapped.
    snapped_px : (int, int)
        Where a piece snaps to: the centre of the hex, square or region.
    zone : str
        Zone it lies in, or empty.
    raw : (int, int) or None
        Raw column and row of the snapped place in its grid.
    warning : str
        Where VASSAL's own look-up of the name is wrong; else empty.
    """

    point_px: Point
    name: str
    snapped_name: str
    snapped_px: Point
    zone: str
    raw: Point | None
    warning: str

    def facts(self) -> dict[str, Any]:
        """The same for JSON."""
        return asdict(self)


def place_at(source: Source, x: float, y: float) -> Place:
    """What a board has at a pixel.

    Raises
    ------
    UsageError
        If the pixel is not on the board, or the source is a bare picture.
    UnsupportedError
        If the board has no grid at all.
    """
    width, height = source.picture.size_px
    if not (0 <= x < width and 0 <= y < height):
        raise UsageError(
            f"({x:g}, {y:g}) is not on {source.name}, which is {width} × {height} pixels."
        )
    if source.archive is not None and source.layout is not None:
        return _archive_place(source, x, y)
    return _place(_grid(source), math.floor(x), math.floor(y), (width, height))


def places_named(source: Source, name: str) -> list[Place]:
    """Places of a board with a name, be it the grid's own or a full location name.

    Raises
    ------
    UsageError
        If there is none, or the source is a bare picture.
    UnsupportedError
        If the board has no grid at all.
    """
    size = source.picture.size_px
    if source.archive is not None and source.layout is not None:
        found = [
            _archive_place(source, *source.layout.centre(c, r))
            for c, r, n in source.hexes
            if n.casefold() == name.strip().casefold()
        ]
    else:
        grid = _grid(source)
        found = []
        for place in _named(grid, name, size):
            if place not in found:
                found.append(place)
    if not found:
        example = next((n for _, _, n in source.hexes), "")
        told = f" Names there look like {example}." if example else ""
        raise UsageError(f"There is no {name!r} on {source.name}.{told}")
    return found


def _grid(source: Source) -> BoardGrid:
    if source.board is None:
        raise UsageError(
            f"{source.path.name} brings no hex names: --name and --at need a module "
            "or a VASL board."
        )
    if source.board.grid is None:
        raise UnsupportedError(f"{source.board.where} has no grid, so no place of it has a name.")
    return source.board.grid


def _archive_place(source: Source, x: float, y: float) -> Place:
    assert source.layout is not None
    c, r = (int(v) for v in source.layout.pixel_to_hex((x, y)))
    name = next((n for col, row, n in source.hexes if (col, row) == (c, r)), "")
    cx, cy = source.layout.centre(c, r)
    return Place((round(x), round(y)), name, name, (round(cx), round(cy)), "", (c, r), "")


def _place(grid: BoardGrid, x: int, y: int, size: Point) -> Place:
    zone = grid.zone_at(x, y) if isinstance(grid, ZonedGrid) else None
    snapped = grid.snap(x, y, size) if isinstance(grid, ZonedGrid) else grid.snap(x, y)
    plain, container = _plain_at(grid, *snapped, size)
    raw: Point | None = None
    warning = ""
    if isinstance(plain, HexGrid):
        # The hex itself, not the rectangle that the rounded centre falls into.
        raw = plain.snapped_raw(*snapped)
        warning = _astray(plain, container, raw)
    elif isinstance(plain, SquareGrid):
        raw = plain.raw(*snapped)
    return Place(
        (x, y),
        grid.name(x, y, size) or "",
        grid.name(*snapped, size) or "",
        snapped,
        zone.name if zone is not None else "",
        raw,
        warning,
    )


def _plain_at(grid: BoardGrid, x: int, y: int, size: Point) -> tuple[PlainGrid | None, Point]:
    return grid.grid_at(x, y, size) if isinstance(grid, ZonedGrid) else (grid, size)


def _astray(grid: HexGrid, container: Point, raw: Point) -> str:
    """What the engine's own look-up of the name of a raw hex gets wrong."""
    numbering = grid.numbering
    if numbering is None:
        return ""
    name = numbering.name(grid, container, *raw)
    try:
        found = numbering.engine_raw(grid, container, *numbering.parse(name))
    except ValueError as error:
        return f"VASSAL's own look-up does not understand this name: {error}"
    if found == raw:
        return ""
    x, y = grid.looked_up_centre(*found)
    other = numbering.name(grid, container, *found)
    return f"VASSAL's own look-up of {name} goes to {other} at ({x}, {y})"


def _named(grid: BoardGrid, name: str, size: Point) -> Iterator[Place]:
    if not isinstance(grid, ZonedGrid):
        for point in _points(grid, name, size):
            yield from _there(grid, grid, None, point, size)
        return
    for zone in grid.zones:
        plain = grid.background if zone.use_parent_grid else zone.own_grid
        container = size if zone.use_parent_grid else zone.size_px
        inner = {name, *_within(zone, name)}
        if plain is None:
            if name == fill(zone.location_format, {"name": zone.name, "gridLocation": None}):
                left, top, right, bottom = zone.box
                yield _place(grid, (left + right) // 2, (top + bottom) // 2, size)
            continue
        for text in sorted(inner):
            for point in _points(plain, text, container):
                yield from _there(grid, plain, zone, point, size)
    if grid.background is not None:
        for point in _points(grid.background, name, size):
            yield from _there(grid, grid.background, None, point, size)


def _there(
    grid: BoardGrid, plain: PlainGrid, zone: Zone | None, point: Point, size: Point
) -> Iterator[Place]:
    """The place, if it lies on the board and this grid of this zone is in force there."""
    x, y = point
    if not (0 <= x < size[0] and 0 <= y < size[1]):
        return
    if isinstance(grid, ZonedGrid):
        here = grid.zone_at(x, y)
        if here != zone or grid.grid_at(x, y, size)[0] is not plain:
            return
    yield _place(grid, x, y, size)


def _within(zone: Zone, name: str) -> list[str]:
    """The grid's part of a full location name in a zone."""
    around = fill(zone.location_format, {"name": zone.name, "gridLocation": _MARK})
    before, mark, after = around.partition(_MARK)
    fits = mark and name.startswith(before) and name.endswith(after)
    inner = name[len(before) : len(name) - len(after)] if fits else ""
    return [inner] if inner else []


def _points(grid: PlainGrid, name: str, container: Point) -> list[Point]:
    """Centres of the cells of a grid with a name: one, or none."""
    if isinstance(grid, RegionGrid):
        point = grid.find(name)
        return [] if point is None else [point]
    if grid.numbering is None:
        return []
    try:
        column, row = grid.numbering.parse(name)
    except ValueError:
        return []  # no name of this grid; the caller says so when no grid has it
    if isinstance(grid, HexGrid):
        assert grid.numbering is not None
        c, r = grid.numbering.raw(grid, container, column, row)
    else:
        c, r = grid.numbering.named(grid.dx, grid.dy, container, column, row)
    return [grid.centre(c, r)]
