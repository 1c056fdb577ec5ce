"""Grids of a module's boards, from the elements of its build file.

The engine drops a component whose numbers it cannot read and goes on; so does
this reader, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from hexsight.extract.xmlsafe import attributes, children, local_name
from hexsight.model.vassal_grid import HexGrid, UnusableGridError
from hexsight.model.vassal_java import java_bool, java_int
from hexsight.model.vassal_numbering import HexGridNumbering, SquareGridNumbering
from hexsight.model.vassal_zones import (
    BoardGrid,
    PlainGrid,
    Region,
    RegionGrid,
    SquareGrid,
    Zone,
    ZonedGrid,
)

_CORNER = re.compile(r"\s*([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})\s*\Z", re.ASCII)
MAX_CORNERS = 100_000


@dataclass(frozen=True)
class HexGridPlace:
    """A hex grid of a board and where it applies.

    Attributes
    ----------
    grid : HexGrid
        The grid.
    zone : Zone or None
        The zone it belongs to; None where it is the board's own, or the
        background of its zones.
    xpath : str
        Its element in the build file.
    line : int
        Line of that element.
    """

    grid: HexGrid
    zone: Zone | None
    xpath: str
    line: int

    def container_px(self, size_px: tuple[int, int]) -> tuple[int, int]:
        """Size in which the numbering counts: of the zone's box, or of the board."""
        return size_px if self.zone is None else self.zone.size_px


@dataclass
class GridReader:
    """Reads the grid of one board and collects what went wrong.

    Attributes
    ----------
    where : str
        Name of the board for messages.
    warnings : list of str
        What the engine would drop.
    places : list of HexGridPlace
        Hex grids found.
    """

    where: str
    warnings: list[str] = field(default_factory=list)
    places: list[HexGridPlace] = field(default_factory=list)

    def board_grid(self, board: etree._Element) -> BoardGrid | None:
        """The grid of a Board element; of several the last, as in the engine."""
        found: BoardGrid | None = None
        for element in flat_children(board):
            kind = local_name(element)
            grid = self._zoned(element) if kind == "ZonedGrid" else self._plain(element, None)
            if grid is not None:
                if found is not None:
                    self.places = [p for p in self.places if p.grid is grid or p.zone is not None]
                found = grid
        return found

    def _plain(self, element: etree._Element, zone: Zone | None) -> PlainGrid | None:
        kind = local_name(element)
        try:
            if kind == "SquareGrid":
                return SquareGrid.from_attributes(
                    attributes(element), self._square_numbering(element)
                )
            if kind == "RegionGrid":
                return self._regions(element)
            if kind == "HexGrid" or (kind.endswith("HexGrid") and "." in str(element.tag)):
                return self._hex(element, kind, zone)
        except ValueError as error:
            self._drop(element, kind, error)
        return None

    def _hex(self, element: etree._Element, kind: str, zone: Zone | None) -> HexGrid:
        grid = HexGrid.from_attributes(attributes(element), self._hex_numbering(element))
        if kind != "HexGrid":
            self.warnings.append(
                f"{self.where}, line {element.sourceline}: {element.tag} is the module's own class "
                "and is read like VASSAL's HexGrid"
            )
        self.places.append(
            HexGridPlace(
                grid, zone, element.getroottree().getpath(element), element.sourceline or 0
            )
        )
        return grid

    def _hex_numbering(self, grid: etree._Element) -> HexGridNumbering | None:
        found = None
        for element in flat_children(grid):
            kind = local_name(element)
            if not kind.endswith("HexGridNumbering"):
                continue
            try:
                numbering = HexGridNumbering.from_attributes(attributes(element))
            except ValueError as error:
                self._drop(element, kind, error)
                continue
            if kind not in ("HexGridNumbering", "ObliqueHexGridNumbering"):
                self.warnings.append(
                    f"{self.where}, line {element.sourceline}: {element.tag} is the module's own "
                    "class; its names may differ from those of VASSAL's HexGridNumbering"
                )
            oblique = str(element.tag).startswith("VASSAL.") and kind.startswith("Oblique")
            found = HexGridNumbering(**{**numbering.__dict__, "oblique": oblique})
        return found

    def _square_numbering(self, grid: etree._Element) -> SquareGridNumbering | None:
        found = None
        for element in flat_children(grid):
            if local_name(element) != "SquareGridNumbering":
                continue
            try:
                found = SquareGridNumbering.from_attributes(attributes(element))
            except ValueError as error:
                self._drop(element, "SquareGridNumbering", error)
        return found

    def _regions(self, grid: etree._Element) -> RegionGrid:
        found = {}
        for element in flat_children(grid):
            if local_name(element) != "Region":
                continue
            attrs = attributes(element)
            try:
                x, y = java_int(attrs.get("originx", "0")), java_int(attrs.get("originy", "0"))
            except ValueError as error:
                self._drop(element, "Region", error)
                continue
            # Of two regions on one point the engine keeps the later.
            found[(x, y)] = Region(attrs.get("name", ""), x, y)
        return RegionGrid(tuple(found.values()), java_bool(attributes(grid).get("snapto", "true")))

    def _zoned(self, element: etree._Element) -> ZonedGrid:
        zones: list[Zone] = []
        background: PlainGrid | None = None
        for child in flat_children(element):
            if local_name(child) == "Zone":
                zones.append(self._zone(child))
            else:
                background = self._plain(child, None) or background
        return ZonedGrid(tuple(zones), background)

    def _zone(self, element: etree._Element) -> Zone:
        attrs = attributes(element)
        zone = Zone(
            attrs.get("name", ""),
            self._path(element, attrs.get("path", "")),
            attrs.get("locationFormat", "$name$"),
            attrs.get("useParentGrid") == "true",
        )
        grid: PlainGrid | None = None
        for child in flat_children(element):
            grid = self._plain(child, zone) or grid
        return Zone(zone.name, zone.polygon, zone.location_format, zone.use_parent_grid, grid)

    def _path(self, element: etree._Element, text: str) -> tuple[tuple[int, int], ...]:
        corners = []
        for part in text.split(";")[:MAX_CORNERS]:
            match = _CORNER.match(part)
            if match is None:
                if text:
                    self._drop(element, "Zone", ValueError(f"path has a bad corner {part[:30]!r}"))
                break
            corners.append((int(match[1]), int(match[2])))
        return tuple(corners)

    def _drop(self, element: etree._Element, kind: str, error: ValueError) -> None:
        what = "VASSAL stops reading it there" if kind == "Zone" else "VASSAL drops it"
        if isinstance(error, UnusableGridError):
            what = "it is left out"
        self.warnings.append(
            f"{self.where}, line {element.sourceline}: {kind} cannot be read ({error}); {what}"
        )


def flat_children(element: etree._Element) -> Iterator[etree._Element]:
    """Child elements, looking through the editor's folders, which mean nothing."""
    for child in children(element):
        if ".folder." in str(child.tag):
            yield from flat_children(child)
        else:
            yield child
