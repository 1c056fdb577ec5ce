"""Units of Musket & Pike on a board: kinds, hexes, facing, front.

What the printed rules say of facing is not in our source (its chapter 6); assumed is what the
central front hex of rule 11.2.3 needs: a counter faces a vertex, has two front hexes alone
and three when it lies over two hexes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hexsight.los.games.fronts import Surroundings, facing_of, surroundings
from hexsight.model.board import Board
from hexsight.model.errors import UsageError


@dataclass(frozen=True)
class Kind:
    """What a kind of unit may do.

    Attributes
    ----------
    attacks : bool
        Whether it starts close combats.  The source names infantry and cavalry as
        attackers (11.1.4); that wagons, artillery and leaders start none is assumed.
    double : bool
        Whether its counter may lie over two hexes (11.2.3: infantry).
    leader : bool
        A leader is no unit in the sense of the rules.
    """

    attacks: bool = True
    double: bool = False
    leader: bool = False


KINDS: dict[str, Kind] = {
    "heavy-infantry": Kind(double=True),
    "light-infantry": Kind(),
    "cavalry": Kind(),
    "artillery": Kind(attacks=False),
    "wagon": Kind(attacks=False),
    "leader": Kind(attacks=False, leader=True),
}


@dataclass(frozen=True)
class Unit:
    """A counter on the board; `place` makes one.

    Attributes
    ----------
    name : str
        Unique among the units of a battle.
    side : str
        Whose it is.
    kind : str
        A key of `KINDS`.
    hexes : tuple of str
        One hex or two adjacent ones.
    facing : int or None
        Corner that it faces, 0–5; None for what has no front.
    wing : str
        The wing that it belongs to.
    strength : int
        In close combat.
    """

    name: str
    side: str
    kind: str
    hexes: tuple[str, ...]
    facing: int | None = None
    wing: str = ""
    strength: int = 0

    @property
    def double(self) -> bool:
        """Whether it lies over two hexes."""
        return len(self.hexes) == 2

    @property
    def leader(self) -> bool:
        """Whether it is a leader, who is no unit."""
        return KINDS[self.kind].leader


def place(
    board: Board,
    name: str,
    side: str,
    kind: str,
    hexes: str | Iterable[str],
    *,
    facing: int | str | None = None,
    wing: str = "",
    strength: int = 0,
) -> Unit:
    """Put a unit on the board.

    Parameters
    ----------
    board : Board
    name, side, kind : str
    hexes : str or iterable of str
    facing : int or str, optional
        As `hexsight.los.games.fronts.facing_of` takes it.
    wing : str
    strength : int

    Raises
    ------
    UsageError
        If the kind is unknown, a hex does not exist, or the unit cannot lie or face so.
    """
    what = KINDS.get(kind)
    if what is None:
        raise UsageError(f"There is no kind of unit {kind!r}: use one of {', '.join(KINDS)}.")
    named = (hexes,) if isinstance(hexes, str) else tuple(hexes)
    if len(named) == 2 and not what.double:
        raise UsageError(f"{name} cannot lie in {' and '.join(named)}: no {kind} takes two hexes.")
    where = tuple(board.hex(n).name for n in named)
    if facing is None and (what.attacks or len(where) == 2):
        raise UsageError(f"{name} in {' and '.join(where)} needs a facing, such as a vertex.")
    if strength < 0:
        raise UsageError(f"{name} has strength {strength}: it is 0 or more.")
    if not where:
        raise UsageError(f"{name} lies in no hex: name one, or two adjacent ones.")
    corner = None if facing is None else facing_of(board, where, facing)
    return Unit(name, side, kind, where, corner, wing, strength)


def front(board: Board, unit: Unit) -> Surroundings:
    """Hexes before, beside and behind a unit.

    Raises
    ------
    UsageError
        If it has no facing.
    """
    if unit.facing is None:
        raise UsageError(f"{unit.name} has no facing: a {unit.kind} has no front.")
    return surroundings(board, unit.hexes, unit.facing)


def attackable(board: Board, unit: Unit) -> tuple[str, ...]:
    """Front hexes that a unit may attack in close combat.

    All of a unit on one hex (11.1.2), the central one of a unit on two (11.2.3); none for
    a kind that starts no close combats.
    """
    if not KINDS[unit.kind].attacks:
        return ()
    around = front(board, unit)
    if not unit.double:
        return around.front
    return () if around.central is None else (around.central,)


def in_hex(units: Iterable[Unit], hex_: str) -> tuple[Unit, ...]:
    """Units and leaders in a hex, in their order."""
    return tuple(u for u in units if hex_ in u.hexes)
