"""Every answer of the real VASSAL for random grids and numberings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hexsight.model.vassal_grid import HexGrid
from hexsight.model.vassal_numbering import HexGridNumbering


def _grid(line: dict[str, Any]) -> HexGrid:
    def text(value: object) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    numbering = HexGridNumbering.from_attributes({k: text(v) for k, v in line["numbering"].items()})
    return HexGrid.from_attributes({k: text(v) for k, v in line["grid"].items()}, numbering)


@pytest.mark.shared
def test_every_line_of_the_engine_vectors_is_equal(shared: Path) -> None:
    lines = (shared / "vassal" / "grid-vectors.jsonl").read_text().splitlines()
    assert len(lines) >= 160
    for line in map(json.loads, lines):
        grid = _grid(line)
        numbering = grid.numbering
        assert numbering is not None
        size = line["board"]["width"], line["board"]["height"]
        for p in line["points"]:
            x, y = p["x"], p["y"]
            assert grid.raw(x, y) == tuple(p["raw"]), (line, p)
            assert grid.name(x, y, size) == p["name"], (line, p)
            assert grid.snap(x, y) == tuple(p["snap"]), (line, p)
            assert grid.name(*grid.snap(x, y), size) == p["snap_name"], (line, p)
        for centre in line["centres"]:
            raw = numbering.engine_raw(grid, size, centre["col"], centre["row"])
            assert grid.looked_up_centre(*raw) == (centre["x"], centre["y"]), (line, centre)
