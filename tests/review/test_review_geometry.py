"""A board as JSON for the page: names, places, words, and patches between two states."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
from painted import HEDGE, Painted

from hexsight.model.board import Cell
from hexsight.model.derive import derive
from hexsight.model.locations import locations_of
from hexsight.model.overrides import HexOverride, HexsideOverride, Overrides
from hexsight.review.geometry import board_json, hex_words, patch_between


def _painted() -> Painted:
    return (
        Painted(5, 5).hexes("B2", "B3", "C3").side("B2", "B3").side("D4", "E4", HEDGE).stairs("B3")
    )


def test_hexes_locations_and_corners_fit_together():
    board = derive(_painted().survey())
    told = board_json(board)
    assert [h["name"] for h in told["hexes"]] == [h.name for h in board.hexes]
    for i, one in enumerate(told["hexes"]):
        first, count = one["locations"]
        assert count >= 1
        assert all(told["locations"][k][0] == i for k in range(first, first + count))
    assert [loc[1] for loc in told["locations"]] == [loc.name for loc in locations_of(board)]
    facts = board.hexes[7]
    corners = np.array(told["corners_px"]) + [facts.x_px, facts.y_px]
    assert np.abs(corners - board.layout.corners(facts.col, facts.row)).max() < 0.02


def test_hexsides_are_those_that_carry_something():
    board = derive(_painted().survey())
    sides = {s["name"]: s for s in board_json(board)["hexsides"]}
    assert "B2-B3" in sides
    assert sides["B2-B3"]["words"].startswith("Bar of 2½ levels along all of it")
    assert sides["B2-B3"]["bar"][0][0] == 0.0
    assert len(sides) < len(board.hexsides) / 4
    # One that is corrected is told even where nothing lies along it.
    said = {"hexsides": {"A2 - A1": {"bar": "none"}}}
    again = {s["name"]: s for s in board_json(board, corrections=said)["hexsides"]}
    assert again["A1-A2"]["override"] == {"bar": "none"}
    assert again["A1-A2"]["words"] == "Nothing."


def test_words_say_what_stands_in_a_hex():
    wanted = HexOverride(height=1.5, building="wood")
    board = derive(_painted().survey(), Overrides({"E1": wanted}))
    assert hex_words(board, board.by_name["E1"]) == "Wooden building of 1½ levels."
    told = hex_words(board, board.by_name["B3"])
    assert told.startswith("Stone")
    assert "stairwell" in told
    assert hex_words(board, board.by_name["A5"]) == "Open Ground."
    high = replace(board.by_name["A5"], base_half=3)
    assert hex_words(board, high) == "Open Ground, ground at level 1½."


def test_names_of_any_characters_stay_what_they_are():
    survey = _painted().survey()
    names = {0: "</script>", 1: 'a"b', 2: "\u2028", 3: "<img onerror=1>"}
    cells = tuple(Cell(c.col, c.row, names.get(i, c.name)) for i, c in enumerate(survey.cells))
    told = board_json(derive(replace(survey, cells=cells)))
    back = json.loads(json.dumps(told, allow_nan=False))
    assert [h["name"] for h in back["hexes"][:4]] == list(names.values())


def test_what_is_taken_over_from_before_is_what_would_be_told_anew():
    survey = _painted().survey()
    first = derive(survey)
    before = board_json(first)
    corrections = [
        Overrides({"A5": HexOverride(terrain="Woods")}),
        Overrides({"B2": HexOverride(building="none")}),
        Overrides({"B3": HexOverride(height=2.5), "E5": HexOverride(building="wood")}),
        Overrides(hexsides={"B2-B3": HexsideOverride(bar="none")}),
        Overrides(hexsides={"A1-A2": HexsideOverride(bar="full", terrain="Wall")}),
    ]
    for wanted in corrections:
        board = derive(survey, wanted)
        said = {"hexes": {name: {} for name in wanted.hexes}, "hexsides": {"A1-A2": {"bar": "x"}}}
        told = board_json(board, None, said, (first, before))
        assert told == board_json(board, None, said)
        assert any(a is b for a, b in zip(told["hexes"], before["hexes"], strict=True))


def test_a_patch_holds_what_differs_and_no_more():
    survey = _painted().survey()
    before = board_json(derive(survey))
    after = board_json(derive(survey, Overrides({"A5": HexOverride(terrain="Woods")})))
    patch = patch_between(before, after)
    assert patch["hexes"].keys() == {"4"}
    assert patch["hexes"]["4"]["words"] == "Woods."
    assert "terrains" not in patch
    assert "layout" not in patch
    assert patch_between(before, before) == {}
    fewer = {**after, "hexes": after["hexes"][1:]}
    assert patch_between(before, fewer)["hexes"] == fewer["hexes"]
