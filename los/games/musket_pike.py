"""Musket & Pike: what its rules 9.3.1d, 10.9, 10.10 and 11 ask of a map.

Everything that scripts need under one name.  Lines of sight are those of the rules
`musket-pike` (`hexsight.los.engine`).
"""

from __future__ import annotations

from hexsight.los.games.fronts import Surroundings, facing_of, surroundings
from hexsight.los.games.pike_combat import (
    Attack,
    CloseCombat,
    NoEntry,
    Refusal,
    Situation,
    choices,
    combats,
    designate,
    for_the_defender,
    must_continue,
    refusal,
)
from hexsight.los.games.pike_leaders import leader_falls, leaders_at_risk
from hexsight.los.games.pike_sight import from_overlay, interception, line, on_map
from hexsight.los.games.pike_units import KINDS, Kind, Unit, attackable, front, in_hex, place

__all__ = [
    "KINDS",
    "Attack",
    "CloseCombat",
    "Kind",
    "NoEntry",
    "Refusal",
    "Situation",
    "Surroundings",
    "Unit",
    "attackable",
    "choices",
    "combats",
    "designate",
    "facing_of",
    "for_the_defender",
    "from_overlay",
    "front",
    "in_hex",
    "interception",
    "leader_falls",
    "leaders_at_risk",
    "line",
    "must_continue",
    "on_map",
    "place",
    "refusal",
    "surroundings",
]
