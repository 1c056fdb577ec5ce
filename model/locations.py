"""Locations: the levels of each hex between which line of sight is asked.

A Location is written as players write it: ``K15`` is the ground, ``K15@2`` the
second level, ``K15@roof`` the rooftop, ``K15@-1`` the cellar and
``K15@bridge`` the roadway of a bridge that stands over a depression or water.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hexsight.model.board import Board, HexFacts
from hexsight.model.errors import UsageError

LocationKind = Literal["ground", "level", "roof", "cellar", "bridge"]

# A storey is a full level; an obstacle of n and a half levels has n upper levels
# below its roof, a single-storey house of one full level has none (B23.2).
STOREY_HALF = 2
# Under a bridge lies one full level of depth, or water.
BRIDGE_DEPTH_HALF = 2
# Less of a hex is the end of a bridge that stands in the next one.
MIN_BRIDGE_SHARE = 0.05


@dataclass(frozen=True)
class Location:
    """One level of one hex.

    Attributes
    ----------
    name : str
        Such as ``K15``, ``K15@2``, ``K15@roof``, ``K15@-1``, ``K15@bridge``.
    hex : int
        Index into ``board.hexes``.
    kind : str
        ``ground``, ``level``, ``roof``, ``cellar`` or ``bridge``.
    level : int
        Number of the storey: 0 ground, 1, 2, … upper levels, −1 cellar; for a
        rooftop the first level above the top storey.
    level_half : int
        Height of the floor over ground level 0 of the board, in half-levels.
        A rooftop lies at the height of the obstacle: 1½ levels are 3.
    """

    name: str
    hex: int
    kind: LocationKind
    level: int
    level_half: int


def locations_of(board: Board) -> tuple[Location, ...]:
    """All Locations of a board.

    Parameters
    ----------
    board : Board

    Returns
    -------
    tuple of Location
        In the order of ``board.hexes``, within a hex from the lowest to the
        highest.  The order depends on nothing else, so that tables of the same
        board agree.

    Notes
    -----
    Upper levels stand in every hex of a building that is high enough (B23.2),
    in a Factory only at a stairwell or where a road enters (O.4B).  Rooftops and
    cellars belong to multi-hex buildings of more than one storey (B23.8,
    O6.1); a Factory has no cellar, a Roofless Factory Hex no rooftop (O5.4).
    """
    out: list[Location] = []
    multi = _multi_hex(board)
    bridges = _bridges(board)
    for index, facts in enumerate(board.hexes):
        out.extend(_of_hex(index, facts, multi, bridges))
    return tuple(out)


def _multi_hex(board: Board) -> frozenset[int]:
    """Ids of the buildings that stand in more than one hex."""
    return frozenset(b.id for b in board.buildings if len(b.hexes) > 1)


def _of_hex(
    index: int, facts: HexFacts, multi: frozenset[int], bridges: dict[int, tuple[int, int]]
) -> list[Location]:
    base = facts.base_half
    ground = Location(facts.name, index, "ground", 0, base)
    if not facts.building and index in bridges:
        return _at_bridge(index, facts, bridges[index])
    height = facts.height_half
    if not facts.building or height <= STOREY_HALF:
        return [ground]
    storeys = (height - 1) // STOREY_HALF
    many = facts.building in multi
    out = [ground]
    if many and not facts.factory:
        out.insert(0, Location(f"{facts.name}@-1", index, "cellar", -1, base - STOREY_HALF))
    if not facts.factory or (facts.access and not facts.roofless):
        out += [
            Location(f"{facts.name}@{n}", index, "level", n, base + STOREY_HALF * n)
            for n in range(1, storeys + 1)
        ]
    if many and not facts.roofless:
        out.append(Location(f"{facts.name}@roof", index, "roof", storeys + 1, base + height))
    return out


def _bridges(board: Board) -> dict[int, tuple[int, int]]:
    """Heights of bed and roadway by hex, where a bridge spans a depression or water."""
    catalogue = board.catalogue
    spans = catalogue.table(kind="bridge")[board.terrain]
    if not spans.any():
        return {}
    wet = catalogue.table(kind=frozenset({"depression", "water"}))[board.terrain]
    owner = board.owner
    out: dict[int, tuple[int, int]] = {}
    hexes, pixels = np.unique(owner[spans & (owner >= 0)], return_counts=True)
    area = abs(float(np.linalg.det([board.layout.col_px, board.layout.row_px])))
    for index, count in zip(hexes.tolist(), pixels.tolist(), strict=True):
        below = wet & (owner == index)
        if count < MIN_BRIDGE_SHARE * area or not below.any():
            continue
        levels = board.elevation_half[below].astype(np.int64)
        bed = int(np.bincount(levels + 128).argmax()) - 128
        # The raster may hold the roadway's height on the bridge or the bed's everywhere.
        out[index] = (bed, max(board.hexes[index].base_half, bed + BRIDGE_DEPTH_HALF))
    return out


def _at_bridge(index: int, facts: HexFacts, heights: tuple[int, int]) -> list[Location]:
    """Ground below and roadway above."""
    bed, roadway = heights
    return [
        Location(facts.name, index, "ground", 0, bed),
        Location(f"{facts.name}@bridge", index, "bridge", 1, roadway),
    ]


def find_location(locations: tuple[Location, ...], text: str, board: Board) -> Location:
    """The Location that a person names.

    Parameters
    ----------
    locations : tuple of Location
        As `locations_of` gives them.
    text : str
        Such as ``k15``, ``K15@2`` or ``K15@Roof``; case does not matter.
    board : Board
        For the names of its hexes.

    Raises
    ------
    UsageError
        If the hex does not exist or has no such level; the message lists what
        the hex has.
    """
    name, _, level = text.strip().partition("@")
    facts = board.hex(name)
    wanted = f"{facts.name}@{level.strip().casefold()}" if level.strip() else facts.name
    if level.strip() == "0":
        wanted = facts.name
    by_name = {loc.name: loc for loc in locations}
    found = by_name.get(wanted)
    if found is None:
        index = board.hexes.index(facts)
        here = [loc.name for loc in locations if loc.hex == index]
        near = difflib.get_close_matches(wanted, here, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UsageError(
            f"Hex {facts.name} of board {board.name} has no Location {text.strip()!r}.{hint} "
            f"It has {', '.join(here)}."
        )
    return found
