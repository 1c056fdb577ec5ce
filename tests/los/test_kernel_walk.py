"""The compiled walk over pixels, and what may end it early."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from los_tiny import CLIFF, WALL, board
from test_los_properties import maps

from hexsight.los.certain import crosses, remember
from hexsight.los.compile import compile_board
from hexsight.los.explain import explain_compiled
from hexsight.los.kernel import trace
from hexsight.los.profile import load_profile
from hexsight.los.scratch import N_RUNS, OUTSIDE, PLAIN, R_CELL, R_LAST, R_SPOT, REACH, make_scratch
from hexsight.los.table import build_table, ways_between
from hexsight.los.tables import (
    C_CLASS,
    C_COLUMNS,
    C_HEX,
    C_INSIDE,
    H_PX,
    H_PY,
    HINDRANCE,
    N_WIDTH,
    Tables,
)
from hexsight.los.traverse import SUB, pixel_line
from hexsight.los.walk import walk
from hexsight.model.derive import derive
from hexsight.model.layout import to_lattice

WIDE, TALL = 14, 12
HIGH = 1 << 20
GROUND = {"ground-higher", "ground-no-advantage", "crest-blind", "depression"}
OVER_GROUND = {"higher", "no-advantage"}


def every_pixel_a_cell() -> Tables:
    """A board on which the walk keeps every pixel it touches, for any two points as ends."""
    tables = compile_board(board(". .\n. ."), load_profile()).tables
    cells = np.zeros((WIDE * TALL, C_COLUMNS), np.int32)
    cells[:, C_CLASS], cells[:, C_INSIDE], cells[:, C_HEX] = HINDRANCE, 1, 2
    numbers = tables.numbers.copy()
    numbers[N_WIDTH] = WIDE
    pixels = np.arange(WIDE * TALL).astype(np.uint16)
    return tables._replace(cells=cells, numbers=numbers, pixels=pixels)


TABLES = every_pixel_a_cell()
inner = st.tuples(st.integers(1, WIDE * SUB - 1), st.integers(1, TALL * SUB - 1))
edges = st.tuples(st.integers(1, 2 * WIDE - 1), st.integers(1, 2 * TALL - 1)).map(
    lambda p: (p[0] * SUB // 2, p[1] * SUB // 2)
)


def walked(a: tuple[int, int], b: tuple[int, int]) -> list[int]:
    hexes = TABLES.hexes.copy()
    hexes[0, H_PX : H_PY + 1], hexes[1, H_PX : H_PY + 1] = a, b
    tables = TABLES._replace(hexes=hexes)
    scratch = make_scratch(tables)
    scratch.info[[OUTSIDE, PLAIN, REACH]] = 0, 1, 1
    assert walk(tables, scratch, 0, 1, HIGH, HIGH, 0) == 0
    runs = scratch.runs[: int(scratch.info[N_RUNS])]
    assert (runs[:, R_CELL] == runs[:, R_SPOT]).all()
    assert (runs[:, R_LAST] >= 0).all()
    return [int(k) for k in runs[:, R_CELL]]


@settings(max_examples=300, deadline=None)
@given(inner | edges, inner | edges)
def test_walk_touches_the_pixels_of_the_line(a, b):
    assume(a != b)
    found = walked(a, b)
    assert {(k % WIDE, k // WIDE) for k in found} == pixel_line(a, b)
    assert len(set(found)) == len(found)
    assert set(walked(b, a)) == set(found)


def test_walk_goes_in_order():
    a, b = (130, 70), (3100, 1900)
    spots = walked(a, b)
    along = [(k % WIDE) * (b[0] - a[0]) + (k // WIDE) * (b[1] - a[1]) for k in spots]
    assert along == sorted(along)


@settings(max_examples=200, deadline=None)
@given(inner, inner, st.integers(0, WIDE - 1), st.integers(0, TALL - 1))
def test_crossing_a_remembered_place_is_touching_it(a, b, x, y):
    """A line said to cross the row or column of a cell touches one of its pixels."""
    assume(a != b)
    hexes = TABLES.hexes.copy()
    hexes[0, H_PX : H_PY + 1], hexes[1, H_PX : H_PY + 1] = a, b
    block = np.zeros((TALL, WIDE), np.uint16)
    block[max(0, y - 2) : y + 2, max(0, x - 1) : x + 3] = 1
    tables = TABLES._replace(hexes=hexes, pixels=block.ravel())
    tables.numbers[N_WIDTH + 1] = TALL
    scratch = make_scratch(tables)
    remember(tables, scratch, 0, 1, y * WIDE + x)
    if crosses(tables, scratch, 0, 1, 0):
        assert any(block[v, u] for u, v in pixel_line(a, b))


def test_ways_reach_every_pair_once_and_by_direction():
    tables = compile_board(board(". . . .\n. . . .\n. . . ."), load_profile()).tables
    ways = ways_between(tables)
    offsets = [(c, r) for c in range(4) for r in range(3)]
    pairs = []
    for c, r in offsets:
        angles = []
        for dc, even, odd in ways.tolist():
            other = (c + dc, r + (odd if c & 1 else even))
            if other in offsets:
                pairs.append(frozenset([(c, r), other]))
                (X, Y), (U, V) = to_lattice(c, r), to_lattice(*other)
                angles.append(Fraction(V - Y, U - X) if U > X else Fraction(10**9))
        assert angles == sorted(angles)
    assert len(pairs) == len(set(pairs)) == 12 * 11 // 2


def test_ground_beside_a_cliff_ends_no_walk_along_it():
    """B11.2: where the line runs along a cliff the lower hex counts, so nothing is certain."""
    text = ". .1 . . .\n. .1 . . .\n. . . . ."
    b = board(text, sides={"B1-B2": CLIFF, "A2-B1": CLIFF, "C2-B1": WALL})
    table, compiled = build_table(b, load_profile()), compile_board(b, load_profile())
    for i, one in enumerate(table.names):
        for two in table.names[i + 1 :]:
            assert table.query(one, two).state == explain_compiled(compiled, one, two).state


def test_trace_ends_early_only_for_what_is_higher_than_all():
    compiled = compile_board(board(". w w .\n. w w ."), load_profile())
    scratch = make_scratch(compiled.tables)
    index = {h.name: k for k, h in enumerate(compiled.board.hexes)}
    ends = index["A1"], index["D1"]
    assert trace(compiled.tables, scratch, *ends, 1, 0) == 1
    assert trace(compiled.tables, scratch, *ends, 2, 0) == 0


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(maps(), st.randoms(use_true_random=False))
def test_a_reason_in_the_table_is_one_of_the_explanation(m, random):
    """Where certain blocks are settled beforehand, the reason is still true."""
    b = derive(m.survey())
    table, compiled = build_table(b, load_profile(), threads=1), compile_board(b, load_profile())
    for _ in range(30):
        one, two = random.sample(table.names, 2)
        entry, answer = table.query(one, two), explain_compiled(compiled, one, two)
        assert entry.state == answer.state
        if entry.state == "blocked":
            codes = {r.code for r in answer.reasons}
            # Where ground and what is on it block, an explanation tells one of them, and
            # of the ground over a depression that it is over a depression.
            if codes & GROUND:
                codes |= GROUND | OVER_GROUND
            assert entry.reason.code in codes, (one, two, entry, answer)


@pytest.mark.parametrize("text", [". . .\n. . .", "S S\nS S", "w"])
def test_small_boards_have_no_ties_to_trip_over(text):
    b = board(text)
    table = build_table(b, load_profile())
    assert len(table.answers) == len(table.names) * (len(table.names) - 1) // 2
