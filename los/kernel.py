"""All compiled code: the trace of a line, and the loop that fills a table.

Only arrays go in and out, constants among them, and the loops hold no Python
object, so that several threads can work at once.  Without numba the same
functions run interpreted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hexsight.los.certain import certain, certain_on_line, remember, remembered
from hexsight.los.jit import compiled, rule
from hexsight.los.judge import judge, judge_same_hex
from hexsight.los.rules.registry import CLEAR
from hexsight.los.scratch import (
    BLOCKER,
    FIRST_HEX,
    HINDRANCES,
    N_LOG,
    N_STEPS,
    N_VERTICES,
    NOT_ALONG,
    OFF_BOARD,
    OUTSIDE,
    PLAIN,
    Q_CELL,
    REACH,
    SECOND_HEX,
    SPINE,
    Scratch,
    span,
)
from hexsight.los.tables import (
    H_FIRST,
    H_LAST,
    H_LOW,
    H_PATCH,
    H_TOP,
    H_X,
    H_Y,
    L_SIGHT,
    N_COL,
    N_ROW,
    OUTSIDE_PATCH,
    UNKNOWN_PATCH,
    Tables,
)
from hexsight.los.traverse import NOWHERE, lattice_walk
from hexsight.los.walk import walk

BLOCKED = 0x80
MOST_HINDRANCE = 0x3F
# Columns of the ways to other hexes: columns over, rows down from an even and from an odd column.
W_COLUMNS, W_EVEN, W_ODD = range(3)


@rule
def hex_at(T: Tables, X: int, Y: int) -> int:
    """Index of the hex at a lattice centre, −1 when the board has none."""
    col = X // 3
    row = (Y - (col & 1)) // 2
    c, r = col - T.numbers[N_COL], row - T.numbers[N_ROW]
    if c < 0 or r < 0 or c >= T.lookup.shape[0] or r >= T.lookup.shape[1]:
        return -1
    return T.lookup[c, r]


@rule
def is_plain(T: Tables, a: int, b: int) -> bool:
    """Whether a line runs along no hexside."""
    dx, dy = abs(T.hexes[a, H_X] - T.hexes[b, H_X]), abs(T.hexes[a, H_Y] - T.hexes[b, H_Y])
    return bool(dy != 0 and dx != dy)


@rule
def trace(T: Tables, S: Scratch, a: int, b: int, top: int, low: int) -> int:
    """Follow the line between two hexes and keep what may matter.

    Parameters
    ----------
    T, S
        Tables and scratch; the trace is left in the scratch.
    a, b : int
        Different hexes.
    top, low : int
        Highest and lowest height that any pair on this line looks from.
        Plain ground not above `low` is left out.

    Returns
    -------
    int
        A code when every pair is blocked by something higher than `top` (the
        trace then ends there), else CLEAR.
    """
    S.info[OUTSIDE], S.info[PLAIN] = 0, int(is_plain(T, a, b))
    return follow(T, S, a, b, top, top, low)


@rule
def follow(T: Tables, S: Scratch, a: int, b: int, hi: int, lo: int, low: int) -> int:
    """As `trace`, for the pair that is hardest to block and with ``S.info`` prepared.

    `hi`, `lo` and `low` are as in `hexsight.los.walk.walk`.
    """
    S.info[REACH] = span(T, a, b)
    S.info[N_LOG] = S.info[HINDRANCES] = S.info[N_STEPS] = 0
    code = walk(T, S, a, b, hi, lo, low)
    if code:
        return code
    n, m = lattice_walk(
        T.hexes[a, H_X], T.hexes[a, H_Y], T.hexes[b, H_X], T.hexes[b, H_Y], S.steps, S.vertices
    )
    spine = 0
    for s in range(n):
        one = hex_at(T, S.steps[s, 0], S.steps[s, 1])
        two = NOT_ALONG
        if S.steps[s, 2] != NOWHERE:
            spine = 1
            two = hex_at(T, S.steps[s, 2], S.steps[s, 3])
            if two < 0:
                two = OFF_BOARD
            elif one < 0:
                one, two = two, OFF_BOARD
        S.steps[s, FIRST_HEX], S.steps[s, SECOND_HEX] = one, two
        for k in range(FIRST_HEX, SECOND_HEX + 1):
            h = S.steps[s, k]
            if h >= 0:
                S.step_of[h] = s
    S.info[N_STEPS], S.info[N_VERTICES], S.info[SPINE] = n, m, spine
    return CLEAR


@rule
def forget(S: Scratch) -> None:
    """Clear the marks that a trace set on hexes."""
    for s in range(S.info[N_STEPS]):
        for k in range(FIRST_HEX, SECOND_HEX + 1):
            h = S.steps[s, k]
            if h >= 0:
                S.step_of[h] = -1


@rule
def judge_line(T: Tables, S: Scratch, a: int, b: int, i: int, j: int) -> int:
    """Trace and judge one pair of Locations of two hexes; scratch holds trace and log."""
    low = min(T.locations[i, L_SIGHT], T.locations[j, L_SIGHT])
    trace(T, S, a, b, 1 << 20, low)
    code = judge(T, S, a, b, i, j)
    forget(S)
    return code


@rule
def is_outside(T: Tables, a: int, b: int) -> bool:
    """Whether a line is known beforehand to leave the building depiction."""
    one, two = T.hexes[a, H_PATCH], T.hexes[b, H_PATCH]
    if one == OUTSIDE_PATCH or two == OUTSIDE_PATCH:
        return True
    return bool(one != two and one != UNKNOWN_PATCH and two != UNKNOWN_PATCH)


@rule
def fill_line(
    T: Tables, S: Scratch, a: int, b: int, out: NDArray[np.uint8], why: NDArray[np.uint8]
) -> None:
    """Answer all pairs of Locations of two hexes, a before b."""
    top_a, top_b = int(T.hexes[a, H_TOP]), int(T.hexes[b, H_TOP])
    low = min(int(T.hexes[a, H_LOW]), int(T.hexes[b, H_LOW]))
    # The pair that is hardest to block: as high as may be, both ends at one height if some are.
    hi = max(top_a, top_b)
    lo = min(top_a, top_b)
    plain = is_plain(T, a, b)
    outside = is_outside(T, a, b)
    cell = remembered(T, S, a, b, hi, lo, outside, plain)
    early = cell >= 0
    if not early:
        S.info[OUTSIDE], S.info[PLAIN] = int(outside), int(plain)
        early = follow(T, S, a, b, hi, lo, low) != CLEAR
        if early and S.info[BLOCKER] >= 0:
            remember(T, S, a, b, S.info[BLOCKER])
    v = len(T.locations)
    j0, j1 = T.hexes[b, H_FIRST], T.hexes[b, H_LAST]
    for i in range(T.hexes[a, H_FIRST], T.hexes[a, H_LAST]):
        at = i * (2 * v - i - 1) // 2 - i - 1
        for j in range(j0, j1):
            one, two = int(T.locations[i, L_SIGHT]), int(T.locations[j, L_SIGHT])
            if cell >= 0:
                code = certain(T, cell, max(one, two), min(one, two), outside, plain)
            else:
                code = certain_on_line(S, max(one, two), min(one, two))
                if not code:
                    code = judge(T, S, a, b, i, j)
            out[at + j] = BLOCKED if code else min(S.info[HINDRANCES], MOST_HINDRANCE)
            if len(why) > 0:
                why[at + j] = code
    if not early:
        forget(S)


def _fill(
    T: Tables,
    S: Scratch,
    ways: NDArray[np.int32],
    first: int,
    last: int,
    out: NDArray[np.uint8],
    why: NDArray[np.uint8],
) -> None:
    """Fill a table's pairs between hexes first … last − 1 and those a way off from them.

    Parameters
    ----------
    T, S
        Tables and the scratch of this thread.
    ways : (w, 3) int32
        Half of all ways between two hexes, by direction, so that lines that
        follow each other mostly meet the same things.
    first, last : int
        Hexes from which the ways are gone.
    out, why : uint8
        Condensed upper triangle of answers and reason codes; `why` may be empty.
    """
    v = len(T.locations)
    columns, rows = T.lookup.shape
    for a in range(first, last):
        i0, i1 = T.hexes[a, H_FIRST], T.hexes[a, H_LAST]
        for i in range(i0, i1):
            at = i * (2 * v - i - 1) // 2 - i - 1
            for j in range(i + 1, i1):
                code = judge_same_hex(T, i, j)
                out[at + j] = BLOCKED if code else 0
                if len(why) > 0:
                    why[at + j] = code
        col = T.hexes[a, H_X] // 3
        row = (T.hexes[a, H_Y] - (col & 1)) // 2 - T.numbers[N_ROW]
        down = W_ODD if col & 1 else W_EVEN
        col -= T.numbers[N_COL]
        for k in range(S.recent.shape[0]):
            S.recent[k, Q_CELL] = -1
        for w in range(len(ways)):
            c, r = col + ways[w, W_COLUMNS], row + ways[w, down]
            if c < 0 or r < 0 or c >= columns or r >= rows:
                continue
            b = T.lookup[c, r]
            if b >= 0:
                fill_line(T, S, min(a, b), max(a, b), out, why)


fill = compiled(_fill)
