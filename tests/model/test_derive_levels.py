"""Depressions lie a level below the ground that they are cut into."""

from __future__ import annotations

import numpy as np
import pytest

from hexsight.model.derive_levels import sunk
from hexsight.model.terrain import load_catalogue

GULLY, CLIFF, WATER = 30, 75, 8


@pytest.mark.parametrize("ground", [0, 2, -2])
@pytest.mark.parametrize("told", [-2, 0])
def test_a_bed_lies_a_level_below_its_banks(ground: int, told: int) -> None:
    terrain = np.zeros((120, 160), np.uint8)
    terrain[50:70] = GULLY
    terrain[47:50] = terrain[70:73] = CLIFF
    elevation = np.full(terrain.shape, ground, np.int8)
    # Without a colour of its own it was given the level of the ground.
    elevation[terrain == GULLY] = told if told < 0 else max(ground, 0)
    found = sunk(terrain, elevation, load_catalogue(), 64.0)
    assert (found[terrain == GULLY] == ground - 2).all()
    assert (found[terrain == 0] == ground).all()


def test_a_gully_down_a_hill_follows_it() -> None:
    terrain = np.zeros((120, 400), np.uint8)
    terrain[50:70] = GULLY
    elevation = np.where(np.arange(400) < 200, 4, 0).astype(np.int8) * np.ones((120, 1), np.int8)
    elevation[50:70] = -2
    found = sunk(terrain, elevation, load_catalogue(), 64.0)
    assert (found[60, :150] == 2).all()
    assert (found[60, 250:] == -2).all()


def test_water_and_ground_stay() -> None:
    terrain = np.zeros((60, 60), np.uint8)
    terrain[20:40] = WATER
    elevation = np.where(terrain == WATER, -2, 2).astype(np.int8)
    assert sunk(terrain, elevation, load_catalogue(), 64.0) is elevation
