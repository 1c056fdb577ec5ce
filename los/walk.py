"""The walk of a line over the pixels of a board: which cells it meets, in order."""

from __future__ import annotations

import numpy as np

from hexsight.los.certain import certain_on_line, note_certain
from hexsight.los.jit import rule
from hexsight.los.rules.registry import CLEAR
from hexsight.los.scratch import (
    BEST_FACTORY,
    BEST_GROUND,
    BEST_HALF,
    BEST_OBSTACLE,
    BLOCKER,
    JOINS_B,
    LEFT_A,
    N_RUNS,
    NO_TOP,
    OPEN,
    OUTSIDE,
    R_CELL,
    R_LAST,
    R_SPOT,
    REACH,
    Scratch,
    span,
)
from hexsight.los.tables import (
    C_CLASS,
    C_GROUND,
    C_HEX,
    C_INSIDE,
    H_PX,
    H_PY,
    N_WIDTH,
    NONE,
    Tables,
)
from hexsight.los.traverse import SUB


@rule
def meet(
    T: Tables,
    S: Scratch,
    line: tuple[int, int, int, int, int],
    cell: int,
    spot: int,
    before: int,
) -> int:
    """Enter a cell: keep it if it may matter; a code if every pair is blocked for certain.

    `line` holds a, b, hi, lo and low of `walk`, `before` is the pixel left.
    """
    a, b, hi, lo, low = line
    n = S.info[N_RUNS]
    if S.info[OPEN]:
        S.runs[n - 1, R_LAST] = before
        S.info[OPEN] = 0
    if T.cells[cell, C_INSIDE] == 0:
        if S.info[LEFT_A] < 0:
            S.info[LEFT_A] = n
            S.info[OUTSIDE] = 1
            if S.info[BEST_FACTORY] >= hi:
                code = certain_on_line(S, hi, lo)
                if code:
                    return code
        S.info[JOINS_B] = n
        if n > 1 and S.runs[n - 2, R_CELL] == cell:
            # A line along a hexside goes to and fro between the same two cells.
            S.runs[n - 2, R_LAST] = spot
            return CLEAR
    h = T.cells[cell, C_HEX]
    if h < 0 or (T.cells[cell, C_CLASS] == NONE and T.cells[cell, C_GROUND] <= low):
        return CLEAR
    S.runs[n, R_CELL] = cell
    S.runs[n, R_SPOT] = spot
    S.info[N_RUNS] = n + 1
    S.info[OPEN] = 1
    if h not in (a, b):
        reach = S.info[REACH]
        if span(T, a, h) < reach and span(T, h, b) < reach:
            note_certain(T, S, cell)
            code = certain_on_line(S, hi, lo)
            if code:
                S.info[BLOCKER] = spot
            return code
    return CLEAR


@rule
def walk(T: Tables, S: Scratch, a: int, b: int, hi: int, lo: int, low: int) -> int:
    """Go over the pixels of a line in order, as `hexsight.los.traverse.pixel_line` has them.

    Cells that may matter go into ``S.runs``.  Counted in ``S.info`` are the
    runs before the line first leaves the building of hex a, and before it last
    comes into that of hex b.

    Parameters
    ----------
    T, S
        Tables and scratch.
    a, b : int
        Different hexes.
    hi, lo : int
        Heights of the pair on this line that is hardest to block.
    low : int
        Lowest height that any pair looks from: plain ground not above it is left out.

    Returns
    -------
    int
        A code when every pair is blocked by what was met so far (the walk ends
        there), else CLEAR.
    """
    line = (a, b, hi, lo, low)
    wide = int(T.numbers[N_WIDTH])
    pixels, info = T.pixels, S.info
    x0, y0 = int(T.hexes[a, H_PX]), int(T.hexes[a, H_PY])
    x1, y1 = int(T.hexes[b, H_PX]), int(T.hexes[b, H_PY])
    ax, ay = abs(x1 - x0), abs(y1 - y0)
    # Pixels are half-open; an end on an edge belongs to the pixel the line lies in.
    x = x0 // SUB if x1 >= x0 else -((-x0) // SUB) - 1
    y = y0 // SUB if y1 >= y0 else -((-y0) // SUB) - 1
    last_x = -((-x1) // SUB) - 1 if x1 > x0 else x1 // SUB
    last_y = -((-y1) // SUB) - 1 if y1 > y0 else y1 // SUB
    info[N_RUNS], info[LEFT_A], info[JOINS_B], info[OPEN] = 0, -1, 0, 0
    info[BEST_GROUND] = info[BEST_OBSTACLE] = info[BEST_HALF] = info[BEST_FACTORY] = NO_TOP
    info[BLOCKER] = -1
    step_x = 1 if x1 >= x0 else -1
    step_y = wide if y1 >= y0 else -wide
    here = y * wide + x
    last = last_y * wide + last_x
    now = -1
    was = here
    if (ax == 0 and x0 % SUB == 0) or (ay == 0 and y0 % SUB == 0):
        # Along the edge between two rows or columns of pixels: both are touched.
        twin = -1 if ax == 0 else -wide
        lead = step_y if ax == 0 else step_x
        while True:
            for spot in (here, here + twin):
                cell = int(pixels[np.uint64(spot)])
                if cell != now:
                    now = cell
                    code = meet(T, S, line, cell, spot, was)
                    if code:
                        return code
                was = here
            if here == last:
                if info[OPEN]:
                    S.runs[info[N_RUNS] - 1, R_LAST] = last
                return CLEAR
            here += lead
    # Way to the next edge on each axis, on the common scale of both; only the gap counts.
    to_x = ((x + 1) * SUB - x0) * ay if x1 >= x0 else (x0 - x * SUB) * ay
    to_y = ((y + 1) * SUB - y0) * ax if y1 >= y0 else (y0 - y * SUB) * ax
    # The longer axis leads: for each pixel along it the line meets one or two across.
    if ax >= ay:
        lead, side, by_lead, by_side, gap = step_x, step_y, SUB * ay, SUB * ax, to_x - to_y
        ahead = abs(last_x - x)
    else:
        lead, side, by_lead, by_side, gap = step_y, step_x, SUB * ax, SUB * ay, to_y - to_x
        ahead = abs(last_y - y)
    if ax == 0 or ay == 0:
        gap = -by_side
    while True:
        # All ones where the line goes aside before it goes ahead: no branch, for it would
        # mostly be foreseen wrongly.
        first = int(pixels[np.uint64(here)])
        aside = -gap >> 63
        if ahead == 0 and here == last:
            aside = 0
        beside = here + (side & aside)
        second = int(pixels[np.uint64(beside)])
        if first != now or second != now:
            if first != now:
                code = meet(T, S, line, first, here, was)
                if code:
                    return code
            if second != first:
                code = meet(T, S, line, second, beside, here)
                if code:
                    return code
            now = second
        was = beside
        if ahead == 0:
            break
        ahead -= 1
        if gap == 0:
            # Exactly through a corner: the pixels on both sides are touched.
            for k in range(2):
                spot = was + step_x if k == 0 else was + step_y
                cell = int(pixels[np.uint64(spot)])
                if cell != now:
                    now = cell
                    code = meet(T, S, line, cell, spot, was)
                    if code:
                        return code
            here = was + lead + side
            gap += by_lead - by_side
        else:
            here = beside + lead
            gap += by_lead - (by_side & aside)
    if info[OPEN]:
        S.runs[info[N_RUNS] - 1, R_LAST] = last
    return CLEAR
