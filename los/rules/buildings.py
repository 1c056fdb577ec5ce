"""Looking out of buildings, and from level to level: A6.8, B23.8, O.4B."""

from __future__ import annotations

from hexsight.los.jit import rule
from hexsight.los.rules.registry import CLEAR, SAME_BUILDING, SAME_HEX


@rule
def leaves(height: int, other: int, top: int) -> int:
    """A6.8: from a storey, a line to another level must leave the building inside its hex.

    Asked for the first place in another hex that the line reaches without
    having left the building.

    Parameters
    ----------
    height, other : int
        Heights of the end in the building and of the other end.
    top : int
        Of the building there; who stands on it or higher looks over it.
    """
    return SAME_BUILDING if height != other and height < top else CLEAR


@rule
def same_hex(level: int, other: int, stairs: bool, factory: bool, roof: bool) -> int:
    """Two Locations of one building hex (A6.8, O.4B).

    One level apart they see each other where stairs join them.  A Factory's
    rooftop and ground Location are ADJACENT where a stairwell is printed,
    whatever lies between (O.4B).
    """
    apart = abs(level - other)
    if stairs and (apart <= 1 or (factory and roof and min(level, other) == 0)):
        return CLEAR
    return SAME_HEX
