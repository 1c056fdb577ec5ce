"""Hexes filled by what is strewn over them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from test_buildings import CELLS, HEX, LAYOUT, grass, rubble

from hexsight.extract.classify import see
from hexsight.extract.legend import load_legend
from hexsight.extract.scatter import (
    DEBRIS,
    ORCHARD,
    STONE_RUBBLE,
    Scatter,
    draw_scatter,
    find_scatter,
)


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


def _strewn(picture: NDArray[np.uint8], name: str, colour: tuple[int, int, int]) -> None:
    """Short strokes in all directions about the middle of a hex."""
    x, y = _centre(name)
    for k in range(9):
        a, r = 2.4 * k, 5.0 + 1.9 * k
        cx, cy = x + r * np.cos(a), y + r * np.sin(a)
        dx, dy = 7 * np.cos(1.7 * k), 7 * np.sin(1.7 * k)
        start, end = (round(cx - dx), round(cy - dy)), (round(cx + dx), round(cy + dy))
        cv2.line(picture, start, end, colour, 2)


def test_strewn_dark_strokes_are_debris() -> None:
    picture = grass()
    _strewn(picture, "D3", (113, 108, 106))
    assert _code(_find(picture), "D3") == DEBRIS


def test_the_mixed_edges_of_a_road_are_no_debris() -> None:
    picture = grass()
    x, y = _centre("D3")
    for i, offset in enumerate((-22, -4, 14)):
        cv2.rectangle(picture, (x - 40, y + offset), (x + 40, y + offset + 9), (192, 192, 207), -1)
        # A shrunken picture has colours between road and grass there: light greys.
        for edge in (y + offset - 1 - i % 2, y + offset + 10):
            picture[edge : edge + 2, x - 40 : x + 40] = (184, 190, 156)
    assert _code(_find(picture), "D3") == 0


def test_a_ring_around_a_manhole_is_no_debris() -> None:
    picture = grass()
    for r in (13, 14):
        cv2.circle(picture, _centre("D3"), r, (90, 90, 90), 2)
    assert _code(_find(picture), "D3") == 0


def test_shreds_of_a_worn_wood_are_no_trees() -> None:
    picture = grass()
    x, y = _centre("E2")
    cv2.circle(picture, (x, y), 26, (85, 95, 45), -1)
    for step in range(-24, 25, 8):
        # What lies between the leaves took another colour.
        picture[y - 30 : y + 30, x + step : x + step + 3] = (120, 140, 70)
        picture[y + step : y + step + 3, x - 30 : x + 30] = (120, 140, 70)
    found = _find(picture)
    assert _code(found, "E2") == 0
    assert not found.trees.any()
