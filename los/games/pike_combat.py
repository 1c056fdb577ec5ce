"""Close combat of Musket & Pike (rule 11): who may attack whom, and who fights together.

Orders and what a unit has done before do not matter (11.1.5), so nothing here asks for them.
Close combat is always voluntary (11.1.2): `choices` says what is allowed, never what must be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from hexsight.los.games.pike_units import KINDS, Unit, attackable, front, in_hex
from hexsight.model.board import Board
from hexsight.model.errors import UsageError
from hexsight.model.layout import direction_to


@dataclass(frozen=True)
class NoEntry:
    """Terrain that units cannot enter, as the terrain chart of a battle says.

    Attributes
    ----------
    terrain : dict of str to frozenset of str
        Names of terrain types of hexes; the kinds of unit that cannot enter, empty for all.
    hexsides : dict of str to frozenset of str
        The same for what is printed along hexsides.
    """

    terrain: Mapping[str, frozenset[str]] = field(default_factory=dict)
    hexsides: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def stops(self, board: Board, unit: Unit, to: str) -> bool:
        """Whether a unit cannot enter an adjacent hex.

        A unit on two hexes can where one of its halves can.
        """
        target = board.hex(to)
        if _closed(self.terrain, board.catalogue[target.terrain].name, unit.kind):
            return True
        sides = [board.side_by_name.get(f"{h}-{target.name}") for h in unit.hexes]
        return all(
            _closed(self.hexsides, board.catalogue[s.terrain].name, unit.kind)
            for s in sides
            if s is not None
        )


def _closed(table: Mapping[str, frozenset[str]], name: str, kind: str) -> bool:
    kinds = table.get(name)
    return kinds is not None and (not kinds or kind in kinds)


@dataclass(frozen=True)
class Attack:
    """A unit that was chosen to attack, and the hex that it attacks."""

    attacker: str
    hex: str


@dataclass(frozen=True)
class Situation:
    """A close combat phase.

    Attributes
    ----------
    board : Board
    units : tuple of Unit
        Of both sides, leaders too.
    active : str
        Side whose wing is activated.
    wing : str
        The activated wing.
    attacks : tuple of Attack
        Chosen so far, the active player's first.
    no_entry : NoEntry
    """

    board: Board
    units: tuple[Unit, ...]
    active: str
    wing: str
    attacks: tuple[Attack, ...] = ()
    no_entry: NoEntry = NoEntry()

    def unit(self, name: str) -> Unit:
        """The unit of a name.

        Raises
        ------
        UsageError
            If there is none.
        """
        for found in self.units:
            if found.name == name:
                return found
        raise UsageError(f"There is no unit {name!r} on board {self.board.name}.")

    def targets(self) -> frozenset[str]:
        """Names of all that is attacked already; a unit on two hexes as a whole (11.2.3)."""
        return frozenset(u.name for a in self.attacks for u in self.attacked(a))

    def attacked(self, attack: Attack) -> tuple[Unit, ...]:
        """Units and leaders at which an attack goes."""
        side = self.unit(attack.attacker).side
        return tuple(u for u in in_hex(self.units, attack.hex) if u.side != side)


@dataclass(frozen=True)
class Refusal:
    """Why an attack is not allowed: rule number and one sentence."""

    rule: str
    text: str


def refusal(situation: Situation, attacker: str, hex_: str) -> Refusal | None:
    """Why a unit may not attack a hex; None where it may.

    Parameters
    ----------
    situation : Situation
    attacker : str
        Name of a unit of either side.
    hex_ : str
        The hex to be attacked.

    Raises
    ------
    UsageError
        If the unit or the hex does not exist.
    """
    unit, board = situation.unit(attacker), situation.board
    target = board.hex(hex_).name
    enemies = [u for u in in_hex(situation.units, target) if u.side != unit.side]
    if not KINDS[unit.kind].attacks:
        return Refusal("11.1.2", f"{unit.name} starts no close combat: it is a {unit.kind}.")
    if any(a.attacker == unit.name for a in situation.attacks):
        return Refusal("11.1.4", f"{unit.name} attacks a hex already, and a unit attacks one only.")
    if not enemies:
        return Refusal("11.1.2", f"No enemy unit or leader is in {target}.")
    return (
        _out_of_turn(situation, unit, target, enemies)
        or _out_of_reach(board, unit, target)
        or _closed_terrain(situation, unit, target)
    )


def _out_of_turn(
    situation: Situation, unit: Unit, target: str, enemies: list[Unit]
) -> Refusal | None:
    if unit.side == situation.active:
        if unit.wing == situation.wing:
            return None
        return Refusal("11.1.2", f"{unit.name} is not part of the activated wing {situation.wing}.")
    if unit.name in situation.targets():
        rule = "11.2.3" if unit.double else "11.1.2"
        return Refusal(rule, f"{unit.name} is the target of a close combat itself.")
    if not any(u.wing == situation.wing and not u.leader for u in enemies):
        return Refusal("11.1.2", f"No unit of the activated wing {situation.wing} is in {target}.")
    return None


def _out_of_reach(board: Board, unit: Unit, target: str) -> Refusal | None:
    there = board.by_name[target]
    halves = [board.by_name[h] for h in unit.hexes]
    touching = [direction_to((h.col, h.row), (there.col, there.row)) for h in halves]
    if all(d is None for d in touching):
        return Refusal("11.1.2", f"{unit.name} is not adjacent to {target}.")
    if target in attackable(board, unit):
        return None
    if unit.double and target in front(board, unit).front:
        return Refusal("11.2.3", f"{target} is not the central front hex of {unit.name}.")
    return Refusal("11.1.2", f"{target} is no front hex of {unit.name}.")


def _closed_terrain(situation: Situation, unit: Unit, target: str) -> Refusal | None:
    if situation.no_entry.stops(situation.board, unit, target):
        return Refusal("11.1.2", f"{unit.name} cannot enter {target}, so it cannot attack it.")
    return None


def choices(situation: Situation, attacker: str) -> tuple[str, ...]:
    """Hexes that a unit may attack."""
    unit = situation.unit(attacker)
    hexes = attackable(situation.board, unit)
    return tuple(h for h in hexes if refusal(situation, attacker, h) is None)


def designate(situation: Situation, attacker: str, hex_: str) -> Situation:
    """The situation in which a unit has been chosen to attack a hex.

    Raises
    ------
    UsageError
        If it may not; the message gives the rule.
    """
    why = refusal(situation, attacker, hex_)
    if why is not None:
        raise UsageError(f"{why.text[:-1]} ({why.rule}).")
    target = situation.board.hex(hex_).name
    return replace(situation, attacks=(*situation.attacks, Attack(attacker, target)))


@dataclass(frozen=True)
class CloseCombat:
    """All who fight one combat together.

    Attributes
    ----------
    hexes : tuple of str
        Attacked, in the order of the attacks; both of a unit on two hexes make one combat
        (11.1.4).
    attackers, defenders : tuple of str
        Names.  A unit on two hexes defends as one, whichever half is attacked (11.2.3).
    strength : int
        Of all attackers together (11.1.4).
    """

    hexes: tuple[str, ...]
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    strength: int


def combats(situation: Situation) -> tuple[CloseCombat, ...]:
    """The combats that the chosen attacks make, in the order of their first attack."""
    groups: list[tuple[set[str], list[Attack]]] = []
    for attack in situation.attacks:
        met = {u.name for u in situation.attacked(attack)}
        joined = [g for g in groups if g[0] & met]
        for names, attacks in joined[1:]:
            joined[0][0].update(names)
            joined[0][1].extend(attacks)
            groups.remove((names, attacks))
        if joined:
            joined[0][0].update(met)
            joined[0][1].append(attack)
        else:
            groups.append((met, [attack]))
    return tuple(_combat(situation, names, attacks) for names, attacks in groups)


def _combat(situation: Situation, names: set[str], attacks: list[Attack]) -> CloseCombat:
    attackers = tuple(a.attacker for a in attacks)
    return CloseCombat(
        tuple(dict.fromkeys(a.hex for a in attacks)),
        attackers,
        tuple(u.name for u in situation.units if u.name in names),
        sum(situation.unit(name).strength for name in attackers),
    )


def for_the_defender(
    offered: Iterable[Mapping[str, int]], *, plus_helps_attacker: bool = True
) -> dict[str, int]:
    """Modifiers of a combat whose attackers differ in type or attack out of different terrain.

    Parameters
    ----------
    offered : iterable of mapping of str to int
        What each attacker alone would have, by heading, such as
        ``{"type": 2, "terrain": -1}``; a heading that one does not have counts 0.
    plus_helps_attacker : bool
        Which way the combat table reads.

    Returns
    -------
    dict of str to int
        Of each heading what favours the defender most (11.1.4).
    """
    rows = list(offered)
    best = min if plus_helps_attacker else max
    headings = dict.fromkeys(key for row in rows for key in row)
    return {key: best(row.get(key, 0) for row in rows) for key in headings}


def must_continue(situation: Situation, attacker: str, after: Iterable[Unit]) -> bool:
    """Whether an active unit has to go on with the attack for which it was chosen (11.1.2).

    It has to when the inactive player attacks it, or reactions or interceptions have
    changed the situation, if it is still where it was and an enemy *unit* is still in the
    hex that it attacks.

    Parameters
    ----------
    situation : Situation
        When the attacks were chosen, those of the inactive player included.
    attacker : str
    after : iterable of Unit
        All units that are left, where they are now.

    Raises
    ------
    UsageError
        If the unit was not chosen to attack, or is not of the active side.
    """
    unit = situation.unit(attacker)
    chosen = [a for a in situation.attacks if a.attacker == attacker]
    if not chosen or unit.side != situation.active:
        raise UsageError(f"{attacker} was not chosen by the active player to attack a hex.")
    now = tuple(after)
    standing = next((u for u in now if u.name == attacker), None)
    if standing is None or standing.hexes != unit.hexes:
        return False
    if attacker not in situation.targets() and _same_places(situation.units, now):
        return False
    return any(u.side != unit.side and not u.leader for u in in_hex(now, chosen[0].hex))


def _same_places(before: tuple[Unit, ...], after: tuple[Unit, ...]) -> bool:
    return {(u.name, u.hexes) for u in before} == {(u.name, u.hexes) for u in after}
