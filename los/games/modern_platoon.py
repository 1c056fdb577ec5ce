"""The modern platoon game: fire support, smoke, wrecks and heavy weapons on a board.

Everything that scripts need under one name.  Lines of sight are those of the rules
`modern-platoon` (`hexsight.los.engine`).
"""

from __future__ import annotations

from hexsight.los.games.platoon_blast import Attack, Struck, attacks, struck
from hexsight.los.games.platoon_roads import (
    Entered,
    add_wreck,
    beside_road,
    drive,
    road_between,
    wrecks_of,
)
from hexsight.los.games.platoon_scatter import Impact, directions, scatter
from hexsight.los.games.platoon_support import (
    Marker,
    Module,
    Support,
    add_smoke,
    arrive,
    begin_turn,
    place_marker,
    sees,
)
from hexsight.los.games.platoon_units import KINDS, Unit, from_overlay, place, stacked
from hexsight.los.games.platoon_weapons import HeavyWeapon, fire, move

__all__ = [
    "KINDS",
    "Attack",
    "Entered",
    "HeavyWeapon",
    "Impact",
    "Marker",
    "Module",
    "Struck",
    "Support",
    "Unit",
    "add_smoke",
    "add_wreck",
    "arrive",
    "attacks",
    "begin_turn",
    "beside_road",
    "directions",
    "drive",
    "fire",
    "from_overlay",
    "move",
    "place",
    "place_marker",
    "road_between",
    "scatter",
    "sees",
    "stacked",
    "struck",
    "wrecks_of",
]
