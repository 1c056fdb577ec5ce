"""The grid search on pictures drawn in the test: what it must find, and how well."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_grid_art import ground, print_grid, worst_px

from hexsight.extract.grid import find_grid, search_grid
from hexsight.model.errors import InputError
from hexsight.model.layout import Layout

SIZE = (760, 600)
BASE = Layout.from_grid(43.5, 50, 13.3, 22.7)


@pytest.mark.parametrize("style", ["lines", "dashed", "ticks"])
@pytest.mark.parametrize("sideways", [False, True])
def test_styles_on_a_busy_landscape(style: str, sideways: bool) -> None:
    layout = Layout.from_grid(43.5, 50, 13.3, 22.7, sideways=sideways)
    fit = find_grid(print_grid(ground(SIZE), layout, style=style))
    assert fit is not None
    assert fit.confidence > 0.9
    assert not fit.light_lines
    assert worst_px(layout, fit.layout, SIZE) < 0.2


@pytest.mark.parametrize("style", ["dots", "corners"])
@pytest.mark.parametrize("sideways", [False, True])
def test_grids_of_dots(style: str, sideways: bool) -> None:
    layout = Layout.from_grid(43.5, 50, 13.3, 22.7, sideways=sideways, rot_deg=0.4)
    fit = find_grid(print_grid(ground(SIZE), layout, style=style))
    assert fit is not None
    assert fit.style == {"dots": "centre dots", "corners": "corner dots"}[style]
    assert 0.5 <= fit.confidence <= 0.75
    assert "only dots" in fit.reason
    assert worst_px(layout, fit.layout, SIZE) < 0.2


@pytest.mark.parametrize(
    ("color", "opacity", "busy"),
    [
        ((255, 255, 255), 1.0, True),  # white
        ((20, 20, 20), 0.15, True),  # faint
        ((255, 148, 118), 1.0, True),  # as light as the ground, in another hue
    ],
)
def test_colours(color: tuple[int, int, int], opacity: float, busy: bool) -> None:
    picture = print_grid(ground(SIZE, busy=busy), BASE, color=color, opacity=opacity)
    fit = find_grid(picture)
    assert fit is not None
    assert worst_px(BASE, fit.layout, SIZE) < 0.2


def test_line_colour_and_width_are_told() -> None:
    layout = Layout.from_grid(87, 100, 13.3, 22.7)
    fit = find_grid(print_grid(ground((1000, 800)), layout, color=(250, 250, 240), width=3))
    assert fit is not None
    assert fit.light_lines
    assert np.abs(np.array(fit.line_color) - (250, 250, 240)).max() < 12
    assert 2.5 < fit.line_width_px < 6.0  # OpenCV's strokes of width 3 cover some 5 px


@pytest.mark.parametrize(
    ("rot_deg", "skew_deg", "stretch"),
    [(-9.0, 0.0, 1.0), (1.3, 0.0, 1.02), (0.0, 2.0, 1.0), (-0.4, -0.6, 0.95), (4.0, 0.0, 1.1)],
)
def test_turned_skewed_and_stretched(rot_deg: float, skew_deg: float, stretch: float) -> None:
    layout = Layout.from_grid(43.3 * stretch, 50, 13.3, 22.7, rot_deg=rot_deg, skew_deg=skew_deg)
    fit = find_grid(print_grid(ground(SIZE), layout))
    assert fit is not None
    assert worst_px(layout, fit.layout, SIZE) < 0.2
    assert fit.layout.rot_deg == pytest.approx(rot_deg, abs=0.05)
    assert fit.layout.skew_deg == pytest.approx(skew_deg, abs=0.05)


def test_a_turn_beyond_fifteen_degrees_reads_as_the_other_orientation() -> None:
    layout = Layout.from_grid(50 * math.sqrt(3) / 2, 50, 13.3, 22.7, rot_deg=22)
    fit = find_grid(print_grid(ground(SIZE), layout))
    assert fit is not None
    assert fit.sideways
    assert fit.layout.rot_deg == pytest.approx(-8, abs=0.05)


@settings(max_examples=12, deadline=None)
@given(
    row=st.floats(22, 80),
    stretch=st.floats(0.97, 1.03),
    x0=st.floats(-40, 40),
    y0=st.floats(-40, 40),
    rot_deg=st.floats(-2, 2),
    sideways=st.booleans(),
)
def test_any_plain_grid_is_found(
    row: float, stretch: float, x0: float, y0: float, rot_deg: float, sideways: bool
) -> None:
    size = (520, 430)
    layout = Layout.from_grid(
        row * math.sqrt(3) / 2 * stretch, row, x0, y0, sideways=sideways, rot_deg=rot_deg
    )
    fit = find_grid(print_grid(ground(size, busy=False), layout))
    assert fit is not None
    assert worst_px(layout, fit.layout, size) < 0.3


@pytest.mark.parametrize("row", [15, 26, 260])
def test_small_and_large_hexes(row: float) -> None:
    size = (300, 300) if row < 100 else (1700, 1500)
    layout = Layout.from_grid(row * 0.866, row, 3.3, 2.7)
    fit = find_grid(print_grid(ground(size, busy=row > 100), layout, width=1 + row // 200))
    assert fit is not None
    assert worst_px(layout, fit.layout, size) < 0.3


def test_hex_zero_is_top_left_and_odd_columns_stand_lower() -> None:
    for y0 in (3.0, 14.0, 27.0, 40.0):
        layout = Layout.from_grid(43.5, 50, 20.3, y0)
        fit = find_grid(print_grid(ground(SIZE), layout))
        assert fit is not None
        assert tuple(fit.layout.pixel_to_hex((0.0, 0.0))) == (0, 0)
        below = fit.layout.centre(1, 0)[1] - fit.layout.centre(0, 0)[1]
        assert below == pytest.approx(25, abs=0.2)


def test_extent_leaves_margins_out() -> None:
    size = (1000, 800)
    box = (250.0, 150.0, 900.0, 700.0)
    picture = print_grid(ground(size), BASE, box=box)
    fit = find_grid(picture)
    assert fit is not None
    assert np.abs(np.array(fit.extent.box_px) - box).max() < 35  # half a hex and a little
    mask = fit.extent.mask(size)
    assert mask[420, 570] == 255
    assert mask[60, 60] == 0
    assert len(fit.extent.hexes) == len(fit.extent.centres_px)


def test_of_two_grids_the_larger_counts() -> None:
    size = (1100, 800)
    small = Layout.from_grid(26, 30, 5, 5)
    picture = print_grid(ground(size), BASE, box=(0, 0, 760, 800))
    picture = print_grid(picture, small, box=(860, 40, 1080, 300))
    fit = find_grid(picture)
    assert fit is not None
    assert worst_px(BASE, fit.layout, (760, 800)) < 0.3
    assert fit.extent.box_px[2] < 830


def test_a_wrong_hint_changes_nothing() -> None:
    picture = print_grid(ground(SIZE), BASE)
    free = find_grid(picture)
    assert free is not None
    for hint in (
        Layout.from_grid(87, 100, 13, 22),  # double
        Layout.from_grid(21.75, 25, 13, 22),  # half
        Layout.from_grid(43.5, 50, 13 + 20, 22 + 11),  # beside
        Layout.from_grid(50, 43.5, 0, 0, sideways=True),
        Layout.from_grid(41, 47, 13, 22),
    ):
        fit = find_grid(picture, hint=hint)
        assert fit is not None
        assert worst_px(free.layout, fit.layout, SIZE) < 0.05


def test_a_good_hint_is_refined() -> None:
    picture = print_grid(ground(SIZE), BASE)
    fit = find_grid(picture, hint=Layout.from_grid(43.6, 49.9, 14, 22))
    assert fit is not None
    assert worst_px(BASE, fit.layout, SIZE) < 0.1


def test_no_hint_makes_a_grid_of_none() -> None:
    assert find_grid(ground(SIZE), hint=BASE) is None


def test_damage() -> None:
    layout = Layout.from_grid(56.2, 64.45, 7.1, 30.9, rot_deg=1.3)
    size = (1100, 900)
    picture = print_grid(ground(size), layout)
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5))
    noise = np.random.default_rng(1).normal(0, 20, picture.shape)
    picture = np.clip(np.rint(picture + noise), 0, 255).astype(np.uint8)
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 50])[1]
    fit = find_grid(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8))
    assert fit is not None
    assert worst_px(layout, fit.layout, size) < 0.6


def test_residuals_show_a_warp() -> None:
    size = (900, 700)
    flat = print_grid(ground(size, busy=False), BASE)
    ys, xs = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    bent = cv2.remap(flat, xs, ys - 4 * np.sin(xs / size[0] * math.pi), cv2.INTER_CUBIC)
    fit = find_grid(np.asarray(bent, np.uint8))
    assert fit is not None
    shifts = np.array([r.shift_px[1] for r in fit.residuals]).reshape(3, 3)
    assert (shifts[:, 1] - shifts[:, 0] > 0.5).all()
    assert all(r.sides > 0 and r.rms_px < 3 for r in fit.residuals)


def test_same_picture_same_fit() -> None:
    picture = print_grid(ground(SIZE), BASE)
    one, two = find_grid(picture), find_grid(picture.copy())
    assert one is not None and two is not None
    assert one.layout == two.layout
    assert one.confidence == two.confidence
    assert np.array_equal(one.extent_px, two.extent_px)


def test_what_is_no_picture() -> None:
    with pytest.raises(InputError, match="RGB picture"):
        find_grid(np.zeros((100, 100), np.uint8))
    with pytest.raises(InputError, match="RGB picture"):
        find_grid(np.zeros((100, 100, 3), np.float32))  # type: ignore[arg-type]
    tiny = search_grid(np.zeros((20, 20, 3), np.uint8))
    assert tiny.fit is None
    assert "20" in tiny.reason


def test_dots_on_corners_beside_numbers_are_no_smaller_hexes() -> None:
    size = (900, 760)
    layout = Layout.from_grid(88, 101.4, 40, 30, rot_deg=0.5)
    picture = print_grid(ground(size, busy=False), layout, style="corners", width=2)
    for col, row in layout.hexes_on(size):
        x, y = layout.centre(col, row)
        cv2.putText(picture, f"{col % 10}{row % 10}", (int(x - 20), int(y - 28)),
                    cv2.FONT_HERSHEY_SIMPLEX, 0.7, (20, 20, 20), 2, cv2.LINE_AA)  # fmt: skip
    fit = find_grid(picture)
    assert fit is not None
    assert fit.style == "corner dots"
    assert worst_px(layout, fit.layout, size) < 0.5


def test_a_part_of_the_picture_with_skew_is_fitted_with_a_fine_pen() -> None:
    """Chance ridges beside the print must not make the look at the lines coarse."""
    size = (1300, 1300)
    layout = Layout.from_grid(137, 158.9, 60, 40, skew_deg=-0.46)
    picture = ground(size)
    picture = print_grid(picture, layout, width=2, box=(250, 300, 1050, 1150), opacity=0.5)
    fit = find_grid(picture)
    assert fit is not None
    near = layout.pixel_to_hex(fit.extent.centres_px)
    there = np.array([layout.centre(int(c), int(r)) for c, r in near])
    assert np.hypot(*(there - fit.extent.centres_px).T).max() < 0.3
