"""Where a barrage of the modern platoon game comes down.

Direction 1 is north, then clockwise to 6.  North is the top of the picture, however the
columns of its grid run; it may be another bearing where a map's compass says so.  Where hexes
stand on a vertex ("sideways" maps) no adjacent hex lies due north: 1 is then the first one
clockwise of north, to the upper right.  The same holds for a picture that was scanned a little
askew: 1 is the adjacent hex nearest to a bearing of 15°, which is right within 15° either way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from hexsight.los.games.dice import rolled
from hexsight.los.games.platoon_support import KINDS
from hexsight.model.board import Board
from hexsight.model.errors import UsageError
from hexsight.model.layout import DIRECTIONS, Layout, neighbour

# The least face of the die on which a barrage scatters.
SCATTERS_ON = {"rockets": 5, "guns": 6, "air": 6}
# Half-way between a hex due north and one 30° off it.
FIRST_BEARING_DEG = 15.0
# No map is wider; a slip of the pen in a table ends before long.
FARTHEST = 1_000


@dataclass(frozen=True)
class Impact:
    """Where a barrage came down.

    Attributes
    ----------
    aimed : str
        The target hex.
    hex : str or None
        Where it came down; None beyond the edge of the map, where it has no effect.
    scattered : bool
    """

    aimed: str
    hex: str | None
    scattered: bool = False


def directions(layout: Layout, north_deg: float = 0.0) -> tuple[int, ...]:
    """Directions of the layout in the order of a scatter die, (6,), from north clockwise.

    Parameters
    ----------
    layout : Layout
    north_deg : float
        Bearing of the map's north, clockwise from the top of the picture.
    """
    steps = layout.lattice_to_pixel(DIRECTIONS) - layout.lattice_to_pixel((0, 0))
    # Clockwise as seen from just west of the first bearing; y runs down.
    start = north_deg + FIRST_BEARING_DEG
    off = [(math.degrees(math.atan2(x, -y)) - start + 180.0) % 360.0 - 180.0 for x, y in steps]
    first = min(range(6), key=lambda d: abs(off[d]))
    return tuple(sorted(range(6), key=lambda d: (off[d] - off[first] + 1e-6) % 360.0))


def scatter(
    board: Board,
    target: str,
    kind: str,
    die: int,
    *,
    distances: Mapping[int, int],
    direction: int | None = None,
    distance: int | None = None,
    north_deg: float = 0.0,
) -> Impact:
    """Find out where a barrage comes down.

    Parameters
    ----------
    board : Board
    target : str
        Hex with its marker.
    kind : str
        ``rockets`` scatter on 5 and 6, ``guns`` and ``air`` on 6.
    die : int
        Six-sided, for whether it scatters.
    distances : mapping of int to int
        The game's table: hexes by face of the die.
    direction, distance : int, optional
        Six-sided dice, needed where it scatters.
    north_deg : float
        Bearing of the map's north, clockwise from the top of the picture.

    Raises
    ------
    UsageError
        If the kind is unknown, a die is missing or shows no such number, or the table is
        not of whole hexes for the faces 1 to 6.
    """
    aimed = board.hex(target)
    if kind not in SCATTERS_ON:
        raise UsageError(f"There is no fire support of {kind!r}: use one of {', '.join(KINDS)}.")
    if rolled(die, "scatter") < SCATTERS_ON[kind]:
        return Impact(aimed.name, aimed.name)
    if direction is None or distance is None:
        raise UsageError(
            f"The barrage on {aimed.name} scatters on a {die}: pass the dice for direction and "
            "distance."
        )
    known = (type(hexes) is int and 0 <= hexes <= FARTHEST for hexes in distances.values())
    if set(distances) != set(range(1, 7)) or not all(known):
        raise UsageError(
            "The table of scatter distances needs whole hexes for each face from 1 to 6, up to "
            f"{FARTHEST:,}."
        )
    way = directions(board.layout, north_deg)[rolled(direction, "direction") - 1]
    cell = (aimed.col, aimed.row)
    for _ in range(distances[rolled(distance, "distance")]):
        cell = neighbour(*cell, way)
    found = board.by_offset.get(cell)
    return Impact(aimed.name, found.name if found else None, scattered=True)
