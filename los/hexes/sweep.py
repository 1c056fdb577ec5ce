"""The hot loop of tables: one way between hexes, from a run of hexes in one column.

The same judgement as `hexsight.los.hexes.judge.judge`, written out in one piece:
handing arrays to functions at every hex of a line takes longer than the line.
Tests hold both, the explanation and an independent oracle together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hexsight.los.hexes.judge import begin, cross, judge, reckon
from hexsight.los.hexes.tables import (
    BOUNDED,
    HIGHER,
    I_HALVINGS,
    I_HINDRANCE,
    I_STEPS,
    I_X,
    I_Y,
    N_IGNORE_LOWER,
    N_MODE,
    N_SINGLE,
    N_SMOKE_IN,
    N_STEEP,
    N_TIE,
    NOTHING,
    SIGHT_LINE,
    T_DIRECTION,
    T_EVEN,
    T_ODD,
    T_X,
    T_Y,
    X_GROUND,
    X_HINDER,
    X_HINDER_TOP,
    X_SMOKE,
    X_TOP,
    X_UNIT,
    X_UNIT_HINDER,
    HexTables,
    Line,
)
from hexsight.los.jit import rule
from hexsight.los.rules.registry import (
    CLEAR,
    GROUND_BLOCKS,
    HEX_BLOCKS,
    OUT_OF_RANGE,
    UNIT_BLOCKS,
)

# Bits of a table's byte.
BLOCKED, HALF = 128, 64
AMOUNT = 63


@rule
def sweep(
    T: HexTables,
    S: Line,
    start: int,
    count: int,
    shift: int,
    odd: int,
    answers: NDArray[np.uint8],
    why: NDArray[np.uint8],
) -> None:
    """Answer the laid way from `count` cells one below the other, each to the cell `shift` on.

    The way does not run along hexsides.
    """
    cells, busy, sure, crossing, steps = T.cells, T.busy, T.sure, T.crossing, S.steps
    mode, tie = T.numbers[N_MODE], T.numbers[N_TIE]
    steep, inside = T.numbers[N_STEEP] != 0, T.numbers[N_SMOKE_IN] != 0
    ignore = mode == BOUNDED and T.numbers[N_IGNORE_LOWER] != 0
    n, total = S.info[I_STEPS], len(T.height)
    X, Y = S.info[I_X], S.info[I_Y]
    den = X * X + 3 * Y * Y
    column = T_ODD if odd else T_EVEN
    far = begin(T, S) == OUT_OF_RANGE
    single = T.numbers[N_SINGLE] != 0
    for one in range(start, start + count):
        i, j = T.place[one], T.place[one + shift]
        if i < 0 or j < 0:
            continue
        slopes = False
        if steep and not far:
            cell = one
            for k in range(1, n):
                if (T.steep[cell] >> steps[T_DIRECTION, k]) & 1:
                    slopes = True
                    break
                cell = one + steps[column, k]
        p0, p1, q0, q1 = i, i + 1, j, j + 1
        if not single:
            p0, p1, q0, q1 = T.first[i], T.first[i + 1], T.first[j], T.first[j + 1]
        for p in range(p0, p1):
            a = int(T.height[p])
            for q in range(q0, q1):
                b = int(T.height[q])
                code, hindrance, clouds, halvings = CLEAR, 0, 0, 0
                if far:
                    code = OUT_OF_RANGE
                elif slopes:
                    code = judge(T, S, one, odd, a, b)
                    hindrance, halvings = S.info[I_HINDRANCE], S.info[I_HALVINGS]
                else:
                    high = max(a, b)
                    level = mode != SIGHT_LINE or a == b
                    reach, ground = NOTHING + 1, high + 1
                    if mode in (SIGHT_LINE, HIGHER):
                        reach = high + 1 - tie
                    elif ignore:
                        reach = min(a, b)
                    cell = one
                    for k in range(1, n):
                        before = cell
                        cell = one + steps[column, k]
                        if crossing[before] and (crossing[before] >> steps[T_DIRECTION, k]) & 1:
                            S.info[I_HINDRANCE] = hindrance
                            x = steps[T_X, k] + steps[T_X, k - 1]
                            y = steps[T_Y, k] + steps[T_Y, k - 1]
                            d = steps[T_DIRECTION, k]
                            code = cross(T, S, before, d, k if k < n - 1 else n, a, b, x, y)
                            hindrance = S.info[I_HINDRANCE]
                            if code:
                                break
                        if k == n - 1 or not busy[cell]:
                            continue
                        if sure[cell]:
                            code = int(sure[cell])
                            break
                        if level:
                            over = cells[cell, X_GROUND] >= ground
                            tall = cells[cell, X_TOP] >= reach
                            leafy = cells[cell, X_HINDER_TOP] >= reach
                        else:
                            line = (b - a) * (steps[T_X, k] * X + 3 * steps[T_Y, k] * Y)
                            over = (cells[cell, X_GROUND] - a) * den > line
                            tall = (cells[cell, X_TOP] - a) * den + tie > line
                            leafy = (cells[cell, X_HINDER_TOP] - a) * den + tie > line
                        if over:
                            code = GROUND_BLOCKS
                            break
                        if tall:
                            code = HEX_BLOCKS
                            break
                        if cells[cell, X_UNIT]:
                            code = UNIT_BLOCKS
                            break
                        if leafy:
                            hindrance += cells[cell, X_HINDER]
                        hindrance += cells[cell, X_UNIT_HINDER]
                        clouds += cells[cell, X_SMOKE]
                    if code == CLEAR and (hindrance or clouds or inside):
                        S.info[I_HINDRANCE], S.info[I_HALVINGS] = hindrance, 0
                        code = reckon(T, S, one, one + shift, clouds)
                        hindrance, halvings = S.info[I_HINDRANCE], S.info[I_HALVINGS]
                value = min(AMOUNT, hindrance)
                if code:
                    value = BLOCKED
                elif halvings:
                    value = HALF | min(AMOUNT, halvings)
                low, last = min(p, q), max(p, q)
                at = ((low * (2 * total - low - 1)) >> 1) + last - low - 1
                answers[at] = value
                if len(why):
                    why[at] = code
