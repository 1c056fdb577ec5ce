"""Ways between hexes, and whether terrain reaches a line: whole numbers only.

Which hexes a line crosses comes from the lattice walk; where heights are compared along a
line, both sides are multiplied out.
"""

from __future__ import annotations

from hexsight.los.hexes.tables import (
    ANY,
    BOUNDED,
    HIGHER,
    I_FIRST_DIRECTION,
    I_LOG,
    I_RANGE,
    I_SECOND_DIRECTION,
    I_STEPS,
    I_X,
    I_Y,
    LOG_AMOUNT,
    LOG_CELL,
    LOG_CODE,
    LOG_SIDE,
    N_IGNORE_LOWER,
    N_MODE,
    N_TIE,
    N_WIDE,
    NOTHING,
    SIGHT_LINE,
    T_DIRECTION,
    T_EVEN,
    T_EVEN_2,
    T_ODD,
    T_ODD_2,
    T_PAIR,
    T_X,
    T_X_2,
    T_Y,
    T_Y_2,
    HexTables,
    Line,
)
from hexsight.los.jit import rule
from hexsight.los.traverse import CORNER, STEP


@rule
def lay(T: HexTables, S: Line, X: int, Y: int) -> None:
    """Lay the way to the hex at (X, Y) in lattice coordinates, the same from every hex.

    The same steps as `hexsight.los.traverse.lattice_walk`, which looks at all six sides of a
    hex: of a line that does not run along hexspines only three can be the next.
    """
    S.info[I_X], S.info[I_Y], S.info[I_RANGE] = X, Y, away(X, Y)
    main = -1
    for d in range(6):
        e = (d + 1) % 6
        left = X * CORNER[d, 1] - Y * CORNER[d, 0]
        right = X * CORNER[e, 1] - Y * CORNER[e, 0]
        if left == 0 and X * CORNER[d, 0] + Y * CORNER[d, 1] > 0:
            lay_along(T, S, X, Y, d)
            return
        if left < 0 and right > 0:
            main = d
    wide = T.numbers[N_WIDE]
    corner, next_corner = main, (main + 1) % 6
    left = X * CORNER[corner, 1] - Y * CORNER[corner, 0]
    right = X * CORNER[next_corner, 1] - Y * CORNER[next_corner, 0]
    put(S, 0, wide, 0, 0, -1)
    # How far the centre of the hex lies beside the line, as a cross product.
    x, y, beside, n = 0, 0, 0, 1
    while x != X or y != Y:
        d = main
        if beside + left > 0:
            d = (main + 5) % 6
        elif beside + right < 0:
            d = (main + 1) % 6
        dx, dy = STEP[d, 0], STEP[d, 1]
        x, y = x + dx, y + dy
        beside += X * dy - Y * dx
        put(S, n, wide, x, y, d)
        n += 1
    S.info[I_STEPS] = n


@rule
def lay_along(T: HexTables, S: Line, X: int, Y: int, corner: int) -> None:
    """Lay a line as `lay` does, but along hexspines: centre, hexside, centre and so on."""
    wide = T.numbers[N_WIDE]
    one, two = (corner + 5) % 6, corner
    S.info[I_FIRST_DIRECTION], S.info[I_SECOND_DIRECTION] = one, two
    put(S, 0, wide, 0, 0, -1)
    x, y, n = 0, 0, 1
    while x != X or y != Y:
        put(S, n, wide, x + STEP[one, 0], y + STEP[one, 1], -1)
        x2, y2 = x + STEP[two, 0], y + STEP[two, 1]
        over = x2 // 3
        S.steps[T_PAIR, n], S.steps[T_X_2, n], S.steps[T_Y_2, n] = 1, x2, y2
        S.steps[T_EVEN_2, n] = over * wide + ((y2 - (over & 1)) >> 1)
        S.steps[T_ODD_2, n] = over * wide + ((y2 + (over & 1)) >> 1)
        x, y = x + 3 * CORNER[corner, 0], y + 3 * CORNER[corner, 1]
        put(S, n + 1, wide, x, y, -1)
        n += 2
    S.info[I_STEPS] = n


@rule
def put(S: Line, n: int, wide: int, x: int, y: int, d: int) -> None:
    """Write a step with one hex."""
    over = x // 3
    S.steps[T_EVEN, n] = over * wide + ((y - (over & 1)) >> 1)
    S.steps[T_ODD, n] = over * wide + ((y + (over & 1)) >> 1)
    S.steps[T_PAIR, n], S.steps[T_DIRECTION, n] = 0, d
    S.steps[T_X, n], S.steps[T_Y, n] = x, y


@rule
def away(X: int, Y: int) -> int:
    """Range in hexes of a way in lattice coordinates."""
    over, down = abs(X) // 3, abs(Y)
    return over + max(0, (down - over) // 2)


@rule
def place(odd: int, which: int) -> int:
    """Column of the offset of the first or second hex of a step."""
    if which:
        return T_ODD_2 if odd else T_EVEN_2
    return T_ODD if odd else T_EVEN


@rule
def rises(T: HexTables, top: int, a: int, b: int, num: int, den: int) -> bool:
    """Whether terrain reaches a line from height a to height b at the share num / den of it."""
    if top <= NOTHING:
        return False
    if top >= ANY:
        return True
    mode = T.numbers[N_MODE]
    tie = T.numbers[N_TIE] != 0
    if mode == SIGHT_LINE:
        here, line = (top - a) * den, (b - a) * num
        return here > line or (tie and here == line)
    if mode == HIGHER:
        high = max(a, b)
        return top > high or (tie and top == high)
    if mode == BOUNDED and T.numbers[N_IGNORE_LOWER] != 0:
        # 10.9.4: terrain lower than both ends is ignored.
        return top >= min(a, b)
    return True


@rule
def ground_rises(T: HexTables, ground: int, a: int, b: int, num: int, den: int) -> bool:
    """Whether the ground itself reaches above a line."""
    if ground <= NOTHING:
        return False
    if T.numbers[N_MODE] == SIGHT_LINE:
        return (ground - a) * den > (b - a) * num
    return ground > max(a, b)


@rule
def share(S: Line, x: int, y: int) -> int:
    """How far along the line a point lies, out of `whole`: exact, in the metric of the hexes."""
    return int(x * S.info[I_X] + 3 * y * S.info[I_Y])


@rule
def whole(S: Line) -> int:
    """Length of the line in the measure of `share`."""
    return int(S.info[I_X] * S.info[I_X] + 3 * S.info[I_Y] * S.info[I_Y])


@rule
def note(S: Line, code: int, cell: int, side: int, amount: int) -> None:
    """Write into the log what has been found, as long as there is room."""
    at = S.info[I_LOG]
    if at < len(S.log):
        S.log[at, LOG_CODE], S.log[at, LOG_CELL] = code, cell
        S.log[at, LOG_SIDE], S.log[at, LOG_AMOUNT] = side, amount
        S.info[I_LOG] = at + 1
