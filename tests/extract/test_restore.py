"""Noise is measured and taken away; edges and drawn pictures stay."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from hexsight.extract.buildings_edge import refine_outlines
from hexsight.extract.restore import NOISY, flat_noise, measured_noise, noise_of, restored

GRASS, ROOF = (175, 188, 106), (90, 60, 40)


def drawn(height: int = 200) -> NDArray[np.uint8]:
    picture = np.full((height, 240, 3), GRASS, np.uint8)
    picture[:, 100:160] = ROOF
    return picture


def worn(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    noise = np.random.default_rng(4).normal(0, 8, picture.shape)
    stream = io.BytesIO()
    noisy = np.clip(picture + noise, 0, 255).astype(np.uint8)
    Image.fromarray(noisy).save(stream, "JPEG", quality=60)
    return np.asarray(Image.open(stream).convert("RGB"))


def test_drawn_pictures_have_no_noise_and_worn_ones_have() -> None:
    picture = drawn()
    picture[20:60:2, 20:80:2] = (60, 90, 40)
    assert noise_of(picture) < NOISY
    noisy = worn(picture)
    assert flat_noise(noisy) > NOISY
    assert noise_of(noisy) == max(measured_noise(noisy), flat_noise(noisy))


def test_blank_margins_hide_no_noise() -> None:
    noisy = worn(drawn())
    sheet = np.full((800, 800, 3), 255, np.uint8)
    sheet[100:300, 100:340] = noisy
    assert flat_noise(sheet) > NOISY
    assert flat_noise(sheet[:4, :4]) == 0.0


def test_restored_pictures_are_even_and_sharp() -> None:
    picture = drawn()
    noisy = worn(picture)
    clean = restored(noisy, noise_of(noisy))
    assert clean.shape == picture.shape

    def near(a: NDArray[np.uint8]) -> float:
        return float((np.abs(a.astype(int) - picture).max(axis=2) <= 4).mean())

    assert near(clean) > near(noisy) + 0.15


def test_strips_leave_no_seam() -> None:
    noisy = worn(drawn(700))
    whole, part = restored(noisy, 3.0), restored(noisy[200:], 3.0)
    # Rarely a pixel between two colours falls to the other one.
    assert (whole[300:650] == part[100:450]).mean() > 0.99
    assert (whole == restored(noisy, 3.0)).all()


@pytest.mark.parametrize("step", [-1, 0, 1])
def test_outlines_go_to_the_edge(step: int) -> None:
    picture = np.full((160, 200, 3), GRASS, np.uint8)
    truth = np.zeros((160, 200), bool)
    ring = cv2.boxPoints(((100, 80), (80, 44), 24))
    area = np.zeros((160, 200), np.uint8)
    cv2.fillPoly(area, [np.rint(ring).astype(np.int32)], 1)
    truth = area > 0
    picture[truth] = ROOF
    picture = worn(picture)
    kernel = np.ones((3, 3), np.uint8)
    rough = area if step == 0 else (cv2.dilate if step > 0 else cv2.erode)(area, kernel)
    found = refine_outlines(picture, rough > 0, 64.0)
    now, before = ((m & truth).sum() / (m | truth).sum() for m in (found, rough > 0))
    assert now > (0.975 if step <= 0 else 0.93)
    assert now >= before or step == 0


def test_no_building_has_no_outline() -> None:
    nothing = np.zeros((20, 20), bool)
    assert not refine_outlines(drawn()[:20, :20], nothing, 64.0).any()
