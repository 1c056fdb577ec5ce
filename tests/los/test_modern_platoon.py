"""Fire support, wrecks and heavy weapons of the modern platoon game.

Rules are cited by paragraph and sentence of their source, as docs/rules-coverage.md counts
them: "001 6.3" is the third sentence of the sixth paragraph.
"""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from los_tiny import board
from painted import DIRT, Painted

from hexsight.los.games.modern_platoon import (
    HeavyWeapon,
    Impact,
    Support,
    Unit,
    add_smoke,
    add_wreck,
    attacks,
    beside_road,
    directions,
    drive,
    fire,
    from_overlay,
    move,
    place,
    road_between,
    scatter,
    stacked,
    struck,
    wrecks_of,
)
from hexsight.los.overlay import Overlay, Vehicle
from hexsight.los.overlay import Unit as MapUnit
from hexsight.model.board import Board
from hexsight.model.derive import derive
from hexsight.model.errors import UsageError
from hexsight.model.layout import Layout, hex_distance, neighbour

OPEN = board("\n".join([". " * 7] * 7))
# B2, C2 and C3 are one building: cellar, ground, two upper floors and a roof.
HOUSE = board(". . . . .\n. T T . .\n. . T . .\n. . . . .", stairs=("B2",))
TABLE = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3}


# Scatter


def test_who_scatters_on_what():
    """001 5.2: 5 and 6 for rockets, 6 for guns and air."""
    for kind, on in (("rockets", {5, 6}), ("guns", {6}), ("air", {6})):
        found = {
            die
            for die in range(1, 7)
            if scatter(OPEN, "D4", kind, die, direction=1, distance=1, distances=TABLE).scattered
        }
        assert found == on
    assert scatter(OPEN, "D4", "guns", 5, distances=TABLE) == Impact("D4", "D4")


def test_one_is_north_then_clockwise():
    """001 5.3."""
    hexes = [
        scatter(OPEN, "D4", "guns", 6, direction=d, distance=1, distances=TABLE).hex
        for d in range(1, 7)
    ]
    assert hexes == ["D3", "E4", "E5", "D5", "C5", "C4"]


def test_distance_is_read_from_the_table():
    """001 5.4."""
    hexes = [
        scatter(OPEN, "D4", "guns", 6, direction=1, distance=d, distances=TABLE).hex
        for d in range(1, 7)
    ]
    assert hexes == ["D3", "D3", "D2", "D2", "D1", "D1"]


def test_off_the_map():
    """001 5.4: beyond the edge no hex is left to hit (assumed: no effect)."""
    lost = scatter(OPEN, "D2", "guns", 6, direction=1, distance=6, distances=TABLE)
    assert lost == Impact("D2", None, scattered=True)
    assert attacks(OPEN, lost.hex, 6, (place(OPEN, "A", "x", "infantry", "D1"),)) == ()
    assert add_smoke(Support(()), lost.hex).smoke == ()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"die": 7}, "die for scatter shows 7"),
        ({"kind": "mortars"}, "no fire support of 'mortars'"),
        ({"direction": None}, "pass the dice"),
        ({"direction": 0}, "die for direction"),
        ({"distance": 9}, "die for distance"),
        ({"distances": {1: 1}}, "each face from 1 to 6"),
        ({"distances": dict.fromkeys(range(1, 7), 1.5)}, "whole hexes"),
        ({"distances": dict.fromkeys(range(1, 7), 10**9)}, "up to 1,000"),
        ({"target": "Z9"}, "no hex Z9"),
    ],
)
def test_dice_and_tables_are_checked(more, message):
    """001 5.2, 5.3, 5.4: in one sentence."""
    given_ = {
        "target": "D4",
        "kind": "guns",
        "die": 6,
        "direction": 1,
        "distance": 1,
        "distances": TABLE,
        **more,
    }
    target, kind, die = given_.pop("target"), given_.pop("kind"), given_.pop("die")
    with pytest.raises(UsageError, match=message):
        scatter(OPEN, target, kind, die, **given_)


def painted(sideways: bool, turn_deg: float = 0.0) -> Board:
    layout = Layout.from_grid(34.3, 39.6, 60.0, 60.0, sideways=sideways, rot_deg=turn_deg)
    return derive(Painted(7, 7, layout=layout).survey())


def seen_bearing(b: Board, start: str, end: str) -> float:
    """Clockwise from the top of the picture."""
    one, two = b.hex(start), b.hex(end)
    return float(np.degrees(np.arctan2(two.x_px - one.x_px, one.y_px - two.y_px))) % 360


@pytest.mark.parametrize("turn_deg", [-6.0, -0.4, 0.0, 0.4, 6.0])
@pytest.mark.parametrize("sideways", [False, True])
def test_north_on_the_picture(sideways: bool, turn_deg: float):
    """001 5.3: on "sideways" grids 1 is the upper right; a scan a little askew changes nothing."""
    b = painted(sideways, turn_deg)
    for face in range(1, 7):
        found = scatter(b, "D4", "air", 6, direction=face, distance=1, distances=TABLE)
        assert found.hex is not None
        want = (face - 1) * 60 + (30 if sideways else 0) + turn_deg
        assert abs((seen_bearing(b, "D4", found.hex) - want + 180) % 360 - 180) < 8


def test_another_north():
    """001 5.3: where the map's compass points elsewhere."""
    assert directions(OPEN.layout, 60.0) == (1, 2, 3, 4, 5, 0)
    assert directions(OPEN.layout, -120.0) == (4, 5, 0, 1, 2, 3)


@settings(max_examples=60, deadline=None)
@given(st.booleans(), st.integers(0, 5), st.integers(1, 6), st.integers(1, 3))
def test_scatter_turns_with_north(sideways: bool, sixths: int, face: int, hexes: int):
    """001 5.3, 5.4: north turned by a sixth is the next face; opposite faces lead back."""
    b = BOARDS[sideways]
    far = dict.fromkeys(range(1, 7), hexes)
    turned = scatter(
        b, "D4", "air", 6, direction=face, distance=1, distances=far, north_deg=60.0 * sixths
    )
    plain = scatter(
        b, "D4", "air", 6, direction=(face - 1 + sixths) % 6 + 1, distance=1, distances=far
    )
    assert turned == plain
    assert plain.hex is not None
    here, there = b.hex("D4"), b.hex(plain.hex)
    assert hex_distance((here.col, here.row), (there.col, there.row)) == hexes
    back = scatter(
        b, plain.hex, "air", 6, direction=(face + sixths + 2) % 6 + 1, distance=1, distances=far
    )
    assert back.hex == "D4"


BOARDS = {False: painted(False), True: painted(True)}


# High explosive


def everyone(b: Board, *hexes: str, **more: bool) -> tuple[Unit, ...]:
    return tuple(place(b, h, "red", "infantry", h, **more) for h in hexes)


def test_the_target_hex_and_each_adjacent_one():
    """001 6.2, 6.4: full in the hex, half around it, nothing beyond."""
    found = attacks(OPEN, "D4", 5, everyone(OPEN, *(h.name for h in OPEN.hexes)))
    by_hex = {a.location: a.strength for a in found}
    assert by_hex.pop("D4") == 5
    assert by_hex == dict.fromkeys(["D3", "E4", "E5", "D5", "C5", "C4"], 2)


def test_friend_and_foe_and_leaders_one_by_one():
    """001 6.2."""
    units = (
        place(OPEN, "squad", "red", "infantry", "D4"),
        place(OPEN, "ours", "blue", "infantry", "D4"),
        place(OPEN, "captain", "blue", "leader", "D4"),
    )
    assert [(a.unit, a.strength) for a in attacks(OPEN, "D4", 6, units)] == [
        ("squad", 6),
        ("ours", 6),
        ("captain", 6),
    ]


@pytest.mark.parametrize(
    ("strength", "results"), [(8, (8, 4, 4, 2)), (7, (7, 3, 3, 1)), (3, (3, 1, 1, 0))]
)
def test_halvings_add_up_and_fractions_drop(strength, results):
    """001 6.3, 6.4, 6.5: hard targets, adjacent hexes, and both."""
    tank = place(OPEN, "tank", "red", "vehicle", "D4", armoured=True)
    squad = place(OPEN, "squad", "red", "infantry", "D4")
    units = (squad, tank, replace(squad, name="s2", at="D5"), replace(tank, name="t2", at="D5"))
    assert tuple(a.strength for a in attacks(OPEN, "D4", strength, units)) == results
    assert [a.halvings for a in attacks(OPEN, "D4", strength, units)] == [0, 1, 1, 2]


def test_barrages_never_combine():
    """001 5.5, 5.6: two on one hex are two attacks on each unit."""
    units = everyone(OPEN, "D4")
    once = attacks(OPEN, "D4", 5, units)
    twice = [attacks(OPEN, "D4", s, units) for s in (5, 3)]
    assert twice[0] == once
    assert [[a.strength for a in each] for each in twice] == [[5], [3]]


def test_a_building_of_several_storeys():
    """001 7.1: the top floor at full strength, half on the floor right below, nothing lower."""
    parts = {s.location: s.part for s in struck(HOUSE, "B2") if s.location.startswith("B2")}
    assert parts == {"B2@2": "target", "B2@roof": "target", "B2@1": "below"}
    units = [place(HOUSE, at, "red", "infantry", at) for at in ("B2", "B2@1", "B2@2", "B2@-1")]
    assert {a.unit: a.strength for a in attacks(HOUSE, "B2", 7, units)} == {"B2@1": 3, "B2@2": 7}
    hard = place(HOUSE, "nest", "red", "heavy-weapon", "B2@1", hard=True)
    assert [a.strength for a in attacks(HOUSE, "B2", 7, [hard])] == [1]


def test_top_floors_beside():
    """001 7.2: of the same building, at half strength."""
    beside = {s.location: s.part for s in struck(HOUSE, "B2") if not s.location.startswith("B2")}
    assert beside == dict.fromkeys(["C2@2", "C2@roof", "C3@2", "C3@roof"], "adjacent")


def test_what_is_lower_and_beside_is_not_hit():
    """001 7.3: neither lower floors nor the ground beside a building."""
    reached = {s.location for s in struck(HOUSE, "B2")}
    assert not reached & {"C2", "C2@1", "C3", "C3@1", "B1", "A2", "A3", "B3", "B2"}
    high = board(". .2 . .\n. T T .\n. . . .", stairs=("B2",))
    assert "B1" in {s.location for s in struck(high, "B2")}  # ground as high as the top floor


def test_a_low_target_beside_a_high_building():
    """001 6.2, 7.2: the adjacent hex is hit on its top floor."""
    parts = {s.location: s.part for s in struck(HOUSE, "B1")}
    assert parts["B1"] == "target"
    assert {at for at in parts if at.startswith("B2")} == {"B2@2", "B2@roof"}
    assert parts["B2@2"] == "adjacent"


def test_smoke_never_halves_fire_support():
    """001 8.5: an attack asks for no smoke."""
    units = everyone(OPEN, "D4", "D5")
    smoky = add_smoke(add_smoke(Support(()), "D4"), "D5")
    assert [s.hex for s in smoky.overlay().smoke] == ["D4", "D5"]
    assert [a.strength for a in attacks(OPEN, "D4", 6, units)] == [6, 3]
    assert not any("smoke" in f.name for f in fields(attacks(OPEN, "D4", 6, units)[0]))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.booleans()), max_size=12),
    st.integers(0, 30),
    st.integers(0, 5),
)
def test_blasts_turn_with_the_map(stands, strength: int, times: int):
    """001 6.2, 6.4, 6.5: only range and hardness matter, wherever the map is turned to."""
    units = [
        Unit(f"u{k}", "red", "infantry", f"{chr(65 + c)}{r + 1}", hard=hard)
        for k, (c, r, hard) in enumerate(stands)
    ]
    found = {a.unit: a.strength for a in attacks(OPEN, "D4", strength, units)}
    centre = OPEN.hex("D4")
    for unit in units:
        h = OPEN.hex(unit.at)
        far = hex_distance((h.col, h.row), (centre.col, centre.row))
        halvings = far + unit.hard
        assert found.get(unit.name) == (strength // 2**halvings if far < 2 else None)
    ring = [neighbour(centre.col, centre.row, (d + times) % 6) for d in range(6)]
    assert {OPEN.by_offset[c].name for c in ring} == {
        s.location for s in struck(OPEN, "D4") if s.part == "adjacent"
    }


# Wrecks


def roads() -> Board:
    """A road from B1 down through B2, B3 and B4, and woods beside it in B3."""
    p = Painted(5, 5)
    p.hexes("B3", code=60)
    x = p.layout.centre(1, 0)[0]
    p.box(x - 4, 0, x + 4, 400, DIRT)
    return derive(p.survey())


ROADS = roads()
COSTS = {"Open Ground": 1.0, "Woods": 3.0}


def test_roads_across_hexsides():
    """001 9.2: what a vehicle drives along is the printed road."""
    assert road_between(ROADS, "B1", "B2")
    assert road_between(ROADS, "B3", "B2")
    assert not road_between(ROADS, "A2", "B2")
    assert not road_between(ROADS, "B1", "B3")
    assert (beside_road(ROADS, "B2"), beside_road(ROADS, "B3")) == ("Open Ground", "Woods")


def test_a_vehicle_that_is_lost_leaves_a_wreck():
    """001 9.1, 9.6: one marker for any number; nothing takes it away."""
    once = add_wreck(ROADS, (), "b3")
    assert once == add_wreck(ROADS, once, "B3") == {"B3"}


def test_a_wreck_stops_who_enters_by_road():
    """001 9.2."""
    ways = [("B2", True), ("B3", True)]
    free = drive(ROADS, "B1", ways, (), road_cost=0.5, costs=COSTS)
    assert [(e.cost, e.stops) for e in free] == [(0.5, False), (0.5, False)]
    held = drive(ROADS, "B1", ways, {"B3"}, road_cost=0.5, costs=COSTS)
    assert [(e.cost, e.stops) for e in held] == [(0.5, False), (0.5, True)]
    with pytest.raises(UsageError, match="must stop in B3"):
        drive(ROADS, "B1", [*ways, ("B4", True)], {"B3"}, road_cost=0.5, costs=COSTS)


def test_round_a_wreck_at_full_cost():
    """001 9.3, 9.4, 9.5: the hex's other terrain, and full cost into the next hex too."""
    way = [("B2", True), ("B3", False), ("B4", True), ("B5", True)]
    found = drive(ROADS, "B1", way, {"B3"}, road_cost=0.5, costs=COSTS)
    assert [(e.by_road, e.cost, e.stops) for e in found] == [
        (True, 0.5, False),
        (False, 3.0, False),
        (False, 1.0, False),
        (True, 0.5, False),
    ]
    later = drive(ROADS, "B3", way[2:], {"B3"}, road_cost=0.5, costs=COSTS, bypassing=True)
    assert [e.cost for e in later] == [1.0, 0.5]


def test_terrain_that_is_closed_is_no_way_round():
    """001 9.3: unless it is prohibited."""
    closed = {**COSTS, "Woods": None}
    with pytest.raises(UsageError, match="cannot enter B3"):
        drive(ROADS, "B2", [("B3", False)], {"B3"}, road_cost=0.5, costs=closed)
    with pytest.raises(UsageError, match="No cost was passed for Woods"):
        drive(ROADS, "B2", [("B3", False)], {"B3"}, road_cost=0.5, costs={"Open Ground": 1})
    with pytest.raises(UsageError, match="No road leads from A2 to B2"):
        drive(ROADS, "A2", [("B2", True)], (), road_cost=0.5, costs=COSTS)
    with pytest.raises(UsageError, match="no common side"):
        drive(ROADS, "A2", [("B5", False)], (), road_cost=0.5, costs=COSTS)


def test_wrecks_do_not_count_for_stacking():
    """001 9.6."""
    units = everyone(ROADS, "B3", "B4")
    assert stacked(units, "B3") == 1
    assert add_wreck(ROADS, (), "B3") == {"B3"}
    assert stacked(units, "B3") == 1


# Heavy weapons


def test_starred_weapons_move_or_fire():
    """001 10.1, 10.2, 10.3."""
    gun = HeavyWeapon("launcher")
    with pytest.raises(UsageError, match="has moved"):
        fire(move(gun), OPEN, "D4", "D5")
    with pytest.raises(UsageError, match="has fired"):
        move(fire(gun, OPEN, "D4", "D5"))
    light = HeavyWeapon("machine gun", starred=False)
    assert fire(move(light), OPEN, "D4", "D5").fired


def test_starred_weapons_do_not_fire_inside_their_hex():
    """001 10.4."""
    with pytest.raises(UsageError, match="inside its own hex D4"):
        fire(HeavyWeapon("launcher"), OPEN, "D4", "D4")
    with pytest.raises(UsageError, match="inside its own hex B2"):
        fire(HeavyWeapon("launcher"), HOUSE, "B2@1", "B2@2")
    assert fire(HeavyWeapon("pistol", starred=False), OPEN, "D4", "D4").fired


def test_missiles_have_a_least_range():
    """001 10.4."""
    missile = HeavyWeapon("missile", min_range=2)
    with pytest.raises(UsageError, match="least range is 2, and D5 is at 1"):
        fire(missile, OPEN, "D4", "D5")
    assert fire(missile, OPEN, "D4", "D6").fired


def test_what_an_overlay_file_says():
    """001 3.4, 9.6: units and wrecks of the file that lines of sight are asked with."""
    overlay = Overlay(
        vehicles=(Vehicle("D5", wreck=True), Vehicle("D5", wreck=True), Vehicle("D6")),
        units=(
            MapUnit(("D4",), "vehicle", "red", "T-72"),
            MapUnit(("D4",), "leader", "red"),
            MapUnit(("D3",), "vehicle", "red", "truck"),
        ),
    )
    tank, leader, truck = from_overlay(OPEN, overlay, armoured=["T-72"])
    assert (tank.spots, leader.spots, truck.spots) == (True, True, False)
    assert (tank.hard, leader.name) == (True, "leader in D4")
    assert wrecks_of(overlay) == {"D5"}
    again = Overlay(units=(overlay.units[0], overlay.units[0]))
    with pytest.raises(UsageError, match="Two units are called 'T-72'"):
        from_overlay(OPEN, again)
    with pytest.raises(UsageError, match="a unit takes one"):
        from_overlay(OPEN, Overlay(units=(MapUnit(("D4", "D5"), "infantry"),)))


def test_units_are_checked():
    """001 3.4: what is armoured is a vehicle."""
    with pytest.raises(UsageError, match="not a vehicle"):
        place(OPEN, "A", "red", "infantry", "D4", armoured=True)
    with pytest.raises(UsageError, match="no kind of unit 'drone'"):
        place(OPEN, "A", "red", "drone", "D4")
    with pytest.raises(UsageError, match="no Location"):
        place(OPEN, "A", "red", "infantry", "D4@2")
