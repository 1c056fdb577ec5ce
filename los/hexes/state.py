"""Scenario state that a hex game knows, checked against its rules and a board."""

from __future__ import annotations

from hexsight.los.hexes.profile import HexProfile
from hexsight.los.overlay import Overlay, Unit
from hexsight.model.board import Board, HexFacts, vertex_name
from hexsight.model.errors import UsageError
from hexsight.model.layout import CORNERS, direction_to, to_lattice

# Keys of an overlay by what the file calls them.
ASL_ONLY = {
    "blazes": "blaze",
    "breached": "breach",
    "rubble": "rubble",
    "gutted": "gutted",
    "collapsed": "roof_collapse",
}


def known_keys(profile: HexProfile) -> frozenset[str]:
    """Keys of an overlay file that the rules know."""
    over = profile.rules.overlay
    known = {
        "units": bool(over.units),
        "smoke": over.smoke is not None,
        "wrecks": over.wrecks is not None,
        "vehicles": over.vehicles is not None,
        "slopes": over.slopes,
    }
    return frozenset(key for key, yes in known.items() if yes)


def unknown_key(profile: str, key: str) -> UsageError:
    """What to say of a key of an overlay that rules do not know."""
    return UsageError(f"the rules {profile} know no {key.replace('_', ' ')}. Take it out.")


def check_state(board: Board, overlay: Overlay, profile: HexProfile) -> None:
    """Look up all that an overlay names.

    Raises
    ------
    UsageError
        If the rules do not know it, or the board does not have it.
    """
    known = known_keys(profile)
    given = {
        "units": overlay.units,
        "smoke": overlay.smoke,
        "wrecks": [v for v in overlay.vehicles if v.wreck],
        "vehicles": [v for v in overlay.vehicles if not v.wreck],
        "slopes": overlay.slopes,
        "teams": overlay.teams,
        "discs": overlay.discs,
    } | {key: getattr(overlay, attribute) for attribute, key in ASL_ONLY.items()}
    for key, value in given.items():
        if value and key not in known:
            raise unknown_key(profile.name, key)
    for cloud in overlay.smoke:
        board.hex(cloud.hex)
        if (cloud.hindrance, cloud.height_half, cloud.base_half) != (None, None, 0):
            raise UsageError(
                f"the rules {profile.name} say what smoke does. Write the name of its hex alone."
            )
    for vehicle in overlay.vehicles:
        board.hex(vehicle.at.partition("@")[0])
    if overlay.slopes not in (None, "steep", "gentle"):
        raise UsageError(f"slopes are steep or gentle, not {overlay.slopes!r}.")
    for unit in overlay.units:
        check_unit(board, unit, profile)


def check_unit(board: Board, unit: Unit, profile: HexProfile) -> None:
    """Check one unit.

    Raises
    ------
    UsageError
        If its kind is unknown, its hexes are not there or do not touch, or it
        faces nothing.
    """
    kinds = profile.rules.overlay.units
    if unit.kind not in kinds:
        raise UsageError(
            f"the rules {profile.name} know no units of the kind {unit.kind!r}. "
            f"Use {', '.join(kinds)}."
        )
    cells = [board.hex(name) for name in unit.hexes]
    if len(cells) not in (1, 2):
        raise UsageError(f"a unit stands in one hex or two, not in {len(cells)}.")
    if len(cells) == 2:
        one, two = cells
        if direction_to((one.col, one.row), (two.col, two.row)) is None:
            raise UsageError(f"{one.name} and {two.name} do not touch: no unit stands in both.")
    if unit.facing is not None and not _faces(board, cells, unit.facing):
        raise UsageError(
            f"a unit in {' and '.join(c.name for c in cells)} cannot face {unit.facing!r}. Name an "
            "adjacent hex, a vertex of its hex such as L15-M15-M16, or a number 0 to 5."
        )


def _faces(board: Board, cells: list[HexFacts], facing: str) -> bool:
    if facing in {"0", "1", "2", "3", "4", "5"}:
        return True
    wanted = facing.strip().upper()
    names = {(h.col, h.row): h.name for h in board.hexes}
    for cell in cells:
        X, Y = to_lattice(cell.col, cell.row)
        if wanted in {vertex_name(names, X + dX, Y + dY).upper() for dX, dY in CORNERS}:
            return True
        other = board.by_name.get(facing) or board.by_name.get(wanted)
        if other is None or other in cells:
            continue
        if direction_to((cell.col, cell.row), (other.col, other.row)) is not None:
            return True
    return False
