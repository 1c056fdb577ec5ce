"""What a scenario puts between both ends: SMOKE (A24), Blazes (B25.2), vehicles and wrecks (D9.4).

Heights are absolute half-levels, as in `hexsight.los.rules.heights`.
"""

from __future__ import annotations

from hexsight.los.jit import rule
from hexsight.los.rules.heights import obstacle
from hexsight.los.rules.registry import CLEAR


@rule
def veils_between(base: int, top: int, hi: int, lo: int, far: int, near: int, per: int) -> bool:
    """SMOKE in a hex between both ends (A24.2, A24.4).

    It hinders where an obstacle of its height would block, Blind Hexes
    included.  A cloud that begins above both ends (a Level counter, O5.441)
    is passed below.  Where one end is below its base and the other is not,
    the line is taken to rise into it: a line has no height of its own in
    between.
    """
    return hi >= base and obstacle(top, False, hi, lo, far, near, per) != CLEAR


@rule
def veils_end(base: int, top: int, own: int, other: int) -> bool:
    """SMOKE in the hex of an end (A24.2): into it, out of it or through it.

    Within the cloud always.  From below, towards what is at its base or
    higher (the rooftop of the example of O5.441); from right on top of it,
    towards what is lower, for there is no height advantage (A6.2).
    """
    if base <= own < top:
        return True
    if own < base:
        return other >= base
    return own == top and other < own


@rule
def veils_storeys(base: int, top: int, hi: int, lo: int) -> bool:
    """SMOKE between two Locations of its own hex (A24.2)."""
    return lo < top and hi >= base


@rule
def hinders_level(height: int, hi: int, lo: int) -> bool:
    """A vehicle or wreck hinders only lines between ends on its own level (D9.4)."""
    return hi == lo and hi == height
