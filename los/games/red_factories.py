"""Red Barricades: what chapter O5 says of fire that no line of sight alone decides.

Indirect fire out of and into Roofless Factory Hexes, spotting for it, and aerial fire.  Lines
of sight, Hindrance and the TEM of direct fire are those of the rules `asl`.
"""

from __future__ import annotations

from hexsight.los.explain import explain
from hexsight.los.overlay import Overlay
from hexsight.los.overlay_board import apply_overlay
from hexsight.los.profile import Profile
from hexsight.model.board import Board
from hexsight.model.layout import direction_to
from hexsight.model.locations import Location, find_location, locations_of

# O5.47: in place of the +3 that hides a unit in a building from the air.
SIGHTING_DRM_ROOFLESS = 2


def allows_indirect_fire(board: Board, at: str, overlay: Overlay | None = None) -> bool:
    """Whether a mortar in a Location may fire, as far as what is over it decides (O5.45).

    Under the roof of a building it may not, in a Roofless Factory Hex it may; on a rooftop
    or outside buildings nothing here forbids it.

    Raises
    ------
    UsageError
        If the Location does not exist.
    """
    here, where = _find(board, at, overlay)
    facts = here.hexes[where.hex]
    return not facts.building or facts.roofless or where.kind == "roof"


def allows_antiaircraft_fire(board: Board, at: str, overlay: Overlay | None = None) -> bool:
    """Whether fire at aerial units is open to a Location: from no building's inside (O5.45)."""
    here, where = _find(board, at, overlay)
    return not here.hexes[where.hex].building or where.kind == "roof"


def may_spot(
    board: Board, profile: Profile, spotter: str, mortar: str, overlay: Overlay | None = None
) -> bool:
    """Whether a unit on a rooftop may spot for a mortar in a Roofless Factory Hex (O5.45).

    Parameters
    ----------
    board : Board
    profile : Profile
    spotter, mortar : str
        Locations: a rooftop, and the ground of an adjacent roofless hex that it sees.
    overlay : Overlay, optional

    Raises
    ------
    UsageError
        If a Location does not exist.
    """
    here, above = _find(board, spotter, overlay)
    _, below = _find(board, mortar, overlay)
    one, other = here.hexes[above.hex], here.hexes[below.hex]
    if above.kind != "roof" or below.kind != "ground" or not other.roofless:
        return False
    if direction_to((one.col, one.row), (other.col, other.row)) is None:
        return False
    return explain(board, above.name, below.name, profile, overlay).state != "blocked"


def indirect_tem(
    board: Board, profile: Profile, hex_: str, overlay: Overlay | None = None
) -> int | None:
    """TEM of indirect or aerial fire at the ground of a Roofless Factory Hex (O5.45, O5.47).

    Factory +1 and debris +1, Fortified or not; None for any other hex, of which O5 says
    nothing.
    """
    facts = apply_overlay(board, overlay or Overlay()).hex(hex_)
    return profile.tem.roofless if facts.roofless else None


def sighting_drm(board: Board, hex_: str, overlay: Overlay | None = None) -> int | None:
    """DRM of the Sighting TC from the air at a Roofless Factory Hex; None for others (O5.47)."""
    facts = apply_overlay(board, overlay or Overlay()).hex(hex_)
    return SIGHTING_DRM_ROOFLESS if facts.roofless else None


def _find(board: Board, at: str, overlay: Overlay | None) -> tuple[Board, Location]:
    """The board as the scenario has made it, and a Location of it."""
    here = apply_overlay(board, overlay or Overlay())
    return here, find_location(locations_of(here), at, here)
