"""The samples' own lattice and numbering."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexsight.samples import Sample
from hexsight.samples.hexes import HexLayout, Numbering
from hexsight.samples.module import grid_attributes

layouts = st.builds(
    HexLayout,
    dx=st.floats(12, 120),
    dy=st.floats(12, 120),
    x0=st.floats(-80, 80),
    y0=st.floats(-80, 80),
    sideways=st.booleans(),
    numbering=st.just(Numbering()),
)
hexes = st.tuples(st.integers(-4, 30), st.integers(-4, 30))


@given(layouts, hexes)
def test_a_centre_lies_in_its_hex(layout: HexLayout, h: tuple[int, int]) -> None:
    assert layout.hex_at(*layout.centre(h)) == h


@given(layouts, hexes, st.integers(0, 5))
def test_neighbours_share_the_hexside(layout: HexLayout, h: tuple[int, int], i: int) -> None:
    n = layout.neighbours(h)[i]
    p, q = layout.hexside(h, n)
    for mine, theirs in zip((p, q), layout.hexside(n, h), strict=True):
        assert math.dist(mine, theirs) < 1e-6  # the same way round, too
    middle = ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
    a, b = layout.centre(h), layout.centre(n)
    assert middle == pytest.approx(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), abs=1e-6)


@given(layouts, hexes, st.integers(0, 5), st.integers(0, 1))
def test_three_adjoining_hexes_meet_at_a_vertex(
    layout: HexLayout, h: tuple[int, int], i: int, end: int
) -> None:
    n = layout.neighbours(h)[i]
    a, b, c = layout.vertex_hexes(h, n, end)
    assert (a, b) == (h, n)
    assert c in layout.neighbours(a) and c in layout.neighbours(b)


def test_hexside_needs_adjacent_hexes() -> None:
    layout = HexLayout(56.2, 64.9, 0.0, 0.0, False, Numbering())
    with pytest.raises(ValueError, match="not adjacent"):
        layout.hexside((0, 0), (2, 0))


def _vassal_raw(attributes: dict[str, str], x: int, y: int) -> tuple[int, int]:
    """Raw column and row as VASSAL computes them for a name: by column rectangles."""
    if attributes["sideways"] == "true":
        x, y = y, x
    dx, dy = float(attributes["dx"]), float(attributes["dy"])
    col = math.floor((x - int(attributes["x0"])) / dx + 0.5)
    shift = dy / 2 if col % 2 else 0.0
    return col, math.floor((y - int(attributes["y0"]) - shift) / dy + 0.5)


def test_the_module_names_each_centre_as_printed(sample: Sample) -> None:
    attributes = grid_attributes(sample.spec)
    for h in sample.truth["hexes"]:
        x, y = (round(c) for c in h["centre_px"])
        raw = _vassal_raw(attributes, x, y)
        assert raw == (h["col"], h["row"])
        assert sample.spec.layout.numbering.name(*raw) == h["name"]


@pytest.mark.shared
def test_names_equal_vassals(shared: Path) -> None:
    """Against the real engine's answers for grids whose axes ascend."""
    checked = 0
    for line in (shared / "vassal" / "grid-vectors.jsonl").read_text().splitlines():
        case = json.loads(line)
        n = case["numbering"]
        if n["hDescend"] or n["vDescend"]:
            continue
        numbering = Numbering(
            n["first"],
            n["sep"],
            n["hType"],
            n["vType"],
            n["hLeading"],
            n["vLeading"],
            n["hOff"],
            n["vOff"],
            n["stagger"],
        )
        for point in case["points"]:
            name = numbering.name(*point["raw"])
            if "-" in name.replace(n["sep"], "") or "-" in point["name"].replace(n["sep"], ""):
                continue  # samples have no negative places
            assert name == point["name"], (n, point)
            checked += 1
    assert checked > 1000
