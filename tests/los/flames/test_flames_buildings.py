"""Buildings (seed 003, from "Buildings" to its end), sentence by sentence.

``003 20.1`` is the first sentence of its twentieth paragraph, headings not counted.
"""

from __future__ import annotations

from dataclasses import replace

import flames_scene as fs
import pytest
from flames_scene import HOUSE, gap
from shapely.geometry import Polygon, box

from hexsight.los.flames.ports import ports, users, view_ports
from hexsight.los.flames.profile import profile_from_text
from hexsight.los.flames.sight import shot
from hexsight.los.flames.state import Disc, Team
from hexsight.los.rules.registry import REASONS
from hexsight.model.errors import UsageError

UP = gap(1, 3, 0, 5, 0)  # a door of 2″ in the upper wall; the house lies below it
RIGHT = gap(2, 8, 2, 8, 4)
OUT = Team("out", (4, -8), side="y")
IN = Team("in", (4, 0.7), side="x")


def why(sight) -> str:
    """Code of what blocks, or that it is seen."""
    return "seen" if sight.seen else REASONS[sight.causes[0].code].code


def asked(*teams: Team, a: str = "in", b: str = "out", **more) -> str:
    """Whether `a` sees `b`, or why not, with the house and its door."""
    more.setdefault("houses", [HOUSE])
    more.setdefault("gaps", [UP])
    return why(shot(fs.scene(*teams, **more), a, b))


@pytest.mark.parametrize(("x", "seen"), [(4, False), (2.1, False), (1.9, True), (6.1, True)])
def test_houses_block_wholly(x, seen):
    """003 19.2, 20.1: no line through a house, whatever it grazes."""
    teams = Team("a", (x, -3), base=(4, 1)), Team("b", (x, 9), base=(4, 1))
    assert (asked(*teams, a="a", b="b", gaps=[]) == "seen") == seen


@pytest.mark.parametrize("gaps", [(), (UP, RIGHT), (UP, gap(2, 5, 6, 3, 6))])
def test_teams_on_either_side_are_out_of_sight(gaps):
    """003 20.2: wholly, and openings are none to look right through a house by."""
    teams = Team("a", (4, -3), side="x"), Team("b", (4, 9), side="y")
    assert asked(*teams, a="a", b="b", gaps=gaps) == "building"
    assert asked(*teams, a="b", b="a", gaps=gaps) == "building"


@pytest.mark.parametrize(
    ("height", "seen"), [(0, False), (3.2, False), (4.0, False), (5.0, False), (20, True)]
)
def test_who_stands_high_enough_sees_over(height, seen):
    """003 19.2, 20.2: over the roof down to the target, from both ends."""
    teams = Team("a", (4, -3), height=height), Team("b", (4, 12))
    assert (asked(*teams, a="a", b="b", gaps=[]) == "seen") == seen
    assert (asked(*teams, a="b", b="a", gaps=[]) == "seen") == seen


def test_two_high_teams_see_each_other_over_the_house():
    """003 20.2."""
    teams = Team("a", (4, -3), height=3.5), Team("b", (4, 12), height=3.5)
    assert asked(*teams, a="a", b="b", gaps=[]) == "seen"


def test_from_a_roof_the_house_itself_hides_what_is_close_below():
    """003 20.2: high enough to see over, but not through."""
    top = Team("a", (4, 3), level="roof", base=(1, 1))
    assert asked(top, Team("b", (4, -14)), a="a", b="b", gaps=[]) == "seen"
    assert asked(top, Team("b", (4, -1)), a="a", b="b", gaps=[]) == "building"


def test_a_team_inside_sees_out_only_at_an_opening():
    """003 22.1: it stands against one or more of them."""
    assert asked(IN, OUT) == "seen"
    assert asked(replace(IN, at=(4, 0.8)), OUT) == "no-opening"
    assert asked(replace(IN, at=(6.5, 0.7)), OUT) == "no-opening"
    assert asked(replace(IN, at=(5.9, 0.7)), OUT) == "seen"
    assert asked(replace(IN, at=(4, 3)), OUT) == "no-opening"


def test_a_target_inside_is_seen_only_at_an_opening():
    """003 20.1, 22.1: the house hides what stands back from its openings."""
    assert asked(IN, OUT, a="out", b="in") == "seen"
    assert asked(replace(IN, at=(4, 3)), OUT, a="out", b="in") == "inside"


def test_the_line_runs_through_the_opening():
    """003 22.1."""
    sight = shot(fs.scene(IN, OUT, houses=[HOUSE], gaps=[UP]), "in", "out")
    (x, y), _ = sight.line
    assert 3 <= x <= 5 and y == pytest.approx(0, abs=1e-6)
    assert sight.out_of is not None and sight.out_of.number == 1 and sight.into is None


@pytest.mark.parametrize(
    ("at", "told"),
    [((40, -0.7), "seen"), ((40, 0.5), "seen"), ((40, 0.7), "wall-line"), ((-9, 3), "wall-line")],
)
def test_the_arc_ends_at_the_line_of_the_wall(at, told):
    """003 22.2: whatever lies behind the line drawn along it is not seen."""
    team = Team("out", at, base=(1.25, 1.25))
    assert asked(IN, team) == told
    assert asked(IN, team, a="out", b="in") == told


def test_nobody_looks_along_the_wall_from_opening_to_opening():
    """003 22.2: what lies on the line itself is not before it."""
    gaps = [gap(1, 1, 0, 2, 0, level=0), gap(2, 6, 0, 7, 0, level=1)]
    low, high = Team("in", (1.5, 0.7), base=(1, 1.25)), Team("out", (6.5, 0.7), level=1)
    assert asked(low, replace(high, base=(1, 1.25)), gaps=gaps) == "wall-line"


def test_a_house_beyond_hides_what_the_arc_would_show():
    """003 20.1: seen from an opening too."""
    assert asked(IN, OUT, houses=[HOUSE, box(-20, -6, 28, -5)]) == "building"
    wing = Polygon([(0, 0), (8, 0), (8, 6), (0, 6), (-6, 6), (-6, -6), (0, -6)])
    assert asked(IN, Team("out", (-8, -2)), houses=[wing]) == "building"


def test_two_teams_in_two_houses_see_each_other_through_two_openings():
    """003 22.1, 22.2: both ends look through an opening, both arcs hold."""
    other = box(0, -16, 8, -10)
    gaps = [UP, gap(2, 5, -10, 3, -10, house=2), gap(3, 8, -13, 8, -11, house=2)]
    across = Team("out", (4, -10.7), facing_deg=180)
    assert asked(IN, across, houses=[HOUSE, other], gaps=gaps) == "seen"
    aside = Team("out", (7.3, -12), facing_deg=90)
    assert asked(IN, aside, houses=[HOUSE, other], gaps=gaps) == "wall-line"


@pytest.mark.parametrize("facing", range(0, 360, 45))
def test_infantry_looks_through_any_opening_it_touches(facing):
    """003 23.1: any or all of them, whatever its own arc of fire."""
    corner = Team("in", (7.2, 0.8), side="x", base=1.6, facing_deg=facing)
    gaps = [gap(1, 6, 0, 8, 0), gap(2, 8, 0, 8, 2)]
    made = fs.scene(corner, houses=[HOUSE], gaps=gaps)
    assert [p.number for p in view_ports(made, made.stands["in"])] == [1, 2]
    for at in ((7, -9), (17, 1)):
        assert asked(corner, Team("out", at), gaps=gaps) == "seen"
    assert asked(corner, Team("out", (4, 15)), gaps=gaps) == "wall-line"


@pytest.mark.parametrize(
    ("facing", "told"),
    [(0, "seen"), (80, "seen"), (90, "not-to-front"), (180, "not-to-front"), (280, "seen")],
)
def test_guns_look_through_openings_to_their_front(facing, told):
    """003 23.2."""
    gun = Team("in", (4, 0.8), "gun", base=1.6, facing_deg=facing)
    assert asked(gun, OUT) == told


def test_a_gun_keeps_its_own_arc_in_an_opening():
    """003 23.1 frees infantry alone of its normal arc; 22.2 limits all others further."""
    gun = Team("in", (4, 0.8), "gun", base=1.6, facing_deg=45)
    assert asked(gun, Team("out", (12, -4))) == "seen"
    assert asked(gun, Team("out", (-9, -1))) == "wall-line"


@pytest.mark.parametrize(
    ("wide", "at", "told"),
    [
        (90, (10, -4), "wall-line"),
        (90, (8, -6), "seen"),
        (270, (10, -4), "seen"),
        (360, (20, -1), "seen"),
    ],
)
def test_arcs_of_other_widths(wide, at, told):
    """003 23.2: the width of the front is data."""
    text = fs.TEXT.replace("front_deg: 180", f"front_deg: {wide}")
    gun = Team("in", (4, 0.8), "gun", base=1.6)
    made = fs.scene(gun, Team("out", at, base=(1, 1)), houses=[HOUSE], gaps=[UP])
    made.profile = profile_from_text(text, "mine.yaml")
    assert why(shot(made, "in", "out")) == told


def test_a_gun_is_seen_through_an_opening_to_its_side():
    """003 23.2 binds who fires: the opening stays one for those who look in."""
    gun = Team("in", (4, 0.8), "gun", base=1.6, facing_deg=90)
    assert asked(gun, OUT, a="out", b="in") == "seen"


@pytest.mark.parametrize(
    ("width", "bases", "count"),
    [
        (1.0, 2.0, 1),
        (2.0, 2.0, 1),
        (2.2, 2.0, 2),
        (4.0, 2.0, 2),
        (4.3, 2.0, 3),
        (6.0, 2.0, 3),
    ],
)
def test_an_opening_serves_as_many_as_fit_and_one_more(width, bases, count):
    """003 24.1, 24.2: one team; wider than a base, those that fit whole, and one for the rest."""
    door = gap(1, 1, 0, 1 + width, 0)
    reach = 1 + width
    teams = [
        Team(f"t{i}", (min(1 + 0.5 * i, reach), 0.7 + 0.01 * i), base=(bases, 1.25))
        for i in range(5)
    ]
    made = fs.scene(*teams, houses=[HOUSE], gaps=[door])
    assert users(made, 1) == tuple(f"t{i}" for i in range(count))


def test_who_finds_the_opening_taken_sees_nothing():
    """003 24.1."""
    late = Team("late", (4.5, 0.7), side="x")
    assert asked(IN, late, OUT, a="late") == "opening-taken"
    assert asked(late, IN, OUT, a="late") == "seen"


def test_openings_of_other_storeys_serve_nobody():
    """003 22.1: what stands on another storey does not touch them."""
    for level, told in ((0, "seen"), (1, "no-opening")):
        door = replace(UP, level=0)
        assert asked(replace(IN, level=level), OUT, gaps=[door]) == told


TANK = Team("in", (4, 1.125), "tank", "x")


def test_a_tank_makes_its_opening_in_the_wall_it_faces():
    """003 25.1, 26.1, 26.2: with its front against the wall there is one where it stands."""
    assert asked(TANK, OUT, gaps=[]) == "seen"
    assert asked(replace(TANK, at=(4, 1.5)), OUT, gaps=[]) == "tank-not-at-wall"
    assert asked(replace(TANK, facing_deg=180), OUT, gaps=[]) == "tank-not-at-wall"
    assert asked(replace(TANK, facing_deg=40), OUT, gaps=[]) == "tank-not-at-wall"
    assert asked(TANK, OUT, gaps=[], a="out", b="in") == "seen"


def test_a_tank_looks_through_that_opening_only():
    """003 26.3: not through others that it touches."""
    by_the_wall = replace(TANK, at=(7.375, 1.125))
    right = Team("out", (20, 1.5))
    assert asked(by_the_wall, right, gaps=[gap(1, 8, 0, 8, 3)]) == "wall-line"
    assert asked(by_the_wall, right, gaps=[gap(1, 8, 0, 8, 3)], a="out", b="in") == "seen"


def test_a_tank_that_wants_another_wall_moves_to_it():
    """003 26.4: its turret does not turn in a building."""
    right = Team("out", (20, 3), side="y")
    assert asked(TANK, right, gaps=[]) == "wall-line"
    assert asked(TANK.moved((6.875, 3), 90), right, gaps=[]) == "seen"


def test_a_tank_takes_no_room_in_an_opening():
    """003 26.2: its opening is its own."""
    made = fs.scene(TANK, replace(IN, name="foot"), houses=[HOUSE], gaps=[UP])
    assert users(made, 1) == ("foot",)


DUG = replace(IN, at=(1.5, 0.7), dug_in=True)


def test_dug_in_infantry_looks_through_the_walls_it_touches():
    """003 27.1, 28.1, 28.2: loopholes are openings where it stands; it digs no foxhole."""
    assert asked(replace(DUG, dug_in=False), OUT) == "no-opening"
    assert asked(DUG, OUT) == "seen"
    corner = replace(DUG, at=(1.0, 0.7))
    for at in ((4, -9), (-9, 1)):
        assert asked(corner, Team("out", at)) == "seen"
    assert asked(corner, Team("out", (4, 20))) == "wall-line"
    assert asked(replace(DUG, at=(4, 3)), OUT) == "no-opening"


def test_only_infantry_cuts_loopholes():
    """003 28.1: infantry teams."""
    assert asked(replace(DUG, kind="gun"), OUT) == "no-opening"


def test_a_team_that_moves_loses_its_loopholes():
    """003 28.3."""
    moved = DUG.moved((1.6, 0.7))
    assert not moved.dug_in
    assert asked(moved, OUT) == "no-opening"


def test_enemies_shoot_back_through_loopholes():
    """003 29.1: as if the wall had an opening there."""
    assert asked(DUG, OUT, a="out", b="in") == "seen"
    assert asked(DUG, Team("out", (4, 20)), a="out", b="in") == "wall-line"


def test_loopholes_are_for_looking_only():
    """003 30.1, 30.2: nobody moves or assaults through one, as through an opening."""
    made = fs.scene(replace(DUG, at=(3.5, 0.7)), houses=[HOUSE], gaps=[UP])
    found = {p.kind: p.passable for p in ports(made, made.stands["in"])}
    assert found == {"opening": True, "loophole": False}


def test_teams_in_one_house_see_each_other_inside():
    """The text is silent; a house is taken as one room on each storey."""
    other = Team("out", (4, 5), side="y")
    assert asked(replace(IN, at=(4, 2)), other) == "seen"
    ell = Polygon([(0, 0), (8, 0), (8, 2), (2, 2), (2, 8), (0, 8)])
    corner = [Team("in", (7, 1), base=(1, 1)), Team("out", (1, 7), base=(1, 1))]
    assert asked(*corner, houses=[ell], gaps=[]) == "building"
    assert asked(replace(IN, at=(4, 2), level=1), other, gaps=[]) == "no-opening"
    assert asked(replace(IN, level=1), other, gaps=[UP]) == "storey"


def test_a_courtyard_is_outside():
    """003 20.1: a hole in the outline holds no house."""
    ring = Polygon([(0, 0), (12, 0), (12, 12), (0, 12)], [[(3, 3), (9, 3), (9, 9), (3, 9)]])
    yard = Team("a", (4.5, 6), base=(1, 1)), Team("b", (7.5, 6), base=(1, 1))
    assert asked(*yard, a="a", b="b", houses=[ring], gaps=[]) == "seen"
    assert asked(yard[0], Team("b", (20, 6)), a="a", b="b", houses=[ring], gaps=[]) == "building"


def test_smoke_before_an_opening():
    """003 7.1 and 22.1 together: lines begin at the opening, and all of them pass the smoke."""
    discs = [Disc((x, -2)) for x in (-2, 0, 2, 4, 6, 8, 10)]
    sight = shot(fs.scene(IN, OUT, houses=[HOUSE], gaps=[UP], discs=discs), "in", "out")
    assert sight.seen and sight.concealed


@pytest.mark.parametrize(
    ("team", "told"),
    [
        (Team("a", (20, 20), level=1), "stands in no building, so on no level 1"),
        (Team("a", (20, 20), level="roof"), "stands in no building, so on no roof"),
        (Team("a", (4, 3), level=2), "has no level 2"),
    ],
)
def test_a_team_stands_where_it_can(team, told):
    with pytest.raises(UsageError, match=told):
        fs.scene(team, houses=[HOUSE])
