"""What a drawing means: buildings, Factories, bars, roofless hexes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from painted import BAR, DIRT, FLOOR, HEDGE, RUBBLE, STONE, WALL, WOOD, Painted

from hexsight.model.derive import derive
from hexsight.model.errors import UsageError
from hexsight.model.layout import Layout
from hexsight.model.overrides import HexOverride, HexsideOverride, Overrides


def test_a_single_hex_building_is_one_level():
    board = derive(Painted().hexes("C3", grow=0.7).survey())
    (building,) = board.buildings
    assert (building.kind, building.material, building.height_half) == ("building", "stone", 2)
    assert building.hexes == ("C3",)
    assert board.hex("C3").building == building.id
    assert board.hex("C4").building == 0


def test_a_few_overhanging_pixels_make_no_building_hex():
    board = derive(Painted().hexes("C3", grow=1.04).survey())
    assert board.buildings[0].hexes == ("C3",)


def test_multi_hex_buildings_have_an_upper_level_and_stairs_a_second():
    plain = derive(Painted().hexes("B2", "B3").survey())
    assert plain.buildings[0].height_half == 3
    stairs = derive(Painted().hexes("B2", "B3").stairs("B3").survey())
    assert stairs.buildings[0].height_half == 5
    assert stairs.buildings[0].stairwells == ("B3",)
    assert stairs.hex("B3").stairwell
    assert not stairs.hex("B2").stairwell


def test_stone_and_wood_that_touch_are_two_buildings():
    board = derive(Painted().hexes("B2", "B3").hexes("B4", code=WOOD).survey())
    assert [(b.material, b.hexes) for b in board.buildings] == [
        ("stone", ("B2", "B3")),
        ("wood", ("B4",)),
    ]


def test_rubble_is_no_building():
    board = derive(Painted().hexes("B2", code=RUBBLE).survey())
    assert board.buildings == ()


def with_road(x0: float, y0: float, x1: float, y1: float) -> Painted:
    board = Painted().hexes("C2", "C3", "D2")
    painted = board.terrain.copy()
    board.box(x0, y0, x1, y1, DIRT)
    board.terrain[painted > 0] = painted[painted > 0]
    return board


def test_a_road_that_enters_makes_a_factory():
    """O5.1, O5.2: and a vehicular-sized entrance of the hex that it enters."""
    # C3's lower edge is at y = 20 + 2 * 39.6 + 19.8 = 119; the road comes from below.
    board = derive(with_road(86, 115, 95, 200).survey())
    (building,) = board.buildings
    assert (building.kind, building.height_half) == ("factory", 3)
    assert [e.hex for e in building.entries] == ["C3"]
    assert board.hex("C3").vehicular_entrance
    assert not board.hex("C2").vehicular_entrance
    assert board.terrain[99, 90] == 47  # stone Factory of 1½ levels


def test_a_road_along_the_wall_does_not():
    """O5.1: no other building is a Factory."""
    board = derive(with_road(10, 120, 200, 129).survey())
    assert board.buildings[0].kind == "building"


def test_a_road_that_bends_round_a_corner_does_not():
    board = with_road(10, 110, 70, 119)
    painted = board.terrain.copy()
    # Round C3's lower left corner and on along its lower edge, then away from it.
    for x in range(64, 112):
        y = round(108 + (x - 64) * 0.75)
        board.box(x, y, x + 1, y + 14, DIRT)
    board.terrain[(painted > 0) & (painted != DIRT)] = painted[(painted > 0) & (painted != DIRT)]
    assert derive(board.survey()).buildings[0].kind == "building"


def test_a_spur_of_a_road_that_passes_does():
    board = with_road(86, 115, 95, 200)
    painted = board.terrain.copy()
    board.box(10, 140, 200, 149, DIRT)
    board.terrain[painted > 0] = painted[painted > 0]
    assert derive(board.survey()).buildings[0].kind == "factory"


def test_a_road_that_ends_in_the_next_field_does_not():
    board = derive(with_road(86, 130, 95, 200).survey())
    assert board.buildings[0].kind == "building"


def test_named_building_types_win():
    entered = with_road(86, 115, 95, 200)
    board = derive(entered.survey(building_types={"C2": 43}))
    assert (board.buildings[0].kind, board.buildings[0].height_half) == ("building", 7)
    assert derive(entered.survey(building_types={"A1": 43})).buildings[0].kind == "building"


def factory() -> Painted:
    board = Painted().hexes("B2", "B3", "C2", "C3", "C4", "D2", "D3", "B4", "D4")
    painted = board.terrain.copy()
    board.box(86, 100, 95, 260, DIRT)
    board.terrain[painted > 0] = painted[painted > 0]
    return board


def test_bars_cover_hexsides_and_reach_vertices():
    """O5.3, O5.31: whole hexsides and parts of them, and which vertices."""
    board = derive(
        factory().side("C2", "C3").side("C3", "D3", part=(0, 0.5)).side("B3", "C3").survey()
    )
    full = board.side_by_name["C2-C3"]
    assert full.bar_share > 0.9
    assert set(full.vertices) == {"B2-C2-C3", "C2-C3-D2"}
    assert full.bar_half == 3
    half = board.side_by_name["D3-C3"]
    assert 0.4 < half.bar_share < 0.6
    assert len(half.vertices) == 1
    assert [s.name for s in board.hexsides if s.bar] == ["B3-C3", "C2-C3", "C3-D3"]


def test_a_bar_spills_over_no_other_hexside():
    board = derive(factory().side("C2", "C3", width=6).survey())
    assert [s.name for s in board.hexsides if s.bar] == ["C2-C3"]


def test_bars_outside_buildings_are_none():
    """O5.31: the wall lies within the building depiction."""
    board = derive(Painted().side("C2", "C3").survey())
    assert not any(s.bar for s in board.hexsides)


def test_roofless_hexes_need_a_floor_and_a_factory():
    """O5.4: a dark floor, in a Factory only."""
    board = derive(factory().hexes("C3", code=FLOOR, grow=0.95).survey())
    assert board.hex("C3").roofless
    assert not board.hex("C2").roofless
    assert board.roofless[0].hexes == ("C3",)
    shop = Painted().hexes("B2", "B3").hexes("B3", code=FLOOR, grow=0.9)
    assert not derive(shop.survey()).hex("B3").roofless


def test_overhang_makes_no_roofless_hex():
    board = derive(factory().hexes("C3", code=FLOOR, grow=1.25).survey())
    assert [h.name for h in board.hexes if h.roofless] == ["C3"]


def test_walls_and_hedges_lie_on_hexsides():
    board = derive(Painted().side("C2", "C3", WALL).side("D3", "D4", HEDGE).survey())
    assert {s.name: s.terrain for s in board.hexsides if s.terrain} == {"C2-C3": 72, "D3-D4": 73}


def test_overrides_win():
    overrides = Overrides(
        {
            "C3": HexOverride(roofless=True),
            "B2": HexOverride(height=2.5),
            "E5": HexOverride(building="wood"),
            "A1": HexOverride(terrain="Woods", level=1),
        },
        {
            "C2-C3": HexsideOverride(bar="none"),
            "D3-C3": HexsideOverride(bar=(0.5, 1.0)),
            "A2-A3": HexsideOverride(terrain="Hedge"),
        },
    )
    board = derive(factory().side("C2", "C3").survey(), overrides)
    assert board.hex("C3").roofless
    assert board.building_by_id[board.hex("B2").building].height_half == 5
    assert board.building_by_id[board.hex("E5").building].material == "wood"
    assert (board.hex("A1").terrain, board.hex("A1").base_half) == (60, 2)
    assert board.side_by_name["C2-C3"].bar == ()
    assert 0.4 < board.side_by_name["C3-D3"].bar_share < 0.6
    assert board.side_by_name["A2-A3"].terrain == 73


def test_a_building_of_four_levels_keeps_its_bar():
    painted = Painted().hexes("B2", "B3").side("B2", "B3")
    board = derive(painted.survey(), Overrides({"B2": HexOverride(height=4.5)}))
    assert board.buildings[0].height_half == 9
    assert board.side_by_name["B2-B3"].bar
    assert (board.terrain == 79).any()


def test_factory_override_makes_and_unmakes():
    made = derive(
        Painted().hexes("B2", "B3").survey(), Overrides({"B2": HexOverride(factory=True)})
    )
    assert made.buildings[0].kind == "factory"
    unmade = derive(factory().survey(), Overrides({"C3": HexOverride(factory=False)}))
    assert unmade.buildings[0].kind == "building"


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (Overrides({"Z9": HexOverride(roofless=True)}), "no hex Z9"),
        (Overrides({}, {"A1-C3": HexsideOverride(bar="full")}), "do not touch"),
        (Overrides({}, {"A1": HexsideOverride(bar="full")}), "no hexside"),
        (Overrides({"A1": HexOverride(terrain="Wods")}), "Did you mean 'Woods'"),
    ],
)
def test_wrong_overrides_say_what_is_wrong(overrides, said):
    with pytest.raises(UsageError, match=said):
        derive(Painted().survey(), overrides)


@settings(max_examples=25, deadline=None)
@given(st.sets(st.sampled_from([c.name for c in Painted().cells])), st.booleans())
def test_every_painted_hex_is_in_one_building(names, sideways):
    layout = Layout.from_grid(34.3, 39.6, 22.0, 20.0, sideways=sideways)
    board = derive(Painted(layout=layout).hexes(*sorted(names), code=STONE, grow=0.93).survey())
    assert {h.name for h in board.hexes if h.building} == names
    assert sorted(n for b in board.buildings for n in b.hexes) == sorted(names)
    area = sum(b.polygon.area for b in board.buildings)
    assert abs(area - np.count_nonzero(board.terrain == 40)) <= 0.08 * max(1.0, area)


def test_bars_keep_their_kind_outside_factories():
    board = derive(Painted().hexes("B2", "B3").side("B2", "B3", BAR).survey())
    assert np.count_nonzero(board.terrain == 77) > 50  # rowhouse wall of a 1½-level building
    assert board.side_by_name["B2-B3"].bar_half == 3
