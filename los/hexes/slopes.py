"""Steep slopes and what they hide from above: dead zones (10.9.3B), what is beyond (10.9.4)."""

from __future__ import annotations

from hexsight.los.hexes.steps import away, place
from hexsight.los.hexes.tables import (
    I_MARKED,
    I_SLOPES,
    I_STEPS,
    I_X,
    I_Y,
    N_EITHER,
    T_DIRECTION,
    T_EVEN,
    T_ODD,
    T_PAIR,
    T_X,
    T_X_2,
    T_Y,
    T_Y_2,
    X_BASE,
    X_INDEX,
    HexTables,
    Line,
)
from hexsight.los.jit import rule
from hexsight.los.traverse import STEP


@rule
def hides(T: HexTables, upper: int, d: int, lower: int, height: int) -> bool:
    """Whether the way from an upper to a lower hex crosses a slope with a dead zone."""
    if ((T.steep[upper] >> d) & 1) == 0:
        return False
    base = T.cells[upper, X_BASE]
    return bool(base > T.cells[lower, X_BASE] and base <= height)


@rule
def find_slopes(T: HexTables, S: Line, start: int, odd: int, height: int, from_end: bool) -> None:
    """Note each steep slope that a line goes down, seen from one end.

    Fills `Line.hexes` with a row for each: lattice coordinates and ground of its upper hex, and
    how far its dead zone reaches; `Line.vertices` with the step of that hex.
    """
    n, found = S.info[I_STEPS], 0
    column = T_ODD if odd else T_EVEN
    eye_x = S.info[I_X] if from_end else 0
    eye_y = S.info[I_Y] if from_end else 0
    cell = start
    for k in range(1, n):
        before = cell
        cell = start + S.steps[column, k]
        if T.steep[before] == 0:
            continue
        d = S.steps[T_DIRECTION, k]
        if from_end:
            down = hides(T, cell, (d + 3) % 6, before, height)
            j, upper = k, cell
        else:
            down = hides(T, before, d, cell, height)
            j, upper = k - 1, before
        if down:
            x, y = S.steps[T_X, j], S.steps[T_Y, j]
            S.hexes[found, 0], S.hexes[found, 1] = x, y
            S.hexes[found, 2] = T.cells[upper, X_BASE]
            S.hexes[found, 3] = away(x - eye_x, y - eye_y)
            S.vertices[found, 0] = j
            found += 1
    S.info[I_SLOPES] = found


@rule
def hidden(T: HexTables, S: Line, cell: int, k: int, from_end: bool) -> int:
    """What the slopes on a line do to the hex of step k: 1 dead zone, 2 below and beyond."""
    out = 0
    for e in range(S.info[I_SLOPES]):
        j = S.vertices[e, 0]
        if (k < j) != from_end or k == j or T.cells[cell, X_BASE] >= S.hexes[e, 2]:
            continue
        out |= 2
        gap = away(S.steps[T_X, k] - S.hexes[e, 0], S.steps[T_Y, k] - S.hexes[e, 1])
        if gap <= S.hexes[e, 3]:
            out |= 1
    return out


@rule
def look(T: HexTables, S: Line, cell: int, k: int, which: int, from_end: bool) -> int:
    """`hidden`, from what has been marked where that was done already."""
    if S.info[I_MARKED] == 0:
        return hidden(T, S, cell, k, from_end)
    return int(S.dead[k, which]) + 2 * int(S.dead[k, which + 2])


@rule
def find_dead(T: HexTables, S: Line, start: int, odd: int, height: int, from_end: bool) -> bool:
    """Mark which hexes of a line lie in the dead zone of a steep slope, seen from one end.

    10.9.3B: one hex for each hex between the higher unit and the hex with the steep side; and
    10.9.4: what lies below and beyond such a slope.  Where the line runs along a hexside both
    ways have to hide (or either, as the rules say).

    Returns
    -------
    bool
        Whether any hex of the line is dead.
    """
    n = S.info[I_STEPS]
    any_dead = False
    along_sides = n > 2 and S.steps[T_PAIR, 1] != 0
    for k in range(n):
        for c in range(4):
            S.dead[k, c] = 0
    for k in range(n):
        for which in range(2 if S.steps[T_PAIR, k] != 0 else 1):
            if T.cells[start + S.steps[place(odd, which), k], X_INDEX] < 0:
                continue
            if along_sides:
                bits = looked_at(T, S, start, odd, height, from_end, k, which)
            else:
                cell = start + S.steps[place(odd, 0), k]
                bits = hidden(T, S, cell, k, from_end)
            if bits & 1:
                S.dead[k, which] = 1
                any_dead = True
            if bits & 2:
                S.dead[k, which + 2] = 1
    return any_dead


@rule
def looked_at(
    T: HexTables,
    S: Line,
    start: int,
    odd: int,
    height: int,
    from_end: bool,
    k: int,
    which: int,
) -> int:
    """As `hidden`, for a line that runs along hexsides."""
    either = T.numbers[N_EITHER] != 0
    step = -1 if from_end else 1
    out = 0
    j = S.info[I_STEPS] - 1 if from_end else 0
    if (k < j) != from_end or k == j:
        return 0
    while j != k:
        ahead = j + step
        if S.steps[T_PAIR, ahead] == 0:
            out |= hidden_by(T, S, start, odd, height, from_end, j, 0, ahead, 0, k, which)
            j = ahead
            continue
        if ahead == k:
            return out | hidden_by(T, S, start, odd, height, from_end, j, 0, ahead, which, k, which)
        ways, dead, beyond = 0, 0, 0
        for side in range(2):
            cell = start + S.steps[place(odd, side), ahead]
            if T.cells[cell, X_INDEX] < 0:
                continue
            bits = hidden_by(T, S, start, odd, height, from_end, j, 0, ahead, side, k, which)
            bits |= hidden_by(
                T, S, start, odd, height, from_end, ahead, side, ahead + step, 0, k, which
            )
            ways += 1
            dead += bits & 1
            beyond += bits >> 1
        needed = 1 if either else max(1, ways)
        if dead >= needed:
            out |= 1
        if beyond >= needed:
            out |= 2
        j = ahead + step
    return out


@rule
def hidden_by(
    T: HexTables,
    S: Line,
    start: int,
    odd: int,
    height: int,
    from_end: bool,
    j: int,
    which_j: int,
    m: int,
    which_m: int,
    k: int,
    which_k: int,
) -> int:
    """What the slope between hex j and the next hex m of a line does to a hex k beyond it."""
    upper = start + S.steps[place(odd, which_j), j]
    lower = start + S.steps[place(odd, which_m), m]
    cell = start + S.steps[place(odd, which_k), k]
    if T.cells[upper, X_INDEX] < 0 or T.cells[lower, X_INDEX] < 0:
        return 0
    jx, jy = S.steps[T_X_2 if which_j else T_X, j], S.steps[T_Y_2 if which_j else T_Y, j]
    mx, my = S.steps[T_X_2 if which_m else T_X, m], S.steps[T_Y_2 if which_m else T_Y, m]
    d = 0
    for q in range(6):
        if STEP[q, 0] == mx - jx and STEP[q, 1] == my - jy:
            d = q
    if not hides(T, upper, d, lower, height):
        return 0
    if T.cells[cell, X_BASE] >= T.cells[upper, X_BASE]:
        return 0
    eye_x = S.info[I_X] if from_end else 0
    eye_y = S.info[I_Y] if from_end else 0
    kx, ky = S.steps[T_X_2 if which_k else T_X, k], S.steps[T_Y_2 if which_k else T_Y, k]
    return 3 if away(kx - jx, ky - jy) <= away(jx - eye_x, jy - eye_y) else 2
