"""Statements of Red Barricades' chapter O5 that no other test makes, on tiny boards.

docs/rules-coverage.md lists the test of every statement.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from los_tiny import BAR_LOW, board
from test_los_rules import codes, column, los

from hexsight.los.explain import explain
from hexsight.los.games.red_factories import (
    allows_antiaircraft_fire,
    allows_indirect_fire,
    indirect_tem,
    may_spot,
    sighting_drm,
)
from hexsight.los.overlay import Overlay, Rubble
from hexsight.los.overlay_board import apply_overlay
from hexsight.los.profile import load_profile
from hexsight.model.errors import UsageError
from hexsight.model.locations import locations_of

ASL = load_profile()
# A row of Factory hexes, the middle one without its roof.
FACTORY = column(".", "f", "r", "f", ".")


def test_a_rubbled_entrance_is_none():
    """O5.2: a vehicular-sized entrance is a Factory Location that is not rubbled."""
    hexes = tuple(replace(h, vehicular_entrance=h.name == "B2") for h in FACTORY.hexes)
    entered = replace(FACTORY, hexes=hexes)
    assert apply_overlay(entered, Overlay(rubble=(Rubble("B4"),))).hex("B2").vehicular_entrance
    fallen = apply_overlay(entered, Overlay(rubble=(Rubble("B2"),)))
    assert not fallen.hex("B2").vehicular_entrance
    assert not fallen.hex("B2").factory


def test_a_bar_blocks_along_its_hexside():
    """O5.31: the line B2-D2 runs along C2-C3, the line C2-C3 crosses it."""
    text = "\n".join(["f f f f f"] * 4)
    barred = board(text, sides={"C2-C3": BAR_LOW})
    along = los(barred, "B2", "D2")
    assert along.state == "blocked"
    assert {r.hexside for r in along.reasons if r.code == "bar-along"} == {"C2-C3"}
    assert "bar-across" in codes(los(barred, "C2", "C3"))
    partial = board(text, sides={"C3-C4": BAR_LOW})
    assert los(partial, "B2", "D2").state != "blocked"


def test_a_roofless_hex_is_a_building():
    """O5.4: it has the building's TEM, is in its building, and blocks from outside."""
    facts = FACTORY.hex("B3")
    assert facts.building == FACTORY.hex("B2").building != 0
    assert facts.factory
    beside = board(". . . .\n. f r .\n. . . .")
    assert explain(beside, "D2", "C2", ASL).tem == 3
    assert los(beside, "D1", "D3").state == "clear"
    assert los(column(".", "f", "r", ".", "."), "B1", "B4").state == "blocked"


def test_no_rooftop_where_the_roof_fell_in():
    """O5.4: rooftop status never exists in a roofless hex."""
    names = {at.name for at in locations_of(FACTORY)}
    assert {"B2@roof", "B4@roof"} <= names
    assert "B3@roof" not in names
    collapsed = apply_overlay(FACTORY, Overlay(collapsed=("B2",)))
    assert "B2@roof" not in {at.name for at in locations_of(collapsed)}
    with pytest.raises(UsageError, match="no Location"):
        los(FACTORY, "B3@roof", "B4")


def test_rubble_in_a_roofless_hex_is_no_debris():
    """O5.41, O5.46: a roofless hex can be rubbled, and then holds rubble, no debris."""
    rubble = Overlay(rubble=(Rubble("B3"),))
    fallen = apply_overlay(FACTORY, rubble)
    assert not fallen.hex("B3").roofless
    assert fallen.catalogue[fallen.hex("B3").terrain].kind == "rubble"
    assert codes(los(FACTORY, "B2", "B4")) == {"hinders-roofless"}
    assert codes(los(FACTORY, "B2", "B4", rubble)) == {"higher"}
    assert indirect_tem(FACTORY, ASL, "B3", rubble) is None


def test_the_roofs_edge_is_a_crest():
    """O5.43: from a roof that does not border it, the open floor behind the edge is not seen."""
    wide = column(".", "f", "f", "f", "r", "r", "f", ".")
    assert codes(los(wide, "B3@roof", "B5")) & {"crest-blind", "through-roof", "second-roofed"}
    assert los(wide, "B4@roof", "B5").state == "clear"
    assert los(wide, "B4@roof", "B6").state == "clear"
    assert los(wide, "B2@roof", "B4@roof").state == "clear"


def test_half_a_level_below_a_roof():
    """O5.43: level 2 sees no rooftop of 2½ levels past the edge, but those of 1½ levels."""
    high = column("T", ".", "F", "F", "R", ".")
    assert los(high, "B1@2", "B4@roof").state == "blocked"
    low = column("T", ".", "f", "f", "r", ".")
    assert los(low, "B1@2", "B3@roof").state == "clear"
    assert los(low, "B1@2", "B4@roof").state == "clear"
    assert los(low, "B1@2", "B3").state == "clear"
    assert "second-roofed" in codes(los(low, "B1@2", "B4"))


def test_indirect_fire_out_of_a_roofless_hex():
    """O5.45: indirect fire is allowed from one, antiaircraft fire is not."""
    assert allows_indirect_fire(FACTORY, "B3")
    assert not allows_indirect_fire(FACTORY, "B2")
    assert allows_indirect_fire(FACTORY, "B2", Overlay(collapsed=("B2",)))
    assert allows_indirect_fire(FACTORY, "B1")
    assert not allows_antiaircraft_fire(FACTORY, "B3")
    assert not allows_antiaircraft_fire(FACTORY, "B2")
    assert allows_antiaircraft_fire(FACTORY, "B1")


def test_a_rooftop_unit_spots_for_a_roofless_hex():
    """O5.45: adjacent, on a rooftop, and with a line of sight to the ground unit."""
    wide = column(".", "f", "f", "r", "f", ".")
    assert may_spot(wide, ASL, "B3@roof", "B4")
    assert may_spot(wide, ASL, "B5@roof", "B4")
    assert not may_spot(wide, ASL, "B2@roof", "B4")  # not adjacent
    assert not may_spot(wide, ASL, "B3", "B4")  # not on a rooftop
    assert not may_spot(wide, ASL, "B3@roof", "B2")  # not roofless
    assert not may_spot(wide, ASL, "B3@roof", "B4", Overlay(rubble=(Rubble("B4"),)))


def test_indirect_and_aerial_fire_at_a_roofless_hex():
    """O5.41, O5.45, O5.47: +2 for Factory and debris, Fortified or not; Sighting TC +2."""
    assert indirect_tem(FACTORY, ASL, "B3") == 2
    assert indirect_tem(FACTORY, ASL, "B2") is None
    assert indirect_tem(FACTORY, ASL, "B2", Overlay(gutted=("B2",))) == 2
    assert sighting_drm(FACTORY, "B3") == 2
    assert sighting_drm(FACTORY, "B2") is None


def test_walls_of_a_gutted_factory_stand():
    """O5.5, O5.34: outer and interior walls, unless both hexes are rubble."""
    barred = column(".", "f", "f", "f", ".", sides={"B2-B3": BAR_LOW})
    gutted = Overlay(gutted=("B2",))
    assert "bar-across" in codes(los(barred, "B2", "B3", gutted))
    assert los(barred, "B1", "B5", gutted).state == "blocked"
    both = Overlay(gutted=("B2",), rubble=(Rubble("B2"), Rubble("B3")))
    assert los(barred, "B2", "B3", both).state == "clear"
    assert apply_overlay(barred, gutted).hex("B2").height_half == barred.hex("B2").height_half
