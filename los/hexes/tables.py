"""The arrays that the hex engine works on, and what their columns mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexsight.los.hexes.profile import HexProfile
from hexsight.model.board import Board
from hexsight.model.locations import Location

# No height at all, and a height that nothing looks over.
NOTHING, ANY = -(1 << 20), 1 << 20
# Ways to treat heights.
NONE, BOUNDED, HIGHER, SIGHT_LINE = range(4)
ELEVATIONS = {"none": NONE, "bounded": BOUNDED, "higher": HIGHER, "sight-line": SIGHT_LINE}
# What smoke between both ends does.
SMOKE_NONE, SMOKE_BLOCKS, SMOKE_HALF, SMOKE_HINDERS = range(4)
THROUGH = {
    "none": SMOKE_NONE,
    "blocks": SMOKE_BLOCKS,
    "half": SMOKE_HALF,
    "hinders": SMOKE_HINDERS,
}
# Places in `HexTables.numbers`.  A limit of −1 is none.
N_WIDE, N_MODE, N_TIE, N_IGNORE_LOWER, N_EITHER = range(5)
N_HINDRANCE_LIMIT, N_HALF_LIMIT, N_RANGE_LIMIT = range(5, 8)
N_SMOKE, N_SMOKE_IN, N_SMOKE_LIMIT, N_SMOKE_HINDERS = range(8, 12)
N_ACROSS_DEAD, N_STEEP, N_COLUMNS, N_ROWS, N_SINGLE, N_NUMBERS = range(12, 18)
# Columns of `HexTables.cells`.
X_INDEX, X_BASE, X_TOP, X_GROUND, X_HINDER, X_HINDER_TOP = range(6)
X_UNIT, X_UNIT_HINDER, X_SMOKE, X_COLUMNS = range(6, 10)
# Columns of `HexTables.sides`.
S_TOP, S_BLOCKS, S_HINDER, S_TWO_SIDED, S_OWN_CLEAR, S_STOPS, S_COLUMNS = range(7)
# Rows of `Line.steps`: offsets of a hex from an even and an odd column, whether a second hex
# shares the hexside along which the line runs, and both for that; the direction from the step
# before; lattice coordinates from the first end.
T_EVEN, T_ODD, T_PAIR, T_EVEN_2, T_ODD_2, T_DIRECTION = range(6)
T_X, T_Y, T_X_2, T_Y_2, T_COLUMNS = range(6, 11)
# Places in `Line.info`.
I_STEPS, I_X, I_Y, I_RANGE, I_FIRST_DIRECTION, I_SECOND_DIRECTION = range(6)
I_HINDRANCE, I_HALVINGS, I_LOG, I_SLOPES, I_MARKED, I_NUMBERS = range(6, 12)
# Columns of `Line.log`: code, cell, direction of a hexside of the cell or −1, amount.
LOG_CODE, LOG_CELL, LOG_SIDE, LOG_AMOUNT, LOG_COLUMNS = range(5)
# Rows and columns of nothing around a board: lines along its edge look there.
PAD_ROWS, PAD_COLUMNS = 2, 1


class HexTables(NamedTuple):
    """Arrays of one board, one overlay and one class of observer.

    Hexes lie in *cells*: the board's bounding box column by column, with
    nothing around it, so that a step is the same difference everywhere in
    columns of the same parity.  G cells, n hexes, v Locations.

    Attributes
    ----------
    numbers : (N_NUMBERS,) int32
    busy : (G,) uint8
        1 where the hex itself may matter to a line through it.
    sure : (G,) uint8
        Code of what blocks every line through the hex, whatever its height; 0
        where there is nothing, or where it depends.
    place : (G,) int32
        Number of the hex, −1 for none.
    crossing : (G,) uint8
        Bit d is set where the hexside in direction d may matter.
    steep : (G,) uint8
        Bit d is set where a slope with a dead zone lies in direction d,
        from its upper and from its lower hex.
    cells : (G, X_COLUMNS) int32
        Number of the hex, −1 for none; ground; top of what blocks; ground that
        blocks; hindrance and its top; whether a unit blocks; hindrance of
        units; 1 for smoke.
    sides : (6 · G, S_COLUMNS) int32
        Top of what is on a hexside; whether it blocks; hindrance; whether who
        is beside it fires across; whether it counts at its own hexes; whether
        the class ends there.
    hex_cell : (n,) int32
    first : (n + 1,) int32
        First Location of each hex.
    height : (v,) int32
        Of each Location in half-levels.
    """

    numbers: NDArray[np.int32]
    busy: NDArray[np.uint8]
    sure: NDArray[np.uint8]
    place: NDArray[np.int32]
    crossing: NDArray[np.uint8]
    steep: NDArray[np.uint8]
    cells: NDArray[np.int32]
    sides: NDArray[np.int32]
    hex_cell: NDArray[np.int32]
    first: NDArray[np.int32]
    height: NDArray[np.int32]


class Line(NamedTuple):
    """Room for one way between two hexes; one thread's own.

    Attributes
    ----------
    steps : (T_COLUMNS, r) int32
    hexes, vertices : (r, 4), (r, 3) int64
        Room of the lattice walk.
    dead : (r, 4) uint8
        For the first and the second hex of a step: in a dead zone; below and
        beyond a steep slope.
    info : (I_NUMBERS,) int64
    log : (l, LOG_COLUMNS) int32
        Everything that decides, when it has room.
    """

    steps: NDArray[np.int32]
    hexes: NDArray[np.int64]
    vertices: NDArray[np.int64]
    dead: NDArray[np.uint8]
    info: NDArray[np.int64]
    log: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class HexCompiled:
    """A board under an overlay as arrays, for every class of observer.

    Attributes
    ----------
    board : Board
    profile : HexProfile
    locations : tuple of Location
        That the rules know.
    by_class : dict of str to HexTables
    """

    board: Board
    profile: HexProfile
    locations: tuple[Location, ...]
    by_class: dict[str, HexTables]


def make_line(tables: HexTables, log: int = 0) -> Line:
    """Room for any way on a board.

    Parameters
    ----------
    tables : HexTables
    log : int
        Rows of the log; 0 for none, so that a line ends where it is blocked.
    """
    columns, rows = int(tables.numbers[N_COLUMNS]), int(tables.numbers[N_ROWS])
    room = 2 * (columns + rows) + 8
    return Line(
        np.zeros((T_COLUMNS, room), np.int32),
        np.zeros((room, 4), np.int64),
        np.zeros((2 * room, 3), np.int64),
        np.zeros((room, 4), np.uint8),
        np.zeros(I_NUMBERS, np.int64),
        np.zeros((log, LOG_COLUMNS), np.int32),
    )
