"""Stairwell squares, dots, crosses and rings told apart by shape."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hexsight.extract.symbols import Shape, draw_symbols, find_symbols


def _roof(hex_px: float) -> NDArray[np.uint8]:
    size = round(8 * hex_px)
    rng = np.random.default_rng(2)
    tone = rng.integers(60, 130, (size, size))
    tone[:: max(4, round(0.1 * hex_px))] = 40
    return np.repeat(tone[:, :, None], 3, axis=2).astype(np.uint8)


def _stamp(picture: NDArray[np.uint8], shape: Shape, x: int, y: int, size: int) -> None:
    r = size // 2
    if shape == "square":
        picture[y - r : y - r + size, x - r : x - r + size] = 252
    elif shape == "round":
        cv2.circle(picture, (x, y), r, (252, 252, 252), -1)
    elif shape == "dot":
        picture[y, x - 1 : x + 2] = 255
        picture[y - 1 : y + 2, x] = 255
    elif shape == "ring":
        cv2.circle(picture, (x, y), r, (0, 0, 0), 2)


@pytest.mark.parametrize(("hex_px", "size"), [(48.0, 6), (64.0, 7), (64.0, 9), (194.0, 13)])
def test_squares_are_squares_at_any_scale(hex_px: float, size: int) -> None:
    picture = _roof(hex_px)
    places = [(round(hex_px * a), round(hex_px * b)) for a, b in ((1.5, 2), (4, 3), (6, 6.2))]
    for x, y in places:
        _stamp(picture, "square", x, y, size)
    for k in range(5):
        _stamp(picture, "dot", round(hex_px * (1 + k)), round(hex_px * 7), 3)
    found = find_symbols(picture, np.ones(picture.shape[:2], bool), hex_px, rings=False)
    squares = found.of("square")
    assert len(squares) == len(places)
    for x, y in places:
        assert min(np.hypot(m.x_px - x, m.y_px - y) for m in squares) < 1.6
    assert all(abs(m.size_px - size) <= 0.2 * size + 1 for m in squares)


def test_round_dots_and_letters_are_no_squares() -> None:
    picture = _roof(80.0)
    for k in range(4):
        _stamp(picture, "round", 80 + 100 * k, 120, 13)
        cv2.putText(
            picture, "A1", (70 + 100 * k, 300), cv2.FONT_HERSHEY_PLAIN, 0.8, (255, 255, 255), 1
        )
    found = find_symbols(picture, np.ones(picture.shape[:2], bool), 80.0, rings=False)
    assert found.of("square") == ()
    assert len(found.of("round")) >= 3


def test_squares_outside_of_buildings_are_ignored() -> None:
    picture = _roof(64.0)
    _stamp(picture, "square", 100, 100, 8)
    found = find_symbols(picture, np.zeros(picture.shape[:2], bool), 64.0, rings=False)
    assert found.symbols == ()


def test_rings_are_manholes() -> None:
    picture = np.full((400, 400, 3), (192, 192, 207), np.uint8)
    for x, y in ((100, 100), (250, 300)):
        _stamp(picture, "ring", x, y, 17)
    found = find_symbols(picture, np.zeros((400, 400), bool), 64.0)
    rings = found.of("ring")
    assert [(round(m.x_px), round(m.y_px)) for m in rings] == [(100, 100), (250, 300)]
    assert draw_symbols(picture, found).shape == picture.shape


def test_noise_is_no_obstacle() -> None:
    picture = _roof(64.0)
    for x, y in ((100, 100), (300, 250)):
        _stamp(picture, "square", x, y, 8)
    noise = np.random.default_rng(3).normal(0, 8, picture.shape)
    noisy = np.clip(picture + noise, 0, 255).astype(np.uint8)
    found = find_symbols(noisy, np.ones(picture.shape[:2], bool), 64.0, noisy=True, rings=False)
    assert len(found.of("square")) == 2


def test_a_square_cut_by_the_edge_is_whole_even_beside_a_frame() -> None:
    for frame in (False, True):
        picture = _roof(64.0)
        height = picture.shape[0]
        _stamp(picture, "square", 100, height - 1, 7)
        _stamp(picture, "square", 300, 200, 7)
        if frame:
            picture[-1] = 0
        found = find_symbols(picture, np.ones(picture.shape[:2], bool), 64.0, rings=False)
        edge = [m for m in found.of("square") if m.y_px > height - 6]
        assert [round(m.x_px) for m in edge] == [100]
        assert all(0 <= m.y_px < height for m in edge)


def test_shrunken_squares_are_found() -> None:
    picture = _roof(64.0)
    for x, y in ((101, 102), (303, 250), (202, 400)):
        _stamp(picture, "square", x, y, 7)
    size = tuple(round(0.75 * n) for n in picture.shape[1::-1])
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    found = find_symbols(small, np.ones(small.shape[:2], bool), 48.0, rings=False)
    places = sorted((round(m.x_px / 0.75), round(m.y_px / 0.75)) for m in found.of("square"))
    assert len(places) == 3
    assert np.abs(np.array(places) - [(101, 102), (202, 400), (303, 250)]).max() <= 1


def test_a_cross_is_a_cross_and_a_letter_is_none() -> None:
    picture = _roof(64.0)
    picture[196:209, 99:102] = 252
    picture[199:202, 96:105] = 252
    for k, letter in enumerate("TEFH"):
        cv2.putText(
            picture, letter, (180 + 60 * k, 206), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (252,) * 3, 2
        )
    found = find_symbols(picture, np.ones(picture.shape[:2], bool), 64.0, rings=False)
    assert [round(m.x_px) for m in found.of("cross")] == [100]


@pytest.mark.parametrize("hex_px", [48.0, 64.0, 96.0])
def test_a_square_under_a_centre_dot_or_a_grid_line_is_a_square(hex_px: float) -> None:
    picture = _roof(hex_px)
    side, dot, line = (max(1, round(n * hex_px / 64)) for n in (11, 3, 1))
    places = [(round(hex_px * a), round(hex_px * b)) for a, b in ((1.5, 2), (4, 3), (6, 6.2))]
    for x, y in places:
        _stamp(picture, "square", x, y, side)
    (x, y), (p, q), (v, w) = places
    _dot(picture, x, y, dot)
    _dot(picture, p + 1, q - 1, dot)
    picture[w : w + line, v - side : v + side] = 64
    # Bare dots on the roof, as in every other hex.
    for k in range(5):
        _dot(picture, round(hex_px * (1 + k)), round(hex_px * 7), dot)
    found = find_symbols(picture, np.ones(picture.shape[:2], bool), hex_px, rings=False)
    squares = found.of("square")
    assert len(squares) == len(places)
    for x, y in places:
        assert min(np.hypot(m.x_px - x, m.y_px - y) for m in squares) < 1.6 * max(1, hex_px / 64)


def _dot(picture: NDArray[np.uint8], x: int, y: int, size: int) -> None:
    """A dark centre dot."""
    r = size // 2
    picture[y - r : y - r + size, x - r : x - r + size] = 64


def test_a_dot_in_a_disc_and_a_letter_with_a_hole_make_no_square() -> None:
    picture = _roof(64.0)
    for k, letter in enumerate("OBD8"):
        _stamp(picture, "round", 80 + 100 * k, 120, 13)
        _dot(picture, 80 + 100 * k, 120, 3)
        for scale, y in ((0.35, 200), (0.45, 250), (0.6, 300)):
            font = cv2.FONT_HERSHEY_SIMPLEX
            cv2.putText(picture, letter, (70 + 100 * k, y), font, scale, (255,) * 3, 1)
        # A white frame round a dark court.
        cv2.rectangle(picture, (74 + 100 * k, 400), (84 + 100 * k, 410), (255,) * 3, 2)
    found = find_symbols(picture, np.ones(picture.shape[:2], bool), 64.0, rings=False)
    assert found.of("square") == ()
