"""From what a line meets to what it is worth: one pair of Locations.

`judge` puts the rule families together in their order.  It is shared: the
table's loop calls it for every pair of levels of a traced line, and an
explanation calls it once with a log.
"""

from __future__ import annotations

import numpy as np

from hexsight.los.bars import (
    bar_on_line,
    bars_on_lattice,
    side_between,
    wall_at_cellar,
    wall_on_line,
)
from hexsight.los.compile import (
    BAR,
    BRIDGE,
    C_AMOUNT,
    C_BELOW,
    C_CLASS,
    C_GROUND,
    C_HEX,
    C_INSIDE,
    C_SIDE,
    C_TOP,
    CELLAR,
    FACTORY,
    H_BASE,
    H_FLAGS,
    H_INHERENT,
    H_PX,
    H_PY,
    HAS_STAIRS,
    HINDRANCE,
    IS_DEPRESSION,
    IS_FACTORY,
    IS_ROOFLESS,
    L_HALF,
    L_HEX,
    L_KIND,
    L_LEVEL,
    L_SIGHT,
    N_WIDTH,
    OBSTACLE,
    ROOF,
    S_CLIFF,
    WALL,
    Tables,
)
from hexsight.los.jit import rule
from hexsight.los.rules.buildings import leaves, same_hex
from hexsight.los.rules.depressions import rim
from hexsight.los.rules.factories import between, under_roof
from hexsight.los.rules.heights import crest, obstacle
from hexsight.los.rules.registry import (
    CLEAR,
    GROUND_ADVANTAGE,
    HINDERS,
    HINDERS_FACTORY,
    HINDERS_ROOFLESS,
    HINDRANCE_LIMIT,
    UNDER_BRIDGE,
)
from hexsight.los.scratch import (
    AT_PIXEL,
    AT_TOTAL,
    FIRST_HEX,
    HINDER,
    HINDRANCES,
    JOINS_B,
    LEFT_A,
    N_RUNS,
    N_STEPS,
    NO_TOP,
    R_CELL,
    R_LAST,
    R_SPOT,
    REACH,
    SECOND_HEX,
    SPINE,
    Scratch,
    hinder,
    note,
    span,
)
from hexsight.los.traverse import SUB


@rule
def judge_same_hex(T: Tables, i: int, j: int) -> int:
    """Two Locations of one hex: a code."""
    if T.locations[i, L_KIND] == BRIDGE or T.locations[j, L_KIND] == BRIDGE:
        return UNDER_BRIDGE
    flags = T.hexes[T.locations[i, L_HEX], H_FLAGS]
    return same_hex(
        T.locations[i, L_LEVEL],
        T.locations[j, L_LEVEL],
        flags & HAS_STAIRS != 0,
        flags & IS_FACTORY != 0,
        T.locations[i, L_KIND] == ROOF or T.locations[j, L_KIND] == ROOF,
    )


@rule
def open_floor(T: Tables, S: Scratch, step: int, index: int) -> bool:
    """Whether a hex, or one of the two beside the line at this step, is roofless."""
    if T.hexes[index, H_FLAGS] & IS_ROOFLESS:
        return True
    if step < 0:
        return False
    one, two = S.steps[step, FIRST_HEX], S.steps[step, SECOND_HEX]
    return (one >= 0 and T.hexes[one, H_FLAGS] & IS_ROOFLESS != 0) or (
        two >= 0 and T.hexes[two, H_FLAGS] & IS_ROOFLESS != 0
    )


@rule
def out_of_building(T: Tables, S: Scratch, home: int, at_a: bool, own: int, other: int) -> int:
    """A6.8 from one end: the first place in another hex while still in the building."""
    runs, left_a, joins_b = S.info[N_RUNS], S.info[LEFT_A], S.info[JOINS_B]
    wide = T.numbers[N_WIDTH]
    for n in range(runs):
        r = n if at_a else runs - 1 - n
        if left_a >= 0 and (r >= left_a if at_a else r < joins_b):
            return CLEAR
        cell = S.runs[r, R_CELL]
        if T.cells[cell, C_HEX] == home:
            continue
        if T.cells[cell, C_INSIDE] != 1 or T.cells[cell, C_CLASS] == BAR:
            return CLEAR
        code = leaves(own, other, T.cells[cell, C_TOP])
        if code:
            note(
                S,
                code,
                S.runs[r, R_SPOT] % wide,
                S.runs[r, R_SPOT] // wide,
                T.cells[cell, C_HEX],
                AT_PIXEL,
                cell,
                0,
            )
        return code
    return CLEAR


@rule
def roof_of_target(T: Tables, S: Scratch, at_a: bool, lo_end: int, hi: int, lo: int) -> int:
    """The roof over a lower end on the ground of a Factory (O5.43)."""
    flags = T.hexes[lo_end, H_FLAGS]
    if not flags & IS_FACTORY or flags & IS_ROOFLESS:
        return CLEAR
    # Go from the lower end outwards to the first place in another hex.
    runs, left_a, joins_b = S.info[N_RUNS], S.info[LEFT_A], S.info[JOINS_B]
    top = NO_TOP
    for n in range(runs):
        r = n if at_a else runs - 1 - n
        if left_a >= 0 and (r >= left_a if at_a else r < joins_b):
            return CLEAR
        cell = S.runs[r, R_CELL]
        if T.cells[cell, C_CLASS] != FACTORY:
            continue
        h = T.cells[cell, C_HEX]
        top = max(top, T.cells[cell, C_TOP])
        if h != lo_end:
            return under_roof(top, open_floor(T, S, S.step_of[h], h), hi, lo)
    return CLEAR


@rule
def cliff_ahead(T: Tables, S: Scratch, h: int, lo_end: int) -> bool:
    """Whether the line leaves a hex towards the lower end across a cliff (B11.32)."""
    step = S.step_of[h]
    if step <= 0 or step >= S.info[N_STEPS] - 1:
        return False
    after = step + 1 if S.steps[0, FIRST_HEX] != lo_end else step - 1
    for k in range(FIRST_HEX, SECOND_HEX + 1):
        side = side_between(T, h, S.steps[after, k])
        if side >= 0 and T.sides[side, S_CLIFF]:
            return True
    return False


@rule
def within(T: Tables, spot: int, end: int, h: int) -> bool:
    """Whether a pixel is nearer to the centre of one hex than that of another is."""
    wide = T.numbers[N_WIDTH]
    x, y = (spot % wide) * SUB + SUB // 2, (spot // wide) * SUB + SUB // 2
    px, py = T.hexes[end, H_PX], T.hexes[end, H_PY]
    dx, dy = np.int64(x - px), np.int64(y - py)
    cx, cy = np.int64(T.hexes[h, H_PX] - px), np.int64(T.hexes[h, H_PY] - py)
    return dx * dx + dy * dy < cx * cx + cy * cy


@rule
def ground_between(
    T: Tables,
    S: Scratch,
    run: int,
    h: int,
    hi_end: int,
    lo_end: int,
    hi: int,
    lo: int,
    far: int,
    near: int,
    ground: int,
) -> int:
    """The ground of a hex between both ends: a code (B10.2, B10.23, B11.2)."""
    step = S.step_of[h]
    if step >= 0 and S.steps[step, SECOND_HEX] >= 0:
        one, two = S.steps[step, FIRST_HEX], S.steps[step, SECOND_HEX]
        side = side_between(T, one, two)
        if side >= 0 and T.sides[side, S_CLIFF]:
            # B11.2: along a cliff the lower hex counts.
            ground = min(ground, min(T.hexes[one, H_BASE], T.hexes[two, H_BASE]))
    code = crest(ground, hi, lo, far, near, T.numbers[1], cliff_ahead(T, S, h, lo_end))
    if code == GROUND_ADVANTAGE and far == 1 and T.hexes[h, H_BASE] < hi:
        # B10.2: art of the higher hex that spills into the lower one beside it.
        first, last = S.runs[run, R_SPOT], S.runs[run, R_LAST]
        if within(T, first, hi_end, h) and within(T, last, hi_end, h):
            return CLEAR
    return code


@rule
def terrain(
    T: Tables,
    S: Scratch,
    hi: int,
    lo: int,
    far: int,
    near: int,
    exact: bool,
    cell: int,
    step: int,
    away: int,
) -> int:
    """Terrain between both ends: a code that blocks, HINDERS (counted), or CLEAR."""
    what = T.cells[cell, C_CLASS]
    if hi == lo and hi == T.cells[cell, C_GROUND]:
        what = T.cells[cell, C_BELOW]
    if what != OBSTACLE and what != HINDRANCE:
        return CLEAR
    top = T.cells[cell, C_TOP]
    if top - T.cells[cell, C_GROUND] < 2 and top <= hi:
        # Half-level terrain makes no Blind Hexes of its own (the ground's are asked
        # apart), and a rooftop level with it looks over it.
        return CLEAR
    # Half a level of a building counts against a rooftop's half; a bush's does not.
    exact = exact and T.cells[cell, C_INSIDE] != 0
    code = obstacle(top, exact, hi, lo, far, near, T.numbers[1])
    if not code or what == OBSTACLE:
        return code
    if step >= 0:
        hinder(S, away, hindrance_of(T, S, cell, step))
    return HINDERS


@rule
def hindrance_of(T: Tables, S: Scratch, cell: int, step: int) -> int:
    """Hindrance of a cell; beside a Roofless Factory Hex the hexside's larger one (O5.41)."""
    amount = T.cells[cell, C_AMOUNT]
    if step >= 0 and S.steps[step, SECOND_HEX] >= 0 and amount < T.numbers[5]:
        one, two = S.steps[step, FIRST_HEX], S.steps[step, SECOND_HEX]
        if (T.hexes[one, H_FLAGS] | T.hexes[two, H_FLAGS]) & IS_ROOFLESS:
            return T.numbers[5]
    return amount


@rule
def inherent_beside(
    T: Tables,
    S: Scratch,
    hi_end: int,
    lo_end: int,
    hi: int,
    lo: int,
    exact: bool,
    hi_is_a: bool,
    logging: bool,
) -> int:
    """Inherent terrain of the hexes along whose common side the line runs (B.6)."""
    found = CLEAR
    for s in range(1, S.info[N_STEPS] - 1):
        if S.steps[s, SECOND_HEX] < 0:
            continue
        for k in range(FIRST_HEX, SECOND_HEX + 1):
            h = S.steps[s, k]
            if h < 0 or T.hexes[h, H_INHERENT] < 0:
                continue
            cell = T.hexes[h, H_INHERENT]
            far, near = span(T, hi_end, h), span(T, lo_end, h)
            code = terrain(T, S, hi, lo, far, near, exact, cell, s, far if hi_is_a else near)
            if code and logging:
                x, y = T.hexes[h, H_PX] // SUB, T.hexes[h, H_PY] // SUB
                amount = hindrance_of(T, S, cell, s) if code == HINDERS else 0
                note(S, code, x, y, h, AT_PIXEL, cell, amount)
            if code and code != HINDERS:
                found = found or code
                if not logging:
                    return code
    return found


@rule
def judge(T: Tables, S: Scratch, a: int, b: int, i: int, j: int) -> int:
    """Judge two Locations of different hexes on the line traced into `S`.

    Parameters
    ----------
    T, S
        Tables, and scratch that holds the trace from hex a to hex b.
    a, b : int
        Hexes.
    i, j : int
        Locations in them.

    Returns
    -------
    int
        A code that blocks, or CLEAR; ``S.info[HINDRANCES]`` holds the total.
    """
    per, wide = T.numbers[1], T.numbers[N_WIDTH]
    logging = S.log.shape[0] > 0
    runs, reach = S.info[N_RUNS], S.info[REACH]
    left_a, joins_b = S.info[LEFT_A], S.info[JOINS_B]
    inside = left_a < 0
    half_i, half_j = T.locations[i, L_HALF], T.locations[j, L_HALF]
    si, sj = T.locations[i, L_SIGHT], T.locations[j, L_SIGHT]
    hi_is_a = si >= sj
    hi, lo = max(si, sj), min(si, sj)
    hi_end, lo_end = (a, b) if hi_is_a else (b, a)
    exact = (hi | lo) & 1 != 0
    cellar_i, cellar_j = T.locations[i, L_KIND] == CELLAR, T.locations[j, L_KIND] == CELLAR
    down_i = T.hexes[a, H_FLAGS] & IS_DEPRESSION != 0 and half_i == T.hexes[a, H_BASE]
    down_j = T.hexes[b, H_FLAGS] & IS_DEPRESSION != 0 and half_j == T.hexes[b, H_BASE]
    for s in range(reach):
        S.steps[s, HINDER] = 0

    found = out_of_building(T, S, a, True, half_i, half_j)
    if found and not logging:
        return found
    code = out_of_building(T, S, b, False, half_j, half_i)
    found = found or code
    if found and not logging:
        return found
    code = bars_on_lattice(T, S, hi_end, lo_end, hi, lo, logging)
    found = found or code
    if found and not logging:
        return found
    if S.info[SPINE]:
        code = inherent_beside(T, S, hi_end, lo_end, hi, lo, exact, hi_is_a, logging)
        found = found or code
        if found and not logging:
            return found

    at = -1
    far = near = 0
    for n in range(runs):
        cell = S.runs[n, R_CELL]
        h = T.cells[cell, C_HEX]
        what = T.cells[cell, C_CLASS]
        ground = T.cells[cell, C_GROUND]
        if h != at:
            far, near, at = span(T, hi_end, h), span(T, lo_end, h), h
        code = CLEAR
        if down_i:
            code = rim(ground, half_i, sj, near if hi_is_a else far)
        if not code and down_j:
            code = rim(ground, half_j, si, far if hi_is_a else near)
        if not code and what == BAR:
            code = bar_on_line(T, a, b, hi_end, lo_end, hi, lo, cell)
        if not code and what == WALL:
            code = wall_on_line(T, S, a, b, hi, cell)
            if not code and (cellar_i or cellar_j):
                code = wall_at_cellar(T, a, b, cellar_i, cellar_j, si, sj, reach, cell)
        if not code and h != a and h != b and far < reach and near < reach:
            if ground > lo:
                code = ground_between(T, S, n, h, hi_end, lo_end, hi, lo, far, near, ground)
                if (
                    code == GROUND_ADVANTAGE
                    and T.hexes[h, H_FLAGS] & IS_DEPRESSION
                    and (down_i or down_j)
                ):
                    code = CLEAR
            if not code and what == FACTORY:
                top = T.cells[cell, C_TOP]
                step = S.step_of[h]
                floor = open_floor(T, S, step, h)
                along = step >= 0 and S.steps[step, SECOND_HEX] >= 0
                from_a, from_b = inside or n < left_a, inside or n >= joins_b
                joined = from_b if hi_is_a else from_a
                if along and floor and (from_a or from_b):
                    joined = True
                code = between(top, inside, joined, floor, along, exact, hi, lo, far, near, per)
                if not code and inside and top > hi:
                    amount = T.numbers[5] if floor else T.numbers[4]
                    if step >= 0:
                        hinder(S, far if hi_is_a else near, amount)
                    if logging:
                        kind = HINDERS_ROOFLESS if floor else HINDERS_FACTORY
                        note(
                            S,
                            kind,
                            S.runs[n, R_SPOT] % wide,
                            S.runs[n, R_SPOT] // wide,
                            h,
                            AT_PIXEL,
                            cell,
                            amount,
                        )
            elif not code and (what == OBSTACLE or what == HINDRANCE):
                code = terrain(
                    T, S, hi, lo, far, near, exact, cell, S.step_of[h], far if hi_is_a else near
                )
                if code == HINDERS:
                    code = CLEAR
                    if logging:
                        amount = hindrance_of(T, S, cell, S.step_of[h])
                        note(
                            S,
                            HINDERS,
                            S.runs[n, R_SPOT] % wide,
                            S.runs[n, R_SPOT] // wide,
                            h,
                            AT_PIXEL,
                            cell,
                            amount,
                        )
        if code:
            found = found or code
            if not logging:
                return code
            side = T.cells[cell, C_SIDE] if what == BAR or what == WALL else AT_PIXEL
            note(S, code, S.runs[n, R_SPOT] % wide, S.runs[n, R_SPOT] // wide, h, side, cell, 0)

    code = roof_of_target(T, S, lo_end == a, lo_end, hi, lo)
    if code:
        found = found or code
        x, y = T.hexes[lo_end, H_PX] // SUB, T.hexes[lo_end, H_PY] // SUB
        note(S, code, x, y, lo_end, AT_PIXEL, -1, 0)
        if not logging:
            return code

    total = 0
    for s in range(1, reach):
        total += S.steps[s, HINDER]
    S.info[HINDRANCES] = total
    if total >= T.numbers[0] and not found:
        found = HINDRANCE_LIMIT
        note(S, found, -1, -1, -1, AT_TOTAL, -1, total)
    return found
