"""Floors under open sky: strewn strokes inside a dark jagged edge."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hexsight.extract.roofless import draw_roofless, find_roofless

HEX = 64.0
SHAPE = (330, 420)


def _hall(degrees: float) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Lightness of a large roof of planks that run in one direction, and its mask."""
    ys, xs = np.mgrid[: SHAPE[0], : SHAPE[1]]
    angle = np.radians(degrees)
    along = xs * np.sin(angle) + ys * np.cos(angle)
    tones = np.where(along % 8 < 2, 45, 100).astype(np.uint8)
    inside = np.zeros(SHAPE, bool)
    inside[30:300, 30:390] = True
    tones[~inside] = 190
    return tones, inside


def _floor(tones: NDArray[np.uint8], *, seed: int = 4) -> NDArray[np.bool_]:
    rng = np.random.default_rng(seed)
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    far = 82 + rng.uniform(-9, 9, 40)
    ring = np.stack([215 + 1.2 * far * np.cos(turn), 165 + far * np.sin(turn)], axis=1)
    mask = np.zeros(SHAPE, np.uint8)
    points = [np.rint(ring).astype(np.int32)]
    cv2.fillPoly(mask, points, 1)
    grain = rng.normal(140, 7, SHAPE)
    tones[mask > 0] = np.clip(grain, 0, 255).astype(np.uint8)[mask > 0]
    for _ in range(160):
        x, y = rng.uniform(130, 300), rng.uniform(90, 240)
        t, size = rng.uniform(0, np.pi), rng.uniform(5, 13)
        p = (round(x), round(y))
        q = (round(x + size * np.cos(t)), round(y + size * np.sin(t)))
        if mask[p[1], p[0]] and mask[min(q[1], SHAPE[0] - 1), min(q[0], SHAPE[1] - 1)]:
            cv2.line(tones, p, q, 80, 1)
    cv2.polylines(tones, points, True, 25, 5)
    return mask > 0


@pytest.mark.parametrize("degrees", [0, 30, 90])
def test_a_floor_is_found_under_roofs_of_any_direction(degrees: float) -> None:
    tones, inside = _hall(degrees)
    truth = _floor(tones)
    found = find_roofless(tones, inside, np.zeros(SHAPE, bool), HEX)
    assert len(found.floors) == 1
    overlap = (found.mask & truth).sum() / (found.mask | truth).sum()
    assert overlap > 0.6
    assert found.floors[0].order < 0.3
    picture = np.repeat(tones[:, :, None], 3, axis=2)
    assert draw_roofless(picture, found).shape == picture.shape


@pytest.mark.parametrize("degrees", [0, 45])
def test_a_roof_alone_is_no_floor(degrees: float) -> None:
    tones, inside = _hall(degrees)
    assert find_roofless(tones, inside, np.zeros(SHAPE, bool), HEX).floors == ()


def test_small_buildings_are_not_asked() -> None:
    tones = np.full(SHAPE, 150, np.uint8)
    inside = np.zeros(SHAPE, bool)
    inside[100:150, 100:150] = True
    assert not find_roofless(tones, inside, np.zeros(SHAPE, bool), HEX).mask.any()


def test_what_has_another_tone_than_the_surest_floor_is_roof() -> None:
    tones, inside = _hall(0)
    truth = _floor(tones)
    dark = np.where(inside & (tones > 45), tones - 40, tones).astype(np.uint8)
    row = np.concatenate([tones, dark, tones], axis=1)
    halls = np.concatenate([inside] * 3, axis=1)
    alone = np.zeros(halls.shape, bool)
    alone[:, SHAPE[1] : 2 * SHAPE[1]] = True
    found = find_roofless(row, halls, np.zeros(halls.shape, bool), HEX)
    assert len(found.floors) == 2
    assert found.mask[:, : SHAPE[1]][truth].mean() > 0.6
    assert not found.mask[alone].any()
    # Nothing is surer than a floor that is alone.
    assert find_roofless(row, halls & alone, np.zeros(halls.shape, bool), HEX).mask.any()


def test_a_flat_floor_needs_no_dark_edge() -> None:
    tones, inside = _hall(0)
    floor = _floor(tones)
    rng = np.random.default_rng(7)
    tones[:] = np.where(np.mgrid[: SHAPE[0], : SHAPE[1]][0] % 8 < 2, 60, 110)
    tones[~inside] = 190
    tones[floor] = 163
    rows, cols = np.nonzero(cv2.erode(floor.astype(np.uint8), np.ones((9, 9), np.uint8)))
    for k in rng.integers(0, len(rows), 160).tolist():
        t, size = rng.uniform(0, np.pi), rng.uniform(4, 9)
        p = (int(cols[k]), int(rows[k]))
        q = (round(p[0] + size * np.cos(t)), round(p[1] + size * np.sin(t)))
        cv2.line(tones, p, q, 120, 1)
    found = find_roofless(tones, inside, np.zeros(SHAPE, bool), HEX)
    assert len(found.floors) == 1
    assert (found.mask & floor).sum() / (found.mask | floor).sum() > 0.8
