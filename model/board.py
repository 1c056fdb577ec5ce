"""The terrain model of one board: rasters, features, and facts by hex and hexside.

A `Survey` is what was found (in a picture, or read from LOSData) before
anything is concluded from it.  `hexsight.model.derive.derive` turns it, with a
person's overrides, into a `Board`.  Both are frozen: a change makes a new one.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon

from hexsight.model.errors import UsageError
from hexsight.model.layout import (
    CORNERS,
    Layout,
    direction_to,
    neighbour,
    to_lattice,
    vertex_hexes,
)
from hexsight.model.terrain import Catalogue, load_catalogue

Ring = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Cell:
    """A hex of the board: raw odd-q offset and the name that players use."""

    col: int
    row: int
    name: str


@dataclass(frozen=True)
class Mark:
    """A small symbol on the map, such as a stairwell square.

    Attributes
    ----------
    x_px, y_px : float
        Its middle in board pixels.
    size_px : float
        Side or diameter.
    confidence : float
        0 to 1.
    """

    x_px: float
    y_px: float
    size_px: float = 0.0
    confidence: float = 1.0


@dataclass(frozen=True)
class Doubt:
    """Something a person should look at, with the override that would settle it.

    Attributes
    ----------
    kind : str
        Short word, such as ``"bar-off-hexside"``.
    where : str
        Name of the hex or hexside, empty when it lies on none.
    x_px, y_px : float
        Place in board pixels.
    confidence : float
        Of the reading that was taken.
    note : str
        One sentence.
    override : str
        One line for ``overrides:`` in hexsight.yaml.
    """

    kind: str
    where: str
    x_px: float
    y_px: float
    confidence: float
    note: str
    override: str = ""


@dataclass(frozen=True)
class Provenance:
    """From what a board was made; tables compare it to know that they are stale."""

    source: str = ""
    terrain_from: str = "picture"
    picture: str = ""
    picture_sha256: str = ""
    inputs_sha256: dict[str, str] = field(default_factory=dict)
    legend: str = ""
    tool_version: str = ""


@dataclass(frozen=True)
class Survey:
    """What was found on a map.

    Attributes
    ----------
    name : str
        Of the board.
    layout : Layout
        Lattice as drawn, in board pixels.
    cells : tuple of Cell
        Hexes of the board in column-major order.
    terrain : (H, W) uint8
        Codes of the terrain catalogue.  Buildings may carry the plain code of
        their material (`typed` False), then `derive` finds kind and height.
    elevation_half : (H, W) int8
        Ground elevation in half-levels.
    typed : bool
        True where the codes already tell kind and height (read from LOSData).
    building_types : dict of str to int
        Terrain code that the maker named for the building in a hex.
    stairwells : tuple of Mark
    confidence : (H, W) uint8 or None
        255 = sure of the label.
    doubts : tuple of Doubt
    """

    name: str
    layout: Layout
    cells: tuple[Cell, ...]
    terrain: NDArray[np.uint8]
    elevation_half: NDArray[np.int8]
    typed: bool = False
    building_types: dict[str, int] = field(default_factory=dict)
    stairwells: tuple[Mark, ...] = ()
    confidence: NDArray[np.uint8] | None = None
    doubts: tuple[Doubt, ...] = ()
    provenance: Provenance = Provenance()
    catalogue: str = "vasl"


@dataclass(frozen=True)
class RoadEntry:
    """Place where a road enters a building (O5.1), in board pixels."""

    hex: str
    x_px: float
    y_px: float
    road: int
    confidence: float = 1.0


@dataclass(frozen=True)
class Building:
    """One building.

    Attributes
    ----------
    id : int
        1, 2, … in reading order of the top left corner.
    rings : tuple of rings
        Outer ring, then holes, in board pixels.
    material : str
        ``"stone"`` or ``"wood"``.
    kind : str
        ``"building"``, ``"factory"`` or ``"market"``.
    height_half : int
        Height over its ground in half-levels.
    hexes : tuple of str
        Hexes that it stands in, reading order of the board.
    stairwells : tuple of str
        Hexes with a printed stairwell.
    entries : tuple of RoadEntry
    confidence : float
    """

    id: int
    rings: tuple[Ring, ...]
    material: str
    kind: str
    height_half: int
    hexes: tuple[str, ...]
    stairwells: tuple[str, ...] = ()
    entries: tuple[RoadEntry, ...] = ()
    confidence: float = 1.0

    @property
    def polygon(self) -> Polygon:
        """Outline with holes."""
        return Polygon(self.rings[0], self.rings[1:])


@dataclass(frozen=True)
class Opening:
    """A door, window or gap in a wall, marked by a person; lines may be seen through it.

    Attributes
    ----------
    building : int
        Id of the building in whose wall it is.
    ends_px : ((float, float), (float, float))
        Its two ends on the wall, in board pixels; the building lies to the left of
        first → second with y up (to the right on a picture, where y runs down).
    level : int or None
        Storey, 0 for the ground floor; None for every storey.
    """

    building: int
    ends_px: tuple[tuple[float, float], tuple[float, float]]
    level: int | None = None


@dataclass(frozen=True)
class RooflessArea:
    """A floor under open sky inside a Factory (O5.4); its ring is the jagged inner roof edge."""

    building: int
    rings: tuple[Ring, ...]
    hexes: tuple[str, ...]
    confidence: float = 1.0

    @property
    def polygon(self) -> Polygon:
        """Outline with holes."""
        return Polygon(self.rings[0], self.rings[1:])


@dataclass(frozen=True)
class HexFacts:
    """What holds for one hex.

    Attributes
    ----------
    terrain : int
        Code at the centre dot.
    base_half : int
        Ground elevation at the centre in half-levels.
    on_map : float
        Share of the hex that lies on the picture.
    building : int
        Id of the building with most of the hex, 0 for none.
    building_share : float
        Share of the hex (on the picture) inside any building's depiction.
    factory, roofless, stairwell, vehicular_entrance : bool
        O5.1, O5.4, printed stairwell square (O.4B), O5.2.
    height_half : int
        Of the building's obstacle in this hex.
    """

    name: str
    col: int
    row: int
    x_px: float
    y_px: float
    on_map: float
    terrain: int
    base_half: int
    building: int = 0
    building_share: float = 0.0
    roofless_share: float = 0.0
    factory: bool = False
    roofless: bool = False
    stairwell: bool = False
    vehicular_entrance: bool = False
    height_half: int = 0
    confidence: float = 1.0

    @property
    def access(self) -> bool:
        """Whether the levels of a building are joined here by something that is printed.

        A stairwell square; in a Factory also the place where a road enters, from
        which its rooftop is reached (O.4B: K20 of the second example of O5.43).
        """
        return self.stairwell or (self.factory and self.vehicular_entrance)


@dataclass(frozen=True)
class HexsideFacts:
    """What holds for one hexside.

    Attributes
    ----------
    name : str
        Both hexes, such as ``"K15-K16"``.
    a, b : str
        The two hexes in the order of the name.
    direction : int
        From a to b, 0–5 clockwise from up.
    bar : tuple of (float, float)
        Covered intervals along the hexside, 0 at its first end, 1 at its last.
    bar_share : float
        Sum of them.
    vertices : tuple of str
        Names of the end vertices that a bar on this hexside reaches (O5.31).
    bar_half : int
        Height of the bar in half-levels (O5.3), 0 without one.
    building_share : float
        Share of the hexside inside a building's depiction.
    terrain : int
        Code of a wall, hedge, cliff … printed along it, 0 for none.
    """

    name: str
    a: str
    b: str
    direction: int
    bar: tuple[tuple[float, float], ...] = ()
    bar_share: float = 0.0
    vertices: tuple[str, ...] = ()
    bar_half: int = 0
    building_share: float = 0.0
    terrain: int = 0
    confidence: float = 1.0


@dataclass(frozen=True)
class Board:
    """The model of one board.

    Attributes
    ----------
    terrain : (H, W) uint8
        Codes of the catalogue, kind and height of buildings resolved.
    elevation_half : (H, W) int8
    hexes : tuple of HexFacts
        Column-major, the order of `cells` in the survey.
    hexsides : tuple of HexsideFacts
        Every pair of touching hexes once.
    """

    name: str
    layout: Layout
    terrain: NDArray[np.uint8]
    elevation_half: NDArray[np.int8]
    hexes: tuple[HexFacts, ...]
    hexsides: tuple[HexsideFacts, ...]
    buildings: tuple[Building, ...] = ()
    roofless: tuple[RooflessArea, ...] = ()
    stairwells: tuple[Mark, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    provenance: Provenance = Provenance()
    catalogue_name: str = "vasl"
    openings: tuple[Opening, ...] = ()

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return self.terrain.shape[1], self.terrain.shape[0]

    @property
    def catalogue(self) -> Catalogue:
        """Terrain types that the codes mean."""
        return load_catalogue(self.catalogue_name)

    @cached_property
    def by_name(self) -> dict[str, HexFacts]:
        """Facts by hex name."""
        return {h.name: h for h in self.hexes}

    @cached_property
    def by_offset(self) -> dict[tuple[int, int], HexFacts]:
        """Facts by odd-q offset."""
        return {(h.col, h.row): h for h in self.hexes}

    @cached_property
    def side_by_name(self) -> dict[str, HexsideFacts]:
        """Facts by hexside name, both spellings."""
        out = {s.name: s for s in self.hexsides}
        out.update({f"{s.b}-{s.a}": s for s in self.hexsides})
        return out

    @cached_property
    def building_by_id(self) -> dict[int, Building]:
        """Buildings by id."""
        return {b.id: b for b in self.buildings}

    def joins_levels(self, facts: HexFacts) -> bool:
        """Whether stairs join the levels of a hex.

        Where something printed says so, and everywhere in a house of 1½ levels, whose
        stairs need no symbol (B23.22).
        """
        building = self.building_by_id.get(facts.building)
        if facts.access or building is None:
            return facts.access
        return building.kind == "building" and facts.height_half == 3

    def hex(self, name: str) -> HexFacts:
        """Facts of a named hex; upper and lower case alike.

        Raises
        ------
        UsageError
            If the board has no such hex; names the nearest.
        """
        found = self.by_name.get(name) or self.by_name.get(name.strip().upper())
        if found is None:
            near = difflib.get_close_matches(name.upper(), list(self.by_name), n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise UsageError(
                f"There is no hex {name} on board {self.name}.{hint} "
                f"Its hexes run from {self.hexes[0].name} to {self.hexes[-1].name}."
            )
        return found

    @cached_property
    def owner(self) -> NDArray[np.int32]:
        """Index (H, W) int32 into `hexes` of the hex that holds each pixel, −1 for none."""
        return owner_index(self.layout, [(h.col, h.row) for h in self.hexes], self.size_px)


def owner_index(
    layout: Layout, offsets: list[tuple[int, int]], size_px: tuple[int, int]
) -> NDArray[np.int32]:
    """Index (H, W) int32 into `offsets` of the hex that holds each pixel, −1 for none."""
    out = np.full(size_px[::-1], -1, np.int32)
    if not offsets:
        return out
    arr = np.array(offsets)
    first, last = arr.min(axis=0), arr.max(axis=0)
    # One place more all round, for pixels beyond the last hex.
    table = np.full(last - first + 3, -1, np.int32)
    table[tuple((arr - first + 1).T)] = np.arange(len(offsets), dtype=np.int32)
    for top, found in layout.owner_bands(size_px):
        place = np.clip(found, first - 1, last + 1) - (first - 1)
        out[top : top + len(found)] = table[place[..., 0], place[..., 1]]
    return out


def hexside_name(names: dict[tuple[int, int], str], cell: tuple[int, int], direction: int) -> str:
    """Name of the side of a hex in a direction; "K15-K16" in column-major order of the hexes.

    A side at the edge of the board, where no second hex has a name, is called
    after its hex and the direction: ``"A1-edge5"``.
    """
    other = neighbour(*cell, direction)
    if other not in names:
        return f"{names[cell]}-edge{direction}"
    first, second = sorted([cell, other])
    return f"{names[first]}-{names[second]}"


def vertex_name(names: dict[tuple[int, int], str], X: int, Y: int) -> str:
    """Name of a vertex after the hexes that meet there: ``"L15-M15-M16"``."""
    return "-".join(names[cell] for cell in vertex_hexes(X, Y) if cell in names)


def side_vertices(cell: tuple[int, int], direction: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Lattice points of both ends of a hexside, in the order that its intervals count."""
    X, Y = to_lattice(*cell)
    ends = [CORNERS[direction % 6], CORNERS[(direction + 1) % 6]]
    return (X + ends[0][0], Y + ends[0][1]), (X + ends[1][0], Y + ends[1][1])


def parse_hexside(
    text: str, by_name: dict[str, tuple[int, int]]
) -> tuple[tuple[int, int], tuple[int, int], int]:
    """Both hexes (column-major) and the direction of a hexside written ``A-B``.

    Raises
    ------
    UsageError
        If it is not two names of touching hexes.
    """
    parts = [p.strip() for p in text.split("-")]
    # Names may themselves hold a dash ("-BDD"): try every place to split.
    tokens = text.split("-")
    for cut in range(1, len(tokens)):
        a, b = "-".join(tokens[:cut]).strip(), "-".join(tokens[cut:]).strip()
        if a in by_name and b in by_name:
            first, second = sorted([by_name[a], by_name[b]])
            direction = direction_to(first, second)
            if direction is None:
                raise UsageError(f"{text} is no hexside: {a} and {b} do not touch.")
            return first, second, direction
    if len(parts) == 1 or text in by_name:
        why = f"{text} is one name"
    else:
        missing = [p for p in parts if p not in by_name]
        why = (
            f"there is no {' and no '.join(missing)} on it"
            if missing
            else "these are not two hexes"
        )
    raise UsageError(
        f"{text} is no hexside of this board: write it as two touching hexes, such as "
        f"K15-K16 ({why})."
    )
