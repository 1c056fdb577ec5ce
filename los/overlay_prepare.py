"""A board and an overlay as arrays: the changed board compiled, and what stands on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hexsight.los.compile import compile_board
from hexsight.los.overlay import Overlay
from hexsight.los.overlay_board import apply_overlay
from hexsight.los.overlay_judge import V_BASE, V_COLUMNS, V_HEX, V_LOCATION, V_TOP, Screens
from hexsight.los.profile import Profile
from hexsight.los.tables import Compiled
from hexsight.model.board import Board
from hexsight.model.locations import Location, find_location


@dataclass(frozen=True, eq=False)
class UnderOverlay:
    """A board and an overlay, ready for questions.

    Attributes
    ----------
    compiled : Compiled
        Of the changed board.
    screens : Screens
        SMOKE, Blazes, vehicles and wrecks.
    """

    compiled: Compiled
    screens: Screens


def prepare(board: Board, profile: Profile, overlay: Overlay | None = None) -> UnderOverlay:
    """Apply an overlay to a board and turn both into arrays.

    Parameters
    ----------
    board : Board
    profile : Profile
    overlay : Overlay, optional

    Raises
    ------
    UsageError
        If the overlay names what is not there, or what its rule does not allow.
    """
    overlay = overlay or Overlay()
    changed = apply_overlay(board, overlay)
    compiled = compile_board(changed, profile, breached=overlay.breached)
    return UnderOverlay(compiled, _screens(compiled, overlay))


def _screens(compiled: Compiled, overlay: Overlay) -> Screens:
    board, profile = compiled.board, compiled.profile
    rules = profile.overlay
    index = {h.name: i for i, h in enumerate(board.hexes)}
    rows = []
    for cloud, default in [
        *((s, rules.smoke) for s in overlay.smoke),
        *((s, rules.blaze) for s in overlay.blazes),
    ]:
        facts = board.hex(cloud.hex)
        height = default.height_half if cloud.height_half is None else cloud.height_half
        amount = default.hindrance if cloud.hindrance is None else cloud.hindrance
        base = facts.base_half + cloud.base_half
        rows.append((index[facts.name], base, base + height, amount, -1))
    for vehicle in overlay.vehicles:
        place = find_location(compiled.locations, vehicle.at, board)
        where = compiled.locations.index(place)
        rows.append((place.hex, place.level_half, place.level_half, rules.vehicle, where))
    reach = sum(compiled.tables.lookup.shape) + 2
    return Screens(
        rows=np.array(sorted(rows), np.int32).reshape(len(rows), V_COLUMNS),
        numbers=np.array([rules.smoke_limit, rules.vehicle], np.int32),
        by_range=np.zeros((reach, 2), np.int64),
        seen=np.zeros((len(rows), len(compiled.locations)), np.uint8),
    )


def under(compiled: Compiled) -> UnderOverlay:
    """A compiled board without an overlay."""
    return UnderOverlay(compiled, _screens(compiled, Overlay()))


def out_of_smoke(ready: UnderOverlay, firer: Location) -> int:
    """DRM for who fires out of SMOKE in the own Location (A24.8); no Hindrance of the line."""
    rows = ready.screens.rows
    within = (rows[:, V_HEX] == firer.hex) & (rows[:, V_LOCATION] < 0)
    within &= (rows[:, V_BASE] <= firer.level_half) & (firer.level_half < rows[:, V_TOP])
    return ready.compiled.profile.overlay.out_of_smoke if within.any() else 0
