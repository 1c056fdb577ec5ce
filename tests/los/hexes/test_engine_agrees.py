"""Kernel, explanation and an independent oracle give one answer on random boards."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hex_oracle import Oracle
from hex_tiny import CLIFF, GENTLE, STEEP, WALL, board, name
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hexsight.los.hexes.build import build, table_of
from hexsight.los.hexes.compile import compile_hexes
from hexsight.los.hexes.explain import ask_compiled
from hexsight.los.hexes.profile import HexProfile, profile_from_text
from hexsight.los.jit import have_numba
from hexsight.los.overlay import Overlay, Smoke, Unit, Vehicle
from hexsight.los.rulesets import load_rules
from hexsight.los.table import Table
from hexsight.model.board import Board

WIDE, TALL = 6, 5
quick = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
TOKENS = [".", ".", ".", ".1", ".1", ".2", "w", "w1", "b", "v", "S", "T", "S1", "#"]
SIDES = [f"{name(c, r)}-{name(c, r + 1)}" for c in range(WIDE) for r in range(TALL - 1)] + [
    f"{name(c, r)}-{name(c + 1, r)}" for c in range(WIDE - 1) for r in range(TALL)
]
# What no built-in profile asks for.
ODD = """
engine: hexes
name: odd
classes: {one: {range_limit: 4}, two: {across_dead_zone: false}}
elevation: higher
tie: blocks
along_hexside: either
hexes:
  - {kinds: [woods], blocks: true, classes: [one]}
  - {kinds: [building], hinders: 2, height: any}
  - {kinds: [growth, town], hinders: 1, height: 2}
hexsides: [{kinds: [hexside], hinders: 1, own_hex: clear}]
slopes:
  steep: {terrain: [Steep Slope], kinds: [cliff], dead_zone: true}
  unmarked: steep
hindrance_limit: 4
overlay:
  slopes: true
  units: {unit: {hinders: 1}}
  smoke: {two: {through: hinders, hinders: 2, limit: 1}}
  wrecks: {blocks: [two]}
"""
SIGHT = """
engine: hexes
name: sight
classes: {one: {}, two: {}}
elevation: sight-line
tie: blocks
along_hexside: either
half_limit: 2
hexes: [{kinds: [woods, building, growth], blocks: true}]
hexsides: [{kinds: [hexside], blocks: true, two_sided: true}]
overlay:
  smoke: {one: {through: half, in: half}}
  vehicles: {blocks: [one]}
"""


def profile_of(which: str) -> HexProfile:
    found = {"odd": ODD, "sight": SIGHT}.get(which)
    made = load_rules(which) if found is None else profile_from_text(found, which)
    assert isinstance(made, HexProfile)
    return made


class Case(NamedTuple):
    """A map and its state in words, so that a failure can be read."""

    text: str
    sides: dict[str, int]
    state: tuple[tuple[str, str], ...]

    def board(self) -> Board:
        rows = [line.split() for line in self.text.splitlines()]
        there = {name(c, r) for r in range(TALL) for c in range(WIDE) if rows[r][c] != "#"}
        sides = {s: code for s, code in self.sides.items() if set(s.split("-")) <= there}
        return board(self.text, sides=sides)

    def overlay(self, profile: HexProfile, board: Board) -> Overlay:
        rules = profile.rules.overlay
        here = [(kind, hex_) for kind, hex_ in self.state if hex_ in board.by_name]
        units = [
            Unit((h,), k, side)
            for k, h in here
            for side in (("red", "blue")[ord(h[0]) % 2],)
            if k in rules.units
        ]
        smoke = dict.fromkeys(h for k, h in here if k == "smoke" and rules.smoke is not None)
        return Overlay(
            units=tuple(units),
            smoke=tuple(Smoke(h) for h in smoke),
            vehicles=tuple(
                Vehicle(h, wreck=k == "wreck")
                for k, h in here
                if (k == "wreck" and rules.wrecks) or (k == "car" and rules.vehicles)
            ),
            slopes="steep" if rules.slopes and ("steep", "A1") in self.state else None,
        )


KINDS = ["smoke", "smoke", "wreck", "car", "wagon", "artillery", "leader", "unit", "cavalry"]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Random maps with walls, slopes, units and smoke."""
    tokens = draw(st.lists(st.sampled_from(TOKENS), min_size=WIDE * TALL, max_size=WIDE * TALL))
    tokens[0] = tokens[0] if tokens[0] != "#" else "."
    text = "\n".join(" ".join(tokens[r * WIDE : (r + 1) * WIDE]) for r in range(TALL))
    codes = st.sampled_from([WALL, CLIFF, STEEP, STEEP, GENTLE])
    sides = draw(st.dictionaries(st.sampled_from(SIDES), codes, max_size=12))
    places = st.sampled_from([name(c, r) for c in range(WIDE) for r in range(TALL)])
    state = draw(st.lists(st.tuples(st.sampled_from([*KINDS, "steep"]), places), max_size=5))
    return Case(text, sides, tuple(state))


def said(table: Table, i: int, j: int):
    entry = table.at(i, j)
    return "blocked" if entry.state == "blocked" else (entry.hindrance, entry.halvings)


@pytest.mark.parametrize("which", ["musket-pike", "modern-platoon", "generic", "odd", "sight"])
@quick
@given(cases(), st.sampled_from([None, "red"]))
def test_kernel_explanation_and_oracle_agree(which: str, case: Case, side: str | None):
    """All rules of all profiles, told three times."""
    profile, b = profile_of(which), case.board()
    overlay = case.overlay(profile, b)
    table = table_of(b, profile, overlay, side=side, engine="python", threads=1)
    compiled = compile_hexes(b, profile, overlay, side=side)
    locations = compiled.locations
    rng = np.random.default_rng(len(case.text) + len(case.sides))
    n = len(locations)
    pairs = rng.integers(0, n, (40, 2)).tolist() if n > 1 else []
    for observer in profile.observers:
        one = table.of_observer(observer if table.observers else None)
        oracle = Oracle(b, profile, overlay, observer, side)
        for i, j in pairs:
            first, second = locations[i], locations[j]
            answer = ask_compiled(compiled, first.name, second.name, observer, overlay)
            got = "blocked" if answer.state == "blocked" else (answer.hindrance, answer.halvings)
            assert got == said(one, i, j), (first.name, second.name, observer)
            if answer.state == "blocked":
                assert answer.reasons
            if first.hex == second.hex:
                continue
            flat = profile.rules.elevation == "none"
            heights = (0, 0) if flat else (first.level_half, second.level_half)
            truth = oracle.ask(b.hexes[first.hex], b.hexes[second.hex], heights)
            assert got == truth, (first.name, second.name, observer, answer)


@pytest.mark.skipif(not have_numba(), reason="numba is not installed")
@pytest.mark.parametrize("which", ["musket-pike", "modern-platoon", "generic", "odd"])
@quick
@given(cases())
def test_compiled_and_interpreted_agree_and_overlays_only_change_what_they_touch(
    which: str, case: Case
):
    """numba, Python; and the overlay applied over a table is the table of the overlay."""
    profile, b = profile_of(which), case.board()
    overlay = case.overlay(profile, b)
    base = table_of(b, profile, threads=1)
    whole = table_of(b, profile, overlay, threads=1)
    again = build(b, profile, overlay, base=base, threads=1)
    slow = table_of(b, profile, overlay, engine="python", threads=1)
    for (p, q), (r, s), (t, u) in zip(whole.planes, slow.planes, again.table.planes, strict=True):
        assert np.array_equal(p, r) and np.array_equal(q, s)
        assert np.array_equal(p, t) and np.array_equal(q, u)
    assert again.walked <= again.pairs
