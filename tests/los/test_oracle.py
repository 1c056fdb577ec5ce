"""The kernel against the slow oracle: other geometry, the same rules, on random small boards."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from los_tiny import HEDGE, ROWHOUSE, WALL, board

from hexsight.los.compile import compile_board
from hexsight.los.oracle import Oracle
from hexsight.los.oracle_lines import PARTS, touched_pixels
from hexsight.los.profile import load_profile
from hexsight.los.table import build_table
from hexsight.los.traverse import SUB, pixel_line
from hexsight.model.board import Board

WIDE, TALL = 5, 4
# Open, woods, brush, orchard, houses, rubble (half a level, inherent), and hills.
TOKENS = [".", ".", ".", "w", "b", "o", "s", "S", "T", "x", ".1", ".2", "w1", "b1", "S1", "o1"]
SIDES = (
    [f"{c}{r}-{c}{r + 1}" for c in "ABCDE" for r in (1, 2, 3)]
    + [f"{a}2-{b}2" for a, b in ("AB", "BC", "CD", "DE")]
    + [f"{a}3-{b}3" for a, b in ("AB", "BC", "CD", "DE")]
)
COVERED = ("ground", "level", "roof")


class Small(NamedTuple):
    """A map in words, so that a failure can be read."""

    text: str
    sides: dict[str, int]

    def board(self) -> Board:
        return board(self.text, sides=self.sides)


@st.composite
def boards(draw: st.DrawFn) -> Small:
    """Random maps of 5 × 4 hexes with walls, hedges and rowhouse bars."""
    tokens = draw(st.lists(st.sampled_from(TOKENS), min_size=WIDE * TALL, max_size=WIDE * TALL))
    text = "\n".join(" ".join(tokens[r * WIDE : (r + 1) * WIDE]) for r in range(TALL))
    kinds = st.sampled_from([WALL, HEDGE, ROWHOUSE])
    return Small(text, draw(st.dictionaries(st.sampled_from(SIDES), kinds, max_size=6)))


def differing(b: Board, pairs: list[tuple[int, int]]) -> list[tuple[object, ...]]:
    """Pairs on which table and oracle differ."""
    compiled = compile_board(b, load_profile())
    table, oracle = build_table(b, load_profile(), threads=1), Oracle(compiled)
    out: list[tuple[object, ...]] = []
    for i, j in pairs:
        ends = compiled.locations[i], compiled.locations[j]
        if ends[0].hex == ends[1].hex or any(e.kind not in COVERED for e in ends):
            continue
        entry, (blocked, hindrance) = table.at(i, j), oracle.answer(i, j)
        if (entry.state == "blocked") != blocked or (not blocked and entry.hindrance != hindrance):
            out.append((ends[0].name, ends[1].name, entry, blocked, hindrance))
    return out


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    # Making a failure smaller asks thousands of slow boards; a map is small enough to read.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(boards(), st.randoms(use_true_random=False))
def test_kernel_equals_oracle(m: Small, random):
    b = m.board()
    n = len(compile_board(b, load_profile()).locations)
    pairs = [tuple(sorted(random.sample(range(n), 2))) for _ in range(30)]
    assert not differing(b, pairs)


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        (". . . . .\n. w b . .\n. . S S .\n. x . . .", {}),
        (". .1 .2 .1 .\n. .1 w1 . .\n. . . b .\n. . . . .", {}),
        (". . . . .\n. S S S .\n. S S S .\n. . . . .", {"B2-B3": ROWHOUSE, "C2-C3": ROWHOUSE}),
        (". . . . .\n" * 3 + ". . . . .", {"B2-B3": WALL, "C2-C3": HEDGE, "C2-D2": WALL}),
        ("x x x x x\n. x . x .\nx . b . x\n. . x . .", {}),
    ],
)
def test_every_pair_of_chosen_boards(text: str, sides: dict[str, int]):
    b = board(text, sides=sides)
    n = len(compile_board(b, load_profile()).locations)
    assert not differing(b, [(i, j) for i in range(n) for j in range(i + 1, n)])


points = st.tuples(st.integers(0, 9 * SUB), st.integers(0, 9 * SUB))
corners = st.tuples(st.integers(0, 18), st.integers(0, 18)).map(
    lambda p: (p[0] * SUB // 2, p[1] * SUB // 2)
)


@settings(max_examples=150, deadline=None)
@given(points | corners, points | corners)
def test_touches_the_squares_that_the_walk_touches(a, b):
    if a == b:
        return
    assert PARTS == SUB
    ends = [(Fraction(x, SUB), Fraction(y, SUB)) for x, y in (a, b)]
    found = touched_pixels(ends[0], ends[1])
    assert set(found) == pixel_line(a, b)
    assert sorted(touched_pixels(ends[1], ends[0])) == sorted(found)
