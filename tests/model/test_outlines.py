"""Corrections by outline and by place: buildings redrawn, stairwells and road entries put."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from painted import BAR, DIRT, FLOOR, STONE, WOOD, Painted
from pydantic import ValidationError

from hexsight.model.derive import derive
from hexsight.model.errors import UsageError
from hexsight.model.outlines import BuildingOverride
from hexsight.model.overrides import HexOverride, HexsideOverride, Overrides
from hexsight.model.shapes import mask_polygons, ring_mask, rings_of


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**24 - 1), st.integers(-5, 5))
def test_a_ring_gives_back_the_mask_it_was_made_of(bits: int, away: int) -> None:
    mask = np.array([bits >> k & 1 for k in range(24)], bool).reshape(4, 6)
    polygons = mask_polygons(mask, offset_px=(away, 3), simplify_px=0)
    again = np.zeros_like(mask)
    for polygon in polygons:
        again |= ring_mask(rings_of(polygon), mask.shape, (away, 3))
    assert (again == mask).all()


def house(code: int = STONE) -> Painted:
    return Painted().hexes("C3", grow=0.7, code=code)


def box(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[float, float], ...]:
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def centre(painted: Painted, name: str) -> tuple[float, float]:
    facts = derive(painted.survey()).hex(name)
    return facts.x_px, facts.y_px


def test_a_moved_outline_takes_the_building_along():
    for name in ("C3", "pixel"):
        painted = house(WOOD)
        x, y = centre(painted, "C3")
        nx, ny = centre(painted, "C4")
        key = name if name == "C3" else f"{x:g} {y:g}"
        outline = BuildingOverride(outline=box(nx - 15, ny - 15, nx + 15, ny + 15))
        board = derive(painted.survey(), Overrides(buildings={key: outline}))
        (building,) = board.buildings
        assert (building.material, building.hexes) == ("wood", ("C4",))
        assert board.terrain[round(y), round(x)] == 0
        assert abs(building.polygon.area - 900) < 31


def test_what_lies_inside_both_outlines_stays():
    painted = Painted().hexes("C2", "C3", "D2").hexes("C3", grow=0.6, code=FLOOR).side("C2", "C3")
    plain = derive(painted.survey())
    (building,) = plain.buildings
    kept = BuildingOverride(outline=building.rings[0])
    board = derive(painted.survey(), Overrides(buildings={"C3": kept}))
    assert board.hexes == plain.hexes
    assert [s.bar for s in board.hexsides] == [s.bar for s in plain.hexsides]
    assert np.count_nonzero(board.terrain != plain.terrain) < 0.01 * building.polygon.area


def test_courtyards_stay_until_a_person_says():
    painted = Painted().hexes("B2", "B3", "C3")
    x, y = centre(painted, "B3")
    painted.box(x - 6, y - 6, x + 6, y + 6, 0)
    plain = derive(painted.survey())
    ring = plain.buildings[0].rings[0]
    for holes, there in ((None, 0), ((), STONE), ((box(x - 3, y - 3, x + 3, y + 3),), 0)):
        one = BuildingOverride(outline=ring, holes=holes)
        board = derive(painted.survey(), Overrides(buildings={"B2": one}))
        assert len(board.buildings[0].rings) == (1 if holes == () else 2)
        assert (board.terrain[round(y), round(x)] == 0) == (there == 0)


def test_a_building_may_be_drawn_where_none_was_found():
    painted = house()
    x, y = centre(painted, "F5")
    ring = box(x - 12, y - 12, x + 12, y + 12)
    one = BuildingOverride(outline=ring, material="wood")
    board = derive(painted.survey(), Overrides(buildings={"F5": one}))
    assert [(b.material, b.hexes) for b in board.buildings] == [
        ("stone", ("C3",)),
        ("wood", ("F5",)),
    ]
    with pytest.raises(UsageError, match=r"F5.*material"):
        derive(painted.survey(), Overrides(buildings={"F5": BuildingOverride(outline=ring)}))


def test_material_alone_changes_roofs():
    painted = house()
    ring = derive(painted.survey()).buildings[0].rings[0]
    one = BuildingOverride(outline=ring, material="wood")
    board = derive(painted.survey(), Overrides(buildings={"C3": one}))
    assert [b.material for b in board.buildings] == ["wood"]


@pytest.mark.parametrize(
    ("name", "ring", "said"),
    [
        ("Z9", box(0, 0, 9, 9), "no hex Z9"),
        ("9999 3", box(0, 0, 9, 9), "off the board"),
        ("C3", box(9000, 0, 9009, 9), "off the board"),
    ],
)
def test_what_cannot_be_drawn_is_told_with_its_line(name, ring, said):
    overrides = Overrides(
        buildings={name: BuildingOverride(outline=ring)},
        places={f"buildings.{name}": "hexsight.yaml, line 7"},
    )
    with pytest.raises(UsageError, match=said) as error:
        derive(house().survey(), overrides)
    assert str(error.value).startswith("hexsight.yaml, line 7: ")


def test_two_names_for_one_building_are_refused():
    painted = Painted().hexes("C2", "C3")
    one = BuildingOverride(outline=box(0, 0, 9, 9))
    with pytest.raises(UsageError, match="one building"):
        derive(painted.survey(), Overrides(buildings={"C2": one, "C3": one}))


@pytest.mark.parametrize("ring", [[(0, 0), (1, 1)], [(0, 0), (9, 9), (9, 0), (0, 9)], [(0, 0)] * 4])
def test_an_outline_is_a_shape(ring):
    with pytest.raises(ValidationError):
        BuildingOverride(outline=ring)


def test_a_stairwell_is_put_at_a_place():
    painted = Painted().hexes("B2", "B3").stairs("B3")
    x, y = centre(painted, "B2")
    place = (x + 4.0, y - 3.0)
    board = derive(painted.survey(), Overrides(hexes={"B2": HexOverride(stairwell=place)}))
    assert board.hex("B2").stairwell
    assert (board.stairwells[0].x_px, board.stairwells[0].y_px) == place
    moved = derive(
        painted.survey(), Overrides(hexes={"B3": HexOverride(stairwell=centre(painted, "B3"))})
    )
    assert len(moved.stairwells) == 1
    with pytest.raises(UsageError, match="lies in B2 and not in B3"):
        derive(painted.survey(), Overrides(hexes={"B3": HexOverride(stairwell=place)}))


def test_a_road_entry_makes_a_factory_and_taking_it_away_unmakes_it():
    painted = Painted().hexes("C2", "C3", "D2")
    x, y = centre(painted, "C2")
    for said in (True, (x, y - 5)):
        overrides = Overrides(hexes={"C2": HexOverride(road_entry=said)})
        board = derive(painted.survey(), overrides)
        (building,) = board.buildings
        assert building.kind == "factory"
        assert [(e.hex, e.confidence) for e in building.entries] == [("C2", 1.0)]
        assert board.hex("C2").vehicular_entrance
    with pytest.raises(UsageError, match="no building in F5"):
        derive(painted.survey(), Overrides(hexes={"F5": HexOverride(road_entry=True)}))
    roads = Painted().hexes("C2", "C3", "D2")
    before = roads.terrain.copy()
    roads.box(x - 4, 0, x + 4, y, DIRT)
    roads.terrain[before > 0] = before[before > 0]
    assert derive(roads.survey()).buildings[0].kind == "factory"
    none = Overrides(hexes={"C2": HexOverride(road_entry=False)})
    assert derive(roads.survey(), none).buildings[0].kind == "building"


def test_part_of_a_bar_is_what_a_person_says():
    painted = Painted().hexes("C2", "C3").side("C2", "C3")
    plain = derive(painted.survey())
    assert plain.side_by_name["C2-C3"].bar
    for part in ((0.0, 0.5), (0.2, 1.0), (0.3, 0.7)):
        overrides = Overrides(hexsides={"C2-C3": HexsideOverride(bar=part)})
        board = derive(painted.survey(), overrides)
        assert board.side_by_name["C2-C3"].bar == (part,)
        fewer = np.count_nonzero(board.terrain != plain.terrain)
        assert 0 < fewer < np.count_nonzero(painted.terrain == BAR)
