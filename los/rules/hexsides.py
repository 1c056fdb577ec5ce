"""Walls, hedges and the thick black bars on hexsides: B9.2, B23.71, O5.3, O5.31, O5.33."""

from __future__ import annotations

from hexsight.los.jit import rule
from hexsight.los.rules.registry import (
    BAR_ACROSS,
    BAR_ALONG,
    BAR_BLIND,
    BAR_VERTEX,
    BLIND,
    CELLAR,
    CLEAR,
    WALL,
)

# Height in half-levels from which a hexside obstacle is bocage and no wall or hedge (B9.52).
FULL_LEVEL = 2
# How a line meets a hexside.
APART, ACROSS, TOUCHES, ALONG = 0, 1, 2, 3


@rule
def meets(x0: int, y0: int, dx: int, dy: int, ax: int, ay: int, bx: int, by: int) -> int:
    """How the line from (x0, y0) along (dx, dy) meets the hexside from a to b.

    Lattice coordinates; `TOUCHES` means one end vertex only.
    """
    a = dx * (ay - y0) - dy * (ax - x0)
    b = dx * (by - y0) - dy * (bx - x0)
    if a == 0 and b == 0:
        return ALONG
    if a == 0 or b == 0:
        return TOUCHES
    return ACROSS if (a < 0) != (b < 0) else APART


@rule
def wall(top: int, hi: int, adjoins: bool) -> int:
    """A wall or hedge blocks unless it is part of the hex of either end (B9.2)."""
    return WALL if top > hi and not adjoins else CLEAR


@rule
def hedgerow(top: int, hi: int, lo: int, far: int, near: int, per: int) -> int:
    """Bocage, a hexside obstacle of a full level (B9.52), that neither end adjoins.

    As terrain of that height (A6.2, A6.4): it blocks also where the higher end
    is level with its top, and hides Blind Hexes, of which the hex right behind
    the hexside is the first.  To see across bocage of the own hex, units need
    Wall Advantage (B9.521); that is theirs and no matter of the map, which lets
    such lines pass as B9.2 does.
    """
    if top > hi or (top == hi and hi > lo):
        return WALL
    if lo < top < hi:
        hexes_2 = 2 * top - hi - lo + 2 * (far // per) + 2
        if 2 * near <= max(hexes_2, 2):
            return BLIND
    return CLEAR


@rule
def wall_and_cellar(at_cellar: bool, both_cellars: bool, reach: int, own: int, other: int) -> int:
    """Over a wall of its own hex a cellar sees only what is adjacent or higher (O6.3).

    Parameters
    ----------
    at_cellar : bool
        The wall is part of the hex of the cellar.
    both_cellars : bool
        The other end is a cellar as well.
    reach : int
        Range between both ends.
    own, other : int
        Heights of the cellar, as ground, and of the other end.
    """
    if both_cellars or (at_cellar and reach > 1 and other <= own):
        return CELLAR
    return CLEAR


@rule
def bar(top: int, how: int, hi: int, lo: int, far: int, near: int, per: int) -> int:
    """What a black bar does to a line that crosses it, runs along it or touches its end.

    O5.31: along or across, it blocks; who looks along it from its top or
    higher is not blocked (second example of O5.43).  Across, an end level
    with the top has no height advantage (A6.2), and a higher one has Blind
    Hexes of which the hex right behind the bar is the first (A6.4): `near`
    counts from there.
    """
    if how == ALONG:
        return BAR_ALONG if top > hi else CLEAR
    if top > hi or (top == hi and hi > lo):
        return BAR_VERTEX if how == TOUCHES else BAR_ACROSS
    if lo < top < hi:
        hexes_2 = 2 * top - hi - lo + 2 * (far // per) + 2
        if 2 * near <= max(hexes_2, 2):
            return BAR_BLIND
    return CLEAR
