"""Units of the modern platoon game, as far as fire support asks for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from hexsight.los.overlay import Overlay
from hexsight.model.board import Board
from hexsight.model.errors import UsageError
from hexsight.model.locations import find_location, locations_of

KINDS = ("infantry", "leader", "vehicle", "heavy-weapon")


@dataclass(frozen=True)
class Unit:
    """A counter on the map; `place` makes one.

    Attributes
    ----------
    name : str
        Unique in a scenario.
    side : str
    kind : str
        One of `KINDS`.
    at : str
        Its Location, such as ``K15`` or ``K15@2``.
    armoured : bool
        True for carriers and tanks, which spot as leaders do.
    hard : bool
        Whether it is a hard target; armoured vehicles are, if nothing else is said.
    """

    name: str
    side: str
    kind: str
    at: str
    armoured: bool = False
    hard: bool = False

    @property
    def hex(self) -> str:
        """Name of its hex."""
        return self.at.partition("@")[0]

    @property
    def observer(self) -> str:
        """Class of observer that it is to the rules ``modern-platoon``."""
        return "vehicle" if self.kind == "vehicle" else "infantry"

    @property
    def spots(self) -> bool:
        """Whether it may spot for fire support: a leader or an armoured vehicle."""
        return self.kind == "leader" or (self.kind == "vehicle" and self.armoured)


def place(
    board: Board,
    name: str,
    side: str,
    kind: str,
    at: str,
    *,
    armoured: bool = False,
    hard: bool | None = None,
) -> Unit:
    """Put a unit on the map.

    Raises
    ------
    UsageError
        If the kind is unknown, the Location does not exist, or what is no vehicle is said
        to be armoured.
    """
    if kind not in KINDS:
        raise UsageError(f"There is no kind of unit {kind!r}: use one of {', '.join(KINDS)}.")
    if armoured and kind != "vehicle":
        raise UsageError(f"{name} cannot be armoured: it is {kind}, not a vehicle.")
    # Listing all Locations of a large board takes a while: not for the ground.
    where = find_location(locations_of(board), at, board).name if "@" in at else board.hex(at).name
    return Unit(name, side, kind, where, armoured, armoured if hard is None else hard)


def from_overlay(
    board: Board, overlay: Overlay, armoured: Collection[str] = ()
) -> tuple[Unit, ...]:
    """Units of an overlay file, on the ground of their hexes.

    Parameters
    ----------
    board : Board
    overlay : Overlay
    armoured : collection of str
        Names of the armoured vehicles.

    Raises
    ------
    UsageError
        As `place`, and if two units have the same name or one takes two hexes.
    """
    out: list[Unit] = []
    for u in overlay.units:
        name = u.name or f"{u.kind} in {' and '.join(u.hexes)}"
        if len(u.hexes) != 1:
            raise UsageError(f"{name} cannot lie in {len(u.hexes)} hexes: a unit takes one.")
        if any(name == known.name for known in out):
            raise UsageError(f"Two units are called {name!r}: give each its own name.")
        hard = name in armoured
        out.append(place(board, name, u.side or "", u.kind, u.hexes[0], armoured=hard))
    return tuple(out)


def stacked(units: Iterable[Unit], hex_: str) -> int:
    """Units that count for stacking in a hex; wrecks are no units and never count."""
    return sum(1 for u in units if u.hex == hex_)
