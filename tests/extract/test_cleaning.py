"""Removing printed grid lines, names and centre dots."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from hexsight.extract.cleaning import clean, draw_cleaned, fill_from_around, measured_line_px
from hexsight.model.board import Cell
from hexsight.model.layout import Layout

LAYOUT = Layout.from_grid(35.0, 40.0, 20.0, 25.0)
SIZE = (330, 260)
CELLS = tuple(Cell(c, r, f"{chr(65 + c)}{r + 1}") for c, r in LAYOUT.hexes_on(SIZE) if r >= 0)
GROUND = (180, 190, 110)


def _printed(width: int = 1) -> NDArray[np.uint8]:
    picture = np.full((SIZE[1], SIZE[0], 3), GROUND, np.uint8)
    for cell in CELLS:
        ring = np.rint(LAYOUT.corners(cell.col, cell.row)).astype(np.int32)
        cv2.polylines(picture, [ring], True, (0, 0, 0), width)
        x, y = (round(v) for v in LAYOUT.centre(cell.col, cell.row))
        cv2.putText(picture, cell.name, (x - 9, y - 8), cv2.FONT_HERSHEY_PLAIN, 0.6, (0, 0, 0), 1)
        picture[y, x - 1 : x + 2] = 255
        picture[y - 1 : y + 2, x] = 255
    return picture


@pytest.mark.parametrize("width", [1, 2])
def test_print_goes_and_ground_stays(width: int) -> None:
    picture = _printed(width)
    cleaned = clean(picture, LAYOUT, CELLS)
    inner = np.s_[30:-30, 30:-30]
    before = (picture[inner] != GROUND).any(axis=2).mean()
    after = (cleaned.rgb[inner] != GROUND).any(axis=2).mean()
    assert before > 0.05
    assert after < 0.1 * before
    assert cleaned.name_box is not None
    assert cleaned.confidence == 1.0
    assert draw_cleaned(picture, cleaned).shape == picture.shape


def test_line_width_is_measured() -> None:
    found = []
    for width in (1, 3):
        gray = np.asarray(cv2.cvtColor(_printed(width), cv2.COLOR_RGB2GRAY))
        found.append(measured_line_px(gray, LAYOUT, CELLS))
    assert abs(found[0] - 1) <= 1.0
    assert found[0] + 1 < found[1] < 5.5


def test_a_picture_without_print_is_left_as_it_is() -> None:
    picture = np.full((SIZE[1], SIZE[0], 3), GROUND, np.uint8)
    cleaned = clean(picture, LAYOUT, CELLS)
    assert cleaned.line_px == 0.0
    assert not cleaned.names.any()
    assert (cleaned.rgb == picture).all()


@settings(max_examples=40, deadline=None)
@given(
    hnp.arrays(np.uint8, (9, 11), elements=st.integers(0, 255)),
    hnp.arrays(np.bool_, (9, 11)),
)
def test_filled_pixels_take_values_from_outside(
    image: NDArray[np.uint8], mask: NDArray[np.bool_]
) -> None:
    out = fill_from_around(image, mask)
    assert (out[~mask] == image[~mask]).all()
    if (~mask).any():
        assert np.isin(out[mask], image[~mask]).all()
