"""Obstacles by height: A6.2, A6.4, B10.2, B10.23.

All heights are absolute half-levels, `hi` and `lo` those of the higher and the
lower end, `far` and `near` the range in hexes from the higher and from the
lower end to the obstacle's hex.
"""

from __future__ import annotations

from hexsight.los.jit import rule
from hexsight.los.rules.registry import (
    ADVANTAGE,
    BLIND,
    CLEAR,
    CREST_BLIND,
    GROUND_ADVANTAGE,
    GROUND_HIGHER,
    HIGHER,
)


@rule
def obstacle(top: int, exact: bool, hi: int, lo: int, far: int, near: int, per: int) -> int:
    """What terrain of a height does to a line.

    A6.2: it blocks when it is higher than both ends, or as high as the higher
    end while the other is lower.  A6.4: seen over, it makes at least one Blind
    Hex, one more for each level that it stands over the lower end beyond the
    first and for each `per` hexes of range, one less for each level of height
    advantage beyond the first.  A half-level obstacle makes Blind Hexes only
    where its full levels rise over the lower end; the half itself counts only
    against rooftops (`exact`), which stand at half-levels themselves.
    """
    if top > hi:
        return HIGHER
    if top == hi:
        return ADVANTAGE if hi > lo else CLEAR
    full = top - (top & 1)
    if lo < full < hi:
        hexes_2 = 2 * (top if exact else full) - hi - lo + 2 * (far // per) + 2
        if 2 * near <= max(hexes_2, 2):
            return BLIND
    return CLEAR


@rule
def crest(ground: int, hi: int, lo: int, far: int, near: int, per: int, cliff: bool) -> int:
    """What the ground itself does to a line (B10.2, B10.23).

    As an obstacle, but a slope has no Blind Hex of its own right behind it;
    a cliff has (B11.21).
    """
    if ground > hi:
        return GROUND_HIGHER
    if ground == hi:
        return GROUND_ADVANTAGE if hi > lo else CLEAR
    if ground > lo:
        hexes_2 = 2 * ground - hi - lo + 2 * (far // per)
        if cliff:
            hexes_2 = max(hexes_2 + 2, 2)
        if 2 * near <= hexes_2:
            return CREST_BLIND
    return CLEAR
