"""Outlines are exact: a pixel is the unit square round its centre."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from shapely.geometry import Point, Polygon

from hexsight.model.shapes import mask_polygons, rings_of

masks = arrays(bool, st.tuples(st.integers(1, 12), st.integers(1, 12)))


@settings(deadline=None)
@given(masks)
def test_area_and_membership(mask):
    polygons = mask_polygons(mask, simplify_px=0)
    assert sum(p.area for p in polygons) == mask.sum()
    assert all(p.is_valid for p in polygons)
    for (y, x), inside in np.ndenumerate(mask):
        assert any(p.contains(Point(x, y)) for p in polygons) == inside


@given(masks)
def test_simplifying_moves_no_point_far(mask):
    exact = mask_polygons(mask, simplify_px=0)
    for polygon in mask_polygons(mask, simplify_px=0.6):
        assert min(polygon.hausdorff_distance(e) for e in exact) < 1.5


def test_holes_and_offset():
    mask = np.ones((7, 9), bool)
    mask[2:4, 3:6] = False
    (polygon,) = mask_polygons(mask, offset_px=(100, 10), simplify_px=0)
    rings = rings_of(polygon)
    assert len(rings) == 2
    assert polygon.bounds == (99.5, 9.5, 108.5, 16.5)
    assert Polygon(rings[1]).area == 6
