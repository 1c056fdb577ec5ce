"""Overlays on tiny boards: one small picture for one statement of the rule book."""

from __future__ import annotations

import pytest
from los_tiny import BAR_LOW, board
from test_los_rules import codes, column, los

from hexsight.los.explain import explain
from hexsight.los.overlay import Overlay, Rubble, Smoke, Vehicle
from hexsight.los.overlay_smoke import drifted
from hexsight.los.profile import load_profile
from hexsight.model.errors import UsageError

FIVE = column(".", ".", ".", ".", ".")


def smoke(*clouds: Smoke) -> Overlay:
    return Overlay(smoke=clouds)


@pytest.mark.parametrize("hex_", ["B1", "B2", "B3", "B5"])
def test_smoke_hinders_into_out_of_and_through(hex_: str):
    """A24.2."""
    answer = los(FIVE, "B1", "B5", smoke(Smoke(hex_, 2)))
    assert (answer.state, answer.hindrance) == ("hindered", 2)
    assert answer.hindrance_by_hex == {hex_: 2}
    assert codes(answer) == {"hinders-smoke"}


def test_smoke_beside_the_line_hinders_nothing():
    assert los(FIVE, "B1", "B5", smoke(Smoke("A3", 3))).state == "clear"


def test_smoke_without_numbers_is_the_rule_sets():
    """A24.2: +3."""
    assert los(FIVE, "B1", "B5", smoke(Smoke("B3"))).hindrance == 3


def test_smoke_of_one_hex_hinders_by_three_at_most():
    """A24.2; clouds in different hexes add up to six and block (A6.7)."""
    thick = smoke(Smoke("B3", 3), Smoke("B3", 2))
    assert los(FIVE, "B1", "B5", thick).hindrance == 3
    two = los(FIVE, "B1", "B5", smoke(Smoke("B2", 3), Smoke("B4", 3)))
    assert two.state == "blocked"
    assert "hindrance-limit" in codes(two)


def test_smoke_adds_to_the_terrain_of_its_hex():
    """A6.7 counts terrain once a hex; SMOKE comes on top (A24.2)."""
    answer = los(column(".", "b", "."), "B1", "B3", smoke(Smoke("B2", 2)))
    assert answer.hindrance == 3
    assert answer.hindrance_by_hex == {"B2": 3}


def test_smoke_is_as_high_as_it_says():
    """A24.4: over two-level smoke looks who stands higher, but for its Blind Hex."""
    hill = column(".3", ".", ".", ".", ".", ".")
    low = smoke(Smoke("B2", 2, height_half=4))
    assert los(hill, "B1", "B3", low).hindrance == 2
    assert los(hill, "B1", "B6", low).state == "clear"
    assert los(hill, "B1", "B6", smoke(Smoke("B2", 2, height_half=8))).hindrance == 2


def test_smoke_on_a_level_counter_is_passed_below():
    """O5.441: drifting smoke at level 1 leaves lines on the ground alone."""
    drifted = smoke(Smoke("B3", 2, base_half=2))
    assert los(FIVE, "B1", "B5", drifted).state == "clear"
    up = column(".1", ".", ".", ".", ".1")
    assert los(up, "B1", "B5", drifted).hindrance == 2


def test_the_example_of_smoke_on_levels():
    """O5.441: from the ground below first-level smoke to a rooftop within smoke, +4."""
    b = board(". . . .\n. f f .\n. . . .")
    clouds = smoke(Smoke("D2", 2, base_half=2), Smoke("C2", 2, base_half=2))
    answer = los(b, "D2", "C2@roof", clouds)
    assert (answer.state, answer.hindrance) == ("hindered", 4)
    assert answer.out_of_smoke == 0
    assert los(b, "D2", "C2", clouds).hindrance == 0


def test_fire_out_of_smoke_has_a_drm_of_its_own():
    """A24.8: from one end only, so no part of the Hindrance."""
    b, p = FIVE, load_profile()
    assert explain(b, "B1", "B5", p, smoke(Smoke("B1", 2))).out_of_smoke == 1
    assert explain(b, "B5", "B1", p, smoke(Smoke("B1", 2))).out_of_smoke == 0


def test_smoke_between_storeys_of_a_hex():
    """A24.2."""
    b = board(". . . .\n. T T .\n. . . .", stairs=("B2",))
    answer = los(b, "B2", "B2@1", smoke(Smoke("B2", 2)))
    assert (answer.state, answer.hindrance) == ("hindered", 2)
    assert los(b, "B2@1", "B2@2", smoke(Smoke("B2", 2, height_half=2))).state == "clear"


def test_smoke_never_clears():
    assert los(column(".", "w", "."), "B1", "B3", smoke(Smoke("B2", 3))).state == "blocked"


def test_a_blaze_is_higher_than_smoke():
    """B25.2, and the level-four Blaze of O5.441."""
    hill = column(".3", ".", ".", ".", ".", ".")
    assert los(hill, "B1", "B6", Overlay(blazes=(Smoke("B2"),))).hindrance == 3


def test_vehicles_and_wrecks_hinder_level_lines():
    """D9.4."""
    both = Overlay(vehicles=(Vehicle("B2"), Vehicle("B4", wreck=True)))
    assert los(FIVE, "B1", "B5", both).hindrance == 2
    assert los(FIVE, "B2", "B4", both).state == "clear"
    assert los(column(".1", ".", ".", ".", "."), "B1", "B5", both).state == "clear"


def test_two_wrecks_in_a_hex_hinder_once():
    """D9.4, A6.7."""
    pile = Overlay(vehicles=(Vehicle("B3"), Vehicle("B3", wreck=True)))
    assert los(FIVE, "B1", "B5", pile).hindrance == 1


def test_a_vehicle_in_brush_adds_to_it():
    """A6.7: +1 for the brush, +1 for the vehicle."""
    answer = los(column(".", "b", "."), "B1", "B3", Overlay(vehicles=(Vehicle("B2"),)))
    assert answer.hindrance == 2
    assert answer.hindrance_by_hex == {"B2": 2}


def test_rubble_fills_its_hex_and_takes_the_levels():
    """B24.2: a half-level obstacle, inherent."""
    b = column(".", "S", "S", ".", ".1")
    fallen = Overlay(rubble=(Rubble("B2"),))
    assert los(b, "B1", "B3", fallen).state == "blocked"
    with pytest.raises(UsageError, match="no Location"):
        explain(b, "B1", "B2@1", load_profile(), fallen)
    assert explain(b, "B1", "B2", load_profile(), fallen).tem == 3
    assert explain(b, "B1", "B3@roof", load_profile(), fallen).to_name == "B3@roof"


def test_rubble_lowers_what_stood_there():
    b = column(".1", "S", ".1")
    assert los(b, "B1", "B3").state == "blocked"
    assert los(b, "B1", "B3", Overlay(rubble=(Rubble("B2", "wood"),))).state == "clear"


def test_rubble_falls_into_adjacent_hexes():
    """B24.121."""
    b = column(".", "S", ".", ".")
    assert los(b, "B4", "B2", Overlay(rubble=(Rubble("B2"),))).state == "clear"
    into = Overlay(rubble=(Rubble("B2", into=("B3",)),))
    assert los(b, "B4", "B2", into).state == "blocked"
    with pytest.raises(UsageError, match="does not touch"):
        los(b, "B4", "B2", Overlay(rubble=(Rubble("B2", into=("B4",)),)))


def test_a_bar_falls_only_when_both_its_hexes_are_rubble():
    """O5.34."""
    b = board(". . .\n. f .\n. f .\n. . .", sides={"B2-B3": BAR_LOW})
    one = Overlay(rubble=(Rubble("B2"),))
    both = Overlay(rubble=(Rubble("B2"), Rubble("B3")))
    assert "bar-across" in codes(los(b, "B2", "B3", one))
    assert los(b, "B2", "B3", both).state == "clear"


def test_a_fallen_roof_hinders_by_two():
    """O5.4, O5.41."""
    b = column(".", "f", "f", "f", ".")
    assert los(b, "B2", "B4").hindrance == 1
    fallen = Overlay(collapsed=("B3",))
    assert los(b, "B2", "B4", fallen).hindrance == 2
    assert explain(b, "B4", "B3", load_profile(), fallen).tem == 2


def test_a_gutted_factory_is_roofless_throughout():
    """O5.52: walls and height stay."""
    b = column(".", "f", "f", "f", ".1")
    gutted = Overlay(gutted=("B2",))
    assert los(b, "B2", "B4", gutted).hindrance == 2
    assert los(b, "B1", "B5", gutted).state == "blocked"
    with pytest.raises(UsageError, match="no Location"):
        los(b, "B2", "B4@roof", gutted)


def test_rubble_in_a_gutted_factory_is_rubble():
    """O5.51, O5.52: the exceptions."""
    b = column(".", "f", "f", "f", ".")
    both = Overlay(gutted=("B2",), rubble=(Rubble("B3"),))
    assert codes(los(b, "B2", "B4", both)) == {"higher"}


@pytest.mark.parametrize(
    ("overlay", "message"),
    [
        (Overlay(gutted=("B1",)), "in no Factory"),
        (Overlay(collapsed=("B1",)), "in no Factory"),
        (Overlay(breached=frozenset({"B1-B2"})), "no bar"),
        (Overlay(breached=frozenset({"B1-B3"})), "do not touch"),
        (Overlay(smoke=(Smoke("Z9"),)), "no hex Z9"),
        (Overlay(vehicles=(Vehicle("B1@2"),)), "no Location"),
    ],
)
def test_what_is_not_there_is_refused(overlay: Overlay, message: str):
    """O5.33 a bar, O5.4 and O5.5 a Factory."""
    with pytest.raises(UsageError, match=message):
        los(column(".", "f", "f"), "B1", "B3", overlay)


def test_where_smoke_drifts_at_factories():
    """The example of O5.441: level-two smoke in R12, of a 1½-level and of a 2½-level Factory."""
    low, high = board(". . . .\n. r f ."), board(". . . .\n. R F .")
    profile = load_profile()
    source = Smoke("B2", 3, height_half=4)
    assert drifted(low, source, "C2", profile) == Smoke("C2", 2, 2, base_half=2)
    assert drifted(low, source, "A2", profile) == Smoke("A2", 2, 2, base_half=2)
    assert drifted(high, source, "C2", profile) is None
    blaze = Smoke("B2", 3, height_half=8)
    assert drifted(high, blaze, "C2", profile) == Smoke("C2", 2, 4, base_half=4)
    open_ground = Smoke("A1", 3, height_half=4)
    assert drifted(low, open_ground, "A2", profile) == Smoke("A2", 2, 4)
    with pytest.raises(UsageError, match="does not touch"):
        drifted(low, source, "D1", profile)


def test_drifted_smoke_hides_nothing_on_the_ground():
    """O5.441: squads at ground level have unhindered LOS to each other."""
    b = board(". . . .\n. r f .\n. f f .")
    drift = drifted(b, Smoke("B2"), "C2", load_profile())
    assert drift is not None
    assert los(b, "C1", "C3", smoke(drift)).hindrance == los(b, "C1", "C3").hindrance
    assert los(b, "C2", "C3", smoke(drift)).state == "clear"
