"""All compiled code: the trace of a line, and the loop that fills a table.

Only arrays go in and out, constants among them, and the loops hold no Python
object, so that several threads can work at once.  Without numba the same
functions run interpreted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hexsight.los.jit import compiled, rule
from hexsight.los.judge import judge, judge_same_hex
from hexsight.los.rules.registry import CLEAR, GROUND_HIGHER, HIGHER
from hexsight.los.scratch import (
    FIRST_HEX,
    HINDRANCES,
    JOINS_B,
    LEFT_A,
    N_LOG,
    N_RUNS,
    N_STEPS,
    N_VERTICES,
    NOT_ALONG,
    OFF_BOARD,
    OPEN,
    R_CELL,
    R_LAST,
    R_SPOT,
    REACH,
    SECOND_HEX,
    SPINE,
    Scratch,
    span,
)
from hexsight.los.tables import (
    C_BELOW,
    C_CLASS,
    C_GROUND,
    C_HEX,
    C_INSIDE,
    C_TOP,
    H_FIRST,
    H_LAST,
    H_PX,
    H_PY,
    H_X,
    H_Y,
    L_SIGHT,
    N_COL,
    N_ROW,
    N_WIDTH,
    NONE,
    OBSTACLE,
    Tables,
)
from hexsight.los.traverse import NOWHERE, SUB, lattice_walk

BLOCKED = 0x80
MOST_HINDRANCE = 0x3F
FAR_OFF = 1 << 62


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
        A code when every pair is blocked by the first thing higher than `top`
        (the trace then ends there), else CLEAR.
    """
    reach = span(T, a, b)
    S.info[REACH] = reach
    S.info[N_LOG] = S.info[HINDRANCES] = S.info[N_STEPS] = 0
    code = walk(T.pixels, T.cells, T.hexes, T.numbers[N_WIDTH], S.runs, S.info, (a, b, top, low))
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
def hexes_apart(hexes: NDArray[np.int32], a: int, b: int) -> int:
    """Range in hexes between two hexes by index."""
    dx = abs(hexes[a, H_X] - hexes[b, H_X]) // 3
    dy = abs(hexes[a, H_Y] - hexes[b, H_Y])
    return dx + max(0, (dy - dx) // 2)


@rule
def meet(
    cells: NDArray[np.int32],
    hexes: NDArray[np.int32],
    runs: NDArray[np.int32],
    info: NDArray[np.int64],
    ends: tuple[int, int, int, int],
    cell: int,
    spot: int,
    before: int,
) -> int:
    """Enter a cell: keep it if it may matter; a code if it blocks every pair.

    `ends` holds both hexes and the highest and lowest height looked from,
    `before` the pixel left.
    """
    n = info[N_RUNS]
    if info[OPEN]:
        runs[n - 1, R_LAST] = before
        info[OPEN] = 0
    a, b, top, low = ends
    what = cells[cell, C_CLASS]
    ground = cells[cell, C_GROUND]
    h = cells[cell, C_HEX]
    if cells[cell, C_INSIDE] == 0:
        if info[LEFT_A] < 0:
            info[LEFT_A] = n
        info[JOINS_B] = n
        if n > 1 and runs[n - 2, R_CELL] == cell:
            # A line along a hexside goes to and fro between the same two cells.
            runs[n - 2, R_LAST] = spot
            return CLEAR
    if h < 0 or (what == NONE and ground <= low):
        return CLEAR
    runs[n, R_CELL] = cell
    runs[n, R_SPOT] = spot
    info[N_RUNS] = n + 1
    info[OPEN] = 1
    blocks = CLEAR
    if ground > top:
        blocks = GROUND_HIGHER
    elif what == OBSTACLE and cells[cell, C_BELOW] == OBSTACLE and cells[cell, C_TOP] > top:
        blocks = HIGHER
    if blocks and h not in (a, b):
        reach = info[REACH]
        if hexes_apart(hexes, a, h) < reach and hexes_apart(hexes, h, b) < reach:
            return blocks
    return CLEAR


@rule
def walk(
    pixels: NDArray[np.int32],
    cells: NDArray[np.int32],
    hexes: NDArray[np.int32],
    wide: int,
    runs: NDArray[np.int32],
    info: NDArray[np.int64],
    ends: tuple[int, int, int, int],
) -> int:
    """Go over the pixels of a line in order, as `hexsight.los.traverse.pixel_line` has them.

    Cells that may matter go into `runs`.  Counted in `info` are the runs
    before the line first leaves the building of hex a, and before it last
    comes into that of hex b.
    """
    a, b = ends[0], ends[1]
    x0, y0 = int(hexes[a, H_PX]), int(hexes[a, H_PY])
    x1, y1 = int(hexes[b, H_PX]), int(hexes[b, H_PY])
    ax, ay = abs(x1 - x0), abs(y1 - y0)
    # Pixels are half-open; an end on an edge belongs to the pixel the line lies in.
    x = x0 // SUB if x1 >= x0 else -((-x0) // SUB) - 1
    y = y0 // SUB if y1 >= y0 else -((-y0) // SUB) - 1
    last_x = -((-x1) // SUB) - 1 if x1 > x0 else x1 // SUB
    last_y = -((-y1) // SUB) - 1 if y1 > y0 else y1 // SUB
    left = abs(last_x - x) + abs(last_y - y)
    step_x = 1 if x1 >= x0 else -1
    step_y = wide if y1 >= y0 else -wide
    # Way to the next edge on each axis, on the common scale of both; only the gap counts.
    to_x = ((x + 1) * SUB - x0) * ay if x1 >= x0 else (x0 - x * SUB) * ay
    to_y = ((y + 1) * SUB - y0) * ax if y1 >= y0 else (y0 - y * SUB) * ax
    by_x, by_y = SUB * ay, SUB * ax
    twin = 0
    if ax == 0:
        to_x = FAR_OFF
        twin = -1 if x0 % SUB == 0 else 0
    elif ay == 0:
        to_y = FAR_OFF
        twin = -wide if y0 % SUB == 0 else 0
    info[N_RUNS], info[LEFT_A], info[JOINS_B], info[OPEN] = 0, -1, 0, 0
    here = y * wide + x
    was = here
    gap = to_x - to_y
    now = -1
    while True:
        cell = int(pixels[np.uint64(here)])
        if cell != now:
            now = cell
            code = meet(cells, hexes, runs, info, ends, cell, here, was)
            if code:
                return code
        if twin != 0:
            # A line along the edge between two pixels touches both.
            cell = int(pixels[np.uint64(here + twin)])
            if cell != now:
                now = cell
                code = meet(cells, hexes, runs, info, ends, cell, here + twin, here)
                if code:
                    return code
        was = here
        if left <= 0:
            break
        if gap < 0:
            here += step_x
            gap += by_x
            left -= 1
        elif gap > 0:
            here += step_y
            gap -= by_y
            left -= 1
        else:
            # Exactly through a corner: the pixels on both sides are touched.
            for k in range(2):
                spot = here + step_x if k == 0 else here + step_y
                cell = int(pixels[np.uint64(spot)])
                if cell != now:
                    now = cell
                    code = meet(cells, hexes, runs, info, ends, cell, spot, was)
                    if code:
                        return code
            here += step_x + step_y
            gap += by_x - by_y
            left -= 2
    if info[OPEN]:
        runs[info[N_RUNS] - 1, R_LAST] = here
    return CLEAR


@rule
def judge_line(T: Tables, S: Scratch, a: int, b: int, i: int, j: int) -> int:
    """Trace and judge one pair of Locations of two hexes; scratch holds trace and log."""
    low = min(T.locations[i, L_SIGHT], T.locations[j, L_SIGHT])
    trace(T, S, a, b, 1 << 20, low)
    code = judge(T, S, a, b, i, j)
    forget(S)
    return code


def _fill(
    T: Tables, S: Scratch, first: int, last: int, out: NDArray[np.uint8], why: NDArray[np.uint8]
) -> None:
    """Fill the rows of a table that belong to the Locations of hexes first … last − 1.

    `out` and `why` are the condensed upper triangle of answers and reason
    codes; `why` may be empty.
    """
    v = len(T.locations)
    n = len(T.hexes)
    reasons = len(why) > 0
    for a in range(first, last):
        i0, i1 = T.hexes[a, H_FIRST], T.hexes[a, H_LAST]
        top_a, low_a = -(1 << 20), 1 << 20
        for i in range(i0, i1):
            top_a, low_a = max(top_a, T.locations[i, L_SIGHT]), min(low_a, T.locations[i, L_SIGHT])
            base = i * (2 * v - i - 1) // 2 - i - 1
            for j in range(i + 1, i1):
                code = judge_same_hex(T, i, j)
                out[base + j] = BLOCKED if code else 0
                if reasons:
                    why[base + j] = code
        for b in range(a + 1, n):
            j0, j1 = T.hexes[b, H_FIRST], T.hexes[b, H_LAST]
            top, low = top_a, low_a
            for j in range(j0, j1):
                top, low = max(top, T.locations[j, L_SIGHT]), min(low, T.locations[j, L_SIGHT])
            early = trace(T, S, a, b, top, low)
            for i in range(i0, i1):
                base = i * (2 * v - i - 1) // 2 - i - 1
                for j in range(j0, j1):
                    code = early if early else judge(T, S, a, b, i, j)
                    out[base + j] = BLOCKED if code else min(S.info[HINDRANCES], MOST_HINDRANCE)
                    if reasons:
                        why[base + j] = code
            if not early:
                forget(S)


fill = compiled(_fill)
