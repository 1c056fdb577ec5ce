"""Each rule function against what its rule says, number by number.

Boards show the rules at work (test_los_rules); here stand the corners that few
boards reach.  Heights are half-levels, `per` is the 5 hexes of A6.4.
"""

from __future__ import annotations

import pytest

from hexsight.los.rules import registry
from hexsight.los.rules.buildings import leaves, same_hex
from hexsight.los.rules.depressions import rim
from hexsight.los.rules.factories import between, under_roof
from hexsight.los.rules.heights import crest, obstacle
from hexsight.los.rules.hexsides import (
    ACROSS,
    ALONG,
    APART,
    TOUCHES,
    bar,
    hedgerow,
    meets,
    wall,
    wall_and_cellar,
)
from hexsight.los.rules.screens import hinders_level, veils_between, veils_end, veils_storeys

PER = 5


def hidden(rule, blind: int, *before, near: int = 12) -> int:
    """How many hexes right behind lie in the dark; all of them must be the first ones."""
    dark = [rule(*before[:-1], k, before[-1]) == blind for k in range(1, near)]
    count = sum(dark)
    assert dark == [True] * count + [False] * (near - 1 - count)
    return count


@pytest.mark.parametrize(
    ("top", "hi", "lo", "code"),
    [
        (3, 2, 2, registry.HIGHER),
        (3, 2, 0, registry.HIGHER),
        (2, 2, 2, registry.CLEAR),
        (2, 2, 0, registry.ADVANTAGE),
        (2, 2, 1, registry.ADVANTAGE),
        (0, 2, 0, registry.CLEAR),
        (-2, 2, -4, registry.CLEAR),
    ],
)
def test_terrain_blocks_higher_than_both_or_level_with_the_higher(top, hi, lo, code):
    """A6.2."""
    assert obstacle(top, False, hi, lo, 1, 8, PER) == code


@pytest.mark.parametrize(
    ("top", "exact", "hi", "lo", "far", "blind"),
    [
        (2, False, 4, 0, 1, 1),  # one level over the lower end: one hex
        (2, False, 6, 0, 1, 1),  # never less than one
        (2, False, 20, 0, 1, 1),
        (4, False, 6, 0, 1, 2),  # one more for each further level over the lower end
        (6, False, 8, 0, 1, 3),
        (6, False, 10, 0, 1, 2),  # one less for each further level of advantage
        (6, False, 8, 4, 1, 1),  # levels count from the lower end
        (4, False, 6, -2, 1, 3),
        (2, False, 4, 0, 4, 1),
        (2, False, 4, 0, 5, 2),  # one more for every five hexes of range
        (2, False, 4, 0, 9, 2),
        (2, False, 4, 0, 10, 3),
        (3, False, 6, 0, 1, 1),  # of 1½ levels one counts
        (3, False, 4, 0, 1, 1),
        (5, False, 6, 0, 1, 2),
        (1, False, 6, 0, 1, 0),  # half a level hides nothing
        (3, False, 6, 2, 1, 0),  # no full level over the lower end
        (3, True, 5, 0, 1, 1),
        (5, True, 7, 0, 1, 2),  # against rooftops the half counts: 2½ hexes are two
        (5, True, 6, 0, 1, 3),
        (3, True, 5, 0, 5, 2),
        (3, True, 5, 2, 1, 0),
    ],
)
def test_blind_hexes_behind_terrain(top, exact, hi, lo, far, blind):
    """A6.4."""
    found = hidden(
        obstacle,
        registry.BLIND,
        top,
        exact,
        hi,
        lo,
        far,
        PER,
    )
    assert found == blind


@pytest.mark.parametrize(
    ("ground", "hi", "lo", "code"),
    [
        (3, 2, 2, registry.GROUND_HIGHER),
        (2, 2, 2, registry.CLEAR),
        (2, 2, 1, registry.GROUND_ADVANTAGE),
        (0, 4, 0, registry.CLEAR),
        (-2, 4, 0, registry.CLEAR),
    ],
)
def test_ground_blocks_as_terrain_does(ground, hi, lo, code):
    """B10.2."""
    for cliff in (False, True):
        assert crest(ground, hi, lo, 1, 9, PER, cliff) == code


@pytest.mark.parametrize(
    ("ground", "hi", "lo", "far", "cliff", "blind"),
    [
        (2, 4, 0, 1, False, 0),  # no hex of its own right behind a slope
        (4, 6, 0, 1, False, 1),
        (6, 8, 0, 1, False, 2),
        (6, 8, 2, 1, False, 1),
        (4, 6, -2, 1, False, 2),
        (4, 8, 0, 1, False, 0),
        (2, 4, 0, 4, False, 0),
        (2, 4, 0, 5, False, 1),
        (2, 4, 0, 10, False, 2),
        (2, 4, 0, 1, True, 1),  # but behind a cliff (B11.21)
        (4, 6, 0, 1, True, 2),
        (4, 6, 2, 1, True, 1),
        (2, 12, 0, 1, True, 1),
        (2, 4, 0, 5, True, 2),
        (0, 4, 0, 1, True, 0),
        (-2, 6, -2, 6, True, 0),
    ],
)
def test_blind_hexes_below_a_crest(ground, hi, lo, far, cliff, blind):
    """B10.23, B11.21."""
    found = hidden(
        lambda g, h, o, f, c, near, p: crest(g, h, o, f, near, p, c),
        registry.CREST_BLIND,
        ground,
        hi,
        lo,
        far,
        cliff,
        PER,
    )
    assert found == blind


@pytest.mark.parametrize(
    ("height", "other", "top", "code"),
    [
        (2, 2, 5, registry.CLEAR),
        (2, 0, 5, registry.SAME_BUILDING),
        (0, 2, 5, registry.SAME_BUILDING),
        (5, 0, 5, registry.CLEAR),  # on top of it
        (6, 0, 5, registry.CLEAR),
        (4, 6, 5, registry.SAME_BUILDING),
    ],
)
def test_a_storey_looks_out_of_its_own_hex(height, other, top, code):
    """A6.8."""
    assert leaves(height, other, top) == code


@pytest.mark.parametrize(
    ("level", "other", "stairs", "factory", "roof", "code"),
    [
        (0, 1, True, False, False, registry.CLEAR),
        (1, 0, True, False, False, registry.CLEAR),
        (0, 1, False, False, False, registry.SAME_HEX),
        (0, 2, True, False, False, registry.SAME_HEX),
        (2, 0, True, True, True, registry.CLEAR),
        (0, 2, True, True, True, registry.CLEAR),
        (0, 2, True, True, False, registry.SAME_HEX),
        (0, 2, True, False, True, registry.SAME_HEX),
        (0, 2, False, True, True, registry.SAME_HEX),
        (1, 3, True, True, True, registry.SAME_HEX),  # from the ground only
        (-1, 2, True, True, True, registry.SAME_HEX),
    ],
)
def test_levels_of_one_hex_see_each_other_by_stairs(level, other, stairs, factory, roof, code):
    """A6.8, O.4B."""
    assert same_hex(level, other, stairs, factory, roof) == code


@pytest.mark.parametrize(
    ("ground", "bed", "other", "away", "code"),
    [
        (0, -2, 0, 1, registry.CLEAR),  # one level above it: from one hex
        (0, -2, 0, 2, registry.DEPRESSION),
        (0, -2, 2, 2, registry.CLEAR),
        (0, -2, 2, 3, registry.DEPRESSION),
        (-2, -2, 0, 5, registry.CLEAR),  # along the bed
        (-1, -2, -2, 1, registry.DEPRESSION),
        (2, 0, 0, 1, registry.DEPRESSION),
        (4, 2, 8, 3, registry.CLEAR),
        (4, 2, 8, 4, registry.DEPRESSION),
    ],
)
def test_a_depression_is_seen_into_from_as_many_levels_as_hexes(ground, bed, other, away, code):
    """A6.3."""
    assert rim(ground, bed, other, away) == code


FACTORY = {
    "top": 3,
    "inside": True,
    "joined": True,
    "open_floor": False,
    "along": False,
    "exact": False,
    "hi": 0,
    "lo": 0,
    "far": 1,
    "near": 4,
    "per": PER,
}


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({}, registry.CLEAR),  # below the roof it only hinders
        ({"inside": False}, registry.LEAVES_FACTORY),
        ({"hi": 2, "inside": False}, registry.LEAVES_FACTORY),
        ({"hi": 3}, registry.SECOND_ROOFED),
        ({"hi": 5}, registry.SECOND_ROOFED),
        ({"hi": 3, "open_floor": True}, registry.CLEAR),
        ({"hi": 5, "open_floor": True, "near": 1}, registry.CLEAR),
        ({"hi": 5, "inside": False}, registry.SECOND_ROOFED),
        ({"hi": 3, "inside": False}, registry.ADVANTAGE),  # leaves: the outer wall has its height
        ({"hi": 3, "inside": False, "along": True}, registry.SECOND_ROOFED),
        ({"hi": 3, "inside": False, "along": True, "open_floor": True}, registry.CLEAR),
        ({"hi": 3, "lo": 3}, registry.CLEAR),  # roof to roof
        ({"hi": 4, "lo": 3, "inside": False}, registry.CLEAR),
        ({"hi": 5, "lo": 4}, registry.CLEAR),
        ({"hi": 5, "joined": False}, registry.CLEAR),
        ({"hi": 5, "joined": False, "near": 1}, registry.BLIND),  # a line that only passes
        ({"hi": 5, "joined": False, "near": 1, "open_floor": True}, registry.BLIND),
        ({"hi": 3, "joined": False}, registry.ADVANTAGE),
    ],
)
def test_a_factory_hex_between(said, code):
    """O5.43, O5.52."""
    assert between(**{**FACTORY, **said}) == code


@pytest.mark.parametrize(
    ("top", "from_open_floor", "hi", "lo", "code"),
    [
        (3, False, 3, 0, registry.THROUGH_ROOF),
        (3, False, 5, 0, registry.THROUGH_ROOF),
        (3, True, 5, 0, registry.CLEAR),
        (3, False, 2, 0, registry.CLEAR),
        (3, False, 5, 3, registry.CLEAR),
    ],
)
def test_no_line_goes_through_the_roof(top, from_open_floor, hi, lo, code):
    """O5.43."""
    assert under_roof(top, from_open_floor, hi, lo) == code


@pytest.mark.parametrize(
    ("line", "a", "b", "how"),
    [
        ((0, 0, 4, 0), (2, -1), (2, 1), ACROSS),
        ((0, 0, 4, 0), (2, 1), (2, -1), ACROSS),
        ((0, 0, 4, 0), (2, 0), (2, 1), TOUCHES),
        ((0, 0, 4, 0), (2, -1), (2, 0), TOUCHES),
        ((0, 0, 4, 0), (1, 0), (3, 0), ALONG),
        ((0, 0, 4, 0), (2, 1), (2, 2), APART),
        ((0, 0, 4, 0), (2, -1), (3, -2), APART),
        ((5, 7, 4, 0), (7, 6), (7, 8), ACROSS),
        ((5, 7, 4, 0), (7, 7), (9, 7), ALONG),
        ((5, 7, 4, 0), (7, 8), (7, 9), APART),
        ((1, 2, 3, 3), (2, 3), (4, 5), ALONG),
        ((1, 2, 3, 3), (2, 3), (4, 6), TOUCHES),
        ((1, 2, 3, 3), (3, 3), (2, 4), ACROSS),
        ((1, 2, 1, 3), (3, 9), (2, 4), ACROSS),
        ((1, 2, 1, 3), (3, 9), (1, 4), APART),
        ((1, 2, 1, 3), (2, 5), (2, 4), TOUCHES),
    ],
)
def test_how_a_line_meets_a_hexside(line, a, b, how):
    assert meets(*line, *a, *b) == how


@pytest.mark.parametrize(
    ("top", "hi", "adjoins", "code"),
    [
        (1, 0, False, registry.WALL),
        (1, 0, True, registry.CLEAR),
        (1, 1, False, registry.CLEAR),
        (1, 2, False, registry.CLEAR),
    ],
)
def test_a_wall_that_neither_end_adjoins(top, hi, adjoins, code):
    """B9.2."""
    assert wall(top, hi, adjoins) == code


ACROSS_A_FULL_LEVEL = [
    # top, hi, lo, far, near → blocked, in the dark, or clear
    (2, 0, 0, 1, 1, "blocked"),
    (2, 2, 0, 1, 9, "blocked"),
    (2, 2, 2, 1, 1, "clear"),
    (2, 3, 2, 1, 1, "clear"),
    (2, 4, 0, 1, 1, "dark"),
    (2, 4, 0, 1, 2, "clear"),
    (2, 20, 0, 1, 1, "dark"),  # never less than the hex right behind
    (2, 20, 0, 1, 2, "clear"),
    (4, 6, 0, 1, 2, "dark"),
    (4, 6, 0, 1, 3, "clear"),
    (4, 6, 2, 1, 1, "dark"),
    (4, 6, 2, 1, 2, "clear"),
    (4, 6, -2, 1, 3, "dark"),
    (4, 6, -2, 1, 4, "clear"),
    (2, 4, 0, 4, 2, "clear"),
    (2, 4, 0, 5, 2, "dark"),
    (2, 4, 0, 5, 3, "clear"),
    (2, 4, 0, 10, 3, "dark"),
    (2, 4, 0, 10, 4, "clear"),
    (3, 5, 0, 1, 1, "dark"),
    (3, 5, 0, 1, 2, "clear"),
    (5, 6, 0, 1, 3, "dark"),
    (0, 4, 0, 1, 1, "clear"),
]


@pytest.mark.parametrize(("top", "hi", "lo", "far", "near", "what"), ACROSS_A_FULL_LEVEL)
def test_bocage_and_bars_hide_as_terrain_of_their_height(top, hi, lo, far, near, what):
    """B9.52 for bocage, O5.31 and A6.4 for a black bar."""
    hedge = {"blocked": registry.WALL, "dark": registry.BLIND, "clear": registry.CLEAR}
    assert hedgerow(top, hi, lo, far, near, PER) == hedge[what]
    for how, block in ((ACROSS, registry.BAR_ACROSS), (TOUCHES, registry.BAR_VERTEX)):
        bars = {"blocked": block, "dark": registry.BAR_BLIND, "clear": registry.CLEAR}
        assert bar(top, how, hi, lo, far, near, PER) == bars[what]


@pytest.mark.parametrize(
    ("top", "hi", "lo", "code"),
    [
        (3, 2, 0, registry.BAR_ALONG),
        (3, 3, 0, registry.CLEAR),
        (3, 4, 0, registry.CLEAR),
        (3, 0, 0, registry.BAR_ALONG),
    ],
)
def test_along_a_bar_is_seen_from_its_top(top, hi, lo, code):
    """O5.43, second example: F-H."""
    assert bar(top, ALONG, hi, lo, 1, 1, PER) == code


@pytest.mark.parametrize(
    ("at", "both", "reach", "own", "other", "code"),
    [
        (True, False, 2, 0, 0, registry.CELLAR),
        (True, False, 1, 0, 0, registry.CLEAR),  # adjacent
        (True, False, 2, 0, 1, registry.CLEAR),  # higher
        (True, False, 2, 2, 0, registry.CELLAR),
        (False, False, 2, 0, 0, registry.CLEAR),
        (True, True, 1, 0, 0, registry.CELLAR),
        (False, True, 3, 0, 4, registry.CELLAR),
    ],
)
def test_a_cellar_behind_a_wall(at, both, reach, own, other, code):
    """O6.3."""
    assert wall_and_cellar(at, both, reach, own, other) == code


@pytest.mark.parametrize(
    ("base", "top", "hi", "lo", "near", "veiled"),
    [
        (0, 4, 0, 0, 3, True),
        (0, 4, 4, 4, 3, False),
        (0, 4, 4, 0, 3, True),
        (0, 4, 6, 0, 2, True),
        (0, 4, 6, 0, 3, False),  # seen over
        (2, 6, 0, 0, 3, False),  # passed below
        (2, 6, 2, 0, 3, True),
        (2, 6, 1, 0, 3, False),
        (2, 6, 8, 7, 1, False),
    ],
)
def test_a_cloud_between(base, top, hi, lo, near, veiled):
    """A24.2, A24.4, O5.441."""
    assert veils_between(base, top, hi, lo, 1, near, PER) is veiled


@pytest.mark.parametrize(
    ("base", "top", "own", "other", "veiled"),
    [
        (0, 4, 0, 0, True),
        (0, 4, 3, 9, True),
        (0, 4, 4, 0, True),  # from on top down through it
        (0, 4, 4, 4, False),
        (0, 4, 4, 6, False),
        (0, 4, 5, 0, False),
        (2, 6, 0, 2, True),  # up into it
        (2, 6, 0, 1, False),
        (2, 6, 1, 6, True),
        (2, 6, 2, 0, True),
    ],
)
def test_a_cloud_at_an_end(base, top, own, other, veiled):
    """A24.2, O5.441."""
    assert veils_end(base, top, own, other) is veiled


@pytest.mark.parametrize(
    ("base", "top", "hi", "lo", "veiled"),
    [
        (0, 4, 2, 0, True),
        (2, 6, 1, 0, False),
        (2, 6, 2, 0, True),
        (2, 6, 4, 0, True),
        (2, 6, 8, 5, True),
        (2, 6, 8, 6, False),
        (2, 6, 8, 7, False),
    ],
)
def test_a_cloud_between_storeys(base, top, hi, lo, veiled):
    """A24.2."""
    assert veils_storeys(base, top, hi, lo) is veiled


@pytest.mark.parametrize(
    ("height", "hi", "lo", "hinders"),
    [(0, 0, 0, True), (0, 2, 0, False), (2, 2, 2, True), (0, 2, 2, False), (4, 2, 2, False)],
)
def test_a_wreck_hinders_level_lines(height, hi, lo, hinders):
    """D9.4."""
    assert hinders_level(height, hi, lo) is hinders
