"""Heavy weapons of the modern platoon game that have to be set up before they fire."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hexsight.model.board import Board
from hexsight.model.errors import UsageError
from hexsight.model.layout import hex_distance


@dataclass(frozen=True)
class HeavyWeapon:
    """A weapon in one activation.

    Attributes
    ----------
    name : str
    starred : bool
        Whether its counter has a * on its back: then it moves or fires, and never fires
        inside its own hex.
    min_range : int
        Least range in hexes of a missile, 0 without one.
    moved, fired : bool
        In this activation.
    """

    name: str
    starred: bool = True
    min_range: int = 0
    moved: bool = False
    fired: bool = False


def move(weapon: HeavyWeapon) -> HeavyWeapon:
    """The weapon after it moved in this activation, up to its full movement.

    Raises
    ------
    UsageError
        If it is starred and has fired.
    """
    if weapon.starred and weapon.fired:
        raise UsageError(f"{weapon.name} has fired in this activation and cannot move.")
    return replace(weapon, moved=True)


def fire(weapon: HeavyWeapon, board: Board, at: str, target: str) -> HeavyWeapon:
    """The weapon after it fired in this activation; line of sight is asked elsewhere.

    Parameters
    ----------
    weapon : HeavyWeapon
    board : Board
    at, target : str
        Locations.

    Raises
    ------
    UsageError
        If it has moved, the target is in its own hex, or nearer than its least range.
    """
    one, other = (board.hex(place.partition("@")[0]) for place in (at, target))
    if weapon.starred and weapon.moved:
        raise UsageError(f"{weapon.name} has moved in this activation and cannot fire.")
    if weapon.starred and one is other:
        raise UsageError(f"{weapon.name} cannot fire inside its own hex {one.name}.")
    far = hex_distance((one.col, one.row), (other.col, other.row))
    if far < weapon.min_range:
        raise UsageError(
            f"{weapon.name} cannot fire at {target}: its least range is {weapon.min_range}, "
            f"and {other.name} is at {far}."
        )
    return replace(weapon, fired=True)
