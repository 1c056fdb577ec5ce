"""Scenario state that is applied over a board when a question is asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Overlay:
    """What a scenario has changed on a map.

    Attributes
    ----------
    breached : frozenset of str
        Names of Breached hexsides (O5.33), such as ``"L15-K16"``; either order
        of the two hexes.
    """

    breached: frozenset[str] = frozenset()
