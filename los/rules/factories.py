"""Factories, roofed and roofless: O5.31, O5.41, O5.43, B23.741."""

from __future__ import annotations

from hexsight.los.jit import rule
from hexsight.los.rules.heights import obstacle
from hexsight.los.rules.registry import CLEAR, LEAVES_FACTORY, SECOND_ROOFED, THROUGH_ROOF


@rule
def between(
    top: int,
    inside: bool,
    joined: bool,
    open_floor: bool,
    along: bool,
    exact: bool,
    hi: int,
    lo: int,
    far: int,
    near: int,
    per: int,
) -> int:
    """A Factory hex between both ends.

    Parameters
    ----------
    top : int
        Height of the roof, also where it has fallen in (O5.52).
    inside : bool
        The whole line lies in the depiction.
    joined : bool
        The line comes to here from the lower end without leaving the
        depiction, or runs from the higher end along a hexside.
    open_floor : bool
        The hex is roofless, or the line runs along the side of a roofless hex.
    along : bool
        The line runs along a hexside here.
    exact, hi, lo, far, near, per
        As in `hexsight.los.rules.heights.obstacle`.

    Notes
    -----
    Below the roof a line stays in the depiction from end to end (the hex then
    hinders) or is blocked by the outer wall.  From the roof or higher the
    roof is like a plateau: open floor below hides nothing of its own building
    (O5.43), while for a line that only passes, the building is an obstacle of
    its full height, for its walls stand.
    """
    if top > hi:
        return CLEAR if inside else LEAVES_FACTORY
    if joined and lo < top and (inside or along or hi > top):
        return CLEAR if open_floor else SECOND_ROOFED
    # A line from the roof's own height that leaves the depiction meets the outer wall.
    return obstacle(top, exact, hi, lo, far, near, per)


@rule
def under_roof(top: int, from_open_floor: bool, hi: int, lo: int) -> int:
    """The lower end on the ground of a roofed hex, seen from the roof or higher.

    O5.43: it is seen where the line comes in from an open floor or from
    outside the building, not through the roof itself.  Asked where the line
    enters the hex inside the depiction.
    """
    if hi >= top > lo and not from_open_floor:
        return THROUGH_ROOF
    return CLEAR
