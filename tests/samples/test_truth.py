"""The truth of a sample agrees with itself and with what was painted."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hexsight.samples import Sample
from hexsight.samples.facts import inside

BUILDING_CODES = {40, 41, 42, 47, 48, 50, 51, 52, 57, 58, 170, 171, 172, 173}


def _hexes(sample: Sample) -> dict[str, dict[str, Any]]:
    return {h["name"]: h for h in sample.truth["hexes"]}


def _buildings(sample: Sample) -> dict[str, dict[str, Any]]:
    return {b["id"]: b for b in sample.truth["buildings"]}


def test_names_are_unique_and_plain(sample: Sample) -> None:
    names = [h["name"] for h in sample.truth["hexes"]]
    assert len(set(names)) == len(names)
    assert all("-" not in name for name in names)  # '-' joins names of hexsides and vertices


def test_every_centre_lies_in_the_picture(sample: Sample) -> None:
    left, top, right, bottom = sample.truth["map_area_px"]
    height, width = sample.terrain.shape
    assert 0 <= left < right < width
    assert 0 <= top < bottom < height
    for h in sample.truth["hexes"]:
        x, y = h["centre_px"]
        assert left <= x <= right + 0.5 and top <= y <= bottom + 0.5, h["name"]
        assert sample.spec.layout.hex_at(x, y) == (h["col"], h["row"])


def test_no_hex_is_a_doubtful_building_hex(sample: Sample) -> None:
    for h in sample.truth["hexes"]:
        assert h["building_fraction"] == 0 or h["building_fraction"] > 0.06, h
        assert (h["building"] is not None) == (h["building_fraction"] > 0)


def test_building_share_is_what_was_painted(sample: Sample) -> None:
    painted = np.isin(sample.terrain, sorted(BUILDING_CODES))
    total = sum(h["building_fraction"] * h["visible_px"] for h in sample.truth["hexes"])
    assert math.isclose(total, int(painted.sum()), rel_tol=0.002)


def test_factories_are_the_buildings_a_road_enters(sample: Sample) -> None:
    hexes = _hexes(sample)
    for b in sample.truth["buildings"]:
        assert b["factory"] == bool(b["road_entries"])
        entered = {e["hex"] for e in b["road_entries"]}
        assert entered <= set(b["hexes"])
        for name in b["hexes"]:
            assert hexes[name]["vehicular_entrance"] == (name in entered)
            assert hexes[name]["height_half"] == b["height_half"]


def test_roads_reach_the_outline_they_enter(sample: Sample) -> None:
    for b in sample.truth["buildings"]:
        for entry in b["road_entries"]:
            x, y = entry["point_px"]
            near = sample.terrain[round(y) - 4 : round(y) + 5, round(x) - 4 : round(x) + 5]
            assert {65, 66} & set(near.ravel().tolist()), entry
            assert b["code"] in near, entry


def test_heights_follow_the_rule(sample: Sample) -> None:
    for b in sample.truth["buildings"]:
        stairs = bool(b["stairwells"])
        if b["factory"]:
            expected = 5 if stairs else 3
        elif stairs:
            expected = 5
        else:
            expected = 2 if len(b["hexes"]) == 1 else 3
        assert b["height_half"] == expected


def test_bars_lie_inside_their_building_and_are_black(sample: Sample) -> None:
    buildings = _buildings(sample)
    for bar in sample.truth["bars"]:
        building = buildings[bar["building"]]
        (x0, y0), (x1, y1) = bar["end_points_px"]
        t0, t1 = bar["interval"]
        assert 0 <= t0 < t1 <= 1
        assert building["factory"]
        assert set(bar["hexside"].split("-")) <= set(building["hexes"])
        outline = [(float(x), float(y)) for x, y in building["outline_px"]]
        code = 172 if building["height_half"] == 3 else 173
        for t in np.linspace(t0 + 0.03, t1 - 0.03, 15):
            x, y = x0 + t * (x1 - x0), y0 + t * (y1 - y0)
            assert inside((x, y), outline), bar
            assert sample.terrain[round(y), round(x)] == code, bar


def test_bars_name_the_vertices_they_reach(sample: Sample) -> None:
    for bar in sample.truth["bars"]:
        t0, t1 = bar["interval"]
        assert len(bar["vertices"]) == (t0 == 0) + (t1 == 1)
        for vertex in bar["vertices"]:
            assert set(bar["hexside"].split("-")) < set(vertex.split("-"))
            assert vertex.split("-") == sorted(vertex.split("-"))


def test_there_is_a_gap_between_two_bars(sample: Sample) -> None:
    """A hexside without a bar although bars end at both of its vertices."""
    reached = {v for bar in sample.truth["bars"] for v in bar["vertices"]}
    barred = {bar["hexside"] for bar in sample.truth["bars"]}
    gaps = {
        "-".join(sorted(a & b))
        for a in (frozenset(v.split("-")) for v in reached)
        for b in (frozenset(v.split("-")) for v in reached)
        if len(a & b) == 2
    }
    assert gaps - barred


def test_roofless_hexes_are_clear_cut_and_in_factories(sample: Sample) -> None:
    hexes = _hexes(sample)
    listed = {name for area in sample.truth["roofless"] for name in area["hexes"]}
    assert listed == {h["name"] for h in sample.truth["hexes"] if h["roofless"]}
    for h in sample.truth["hexes"]:
        if h["roofless_fraction"] == 0:
            continue
        share = h["roofless_fraction"] / h["building_fraction"]
        assert share > 0.9 if h["roofless"] else share < 0.2, h
    for name in listed:
        assert hexes[name]["factory"]
        assert hexes[name]["terrain_centre"] in (170, 171)


def test_stairwells_are_white_squares(sample: Sample) -> None:
    for h in sample.truth["hexes"]:
        x, y = (round(c) for c in h["centre_px"])
        patch = sample.picture[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3]
        white = bool((patch > 240).all())
        assert white == h["stairwell"], h["name"]


def test_rubble_is_no_building(sample: Sample) -> None:
    for h in sample.truth["hexes"]:
        if h["rubble"]:
            assert h["building"] is None
            assert h["terrain_centre"] not in BUILDING_CODES


def test_walls_and_hedges_stand_on_their_hexsides(sample: Sample) -> None:
    by_name = {h["name"]: (h["col"], h["row"]) for h in sample.truth["hexes"]}
    for key, code in (("walls", 72), ("hedges", 73)):
        for side in sample.truth[key]:
            a, b = (by_name[name] for name in side.split("-"))
            (x0, y0), (x1, y1) = sample.spec.layout.hexside(a, b)
            for t in (0.2, 0.5, 0.8):
                x, y = round(x0 + t * (x1 - x0)), round(y0 + t * (y1 - y0))
                assert sample.terrain[y, x] == code, side


def test_terrain_raster_holds_only_named_codes(sample: Sample) -> None:
    assert set(np.unique(sample.terrain).tolist()) == {
        int(code) for code in sample.truth["terrain_codes"]
    }
    assert sample.picture.shape == (*sample.terrain.shape, 3)
    assert sample.picture.dtype == sample.terrain.dtype == np.uint8


def test_each_board_holds_what_detectors_need(sample: Sample) -> None:
    truth = sample.truth
    factories = [b for b in truth["buildings"] if b["factory"]]
    assert len(factories) >= 2
    assert any(b["stairwells"] for b in factories)
    assert any(not b["factory"] and b["stairwells"] for b in truth["buildings"])
    assert {True, False} == {bar["full"] for bar in truth["bars"]}
    for key in ("roofless", "walls", "hedges", "rings_px"):
        assert truth[key], key
    for kind in ("stone_rubble", "wooden_rubble", "woods", "debris", "shellholes"):
        assert truth["patches"][kind], kind
