"""Lines of sight of Musket & Pike, sentence by sentence of rule 10.9, on tiny boards."""

from __future__ import annotations

import pytest
from los_tiny import WALL, board
from test_los_rules import column

from hexsight.los.engine import ask
from hexsight.los.games.musket_pike import from_overlay, interception, line, on_map, place
from hexsight.los.overlay import Overlay, Unit
from hexsight.los.rulesets import load_rules
from hexsight.model.board import Board
from hexsight.model.errors import UsageError
from hexsight.model.terrain import load_catalogue

RULES = load_rules("musket-pike")
STEEP, GENTLE = (load_catalogue().named(n).code for n in ("Steep Slope", "Gentle Slope"))
OPEN = column(".", ".", ".", ".", ".")
BLOCKERS = ("wagon", "heavy-infantry", "cavalry")
OTHERS = ("light-infantry", "artillery", "leader")


def state(
    b: Board,
    a: str,
    c: str,
    observer: str = "fire",
    *units: tuple[str, str],
    side: str | None = None,
) -> str:
    """State from a to c, after checking that c sees a alike; units as (kind, hex) of side "foe"."""
    overlay = Overlay(units=tuple(Unit((hex_,), kind, "foe") for kind, hex_ in units))
    there = ask(b, a, c, RULES, overlay, observer, side=side)
    back = ask(b, c, a, RULES, overlay, observer, side=side)
    assert there.state == back.state
    return there.state


@pytest.mark.parametrize("kind", BLOCKERS)
def test_wagons_heavy_infantry_and_cavalry_block(kind: str):
    """10.9.1: no line through them but that of level fire; into their hex it goes."""
    assert state(OPEN, "B1", "B5", "fire", (kind, "B3")) == "blocked"
    assert state(OPEN, "B1", "B5", "level-fire", (kind, "B3")) == "clear"
    assert state(OPEN, "B1", "B3", "fire", (kind, "B3")) == "clear"


def test_a_double_unit_blocks_in_both_its_hexes():
    """10.9.1: each of its hexes contains heavy infantry."""
    b = board("\n".join([". . ."] * 5))
    wide = Overlay(units=(Unit(("B3", "C3"), "heavy-infantry", "foe", "pikes", "0"),))
    for column_ in "BC":
        assert ask(b, f"{column_}1", f"{column_}5", RULES, wide).state == "blocked"
    assert ask(b, "A1", "A5", RULES, wide).state == "clear"


@pytest.mark.parametrize("kind", OTHERS)
def test_other_units_and_leaders_do_not_block(kind: str):
    """10.9.1."""
    assert state(OPEN, "B1", "B5", "fire", (kind, "B3")) == "clear"


def test_enemy_artillery_blocks_interceptions():
    """10.9.1, 9.3.1d: the enemy's, not one's own."""
    gun = ("artillery", "B3")
    assert state(OPEN, "B1", "B5", "interception", gun, side="king") == "blocked"
    assert state(OPEN, "B1", "B5", "interception", gun, side="foe") == "clear"
    units = [place(OPEN, "horse", "king", "cavalry", "B1", facing=3)]
    mine = place(OPEN, "gun", "king", "artillery", "B3")
    theirs = place(OPEN, "gun", "foe", "artillery", "B3")
    assert interception(OPEN, units[0], "B5", [*units, mine], RULES).state == "clear"
    assert interception(OPEN, units[0], "B5", [*units, theirs], RULES).state == "blocked"
    with pytest.raises(UsageError, match="not cavalry"):
        interception(OPEN, mine, "B5", units, RULES)


def test_into_but_not_through_blocking_terrain():
    """10.9.2, 10.9.4: woods are seen into."""
    b = column(".", "w", ".", "w", ".")
    assert state(b, "B1", "B2") == "clear"
    assert state(b, "B2", "B4") == "clear"
    assert state(b, "B1", "B3") == "blocked"
    answer = ask(b, "B1", "B3", RULES)
    assert [(r.rule, r.hex) for r in answer.reasons] == [("10.9.4", "B2")]


def test_higher_ground_blocks_if_steep_slopes_bound_it():
    """10.9.2: between steep slopes it does, between gentle ones never."""
    ridge = (".", ".", ".1", ".", ".")
    around = ["B2-B3", "B3-B4"]
    assert state(column(*ridge, sides=dict.fromkeys(around, STEEP)), "B1", "B5") == "blocked"
    assert state(column(*ridge, sides=dict.fromkeys(around, GENTLE)), "B1", "B5") == "clear"
    assert state(column(*ridge), "B1", "B5") == "clear"


def test_slopes_are_what_the_battle_calls_them():
    """10.9.3B: slopes that nothing is printed on are steep or gentle by its special rules."""
    ridge = column(".", ".", ".1", ".", ".")
    for slopes, found in (("steep", "blocked"), ("gentle", "clear")):
        assert ask(ridge, "B1", "B5", RULES, Overlay(slopes=slopes)).state == found


@pytest.mark.parametrize("kind", [*BLOCKERS, *OTHERS[:2]])
def test_artillery_fires_through_no_unit(kind: str):
    """10.9.2: friend or enemy, also such as do not block."""
    for side in (None, "foe", "king"):
        assert state(OPEN, "B1", "B5", "artillery", (kind, "B3"), side=side) == "blocked"
    gun = place(OPEN, "gun", "king", "artillery", "B1")
    friend = place(OPEN, "friend", "king", "light-infantry", "B3", facing=0)
    assert line(OPEN, gun, "B5", [gun, friend], RULES).state == "blocked"
    assert line(OPEN, friend, "B5", [gun, friend], RULES).state == "clear"


def test_artillery_fires_over_units_in_a_dead_zone():
    """10.9.2: the exception."""
    b = column(".1", ".1", ".", ".", ".", sides={"B2-B3": STEEP})
    assert state(b, "B1", "B5", "artillery", ("light-infantry", "B3")) == "clear"
    assert state(b, "B1", "B5", "artillery", ("light-infantry", "B4")) == "blocked"


def test_some_hexsides_block():
    """10.9.3: as the terrain effects table says; 10.9.3A: not into the adjacent hex."""
    b = column(".", ".", ".", ".", ".", sides={"B2-B3": WALL})
    assert state(b, "B1", "B4") == "blocked"
    assert state(b, "B1", "B3") == "blocked"
    assert state(b, "B2", "B4") == "blocked"
    assert state(b, "B2", "B3") == "clear"
    assert {r.hexside for r in ask(b, "B1", "B4", RULES).reasons} == {"B2-B3"}


def test_slopes_stop_level_fire():
    """10.9.3B: both kinds do; gentle ones have no other effect on fire."""
    for slope in (STEEP, GENTLE):
        b = column(".1", ".1", ".", ".", ".", sides={"B2-B3": slope})
        assert state(b, "B1", "B5", "level-fire") == "blocked"
    b = column(".1", ".1", ".", ".", ".", sides={"B2-B3": GENTLE})
    for hex_ in ("B3", "B4", "B5"):
        assert state(b, "B1", hex_) == "clear"


@pytest.mark.parametrize("far", [0, 1, 2, 3])
def test_a_dead_zone_is_as_deep_as_the_unit_is_far(far: int):
    """10.9.3B: one hex beyond the slope for each hex between unit and slope; 1 for 1."""
    b = column(*[".1"] * (far + 1), *["."] * 5, sides={f"B{far + 1}-B{far + 2}": STEEP})
    seen = [state(b, "B1", f"B{far + 1 + k}") for k in range(1, 6)]
    assert seen == ["blocked"] * far + ["clear"] * (5 - far)


def test_a_dead_zone_hides_what_would_block():
    """10.9.3B: blocking terrain and units within it are ignored."""
    sides = {"B2-B3": STEEP}
    wood = column(".1", ".1", "w", ".", ".", sides=sides)
    assert state(wood, "B1", "B4") == "clear"
    assert state(column(".1", ".1", "w", ".", "."), "B1", "B4") == "blocked"
    open_ = column(".1", ".1", ".", ".", ".", sides=sides)
    assert state(open_, "B1", "B4", "fire", ("cavalry", "B3")) == "clear"
    assert state(open_, "B1", "B5", "fire", ("cavalry", "B4")) == "blocked"


def test_a_dead_zone_hides_walls_within_it():
    """10.9.3B: what blocks on a hexside between two hexes of it, not on one at its edge."""
    slope = {"B3-B4": STEEP}
    rows = [*[".1"] * 3, *["."] * 5]
    within = column(*rows, sides=slope | {"B4-B5": WALL})
    assert state(within, "B1", "B7") == "clear"
    assert state(within, "B2", "B7") == "blocked"
    at_edge = column(*rows, sides=slope | {"B5-B6": WALL})
    assert state(at_edge, "B1", "B7") == "blocked"


def test_cavalry_does_not_intercept_across_a_dead_zone():
    """10.9.3B."""
    b = column(".1", ".1", ".", ".", ".", sides={"B2-B3": STEEP})
    assert state(b, "B1", "B4") == "clear"
    assert state(b, "B1", "B4", "interception") == "blocked"
    assert state(b, "B2", "B4", "interception") == "clear"


def test_from_above_woods_hide_only_the_hex_behind():
    """10.9.4: the exception, for a unit on the upper side of a steep slope."""
    b = column(".1", ".", ".", "w", ".", ".", sides={"B1-B2": STEEP})
    assert state(b, "B1", "B5") == "blocked"
    assert state(b, "B1", "B6") == "clear"
    level = column(".", ".", ".", "w", ".", ".")
    assert [state(level, "B1", h) for h in ("B5", "B6")] == ["blocked", "blocked"]


def test_terrain_lower_than_both_ends_is_ignored():
    """10.9.4."""
    assert state(column(".1", "w", ".1"), "B1", "B3") == "clear"
    assert state(column(".1", "w1", ".1"), "B1", "B3") == "blocked"
    assert state(column(".1", "w", "."), "B1", "B3") == "blocked"


def test_centre_to_centre():
    """10.9.5: what the line does not cross does not block."""
    b = board(". . . .\n. w . .\n. . . .\n. . . .")
    assert state(b, "A2", "C2") == "clear"  # runs along B1-B2: one of both only
    assert state(b, "A1", "C3") == "blocked"
    assert state(b, "A1", "D1") == "clear"


def test_along_hexsides_both_hexes_must_block():
    """10.9.5: terrain or units, in both hexes that share the hexside."""
    text = [[". ", ". ", ". ", ". ", ". "] for _ in range(4)]

    def with_woods(*hexes: str) -> Board:
        rows = [list(r) for r in text]
        for hex_ in hexes:
            rows[int(hex_[1:]) - 1][ord(hex_[0]) - 65] = "w "
        return board("\n".join("".join(r) for r in rows))

    none, one, both = with_woods(), with_woods("C2"), with_woods("C2", "C3")
    assert state(both, "B2", "D2") == "blocked"
    assert state(one, "B2", "D2") == "clear"
    assert state(one, "B2", "D2", "fire", ("cavalry", "C3")) == "blocked"
    assert state(none, "B2", "D2", "fire", ("cavalry", "C3")) == "clear"
    assert state(none, "B2", "D2", "fire", ("cavalry", "C3"), ("wagon", "C2")) == "blocked"


def test_a_double_unit_is_seen_in_either_hex():
    """10.9.5: the firer chooses; by reciprocity it may also look out of either."""
    b = column(".", "w", ".", ".", ".")
    firer = place(b, "firer", "king", "light-infantry", "B1", facing=3)
    double = place(b, "double", "foe", "heavy-infantry", ("B3", "C3"), facing=0)
    single = place(b, "single", "foe", "heavy-infantry", "B3", facing=0)
    assert line(b, firer, single, [firer, single], RULES).state == "blocked"
    there = line(b, firer, double, [firer, double], RULES)
    assert (there.state, there.to_name) == ("clear", "C3")
    assert line(b, double, firer, [firer, double], RULES).state == "clear"


def test_reciprocal_and_traced_from_above():
    """Reciprocity: what hides the lower end from the higher one hides the higher from the lower."""
    b = column(".1", ".1", ".", ".", ".", sides={"B2-B3": STEEP})
    low = ask(b, "B3", "B1", RULES)
    high = ask(b, "B1", "B3", RULES)
    assert low.state == high.state == "blocked"
    assert {(r.code, r.hex, r.hexside) for r in low.reasons} == {
        (r.code, r.hex, r.hexside) for r in high.reasons
    }


def test_units_of_an_overlay_file_fight():
    """11.1.2, 11.2.3: fronts of what an overlay file says."""
    overlay = Overlay(
        units=(
            Unit(("B2", "B3"), "heavy-infantry", "king", "foot", "A3"),
            Unit(("A3",), "cavalry", "foe", None, "2"),
        )
    )
    foot, horse = from_overlay(OPEN, overlay, {"foot": "centre"})
    assert (foot.wing, horse.name, horse.facing) == ("centre", "cavalry in A3", 2)
    assert from_overlay(OPEN, on_map((foot, horse)), {"foot": "centre"}) == (foot, horse)
    twice = Overlay(units=(overlay.units[1], overlay.units[1]))
    with pytest.raises(UsageError, match="Two units are called"):
        from_overlay(OPEN, twice)
