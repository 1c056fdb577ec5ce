"""Smoke and terrain of modern platoons; chapter and sentence of the source are cited."""

from __future__ import annotations

import pytest
from hex_asking import look, smoke, state, why
from hex_tiny import WALL, board

from hexsight.los.overlay import Overlay, Vehicle

RULES = "modern-platoon"
OPEN = board(". . .\n" * 7)


def ask(pair: str, observer: str, *hexes: str, on=OPEN):
    return look(on, pair, observer, smoke(*hexes), RULES)


def test_smoke_blocks_infantry():
    """Smoke 2: it blocks every line of sight of infantry through its hex."""
    answer = ask("B1 B5", "infantry", "B3")
    assert answer.state == "blocked"
    assert why(answer) == [("smoke-hides", "Smoke 2", "B3")]


@pytest.mark.parametrize("observer", ["infantry", "vehicle"])
@pytest.mark.parametrize(("pair", "halvings"), [("B3 B5", 1), ("B1 B3", 1), ("B3 B4", 1)])
def test_smoke_halves_fire_in_its_hex(observer: str, pair: str, halvings: int):
    """Smoke 2, second half: any fire in the hex, out of it and into it."""
    answer = ask(pair, observer, "B3")
    assert (answer.state, answer.halvings) == ("half", halvings)
    assert why(answer) == [("in-smoke", "Smoke 2", "B3")]


def test_vehicles_fire_through_one_smoke_hex_at_half_strength():
    """Smoke 3 and 4, first half: their optics see through one."""
    answer = ask("B1 B5", "vehicle", "B3")
    assert (answer.state, answer.halvings) == ("half", 1)
    assert why(answer) == [("smoke-halves", "Smoke 4", "B3")]


def test_vehicles_never_fire_through_two():
    """Smoke 4, second half."""
    answer = ask("B1 B5", "vehicle", "B3", "B4")
    assert answer.state == "blocked"
    assert "too-much-smoke" in {r.code for r in answer.reasons}


def test_through_one_and_into_another():
    """Smoke 2 and 4 together: one hex is passed, the other is that of the target."""
    answer = ask("B1 B5", "vehicle", "B3", "B5")
    assert (answer.state, answer.halvings) == ("half", 2)
    assert ask("B1 B5", "infantry", "B3", "B5").state == "blocked"


def test_smoke_beside_the_line_does_nothing():
    """Smoke 2: through the hex in which it is."""
    assert ask("B1 B5", "infantry", "A3", "C3").state == "clear"
    # Along the hexside of a smoke hex (assumed, as with terrain: both have to be in it).
    assert ask("A2 C2", "infantry", "B1").state == "clear"
    assert ask("A2 C2", "infantry", "B1", "B2").state == "blocked"


def test_smoke_counts_on_every_storey():
    """Smoke 2 for multi-storey buildings: a hex is in smoke from ground to top (assumed)."""
    b = board(". . .\n. . .\n. T .\n. . .\n")
    answer = look(b, "B1 B3@2", "infantry", smoke("B3"), RULES)
    assert (answer.state, answer.halvings) == ("half", 1)
    assert look(b, "B3 B3@2", "infantry", smoke("B3"), RULES).halvings == 1


def test_wrecks_hide_nothing():
    """Wrecks 1 to 5: they hold up who drives, and are no terrain of a line."""
    there = Overlay(vehicles=(Vehicle("B3", wreck=True),))
    assert state(OPEN, "B1 B5", "infantry", there, RULES) == "clear"


def test_terrain_and_storeys():
    """Assumed where the source is silent: a straight line that nothing rises above."""
    b = board(". . .\n. T .\n. w .\n. . .\n. . .\n. . .\n")
    assert state(b, "B1 B3", "infantry", None, RULES) == "blocked"
    assert state(b, "B2 B4", "infantry", None, RULES) == "blocked"
    # From the first storey the woods hide what is behind them, from the second no more.
    assert state(b, "B2@1 B4", "infantry", None, RULES) == "blocked"
    assert state(b, "B2@2 B6", "infantry", None, RULES) == "clear"


def test_walls_hide_nothing_from_who_stands_at_them():
    """Assumed where the source is silent."""
    b = board(". . .\n" * 5, sides={"B2-B3": WALL})
    assert state(b, "B2 B5", "infantry", None, RULES) == "clear"
    assert state(b, "B1 B5", "infantry", None, RULES) == "blocked"
