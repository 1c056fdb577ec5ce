"""Line of sight of Musket & Pike, sentence by sentence (10.9)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hex_asking import look, state, units, why
from hex_tiny import GENTLE, HEDGE, STEEP, WALL, board

from hexsight.los.overlay import Overlay

ROWS = ". . .\n" * 7
OPEN = board(ROWS)
EVERY = ("fire", "artillery", "level-fire", "interception")


def column(*tokens: str, sides: dict[str, int] | None = None):
    """Hexes B1, B2, … one below the other, open ground on both sides at the same level."""
    rows = [f".{t.lstrip('.wvMb')} {t} .{t.lstrip('.wvMb')}" for t in tokens]
    return board("\n".join(rows), sides=sides)


@pytest.mark.parametrize("kind", ["wagon", "heavy_infantry", "cavalry"])
def test_wagons_heavy_infantry_and_cavalry_block(kind: str):
    """10.9.1, first sentence: no line through hexes with them, into them yes."""
    there = units(**{kind: "B3"})
    answer = look(OPEN, "B1 B5", "fire", there)
    assert answer.state == "blocked"
    assert why(answer) == [("unit-blocks", "10.9.1", "B3")]
    assert state(OPEN, "B1 B3", "fire", there) == "clear"
    assert state(OPEN, "B3 B5", "fire", there) == "clear"


@pytest.mark.parametrize("kind", ["wagon", "heavy_infantry", "cavalry", "artillery"])
def test_units_do_not_block_level_fire(kind: str):
    """10.9.1, first sentence: those hexes do not block level fire (10.8.3)."""
    assert state(OPEN, "B1 B5", "level-fire", units(**{kind: "B3"})) == "clear"


@pytest.mark.parametrize("kind", ["light_infantry", "artillery", "leader"])
def test_other_units_and_leaders_do_not_block(kind: str):
    """10.9.1, second sentence: a line passes other units and leaders."""
    assert state(OPEN, "B1 B5", "fire", units(**{kind: "B3"})) == "clear"


def test_enemy_artillery_blocks_interception():
    """10.9.1, exception: enemy artillery blocks when interception is asked (9.3.1d)."""
    there = units(artillery="B3/royalist")
    assert state(OPEN, "B1 B5", "interception", there, side="parliament") == "blocked"
    assert state(OPEN, "B1 B5", "interception", there, side="royalist") == "clear"
    assert state(OPEN, "B1 B5", "interception", there) == "blocked"
    assert state(OPEN, "B1 B5", "fire", there, side="parliament") == "clear"


def test_a_double_unit_blocks_in_both_its_hexes():
    """10.9.1 for a unit that lies over two hexes."""
    there = units(heavy_infantry="B3+B4")
    assert state(OPEN, "B1 B5", "fire", there) == "blocked"
    assert state(OPEN, "B2 B4", "fire", there) == "blocked"
    assert state(OPEN, "B4 B6", "fire", there) == "clear"


@pytest.mark.parametrize("token", ["w", "v", "M", "S"])
@pytest.mark.parametrize("observer", EVERY)
def test_into_blocking_terrain_but_not_through(token: str, observer: str):
    """10.9.2, first sentence, and 10.9.4, first two: into, not through; woods, towns, houses."""
    b = board(f". . .\n. {token} .\n. . .\n")
    answer = look(b, "B1 B3", observer)
    assert answer.state == "blocked"
    assert why(answer) == [("hex-blocks", "10.9.4", "B2")]
    assert state(b, "B1 B2", observer) == state(b, "B2 B3", observer) == "clear"


def test_what_the_tables_do_not_name_blocks_nothing():
    """10.9.2, second sentence: terrain blocks that the tables or a battle name as blocking."""
    b = board(". . .\n. b .\n. o .\n. . .\n")
    assert state(b, "B1 B4") == "clear"


def test_higher_ground_with_steep_slopes_blocks():
    """10.9.2, third sentence: higher than both ends and bounded by steep slopes."""
    hill = column(".", ".1", ".", sides={"B1-B2": STEEP})
    answer = look(hill, "B1 B3")
    assert answer.state == "blocked"
    assert why(answer) == [("ground-blocks", "10.9.2", "B2")]
    # As high as one of the ends is not higher than both.
    step = column(".1", ".1", ".", sides={"B2-B3": STEEP})
    assert state(step, "B2 B3") == "clear"


def test_higher_ground_with_gentle_slopes_never_blocks():
    """10.9.2, fourth sentence."""
    hill = column(".", ".2", ".", sides={"B1-B2": GENTLE, "B2-B3": GENTLE})
    assert state(hill, "B1 B3") == "clear"
    assert state(column(".", ".2", "."), "B1 B3") == "clear"


@pytest.mark.parametrize("kind", ["light_infantry", "artillery", "cavalry", "wagon"])
@pytest.mark.parametrize("side", [None, "red", "blue"])
def test_guns_do_not_fire_through_any_unit(kind: str, side: str | None):
    """10.9.2, fifth sentence: friend or enemy, even a unit that does not block."""
    there = units(**{kind: "B3/red"})
    assert state(OPEN, "B1 B5", "artillery", there, side=side) == "blocked"
    assert state(OPEN, "B1 B3", "artillery", there, side=side) == "clear"


def test_guns_fire_past_units_in_a_dead_zone():
    """10.9.2, fifth sentence, exception, and 10.9.3B, eighth: units there are ignored."""
    slope = column(".1", ".1", ".", ".", ".", sides={"B2-B3": STEEP})
    assert state(slope, "B1 B5", "artillery", units(light_infantry="B3")) == "clear"
    assert state(slope, "B1 B5", "fire", units(wagon="B3")) == "clear"
    assert state(slope, "B1 B5", "artillery", units(light_infantry="B4")) == "blocked"


@pytest.mark.parametrize("code", [WALL, HEDGE])
def test_hexsides_of_some_kinds_block(code: int):
    """10.9.3: hexsides block that the terrain effects table says."""
    b = column(".", ".", ".", ".", sides={"B2-B3": code})
    answer = look(b, "B1 B4")
    assert answer.state == "blocked"
    assert why(answer) == [("hexside-blocks", "10.9.3A", "B2-B3")]
    assert state(b, "B1 B3") == state(b, "B2 B4") == "blocked"


def test_fire_across_a_two_sided_hexside_into_the_adjacent_hex():
    """10.9.3A: who is adjacent to it may fire into the adjacent hex."""
    b = column(".", ".", ".", ".", sides={"B2-B3": WALL})
    assert state(b, "B2 B3") == "clear"
    assert state(b, "B2 B4") == "blocked"


@pytest.mark.parametrize("code", [STEEP, GENTLE])
@pytest.mark.parametrize("pair", ["B1 B4", "B2 B3"])
def test_slopes_of_both_kinds_stop_level_fire(code: int, pair: str):
    """10.9.3B, second sentence; up and down alike."""
    b = column(".1", ".1", ".", ".", ".", ".", sides={"B2-B3": code})
    answer = look(b, pair, "level-fire")
    assert answer.state == "blocked"
    assert ("slope-stops", "10.9.3B", "B2-B3") in why(answer)


def test_gentle_slopes_do_nothing_else_to_fire():
    """10.9.3B, third sentence."""
    b = column(".1", ".1", ".", ".", sides={"B2-B3": GENTLE})
    for observer in ("fire", "artillery", "interception"):
        assert state(b, "B1 B3", observer) == "clear"


def test_a_battle_calls_its_slopes_steep_or_gentle():
    """10.9.3B, first sentence: special rules of the scenario say what slopes are."""
    b = column(".1", ".1", ".", ".")
    assert state(b, "B1 B3", overlay=Overlay(slopes="gentle")) == "clear"
    assert state(b, "B1 B3", overlay=Overlay(slopes="steep")) == "blocked"
    assert state(b, "B1 B3") == "clear"


@pytest.mark.parametrize("away", [0, 1, 2, 3])
def test_a_dead_zone_is_one_hex_for_each_hex_to_the_slope(away: int):
    """10.9.3B, fourth to seventh sentence: steep slopes make dead zones; and the example."""
    top = [".1"] * (away + 1)
    b = column(*top, *["."] * 5, sides={f"B{away + 1}-B{away + 2}": STEEP})
    for beyond in range(1, 6):
        answer = look(b, f"B1 B{away + 1 + beyond}")
        assert answer.state == ("blocked" if beyond <= away else "clear"), beyond
        if beyond <= away:
            assert why(answer) == [("dead-zone", "10.9.3B", f"B{away + 1}-B{away + 2}")]


def test_a_dead_zone_lies_below_the_slope_only():
    """10.9.3B: what is as high as the edge of the slope does not lie beyond it."""
    b = column(".1", ".1", ".", ".1", ".", sides={"B2-B3": STEEP})
    assert state(b, "B1 B4") == "clear"


def test_terrain_in_a_dead_zone_is_ignored():
    """10.9.3B, eighth sentence: blocking terrain in a dead zone counts for nothing."""
    b = column(".1", ".1", "w", ".", sides={"B2-B3": STEEP})
    assert state(b, "B1 B4") == "clear"
    gentle = column(".1", ".1", "w", ".", sides={"B2-B3": GENTLE})
    assert state(gentle, "B1 B4") == "blocked"


def test_no_interception_through_a_dead_zone():
    """10.9.3B, ninth sentence."""
    b = column(".1", ".1", ".", ".", ".", sides={"B2-B3": STEEP})
    answer = look(b, "B1 B5", "interception")
    assert answer.state == "blocked"
    assert why(answer)[0][:2] == ("dead-zone-across", "10.9.3B")
    assert state(b, "B1 B5", "fire") == "clear"
    # From the edge itself nothing is dead.
    assert state(b, "B2 B5", "interception") == "clear"


def test_from_above_a_steep_slope_terrain_hides_the_hex_behind_it_alone():
    """10.9.4, third sentence: the exception for the upper side of a steep slope."""
    b = column(".2", ".", ".", "w", ".", ".", sides={"B1-B2": STEEP})
    assert state(b, "B1 B5") == "blocked"
    assert state(b, "B1 B6") == "clear"
    gentle = column(".2", ".", ".", "w", ".", ".", sides={"B1-B2": GENTLE})
    assert state(gentle, "B1 B6") == "blocked"
    # The exception is for terrain: units stay what they are.
    assert state(b, "B1 B6", "fire", units(cavalry="B3")) == "blocked"


def test_terrain_lower_than_both_ends_is_ignored():
    """10.9.4, fourth sentence."""
    assert state(column(".1", "w", ".1"), "B1 B3") == "clear"
    assert state(column(".1", "w", "."), "B1 B3") == "blocked"
    assert state(column(".1", "w1", ".2"), "B1 B3") == "blocked"


def test_from_centre_to_centre():
    """10.9.5, first two sentences: through the hexes that the straight line crosses."""
    b = board(". . . .\n. . w .\n. . . .\n. . . .\n")
    assert state(b, "A1 D3") == "blocked"
    assert state(b, "A3 D3") == "clear"


def test_along_a_hexside_both_hexes_have_to_block():
    """10.9.5, third sentence: terrain or units, on both sides."""
    one = board(". w .\n. . .\n. . .\n")
    both = board(". w .\n. w .\n. . .\n")
    assert state(one, "A2 C2") == state(OPEN, "A2 C2") == "clear"
    answer = look(both, "A2 C2")
    assert answer.state == "blocked"
    assert {r.hex for r in answer.reasons} == {"B1", "B2"}
    # A unit on one side and woods on the other.
    assert state(one, "A2 C2", "fire", units(wagon="B2")) == "blocked"
    assert state(one, "A2 C2", "fire", units(wagon="B3")) == "clear"


def test_a_double_unit_is_seen_in_either_hex():
    """10.9.5, fourth sentence: the firer's choice; each hex is a line of its own."""
    b = board(". . .\n. w .\n. . .\n. . .\n")
    assert [state(b, pair) for pair in ("B1 B3", "B1 C3")] == ["blocked", "clear"]


def test_reciprocal_and_from_the_higher_end():
    """Reciprocity, both sentences: traced from the higher unit where it matters."""
    b = column(".1", ".1", ".", ".", sides={"B2-B3": STEEP})
    # From below alone the slope would hide nothing; `look` asks both ways.
    assert state(b, "B3 B1") == "blocked"
    assert state(b, "B2 B3") == "clear"


def test_all_classes_are_told_together():
    """One answer holds every class of observer."""
    answer = look(OPEN, "B1 B5", "artillery", units(light_infantry="B3"))
    assert answer.observer == "artillery" and answer.state == "blocked"
    told = {name: one.state for name, one in answer.by_class.items()}
    assert told == {
        "fire": "clear",
        "artillery": "blocked",
        "level-fire": "clear",
        "interception": "clear",
    }
    assert replace(answer, by_class={}).to_json()["observer"] == "artillery"
