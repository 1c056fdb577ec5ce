"""Printed names of real boards: the right ones are confirmed, those beside them are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexsight.extract import labels
from hexsight.extract.grid import align_to, search_grid
from hexsight.extract.labels import confirm_numbering, search_numbering
from hexsight.extract.labels_print import find_print
from hexsight.extract.source import open_any


@pytest.mark.shared
def test_a_real_board(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = open_any(shared / "boards" / "bd01")
    assert source.layout is not None
    rgb = source.picture.rgb
    fit = search_grid(rgb, hint=source.layout).fit
    assert fit is not None
    layout = align_to(fit.layout, source.layout, source.picture.size_px, extent=fit.extent)
    names = {(c, r): name for c, r, name in source.hexes}
    found = find_print(rgb, layout, list(names), fit.line_width_px)
    monkeypatch.setattr(labels, "find_print", lambda *_: found)
    assert confirm_numbering(rgb, layout, names).verdict == "agrees"
    for column, row in ((1, 0), (0, 1), (-1, 0), (0, -1), (2, 0), (0, -2)):
        moved = {
            (c, r): names[c + column, r + row] for c, r in names if (c + column, r + row) in names
        }
        answer = confirm_numbering(rgb, layout, moved)
        assert answer.verdict == "disagrees", (column, row)
        assert answer.shift == (-column, -row)
    proposal = search_numbering(rgb, layout).proposal
    assert proposal is not None and proposal.vasl is not None
