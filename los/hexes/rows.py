"""Which row of a profile holds for a hex, a hexside or a unit, and for which class."""

from __future__ import annotations

from hexsight.los.hexes.profile import HexProfile, HexRow, HexsideRow, SlopeRow
from hexsight.model.board import Board, HexFacts
from hexsight.model.terrain import Catalogue, TerrainType


def _fits(
    row: HexRow | HexsideRow | SlopeRow, kind: TerrainType, building: str | None = None
) -> bool:
    if kind.name.casefold() in {name.strip().casefold() for name in row.terrain}:
        return True
    return (building if building is not None else kind.kind) in row.kinds


def hex_row(profile: HexProfile, board: Board, facts: HexFacts, observer: str) -> HexRow | None:
    """The first row that fits a hex and a class.

    A hex in which a building stands counts as that and not as the terrain at
    its centre dot.
    """
    kind = board.catalogue[facts.terrain]
    found = board.building_by_id.get(facts.building)
    building = found.kind if found is not None else None
    for row in profile.rules.hexes:
        if (row.classes is None or observer in row.classes) and _fits(row, kind, building):
            return row
    return None


def side_row(
    profile: HexProfile, catalogue: Catalogue, terrain: int, observer: str
) -> HexsideRow | None:
    """The first row that fits what is on a hexside, and a class."""
    if not terrain:
        return None
    kind = catalogue[terrain]
    for row in profile.rules.hexsides:
        if (row.classes is None or observer in row.classes) and _fits(row, kind):
            return row
    return None


def slope_row(
    profile: HexProfile, catalogue: Catalogue, terrain: int, rises: bool, unmarked: str | None
) -> SlopeRow | None:
    """The slope on a hexside.

    Parameters
    ----------
    terrain : int
        Code on the hexside, 0 for none.
    rises : bool
        Whether the ground is not of one height on both sides.
    unmarked : str or None
        What a scenario calls slopes that nothing is printed on; the profile's
        word without.
    """
    slopes = profile.rules.slopes
    if terrain:
        kind = catalogue[terrain]
        for row in (slopes.steep, slopes.gentle):
            if _fits(row, kind):
                return row
    word = unmarked or slopes.unmarked
    if not rises or word == "none":
        return None
    return slopes.steep if word == "steep" else slopes.gentle
