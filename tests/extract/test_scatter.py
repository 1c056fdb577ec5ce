"""Hexes filled by what is strewn over them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from test_buildings import CELLS, HEX, LAYOUT, grass, rubble

from hexsight.extract.classify import see
from hexsight.extract.legend import load_legend
from hexsight.extract.scatter import ORCHARD, STONE_RUBBLE, Scatter, draw_scatter, find_scatter


def _find(picture: NDArray[np.uint8]) -> Scatter:
    nothing = np.zeros(picture.shape[:2], bool)
    return find_scatter(see(picture, load_legend("vasl"), HEX), LAYOUT, CELLS, nothing, nothing)


def _code(found: Scatter, name: str) -> int:
    return int(found.codes[[c.name for c in CELLS].index(name)])


def _centre(name: str) -> tuple[int, int]:
    cell = next(c for c in CELLS if c.name == name)
    x, y = LAYOUT.centre(cell.col, cell.row)
    return round(x), round(y)


def test_orchards_are_hexes_of_single_trees_and_woods_are_not() -> None:
    picture = grass()
    x, y = _centre("C3")
    for dx, dy in ((-14, -12), (14, -12), (-14, 13), (14, 13)):
        cv2.circle(picture, (x + dx, y + dy), 7, (83, 98, 46), -1)
    wx, wy = _centre("E2")
    cv2.circle(picture, (wx, wy), 28, (85, 95, 45), -1)
    picture[wy - 20 : wy + 20 : 4, wx - 18 : wx + 18] = (44, 42, 22)
    found = _find(picture)
    assert _code(found, "C3") == ORCHARD
    assert _code(found, "E2") == 0
    assert found.trees[y - 12, x - 14]
    assert not found.trees[wy, wx]
    assert draw_scatter(picture, found).shape == picture.shape


def test_rubble_fills_its_hex_only() -> None:
    picture = grass()
    for seed in range(3):
        rubble(picture, *_centre("D3"), 30, seed=seed)
    found = _find(picture)
    assert _code(found, "D3") == STONE_RUBBLE
    assert (found.codes > 0).sum() <= 2


def test_plain_ground_is_empty() -> None:
    found = _find(grass())
    assert not found.codes.any()
    assert not found.trees.any()
