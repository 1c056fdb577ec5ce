"""Bands along hexsides: walls, hedges and what only looks like them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hexsight.extract.hexsides import draw_bands, find_bands, profiles, sides_between
from hexsight.model.board import Cell
from hexsight.model.layout import Layout

LAYOUT = Layout.from_grid(55.4, 64.0, 30.0, 34.0)
SIZE = (420, 360)
CELLS = tuple(Cell(c, r, f"{chr(65 + c)}{r + 1}") for c, r in LAYOUT.hexes_on(SIZE))
SIDES = sides_between(LAYOUT, CELLS)


def _side(a: str, b: str) -> int:
    names = [CELLS[int(i)].name + CELLS[int(j)].name for i, j in SIDES.cells]
    return names.index(a + b) if a + b in names else names.index(b + a)


def _band(plane: NDArray[np.uint8], side: int, width: int, shift: float = 0.0) -> None:
    a, b = SIDES.ends[side]
    step = (b - a) / np.linalg.norm(b - a)
    move = np.array([-step[1], step[0]]) * shift
    p, q = (np.rint(v + move).astype(int).tolist() for v in (a, b))
    cv2.line(plane, p, q, 255, width)


def test_every_side_once() -> None:
    pairs = {tuple(sorted(p)) for p in SIDES.cells.tolist()}
    assert len(pairs) == len(SIDES.cells)
    outer = sides_between(LAYOUT, CELLS, outer=True)
    assert len(outer.ends) == 6 * len(CELLS) - len(SIDES.ends)


@pytest.mark.parametrize("shift", [0.0, 3.0, -5.0])
def test_a_wall_beside_the_lattice_is_found_on_its_hexside(shift: float) -> None:
    plane = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    wanted = {_side("B2", "C2"), _side("C2", "C3"), _side("D3", "E3")}
    for side in wanted:
        _band(plane, side, 8, shift)
    found = find_bands(plane, LAYOUT, SIDES, 72)
    assert set(found.sides) == wanted
    assert found.mask.any()
    assert draw_bands(np.zeros((*plane.shape, 3), np.uint8), found).any()


def test_a_building_over_a_hexside_is_no_wall() -> None:
    plane = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    a, b = SIDES.ends[_side("C2", "C3")]
    x, y = ((a + b) / 2).astype(int)
    plane[y - 30 : y + 30, x - 40 : x + 40] = 255
    assert find_bands(plane, LAYOUT, SIDES, 72).sides == ()


def test_a_band_without_colours_of_its_own_is_refused() -> None:
    plane = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    _band(plane, _side("B2", "C2"), 8)
    assert find_bands(plane, LAYOUT, SIDES, 72, own=plane).sides
    assert not find_bands(plane, LAYOUT, SIDES, 72, own=np.zeros_like(plane)).sides


@settings(max_examples=30, deadline=None)
@given(st.floats(0, 1), st.floats(-30, 30))
def test_profiles_read_the_plane_where_they_say(t: float, d: float) -> None:
    plane = np.arange(200 * 150, dtype=np.int64).reshape(150, 200).astype(np.uint8)
    ends = np.array([[[60.0, 50.0], [120.0, 50.0]]])
    got = profiles(plane, ends, np.array([t]), np.array([d]))[0, 0, 0]
    assert got == plane[round(50 + d), round(60 + 60 * t)]
