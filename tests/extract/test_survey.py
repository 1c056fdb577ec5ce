"""The whole reading of a picture, on the sample boards and on real ones."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hexsight.extract.image import load_picture
from hexsight.extract.legend import load_legend, pick_legend
from hexsight.extract.survey import survey_picture
from hexsight.model.board import Board, Cell, Survey
from hexsight.model.derive import derive
from hexsight.model.layout import Layout
from hexsight.model.terrain import load_catalogue
from hexsight.samples import Sample, board_names, draw_board

BUILT = load_catalogue().table(
    kind=frozenset(
        {
            "building",
            "factory",
            "factory-wall",
            "roofless",
            "interior-wall",
            "rowhouse-wall",
            "market",
        }
    )
)


@cache
def _sample(name: str) -> tuple[Sample, Survey, Board]:
    sample = draw_board(name)
    grid = sample.truth["grid"]
    layout = Layout.from_grid(
        grid["dx"], grid["dy"], grid["x0"], grid["y0"], sideways=grid["sideways"]
    )
    cells = sorted((h["col"], h["row"], h["name"]) for h in sample.truth["hexes"])
    survey = survey_picture(
        sample.picture,
        layout,
        tuple(Cell(*c) for c in cells),
        legend=pick_legend(sample.picture),
        name=name,
    )
    return sample, survey, derive(survey)


def _pairs(names: Any) -> set[tuple[str, ...]]:
    return {tuple(sorted(n.split("-"))) for n in names}


@pytest.mark.parametrize("name", board_names(default_only=True))
def test_everything_drawn_is_found(name: str) -> None:
    sample, _, board = _sample(name)
    truth = {h["name"]: h for h in sample.truth["hexes"]}
    facts = board.by_name
    for what, drawn, found in (
        ("building", lambda h: h["building_fraction"] >= 0.03, lambda f: f.building > 0),
        ("factory", lambda h: h["factory"], lambda f: f.factory),
        ("stairwell", lambda h: h["stairwell"], lambda f: f.stairwell),
        ("entrance", lambda h: h["vehicular_entrance"], lambda f: f.vehicular_entrance),
        ("roofless", lambda h: h["roofless"], lambda f: f.roofless),
    ):
        wanted = {n for n, h in truth.items() if drawn(h)}
        assert {n for n, f in facts.items() if found(f)} == wanted, what
    bars = {tuple(sorted((s.a, s.b))) for s in board.hexsides if s.bar_share > 0.2}
    assert bars == _pairs(b["hexside"] for b in sample.truth["bars"])
    for what, code in (("walls", 72), ("hedges", 73)):
        found = {tuple(sorted((s.a, s.b))) for s in board.hexsides if s.terrain == code}
        assert found == _pairs(sample.truth[what]), what


@pytest.mark.parametrize("name", board_names(default_only=True))
def test_outlines_are_right_to_a_pixel(name: str) -> None:
    sample, survey, _ = _sample(name)
    drawn, found = BUILT[sample.terrain], BUILT[survey.terrain]
    assert (drawn & found).sum() / (drawn | found).sum() > 0.97
    assert survey.confidence is not None
    assert survey.confidence.shape == survey.terrain.shape
    assert survey.confidence[found].mean() > survey.confidence[~found].mean() * 0.8


def test_the_same_picture_gives_the_same_survey_and_steps_are_told() -> None:
    sample, first, _ = _sample(board_names(default_only=True)[0])
    told: list[tuple[str, float]] = []
    again = survey_picture(
        sample.picture,
        first.layout,
        first.cells,
        legend=load_legend("samples"),
        name=first.name,
        building_types={"A1": 41},
        progress=lambda step, share: told.append((step, share)),
    )
    assert (again.terrain == first.terrain).all()
    assert again.stairwells == first.stairwells
    assert again.doubts == first.doubts
    assert again.building_types == {"A1": 41}
    assert [s for _, s in told] == sorted(s for _, s in told)
    assert told[-1][1] == 1.0


def test_doubts_name_a_place_and_a_way_out() -> None:
    for name in board_names(default_only=True):
        sample, survey, _ = _sample(name)
        height, width = sample.terrain.shape
        for doubt in survey.doubts:
            assert 0 <= doubt.x_px < width
            assert 0 <= doubt.y_px < height
            assert doubt.note.endswith(".")
            assert "\n" not in doubt.override


def _real(shared: Path, name: str) -> tuple[Survey, NDArray[np.uint8], dict[str, Any]]:
    truth = shared / "truth" / name
    grid = json.loads((truth / "grid.json").read_text())
    layout = Layout.from_grid(grid["dx"], grid["dy"], grid["x0"], grid["y0"])
    hexes = json.loads((truth / "hexes.json").read_text())["hexes"]
    cells = sorted((h["col"], h["row"] - h["col"] % 2, h["name"]) for h in hexes)
    picture = load_picture(shared / "boards" / name / f"{name}.gif").rgb
    survey = survey_picture(
        picture,
        layout,
        tuple(Cell(*c) for c in cells),
        legend=load_legend("vasl"),
        name=name,
    )
    labels = load_picture(truth / "terrain.png").rgb[:, :, 0]
    return survey, labels, {h["name"]: h for h in hexes}


@pytest.mark.shared
@pytest.mark.parametrize("name", ["bd23", "bdBFPA"])
def test_real_boards(shared: Path, name: str) -> None:
    survey, labels, hexes = _real(shared, name)
    found, drawn = BUILT[survey.terrain], BUILT[labels]
    assert (drawn & found).sum() / (drawn | found).sum() > 0.95
    board = derive(survey)
    clear = {n for n, h in hexes.items() if not 0 < h["building_frac"] < 0.03}
    wanted = {n for n in clear if hexes[n]["has_building"]}
    got = {n for n in clear if board.by_name[n].building}
    assert len(wanted ^ got) <= 2
    sides = json.loads((shared / "truth" / name / "hexsides.json").read_text())["hexsides"]
    bars = {tuple(sorted(s["hexes"])) for s in sides if s["bar_cov"] >= 0.5}
    unclear = {tuple(sorted(s["hexes"])) for s in sides if 0.15 < s["bar_cov"] < 0.5}
    seen = {tuple(sorted((s.a, s.b))) for s in board.hexsides if s.bar_share >= 0.38}
    assert seen - unclear == bars
