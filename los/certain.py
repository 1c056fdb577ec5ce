"""What blocks a line for certain, seen from a cell alone.

Most lines of a board are blocked by something higher than both ends.  For
those no line need be followed to its end, and neighbouring lines are mostly
blocked by the same building: so the last blocking cells are remembered, each
with its longest row and column of pixels, and a line that crosses one of
these segments is blocked.  All of it is integer arithmetic, and only shortens
the way to what `hexsight.los.judge` would say.
"""

from __future__ import annotations

import numpy as np

from hexsight.los.jit import rule
from hexsight.los.rules.registry import ADVANTAGE, CLEAR, GROUND_HIGHER, HIGHER, LEAVES_FACTORY
from hexsight.los.scratch import (
    BEST_FACTORY,
    BEST_GROUND,
    BEST_HALF,
    BEST_OBSTACLE,
    OUTSIDE,
    PLACE_COLUMNS,
    PLAIN,
    Q_CELL,
    Q_COLUMN,
    Q_LEFT,
    Q_LOWER,
    Q_RIGHT,
    Q_ROW,
    Q_UPPER,
    Scratch,
    span,
)
from hexsight.los.tables import (
    C_BELOW,
    C_CLASS,
    C_GROUND,
    C_HEX,
    C_TOP,
    FACTORY,
    H_PX,
    H_PY,
    N_HEIGHT,
    N_WIDTH,
    OBSTACLE,
    Tables,
)
from hexsight.los.traverse import SUB

DEPTHS = (16, 8, 4)


@rule
def note_certain(T: Tables, S: Scratch, cell: int) -> None:
    """Keep the heights of a cell between both ends that may block for certain."""
    ground, top, what = T.cells[cell, C_GROUND], T.cells[cell, C_TOP], T.cells[cell, C_CLASS]
    if S.info[PLAIN] and ground > S.info[BEST_GROUND]:
        S.info[BEST_GROUND] = ground
    if what == OBSTACLE and T.cells[cell, C_BELOW] == OBSTACLE:
        if top - ground < 2:
            S.info[BEST_HALF] = max(S.info[BEST_HALF], top)
        else:
            S.info[BEST_OBSTACLE] = max(S.info[BEST_OBSTACLE], top)
    elif what == FACTORY:
        S.info[BEST_FACTORY] = max(S.info[BEST_FACTORY], top)


@rule
def certain_on_line(S: Scratch, hi: int, lo: int) -> int:
    """Code of what the traced line holds that blocks two heights for certain, else CLEAR."""
    if S.info[BEST_GROUND] > hi:
        return GROUND_HIGHER
    if S.info[BEST_OBSTACLE] > hi or S.info[BEST_HALF] > hi:
        return HIGHER
    if S.info[BEST_FACTORY] > hi and S.info[OUTSIDE]:
        return LEAVES_FACTORY
    if hi > lo:
        if S.info[BEST_OBSTACLE] == hi:
            return ADVANTAGE
        if S.info[BEST_FACTORY] == hi and S.info[OUTSIDE] and S.info[PLAIN]:
            return ADVANTAGE
    return CLEAR


@rule
def certain(T: Tables, cell: int, hi: int, lo: int, outside: bool, plain: bool) -> int:
    """Code if a cell between both ends blocks two heights for certain, else CLEAR.

    Parameters
    ----------
    T : Tables
    cell : int
    hi, lo : int
        Heights of the higher and of the lower end.
    outside : bool
        The line is known to leave the building depiction (O5.31).
    plain : bool
        The line does not run along hexsides, where the lower ground of a cliff
        (B11.2) and the open floor of a Factory (O5.43) count.
    """
    ground, top, what = T.cells[cell, C_GROUND], T.cells[cell, C_TOP], T.cells[cell, C_CLASS]
    if ground > hi and plain:
        return GROUND_HIGHER
    if what == OBSTACLE and T.cells[cell, C_BELOW] == OBSTACLE:
        if top > hi:
            return HIGHER
        if top == hi and hi > lo and top - ground >= 2:
            return ADVANTAGE
    elif what == FACTORY and outside:
        if top > hi:
            return LEAVES_FACTORY
        if top == hi and hi > lo and plain:
            return ADVANTAGE
    return CLEAR


@rule
def crosses(T: Tables, S: Scratch, a: int, b: int, k: int) -> bool:
    """Whether the line between two hexes crosses the row or column of a remembered place."""
    x0, y0 = int(T.hexes[a, H_PX]), int(T.hexes[a, H_PY])
    dx, dy = int(T.hexes[b, H_PX]) - x0, int(T.hexes[b, H_PY]) - y0
    y = int(S.recent[k, Q_ROW]) * SUB + SUB // 2 - y0
    if (y > 0 and y < dy) or (y < 0 and y > dy):
        at = y * dx
        left = (int(S.recent[k, Q_LEFT]) * SUB - x0) * dy
        right = (int(S.recent[k, Q_RIGHT]) * SUB - x0) * dy
        if (left < at < right) or (right < at < left):
            return True
    x = int(S.recent[k, Q_COLUMN]) * SUB + SUB // 2 - x0
    if (x > 0 and x < dx) or (x < 0 and x > dx):
        at = x * dy
        upper = (int(S.recent[k, Q_UPPER]) * SUB - y0) * dx
        lower = (int(S.recent[k, Q_LOWER]) * SUB - y0) * dx
        if (upper < at < lower) or (lower < at < upper):
            return True
    return False


@rule
def remembered(
    T: Tables, S: Scratch, a: int, b: int, hi: int, lo: int, outside: bool, plain: bool
) -> int:
    """A remembered cell that blocks every pair on a line for certain, −1 for none."""
    for k in range(S.recent.shape[0]):
        cell = S.recent[k, Q_CELL]
        if cell < 0:
            return -1
        if certain(T, cell, hi, lo, outside, plain) and crosses(T, S, a, b, k):
            h = T.cells[cell, C_HEX]
            if h in (a, b):
                continue
            reach = span(T, a, b)
            if span(T, a, h) < reach and span(T, h, b) < reach:
                if k > 0:
                    for c in range(PLACE_COLUMNS):
                        # One place forward: what is of use comes to the front by and by.
                        S.recent[k, c], S.recent[k - 1, c] = S.recent[k - 1, c], S.recent[k, c]
                return int(cell)
    return -1


@rule
def remember(T: Tables, S: Scratch, a: int, b: int, spot: int) -> None:
    """Put the place first where a line was blocked: a pixel's row and column of one cell.

    The place longest unused falls out.
    """
    for k in range(S.recent.shape[0] - 1, 0, -1):
        for c in range(PLACE_COLUMNS):
            S.recent[k, c] = S.recent[k - 1, c]
    wide, high = int(T.numbers[N_WIDTH]), int(T.numbers[N_HEIGHT])
    x, y = spot % wide, spot // wide
    cell = int(T.pixels[np.uint64(spot)])
    # A little further along the line rows and columns are longer than at a corner.
    dx, dy = int(T.hexes[b, H_PX] - T.hexes[a, H_PX]), int(T.hexes[b, H_PY] - T.hexes[a, H_PY])
    far = max(abs(dx), abs(dy))
    for deep in DEPTHS:
        u, v = x + deep * dx // far, y + deep * dy // far
        if 0 <= u < wide and 0 <= v < high and int(T.pixels[np.uint64(v * wide + u)]) == cell:
            x, y = u, v
            break
    left, right, upper, lower = x, x + 1, y, y + 1
    while left > 0 and int(T.pixels[np.uint64(y * wide + left - 1)]) == cell:
        left -= 1
    while right < wide and int(T.pixels[np.uint64(y * wide + right)]) == cell:
        right += 1
    while upper > 0 and int(T.pixels[np.uint64((upper - 1) * wide + x)]) == cell:
        upper -= 1
    while lower < high and int(T.pixels[np.uint64(lower * wide + x)]) == cell:
        lower += 1
    S.recent[0, Q_CELL] = cell
    S.recent[0, Q_ROW], S.recent[0, Q_LEFT], S.recent[0, Q_RIGHT] = y, left, right
    S.recent[0, Q_COLUMN], S.recent[0, Q_UPPER], S.recent[0, Q_LOWER] = x, upper, lower
