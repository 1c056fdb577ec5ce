"""Placing and arrival of fire support, and smoke, with lines of sight of the modern platoon game.

Rules are cited as in test_modern_platoon.py.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from los_tiny import board

from hexsight.los.engine import ask
from hexsight.los.games.modern_platoon import (
    Marker,
    Module,
    Support,
    add_smoke,
    arrive,
    begin_turn,
    place,
    place_marker,
    scatter,
    sees,
)
from hexsight.los.rulesets import load_rules
from hexsight.model.errors import UsageError

RULES = load_rules("modern-platoon")
# Woods in C3 hide D4 from B2.
MAP = board("\n".join([". . . . . . ."] * 2 + [". . w . . . ."] + [". . . . . . ."] * 4))
LEADER = place(MAP, "captain", "blue", "leader", "D6")
TANK = place(MAP, "tank", "blue", "vehicle", "E6", armoured=True)
TRUCK = place(MAP, "truck", "blue", "vehicle", "E6")
SQUAD = place(MAP, "squad", "blue", "infantry", "D6")
HOWITZERS = Module("howitzers", "blue", "guns", 4, 8, True, 4)
ROCKETS = Module("rockets", "blue", "rockets", 1, 12, False, 3)
START = Support((HOWITZERS, ROCKETS))


def aim(support: Support, module: str, target: str, spotter=LEADER, **more: object) -> Support:
    return place_marker(support, MAP, RULES, module, target, spotter, **more)  # type: ignore[arg-type]


def test_a_module_is_what_the_scenario_says():
    """001 1.3: type, barrages, strength, smoke, reliability."""
    with pytest.raises(UsageError, match="is no 'mortars'"):
        replace(HOWITZERS, kind="mortars")
    with pytest.raises(UsageError, match="reliability from 0 to 6"):
        replace(HOWITZERS, reliability=7)
    with pytest.raises(UsageError, match="no fire support module 'navy'"):
        aim(START, "navy", "D4")


def test_one_barrage_a_turn_until_they_are_used_up():
    """001 2.1, 2.2, 2.3."""
    state = aim(START, "howitzers", "D4")
    assert state.module("howitzers").barrages == 3
    with pytest.raises(UsageError, match="one barrage of turn 1"):
        aim(state, "howitzers", "D5", TANK)
    for turn in range(2, 5):
        state = aim(begin_turn(state)[0], "howitzers", "D4")
        assert state.turn == turn
    with pytest.raises(UsageError, match="used up its barrages"):
        aim(begin_turn(state)[0], "howitzers", "D4")


def test_markers_lie_on_their_target_hexes():
    """001 3.2."""
    state = aim(aim(START, "howitzers", "d4", ammunition="smoke"), "rockets", "D3", TANK)
    assert state.markers == (
        Marker("howitzers", "D4", "smoke", "captain"),
        Marker("rockets", "D3", "he", "tank"),
    )


def test_who_spots():
    """001 3.3, 3.4: leaders and armoured vehicles of the same side."""
    assert aim(START, "howitzers", "D4", LEADER).markers
    assert aim(START, "howitzers", "D4", TANK).markers
    for other in (SQUAD, TRUCK):
        with pytest.raises(UsageError, match="only leaders and armoured vehicles"):
            aim(START, "howitzers", "D4", other)
    with pytest.raises(UsageError, match="of another side"):
        aim(START, "howitzers", "D4", replace(LEADER, side="red"))


def test_one_marker_a_spotter_in_his_line_of_sight():
    """001 3.5."""
    state = aim(START, "howitzers", "D4")
    with pytest.raises(UsageError, match="captain has placed its one marker"):
        aim(state, "rockets", "D5")
    hidden = replace(LEADER, at="A2")
    assert not sees(START, MAP, RULES, hidden, "D4")
    with pytest.raises(UsageError, match="captain in A2 has no line of sight to D4"):
        aim(START, "howitzers", "D4", hidden)
    assert aim(START, "howitzers", "C3", hidden).markers


def test_smoke_hides_targets_from_spotters_as_from_others():
    """001 3.5, 8.2, 8.4: a leader sees through none, an armoured vehicle through one."""
    near = replace(TANK, at="D6")
    one = add_smoke(START, "D5")
    with pytest.raises(UsageError, match="no line of sight"):
        aim(one, "howitzers", "D3")
    assert aim(one, "howitzers", "D3", near).markers
    with pytest.raises(UsageError, match="no line of sight"):
        aim(add_smoke(one, "D4"), "howitzers", "D3", near)


def test_only_modules_with_smoke_fire_it():
    """001 1.3, 6.1."""
    with pytest.raises(UsageError, match="rockets has no smoke"):
        aim(START, "rockets", "D4", ammunition="smoke")
    with pytest.raises(UsageError, match="no ammunition 'gas'"):
        aim(START, "howitzers", "D4", ammunition="gas")


@pytest.mark.parametrize("die", range(1, 7))
def test_arrival(die: int):
    """001 4.1, 4.2, 4.3: on the reliability or less at once, else in the next initiative phase."""
    state, now = arrive(aim(START, "howitzers", "D4"), {"howitzers": die})
    assert [m.hex for m in now] == (["D4"] if die <= 4 else [])
    assert [m.hex for m in state.markers] == ([] if die <= 4 else ["D4"])
    later, late = begin_turn(state)
    assert [m.hex for m in late] == ([] if die <= 4 else ["D4"])
    assert later.markers == ()
    assert later.turn == 2


def test_each_barrage_has_its_own_die():
    """001 4.1."""
    both = aim(aim(START, "howitzers", "D4"), "rockets", "D3", TANK)
    state, now = arrive(both, {"howitzers": 5, "rockets": 3})
    assert [m.module for m in now] == ["rockets"]
    assert arrive(state, {}) == (state, ())  # no second die for who is late
    with pytest.raises(UsageError, match="No die was passed for the arrival of rockets"):
        arrive(both, {"howitzers": 1})
    with pytest.raises(UsageError, match="no marker to roll for"):
        arrive(START, {"howitzers": 1})
    with pytest.raises(UsageError, match="the arrival of rockets shows 7"):
        arrive(both, {"howitzers": 1, "rockets": 7})


def test_a_late_barrage_leaves_its_module_free():
    """001 2.1, 4.3: it counts for the turn in which it was called (assumed)."""
    state, _ = arrive(aim(START, "howitzers", "D4"), {"howitzers": 6})
    fresh, late = begin_turn(state)
    assert len(late) == 1
    assert aim(fresh, "howitzers", "D5").module("howitzers").barrages == 2


def test_smoke_scatters_and_lies_until_the_next_turn():
    """001 8.1, 8.6."""
    far = dict.fromkeys(range(1, 7), 2)
    fell = scatter(MAP, "D4", "guns", 6, direction=1, distance=3, distances=far)
    state = add_smoke(add_smoke(START, fell.hex), fell.hex)
    assert state.smoke == ("D2",)
    assert ask(MAP, "D1", "D3", RULES, state.overlay(), "infantry").state == "blocked"
    cleared, _ = begin_turn(state)
    assert cleared.smoke == ()
    assert ask(MAP, "D1", "D3", RULES, cleared.overlay(), "infantry").state == "clear"


def test_smoke_between_infantry_and_vehicles():
    """001 8.2, 8.3, 8.4."""

    def state(a: str, b: str, observer: str, *smoke: str) -> str:
        overlay = Support((), smoke=smoke).overlay()
        there = ask(MAP, a, b, RULES, overlay, observer)
        assert there.state == ask(MAP, b, a, RULES, overlay, observer).state
        return there.state

    assert state("D1", "D5", "infantry", "D3") == "blocked"
    assert state("D1", "D3", "infantry", "D3") == "half"
    assert state("D1", "D5", "vehicle", "D3") == "half"
    assert state("D1", "D5", "vehicle", "D2", "D3") == "blocked"
    assert state("D1", "D5", "vehicle", "C3") == "clear"
