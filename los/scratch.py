"""Working arrays of one thread, and the small helpers that read and write them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexsight.los.jit import rule
from hexsight.los.tables import H_X, H_Y, N_HEIGHT, N_WIDTH, Tables

# Columns of `Scratch.steps`: lattice as `lattice_walk` fills it, both hexes, Hindrance.
FIRST_HEX, SECOND_HEX, HINDER, STEP_COLUMNS = 4, 5, 6, 7
# What SECOND_HEX says when it is no hex: the line crosses one hex only, or runs
# along a side of FIRST_HEX behind which the board ends.
NOT_ALONG, OFF_BOARD = -1, -2
# Columns of `Scratch.runs`.
R_CELL, R_SPOT, R_LAST, RUN_COLUMNS = range(4)
# Places in `Scratch.info`.
N_STEPS, N_VERTICES, N_RUNS, LEFT_A, JOINS_B, REACH, HINDRANCES, N_LOG, SPINE, OPEN = range(10)
# Of what is certain on a line: highest ground, obstacle, half-level obstacle and Factory;
# the pixel that blocks all pairs; whether the line is known to leave the depiction, and
# to run along no hexside.
BEST_GROUND, BEST_OBSTACLE, BEST_HALF, BEST_FACTORY = range(10, 14)
BLOCKER, OUTSIDE, PLAIN, INFO = range(14, 18)
# Columns of `Scratch.recent`.
Q_CELL, Q_ROW, Q_LEFT, Q_RIGHT, Q_COLUMN, Q_UPPER, Q_LOWER, PLACE_COLUMNS = range(8)
# Columns of `Scratch.log`.
LOG_CODE, LOG_X, LOG_Y, LOG_HEX, LOG_SIDE, LOG_CELL, LOG_AMOUNT, LOG_COLUMNS = range(8)
# What LOG_SIDE says when it is no hexside.
AT_PIXEL, AT_VERTEX, AT_SPINE, AT_TOTAL = -1, -2, -3, -4
NO_TOP = -10_000
# How many blocking cells are remembered.
RECENT = 8


class Scratch(NamedTuple):
    """Working arrays of one thread.

    Attributes
    ----------
    steps : (s, 7) int64
        Steps of the line, in order; the column HINDER goes by range from hex a.
    vertices : (s, 3) int64
        As `lattice_walk` fills them.
    step_of : (n,) int32
        Step of each hex of the current line, −1 for the others.
    runs : (r, 3) int32
        Cells met in order, with the places of their first and last pixel in the
        ravelled picture; only those that may matter.
    info : (18,) int64
    recent : (8, 7) int32
        Pixels that blocked the last lines from this hex: their cell, and the
        row and the column of pixels of this cell through them (y, first x, end;
        x, first y, end).
    log : (l, 7) int64
        Events, when there is room for any.
    """

    steps: NDArray[np.int64]
    vertices: NDArray[np.int64]
    step_of: NDArray[np.int32]
    runs: NDArray[np.int32]
    info: NDArray[np.int64]
    recent: NDArray[np.int32]
    log: NDArray[np.int64]


def make_scratch(tables: Tables, *, log: int = 0) -> Scratch:
    """Working arrays large enough for every line of a board."""
    steps = 2 * sum(tables.lookup.shape) + 16
    runs = 2 * int(tables.numbers[N_WIDTH] + tables.numbers[N_HEIGHT]) + 64
    return Scratch(
        steps=np.full((steps, STEP_COLUMNS), -1, np.int64),
        vertices=np.zeros((steps, 3), np.int64),
        step_of=np.full(len(tables.hexes), -1, np.int32),
        runs=np.zeros((runs, RUN_COLUMNS), np.int32),
        info=np.zeros(INFO, np.int64),
        recent=np.full((RECENT, PLACE_COLUMNS), -1, np.int32),
        log=np.zeros((log, LOG_COLUMNS), np.int64),
    )


@rule
def span(T: Tables, a: int, b: int) -> int:
    """Range in hexes between two hexes by index."""
    dx = abs(T.hexes[a, H_X] - T.hexes[b, H_X]) // 3
    dy = abs(T.hexes[a, H_Y] - T.hexes[b, H_Y])
    return dx + max(0, (dy - dx) // 2)


@rule
def note(
    S: Scratch, code: int, x: int, y: int, index: int, side: int, cell: int, amount: int
) -> None:
    """Write an event into the log, if it has room."""
    n = S.info[N_LOG]
    if n < S.log.shape[0]:
        S.log[n, LOG_CODE] = code
        S.log[n, LOG_X] = x
        S.log[n, LOG_Y] = y
        S.log[n, LOG_HEX] = index
        S.log[n, LOG_SIDE] = side
        S.log[n, LOG_CELL] = cell
        S.log[n, LOG_AMOUNT] = amount
        S.info[N_LOG] = n + 1


@rule
def hinder(S: Scratch, away: int, amount: int) -> None:
    """Add a Hindrance at a range from hex a: of all at one range the largest counts (A6.7).

    All hexes that a line crosses lie between both ends, so that the range from
    one end tells that from the other and the count is the same from both.
    """
    if 0 < away < S.info[REACH] and amount > S.steps[away, HINDER]:
        S.steps[away, HINDER] = amount
