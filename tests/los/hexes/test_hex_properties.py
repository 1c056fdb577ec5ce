"""What must hold of every hex game: reciprocity, turning, hexsides along a line."""

from __future__ import annotations

import pytest
from hex_asking import units
from hex_tiny import STEEP, board, from_cells, turned
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_engine_agrees import Case, cases, profile_of

from hexsight.los.engine import ask, seen_from, table_of
from hexsight.los.hexes.explain import many
from hexsight.los.hexes.profile import HexProfile, profile_from_text
from hexsight.los.table import Table
from hexsight.model.board import Board

quick = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
GAMES = ["musket-pike", "modern-platoon", "generic", "odd", "sight"]


def answers(table: Table) -> dict[tuple[str, str, int], tuple[str, int, int]]:
    """State by pair of names and class."""
    out = {}
    for k, observer in enumerate(table.observers or (None,)):
        one = table.of_observer(observer)
        for i, a in enumerate(one.names):
            for j in range(i + 1, len(one.names)):
                e = one.at(i, j)
                pair = sorted((a, one.names[j]))
                out[pair[0], pair[1], k] = e.state, e.hindrance, e.halvings
    return out


@pytest.mark.parametrize("which", GAMES)
@quick
@given(cases(), st.randoms(use_true_random=False))
def test_every_line_is_the_same_from_both_ends(which: str, case: Case, random):
    """Reciprocity of every profile and class."""
    profile, b = profile_of(which), case.board()
    answer, names = many(b, profile), [h.name for h in b.hexes]
    for observer in profile.observers:
        for _ in range(12):
            one, two = random.choice(names), random.choice(names)
            there, back = answer(one, two, observer), answer(two, one, observer)
            assert (there.state, there.hindrance, there.halvings) == (
                back.state,
                back.hindrance,
                back.halvings,
            )


@pytest.mark.parametrize("which", ["musket-pike", "generic", "odd"])
@pytest.mark.parametrize("mirror", [False, True])
@quick
@given(cases(), st.integers(0, 5))
def test_turning_and_mirroring_change_nothing(which: str, mirror: bool, case: Case, times: int):
    """Slopes, dead zones, hexsides and all else are alike in all six directions."""
    profile, b = profile_of(which), case.board()
    other = turned(b, times, mirror=mirror)
    overlay = case.overlay(profile, b)
    here = table_of(b, profile, overlay, threads=1)
    there = table_of(other, profile, overlay, threads=1)
    assert answers(here) == answers(there)


@pytest.mark.parametrize("times", range(6))
@pytest.mark.parametrize("mirror", [False, True])
def test_a_dead_zone_is_symmetric(times: int, mirror: bool):
    """10.9.3B: the same hexes are dead whichever way the slope faces."""
    text = "\n".join([". " * 7] * 2 + [" ".join([".1"] * 7)] * 3 + [" ".join(["."] * 7)] * 6)
    sides = {}
    for k, letter in enumerate("ABCDEFG"):
        sides[f"{letter}5-{letter}6"] = STEEP
        for other in "ABCDEFG"[max(0, k - 1) : k + 2 : 2]:
            # Where columns stagger, the edge of the plateau has a second side.
            if k % 2:
                sides[f"{letter}5-{other}6"] = STEEP
    flat = board(text, sides=sides)
    profile = profile_of("musket-pike")
    dead = {s.name for s in seen_from(flat, "D3", profile).seen if s.code == "dead-zone"}
    assert dead
    made = turned(flat, times, mirror=mirror)
    found = {s.name for s in seen_from(made, "D3", profile).seen if s.code == "dead-zone"}
    assert found == dead


def along(policy: str) -> HexProfile:
    """Rules in which woods block, and nothing else."""
    text = f"engine: hexes\nname: along\nalong_hexside: {policy}\n"
    made = profile_from_text(text + "hexes: [{kinds: [woods], blocks: true}]\n", "along")
    return made


@pytest.mark.parametrize("times", range(6))
@pytest.mark.parametrize("policy", ["both", "either"])
@pytest.mark.parametrize("woods", [(), ("one",), ("two",), ("one", "two")])
def test_lines_along_hexsides(policy: str, woods: tuple[str, ...], times: int):
    """10.9.5: blocked by both hexes; by either where a game says so."""
    tokens = {(0, 1): ".", (1, 0): ".", (1, 1): ".", (2, 1): "."}
    tokens |= {(1, 0): "w"} if "one" in woods else {}
    tokens |= {(1, 1): "w"} if "two" in woods else {}
    names = {(0, 1): "A", (1, 0): "B", (1, 1): "C", (2, 1): "D"}
    b = turned(from_cells(tokens, {}, names), times)
    needed = 2 if policy == "both" else 1
    state = ask(b, "A", "D", along(policy)).state
    assert (state == "blocked") == (len(woods) >= needed)


def test_off_the_map_there_is_no_second_hex():
    """Along the edge of the map the one hex that is there decides alone."""
    names = {(0, 0): "A", (1, 0): "C", (2, 0): "D"}
    for policy in ("both", "either"):
        for token, told in (("w", "blocked"), (".", "clear")):
            b = from_cells({(0, 0): ".", (1, 0): token, (2, 0): "."}, {}, names)
            assert ask(b, "A", "D", along(policy)).state == told


@quick
@given(cases())
def test_a_viewshed_says_what_the_table_says(case: Case):
    """One star of lines, every class."""
    profile, b = profile_of("musket-pike"), case.board()
    overlay = case.overlay(profile, b)
    table = table_of(b, profile, overlay, threads=1)
    viewer = b.hexes[len(b.hexes) // 2].name
    for observer in profile.observers:
        one = table.of_observer(observer)
        for seen in seen_from(b, viewer, profile, overlay, observer).seen:
            entry = one.query(viewer, seen.name)
            assert (seen.state, seen.hindrance, seen.halvings) == (
                entry.state,
                entry.hindrance,
                entry.halvings,
            )


def test_more_blocking_units_never_clear_a_line():
    """What stands in more hexes hides more."""
    b: Board = board("\n".join([". . . . ."] * 4))
    profile = profile_of("musket-pike")
    few = answers(table_of(b, profile, units(wagon="B2"), threads=1))
    more = answers(table_of(b, profile, units(wagon="B2", cavalry="D3"), threads=1))
    assert all(more[k][0] == "blocked" for k, v in few.items() if v[0] == "blocked")
