"""What the places on a traced line are to one pair: where rules are asked, and with what."""

from __future__ import annotations

from typing import NamedTuple

from hexsight.los.bars import side_between, side_number
from hexsight.los.jit import rule
from hexsight.los.rules.buildings import leaves
from hexsight.los.rules.factories import between, under_roof
from hexsight.los.rules.heights import crest, obstacle
from hexsight.los.rules.registry import (
    CLEAR,
    GROUND_ADVANTAGE,
    HINDERS,
    HINDERS_FACTORY,
    HINDERS_ROOFLESS,
)
from hexsight.los.scratch import (
    AT_PIXEL,
    FIRST_HEX,
    JOINS_B,
    LEFT_A,
    N_RUNS,
    N_STEPS,
    NO_TOP,
    NOT_ALONG,
    R_CELL,
    R_LAST,
    R_SPOT,
    SECOND_HEX,
    Scratch,
    hinder,
    note,
    span,
)
from hexsight.los.tables import (
    BAR,
    C_AMOUNT,
    C_BELOW,
    C_CLASS,
    C_GROUND,
    C_HEX,
    C_INSIDE,
    C_TOP,
    FACTORY,
    H_BASE,
    H_FLAGS,
    H_INHERENT,
    H_PX,
    H_PY,
    H_SIDE,
    H_X,
    H_Y,
    HINDRANCE,
    IS_DEPRESSION,
    IS_FACTORY,
    IS_ROOFLESS,
    N_WIDTH,
    OBSTACLE,
    S_CLIFF,
    Tables,
)
from hexsight.los.traverse import SUB


class Ends(NamedTuple):
    """Both ends of a pair, ordered by height.

    Attributes
    ----------
    hi_end, lo_end : int
        Hexes of the higher and of the lower end.
    hi, lo : int
        Heights in half-levels.
    hi_is_a : bool
        The trace begins at the higher end.
    exact : bool
        An end is a rooftop at a half-level.
    into_depression : bool
        An end is the bed of a depression.
    logging : bool
        Events are kept, and nothing is cut short.
    """

    hi_end: int
    lo_end: int
    hi: int
    lo: int
    hi_is_a: bool
    exact: bool
    into_depression: bool
    logging: bool


class At(NamedTuple):
    """A place on the line.

    Attributes
    ----------
    cell, hex, step : int
        Its cell and hex, and the step of the line that crosses the hex (−1 for
        a hex that the line only touches).
    far, near : int
        Range from the hex to the higher and to the lower end.
    away : int
        Range from hex a.
    """

    cell: int
    hex: int
    step: int
    far: int
    near: int
    away: int


@rule
def place(T: Tables, S: Scratch, E: Ends, cell: int, h: int) -> At:
    """The place of a cell of a hex."""
    far, near = span(T, E.hi_end, h), span(T, E.lo_end, h)
    return At(cell, h, S.step_of[h], far, near, far if E.hi_is_a else near)


@rule
def is_along(S: Scratch, step: int) -> bool:
    """Whether the line runs along a hexside at a step."""
    return step >= 0 and S.steps[step, SECOND_HEX] != NOT_ALONG


@rule
def open_floor(T: Tables, S: Scratch, step: int, index: int) -> bool:
    """Whether a hex, or one of the two beside the line at this step, is roofless."""
    if T.hexes[index, H_FLAGS] & IS_ROOFLESS:
        return True
    if step < 0:
        return False
    one, two = S.steps[step, FIRST_HEX], S.steps[step, SECOND_HEX]
    if one >= 0 and T.hexes[one, H_FLAGS] & IS_ROOFLESS:
        return True
    return bool(two >= 0 and T.hexes[two, H_FLAGS] & IS_ROOFLESS)


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
        h = T.cells[cell, C_HEX]
        if h == home:
            continue
        if T.cells[cell, C_INSIDE] != 1 or T.cells[cell, C_CLASS] == BAR:
            return CLEAR
        code = leaves(own, other, T.cells[cell, C_TOP])
        if code:
            spot = S.runs[r, R_SPOT]
            note(S, code, spot % wide, spot // wide, h, AT_PIXEL, cell, 0)
        return code
    return CLEAR


@rule
def roof_of_target(T: Tables, S: Scratch, E: Ends, at_a: bool) -> int:
    """The roof over a lower end on the ground of a Factory (O5.43)."""
    flags = T.hexes[E.lo_end, H_FLAGS]
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
        if h != E.lo_end:
            code = under_roof(top, open_floor(T, S, S.step_of[h], h), E.hi, E.lo)
            if code:
                x, y = T.hexes[E.lo_end, H_PX] // SUB, T.hexes[E.lo_end, H_PY] // SUB
                note(S, code, x, y, E.lo_end, AT_PIXEL, cell, 0)
            return code
    return CLEAR


@rule
def cliff_ahead(T: Tables, S: Scratch, E: Ends, h: int) -> bool:
    """Whether the line leaves a hex towards the lower end across a cliff (B11.21)."""
    step = S.step_of[h]
    if step <= 0 or step >= S.info[N_STEPS] - 1:
        return False
    after = step + 1 if E.hi_is_a else step - 1
    for k in range(FIRST_HEX, SECOND_HEX + 1):
        side = side_between(T, h, S.steps[after, k])
        if side >= 0 and T.sides[side, S_CLIFF]:
            return True
    return False


@rule
def nearer(T: Tables, spot: int, end: int, h: int) -> bool:
    """Whether a pixel lies nearer to the centre of one hex than that of another does."""
    wide = T.numbers[N_WIDTH]
    px, py = T.hexes[end, H_PX], T.hexes[end, H_PY]
    dx = int((spot % wide) * SUB + SUB // 2 - px)
    dy = int((spot // wide) * SUB + SUB // 2 - py)
    cx, cy = int(T.hexes[h, H_PX] - px), int(T.hexes[h, H_PY] - py)
    return dx * dx + dy * dy < cx * cx + cy * cy


@rule
def ground_between(T: Tables, S: Scratch, E: Ends, P: At, run: int) -> int:
    """The ground of a hex between both ends: a code (B10.2, B10.23, B11.2)."""
    ground = T.cells[P.cell, C_GROUND]
    h = P.hex
    if is_along(S, P.step):
        one, two = S.steps[P.step, FIRST_HEX], S.steps[P.step, SECOND_HEX]
        side = side_between(T, one, two)
        if side >= 0 and T.sides[side, S_CLIFF]:
            # B11.2: along a cliff the lower hex counts.
            ground = min(ground, T.hexes[one, H_BASE], T.hexes[two, H_BASE])
    cliff = cliff_ahead(T, S, E, h)
    code = crest(ground, E.hi, E.lo, P.far, P.near, T.numbers[1], cliff)
    if code != GROUND_ADVANTAGE:
        return code
    if T.hexes[h, H_FLAGS] & IS_DEPRESSION and E.into_depression:
        return CLEAR  # the rim of a depression is A6.3's own matter
    if P.far == 1 and T.hexes[h, H_BASE] < E.hi:
        # B10.2: art of the higher hex that spills into the lower one beside it.
        first, last = S.runs[run, R_SPOT], S.runs[run, R_LAST]
        if nearer(T, first, E.hi_end, h) and nearer(T, last, E.hi_end, h):
            return CLEAR
    return code


@rule
def factory_between(T: Tables, S: Scratch, E: Ends, P: At, run: int) -> int:
    """A Factory's depiction in a hex between both ends: a code; may add a Hindrance."""
    left_a, joins_b = S.info[LEFT_A], S.info[JOINS_B]
    inside = left_a < 0
    from_a, from_b = inside or run < left_a, inside or run >= joins_b
    top = T.cells[P.cell, C_TOP]
    floor = open_floor(T, S, P.step, P.hex)
    along = is_along(S, P.step)
    joined = (from_b if E.hi_is_a else from_a) or (along and floor and (from_a or from_b))
    to_floor = T.hexes[E.lo_end, H_FLAGS] & IS_ROOFLESS != 0
    if joined and E.hi > top > E.lo and to_floor and not floor:
        # Over a roof down to an open floor behind it: the roof's edge is a Crest Line.
        return crest(top, E.hi, E.lo, P.far, P.near, T.numbers[1], False)
    code = between(
        top, inside, joined, floor, along, E.exact, E.hi, E.lo, P.far, P.near, T.numbers[1]
    )
    if not code and inside and top > E.hi and P.step >= 0:
        amount = T.numbers[5] if floor else T.numbers[4]
        hinder(S, P.away, amount)
        if E.logging:
            spot, wide = S.runs[run, R_SPOT], T.numbers[N_WIDTH]
            kind = HINDERS_ROOFLESS if floor else HINDERS_FACTORY
            note(S, kind, spot % wide, spot // wide, P.hex, AT_PIXEL, P.cell, amount)
    return code


@rule
def terrain(T: Tables, S: Scratch, E: Ends, P: At, x: int, y: int) -> int:
    """Terrain in a hex between both ends: a code; may add a Hindrance (A6.2, A6.4, A6.7)."""
    what = T.cells[P.cell, C_CLASS]
    ground = T.cells[P.cell, C_GROUND]
    if E.hi == E.lo and E.hi == ground:
        what = T.cells[P.cell, C_BELOW]
    if what not in (OBSTACLE, HINDRANCE):
        return CLEAR
    top = T.cells[P.cell, C_TOP]
    if top - ground < 2 and top <= E.hi:
        # Half-level terrain makes no Blind Hexes of its own (the ground's are asked
        # apart), and a rooftop level with it looks over it.
        return CLEAR
    # Half a level of a building counts against a rooftop's half; that of others does not.
    exact = E.exact and T.cells[P.cell, C_INSIDE] != 0
    code = obstacle(top, exact, E.hi, E.lo, P.far, P.near, T.numbers[1])
    if not code or what == OBSTACLE:
        return code
    if P.step >= 0:
        amount = int(T.cells[P.cell, C_AMOUNT])
        hinder(S, P.away, amount)
        if E.logging:
            note(S, HINDERS, x, y, P.hex, AT_PIXEL, P.cell, amount)
    return CLEAR


@rule
def walled_corner(T: Tables, floor: int, other: int) -> int:
    """Top of an Interior Factory Wall that ends at the hexside of a roofless hex and another.

    The wall is on another side of the roofless hex; NO_TOP where there is none.
    """
    k = side_number(
        T.hexes[other, H_X] - T.hexes[floor, H_X], T.hexes[other, H_Y] - T.hexes[floor, H_Y]
    )
    return int(max(T.hexes[floor, H_SIDE + (k + 5) % 6], T.hexes[floor, H_SIDE + (k + 1) % 6]))


@rule
def floors_beside(T: Tables, S: Scratch, E: Ends) -> None:
    """Hindrance of Roofless Factory Hexes along whose side the line runs by a wall's end.

    A hexside hinders only where it lies in the depiction (O5.41: M20 to K20 along
    L19, outside it).  An Interior Factory Wall stands inside the building (O5.3),
    so at the vertex where it ends the line meets the Factory: J18 to K20 passes
    the vertex J18-J19-K19 of the wall J18-K19 and has K19's Hindrance.
    """
    for s in range(1, S.info[N_STEPS] - 1):
        for k in range(FIRST_HEX, SECOND_HEX + 1):
            floor, other = S.steps[s, k], S.steps[s, FIRST_HEX + SECOND_HEX - k]
            if floor < 0 or other < 0 or not T.hexes[floor, H_FLAGS] & IS_ROOFLESS:
                continue
            if walled_corner(T, floor, other) > E.hi:
                away = span(T, floor, E.hi_end if E.hi_is_a else E.lo_end)
                hinder(S, away, int(T.numbers[5]))
                x, y = T.hexes[floor, H_PX] // SUB, T.hexes[floor, H_PY] // SUB
                note(S, HINDERS_ROOFLESS, x, y, floor, AT_PIXEL, -1, int(T.numbers[5]))


@rule
def drawn_beside(T: Tables, S: Scratch, h: int, what: int) -> bool:
    """Whether the trace met terrain of a class in a hex: its pixels then tell its ground there."""
    for r in range(S.info[N_RUNS]):
        cell = S.runs[r, R_CELL]
        if T.cells[cell, C_HEX] == h and T.cells[cell, C_CLASS] == what:
            return True
    return False


@rule
def inherent_beside(T: Tables, S: Scratch, E: Ends) -> int:
    """Inherent terrain of the hexes along whose common side the line runs (B.6)."""
    found = CLEAR
    for s in range(1, S.info[N_STEPS] - 1):
        if S.steps[s, SECOND_HEX] == NOT_ALONG:
            continue
        for k in range(FIRST_HEX, SECOND_HEX + 1):
            h = S.steps[s, k]
            if h < 0 or T.hexes[h, H_INHERENT] < 0:
                continue
            cell = T.hexes[h, H_INHERENT]
            if drawn_beside(T, S, h, T.cells[cell, C_CLASS]):
                continue
            x, y = T.hexes[h, H_PX] // SUB, T.hexes[h, H_PY] // SUB
            if E.hi != E.lo and T.cells[cell, C_TOP] - T.cells[cell, C_GROUND] < 2:
                continue  # crags and the like hinder lines on their own level only (B17.2)
            code = terrain(T, S, E, place(T, S, E, cell, h), x, y)
            if code:
                if found == CLEAR:
                    found = code
                note(S, code, x, y, h, AT_PIXEL, cell, 0)
                if not E.logging:
                    return code
    return found
