"""Places and differences of grids that checks measure."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from validator_goods import COLUMNS, ROWS, SIZE, board, survey

from hexsight.model.board import owner_index
from hexsight.model.layout import Layout, neighbour, to_lattice
from hexsight.validators import GridEvidence
from hexsight.validators.bars import hexside_distance
from hexsight.validators.measure import attributes_for, gap_of
from hexsight.validators.places import hex_at, hexside_middle, hexside_near, pixels_of

BOARD = board()
layouts = st.builds(
    lambda dx, stretch, x0, y0, sideways, rot: Layout.from_grid(
        dx, dx * 2 / math.sqrt(3) * stretch, x0, y0, sideways=sideways, rot_deg=rot
    ),
    st.floats(20, 90),
    st.floats(0.9, 1.1),
    st.floats(-30, 60),
    st.floats(-30, 60),
    st.booleans(),
    st.floats(-3, 3),
)
cells = st.tuples(st.integers(1, COLUMNS - 2), st.integers(1, ROWS - 2))
directions = st.integers(0, 5)


@given(layouts, cells, directions, st.floats(0.25, 0.75), st.floats(-0.05, 0.05))
def test_nearest_hexside_of_places_near_its_middle(
    layout: Layout, cell: tuple[int, int], direction: int, along: float, beside: float
) -> None:
    p, q = layout.side(*cell, direction)
    towards = np.array(layout.centre(*neighbour(*cell, direction))) - layout.centre(*cell)
    x, y = p + along * (q - p) + beside * towards
    made = replace(BOARD, layout=layout)
    a, b = made.by_offset[cell].name, made.by_offset[neighbour(*cell, direction)].name
    assert hexside_near(made, x, y) in (f"{a}-{b}", f"{b}-{a}")
    assert hex_at(made, x, y) == (a if beside < 0 else b) or abs(beside) < 1e-9


@given(layouts, cells, directions, st.floats(0, 1))
def test_distance_from_the_hexside(
    layout: Layout, cell: tuple[int, int], direction: int, share: float
) -> None:
    made = replace(BOARD, layout=layout)
    centre = np.array(layout.centre(*cell))
    middle = layout.side(*cell, direction).mean(axis=0)
    at = centre + share * (middle - centre)
    found = hexside_distance(made, at[:1], at[1:])
    assert found[0] == pytest.approx(0.5 * (1 - share), abs=1e-6)


def test_no_hexside_at_the_edge_of_the_board() -> None:
    corners = BOARD.layout.side(0, 0, 0).mean(axis=0)
    assert hexside_near(BOARD, corners[0], corners[1] + 1) == ""
    assert hexside_near(BOARD, -500.0, -500.0) == ""
    assert hex_at(BOARD, -500.0, -500.0) == ""
    assert hexside_middle(BOARD, "A1-Z9") is None


@settings(max_examples=25)
@given(layouts, cells)
def test_pixels_of_a_hex(layout: Layout, cell: tuple[int, int]) -> None:
    raster = survey().terrain
    owner = owner_index(layout, [cell], SIZE)
    found = pixels_of(raster, layout, cell)
    assert sorted(found.tolist()) == sorted(raster[owner == 0].tolist())


@given(
    st.floats(-0.24, 0.24),
    st.floats(-0.24, 0.24),
    st.integers(-4, 4),
    st.integers(-4, 4),
    st.booleans(),
)
def test_offset_is_found_however_the_print_is_numbered(
    right: float, down: float, columns: int, rows: int, sideways: bool
) -> None:
    stated = Layout.from_grid(56.25, 64.5, 20.0, 30.0, sideways=sideways)
    way = np.array([right, down]) * stated.dy
    moved = replace(stated, origin_px=tuple((np.array(stated.origin_px) - way).tolist()))
    other = moved.lattice_to_pixel(to_lattice(columns, rows))
    # Numbering may begin at any hex of an even column without changing what odd-q means.
    fitted = replace(moved, origin_px=tuple(other.tolist())) if columns % 2 == 0 else moved
    gap = gap_of(GridEvidence("x", "module", (900, 700), stated, fitted), stated, fitted)
    assert gap.offset_px == pytest.approx(tuple(way), abs=1e-6)
    assert gap.drift == pytest.approx(0, abs=1e-9)
    assert gap.lean == pytest.approx(0, abs=1e-9)
    assert gap.printed.origin_px == pytest.approx(moved.origin_px, abs=1e-6)
    assert not gap.half_hex or math.hypot(right, down) > 0.34


@given(directions, st.floats(-0.05, 0.05), st.floats(-0.05, 0.05), st.booleans())
def test_half_a_hex_in_any_direction(
    direction: int, right: float, down: float, sideways: bool
) -> None:
    stated = Layout.from_grid(56.25, 64.5, 20.0, 30.0, sideways=sideways)
    step = np.array(stated.centre(*neighbour(2, 2, direction))) - stated.centre(2, 2)
    at = np.array(stated.origin_px) + step / 2 + np.array([right, down]) * stated.dy
    fitted = replace(stated, origin_px=tuple(at.tolist()))
    assert gap_of(GridEvidence("x", "module", (900, 700), stated, fitted), stated, fitted).half_hex


def test_attributes_put_the_stated_grid_on_the_print() -> None:
    printed = Layout.from_grid(56.1, 64.3, 21.6, 29.4)
    module = GridEvidence("x", "module", (900, 700), None, printed)
    archive = replace(module, kind="archive")
    assert attributes_for(module, printed, spacing=False) == 'x0="22" y0="29"'
    assert attributes_for(module, printed, spacing=True).startswith('dx="56.1000" dy="64.3000"')
    assert attributes_for(archive, printed, spacing=True) == (
        'hexWidth="56.100" hexHeight="64.300" A1CenterX="21.60" A1CenterY="29.40"'
    )
