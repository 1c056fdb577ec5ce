"""Openings: written roughly, moved on to walls, kept in the board folder."""

from __future__ import annotations

import math

import numpy as np
import pytest
from painted import Painted

from hexsight.export.picture import render_overlay
from hexsight.model.board import Board
from hexsight.model.compose import Placement, compose
from hexsight.model.derive import derive
from hexsight.model.errors import InputError, UsageError
from hexsight.model.openings import OpeningOverride, outline
from hexsight.model.overrides import Overrides
from hexsight.model.store import BOARD_FILE, load_board, save_board
from hexsight.project import load_project, override_places


def board(*openings: dict, turn_deg: float = 0.0) -> Board:
    """A house 60 × 40 px with its middle at (90, 100), turned."""
    painted = Painted(5, 5)
    t = math.radians(turn_deg)
    along, up = np.array([math.cos(t), math.sin(t)]), np.array([-math.sin(t), math.cos(t)])
    corners = [
        np.array([90, 100]) + 30 * i * along + 20 * j * up
        for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    painted._fill(np.array(corners), 40)
    said = tuple(OpeningOverride.model_validate(o) for o in openings)
    return derive(painted.survey(), Overrides(openings=said))


def test_a_place_and_a_width_are_moved_on_to_the_wall():
    found = board({"at": [95, 76], "width": 14}).openings
    (a, b) = sorted(found[0].ends_px)
    assert (a[0], b[0]) == (pytest.approx(88, abs=0.01), pytest.approx(102, abs=0.01))
    assert a[1] == b[1] == pytest.approx(79.5, abs=0.6)
    assert found[0].building == 1 and found[0].level is None


def test_two_points_are_moved_on_to_the_wall():
    found = board({"between": [[58, 95], [63, 105]], "level": 1}).openings[0]
    assert all(x == pytest.approx(59.5, abs=0.6) for x, _ in found.ends_px)
    assert sorted(y for _, y in found.ends_px) == pytest.approx([95, 105], abs=0.01)
    assert found.level == 1


def test_the_building_lies_to_the_left_of_every_opening():
    house = board(*({"at": p, "width": 8} for p in ([90, 80], [120, 100], [90, 120], [60, 100])))
    middle = np.array([90.0, 100.0])
    for opening in house.openings:
        a, b = (np.array(p) for p in opening.ends_px)
        along = b - a
        left = np.array([-along[1], along[0]])
        assert left @ (middle - a) > 0


@pytest.mark.parametrize("turn", [0, 7, 20, 33, 45, 61, 80])
def test_walls_of_a_turned_house_are_straight(turn):
    house = board(turn_deg=turn)
    shape = outline(house.buildings[0], house.layout.dy)
    assert len(shape.exterior.coords) == 5
    assert shape.area == pytest.approx(60 * 40, rel=0.05)


@pytest.mark.parametrize("turn", [0, 12, 45, 80])
def test_nibbles_where_grid_lines_cross_a_wall_do_not_bend_it(turn):
    """A quarter of one wall bulges by a tenth of a hex; the opening stays where it was written."""
    t = math.radians(turn)
    along, up = np.array([math.cos(t), math.sin(t)]), np.array([-math.sin(t), math.cos(t)])

    def at(i: float, j: float) -> np.ndarray:
        return np.array([90, 100]) + i * along + j * up

    painted = Painted(5, 5)
    painted._fill(np.array([at(-30, -20), at(30, -20), at(30, 20), at(-30, 20)]), 40)
    painted._fill(np.array([at(8, -24), at(23, -24), at(23, 0), at(8, 0)]), 40)
    said = OpeningOverride.model_validate({"at": at(4, -20).tolist(), "width": 12})
    house = derive(painted.survey(), Overrides(openings=(said,)))
    assert len(outline(house.buildings[0], house.layout.dy).exterior.coords) == 5
    middle = np.mean(house.openings[0].ends_px, axis=0)
    assert np.hypot(*(middle - at(4, -20))) < 1.5


def test_a_house_with_a_wing_keeps_its_corners():
    painted = Painted(5, 5).box(50, 60, 110, 90).box(50, 60, 75, 130)
    house = derive(painted.survey()).buildings[0]
    assert len(outline(house, painted.layout.dy).exterior.coords) == 7


def test_an_opening_at_a_corner_is_pushed_on_to_its_wall():
    (a, b) = sorted(board({"at": [61, 79], "width": 20}).openings[0].ends_px)
    assert a[1] == b[1]
    assert a[0] >= 59 and b[0] - a[0] == pytest.approx(20, abs=0.01)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"at": [20, 20], "width": 8}, "no straight wall of a building runs at \\(20, 20\\)"),
        ({"at": [90, 80], "width": 90}, "px long and the opening 90"),
        ({"between": [[60, 80], [120, 120]]}, "no straight wall"),
        ({"between": [[90, 74], [91, 86]]}, "does not run along the wall"),
    ],
)
def test_an_opening_without_a_wall_is_told(said, told):
    with pytest.raises(UsageError, match=told):
        board(said)


def test_mistakes_are_told_with_their_line(tmp_path):
    file = tmp_path / "hexsight.yaml"
    file.write_text(
        "source: a.png\noverrides:\n  openings:\n    - {at: [20, 20], width: 8}\n", "utf-8"
    )
    said = load_project(file).overrides.overrides(override_places(file))
    painted = Painted(5, 5).box(60, 80, 120, 120)
    with pytest.raises(UsageError, match=r"hexsight\.yaml, line 4: no straight wall"):
        derive(painted.survey(), said)


@pytest.mark.parametrize(
    "entry",
    ["{at: [1, 2]}", "{width: 3}", "{at: [1, 2], width: 3, between: [[1, 2], [3, 4]]}"]
    + ["{between: [[1, 2], [1, 2]]}", "{at: [.nan, 2], width: 3}", "{at: [1, 2], width: 0}"],
)
def test_what_is_no_opening_is_refused(tmp_path, entry):
    file = tmp_path / "hexsight.yaml"
    file.write_text(f"source: a.png\noverrides:\n  openings:\n    - {entry}\n", "utf-8")
    with pytest.raises(UsageError, match="line 4"):
        load_project(file)


def test_a_board_keeps_its_openings(tmp_path):
    made = board({"at": [90, 80], "width": 8}, {"at": [90, 120], "width": 9, "level": 0})
    save_board(made, tmp_path)
    assert load_board(tmp_path).openings == made.openings
    text = (tmp_path / BOARD_FILE).read_text("utf-8")
    (tmp_path / BOARD_FILE).write_text(
        text.replace('"openings": [\n  {"building": 1', '"openings": [\n  {"building": 7')
    )
    with pytest.raises(InputError, match="no wall"):
        load_board(tmp_path)


def test_a_board_without_openings_is_stored_as_before(tmp_path):
    save_board(board(), tmp_path)
    assert "openings" not in (tmp_path / BOARD_FILE).read_text("utf-8")


def test_composed_maps_keep_openings():
    one = board({"at": [90, 80], "width": 8})
    joined = compose([Placement(one)])
    assert len(joined.openings) == 1
    moved = np.subtract(joined.layout.origin_px, one.layout.origin_px)
    assert np.array(joined.openings[0].ends_px) == pytest.approx(
        np.array(one.openings[0].ends_px) + moved, abs=0.6
    )


def test_the_overlay_picture_shows_openings():
    plain, marked = board(), board({"at": [90, 80], "width": 20})
    rgb = np.full((*plain.size_px[::-1], 3), 200, np.uint8)
    layers = {"openings"}
    changed = np.argwhere(
        (
            render_overlay(rgb, marked, layers=layers) != render_overlay(rgb, plain, layers=layers)
        ).any(axis=2)
    )
    assert len(changed) and np.abs(changed[:, 0] - 80).max() < 8
