"""How long it takes to draw the overlay of the sample, beside a plain copy of its picture."""

from __future__ import annotations

import numpy as np
import pytest

from hexsight.export.picture import render_overlay
from hexsight.model.board import Cell, Survey
from hexsight.model.derive import derive
from hexsight.model.layout import Layout
from hexsight.samples import draw_board

pytest.importorskip("pytest_benchmark")


@pytest.fixture(scope="module")
def drawn():
    sample = draw_board("red-factory")
    grid = sample.truth["grid"]
    layout = Layout.from_grid(grid["dx"], grid["dy"], grid["x0"], grid["y0"])
    cells = tuple(Cell(h["col"], h["row"], h["name"]) for h in sample.truth["hexes"])
    flat = np.zeros(sample.terrain.shape, np.int8)
    return sample.picture, derive(
        Survey("red-factory", layout, cells, sample.terrain, flat, typed=True)
    )


def test_copy(benchmark, drawn):
    benchmark(drawn[0].copy)


def test_overlay(benchmark, drawn):
    benchmark(render_overlay, *drawn)
