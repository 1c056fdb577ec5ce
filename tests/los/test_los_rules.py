"""Rules on tiny boards: one small picture for one statement of the rule book."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from los_tiny import BAR_LOW, BOCAGE, CLIFF, HEDGE, ROWHOUSE, WALL, board, survey

from hexsight.los.explain import Answer, explain
from hexsight.los.overlay import Overlay
from hexsight.los.profile import load_profile
from hexsight.los.traverse import hex_line
from hexsight.model.board import Board, HexFacts, side_vertices
from hexsight.model.derive import derive
from hexsight.model.layout import CORNERS, to_lattice, vertex_hexes


def los(b: Board, a: str, c: str, overlay: Overlay | None = None) -> Answer:
    """Answer from a to c, after checking that c sees a alike."""
    there = explain(b, a, c, load_profile(), overlay)
    back = explain(b, c, a, load_profile(), overlay)
    assert (there.state, there.hindrance) == (back.state, back.hindrance)
    return there


def codes(answer: Answer) -> set[str]:
    return {reason.code for reason in answer.reasons}


def row(tokens: str) -> str:
    """A board of three rows with the tokens in the middle one; odd columns stand beside."""
    return "\n".join([". " * len(tokens.split()), tokens, ". " * len(tokens.split())])


def column(*tokens: str, **more: object) -> Board:
    """A board of one interesting column B, read from north to south."""
    return board("\n".join(f". {token} ." for token in tokens), **more)  # type: ignore[arg-type]


def test_open_ground_is_clear():
    answer = los(column(".", ".", "."), "B1", "B3")
    assert (answer.state, answer.range, answer.reasons) == ("clear", 2, ())


def test_woods_between_block_at_the_same_level():
    answer = los(column(".", "w", "."), "B1", "B3")
    assert answer.state == "blocked"
    assert codes(answer) == {"higher"}
    assert answer.reasons[0].hex == "B2"


def test_woods_at_either_end_hide_nothing():
    assert los(column("w", ".", "w"), "B1", "B3").state == "clear"


def test_no_advantage_over_an_obstacle_as_high_as_the_viewer():
    """A6.2: a level 1 viewer and one-level woods."""
    answer = los(column(".1", "w", "."), "B1", "B3")
    assert codes(answer) == {"no-advantage"}


def test_level_viewers_see_over_an_obstacle_of_their_height():
    assert los(column(".1", "w", ".1"), "B1", "B3").state == "clear"


@pytest.mark.parametrize(("level", "hidden"), [(2, 1), (3, 1)])
def test_blind_hexes_behind_woods(level: int, hidden: int):
    """A6.4: at least one hex; the second is seen."""
    b = column(f".{level}", "w", ".", ".", ".")
    seen = [los(b, "B1", f"B{n}").state for n in (3, 4, 5)]
    assert seen == ["blocked"] * hidden + ["clear"] * (3 - hidden)


def test_blind_hexes_grow_with_the_obstacle():
    """A6.4: woods on a level 1 hill stand two levels over the ground behind."""
    b = column(".3", "w1", ".", ".", ".")
    assert [los(b, "B1", f"B{n}").state for n in (3, 4, 5)] == ["blocked", "blocked", "clear"]


def test_blind_hexes_grow_with_range():
    """A6.4: one more for five hexes to the obstacle."""
    b = column(".2", ".", ".", ".", ".", "w", ".", ".", ".")
    assert [los(b, "B1", f"B{n}").state for n in (7, 8, 9)] == ["blocked", "blocked", "clear"]


def test_half_level_rubble_blocks_only_level_lines():
    assert los(column(".", "x", "."), "B1", "B3").state == "blocked"
    assert los(column(".1", "x", "."), "B1", "B3").state == "clear"


def test_half_level_building_blocks_level_one():
    """A 1½-level house stands over viewers at level 1."""
    assert los(column(".1", "S", ".1"), "B1", "B3").state == "blocked"
    assert los(column(".2", "S", ".2"), "B1", "B3").state == "clear"


def test_rooftop_stands_at_the_height_of_the_obstacle():
    b = board(". . . .\n. S S .\n. . . .")
    assert los(b, "B2@roof", "C2@roof").state == "clear"


def test_brush_hinders_by_hex_and_six_block():
    """A6.7."""
    b = column(".", "b", "b", ".", "b", "b", "b", "b", ".")
    assert los(b, "B1", "B5").hindrance == 2
    answer = los(b, "B1", "B8")
    assert (answer.state, answer.hindrance) == ("hindered", 5)
    assert answer.hindrance_by_hex == {"B2": 1, "B3": 1, "B5": 1, "B6": 1, "B7": 1}
    blocked = los(b, "B1", "B9")
    assert blocked.state == "blocked"
    assert "hindrance-limit" in codes(blocked)


def test_brush_hinders_no_one_looking_over_it():
    assert los(column(".1", "b", "."), "B1", "B3").state == "clear"


def test_orchard_hinders_below_and_blocks_above():
    """B14: level lines on the ground pass the trunks."""
    assert los(column(".", "o", "."), "B1", "B3").hindrance == 1
    assert los(column(".1", "o", "."), "B1", "B3").state == "blocked"


def test_hill_between_blocks_and_crests_hide():
    assert codes(los(column(".", ".1", "."), "B1", "B3")) == {"ground-higher"}
    assert codes(los(column(".1", ".1", "."), "B1", "B3")) == {"ground-no-advantage"}
    b = column(".2", ".1", ".", ".")
    assert [los(b, "B1", f"B{n}").state for n in (3, 4)] == ["clear", "clear"]
    b = column(".3", ".2", ".", ".")
    assert [los(b, "B1", f"B{n}").state for n in (3, 4)] == ["blocked", "clear"]


def test_cliff_hides_what_is_right_below():
    """B11.21: one Blind Hex more than a slope has."""
    b = column(".2", ".1", ".", ".", sides={"B2-B3": CLIFF})
    assert [los(b, "B1", f"B{n}").state for n in (3, 4)] == ["blocked", "clear"]


def test_wall_blocks_unless_an_end_adjoins():
    """B9.2."""
    b = column(".", ".", ".", ".", sides={"B2-B3": WALL})
    assert los(b, "B1", "B4").state == "blocked"
    assert los(b, "B1", "B3").state == "clear"
    assert los(b, "B2", "B4").state == "clear"
    answer = los(b, "B1", "B4")
    assert {r.hexside for r in answer.reasons} == {"B2-B3"}


def test_wall_does_not_block_from_above():
    b = column(".1", ".", ".", ".", sides={"B2-B3": HEDGE})
    assert los(b, "B1", "B4").state == "clear"


def test_level_to_level_in_one_building():
    """A6.8: the line must leave the building before it leaves the hex."""
    b = column(".", "T", "T", ".", stairs=("B2",))
    assert codes(los(b, "B2@1", "B3")) == {"same-building"}
    assert los(b, "B2@1", "B3@1").state == "clear"
    assert los(b, "B2@1", "B1").state == "clear"


def test_stairs_join_levels_of_a_hex():
    b = column("T", "T", stairs=("B1",))
    assert los(b, "B1", "B1@1").state == "clear"
    assert los(b, "B1", "B1@2").state == "blocked"
    assert los(b, "B2", "B2@1").state == "blocked"


def test_rowhouse_bar_blocks_along_the_row():
    """B23.71."""
    b = column(".", "S", "S", ".", sides={"B2-B3": ROWHOUSE})
    assert los(b, "B2", "B3").state == "blocked"
    assert los(column(".", "S", "S", "."), "B2", "B3").state == "clear"


def test_factory_hinders_inside_and_blocks_outside():
    """O5.1, O5.41, B23.741: Factory rules apply."""
    b = column(".", "f", "f", "r", "f", ".")
    inside = los(b, "B2", "B5")
    assert (inside.hindrance, inside.hindrance_by_hex) == (3, {"B3": 1, "B4": 2})
    assert inside.tem == 1
    assert los(b, "B2", "B4").tem == 2
    assert codes(los(b, "B1", "B3")) == {"leaves-factory"}
    assert los(b, "B1", "B2").tem == 3


def test_from_the_roof_into_open_floor_only():
    """O5.43."""
    b = column("f", "f", "r", "f", "f")
    assert los(b, "B2@roof", "B3").state == "clear"
    assert los(b, "B2@roof", "B4").state == "clear"
    assert "second-roofed" in codes(los(b, "B2@roof", "B5"))
    assert los(b, "B2@roof", "B1").state == "blocked"
    assert los(b, "B1@roof", "B3").state == "blocked"


def test_interior_wall_reaches_the_roof():
    """O5.3: also where the roof is gone."""
    b = column("f", "r", "r", "f", "f", sides={"B2-B3": BAR_LOW})
    assert los(b, "B1", "B3").state == "blocked"
    assert los(b, "B1", "B2").state == "clear"
    assert codes(los(b, "B2", "B3")) == {"bar-across"}


def test_vertex_that_a_bar_reaches_blocks():
    """O5.31: the line B2-D2 passes both ends of C1-C2."""
    text = "\n".join(["f f f f f"] * 4)
    whole = board(text, sides={"C2-C3": BAR_LOW})
    answer = los(whole, "B2", "D2")
    assert "bar-vertex" in codes(answer) or "bar-along" in codes(answer)
    assert los(board(text), "B2", "D2").hindrance == 1


def test_breach_opens_a_wall_for_level_lines():
    """O5.33, O5.331: like a wall, so that an end must adjoin; vertices stay closed."""
    b = column("f", "f", "f", "f", sides={"B2-B3": BAR_LOW})
    breach = Overlay(frozenset({"B3-B2"}))
    assert los(b, "B2", "B3").state == "blocked"
    assert los(b, "B2", "B3", breach).state == "clear"
    assert los(b, "B1", "B3", breach).hindrance == 1
    assert los(b, "B1", "B4", breach).state == "blocked"


def test_depression_is_seen_from_above_or_along():
    """A6.3."""
    b = column(".1", ".1", "g0", "g0", ".1")
    assert los(b, "B2", "B3").state == "clear"
    assert los(b, "B1", "B3").state == "blocked"
    assert los(b, "B3", "B4").state == "clear"
    high = column(".2", ".1", "g0", ".1")
    assert los(high, "B1", "B3").state == "clear"


def test_bocage_hides_as_an_obstacle_of_a_level():
    """B9.52: a full level, with Blind Hexes; B9.2: not where it is part of an end's hex."""
    far = column(".", ".", ".", ".", ".", sides={"B2-B3": BOCAGE})
    assert codes(los(far, "B1", "B5")) == {"wall"}
    assert los(far, "B2", "B5").state == "clear"
    level_one = column(".1", ".", ".", ".", ".", sides={"B2-B3": BOCAGE})
    assert codes(los(level_one, "B1", "B5")) == {"wall"}
    high = column(".2", ".", ".", ".", ".", sides={"B3-B4": BOCAGE})
    assert los(high, "B1", "B4").state == "clear"
    assert los(high, "B1", "B5").state == "clear"
    tall = column(".3", ".1", ".1", ".", ".", ".", sides={"B2-B3": BOCAGE})
    assert codes(los(tall, "B1", "B4")) == {"blind"}
    assert los(tall, "B1", "B6").state == "clear"


def test_a_hedge_hides_no_hex_from_above():
    """A6.21: a half-level obstacle to lines on its own level."""
    b = column(".2", ".", ".", ".", ".", sides={"B2-B3": HEDGE})
    assert los(b, "B1", "B4").state == "clear"


def test_crags_along_a_hexside_hinder_level_lines_only():
    """B17.1: the whole hex with its hexsides; B17.2: same-level lines."""
    b = board(". . . .\n. k . .\n. . . .\n. . . .")
    assert los(b, "A2", "C2").hindrance == 1
    assert los(b, "A3", "C3").hindrance == 1
    assert los(b, "A4", "C4").state == "clear"
    from_above = board(". . . .\n.1 k . .\n. . . .\n. . . .")
    assert los(from_above, "A2", "C2").state == "clear"


def test_a_wall_counts_with_its_vertices_although_its_art_ends_before_them():
    """B9.1: the hexside, inclusive of vertices, is the wall."""
    text = "\n".join([". " * 7] * 5)
    whole = survey(text, sides={"D3-D4": WALL})
    short = whole.terrain.copy()
    # Lines along the row pass the west end of the hexside at C3-C4's vertex: shorten the art there.
    ends = whole.layout.lattice_to_pixel(side_vertices((3, 2), 3))
    west = min(ends.tolist())
    ys, xs = np.mgrid[: short.shape[0], : short.shape[1]]
    short[np.hypot(xs - west[0], ys - west[1]) < 5] = 0
    b = derive(replace(whole, terrain=short))
    assert b.side_by_name["D3-D4"].terrain == WALL
    through = {vertex: lines for vertex, lines in _lines_through(b, "D3-D4").items() if lines}
    assert through
    for lines in through.values():
        for one, other in lines:
            assert "wall" in codes(los(b, one, other)), (one, other)


def _lines_through(b: Board, side: str) -> dict[tuple[int, int], list[tuple[str, str]]]:
    """Lines that pass an end vertex of a hexside which neither end's hex or hexspine is."""
    facts = b.side_by_name[side]
    near = {facts.a, facts.b}
    out: dict[tuple[int, int], list[tuple[str, str]]] = {}
    first = b.by_name[facts.a]
    for point in side_vertices((first.col, first.row), facts.direction):
        around = near | {b.by_offset[c].name for c in vertex_hexes(*point) if c in b.by_offset}
        far = [h for h in b.hexes if h.name not in around]
        for one, other in itertools.combinations(far, 2):
            line = hex_line((one.col, one.row), (other.col, other.row))
            corners = {v for h in (one, other) for v in _corners(h)}
            ends = set(side_vertices((first.col, first.row), facts.direction))
            if point in line.vertices and not ends <= set(line.vertices) and not corners & ends:
                out.setdefault(point, []).append((one.name, other.name))
    return out


def _corners(h: HexFacts) -> list[tuple[int, int]]:
    X, Y = to_lattice(h.col, h.row)
    return [(X + dX, Y + dY) for dX, dY in CORNERS]
