"""Smoke (seed 003, from "Smoke ammunition" to its examples), sentence by sentence.

``003 3.1`` is the first sentence of its third paragraph, headings not counted.
"""

from __future__ import annotations

import math

import flames_scene as fs
import numpy as np
import pytest
from shapely.geometry import box

from hexsight.los.flames.sight import shot
from hexsight.los.flames.smoke import fire_smoke, screen_discs
from hexsight.los.flames.state import Disc, SmokeHit, Team, start_turn
from hexsight.model.errors import UsageError

SHERMAN = Team("Sherman", (0, 0), "tank", "allies", "1st")
FIREFLY = Team("Firefly", (3, 0), "tank", "allies", "1st")
PANTHER = Team("Panther", (0, 24), "tank", "axis", "3rd", facing_deg=0)
PANTHER_2 = Team("Panther 2", (6, 24), "tank", "axis", "3rd", facing_deg=0)


def test_smoke_hits_do_nothing_but_raise_smoke():
    """003 1.1, 3.2, 9.1: a hit leaves discs; teams and terrain are as they were."""
    made = fs.scene(SHERMAN, PANTHER, houses=[box(10, 10, 12, 12)])
    before = dict(made.stands), made.houses
    discs = screen_discs(made, SmokeHit("Sherman", "Panther"))
    assert all(type(d) is Disc for d in discs)
    assert (dict(made.stands), made.houses) == before


def test_the_number_of_hits_is_passed_in():
    """003 2.1: the normal rules of shooting give it; here no dice are thrown."""
    made = fs.scene(SHERMAN, PANTHER, PANTHER_2)
    with pytest.raises(UsageError, match="2 hits are given out and 3 were scored"):
        fire_smoke(made, "Sherman", "3rd", 3, {"Panther": 1, "Panther 2": 1})
    assert fire_smoke(made, "Sherman", "3rd", 0, {}) == ()


def test_the_firing_player_chooses_which_teams_of_the_target_are_hit():
    """003 2.2: any teams of the valid target, in any numbers, and of no other."""
    made = fs.scene(SHERMAN, PANTHER, PANTHER_2, Team("Gun", (-6, 24), "gun", "axis", "2nd"))
    assert fire_smoke(made, "Sherman", "3rd", 2, {"Panther 2": 2, "Panther": 0}) == (
        SmokeHit("Sherman", "Panther 2", 2),
    )
    with pytest.raises(UsageError, match="Gun is not of 3rd"):
        fire_smoke(made, "Sherman", "3rd", 1, {"Gun": 1})
    with pytest.raises(UsageError, match="no unit '4th'"):
        fire_smoke(made, "Sherman", "4th", 1, {"Gun": 1})
    with pytest.raises(UsageError, match="-1 times"):
        fire_smoke(made, "Sherman", "3rd", 0, {"Panther": -1, "Panther 2": 1})


def test_a_target_that_is_not_seen_is_none():
    """003 2.2: the target is a valid one: some team of it is seen."""
    wall = box(-30, 10, 30, 12)
    made = fs.scene(SHERMAN, PANTHER, houses=[wall])
    with pytest.raises(UsageError, match="sees no team of 3rd"):
        fire_smoke(made, "Sherman", "3rd", 1, {"Panther": 1})


@pytest.mark.parametrize("deg", range(0, 360, 15))
def test_each_hit_puts_two_discs_before_the_target(deg):
    """003 3.1, 13.1, 15.2: 2″ across, either side of the line, 4″ wide, before the target."""
    t = math.radians(deg)
    firer = Team("a", (20 * math.cos(t), 20 * math.sin(t)), side="x")
    target = Team("b", (0, 0), side="y", facing_deg=deg + 90)
    made = fs.scene(firer, target)
    one, other = screen_discs(made, SmokeHit("a", "b"))
    p, q = np.array(one.at), np.array(other.at)
    ahead = np.array(firer.at) / 20
    assert fs.PROFILE.smoke.disc == fs.PROFILE.smoke.disc_height == 2
    # Either side of the line, their outer rims 4″ apart, square to it.
    assert math.dist(p, q) + 2 == pytest.approx(fs.PROFILE.smoke.screen == 4 and 4)
    assert (p - q) @ ahead == pytest.approx(0, abs=1e-9)
    assert (p + q) / 2 == pytest.approx(ahead * np.hypot(*(p + q)) / 2)
    # Directly in front: as near as they can without lying on the base, which faces them.
    stand = made.stands["b"]
    assert stand.shape.distance(fs.shapely.Point((p + q) / 2)) == pytest.approx(1)
    assert one.side == other.side == "x"


def test_more_hits_bring_two_discs_each():
    """003 3.1, 15.2: two for every hit."""
    made = fs.scene(SHERMAN, PANTHER)
    assert len(screen_discs(made, SmokeHit("Sherman", "Panther", 3))) == 6


def test_round_bases_have_a_front_everywhere():
    """003 3.1."""
    made = fs.scene(Team("a", (9, 0), side="x"), Team("b", (0, 0), side="y", base=3.0))
    assert sorted(d.at for d in screen_discs(made, SmokeHit("a", "b"))) == [(2.5, -1), (2.5, 1)]


@pytest.mark.parametrize(("side", "told"), [("allies", "on one side"), (None, "has no side")])
def test_smoke_is_fired_at_enemies_only(side, told):
    """003 4.1: not at teams of the own side."""
    made = fs.scene(SHERMAN, Team("Other", (0, 24), side=side))
    with pytest.raises(UsageError, match=told):
        screen_discs(made, SmokeHit("Sherman", "Other"))
    with pytest.raises(UsageError, match=told):
        fire_smoke(made, "Sherman", "Other", 1, {"Other": 1})


def behind_smoke(distance: float, **more) -> tuple[bool, bool, bool]:
    """Seen, Concealed, Gone to Ground of a target behind a screen, bases so far apart."""
    firer = Team("a", (0, 0), side="x", base=(2, 1))
    target = Team("b", (0, distance + 1), side="y", base=(2, 1))
    sight = shot(fs.scene(firer, target, discs=[SmokeHit("a", "b")]), "a", "b", **more)
    assert sight.distance == pytest.approx(distance)
    return sight.seen, sight.concealed, sight.gone_to_ground


@pytest.mark.parametrize(
    ("distance", "expected"),
    [
        (4, (True, True, True)),
        (15.9, (True, True, True)),
        (16, (True, True, True)),
        (16.01, (False, False, False)),
        (30, (False, False, False)),
    ],
)
def test_nobody_sees_through_smoke_farther_than_16_inches(distance, expected):
    """003 6.1, 7.1, 14.1: over 16″ (40 cm) no line; up to it Concealed and Gone to Ground."""
    assert behind_smoke(distance) == expected


def test_for_defensive_fire_the_target_is_only_concealed():
    """003 7.1 (p. 152)."""
    assert behind_smoke(10, defensive=True) == (True, True, False)
    assert behind_smoke(20, defensive=True) == (False, False, False)


@pytest.mark.parametrize(("aside", "free"), [(1.0, False), (1.02, True)])
@pytest.mark.parametrize("mirror", [1, -1])
def test_any_free_line_undoes_the_screen(aside, free, mirror):
    """003 8.1: one line past the disc, from any point of the firer, is enough at any range.

    From a corner 2.0101″ aside a line to a point 20″ away just touches a disc half way.
    """
    firer = Team("a", (aside * mirror, 0), side="x", base=(2, 1e-6))
    target = Team("b", (0, 20), side="y", base=0.0)
    sight = shot(fs.scene(firer, target, discs=[Disc((0, 10), "x")]), "a", "b")
    assert (sight.seen, sight.concealed, sight.gone_to_ground) == (free, False, False)


def test_lines_of_a_spotter_count_and_not_the_firers():
    """003 7.1, 8.1: from the firing *or spotting* team."""
    teams = [
        Team("a", (0, 0), side="x"),
        Team("b", (0, 12), side="y"),
        Team("eye", (12, 12), side="x"),
    ]
    made = fs.scene(*teams, discs=[SmokeHit("a", "b")])
    assert shot(made, "a", "b").concealed
    seen = shot(made, "a", "b", spotter="eye")
    assert seen.seen and not seen.concealed and not seen.gone_to_ground


def test_nobody_looks_between_two_discs_that_touch():
    """003 3.1: the two discs are one screen of 4″, though between them is a point only."""
    teams = Team("a", (0, 0), side="x", base=0.0), Team("b", (0, 12), side="y", base=0.0)
    for gape in (0.0, 0.01):
        discs = [Disc((-1 - gape / 2, 10)), Disc((1 + gape / 2, 10))]
        assert shot(fs.scene(*teams, discs=discs), "a", "b").concealed
    discs = [Disc((-1.1, 10)), Disc((1.1, 10))]
    assert not shot(fs.scene(*teams, discs=discs), "a", "b").concealed


def test_smoke_is_2_inches_high():
    """003 3.1: who stands high enough looks over it."""
    target = Team("b", (0, 15), side="y")
    for height, concealed in ((0.0, True), (2.0, True), (30.0, False)):
        firer = Team("a", (0, 0), side="x", height=height)
        made = fs.scene(firer, target, discs=[Disc((-1, 7)), Disc((1, 7))])
        assert shot(made, "a", "b").concealed == concealed


def test_smoke_is_no_terrain():
    """003 9.1: a disc between near teams stops nothing, and lies in no list of houses."""
    made = fs.scene(Team("a", (0, 0)), Team("b", (0, 4)), discs=[Disc((0, 2))])
    assert shot(made, "a", "b").seen and made.houses == ()
    assert made.house_at(0, 2) is None


def test_smoke_goes_in_the_next_starting_step_of_who_fired_it():
    """003 11.1: all markers of the own shooting, and only those."""
    hit = SmokeHit("Sherman", "Panther")
    discs = (Disc((0, 0), "allies"), Disc((5, 5), "axis"), Disc((9, 9)), hit)
    teams = (SHERMAN, PANTHER)
    assert start_turn(discs, "allies", teams) == (discs[1], discs[2])
    assert start_turn(discs, "axis", teams) == (discs[0], discs[2], hit)


def test_the_example_of_sherman_firefly_and_panthers():
    """003 16.1, 17.1, 18.1: the screened Panther is Concealed, and sees 16″ through smoke."""
    near = Team("Panther", (0, 17), "tank", "axis", "3rd")
    hits = [SmokeHit("Sherman", "Panther"), SmokeHit("Firefly", "Panther")]
    close = fs.scene(SHERMAN, FIREFLY, near, discs=hits)
    assert shot(close, "Firefly", "Panther").gone_to_ground  # 17.1
    back = shot(close, "Panther", "Sherman")  # 18.1: it stays and fires at what is Concealed
    assert back.seen and back.concealed and back.gone_to_ground
    far = fs.scene(SHERMAN, FIREFLY, PANTHER, discs=hits)
    assert not shot(far, "Panther", "Sherman").seen
    far.place(PANTHER.moved((0, 17.5)))  # 16.1: it has to come nearer
    assert shot(far, "Panther", "Sherman").seen


def test_a_team_does_not_look_at_itself():
    with pytest.raises(UsageError, match="cannot look at itself"):
        shot(fs.scene(SHERMAN), "Sherman", "Sherman")
    with pytest.raises(UsageError, match="no team 'Tiger'"):
        shot(fs.scene(SHERMAN), "Sherman", "Tiger")


def test_what_smoke_does_is_told_on_the_line_itself():
    """Not in the middle of a disc that the line only touches: pictures mark the place."""
    made = fs.scene(SHERMAN, PANTHER, discs=[SmokeHit("Sherman", "Panther")])
    seen = shot(made, "Sherman", "Panther")
    (cause,) = seen.causes
    (ax, ay), (bx, by) = seen.line
    x, y = cause.at
    assert (bx - ax) * (y - ay) == pytest.approx((by - ay) * (x - ax), abs=1e-6)
    assert min(ay, by) < y < max(ay, by)
