"""Visibility between regions: against sampling, and what must hold of every map."""

from __future__ import annotations

import math
from dataclasses import replace

import flames_scene as fs
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import box

from hexsight.los.flames import lines, regions
from hexsight.los.flames.ports import ports
from hexsight.los.flames.scene import GRAZE
from hexsight.los.flames.sight import look
from hexsight.los.flames.state import Disc, Team


def _verdict(made, a="a", b="b"):
    sight = look(made, made.stands[a], made.stands[b])
    return sight.seen, sight.concealed, sight.gone_to_ground


@given(fs.houses(), fs.discs, fs.pair(), st.integers(0, 2**32 - 1))
@settings(max_examples=50, deadline=None)
def test_a_line_that_sampling_finds_is_found(houses, discs, teams, seed):
    """003 7.1, 8.1, 20.1: any free line matters, so none may be overlooked."""
    made = fs.scene(*teams, houses=houses, discs=discs)
    a, b = made.stands["a"], made.stands["b"]
    rng = np.random.default_rng(seed)
    starts, ends = fs.some_points(a, 120, rng), fs.some_points(b, 120, rng)
    n = min(len(starts), len(ends))
    clear, free = fs.open_lines(made, a, b, starts[:n], rng.permutation(ends)[:n], margin=0.06)
    screen = made.screen(max(a.eye, b.eye), min(a.eye, b.eye))
    found = lines.find_lines(a.base, b.base, screen, first_high=a.eye >= b.eye)
    assert found.seen is not None or not clear.any()
    assert found.free is not None or not free.any()


@given(fs.houses(), fs.discs, fs.pair())
@settings(max_examples=50, deadline=None)
def test_a_line_that_is_found_is_one(houses, discs, teams):
    """The line told runs from base to base and through no house, deeper than it may graze."""
    made = fs.scene(*teams, houses=houses, discs=discs)
    a, b = made.stands["a"], made.stands["b"]
    screen = made.screen(max(a.eye, b.eye), min(a.eye, b.eye))
    found = lines.find_lines(a.base, b.base, screen, first_high=a.eye >= b.eye)
    for line, dims in ((found.seen, False), (found.free, True)):
        if line is None:
            continue
        start, end = np.array(line[:1]), np.array(line[1:])
        assert fs.in_base(a, start).all() and fs.in_base(b, end).all()
        thin = [(h.shape.buffer(-2 * GRAZE, join_style="mitre"), h.top) for h in made.houses]
        kept = [h for h in thin if not h[0].is_empty]
        small = fs.scene(*teams, houses=kept, discs=discs if dims else [])
        clear, free = fs.open_lines(small, a, b, start, end)
        assert clear[0]
        assert free[0] or not dims or _grazes(made, line)


def _grazes(made, line):
    """Whether a line only touches the discs that it comes near."""
    off = [shapely.LineString(line).distance(shapely.Point(d.at)) for d in made.discs]
    return min(o for o in off) > 1 - 1e-6


@given(fs.houses(), fs.discs, fs.pair())
@settings(max_examples=40, deadline=None)
def test_sight_is_reciprocal_in_the_open(houses, discs, teams):
    """003 18.1: who is hidden by smoke is hidden from both sides; 20.1: so are houses."""
    made = fs.scene(*teams, houses=houses, discs=discs)
    assert _verdict(made) == _verdict(made, "b", "a")


@given(
    fs.houses(3),
    fs.discs,
    fs.pair(),
    st.integers(0, 359),
    fs.quarter,
    fs.quarter,
    st.sampled_from([0.5, 3.0, 20.0]),
)
@settings(max_examples=40, deadline=None)
def test_turning_moving_and_scaling_the_map_change_nothing(
    houses, discs, teams, deg, dx, dy, scale
):
    """Lengths are those of the table, whatever the picture's scale and wherever north is."""
    t = math.radians(deg)
    matrix = np.array([[math.cos(t), -math.sin(t)], [math.sin(t), math.cos(t)]])

    def move(points):
        return np.asarray(points) @ matrix.T + (dx, dy)

    def px(at):
        x, y = (move([at])[0] * scale).tolist()
        return x, y

    other = fs.scene(
        *(replace(one, at=px(one.at), facing_deg=one.facing_deg + deg) for one in teams),
        houses=[(shapely.transform(shape, move), top) for shape, top in houses],
        discs=[replace(d, at=px(d.at)) for d in discs],
        scale=scale,
    )
    assert _verdict(other) == _verdict(fs.scene(*teams, houses=houses, discs=discs))


@given(fs.houses(), fs.discs, fs.pair(), st.data())
@settings(max_examples=40, deadline=None)
def test_less_on_the_map_never_hides_more(houses, discs, teams, data):
    """003 20.1, 6.1, 8.1: taking a house away never blocks, more smoke never frees."""
    rank = {(False, False, False): 0, (True, True, True): 1, (True, False, False): 2}
    before = rank[_verdict(fs.scene(*teams, houses=houses, discs=discs))]
    if houses:
        gone = data.draw(st.integers(0, len(houses) - 1))
        less = houses[:gone] + houses[gone + 1 :]
        assert rank[_verdict(fs.scene(*teams, houses=less, discs=discs))] >= before
    more = [*discs, Disc((data.draw(fs.quarter), data.draw(fs.quarter)), "x")]
    assert rank[_verdict(fs.scene(*teams, houses=houses, discs=more))] <= before


@given(fs.houses(), fs.pair(level=True), st.sampled_from([0.5, 3.0, 7.0, 30.0]))
@settings(max_examples=40, deadline=None)
def test_climbing_never_hides(houses, teams, up):
    """003 19.2, 20.2: who stands higher sees what it saw, and over more houses."""
    low = fs.scene(*teams, houses=houses)
    high = fs.scene(replace(teams[0], height=up), teams[1], houses=houses)
    assert _verdict(high)[0] >= _verdict(low)[0]


def test_a_slit_is_looked_through_by_the_one_line_there_is():
    """Exact: two slits, offset so that only a few slanting lines from one corner pass both."""
    walls = [
        box(-9, 5, -0.5, 5.02),
        box(-0.45, 5, 9, 5.02),
        box(-9, 9, -0.05, 9.02),
        box(-0.03, 9, 9, 9.02),
    ]
    target = Team("b", (0, 20), base=(8, 1))
    wide, narrow = Team("a", (0, 0), base=(2, 1)), Team("a", (0, 0), base=(1.7, 1))
    assert _verdict(fs.scene(wide, target, houses=walls))[0]
    assert not _verdict(fs.scene(narrow, target, houses=walls))[0]


def test_the_widest_gap_that_is_closed_is_a_hair():
    houses = [box(-5, 4, 0, 6), box(0.04, 4, 5, 6)]
    teams = Team("a", (0, 0)), Team("b", (0, 10))
    made = fs.scene(*teams, houses=houses)
    assert _verdict(made)[0]
    made = fs.scene(*teams, houses=houses)
    made.hair = 0.05
    assert not _verdict(made)[0]


def test_houses_of_two_heights_that_touch_leave_no_slit():
    """003 20.1: however high the neighbours are, a common wall is none to look along."""
    houses = [(box(-5, 4, 0, 6), 4.0), (box(0, 4, 5, 6), 6.0)]
    for height in (0.0, 4.5, 20.0):
        made = fs.scene(Team("a", (0, 0), height=height), Team("b", (0, 9)), houses=houses)
        assert _verdict(made)[0] == (height == 20.0)


@pytest.mark.parametrize("kind", ["square", "disc", "cut"])
def test_regions_know_what_lies_in_them(kind):
    region = (
        regions.disc(1, 2, 3)
        if kind != "square"
        else regions.polygon([(0, 0), (4, 0), (4, 4), (0, 4)])
    )
    if kind == "cut":
        region = region.cut(1.0, 0.0, 2.0)
    at = np.array([[-10.0, 2.0], [-10.0, 30.0]])
    along = np.array([[1.0, 0.0], [1.0, 0.0]])
    low, high, hit = region.spans(at, along)
    assert hit.tolist() == [True, False]
    ends = {"square": (10, 14), "disc": (8, 14), "cut": (12, 14)}[kind]
    assert (low[0], high[0]) == pytest.approx(ends, abs=1e-6)
    assert region.cut(1.0, 0.0, 100.0) is None
    assert region.cut(1.0, 0.0, -100.0) is region


def test_tangents_touch():
    circles = np.array([(0.0, 0.0, 1.0), (5.0, 1.0, 2.0), (2.0, 7.0, 0.0)])
    rows = [np.hstack(v) for v in lines._tangents(circles)]
    found = np.vstack(rows)
    # Four to two circles, two to a circle and a point.
    assert len(found) == 4 + 2 + 2
    for x, y, u, v in found:
        off = np.abs((circles[:, 0] - x) * -v + (circles[:, 1] - y) * u)
        assert (np.abs(off - circles[:, 2]) < 1e-9).sum() >= 2


@st.composite
def inside(draw: st.DrawFn, name: str, number: int, x: float):
    """A turned house, an opening in one of its walls, and infantry that stands against it."""
    shape = shapely.geometry.polygon.orient(
        fs.turned(x, draw(st.integers(-8, 8)) / 4, 6, 5, draw(st.integers(0, 359)))
    )
    ring = np.array(shape.exterior.coords)
    wall = draw(st.integers(0, 3))
    a, b = ring[wall], ring[wall + 1]
    u = (b - a) / np.hypot(*(b - a))
    t = draw(st.integers(2, 12)) / 4
    p, q = a + u * t, a + u * (t + 1)
    middle = (p + q) / 2 + np.array([-u[1], u[0]]) * 0.51
    facing = math.degrees(math.atan2(u[1], -u[0])) - 90
    hole = fs.gap(number, *p, *q, house=number)
    team = Team(name, tuple(middle.tolist()), base=(1, 1), facing_deg=facing)
    return shape, hole, team


@given(inside("a", 1, -7), inside("b", 2, 7), fs.houses(3), fs.discs, st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_openings_are_looked_through_from_both_sides(one, two, others, discs, seed):
    """003 22.1, 22.2: infantry at two openings; what sampling sees is seen, from both ends."""
    others = [
        (h, top) for h, top in others if not h.intersects(one[0]) and not h.intersects(two[0])
    ]
    made = fs.scene(
        one[2], two[2], houses=[one[0], two[0], *others], gaps=[one[1], two[1]], discs=discs
    )
    assert _verdict(made) == _verdict(made, "b", "a")
    a, b = made.stands["a"], made.stands["b"]
    (out,), (into,) = ports(made, a), ports(made, b)
    rng = np.random.default_rng(seed)
    share = rng.random((2, 80, 1))
    starts = np.array(out.ends[0]) + share[0] * np.subtract(out.ends[1], out.ends[0])
    ends = np.array(into.ends[0]) + share[1] * np.subtract(into.ends[1], into.ends[0])
    along = ends - starts
    before = (along @ out.outward > 1e-3) & (along @ into.outward < -1e-3)
    # A hair off both walls, so that no sample lies on one.
    clear, free = fs.open_lines(
        made,
        a,
        b,
        starts + np.array(out.outward) * 1e-6,
        ends + np.array(into.outward) * 1e-6,
        margin=0.06,
    )
    seen, concealed, _ = _verdict(made)
    limit = fs.PROFILE.smoke.limit
    assert seen or not (before & (free if a.distance(b) > limit else clear)).any()
    assert not concealed or not (before & free).any()


@pytest.mark.parametrize("bases", [(0.0, 0.0), (2.0, 0.0), ((2, 1), (2, 1)), (2.0, 2.0)])
def test_teams_on_one_place_see_each_other(bases):
    teams = Team("a", (0, 0), base=bases[0]), Team("b", (0, 0), base=bases[1])
    assert _verdict(fs.scene(*teams, houses=[box(5, 5, 6, 6)])) == (True, False, False)
