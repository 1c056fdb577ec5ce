"""Fire support of the modern platoon game: modules, spotters, arrival, smoke.

`Support` is the frozen state of one scenario; every function gives the next one.  In an
initiative phase: `begin_turn`, then `place_marker` for each barrage, then `arrive` with the
dice.  What arrives is scattered (`platoon_scatter`) and resolved (`platoon_blast`), or makes
smoke (`add_smoke`).

Assumed where the source is silent: a barrage counts for the turn in which its marker is
placed, so one that arrives late does not keep its module from firing; and a vehicle that
sees a hex through one smoke hex (at half strength) has it in its line of sight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hexsight.los.engine import ask
from hexsight.los.games.dice import rolled
from hexsight.los.games.platoon_units import Unit
from hexsight.los.overlay import Overlay, Smoke
from hexsight.model.board import Board
from hexsight.model.errors import UsageError

KINDS = ("rockets", "guns", "air")
AMMUNITION = ("he", "smoke")


@dataclass(frozen=True)
class Module:
    """A fire support module, as a scenario gives it.

    Attributes
    ----------
    name, side : str
    kind : str
        ``rockets``, ``guns`` or ``air``.
    barrages : int
        That it still has.
    strength : int
        Of its attack with high explosive.
    smoke : bool
        Whether it may fire smoke.
    reliability : int
        It arrives at once on a die of this or less.
    """

    name: str
    side: str
    kind: str
    barrages: int
    strength: int
    smoke: bool
    reliability: int

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"{self.name} is no {self.kind!r}: use one of {', '.join(KINDS)}.")
        if self.barrages < 0 or self.strength < 0 or not 0 <= self.reliability <= 6:
            raise UsageError(
                f"{self.name} needs barrages and strength of 0 or more and a reliability "
                "from 0 to 6."
            )


@dataclass(frozen=True)
class Marker:
    """A marker on its target hex.

    Attributes
    ----------
    module : str
    hex : str
    ammunition : str
        ``he`` or ``smoke``.
    spotter : str
    late : bool
        Whether its die was rolled and it did not arrive at once.
    """

    module: str
    hex: str
    ammunition: str
    spotter: str
    late: bool = False


@dataclass(frozen=True)
class Support:
    """Fire support of both sides.

    Attributes
    ----------
    modules : tuple of Module
        With the barrages that they still have.
    markers : tuple of Marker
        On the map, not yet resolved.
    smoke : tuple of str
        Hexes with a smoke marker.
    turn : int
    fired, spotted : frozenset of str
        Modules that fired and units that spotted this turn.
    """

    modules: tuple[Module, ...]
    markers: tuple[Marker, ...] = ()
    smoke: tuple[str, ...] = ()
    turn: int = 1
    fired: frozenset[str] = frozenset()
    spotted: frozenset[str] = frozenset()

    def module(self, name: str) -> Module:
        """The module of a name.

        Raises
        ------
        UsageError
            If there is none.
        """
        for found in self.modules:
            if found.name == name:
                return found
        raise UsageError(
            f"There is no fire support module {name!r}: there are "
            f"{', '.join(m.name for m in self.modules) or 'none'}."
        )

    def overlay(self, overlay: Overlay | None = None) -> Overlay:
        """An overlay with the smoke on the map, for lines of sight."""
        base = overlay or Overlay()
        return replace(base, smoke=(*base.smoke, *(Smoke(h) for h in self.smoke)))


def place_marker(
    support: Support,
    board: Board,
    rules: Any,
    module: str,
    target: str,
    spotter: Unit,
    *,
    ammunition: str = "he",
    overlay: Overlay | None = None,
) -> Support:
    """Aim a barrage.

    Parameters
    ----------
    support : Support
    board : Board
    rules : rule set
        As `hexsight.los.rulesets.load_rules("modern-platoon")` gives it.
    module : str
    target : str
        The hex, or any Location of it, aimed at.
    spotter : Unit
        A leader or armoured vehicle that has it in its line of sight.
    ammunition : str
        ``he`` or ``smoke``.
    overlay : Overlay, optional
        What else a scenario has changed; smoke of `support` is added.

    Raises
    ------
    UsageError
        If the module or the spotter may not; in one sentence.
    """
    who = support.module(module)
    aimed = board.hex(target.partition("@")[0]).name
    if ammunition not in AMMUNITION:
        raise UsageError(f"There is no ammunition {ammunition!r}: use 'he' or 'smoke'.")
    if ammunition == "smoke" and not who.smoke:
        raise UsageError(f"{module} has no smoke.")
    if who.barrages < 1:
        raise UsageError(f"{module} has used up its barrages.")
    if module in support.fired:
        raise UsageError(f"{module} has fired its one barrage of turn {support.turn} already.")
    if not spotter.spots:
        raise UsageError(
            f"{spotter.name} cannot spot: only leaders and armoured vehicles spot fire support."
        )
    if spotter.side != who.side:
        raise UsageError(f"{spotter.name} cannot spot for {module}: it is of another side.")
    if spotter.name in support.spotted:
        raise UsageError(
            f"{spotter.name} has placed its one marker of turn {support.turn} already."
        )
    if not sees(support, board, rules, spotter, target, overlay):
        raise UsageError(f"{spotter.name} in {spotter.at} has no line of sight to {target}.")
    marker = Marker(module, aimed, ammunition, spotter.name)
    left = tuple(
        replace(m, barrages=m.barrages - 1) if m.name == module else m for m in support.modules
    )
    return replace(
        support,
        modules=left,
        markers=(*support.markers, marker),
        fired=support.fired | {module},
        spotted=support.spotted | {spotter.name},
    )


def sees(
    support: Support,
    board: Board,
    rules: Any,
    spotter: Unit,
    target: str,
    overlay: Overlay | None = None,
) -> bool:
    """Whether a unit has a Location in its line of sight, smoke on the map considered."""
    state = support.overlay(overlay)
    return ask(board, spotter.at, target, rules, state, spotter.observer).state != "blocked"


def arrive(support: Support, dice: Mapping[str, int]) -> tuple[Support, tuple[Marker, ...]]:
    """Find out which of this turn's barrages arrive at once.

    Parameters
    ----------
    support : Support
        After all markers of the turn are placed.
    dice : mapping of str to int
        A six-sided die for each module that fired this turn.

    Returns
    -------
    (Support, tuple of Marker)
        The state without the markers that arrive (on a die of the module's reliability or
        less), and these, in the order in which they were placed.  All others stay on the
        map until the next `begin_turn`.

    Raises
    ------
    UsageError
        If a die is missing, too many, or shows no such number.
    """
    waiting = [m for m in support.markers if not m.late]
    for marker in waiting:
        if marker.module not in dice:
            raise UsageError(f"No die was passed for the arrival of {marker.module}.")
    for name in dice:
        if name not in {m.module for m in waiting}:
            raise UsageError(f"A die was passed for {name}, which has no marker to roll for.")
    now = tuple(
        m
        for m in waiting
        if rolled(dice[m.module], f"the arrival of {m.module}")
        <= support.module(m.module).reliability
    )
    left = tuple(replace(m, late=True) for m in support.markers if m not in now)
    return replace(support, markers=left), now


def begin_turn(support: Support) -> tuple[Support, tuple[Marker, ...]]:
    """The initiative phase of the next turn begins.

    Returns
    -------
    (Support, tuple of Marker)
        The state without smoke, in which every module with barrages may fire and every
        spotter spot again; and the markers left from the turn before, which arrive now.
    """
    late = support.markers
    fresh = frozenset[str]()
    state = replace(
        support, markers=(), smoke=(), turn=support.turn + 1, fired=fresh, spotted=fresh
    )
    return state, late


def add_smoke(support: Support, hex_: str | None) -> Support:
    """Put a smoke marker on the hex where a smoke barrage came down (None: off the map)."""
    if hex_ is None or hex_ in support.smoke:
        return support
    return replace(support, smoke=(*support.smoke, hex_))
