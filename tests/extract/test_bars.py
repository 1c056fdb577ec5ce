"""Black bars: on hexsides, in part, beside them; and what only looks like one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from test_buildings import CELLS, HEX, LAYOUT, grass, roof

from hexsight.extract.bars import Bars, draw_bars, find_bars
from hexsight.extract.hexsides import sides_between

SIDES = sides_between(LAYOUT, CELLS)
RING = [(60, 40), (360, 40), (360, 320), (60, 320)]


def _side(a: str, b: str) -> int:
    for i, (p, q) in enumerate(SIDES.cells):
        if {CELLS[int(p)].name, CELLS[int(q)].name} == {a, b}:
            return i
    raise KeyError((a, b))


def _map() -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    picture = grass()
    inside = roof(picture, RING)
    for a, b in SIDES.ends:
        p, q = np.rint(a).astype(int).tolist(), np.rint(b).astype(int).tolist()
        cv2.line(picture, p, q, (0, 0, 0), 1)
    return picture, inside


def _stroke(
    picture: NDArray[np.uint8],
    side: int,
    part: tuple[float, float] = (0.0, 1.0),
    *,
    width: int = 7,
    shift: float = 0.0,
) -> None:
    a, b = SIDES.ends[side]
    step = b - a
    unit = step / np.linalg.norm(step)
    normal = np.array([-unit[1], unit[0]])
    p, q = a + part[0] * step + shift * normal, a + part[1] * step + shift * normal
    ring = [
        p - normal * width / 2,
        q - normal * width / 2,
        q + normal * width / 2,
        p + normal * width / 2,
    ]
    cv2.fillPoly(picture, [np.rint(np.array(ring)).astype(np.int32)], (4, 4, 4))


def _find(picture: NDArray[np.uint8], inside: NDArray[np.bool_]) -> Bars:
    light = np.ascontiguousarray(cv2.cvtColor(picture, cv2.COLOR_RGB2LAB)[..., 0])
    return find_bars(light, inside, SIDES, HEX)


def test_grid_lines_alone_are_no_bars() -> None:
    found = _find(*_map())
    assert found.bars == ()
    assert not found.mask.any()


@pytest.mark.parametrize("width", [5, 7, 10])
@pytest.mark.parametrize("shift", [0.0, 3.0])
def test_bars_of_several_widths_beside_the_lattice(width: int, shift: float) -> None:
    picture, inside = _map()
    wanted = {_side("C2", "C3"), _side("C3", "D2"), _side("D3", "E3")}
    for side in wanted:
        _stroke(picture, side, width=width, shift=shift)
    found = _find(picture, inside)
    assert {b.side for b in found.bars} == wanted
    assert all(b.interval[0] < 0.2 and b.interval[1] > 0.8 for b in found.bars)
    assert draw_bars(picture, found, SIDES).shape == picture.shape


def test_half_a_bar_keeps_its_interval_and_reaches_one_vertex() -> None:
    picture, inside = _map()
    side = _side("D3", "E3")
    _stroke(picture, side, (0.0, 0.55))
    found = _find(picture, inside)
    assert [b.side for b in found.bars] == [side]
    assert found.bars[0].interval[0] == 0.0
    assert found.bars[0].interval[1] == pytest.approx(0.55, abs=0.1)


def test_a_bar_across_a_narrow_building_ends_at_its_outline() -> None:
    picture = grass()
    side = _side("D2", "D3")
    x, y = SIDES.ends[side].mean(axis=0)
    inside = roof(
        picture,
        [
            (int(x) - 12, int(y) - 60),
            (int(x) + 12, int(y) - 60),
            (int(x) + 12, int(y) + 60),
            (int(x) - 12, int(y) + 60),
        ],
    )
    picture[int(y) - 3 : int(y) + 4, int(x) - 12 : int(x) + 13] = 3
    found = _find(picture, inside)
    assert [b.side for b in found.bars] == [side]


def test_a_wide_shadow_on_a_hexside_is_no_bar() -> None:
    picture, inside = _map()
    _stroke(picture, _side("C2", "C3"), width=20)
    assert _find(picture, inside).bars == ()


def test_a_stroke_off_the_hexsides_is_reported() -> None:
    picture, inside = _map()
    x, y = (round(v) for v in LAYOUT.centre(3, 2))
    cv2.rectangle(picture, (x - 14, y - 3), (x + 14, y + 3), (4, 4, 4), -1)
    found = _find(picture, inside)
    assert found.bars == ()
    assert len(found.strays) == 1
    assert np.hypot(found.strays[0].x_px - x, found.strays[0].y_px - y) < 2


def test_no_building_no_bar() -> None:
    picture = grass()
    assert _find(picture, np.zeros(picture.shape[:2], bool)).bars == ()


@pytest.mark.parametrize("sigma", [0.8, 1.4])
def test_a_worn_bar_between_light_roofs_is_found_and_worn_lines_are_none(sigma: float) -> None:
    picture, inside = _map()
    picture[inside & (picture[..., 0] > 20)] = (190, 190, 190)
    side = _side("C2", "C3")
    _stroke(picture, side, width=6)
    rng = np.random.default_rng(3)
    worn = cv2.GaussianBlur(picture, (0, 0), sigma).astype(np.float32)
    worn += rng.normal(0, 3, worn.shape)
    found = _find(worn.clip(0, 255).astype(np.uint8), inside)
    assert [b.side for b in found.bars] == [side]


def test_louvers_that_fall_on_a_hexside_are_no_bar() -> None:
    picture, inside = _map()
    side = _side("D2", "D3")
    for shift in (-27.0, -14.0, 0.0, 14.0, 27.0):
        _stroke(picture, side, (0.0, 0.55), width=5, shift=shift)
    assert side not in {b.side for b in _find(picture, inside).bars}
    picture, inside = _map()
    _stroke(picture, side, (0.0, 0.55), width=5)
    assert side in {b.side for b in _find(picture, inside).bars}


def test_a_gap_of_dark_art_parts_no_bar() -> None:
    picture, inside = _map()
    side = _side("C2", "C3")
    _stroke(picture, side)
    _stroke(picture, side, (0.4, 0.6), width=26)
    (bar,) = _find(picture, inside).bars
    assert bar.side == side
    assert bar.interval[0] < 0.1 and bar.interval[1] > 0.9


def _overprinted(picture: NDArray[np.uint8], tone: tuple[int, int, int], width: int = 1) -> None:
    """Print the lattice over everything."""
    for a, b in SIDES.ends:
        p, q = np.rint(a).astype(int).tolist(), np.rint(b).astype(int).tolist()
        cv2.line(picture, p, q, tone, width)


@pytest.mark.parametrize("width", [6, 8, 10])
@pytest.mark.parametrize("sigma", [0.0, 0.8])
def test_bars_under_the_printed_lattice_are_found_and_the_lattice_alone_is_none(
    width: int, sigma: float
) -> None:
    picture = grass()
    inside = roof(picture, RING)
    picture[inside & (picture[..., 0] > 20)] = (140, 140, 140)
    wanted = {_side("C2", "C3"), _side("C3", "D2"), _side("D3", "E3")}
    for side in wanted:
        _stroke(picture, side, width=width)
    _overprinted(picture, (116, 107, 83))
    if sigma:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)
    found = _find(picture, inside)
    assert {b.side for b in found.bars} == wanted
    # Of thick bars either half is a bar by itself; the hexside is covered all the same.
    for side in wanted:
        x, y = np.rint(SIDES.ends[side].mean(axis=0)).astype(int)
        assert found.mask[y, x]


def test_a_thick_lattice_over_thick_bars_is_no_obstacle() -> None:
    picture = grass()
    inside = roof(picture, RING)
    picture[inside & (picture[..., 0] > 20)] = (140, 140, 140)
    side = _side("C2", "C3")
    _stroke(picture, side, width=10)
    _overprinted(picture, (200, 60, 40), 2)
    assert [b.side for b in _find(picture, inside).bars] == [side]


def test_two_thin_lines_beside_a_hexside_are_no_bar() -> None:
    picture = grass()
    inside = roof(picture, RING)
    picture[inside & (picture[..., 0] > 20)] = (140, 140, 140)
    for side in (_side("C2", "C3"), _side("D3", "E3")):
        for shift in (-3.0, 3.0):
            _stroke(picture, side, width=2, shift=shift)
    _overprinted(picture, (116, 107, 83))
    assert _find(picture, inside).bars == ()


def test_dark_art_on_both_sides_of_a_black_lattice_is_no_bar() -> None:
    picture = grass()
    inside = roof(picture, RING)
    picture[inside & (picture[..., 0] > 20)] = (140, 140, 140)
    for side in (_side("C2", "C3"), _side("D3", "E3")):
        for shift in (-2.5, 2.5):
            _stroke(picture, side, width=1, shift=shift)
    _overprinted(picture, (2, 2, 2))
    assert _find(picture, inside).bars == ()
