"""The arrays that rules and loops work on, and what their columns mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexsight.los.profile import Profile
from hexsight.model.board import Board
from hexsight.model.locations import Location

# What a cell is to a line of sight.
NONE, OBSTACLE, HINDRANCE, WALL, BAR, FACTORY, CLIFF = range(7)
# Flags of hexes.
IS_FACTORY, IS_ROOFLESS, IS_DEPRESSION, HAS_STAIRS, IS_BUILDING = 1, 2, 4, 8, 16
# Kinds of Locations as numbers.
GROUND, LEVEL, ROOF, CELLAR, BRIDGE = range(5)
KINDS = {"ground": GROUND, "level": LEVEL, "roof": ROOF, "cellar": CELLAR, "bridge": BRIDGE}
NO_HEIGHT = -10_000
FAR_HEIGHT = 1 << 20
# What H_PATCH says of a centre outside all depictions, and of one on the edge of a pixel.
OUTSIDE_PATCH, UNKNOWN_PATCH = -1, -2
# Columns of `Tables.hexes`.
H_X, H_Y, H_PX, H_PY, H_BASE, H_FLAGS, H_INHERENT, H_FIRST, H_LAST = range(9)
H_VERTEX, H_SIDE, H_INDEX = 9, 15, 21
H_TOP, H_LOW, H_PATCH, H_COLUMNS = range(27, 31)
# Columns of `Tables.cells`.
C_CLASS, C_GROUND, C_TOP, C_INSIDE, C_HEX, C_BELOW, C_SIDE, C_AMOUNT, C_COLUMNS = range(9)
# Columns of `Tables.sides`.
S_A, S_B, S_X1, S_Y1, S_X2, S_Y2, S_BREACHED, S_WALL, S_CLIFF, S_COLUMNS = range(10)
# Columns of `Tables.locations`.
L_HEX, L_HALF, L_KIND, L_LEVEL, L_SIGHT, L_COLUMNS = range(6)
# Places in `Tables.numbers` behind those of the profile.
N_WIDTH, N_HEIGHT, N_COL, N_ROW = range(6, 10)


# Cell of each pixel: small boards take two bytes a pixel, so that more of them stays near.
Pixels = NDArray[np.uint16] | NDArray[np.int32]


class Tables(NamedTuple):
    """Arrays of one board and one rule set; n hexes, m cells, k hexsides, v Locations.

    A *cell* is the part of a hex with one terrain and one elevation; walls and
    bars are further split by the hexside they belong to.  There are few arrays
    with many columns because compiled functions pass each array at a cost.

    Attributes
    ----------
    hexes : (n, 30) int32
        Lattice coordinates of the centre; centre in sub-pixels from the outer
        edge of pixel (0, 0); ground at the centre in half-levels; flags; cell
        of the inherent terrain that fills it, −1 for none; its first Location
        and the one after its last; from H_VERTEX and from H_SIDE on six
        absolute tops of the bar that reaches a corner, that lies on a side;
        from H_INDEX on its six hexsides; highest and lowest height that its
        Locations look from; number of the building depiction at its centre
        (`hexsight.los.patches`, filled for tables only).
    cells : (m, 8) int32
        What the cell is to a line; ground and absolute top; building depiction
        (0 none, 1 other, 2 Factory); hex, −1 off the board; what it is to a
        line between two ends on its own ground; hexside, −1 for none;
        Hindrance.
    sides : (k, 9) int32
        Both hexes, lattice coordinates of both vertices, 1 where Breached, 1
        where a wall, hedge or the like lies along most of it, 1 where a cliff does.
    locations : (v, 5) int32
        Hex, height, kind, level, height from which it looks.
    lookup : (C, R) int32
        Hex by odd-q offset minus numbers[N_COL], numbers[N_ROW]; −1 for none.
    pixels : (H · W,) uint16, or int32 with more than 65,536 cells
        Cell of each pixel.
    numbers : (10,) int32
        Of the profile, width and height of the picture, start of `lookup`.
    """

    hexes: NDArray[np.int32]
    cells: NDArray[np.int32]
    sides: NDArray[np.int32]
    locations: NDArray[np.int32]
    lookup: NDArray[np.int32]
    pixels: Pixels
    numbers: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Compiled:
    """A board ready for questions.

    Attributes
    ----------
    board : Board
    profile : Profile
    locations : tuple of Location
    tables : Tables
    cell_code : (m,) uint8
        Terrain code of each cell, for reasons.
    """

    board: Board
    profile: Profile
    locations: tuple[Location, ...]
    tables: Tables
    cell_code: NDArray[np.uint8]
