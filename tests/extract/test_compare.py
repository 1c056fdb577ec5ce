"""What was found against the truth: by terrain class, by hex, by bar."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from painted import BAR, DIRT, FLOOR, STONE, WOOD, WOODS, Painted

from hexsight.export.differences import Verdict, pixel_verdicts
from hexsight.extract.compare import compare
from hexsight.extract.compare_report import comparison_json, comparison_text
from hexsight.model.board import Board
from hexsight.model.classes import terrain_classes
from hexsight.model.derive import derive
from hexsight.model.terrain import load_catalogue


def _town(*, bar: bool = True, woods: int = WOODS, shed: bool = True, high: str = "") -> Board:
    paint = Painted(6, 6).hexes("B2", "B3", "C2", "C3").hexes("E5", code=woods)
    if bar:
        paint.side("B2", "B3")
    if shed:
        paint.hexes("E2", code=WOOD, grow=0.5)
    survey = paint.stairs("C2").survey()
    if high:
        elevation = survey.elevation_half.copy()
        x, y = (round(v) for v in paint.layout.centre(*paint.where[high]))
        elevation[y - 8 : y + 9, x - 8 : x + 9] = 2
        survey = replace(survey, elevation_half=elevation)
    return derive(survey)


def test_a_board_agrees_with_itself() -> None:
    board = _town()
    result = compare(board, board)
    assert (result.agreement, result.elevation_agreement) == (1.0, 1.0)
    assert result.hexes == ()
    assert (result.bars_agreed, result.bars_missed, result.bars_false) == (1, 0, 0)
    assert all(c.missed_px == c.false_px == 0 and c.iou == 1.0 for c in result.classes)


def test_each_difference_is_told_where_it_is_worst_first() -> None:
    result = compare(_town(bar=False, woods=DIRT, shed=False), _town(high="A6"))
    facts = {h.name: [str(f) for f in h.facts] for h in result.hexes}
    assert facts["E5"] == ["terrain Dirt Road, not Woods"]
    assert facts["B2"] == facts["B3"] == ["bar B2-B3 no, not yes"]
    assert "building none, not wood" in facts["E2"]
    assert facts["A6"] == ["elevation 0, not 1"]
    assert result.hexes[0].name == "E2"
    assert result.bars_missed == 1
    by_name = {c.name: c for c in result.classes}
    assert by_name["Woods"].taken_for == (("Dirt Road", by_name["Woods"].missed_px),)
    assert by_name["Dirt Road"].really == (("Woods", by_name["Dirt Road"].false_px),)
    assert by_name["Wooden building"].iou == 0.0
    assert result.elevations == ((0, 2, 17 * 17),)


def test_print_is_left_out() -> None:
    found, truth = _town(), _town(woods=DIRT)
    every = compare(found, truth)
    assert every.agreement < 1.0
    assert compare(found, truth, found.terrain != truth.terrain).agreement == 1.0


def test_heights_and_codes_of_one_class_agree() -> None:
    board = _town()
    other = replace(board, terrain=np.where(board.terrain == WOOD, 52, board.terrain))
    assert compare(board, replace(other, terrain=other.terrain.astype(np.uint8))).agreement == 1.0


def test_boards_of_two_pictures_are_refused() -> None:
    with pytest.raises(ValueError, match="one picture"):
        compare(_town(), derive(Painted(5, 5).survey()))


def test_text_and_json_tell_the_same() -> None:
    result = compare(_town(bar=False, woods=DIRT), _town())
    answer = json.loads(json.dumps(comparison_json(result)))
    assert answer["bars"] == {"agreed": 0, "missed": 1, "false": 0}
    assert list(answer["hexes"]) == [h.name for h in result.hexes]
    text = comparison_text(result, most_hexes=1)
    assert "missed: taken for" in text
    assert f"… and {len(result.hexes) - 1} more" in text
    assert "Woods" in text


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from([0, STONE, WOOD, FLOOR, BAR, DIRT, WOODS, 90, 8]), min_size=8))
def test_counts_add_up_and_verdicts_follow_them(codes: list[int]) -> None:
    board = _town()
    rng = np.random.default_rng(len(codes))
    terrain = np.array(codes, np.uint8)[rng.integers(0, len(codes), board.terrain.shape)]
    found = replace(board, terrain=terrain)
    result = compare(found, board)
    assert sum(c.truth_px for c in result.classes) == result.compared_px
    assert sum(c.missed_px for c in result.classes) == sum(c.false_px for c in result.classes)
    verdicts = pixel_verdicts(found, board)[found.owner >= 0]
    differing = int(np.count_nonzero(verdicts != Verdict.AGREED))
    assert differing == sum(c.missed_px for c in result.classes)


def test_classes_hold_every_code_and_know_buildings() -> None:
    classes = terrain_classes(load_catalogue())
    assert classes.table.shape == (256,)
    assert classes.names[classes.table[45]] == classes.names[classes.table[41]] == "Stone building"
    assert classes.depiction[classes.table[FLOOR]] and classes.depiction[classes.table[BAR]]
    assert classes.ground[classes.table[0]] and classes.ground.sum() == 1
