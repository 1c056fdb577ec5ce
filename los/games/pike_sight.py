"""Lines of sight between units of Musket & Pike (10.9, and 9.3.1d for interceptions).

The line itself is the engine's (`hexsight.los.engine.ask` with the rules `musket-pike`);
here stands which line is asked: a unit on two hexes may be seen in either (10.9.5), guns fire
by rules of their own (10.9.2), and cavalry intercepts by others (9.3.1d).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from hexsight.los.engine import ask
from hexsight.los.explain import Answer
from hexsight.los.games.pike_units import Unit, place
from hexsight.los.overlay import Overlay
from hexsight.los.overlay import Unit as OverlayUnit
from hexsight.model.board import Board
from hexsight.model.errors import UsageError

BEST_FIRST = ("clear", "hindered", "half", "blocked")


def on_map(units: Iterable[Unit], overlay: Overlay | None = None) -> Overlay:
    """An overlay with these units instead of those that it had."""
    return replace(
        overlay or Overlay(),
        units=tuple(
            OverlayUnit(
                u.hexes, u.kind, u.side, u.name, None if u.facing is None else str(u.facing)
            )
            for u in units
        ),
    )


def from_overlay(
    board: Board, overlay: Overlay, wings: dict[str, str] | None = None
) -> tuple[Unit, ...]:
    """Units of an overlay file, for close combat.

    Parameters
    ----------
    board : Board
    overlay : Overlay
    wings : dict of str to str, optional
        Wing by name of unit.

    Raises
    ------
    UsageError
        If one cannot lie or face so, or two have the same name.
    """
    out: list[Unit] = []
    for u in overlay.units:
        name = u.name or f"{u.kind} in {' and '.join(u.hexes)}"
        if name in {known.name for known in out}:
            raise UsageError(f"Two units are called {name!r}: give each its own name.")
        wing = (wings or {}).get(name, "")
        out.append(place(board, name, u.side or "", u.kind, u.hexes, facing=u.facing, wing=wing))
    return tuple(out)


def line(
    board: Board,
    firer: Unit,
    target: Unit | str,
    units: Iterable[Unit],
    rules: Any,
    *,
    observer: str | None = None,
    overlay: Overlay | None = None,
) -> Answer:
    """The best line from a unit to another, or to a hex.

    Parameters
    ----------
    board : Board
    firer : Unit
    target : Unit or str
        A unit, or the name of a hex.
    units : iterable of Unit
        All that stand on the map; those at both ends never block.
    rules : rule set
        As `hexsight.los.rulesets.load_rules("musket-pike")` gives it.
    observer : str, optional
        Class of observer: ``fire``, ``artillery``, ``level-fire`` or ``interception``;
        without it guns are ``artillery`` and all else ``fire``.
    overlay : Overlay, optional
        For what else a scenario has changed.

    Returns
    -------
    Answer
        Of the pair of hexes with the best line (10.9.5: the firer chooses the hex of a unit
        on two; by reciprocity also from which of his own), the first among equals.
    """
    wanted = observer or ("artillery" if firer.kind == "artillery" else "fire")
    ends = (target,) if isinstance(target, str) else target.hexes
    state = on_map(units, overlay)
    answers = [
        ask(board, a, b, rules, state, wanted, side=firer.side or None)
        for a in firer.hexes
        for b in ends
    ]
    return min(answers, key=lambda a: (BEST_FIRST.index(a.state), a.hindrance, a.halvings))


def interception(
    board: Board, cavalry: Unit, target: Unit | str, units: Iterable[Unit], rules: Any
) -> Answer:
    """The line along which cavalry would intercept (9.3.1d).

    Blocked by what blocks fire, by enemy artillery (10.9.1) and across any dead zone
    (10.9.3B).

    Raises
    ------
    UsageError
        If the unit is no cavalry, which alone intercepts.
    """
    if cavalry.kind != "cavalry":
        raise UsageError(f"{cavalry.name} does not intercept: it is {cavalry.kind}, not cavalry.")
    return line(board, cavalry, target, units, rules, observer="interception")
