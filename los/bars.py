"""Bars, walls and vertices on a traced line: where `rules.hexsides` is asked, and with what."""

from __future__ import annotations

from hexsight.los.jit import rule
from hexsight.los.rules.hexsides import (
    ACROSS,
    ALONG,
    FULL_LEVEL,
    TOUCHES,
    bar,
    hedgerow,
    meets,
    wall,
    wall_and_cellar,
)
from hexsight.los.rules.registry import CLEAR
from hexsight.los.scratch import (
    AT_SPINE,
    AT_VERTEX,
    FIRST_HEX,
    N_STEPS,
    N_VERTICES,
    NO_TOP,
    REACH,
    SECOND_HEX,
    SPINE,
    Scratch,
    note,
    span,
)
from hexsight.los.tables import (
    C_GROUND,
    C_SIDE,
    C_TOP,
    CELLAR,
    H_BASE,
    H_INDEX,
    H_SIDE,
    H_VERTEX,
    H_X,
    H_Y,
    L_KIND,
    L_SIGHT,
    S_A,
    S_B,
    S_BREACHED,
    S_WALL,
    S_X1,
    S_X2,
    S_Y1,
    S_Y2,
    Tables,
)


@rule
def corner_number(dx: int, dy: int) -> int:
    """Number of the corner at a lattice offset from a centre."""
    if dy == 0:
        return 2 if dx > 0 else 5
    if dy < 0:
        return 1 if dx > 0 else 0
    return 3 if dx > 0 else 4


@rule
def side_number(dx: int, dy: int) -> int:
    """Number of the side towards the neighbour at a lattice offset."""
    if dx == 0:
        return 0 if dy < 0 else 3
    if dx > 0:
        return 1 if dy < 0 else 2
    return 5 if dy < 0 else 4


@rule
def along_bar(T: Tables, S: Scratch, step: int) -> int:
    """Top of the bar along which a step runs, NO_TOP for none."""
    one, two = S.steps[step, FIRST_HEX], S.steps[step, SECOND_HEX]
    if one < 0 or two < 0:
        return NO_TOP
    side = side_number(T.hexes[two, H_X] - T.hexes[one, H_X], T.hexes[two, H_Y] - T.hexes[one, H_Y])
    return T.hexes[one, H_SIDE + side]


@rule
def adjoins(T: Tables, side: int, index: int) -> bool:
    """Whether a hexside is part of a hex or one of its hexspines."""
    if T.sides[side, S_A] == index or T.sides[side, S_B] == index:
        return True
    cx, cy = T.hexes[index, H_X], T.hexes[index, H_Y]
    # Corners of a hex lie (1, 1) or (2, 0) from its centre.
    dx, dy = abs(T.sides[side, S_X1] - cx), abs(T.sides[side, S_Y1] - cy)
    if (dx == 1 and dy == 1) or (dx == 2 and dy == 0):
        return True
    dx, dy = abs(T.sides[side, S_X2] - cx), abs(T.sides[side, S_Y2] - cy)
    return (dx == 1 and dy == 1) or (dx == 2 and dy == 0)


@rule
def meets_side(T: Tables, a: int, b: int, side: int) -> int:
    """How the line from hex a to hex b meets a hexside of the board; see `meets`."""
    x0, y0 = T.hexes[a, H_X], T.hexes[a, H_Y]
    return meets(
        x0,
        y0,
        T.hexes[b, H_X] - x0,
        T.hexes[b, H_Y] - y0,
        T.sides[side, S_X1],
        T.sides[side, S_Y1],
        T.sides[side, S_X2],
        T.sides[side, S_Y2],
    )


@rule
def bar_on_line(
    T: Tables, a: int, b: int, hi_end: int, lo_end: int, hi: int, lo: int, cell: int
) -> int:
    """A bar's pixels on the line from hex a to hex b: a code (O5.31, O5.33, O5.43)."""
    side = T.cells[cell, C_SIDE]
    one, two = T.sides[side, S_A], T.sides[side, S_B]
    how = meets_side(T, a, b, side)
    if how == TOUCHES:
        # The vertex decides, and who looks along another bar there passes.
        return CLEAR
    if T.sides[side, S_BREACHED] != 0 and hi == lo and how == ACROSS:
        # O5.33: like a wall between Locations of the same level.
        return wall(T.hexes[one, H_BASE] + 1, hi, adjoins(T, side, a) or adjoins(T, side, b))
    if hi_end in (one, two) and hi >= T.cells[cell, C_TOP]:
        # From the roof above it one looks down past a wall of the own hex (O5.43).
        return CLEAR
    near = min(span(T, lo_end, one), span(T, lo_end, two)) + 1
    far = min(span(T, hi_end, one), span(T, hi_end, two))
    return bar(T.cells[cell, C_TOP], how, hi, lo, far, near, T.numbers[1])


@rule
def side_between(T: Tables, one: int, two: int) -> int:
    """Hexside of two neighbours, −1 off the board."""
    if one < 0 or two < 0:
        return -1
    number = side_number(
        T.hexes[two, H_X] - T.hexes[one, H_X], T.hexes[two, H_Y] - T.hexes[one, H_Y]
    )
    return T.hexes[one, H_INDEX + number]


@rule
def forks_off(T: Tables, S: Scratch, side: int, at_a: bool) -> bool:
    """Whether a hexside forks off the far end of a walled hexspine that the line follows.

    Looking along a wall from its end, its further course on one side of the
    line hides nothing; walls on both sides do (B9.2).
    """
    if not S.info[SPINE]:
        return False
    last = S.info[N_STEPS] - 1
    step = 1 if at_a else last - 1
    v = 1 if at_a else S.info[N_VERTICES] - 2
    x, y = S.vertices[v, 0], S.vertices[v, 1]
    if not (
        (T.sides[side, S_X1] == x and T.sides[side, S_Y1] == y)
        or (T.sides[side, S_X2] == x and T.sides[side, S_Y2] == y)
    ):
        return False
    one, two = S.steps[step, FIRST_HEX], S.steps[step, SECOND_HEX]
    beyond = S.steps[step + 1 if at_a else step - 1, FIRST_HEX]
    spine, left, right = (
        side_between(T, one, two),
        side_between(T, one, beyond),
        side_between(T, two, beyond),
    )
    if spine < 0 or left < 0 or right < 0 or T.sides[spine, S_WALL] == 0:
        return False
    return T.sides[left, S_WALL] == 0 or T.sides[right, S_WALL] == 0


@rule
def wall_on_line(
    T: Tables, S: Scratch, hi_end: int, lo_end: int, hi: int, lo: int, cell: int
) -> int:
    """Pixels of a wall, hedge or bocage on the line: a code (B9.2, B9.52)."""
    top = T.cells[cell, C_TOP]
    tall = top - T.cells[cell, C_GROUND] >= FULL_LEVEL
    if top <= hi and not (tall and lo < top):
        return CLEAR
    side = T.cells[cell, C_SIDE]
    near = adjoins(T, side, hi_end) or adjoins(T, side, lo_end)
    near = near or forks_off(T, S, side, True) or forks_off(T, S, side, False)
    if not tall or near:
        return wall(top, hi, near)
    one, two = T.sides[side, S_A], T.sides[side, S_B]
    behind = min(span(T, lo_end, one), span(T, lo_end, two)) + 1
    before = min(span(T, hi_end, one), span(T, hi_end, two))
    return hedgerow(top, hi, lo, before, behind, T.numbers[1])


@rule
def wall_meets_vertex(T: Tables, S: Scratch, a: int, b: int, side: int, hi: int) -> int:
    """A hexside that ends at a vertex on the line: a code, WALL or CLEAR (B9.1)."""
    if side < 0 or T.sides[side, S_WALL] == 0:
        return CLEAR
    one, two = T.sides[side, S_A], T.sides[side, S_B]
    how = meets_side(T, a, b, side)
    if how != TOUCHES:
        return CLEAR  # lengthwise: its art on the line is asked apart
    near = adjoins(T, side, a) or adjoins(T, side, b)
    near = near or forks_off(T, S, side, True) or forks_off(T, S, side, False)
    return wall(max(T.hexes[one, H_BASE], T.hexes[two, H_BASE]) + 1, hi, near)


@rule
def walls_at_vertices(T: Tables, S: Scratch, a: int, b: int, hi: int, logging: bool) -> int:
    """Walls and hedges whose end vertex the line passes, though their art may end before it.

    B9.1: the hexside with its vertices is the wall.
    """
    found = CLEAR
    for v in range(S.info[N_VERTICES]):
        x, y, step = S.vertices[v, 0], S.vertices[v, 1], S.vertices[v, 2]
        for s in range(step, step + 2):
            h = S.steps[s, FIRST_HEX]
            if h < 0:
                continue
            corner = corner_number(x - T.hexes[h, H_X], y - T.hexes[h, H_Y])
            for k in range(corner + 5, corner + 7):
                code = wall_meets_vertex(T, S, a, b, T.hexes[h, H_INDEX + k % 6], hi)
                if code:
                    found = code
                    if not logging:
                        return code
                    note(S, code, x, y, h, AT_VERTEX, -1, 0)
    return found


@rule
def wall_at_cellar(T: Tables, S: Scratch, a: int, b: int, i: int, j: int, cell: int) -> int:
    """The same for a pair of which one or both are cellars: a code (O6.3)."""
    side, reach = T.cells[cell, C_SIDE], S.info[REACH]
    from_cellar = T.locations[i, L_KIND] == CELLAR
    to_cellar = T.locations[j, L_KIND] == CELLAR
    half_i, half_j = T.locations[i, L_SIGHT], T.locations[j, L_SIGHT]
    code = CLEAR
    if from_cellar:
        code = wall_and_cellar(adjoins(T, side, a), to_cellar, reach, half_i, half_j)
    if not code and to_cellar:
        code = wall_and_cellar(adjoins(T, side, b), from_cellar, reach, half_j, half_i)
    return code


@rule
def vertex_on_line(
    T: Tables, S: Scratch, hi_end: int, lo_end: int, hi: int, lo: int, v: int
) -> int:
    """A vertex on the line that a bar may reach: a code (O5.31)."""
    step = S.vertices[v, 2]
    top = NO_TOP
    near = far = 1 << 20
    watching = False
    for s in range(step, step + 2):
        for k in range(FIRST_HEX, SECOND_HEX + 1):
            h = S.steps[s, k]
            if h >= 0:
                c = corner_number(
                    S.vertices[v, 0] - T.hexes[h, H_X], S.vertices[v, 1] - T.hexes[h, H_Y]
                )
                top = max(top, T.hexes[h, H_VERTEX + c])
                near = min(near, span(T, lo_end, h) + 1)
                far = min(far, span(T, hi_end, h))
        # Looking along a bar from its top or higher, its ends hide nothing (O5.43).
        if along_bar(T, S, s) != NO_TOP:
            watching = True
    if top == NO_TOP or (watching and hi >= top):
        return CLEAR
    return bar(top, TOUCHES, hi, lo, far, near, T.numbers[1])


@rule
def bars_on_lattice(
    T: Tables, S: Scratch, hi_end: int, lo_end: int, hi: int, lo: int, logging: bool
) -> int:
    """Vertices that bars reach and hexsides run along: a code (O5.31)."""
    found = CLEAR
    for v in range(S.info[N_VERTICES]):
        code = vertex_on_line(T, S, hi_end, lo_end, hi, lo, v)
        if code:
            found = code if found == CLEAR else found
            if not logging:
                return code
            h = S.steps[S.vertices[v, 2], FIRST_HEX]
            note(S, code, S.vertices[v, 0], S.vertices[v, 1], h, AT_VERTEX, -1, 0)
    if not S.info[SPINE]:
        return found
    for s in range(1, S.info[N_STEPS] - 1):
        top = along_bar(T, S, s)
        if top > hi:
            code = bar(top, ALONG, hi, lo, 0, 0, T.numbers[1])
            found = code if found == CLEAR else found
            if not logging:
                return code
            one = S.steps[s, FIRST_HEX]
            note(S, code, one, S.steps[s, SECOND_HEX], one, AT_SPINE, -1, 0)
    return found
