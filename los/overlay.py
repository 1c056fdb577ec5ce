"""Scenario state that is applied over a board when a question is asked.

An overlay changes no board file and needs no extraction.  What stands in it is
plain data; `hexsight.overlayfile` reads it from YAML.  Heights are half-levels
over the ground of the hex.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any

_LATER = ("units", "slopes", "teams", "discs")


@dataclass(frozen=True)
class Smoke:
    """SMOKE in one hex (A24); a Blaze is the SMOKE that rises from it (B25.2).

    Attributes
    ----------
    hex : str
    hindrance : int or None
        Of one line (A24.2): 3 for smoke, 2 for white phosphorus or dispersed
        smoke, 1 for dispersed white phosphorus.  None for what the rule set
        says.
    height_half : int or None
        Of the cloud, from `base_half` up; None for what the rule set says.
    base_half : int
        Where it begins: 0 on the ground, 2 on a Level One counter (O5.441).
    """

    hex: str
    hindrance: int | None = None
    height_half: int | None = None
    base_half: int = 0


@dataclass(frozen=True)
class Rubble:
    """Ground-level rubble (B24): where a building fell, and where its rubble fell to.

    Attributes
    ----------
    hex : str
    material : str
        ``"stone"`` or ``"wood"``.
    into : tuple of str
        Adjacent hexes that the rubble fell into.
    """

    hex: str
    material: str = "stone"
    into: tuple[str, ...] = ()


@dataclass(frozen=True)
class Vehicle:
    """A vehicle or wreck, which hinders level lines (D9.4).

    Attributes
    ----------
    at : str
        Location, such as ``K5`` or ``K5@bridge``.
    wreck : bool
    """

    at: str
    wreck: bool = False


@dataclass(frozen=True)
class Unit:
    """A unit on the map, of a kind that the rules in use know.

    Attributes
    ----------
    hexes : tuple of str
        The hex it stands in; both hexes of a double-size unit, which touch.
    kind : str
        Such as ``heavy-infantry``.
    side : str or None
        Whose it is; decides what is an enemy.
    name : str or None
        For people.
    facing : str or None
        Name of an adjacent hex, a direction ``0``–``5`` clockwise from up, or
        the vertex that it looks over, such as ``L15-M15-M16``.
    """

    hexes: tuple[str, ...]
    kind: str
    side: str | None = None
    name: str | None = None
    facing: str | None = None


@dataclass(frozen=True)
class Overlay:
    """What a scenario has changed on a map.

    Attributes
    ----------
    breached : frozenset of str
        Names of Breached hexsides (O5.33), such as ``"L15-K16"``; either order
        of the two hexes.
    smoke, blazes : tuple of Smoke
    rubble : tuple of Rubble
    gutted : tuple of str
        A hex of each Gutted Factory (O5.5).
    collapsed : tuple of str
        Factory hexes whose roof has fallen in (O5.4).
    vehicles : tuple of Vehicle
    units : tuple of Unit
        Units of hex games.
    slopes : str or None
        What the slopes are that nothing is printed on: ``steep`` or ``gentle``.
    teams, discs : tuple
        Of games that measure: frozen dataclasses of `hexsight.los.flames`.
    """

    breached: frozenset[str] = frozenset()
    smoke: tuple[Smoke, ...] = ()
    blazes: tuple[Smoke, ...] = ()
    rubble: tuple[Rubble, ...] = ()
    gutted: tuple[str, ...] = ()
    collapsed: tuple[str, ...] = ()
    vehicles: tuple[Vehicle, ...] = ()
    units: tuple[Unit, ...] = ()
    slopes: str | None = None
    teams: tuple[Any, ...] = ()
    discs: tuple[Any, ...] = ()

    @property
    def digest(self) -> bytes:
        """SHA-256 of its content, 32 bytes; the order of entries does not matter."""
        content = asdict(self)
        for key in _LATER:
            if not content[key]:
                # Overlays without them are the same as they were before these keys existed.
                del content[key]
        plain = {
            key: sorted(json.dumps(v, sort_keys=True) for v in value)
            for key, value in content.items()
        }
        return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).digest()
