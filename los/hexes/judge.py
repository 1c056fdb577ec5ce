"""Lines between hexes, judged by what the hexes and hexsides on them hold.

`judge` answers every line, and explains it; the loop of `hexsight.los.hexes.sweep` answers most
lines of a table sooner, and alike.  Both run interpreted or compiled.
"""

from __future__ import annotations

from hexsight.los.hexes.slopes import find_dead, find_slopes, look
from hexsight.los.hexes.steps import away, ground_rises, note, place, rises, share, whole
from hexsight.los.hexes.tables import (
    I_FIRST_DIRECTION,
    I_HALVINGS,
    I_HINDRANCE,
    I_LOG,
    I_MARKED,
    I_RANGE,
    I_SECOND_DIRECTION,
    I_STEPS,
    I_X,
    I_Y,
    N_ACROSS_DEAD,
    N_EITHER,
    N_HALF_LIMIT,
    N_HINDRANCE_LIMIT,
    N_RANGE_LIMIT,
    N_SMOKE,
    N_SMOKE_HINDERS,
    N_SMOKE_IN,
    N_SMOKE_LIMIT,
    N_STEEP,
    S_BLOCKS,
    S_HINDER,
    S_OWN_CLEAR,
    S_STOPS,
    S_TOP,
    S_TWO_SIDED,
    SMOKE_BLOCKS,
    SMOKE_HALF,
    SMOKE_HINDERS,
    T_DIRECTION,
    T_EVEN,
    T_ODD,
    T_PAIR,
    T_X,
    T_X_2,
    T_Y,
    T_Y_2,
    X_GROUND,
    X_HINDER,
    X_HINDER_TOP,
    X_INDEX,
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
    DEAD_ACROSS,
    DEAD_ZONE,
    GROUND_BLOCKS,
    HALF_LIMIT,
    HEX_BLOCKS,
    HEX_HINDERS,
    HEXSIDE_BLOCKS,
    HEXSIDE_HINDERS,
    IN_SMOKE,
    OUT_OF_RANGE,
    SLOPE_STOPS,
    SMOKE_HALVES,
    SMOKE_HIDES,
    SMOKE_ON_WAY,
    TOO_MANY_HINDRANCES,
    TOO_MUCH_SMOKE,
    UNIT_BLOCKS,
    UNIT_HINDERS,
)


@rule
def begin(T: HexTables, S: Line) -> int:
    """Set counters back; the code of a line that is too long."""
    S.info[I_HINDRANCE], S.info[I_HALVINGS], S.info[I_LOG] = 0, 0, 0
    if T.numbers[N_RANGE_LIMIT] >= 0 and S.info[I_RANGE] > T.numbers[N_RANGE_LIMIT]:
        return OUT_OF_RANGE
    return CLEAR


@rule
def cross(T: HexTables, S: Line, cell: int, d: int, k: int, a: int, b: int, x: int, y: int) -> int:
    """What the hexside in direction d of a cell is to the line that enters step k through it.

    `x`, `y` is twice the middle of the hexside in lattice coordinates from the first end.
    Adds to the hindrance; returns the code of what blocks, 0 for nothing.
    """
    row = cell * 6 + d
    if T.sides[row, S_STOPS] != 0:
        note(S, SLOPE_STOPS, cell, d, 0)
        return SLOPE_STOPS
    if T.sides[row, S_BLOCKS] == 0 and T.sides[row, S_HINDER] == 0:
        return CLEAR
    if T.sides[row, S_TWO_SIDED] != 0 and S.info[I_RANGE] == 1:
        # 10.9.3A: into the adjacent hex across it.
        return CLEAR
    if T.sides[row, S_OWN_CLEAR] != 0 and (k == 1 or k == S.info[I_STEPS]):
        return CLEAR
    if not rises(T, T.sides[row, S_TOP], a, b, share(S, x, y), 2 * whole(S)):
        return CLEAR
    if T.sides[row, S_BLOCKS] != 0:
        note(S, HEXSIDE_BLOCKS, cell, d, 0)
        return HEXSIDE_BLOCKS
    note(S, HEXSIDE_HINDERS, cell, d, T.sides[row, S_HINDER])
    S.info[I_HINDRANCE] += T.sides[row, S_HINDER]
    return CLEAR


@rule
def pass_through(
    T: HexTables, S: Line, cell: int, a: int, b: int, x: int, y: int, ignored: bool
) -> int:
    """What a hex between both ends is to a line; `ignored` is its terrain and what is in it.

    Adds to the hindrance; returns the code of what blocks, 0 for nothing.
    """
    num, den = share(S, x, y), whole(S)
    if ground_rises(T, T.cells[cell, X_GROUND], a, b, num, den):
        note(S, GROUND_BLOCKS, cell, -1, 0)
        return GROUND_BLOCKS
    if ignored:
        return CLEAR
    if rises(T, T.cells[cell, X_TOP], a, b, num, den):
        note(S, HEX_BLOCKS, cell, -1, 0)
        return HEX_BLOCKS
    if T.cells[cell, X_UNIT] != 0:
        note(S, UNIT_BLOCKS, cell, -1, 0)
        return UNIT_BLOCKS
    if T.cells[cell, X_HINDER] != 0:
        if rises(T, T.cells[cell, X_HINDER_TOP], a, b, num, den):
            note(S, HEX_HINDERS, cell, -1, T.cells[cell, X_HINDER])
            S.info[I_HINDRANCE] += T.cells[cell, X_HINDER]
    if T.cells[cell, X_UNIT_HINDER] != 0:
        note(S, UNIT_HINDERS, cell, -1, T.cells[cell, X_UNIT_HINDER])
        S.info[I_HINDRANCE] += T.cells[cell, X_UNIT_HINDER]
    return CLEAR


@rule
def reckon(T: HexTables, S: Line, start: int, end: int, clouds: int) -> int:
    """What smoke and totals make of a line that nothing on the way blocks; 0 for nothing."""
    number = T.numbers
    if clouds:
        if number[N_SMOKE] == SMOKE_BLOCKS:
            return SMOKE_HIDES
        if number[N_SMOKE_LIMIT] >= 0 and clouds > number[N_SMOKE_LIMIT]:
            return TOO_MUCH_SMOKE
        if number[N_SMOKE] == SMOKE_HALF:
            S.info[I_HALVINGS] += clouds
        if number[N_SMOKE] == SMOKE_HINDERS:
            S.info[I_HINDRANCE] += clouds * number[N_SMOKE_HINDERS]
    if number[N_SMOKE_IN] != 0:
        if T.cells[start, X_SMOKE] != 0:
            note(S, IN_SMOKE, start, -1, 0)
            S.info[I_HALVINGS] += 1
        if end != start and T.cells[end, X_SMOKE] != 0:
            note(S, IN_SMOKE, end, -1, 0)
            S.info[I_HALVINGS] += 1
    if number[N_HINDRANCE_LIMIT] >= 0 and S.info[I_HINDRANCE] >= number[N_HINDRANCE_LIMIT]:
        return TOO_MANY_HINDRANCES
    if number[N_HALF_LIMIT] >= 0 and S.info[I_HALVINGS] > number[N_HALF_LIMIT]:
        return HALF_LIMIT
    return CLEAR


@rule
def at_once(T: HexTables, S: Line, start: int, odd: int) -> int:
    """Code of what blocks the laid line from whatever heights, −1 where that is not so easy.

    For lines along hexspines; between ends that nothing on the way concerns it is 0.
    """
    if T.numbers[N_STEEP] != 0 or T.numbers[N_RANGE_LIMIT] >= 0 or T.numbers[N_SMOKE_IN] != 0:
        return -1
    n, either = S.info[I_STEPS], T.numbers[N_EITHER] != 0
    cell = start
    for k in range(1, n):
        if T.crossing[cell]:
            return -1
        if S.steps[T_PAIR, k] == 0:
            cell = start + S.steps[place(odd, 0), k]
            if k < n - 1 and T.busy[cell]:
                return int(T.sure[cell]) if T.sure[cell] else -1
            continue
        one, two = start + S.steps[place(odd, 0), k], start + S.steps[place(odd, 1), k]
        if T.crossing[one] or T.crossing[two]:
            return -1
        if T.busy[one] == 0 and T.busy[two] == 0:
            continue
        if T.place[one] < 0 or T.place[two] < 0:
            return -1
        if either and T.sure[one] != 0:
            return int(T.sure[one])
        if T.sure[one] != 0 and T.sure[two] != 0:
            return int(T.sure[one])
        return -1
    return CLEAR


@rule
def judge(T: HexTables, S: Line, start: int, odd: int, a: int, b: int) -> int:
    """Code of what blocks a line first, 0 for nothing; hindrance, halvings and log in `S`.

    Where it matters the line is traced from its higher end; between ends of one height from
    both, and blocked if it is from either.
    """
    code = begin(T, S)
    if code:
        note(S, code, start, -1, 0)
        return code
    if T.numbers[N_STEEP] == 0:
        found = along(T, S, start, odd, a, b, False, False)
    elif a > b:
        found = along(T, S, start, odd, a, b, True, False)
    elif b > a:
        found = along(T, S, start, odd, a, b, True, True)
    else:
        found = along(T, S, start, odd, a, b, True, False)
        if found == CLEAR or len(S.log):
            hindrance = S.info[I_HINDRANCE]
            S.info[I_HINDRANCE], S.info[I_HALVINGS] = 0, 0
            if found == CLEAR:
                S.info[I_LOG] = 0
            other = along(T, S, start, odd, a, b, True, True)
            S.info[I_HINDRANCE] = max(hindrance, S.info[I_HINDRANCE])
            if found == CLEAR:
                found = other
    return found


@rule
def along(
    T: HexTables, S: Line, start: int, odd: int, a: int, b: int, slopes: bool, from_end: bool
) -> int:
    """`judge` from one end: with the dead zones of steep slopes seen from there, or without."""
    n = S.info[I_STEPS]
    column = T_ODD if odd else T_EVEN
    goal = start + S.steps[column, n - 1]
    dead_on_way = False
    marked = False
    if slopes:
        along_sides = n > 2 and S.steps[T_PAIR, 1] != 0
        if not along_sides:
            find_slopes(T, S, start, odd, b if from_end else a, from_end)
        marked = along_sides or T.numbers[N_ACROSS_DEAD] == 0
        if marked:
            dead_on_way = find_dead(T, S, start, odd, b if from_end else a, from_end)
    S.info[I_MARKED] = 1 if marked else 0
    first, clouds = CLEAR, 0
    k = 1
    while k < n:
        before = start + S.steps[column, k - 1]
        if S.steps[T_PAIR, k] == 0:
            cell = start + S.steps[column, k]
            d = S.steps[T_DIRECTION, k]
            code = enter(T, S, before, d, k - 1, 0, k, 0, a, b, cell, slopes, from_end)
            if k < n - 1 and (code == CLEAR or len(S.log)):
                more = inside(T, S, cell, k, 0, start, goal, a, b, slopes, from_end)
                code = code if code else more
                clouds += T.cells[cell, X_SMOKE]
            k += 1
        else:
            code, cloudy = beside(T, S, start, odd, k, goal, a, b, slopes, from_end)
            clouds += cloudy
            cell = start + S.steps[column, k + 1]
            if k + 1 < n - 1 and (code == CLEAR or len(S.log)):
                more = inside(T, S, cell, k + 1, 0, start, goal, a, b, slopes, from_end)
                code = code if code else more
                clouds += T.cells[cell, X_SMOKE]
            k += 2
        if code and first == CLEAR:
            first = code
            if len(S.log) == 0:
                return first
    if slopes:
        if (look(T, S, start if from_end else goal, 0 if from_end else n - 1, 0, from_end)) & 1:
            note(S, DEAD_ZONE, start if from_end else goal, -1, 0)
            if first == CLEAR:
                first = DEAD_ZONE
        elif dead_on_way and T.numbers[N_ACROSS_DEAD] == 0:
            note(S, DEAD_ACROSS, start if from_end else goal, -1, 0)
            if first == CLEAR:
                first = DEAD_ACROSS
    if clouds and len(S.log):
        note_smoke(T, S, start, odd)
    last = reckon(T, S, start, goal, clouds)
    if last in (TOO_MANY_HINDRANCES, HALF_LIMIT):
        note(S, last, goal, -1, 0)
    return first if first else last


@rule
def note_smoke(T: HexTables, S: Line, start: int, odd: int) -> None:
    """Log the smoke hexes between both ends."""
    mode = T.numbers[N_SMOKE]
    code = CLEAR
    if mode == SMOKE_BLOCKS:
        code = SMOKE_HIDES
    elif mode == SMOKE_HALF:
        code = SMOKE_HALVES
    elif mode == SMOKE_HINDERS:
        code = SMOKE_ON_WAY
    if code == CLEAR:
        return
    amount = T.numbers[N_SMOKE_HINDERS] if mode == SMOKE_HINDERS else 0
    clouds = 0
    for k in range(1, S.info[I_STEPS] - 1):
        for which in range(2 if S.steps[T_PAIR, k] else 1):
            cell = start + S.steps[place(odd, which), k]
            if T.cells[cell, X_SMOKE] != 0:
                note(S, code, cell, -1, amount)
                clouds += 1
                if mode == SMOKE_HALF and 0 <= T.numbers[N_SMOKE_LIMIT] < clouds:
                    note(S, TOO_MUCH_SMOKE, cell, -1, 0)


@rule
def enter(
    T: HexTables,
    S: Line,
    before: int,
    d: int,
    k0: int,
    which0: int,
    k1: int,
    which1: int,
    a: int,
    b: int,
    after: int,
    slopes: bool,
    from_end: bool,
) -> int:
    """Cross the hexside in direction d of a cell, from one step to the next hex `after`."""
    if ((T.crossing[before] >> d) & 1) == 0:
        return CLEAR
    if slopes and T.sides[before * 6 + d, S_STOPS] == 0:
        # 10.9.3B: what blocks in a dead zone is ignored, also on hexsides within it.
        dead = look(T, S, before, k0, which0, from_end) & look(T, S, after, k1, which1, from_end)
        if dead & 1:
            return CLEAR
    x = S.steps[T_X_2 if which0 else T_X, k0] + S.steps[T_X_2 if which1 else T_X, k1]
    y = S.steps[T_Y_2 if which0 else T_Y, k0] + S.steps[T_Y_2 if which1 else T_Y, k1]
    at = k1 if k1 < S.info[I_STEPS] - 1 else S.info[I_STEPS]
    return cross(T, S, before, d, at, a, b, x, y)


@rule
def inside(
    T: HexTables,
    S: Line,
    cell: int,
    k: int,
    which: int,
    start: int,
    goal: int,
    a: int,
    b: int,
    slopes: bool,
    from_end: bool,
) -> int:
    """`pass_through` where dead zones may let terrain and units be ignored."""
    if T.busy[cell] == 0:
        return CLEAR
    x = S.steps[T_X_2 if which else T_X, k]
    y = S.steps[T_Y_2 if which else T_Y, k]
    bits = look(T, S, cell, k, which, from_end) if slopes else 0
    ignored = bits & 1 != 0
    if bits == 2:
        # 10.9.4: from above a steep slope it hides the hex directly behind it alone.
        gap_x = x if from_end else S.info[I_X] - x
        gap_y = y if from_end else S.info[I_Y] - y
        if away(gap_x, gap_y) > 1:
            if T.cells[cell, X_UNIT] != 0:
                note(S, UNIT_BLOCKS, cell, -1, 0)
                return UNIT_BLOCKS
            ignored = True
    return pass_through(T, S, cell, a, b, x, y, ignored)


@rule
def beside(
    T: HexTables,
    S: Line,
    start: int,
    odd: int,
    k: int,
    goal: int,
    a: int,
    b: int,
    slopes: bool,
    from_end: bool,
) -> tuple[int, int]:
    """Along the hexside between two hexes: each is a way of its own (10.9.5).

    Returns
    -------
    (int, int)
        Code of what blocks, and smoke hexes passed.
    """
    before = start + S.steps[place(odd, 0), k - 1]
    after = start + S.steps[place(odd, 0), k + 1]
    either = T.numbers[N_EITHER] != 0
    count, blocked, code, clouds = 0, 0, CLEAR, 0
    hindrance, begun, logged = 0, S.info[I_HINDRANCE], S.info[I_LOG]
    for which in range(2):
        cell = start + S.steps[place(odd, which), k]
        if T.cells[cell, X_INDEX] < 0:
            continue
        one = S.info[I_SECOND_DIRECTION if which else I_FIRST_DIRECTION]
        two = S.info[I_FIRST_DIRECTION if which else I_SECOND_DIRECTION]
        S.info[I_HINDRANCE] = 0
        found = enter(T, S, before, one, k - 1, 0, k, which, a, b, cell, slopes, from_end)
        if found == CLEAR:
            found = inside(T, S, cell, k, which, start, goal, a, b, slopes, from_end)
        if found == CLEAR:
            found = enter(T, S, cell, two, k, which, k + 1, 0, a, b, after, slopes, from_end)
        cloud = 1 if T.cells[cell, X_SMOKE] != 0 else 0
        amount = S.info[I_HINDRANCE]
        if found:
            blocked += 1
            if code == CLEAR:
                code = found
        if count == 0:
            hindrance, clouds = amount, cloud
        elif either:
            hindrance, clouds = max(hindrance, amount), max(clouds, cloud)
        else:
            hindrance, clouds = min(hindrance, amount), min(clouds, cloud)
        count += 1
    S.info[I_HINDRANCE] = begun + hindrance
    if count and (blocked == count or (either and blocked)):
        return code, clouds
    # What stands on one side of the hexside alone decides nothing.
    S.info[I_LOG] = logged
    if hindrance:
        note(S, HEX_HINDERS, start + S.steps[place(odd, 0), k], -1, hindrance)
    return CLEAR, clouds
