"""Buildings: told by their straight edges from everything else that is grey or brown."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from hexsight.extract.buildings import Buildings, draw_buildings, find_buildings
from hexsight.extract.classify import see
from hexsight.extract.legend import load_legend
from hexsight.model.board import Cell
from hexsight.model.layout import Layout

HEX = 64.0
LAYOUT = Layout.from_grid(55.4, HEX, 30.0, 34.0)
SIZE = (420, 360)
CELLS = tuple(Cell(c, r, f"{chr(65 + c)}{r + 1}") for c, r in LAYOUT.hexes_on(SIZE))
GRASS = (175, 188, 106)


def grass() -> NDArray[np.uint8]:
    return np.full((SIZE[1], SIZE[0], 3), GRASS, np.uint8)


def roof(
    picture: NDArray[np.uint8],
    ring: list[tuple[int, int]],
    *,
    wood: bool = False,
    seed: int = 1,
) -> NDArray[np.bool_]:
    """Paint a roof of planks with a dark outline; gives its mask."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.array(ring, np.int32)], 1)
    inside = mask > 0
    rng = np.random.default_rng(seed)
    tone = rng.integers(70, 140, picture.shape[0])[:, None] + rng.integers(
        -12, 12, picture.shape[:2]
    )
    tone[::7] = 40
    gray = np.clip(tone, 0, 255).astype(np.float64)
    colour = np.stack([gray, gray * 0.69, gray * 0.33] if wood else [gray] * 3, axis=-1)
    picture[inside] = colour.astype(np.uint8)[inside]
    cv2.polylines(
        picture, [np.array(ring, np.int32)], True, (18, 12, 6) if wood else (20, 20, 20), 2
    )
    return inside


def rubble(picture: NDArray[np.uint8], x: int, y: int, radius: int, *, seed: int = 3) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(170):
        angle, far = rng.uniform(0, 2 * np.pi), radius * np.sqrt(rng.uniform())
        px, py = int(x + far * np.cos(angle)), int(y + far * np.sin(angle))
        tone = int(rng.integers(100, 160))
        cv2.circle(picture, (px, py), int(rng.integers(1, 4)), (tone, tone, tone), -1)


def find(picture: NDArray[np.uint8], taken: NDArray[np.bool_] | None = None) -> Buildings:
    nothing = np.zeros(picture.shape[:2], bool)
    return find_buildings(
        see(picture, load_legend("vasl"), HEX), nothing if taken is None else taken
    )


def iou(a: NDArray[np.bool_], b: NDArray[np.bool_]) -> float:
    return float((a & b).sum() / max(1, (a | b).sum()))


def _turned(cx: float, cy: float, w: float, h: float, degrees: float) -> list[tuple[int, int]]:
    box = cv2.boxPoints(((cx, cy), (w, h), degrees))
    return [(round(float(x)), round(float(y))) for x, y in box]


@pytest.mark.parametrize("degrees", [0, 17, 30, 45, 71])
@pytest.mark.parametrize("wood", [False, True])
def test_a_roof_is_found_to_a_pixel_however_it_is_turned(degrees: float, wood: bool) -> None:
    picture = grass()
    truth = roof(picture, _turned(200, 170, 120, 62, degrees), wood=wood)
    found = find(picture)
    assert iou(found.mask, truth) > 0.93
    assert found.wood[found.mask].mean() > 0.97 if wood else found.wood.sum() == 0
    assert draw_buildings(picture, found).shape == picture.shape


@pytest.mark.parametrize("wood", [False, True])
def test_a_roof_is_found_under_noise_and_jpeg(wood: bool) -> None:
    picture = grass()
    truth = roof(picture, _turned(200, 170, 120, 62, 17), wood=wood)
    noise = np.random.default_rng(5).normal(0, 8, picture.shape)
    stream = io.BytesIO()
    noisy = np.clip(picture + noise, 0, 255).astype(np.uint8)
    Image.fromarray(noisy).save(stream, "JPEG", quality=60)
    found = find(np.asarray(Image.open(stream).convert("RGB")))
    assert iou(found.mask, truth) > 0.93
    assert (found.score[found.mask] > 0).all()


def test_a_light_slope_in_the_colour_of_roads_belongs_to_a_worn_roof() -> None:
    picture = grass()
    ring = [(120, 110), (230, 110), (230, 180), (120, 180)]
    truth = roof(picture, ring)
    picture[122:142, 140:170] = (192, 192, 207)
    picture[240:262, 20:380] = (192, 192, 207)  # a road is none
    noise = np.random.default_rng(5).normal(0, 8, picture.shape)
    stream = io.BytesIO()
    noisy = np.clip(picture + noise, 0, 255).astype(np.uint8)
    Image.fromarray(noisy).save(stream, "JPEG", quality=60)
    found = find(np.asarray(Image.open(stream).convert("RGB")))
    assert iou(found.mask, truth) > 0.9


def test_wings_and_courtyards_are_kept() -> None:
    picture = grass()
    ring = [(60, 60), (300, 60), (300, 260), (240, 260), (240, 130), (60, 130)]
    truth = roof(picture, ring)
    picture[75:118, 120:190] = GRASS
    truth[75:118, 120:190] = False
    found = find(picture)
    assert iou(found.mask, truth) > 0.93
    assert not found.mask[96, 155]


def test_rubble_a_rail_and_a_pile_of_planks_are_no_buildings() -> None:
    picture = grass()
    rubble(picture, 90, 90, 40)
    cv2.line(picture, (0, 330), (419, 300), (120, 122, 119), 10)
    rng = np.random.default_rng(8)
    for k in range(9):
        x, y = 300 + 20 * (k % 3), 80 + 20 * (k // 3)
        ring = _turned(x + 4, y + 4, 15, 6, float(rng.uniform(0, 180)))
        cv2.fillPoly(picture, [np.array(ring, np.int32)], (150, 64, 50))
    found = find(picture)
    assert found.mask.sum() < 0.03 * HEX * HEX
    assert all(c.score < 0.5 for c in found.candidates if c.area_px > 0.06 * HEX * HEX)


def test_bands_along_hexsides_are_left_out() -> None:
    picture = grass()
    truth = roof(picture, [(100, 100), (200, 100), (200, 180), (100, 180)])
    taken = np.zeros(truth.shape, bool)
    picture[180:190, 60:300] = (120, 120, 120)
    taken[181:190, 60:300] = True
    found = find(picture, taken)
    assert iou(found.mask, truth) > 0.92


def test_an_empty_map_has_none() -> None:
    found = find(grass())
    assert not found.mask.any()
    assert found.candidates == ()
