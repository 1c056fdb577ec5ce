"""The hexes of a board and their names, as VASSAL gives them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from hexsight.extract.module_grids import HexGridPlace
from hexsight.model.errors import UnsupportedError
from hexsight.model.layout import Layout
from hexsight.model.vassal_numbering import HexGridNumbering
from hexsight.model.vassal_zones import BoardGrid, ZonedGrid

MAX_HEXES = 1_000_000


@dataclass(frozen=True)
class NamedHex:
    """A hex of a board.

    Attributes
    ----------
    col, row : int
        Raw hex, our odd-q offset.
    name : str
        Unique name that people use: the grid's own, such as ``S26``.
    location : str
        What VASSAL reports there (``LocationName``): with the zone's format
        around it; empty where the module has no numbering.
    x_px, y_px : int
        Centre as the engine has it.
    zone : str
        Zone it lies in, or empty.
    """

    col: int
    row: int
    name: str
    location: str
    x_px: int
    y_px: int
    zone: str = ""


@dataclass(frozen=True)
class BoardHexes:
    """Hexes of a board.

    Attributes
    ----------
    layout : Layout
        Nominal layout of the module's grid.
    place : HexGridPlace
        The grid they belong to.
    hexes : tuple of NamedHex
        Column by column.
    warnings : tuple of str
        Faults of the engine, names that had to be made up or told apart.
    """

    layout: Layout
    place: HexGridPlace
    hexes: tuple[NamedHex, ...]
    warnings: tuple[str, ...]


def name_hexes(
    where: str, grid: BoardGrid | None, place: HexGridPlace, size_px: tuple[int, int]
) -> BoardHexes:
    """Every hex of a grid whose centre lies on the picture and in the grid's own zones.

    Parameters
    ----------
    where : str
        Name of the board for messages.
    grid : grid
        The whole grid of the board, with its zones.
    place : HexGridPlace
        The hex grid to list.
    size_px : (int, int)
        Size of the picture.

    Raises
    ------
    UnsupportedError
        If there would be more than a million hexes.
    """
    hexgrid = place.grid
    if size_px[0] * size_px[1] > MAX_HEXES * hexgrid.dx * hexgrid.dy:
        raise UnsupportedError(
            f"{where}: a grid of {hexgrid.dx:g} × {hexgrid.dy:g} px has more than {MAX_HEXES} "
            f"hexes on a picture of {size_px[0]} × {size_px[1]} px. Correct dx and dy."
        )
    warnings = [f"{where}: {fault}" for fault in hexgrid.warnings(place.container_px(size_px))]
    box = place.zone.box if place.zone is not None else None
    raws = list(hexgrid.hexes_on(size_px, box))
    numbering = hexgrid.numbering
    if numbering is None:
        warnings.append(
            f"{where}: its grid has no numbering, so hexes are named by column and row (0101)"
        )
        numbering = _made_up(raws)
    found = []
    for c, r in raws:
        x, y = hexgrid.centre(c, r)
        zone = grid.zone_at(x, y) if isinstance(grid, ZonedGrid) else None
        if isinstance(grid, ZonedGrid) and grid.grid_at(x, y, size_px)[0] is not hexgrid:
            continue
        name = numbering.name(hexgrid, place.container_px(size_px), c, r)
        location = "" if grid is None else _location(grid, x, y, size_px)
        found.append(NamedHex(c, r, name, location, x, y, zone.name if zone else ""))
    return BoardHexes(hexgrid.layout(), place, _unique(found, where, warnings), tuple(warnings))


def _location(grid: BoardGrid, x: int, y: int, size_px: tuple[int, int]) -> str:
    return grid.name(x, y, size_px) or ""


def _made_up(raws: list[tuple[int, int]]) -> HexGridNumbering:
    """Numbering from 01 for a grid that has none."""
    first_col = min((c for c, _ in raws), default=0)
    first_row = min((r for _, r in raws), default=0)
    return HexGridNumbering(h_off=1 - first_col, v_off=1 - first_row, stagger=False)


def _unique(found: list[NamedHex], where: str, warnings: list[str]) -> tuple[NamedHex, ...]:
    """The same hexes, those that share a name told apart by their raw numbers."""
    often = Counter(h.name for h in found)
    shared = {name for name, times in often.items() if times > 1}
    if not shared:
        return tuple(found)
    example = min(shared)
    warnings.append(
        f"{where}: {len(shared)} names stand for several hexes each (such as {example!r}); their "
        "raw column and row is added"
    )
    return tuple(
        NamedHex(h.col, h.row, f"{h.name}#{h.col}.{h.row}", h.location, h.x_px, h.y_px, h.zone)
        if h.name in shared
        else h
        for h in found
    )
