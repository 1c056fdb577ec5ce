"""The lattice: exact integers, affine pictures, round trips."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexsight.model.layout import (
    CORNERS,
    Layout,
    direction_to,
    from_lattice,
    hex_distance,
    neighbour,
    to_lattice,
    vertex_hexes,
)

cells = st.tuples(st.integers(-60, 60), st.integers(-60, 60))
layouts = st.builds(
    Layout.from_grid,
    st.floats(12, 300),
    st.floats(12, 300),
    st.floats(-500, 500),
    st.floats(-500, 500),
    sideways=st.booleans(),
    rot_deg=st.floats(-20, 20),
    skew_deg=st.floats(-5, 5),
)


@given(cells)
def test_lattice_round_trip(cell):
    assert from_lattice(*to_lattice(*cell)) == cell


def test_vertices_are_no_centres():
    with pytest.raises(ValueError, match="no hex centre"):
        from_lattice(2, 0)


@given(cells, st.integers(0, 5))
def test_neighbours_agree(cell, direction):
    other = neighbour(*cell, direction)
    assert direction_to(cell, other) == direction
    assert neighbour(*other, direction + 3) == cell
    assert hex_distance(cell, other) == 1


@given(cells, st.integers(0, 5))
def test_three_hexes_meet_in_a_vertex(cell, corner):
    X, Y = to_lattice(*cell)
    around = vertex_hexes(X + CORNERS[corner][0], Y + CORNERS[corner][1])
    assert len(around) == 3
    assert cell in around
    assert neighbour(*cell, corner) in around
    assert neighbour(*cell, corner - 1) in around


@given(layouts, cells)
def test_pixel_round_trip(layout, cell):
    assert tuple(layout.pixel_to_hex(layout.centre(*cell))) == cell
    assert np.allclose(
        layout.pixel_to_lattice(layout.corners(*cell)),
        [(to_lattice(*cell)[0] + a, to_lattice(*cell)[1] + b) for a, b in CORNERS],
        atol=1e-6,
    )


@given(layouts)
def test_numbers_come_back(layout):
    again = Layout.from_grid(
        layout.dx,
        layout.dy,
        layout.x0,
        layout.y0,
        sideways=layout.sideways,
        rot_deg=layout.rot_deg,
        skew_deg=layout.skew_deg,
    )
    assert np.allclose(again.col_px, layout.col_px)
    assert np.allclose(again.row_px, layout.row_px)
    assert again.origin_px == layout.origin_px


@given(layouts, cells, st.integers(0, 5), st.floats(0.02, 0.98), st.floats(0.02, 0.96))
def test_points_inside_a_hex_belong_to_it(layout, cell, corner, along, out):
    corners = layout.corners(*cell)
    edge = corners[corner] * along + corners[(corner + 1) % 6] * (1 - along)
    point = np.array(layout.centre(*cell)) * (1 - out) + edge * out
    assert tuple(layout.pixel_to_hex(point)) == cell


def test_owner_map_is_pixel_to_hex():
    layout = Layout.from_grid(20.5, 23.7, 3.2, -4.0)
    cols, rows = layout.owner_map((90, 70))
    assert cols.shape == (70, 90)
    for x, y in [(0, 0), (89, 69), (45, 33), (12, 60)]:
        assert (cols[y, x], rows[y, x]) == tuple(layout.pixel_to_hex((x, y)))


def test_hexes_on_lists_centres_inside():
    layout = Layout.from_grid(30, 34, 0, 17)
    inside = set(layout.hexes_on((91, 69)))
    assert (0, 0) in inside
    assert (3, 1) in inside  # centre at y = 68, on the last row of pixels
    assert (3, 2) not in inside
    assert all(0 <= layout.centre(*c)[0] < 91 for c in inside)
