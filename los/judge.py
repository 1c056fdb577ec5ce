"""From what a line meets to what it is worth: one pair of Locations.

`judge` puts the rule families together in their order.  It is shared: the
table's loop calls it for every pair of levels of a traced line, and an
explanation calls it once with a log.
"""

from __future__ import annotations

from hexsight.los.bars import (
    bar_on_line,
    bars_on_lattice,
    wall_at_cellar,
    wall_on_line,
    walls_at_vertices,
)
from hexsight.los.jit import rule
from hexsight.los.places import (
    At,
    Ends,
    factory_between,
    floors_beside,
    ground_between,
    inherent_beside,
    out_of_building,
    place,
    roof_of_target,
    terrain,
)
from hexsight.los.rules.buildings import same_hex
from hexsight.los.rules.depressions import rim
from hexsight.los.rules.registry import CLEAR, HINDRANCE_LIMIT, UNDER_BRIDGE
from hexsight.los.scratch import (
    AT_PIXEL,
    AT_TOTAL,
    HINDER,
    HINDRANCES,
    N_RUNS,
    R_CELL,
    R_SPOT,
    REACH,
    SPINE,
    Scratch,
    note,
    span,
)
from hexsight.los.tables import (
    BAR,
    BRIDGE,
    C_CLASS,
    C_GROUND,
    C_HEX,
    C_SIDE,
    C_TOP,
    CELLAR,
    FACTORY,
    H_BASE,
    H_FLAGS,
    HAS_STAIRS,
    HINDRANCE,
    IS_DEPRESSION,
    IS_FACTORY,
    L_HALF,
    L_HEX,
    L_KIND,
    L_LEVEL,
    L_SIGHT,
    N_WIDTH,
    OBSTACLE,
    ROOF,
    WALL,
    Tables,
)


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
def in_depression(T: Tables, i: int, index: int) -> bool:
    """Whether a Location is the bed of a depression (A6.3)."""
    return (
        T.hexes[index, H_FLAGS] & IS_DEPRESSION != 0
        and T.locations[i, L_HALF] == T.hexes[index, H_BASE]
    )


@rule
def ends_of(T: Tables, S: Scratch, a: int, b: int, i: int, j: int) -> Ends:
    """Both ends in the order of their heights."""
    si, sj = T.locations[i, L_SIGHT], T.locations[j, L_SIGHT]
    hi_is_a = si >= sj
    return Ends(
        a if hi_is_a else b,
        b if hi_is_a else a,
        max(si, sj),
        min(si, sj),
        hi_is_a,
        (si | sj) & 1 != 0,
        in_depression(T, i, a) or in_depression(T, j, b),
        S.log.shape[0] > 0,
    )


@rule
def judge_ends(T: Tables, S: Scratch, E: Ends, a: int, b: int, i: int, j: int) -> int:
    """What does not depend on single pixels: leaving buildings, bars, inherent terrain."""
    half_i, half_j = T.locations[i, L_HALF], T.locations[j, L_HALF]
    found = out_of_building(T, S, a, True, half_i, half_j)
    if found == CLEAR or E.logging:
        code = out_of_building(T, S, b, False, half_j, half_i)
        found = code if found == CLEAR else found
    if found == CLEAR or E.logging:
        code = bars_on_lattice(T, S, E.hi_end, E.lo_end, E.hi, E.lo, E.logging)
        found = code if found == CLEAR else found
    if found == CLEAR or E.logging:
        code = walls_at_vertices(T, S, a, b, E.hi, E.logging)
        found = code if found == CLEAR else found
    if S.info[SPINE] and (found == CLEAR or E.logging):
        code = inherent_beside(T, S, E)
        found = code if found == CLEAR else found
        if found == CLEAR:
            floors_beside(T, S, E)
    return found


@rule
def judge_rim(T: Tables, E: Ends, P: At, a: int, b: int, i: int, j: int) -> int:
    """Ground beside the bed of a depression that holds an end: a code (A6.3).

    Adjacent hexes see into each other whatever bank the art shows between.
    """
    ground = T.cells[P.cell, C_GROUND]
    code = CLEAR
    if span(T, a, b) == 1:
        return code
    if in_depression(T, i, a):
        from_b = P.near if E.hi_is_a else P.far
        code = rim(ground, T.locations[i, L_HALF], T.locations[j, L_SIGHT], from_b)
    if not code and in_depression(T, j, b):
        code = rim(ground, T.locations[j, L_HALF], T.locations[i, L_SIGHT], P.away)
    return code


@rule
def judge_hexside(T: Tables, S: Scratch, E: Ends, a: int, b: int, i: int, j: int, cell: int) -> int:
    """Pixels of a wall, hedge or bar, in whatever hex: a code."""
    if T.cells[cell, C_CLASS] == BAR:
        return bar_on_line(T, a, b, E.hi_end, E.lo_end, E.hi, E.lo, cell)
    code = wall_on_line(T, S, E.hi_end, E.lo_end, E.hi, E.lo, cell)
    if not code and (T.locations[i, L_KIND] == CELLAR or T.locations[j, L_KIND] == CELLAR):
        code = wall_at_cellar(T, S, a, b, i, j, cell)
    return code


@rule
def judge_between(T: Tables, S: Scratch, E: Ends, P: At, run: int, x: int, y: int) -> int:
    """A place in a hex between both ends: a code; may add a Hindrance."""
    code = CLEAR
    if T.cells[P.cell, C_GROUND] > E.lo:
        code = ground_between(T, S, E, P, run)
    if code:
        return code
    what = T.cells[P.cell, C_CLASS]
    if what == FACTORY:
        return factory_between(T, S, E, P, run)
    if what in (OBSTACLE, HINDRANCE):
        return terrain(T, S, E, P, x, y)
    return CLEAR


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
    wide, reach = T.numbers[N_WIDTH], S.info[REACH]
    E = ends_of(T, S, a, b, i, j)
    for away in range(reach):
        S.steps[away, HINDER] = 0
    S.info[HINDRANCES] = 0
    found = judge_ends(T, S, E, a, b, i, j)
    if found and not E.logging:
        return found
    for n in range(S.info[N_RUNS]):
        cell = S.runs[n, R_CELL]
        h = T.cells[cell, C_HEX]
        on_side = T.cells[cell, C_CLASS] in (BAR, WALL)
        if not E.into_depression and (
            (T.cells[cell, C_TOP] <= E.lo and T.cells[cell, C_GROUND] <= E.lo)
            or (h in (a, b) and not on_side)
        ):
            continue  # below both ends, or an end's own terrain: most places
        P = place(T, S, E, cell, h)
        spot = S.runs[n, R_SPOT]
        code = CLEAR
        if E.into_depression:
            code = judge_rim(T, E, P, a, b, i, j)
        if not code and on_side:
            code = judge_hexside(T, S, E, a, b, i, j, cell)
        if not code and h not in (a, b) and P.far < reach and P.near < reach:
            code = judge_between(T, S, E, P, n, spot % wide, spot // wide)
        if code:
            side = T.cells[cell, C_SIDE] if on_side else AT_PIXEL
            note(S, code, spot % wide, spot // wide, h, side, cell, 0)
            found = code if found == CLEAR else found
            if not E.logging:
                return code
    if found == CLEAR or E.logging:
        code = roof_of_target(T, S, E, E.lo_end == a)
        found = code if found == CLEAR else found
    total = 0
    for away in range(1, reach):
        total += S.steps[away, HINDER]
    S.info[HINDRANCES] = total
    if total >= T.numbers[0] and found == CLEAR:
        found = HINDRANCE_LIMIT
        note(S, found, -1, -1, -1, AT_TOTAL, -1, total)
    return found
