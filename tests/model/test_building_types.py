"""Wings that the makers name, and buildings that the map's edge cuts."""

from __future__ import annotations

import numpy as np
from painted import STONE, Painted

from hexsight.model.building_types import touches_edge
from hexsight.model.derive import derive
from hexsight.model.overrides import HexOverride, Overrides

ONE, TWO = 41, 42


def test_a_named_wing_keeps_its_height() -> None:
    painted = Painted().hexes("C3", "C4", grow=1.0).stairs("C3")
    board = derive(painted.survey(building_types={"C3": TWO, "C4": ONE}))
    assert len(board.buildings) == 1
    assert board.buildings[0].height_half == 5
    assert [board.by_name[n].height_half for n in ("C3", "C4")] == [5, 3]
    assert board.joins_levels(board.by_name["C4"])
    x, y = board.layout.centre(2, 3)
    assert board.terrain[round(y), round(x)] == ONE


def test_a_person_has_the_last_word_over_a_named_wing() -> None:
    painted = Painted().hexes("C3", "C4").stairs("C3")
    said = Overrides(hexes={"C3": HexOverride(height=1.5)})
    board = derive(painted.survey(building_types={"C3": TWO, "C4": ONE}), said)
    heights = {board.by_name[n].height_half for n in ("C3", "C4")}
    assert heights == {board.buildings[0].height_half}


def test_a_house_at_the_edge_goes_on_beyond_it() -> None:
    painted = Painted()
    x, y = painted.layout.centre(*painted.where["A2"])
    painted.box(0, y - 8, x + 8, y + 8, STONE)
    x, y = painted.layout.centre(*painted.where["D3"])
    painted.box(x - 8, y - 8, x + 8, y + 8, STONE)
    board = derive(painted.survey())
    assert [board.by_name[n].height_half for n in ("A2", "D3")] == [3, 2]


def test_every_edge_counts() -> None:
    mask = np.ones((2, 2), bool)
    for rows, cols in ((0, 4), (4, 0), (8, 4), (4, 8)):
        window = (slice(rows, rows + 2), slice(cols, cols + 2))
        assert touches_edge(mask, window, (10, 10))
    assert not touches_edge(mask, (slice(4, 6), slice(4, 6)), (10, 10))
