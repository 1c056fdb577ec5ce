"""What is done with a fit: renumbering, comparing, VASSAL's attributes, straightening."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_grid_art import ground, print_grid, worst_px

from hexsight.extract.grid import (
    align_to,
    compare,
    draw_fit,
    find_grid,
    straighten,
    vassal_attributes,
)
from hexsight.extract.grid_extent import (
    Extent,
    extent_of,
    outlines,
    printed_hexes,
    side_owners,
    support_of,
    within,
)
from hexsight.extract.grid_refine import Measured, sides_on, solve_sides
from hexsight.extract.grid_solve import canonical
from hexsight.model.errors import FindingsError
from hexsight.model.layout import Layout, to_lattice

SIZE = (900, 700)
NONE = np.zeros((0, 2), np.int64)
NOMINAL = Layout.from_grid(56.25, 64.5, 10, 32)


def _shifted(layout: Layout, col: int, row: int) -> Layout:
    x, y = layout.lattice_to_pixel(to_lattice(col, row))
    return Layout((float(x), float(y)), layout.col_px, layout.row_px, layout.sideways)


@given(col=st.integers(-30, 30), row=st.integers(-30, 30), dx=st.floats(-8, 8), dy=st.floats(-8, 8))
def test_align_gives_the_nominal_numbers(col: int, row: int, dx: float, dy: float) -> None:
    printed = Layout.from_grid(56.2, 64.45, 10 + dx, 32 + dy)
    aligned = align_to(_shifted(printed, col, row), NOMINAL, SIZE)
    for c, r in NOMINAL.hexes_on(SIZE):
        assert aligned.centre(c, r) == pytest.approx(printed.centre(c, r), abs=1e-6)


def test_align_keeps_the_drawn_geometry_of_an_odd_shift() -> None:
    aligned = align_to(_shifted(NOMINAL, 3, -2), NOMINAL, SIZE)
    assert aligned.origin_px == pytest.approx(NOMINAL.origin_px)
    assert (aligned.col_px, aligned.row_px) == (NOMINAL.col_px, NOMINAL.row_px)


def test_align_refuses_to_guess() -> None:
    with pytest.raises(FindingsError, match="px apart"):
        align_to(Layout.from_grid(56.25, 64.5, 38, 16), NOMINAL, SIZE)
    with pytest.raises(FindingsError, match="px apart"):
        align_to(Layout.from_grid(58.5, 64.5, 10, 32), NOMINAL, SIZE)
    with pytest.raises(FindingsError, match="sideways"):
        align_to(Layout.from_grid(56.25, 64.5, 10, 32, sideways=True), NOMINAL, SIZE)


def test_compare_tells_a_shift_and_a_stretch() -> None:
    moved = compare(NOMINAL, _shifted(Layout.from_grid(56.25, 64.5, 13, 28), 5, 1), None, SIZE)
    assert moved.rms_px == pytest.approx(5)
    assert moved.mean_px == pytest.approx((3, -4))
    wide = compare(NOMINAL, Layout.from_grid(56.75, 64.5, 10, 32), None, SIZE)
    assert wide.max_px == pytest.approx(0.5 * max(c for c, _ in NOMINAL.hexes_on(SIZE)))
    assert wide.worst_px[0] > 800
    with pytest.raises(ValueError, match="extent or the size"):
        compare(NOMINAL, NOMINAL, None)


def test_an_extent_holds_after_renumbering() -> None:
    hexes = np.array([h for h in NOMINAL.hexes_on(SIZE) if h[0] < 6])
    extent = extent_of(NOMINAL, hexes, SIZE)
    other = _shifted(NOMINAL, 7, 3)
    assert compare(other, NOMINAL, extent).hexes == len(hexes)
    assert compare(other, NOMINAL, extent).max_px == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("sideways", [False, True])
def test_vassal_attributes_are_best(sideways: bool) -> None:
    printed = Layout.from_grid(56.208, 64.453, 0.498, 31.905, sideways=sideways)
    best = vassal_attributes(printed, SIZE)
    assert set(best.attributes) == {"dx", "dy", "x0", "y0", "sideways"}
    assert best.attributes["sideways"] == str(sideways).lower()
    x0, y0 = int(best.attributes["x0"]), int(best.attributes["y0"])
    dx, dy = float(best.attributes["dx"]), float(best.attributes["dy"])
    again = Layout.from_grid(dx, dy, x0, y0, sideways=sideways)
    assert again == best.layout
    check = compare(printed, again, None, SIZE)
    assert check.max_px == pytest.approx(best.max_error_px)
    assert best.max_error_px < 0.75
    # No whole origin with a freely rounded spacing does better along its axis.
    for wrong in (x0 - 1, x0 + 1):
        other = Layout.from_grid(dx, dy, wrong, y0, sideways=sideways)
        assert compare(printed, other, None, SIZE).max_px > best.max_error_px


def test_vassal_attributes_tell_what_a_turn_leaves() -> None:
    turned = Layout.from_grid(56.2, 64.45, 10, 32, rot_deg=0.5)
    best = vassal_attributes(turned, SIZE)
    assert 2.0 < best.max_error_px < 12.0
    assert best.rms_error_px <= best.max_error_px


@pytest.mark.parametrize(("rot_deg", "skew_deg"), [(1.3, 0.0), (-2.0, 1.0)])
@pytest.mark.parametrize("sideways", [False, True])
def test_straighten(rot_deg: float, skew_deg: float, sideways: bool) -> None:
    layout = Layout.from_grid(52, 60, 14, 25, rot_deg=rot_deg, skew_deg=skew_deg, sideways=sideways)
    picture = print_grid(ground(SIZE, busy=False), layout)
    upright, straight = straighten(picture, layout)
    assert straight.rot_deg == pytest.approx(0)
    assert straight.skew_deg == pytest.approx(0)
    assert (straight.dx, straight.dy) == pytest.approx((52, 60))
    size = (upright.shape[1], upright.shape[0])
    assert size[0] >= SIZE[0] and size[1] >= SIZE[1]
    fit = find_grid(upright)
    assert fit is not None
    middle = (size[0] / 2, size[1] / 2)
    near = straight.centre(*(int(v) for v in straight.pixel_to_hex(middle)))
    found = fit.layout.centre(*(int(v) for v in fit.layout.pixel_to_hex(near)))
    assert np.hypot(*np.subtract(near, found)) < 0.15
    assert abs(fit.layout.rot_deg) < 0.02


def test_straighten_leaves_an_upright_picture_alone() -> None:
    picture = ground((200, 150))
    same, layout = straighten(picture, Layout.from_grid(52, 60, 14, 25))
    assert np.array_equal(same, picture)
    assert layout == Layout.from_grid(52, 60, 14, 25)


def test_draw_fit_paints_the_lines() -> None:
    layout = Layout.from_grid(43.5, 50, 13.3, 22.7)
    picture = print_grid(ground((500, 400), busy=False), layout)
    fit = find_grid(picture)
    assert fit is not None
    drawn = draw_fit(picture, fit)
    assert drawn.shape == picture.shape
    x, y = fit.layout.side(4, 3, 0).mean(axis=0)
    assert drawn[round(y), round(x)][1] < 100 < drawn[round(y), round(x)][0]
    assert not np.array_equal(drawn, picture)


def test_outline_of_hexes() -> None:
    one = outlines(NOMINAL, np.array([(2, 2)]))[0]
    assert {tuple(np.round(p, 6)) for p in one} == {
        tuple(np.round(p, 6)) for p in NOMINAL.corners(2, 2)
    }
    two = outlines(NOMINAL, np.array([(2, 2), (2, 3)]))[0]
    assert len(two) == 10
    assert outlines(NOMINAL, NONE) == []
    assert isinstance(extent_of(NOMINAL, NONE, SIZE), Extent)


def test_printed_hexes_close_holes_and_keep_out_neighbours() -> None:
    layout = Layout.from_grid(43.3, 50, 200, 200)
    patch = {(c, r) for c in range(5) for r in range(5)}
    sides = sides_on(layout, (0, 0, 700, 700))
    mine = np.array(
        [
            (c, r) in patch or tuple(layout.pixel_to_hex(_beyond(layout, (c, r), d))) in patch
            for (c, r), d in zip(sides.hexes.tolist(), sides.direction.tolist(), strict=True)
        ],
        np.float64,
    )
    owners = side_owners(sides.hexes, sides.direction)

    def printed(hit: np.ndarray) -> set[tuple[int, int]]:
        both = np.concatenate([hit, hit])
        support = support_of(layout, owners, both, (700, 700), full=6, least=3)
        return {(int(c), int(r)) for c, r in printed_hexes(support, 0.1)}

    assert printed(mine) == patch
    torn = mine.copy()
    torn[(owners[: len(sides)] == (2, 2)).all(axis=1)] = 0.0
    torn[(owners[len(sides) :] == (2, 2)).all(axis=1)] = 0.0
    assert printed(torn) == patch
    none = support_of(layout, NONE, np.zeros(0), (700, 700), full=6, least=3)
    assert len(printed_hexes(none, 0.1)) == 0


def test_only_the_largest_patch_counts() -> None:
    layout = Layout.from_grid(43.3, 50, 30, 30)
    hexes = np.array([(c, r) for c in range(-2, 14) for r in range(-2, 14)])
    large = (hexes[:, 0] < 6) & (hexes.min(axis=1) >= 0) & (hexes[:, 1] < 9)
    small = (hexes[:, 0] > 8) & (hexes[:, 0] < 12) & (hexes[:, 1] > 2) & (hexes[:, 1] < 6)
    hit = (large | small).astype(np.float64)
    support = support_of(layout, hexes, hit, (700, 700), full=1, least=1)
    found = printed_hexes(support, 0.0)
    extent = extent_of(layout, found, (700, 700))
    assert np.array_equal(within(extent, hexes), large)


def _beyond(layout: Layout, h: tuple[int, int], direction: int) -> tuple[float, float]:
    middle = layout.side(*h, direction).mean(axis=0)
    x, y = 2 * middle - np.array(layout.centre(*h))
    return float(x), float(y)


@given(
    shift=st.tuples(st.floats(-3, 3), st.floats(-3, 3)),
    grow=st.floats(-0.002, 0.002),
    turn=st.floats(-0.2, 0.2),
    skew=st.floats(-0.2, 0.2),
    sideways=st.booleans(),
)
def test_solve_recovers_any_affine_map(
    shift: tuple[float, float], grow: float, turn: float, skew: float, sideways: bool
) -> None:
    start = Layout.from_grid(52, 60, 10, 20, sideways=sideways)
    true = Layout.from_grid(
        52 * (1 + grow), 60, 10 + shift[0], 20 + shift[1],
        sideways=sideways, rot_deg=turn, skew_deg=skew,
    )  # fmt: skip
    sides = sides_on(start, (0, 0, 800, 600))
    want = true.lattice_to_pixel(sides.ends)
    have = start.lattice_to_pixel(sides.ends)
    along = have[:, 1] - have[:, 0]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    normal = np.stack([-along[:, 1], along[:, 0]], axis=-1)
    offset = ((want - have).mean(axis=1) * normal).sum(axis=1)
    n = len(sides)
    seen = Measured(offset, np.ones(n), np.ones(n), np.ones((n, 12), np.float32),
                    np.ones((n, 3), np.float32), 0.5)  # fmt: skip
    free = solve_sides(start, sides, seen, tolerance_px=20.0, skew=True)
    assert worst_px(true, free.layout, (800, 600)) < 0.01
    if abs(skew) < 1e-3:
        square = solve_sides(start, sides, seen, tolerance_px=20.0, skew=False)
        assert worst_px(true, square.layout, (800, 600)) < 0.03


@given(turn=st.floats(-14, 14), sideways=st.booleans(), col=st.integers(-9, 9))
def test_canonical_is_the_same_lattice(turn: float, sideways: bool, col: int) -> None:
    layout = _shifted(Layout.from_grid(52, 60, 10, 20, sideways=sideways, rot_deg=turn), col, 4)
    tidy = canonical(layout)
    assert worst_px(layout, tidy, (400, 300)) < 1e-6
    assert tuple(tidy.pixel_to_hex((0.0, 0.0))) == (0, 0)
    assert tidy.rot_deg == pytest.approx(turn, abs=1e-6)
