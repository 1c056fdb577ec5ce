"""Exact traversal: against slow geometry, and the same from both ends."""

from __future__ import annotations

import math

from hypothesis import assume, given
from hypothesis import strategies as st
from shapely.geometry import LineString, Polygon

from hexsight.los.traverse import SUB, hex_line, pixel_line
from hexsight.model.layout import CORNERS, hex_distance, to_lattice

offsets = st.tuples(st.integers(-6, 14), st.integers(-6, 14))


def regular(X: int, Y: int) -> tuple[float, float]:
    """Lattice point in a plane where hexes are regular."""
    return float(X), Y * math.sqrt(3.0)


def hexagon(col: int, row: int) -> Polygon:
    X, Y = to_lattice(col, row)
    return Polygon([regular(X + a, Y + b) for a, b in CORNERS])


@given(offsets, offsets)
def test_same_from_both_ends(a, b):
    there, back = hex_line(a, b), hex_line(b, a)
    assert there.steps == back.steps[::-1]
    assert there.vertices == back.vertices[::-1]


@given(offsets, offsets)
def test_crosses_what_plane_geometry_crosses(a, b):
    line = LineString([regular(*to_lattice(*a)), regular(*to_lattice(*b))])
    found = {h for step in hex_line(a, b).steps for h in step.hexes}
    for col in range(min(a[0], b[0]) - 1, max(a[0], b[0]) + 2):
        for row in range(min(a[1], b[1]) - 2, max(a[1], b[1]) + 3):
            inside = hexagon(col, row).buffer(1e-9).intersection(line).length > 1e-4
            assert ((col, row) in found) == (inside or (col, row) == a == b)


@given(offsets, offsets)
def test_vertices_lie_on_the_line(a, b):
    (ax, ay), (bx, by) = to_lattice(*a), to_lattice(*b)
    for x, y in hex_line(a, b).vertices:
        assert (bx - ax) * (y - ay) == (by - ay) * (x - ax)


@given(offsets, offsets)
def test_all_hexes_lie_between(a, b):
    """Why Hindrance may go by range from either end."""
    reach = hex_distance(a, b)
    for step in hex_line(a, b).steps:
        for h in step.hexes:
            assert hex_distance(a, h) + hex_distance(h, b) == reach


def test_runs_along_a_hexside():
    line = hex_line((0, 0), (2, 0))
    assert [s.hexes for s in line.steps] == [((0, 0),), ((1, -1), (1, 0)), ((2, 0),)]
    assert line.steps[1].along
    assert line.vertices == ((2, 0), (4, 0))


points = st.tuples(st.integers(0, 12 * SUB), st.integers(0, 12 * SUB))
corners = st.tuples(st.integers(0, 24), st.integers(0, 24)).map(
    lambda p: (p[0] * SUB // 2, p[1] * SUB // 2)
)


@given(points | corners, points | corners)
def test_pixels_same_from_both_ends_and_mirrored(a, b):
    assume(a != b)
    there = pixel_line(a, b)
    assert there == pixel_line(b, a)
    wide = 12 * SUB
    mirrored = pixel_line((wide - a[0], a[1]), (wide - b[0], b[1]))
    assert {(11 - x, y) for x, y in there} == mirrored


@given(points, points)
def test_pixels_are_those_that_plane_geometry_crosses(a, b):
    line = LineString([a, b])
    found = pixel_line(a, b)
    for x in range(12):
        for y in range(12):
            square = Polygon(
                [(u * SUB, v * SUB) for u, v in ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))]
            )
            length = square.intersection(line).length if a != b else 0.0
            if length > 1:
                assert (x, y) in found
            elif not square.buffer(1).intersects(line):
                assert (x, y) not in found
