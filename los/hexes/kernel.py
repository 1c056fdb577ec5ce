"""Tables of a hex game: the loops over all pairs of Locations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hexsight.los.hexes.judge import at_once, judge, reckon
from hexsight.los.hexes.steps import lay, place
from hexsight.los.hexes.sweep import AMOUNT, BLOCKED, HALF, sweep
from hexsight.los.hexes.tables import (
    I_HALVINGS,
    I_HINDRANCE,
    I_LOG,
    I_RANGE,
    I_STEPS,
    I_X,
    N_COLUMNS,
    N_ROWS,
    N_WIDE,
    PAD_COLUMNS,
    PAD_ROWS,
    T_EVEN,
    T_ODD,
    T_PAIR,
    T_X,
    T_X_2,
    X_INDEX,
    HexTables,
    Line,
)
from hexsight.los.jit import compiled, rule


@rule
def answer(T: HexTables, S: Line, start: int, odd: int, a: int, b: int) -> int:
    """Code of what blocks the laid line, 0 for nothing."""
    return judge(T, S, start, odd, a, b)


@rule
def as_byte(S: Line, code: int) -> int:
    """A table's byte for the answer just given."""
    if code:
        return BLOCKED
    if S.info[I_HALVINGS] > 0:
        return int(HALF | min(AMOUNT, S.info[I_HALVINGS]))
    return int(min(AMOUNT, S.info[I_HINDRANCE]))


@rule
def within(T: HexTables, S: Line, cell: int) -> int:
    """A table's byte between two Locations of one hex: they see each other."""
    S.info[I_HINDRANCE], S.info[I_HALVINGS], S.info[I_LOG] = 0, 0, 0
    S.info[I_RANGE] = 0
    return reckon(T, S, cell, cell, 0)


@rule
def between(
    T: HexTables,
    S: Line,
    one: int,
    two: int,
    odd: int,
    answers: NDArray[np.uint8],
    why: NDArray[np.uint8],
) -> None:
    """Answer all pairs of Locations of two hexes, the laid way apart, into a table."""
    i, j = T.cells[one, X_INDEX], T.cells[two, X_INDEX]
    n = len(T.height)
    known = at_once(T, S, one, odd)
    S.info[I_HINDRANCE], S.info[I_HALVINGS] = 0, 0
    for p in range(T.first[i], T.first[i + 1]):
        for q in range(T.first[j], T.first[j + 1]):
            code = known
            if known < 0:
                code = answer(T, S, one, odd, T.height[p], T.height[q])
            low, high = min(p, q), max(p, q)
            at = low * (2 * n - low - 1) // 2 + high - low - 1
            answers[at] = as_byte(S, code)
            if len(why):
                why[at] = code


@rule
def levels(
    T: HexTables, S: Line, cell: int, answers: NDArray[np.uint8], why: NDArray[np.uint8]
) -> int:
    """Answer all pairs of Locations of one hex into a table; how many they are."""
    i, n, done = T.cells[cell, X_INDEX], len(T.height), 0
    for p in range(T.first[i], T.first[i + 1]):
        for q in range(p + 1, T.first[i + 1]):
            code = within(T, S, cell)
            at = p * (2 * n - p - 1) // 2 + q - p - 1
            answers[at] = as_byte(S, code)
            if len(why):
                why[at] = code
            done += 1
    return done


def _fill(
    T: HexTables,
    S: Line,
    first: int,
    last: int,
    answers: NDArray[np.uint8],
    why: NDArray[np.uint8],
) -> None:
    """Answer every line that begins in some columns of a board and leads right or down."""
    wide, columns, rows = T.numbers[N_WIDE], T.numbers[N_COLUMNS], T.numbers[N_ROWS]
    for over in range(columns - first):
        low = 1 if over == 0 else -2 * rows
        for down in range(low, 2 * rows + 1):
            if (over + down) & 1:
                continue
            lay(T, S, 3 * over, down)
            end = S.info[I_STEPS] - 1
            spine = end > 1 and S.steps[T_PAIR, 1] != 0
            for column in range(first, min(last, columns - over)):
                odd = column & 1
                shift = S.steps[T_ODD if odd else T_EVEN, end]
                drop = shift - over * wide
                base = (column + PAD_COLUMNS) * wide + PAD_ROWS
                top, bottom = max(0, -drop), min(rows, rows - drop)
                if not spine:
                    sweep(T, S, base + top, bottom - top, shift, odd, answers, why)
                    continue
                for row in range(top, bottom):
                    one = base + row
                    two = one + shift
                    if T.cells[one, X_INDEX] >= 0 and T.cells[two, X_INDEX] >= 0:
                        between(T, S, one, two, odd, answers, why)
    for column in range(first, last):
        for row in range(rows):
            cell = (column + PAD_COLUMNS) * wide + PAD_ROWS + row
            if T.cells[cell, X_INDEX] >= 0:
                levels(T, S, cell, answers, why)


fill = compiled(_fill)


@rule
def ends_of(T: HexTables, S: Line, cell: int, k: int, which: int) -> tuple[int, int, int]:
    """Both ends of the laid line whose step k leads to a cell, and the parity of its column.

    Returns
    -------
    (int, int, int)
        −1 for both where the line does not lie on the board.
    """
    wide, columns = T.numbers[N_WIDE], T.numbers[N_COLUMNS]
    over = S.info[I_X] // 3
    over_k = S.steps[T_X_2 if which else T_X, k] // 3
    column = cell // wide - PAD_COLUMNS - over_k
    odd = column & 1
    row = cell % wide - S.steps[place(odd, which), k] + over_k * wide
    last = row + S.steps[place(odd, 0), S.info[I_STEPS] - 1] - over * wide
    if column < 0 or column + over >= columns or min(row, last) < 0 or max(row, last) >= wide:
        return -1, -1, 0
    one = (column + PAD_COLUMNS) * wide + row
    return int(one), int((column + over + PAD_COLUMNS) * wide + last), int(odd)


def _fill_touched(
    T: HexTables,
    S: Line,
    changed: NDArray[np.int64],
    seen: NDArray[np.int32],
    answers: NDArray[np.uint8],
    why: NDArray[np.uint8],
) -> int:
    """Answer those lines that meet one of some cells, each once.

    Parameters
    ----------
    changed : (c,) int64
        Cells.
    seen : (G,) int32
        Room, zeros.

    Returns
    -------
    int
        How many pairs of Locations were answered.
    """
    columns, rows = T.numbers[N_COLUMNS], T.numbers[N_ROWS]
    stamp, done = 0, 0
    for over in range(columns):
        for down in range(1 if over == 0 else -2 * rows, 2 * rows + 1):
            if (over + down) & 1:
                continue
            lay(T, S, 3 * over, down)
            stamp += 1
            n = S.info[I_STEPS]
            for c in range(len(changed)):
                for k in range(n):
                    for which in range(2 if S.steps[T_PAIR, k] != 0 else 1):
                        one, two, odd = ends_of(T, S, changed[c], k, which)
                        if one < 0 or seen[one] == stamp:
                            continue
                        seen[one] = stamp
                        i, j = T.cells[one, X_INDEX], T.cells[two, X_INDEX]
                        if i < 0 or j < 0:
                            continue
                        between(T, S, one, two, odd, answers, why)
                        done += (T.first[i + 1] - T.first[i]) * (T.first[j + 1] - T.first[j])
    for c in range(len(changed)):
        if T.cells[changed[c], X_INDEX] >= 0:
            done += levels(T, S, changed[c], answers, why)
    return done


fill_touched = compiled(_fill_touched)


def _fill_star(
    T: HexTables,
    S: Line,
    cell: int,
    height: int,
    answers: NDArray[np.uint8],
    why: NDArray[np.uint8],
) -> None:
    """Answer the lines from one height in a cell to all Locations of other hexes."""
    wide = T.numbers[N_WIDE]
    c1 = cell // wide - PAD_COLUMNS
    y1 = 2 * (cell % wide) + (c1 & 1)
    for j in range(len(T.hex_cell)):
        other = T.hex_cell[j]
        if other == cell:
            continue
        c2 = other // wide - PAD_COLUMNS
        y2 = 2 * (other % wide) + (c2 & 1)
        ahead = c2 > c1 or (c2 == c1 and y2 > y1)
        if ahead:
            lay(T, S, 3 * (c2 - c1), y2 - y1)
        else:
            lay(T, S, 3 * (c1 - c2), y1 - y2)
        for q in range(T.first[j], T.first[j + 1]):
            if ahead:
                code = answer(T, S, cell, c1 & 1, height, T.height[q])
            else:
                code = answer(T, S, other, c2 & 1, T.height[q], height)
            answers[q] = as_byte(S, code)
            why[q] = code


fill_star = compiled(_fill_star)
