"""Casualties among leaders of Musket & Pike (10.10)."""

from __future__ import annotations

from collections.abc import Iterable

from hexsight.los.games.dice import rolled
from hexsight.los.games.pike_units import Unit, in_hex

# The face of the ten-sided die (0–9) at which a leader is removed.
LEADER_FALLS = 9


def leaders_at_risk(units: Iterable[Unit], hex_: str, *, missed: bool) -> tuple[str, ...]:
    """Leaders for whom a die is rolled after fire at a hex.

    Parameters
    ----------
    units : iterable of Unit
    hex_ : str
        The hex fired at.
    missed : bool
        Whether the result of the fire was a miss.

    Returns
    -------
    tuple of str
        Names; none after a miss (10.10).
    """
    return () if missed else tuple(u.name for u in in_hex(units, hex_) if u.leader)


def leader_falls(die: int, *, missed: bool = False) -> bool:
    """Whether fire at a leader's hex removes him: on a 9, unless it missed (10.10).

    Parameters
    ----------
    die : int
        A ten-sided die, 0 to 9.
    missed : bool
        Whether the fire missed; then no die counts.

    Raises
    ------
    UsageError
        If the die shows no such number.
    """
    face = rolled(die, "a leader", low=0, high=9)
    return not missed and face == LEADER_FALLS
