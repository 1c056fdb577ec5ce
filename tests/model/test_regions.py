"""Regions of a mask: windows, padding at the edge, and sizes that part large from small."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hexsight.model.regions import large_regions, regions_of, small_regions

MASKS = arrays(np.bool_, st.tuples(st.integers(1, 12), st.integers(1, 12)))


@given(MASKS, st.sampled_from([4, 8]), st.integers(0, 4))
def test_windows_hold_all_of_each_region(mask, connectivity, pad):
    again = np.zeros(mask.shape, int)
    for region in regions_of(mask, connectivity=connectivity):
        pixels = region.pixels(pad)
        assert again[region.window(pad)].shape == pixels.shape
        assert np.count_nonzero(pixels) == region.area
        again[region.window(pad)] += pixels
    assert (again == mask).all()


@given(MASKS, st.integers(0, 20))
def test_a_region_is_large_or_small(mask, least):
    large = large_regions(mask, least, connectivity=4)
    small = small_regions(mask, least, connectivity=4)
    assert ((large ^ small) == mask).all()
    for region in regions_of(mask, connectivity=4):
        assert (large if region.area >= least else small)[region.window()][region.pixels()].all()


@pytest.mark.parametrize(("connectivity", "count"), [(4, 2), (8, 1)])
def test_corners_join_where_they_are_asked_to(connectivity, count):
    mask = np.eye(2, dtype=bool)
    assert len(regions_of(mask, connectivity=connectivity)) == count
