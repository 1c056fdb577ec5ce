"""Whom high explosive of the modern platoon game hits, and how hard.

Every unit is attacked alone, friend or foe, leaders too.  In the hex where the barrage comes
down with full strength, in each adjacent hex with half; a hard target halves (again); fractions
are dropped.  In a building of several storeys the top floor is hit, and the floor right below
it as if it were an adjacent hex; of adjacent hexes only what is as high: the top floors of the
same building, and other top floors (or ground) that are not lower than the floor struck.

Assumed where the source is silent: whoever is on a rooftop is attacked as the floor below the
roof is; and of a building of several storeys beside a lower target hex the top floor is hit.
Smoke halves nothing here, so nothing here asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from hexsight.los.games.platoon_units import Unit
from hexsight.model.board import Board, HexFacts
from hexsight.model.layout import neighbour
from hexsight.model.locations import Location, locations_of

Part = Literal["target", "below", "adjacent"]


@dataclass(frozen=True)
class Struck:
    """A Location that a barrage reaches.

    Attributes
    ----------
    location : str
    part : str
        ``target``, ``below`` (the floor under the top one) or ``adjacent``.
    """

    location: str
    part: Part

    @property
    def halvings(self) -> int:
        """How often strength is halved before hard targets are considered."""
        return 0 if self.part == "target" else 1


@dataclass(frozen=True)
class Attack:
    """One attack of a barrage on one unit.

    Attributes
    ----------
    unit : str
    location : str
    strength : int
        After all halvings, fractions dropped.
    halvings : int
        0 to 2.
    """

    unit: str
    location: str
    strength: int
    halvings: int


def struck(board: Board, hex_: str) -> tuple[Struck, ...]:
    """Locations that high explosive reaches when it comes down in a hex.

    Parameters
    ----------
    board : Board
    hex_ : str

    Returns
    -------
    tuple of Struck
        Of the hex itself from the lowest to the highest, then of adjacent hexes clockwise.

    Raises
    ------
    UsageError
        If the hex does not exist.
    """
    centre = board.hex(hex_)
    by_hex: dict[str, list[Location]] = {}
    for location in locations_of(board):
        by_hex.setdefault(board.hexes[location.hex].name, []).append(location)
    here = by_hex[centre.name]
    floors = _floors(here)
    out = [Struck(name, part) for name, part in _in_target(here, floors)]
    for direction in range(6):
        beside = board.by_offset.get(neighbour(centre.col, centre.row, direction))
        if beside is not None:
            there = by_hex[beside.name]
            if len(floors) < 2 or _as_high(centre, beside, floors[-1], _floors(there)[-1]):
                out += [Struck(name, "adjacent") for name in _top(there)]
    return tuple(out)


def attacks(
    board: Board, hex_: str | None, strength: int, units: Iterable[Unit]
) -> tuple[Attack, ...]:
    """Attacks of one barrage of high explosive.

    Barrages never combine: call it for each by itself, also when two come down in one hex.

    Parameters
    ----------
    board : Board
    hex_ : str or None
        Where it came down; None off the map.
    strength : int
        Of the module.
    units : iterable of Unit
        All on the map.

    Returns
    -------
    tuple of Attack
        One for each unit that is reached, in their order.
    """
    if hex_ is None:
        return ()
    reached = {s.location: s for s in struck(board, hex_)}
    out = []
    for unit in units:
        found = reached.get(unit.at)
        if found is not None:
            halvings = found.halvings + int(unit.hard)
            out.append(Attack(unit.name, unit.at, strength >> halvings, halvings))
    return tuple(out)


def _floors(locations: list[Location]) -> list[Location]:
    """Ground and upper levels of a hex, from below."""
    return [at for at in locations if at.kind in ("ground", "level")]


def _top(locations: list[Location]) -> list[str]:
    """What lies open to fire from above: the top floor, a roof over it, a bridge and its bed."""
    top = _floors(locations)[-1]
    return [at.name for at in locations if at == top or at.kind in ("roof", "bridge")]


def _in_target(here: list[Location], floors: list[Location]) -> list[tuple[str, Part]]:
    below: list[tuple[str, Part]] = [(floors[-2].name, "below")] if len(floors) > 1 else []
    return below + [(name, "target") for name in _top(here)]


def _as_high(centre: HexFacts, beside: HexFacts, floor: Location, other: Location) -> bool:
    same = centre.building != 0 and centre.building == beside.building
    return same or other.level_half >= floor.level_half
