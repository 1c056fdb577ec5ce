"""Printed names of the samples: the right numbering is confirmed, one beside it is not."""

from __future__ import annotations

import pytest

from hexsight.extract.labels import confirm_numbering
from hexsight.model.layout import Layout
from hexsight.samples import draw_board


@pytest.mark.parametrize(("dcol", "drow"), [(0, 0), (0, 1), (2, 0)])
def test_only_the_printed_numbering_is_confirmed(dcol, drow):
    sample = draw_board("red-factory")
    grid = sample.truth["grid"]
    layout = Layout.from_grid(grid["dx"], grid["dy"], grid["x0"], grid["y0"])
    printed = {(h["col"], h["row"]): h["name"] for h in sample.truth["hexes"]}
    names = {c: printed.get((c[0] + dcol, c[1] + drow), "") for c in printed}
    found = confirm_numbering(sample.picture, layout, names)
    assert found.verdict == ("agrees" if (dcol, drow) == (0, 0) else "disagrees"), found.reason
