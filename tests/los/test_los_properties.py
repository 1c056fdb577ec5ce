"""What must hold on any board: symmetry, turning, engines, explanations."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from los_tiny import BAR_LOW, CLIFF, HEDGE, WALL, survey, turned

from hexsight.los.compile import compile_board
from hexsight.los.explain import explain_compiled
from hexsight.los.jit import have_numba
from hexsight.los.profile import load_profile
from hexsight.los.table import Table, build_table
from hexsight.model.board import Survey
from hexsight.model.derive import derive

WIDE, TALL = 7, 5
quick = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
TOKENS = [".", ".", ".", "w", "b", "o", "s", "S", "T", "f", "f", "r", "x", ".1", ".2", "w1", "g"]
SIDES = [f"{a}-{b}" for c in "BCDE" for r in (2, 3) for a, b in [(f"{c}{r}", f"{c}{r + 1}")]]


class Map(NamedTuple):
    """A map in words, so that a failure can be read."""

    text: str
    sides: dict[str, int]

    def survey(self) -> Survey:
        return survey(self.text, sides=self.sides, stairs=("B2", "D3"))


@st.composite
def maps(draw: st.DrawFn) -> Map:
    """Random maps of 7 × 5 hexes with walls, cliffs and bars."""
    tokens = draw(st.lists(st.sampled_from(TOKENS), min_size=WIDE * TALL, max_size=WIDE * TALL))
    text = "\n".join(" ".join(tokens[r * WIDE : (r + 1) * WIDE]) for r in range(TALL))
    sides = draw(
        st.dictionaries(
            st.sampled_from(SIDES), st.sampled_from([WALL, HEDGE, CLIFF, BAR_LOW]), max_size=5
        )
    )
    return Map(text, sides)


def table_of(s: Survey) -> Table:
    return build_table(derive(s), load_profile(), threads=1)


def as_square(table: Table) -> np.ndarray:
    n = len(table.names)
    square = np.zeros((n, n), np.uint8)
    square[np.triu_indices(n, 1)] = table.answers
    return square | square.T


def renamed(table: Table, names: dict[str, str]) -> list[str]:
    return [names[n.partition("@")[0]] + n[len(n.partition("@")[0]) :] for n in table.names]


@pytest.mark.parametrize("mirror", [False, True])
@quick
@given(maps())
def test_turning_or_mirroring_changes_nothing(mirror: bool, m: Map):
    s = m.survey()
    other, names = turned(s, mirror=mirror)
    here, there = table_of(s), table_of(other)
    order = [there.index[n] for n in renamed(here, names)]
    differ = np.argwhere(as_square(here) != as_square(there)[np.ix_(order, order)])
    assert not len(differ), [(here.names[i], here.names[j]) for i, j in differ[:5]]


@quick
@given(maps(), st.integers(0, WIDE - 1), st.integers(0, TALL - 1))
def test_a_further_obstacle_never_clears_a_line(m: Map, col: int, row: int):
    """Woods grown on open ground: what was blocked stays blocked."""
    s = m.survey()
    cols, rows = s.layout.owner_map(s.terrain.shape[::-1])
    here = (cols == col) & (rows == row) & (s.terrain == 0)
    grown = s.terrain.copy()
    grown[here] = 60
    more = Survey(
        s.name, s.layout, s.cells, grown, s.elevation_half, typed=True, stairwells=s.stairwells
    )
    before, after = table_of(s), table_of(more)
    assert before.names == after.names
    cleared = (before.answers & 0x80 != 0) & (after.answers & 0x80 == 0)
    assert not cleared.any()


@quick
@given(maps(), st.randoms(use_true_random=False))
def test_explanation_equals_table(m: Map, random):
    board = derive(m.survey())
    table = build_table(board, load_profile(), threads=1)
    compiled = compile_board(board, load_profile())
    for _ in range(60):
        a, b = random.sample(table.names, 2)
        entry, answer = table.query(a, b), explain_compiled(compiled, a, b)
        assert (entry.state, entry.hindrance) == (answer.state, answer.hindrance)
        if answer.state == "blocked":
            assert any(not r.hindrance for r in answer.reasons)
        elif answer.hindrance:
            assert sum(answer.hindrance_by_hex.values()) == answer.hindrance


@pytest.mark.skipif(not have_numba(), reason="numba is not installed")
@settings(max_examples=4, deadline=None)
@given(maps())
def test_both_engines_agree(m: Map):
    board = derive(m.survey())
    fast = build_table(board, load_profile(), engine="numba", threads=2)
    slow = build_table(board, load_profile(), engine="python", threads=1)
    assert np.array_equal(fast.answers, slow.answers)
    assert np.array_equal(fast.reasons, slow.reasons)
