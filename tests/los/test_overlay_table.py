"""A table under an overlay is the table of the changed board, with few pairs walked again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from los_tiny import BAR_LOW, board
from test_los_properties import SIDES, TALL, WIDE, Map, maps, quick

from hexsight.los.explain import explain_under
from hexsight.los.overlay import Overlay, Rubble, Smoke, Vehicle
from hexsight.los.overlay_board import apply_overlay
from hexsight.los.overlay_prepare import prepare
from hexsight.los.overlay_table import overlay_table
from hexsight.los.profile import load_profile
from hexsight.los.table import build_table
from hexsight.los.viewshed import viewshed
from hexsight.model.board import Board
from hexsight.model.derive import derive

HEXES = [f"{chr(65 + c)}{r + 1}" for c in range(WIDE) for r in range(TALL)]
one_hex = st.sampled_from(HEXES)


@st.composite
def overlays(draw: st.DrawFn, b: Board) -> Overlay:
    """A random overlay that fits a board."""
    clouds = st.builds(
        Smoke, one_hex, st.integers(1, 4), st.integers(1, 8), st.sampled_from([0, 0, 2])
    )
    factories = [h.name for h in b.hexes if h.factory]
    bars = [s.name for s in b.hexsides if s.bar]
    built = [h.name for h in b.hexes if h.building]
    fallen = st.sampled_from(built) if built else st.nothing()
    some = st.sampled_from(factories) if factories else st.nothing()
    return Overlay(
        breached=frozenset(draw(st.lists(st.sampled_from(bars), max_size=2)) if bars else ()),
        smoke=tuple(draw(st.lists(clouds, max_size=3))),
        rubble=tuple(Rubble(h) for h in draw(st.lists(fallen, max_size=2))) if built else (),
        gutted=tuple(draw(st.lists(some, max_size=1)) if factories else ()),
        collapsed=tuple(draw(st.lists(some, max_size=2)) if factories else ()),
        vehicles=tuple(Vehicle(h) for h in draw(st.lists(one_hex, max_size=2))),
    )


@quick
@given(maps(), st.data())
def test_walking_what_is_touched_equals_walking_all(m: Map, data: st.DataObject):
    b, profile = derive(m.survey()), load_profile()
    overlay = data.draw(overlays(b))
    base = build_table(b, profile, threads=1)
    few = overlay_table(b, profile, overlay, base)
    whole = overlay_table(b, profile, overlay)
    assert whole.walked == whole.pairs
    assert few.walked <= few.pairs
    assert few.table.names == whole.table.names
    differ = np.flatnonzero(few.table.answers != whole.table.answers)
    assert not len(differ), overlay
    if not overlay.smoke and not overlay.vehicles and not overlay.breached:
        rebuilt = build_table(apply_overlay(b, overlay), profile, threads=1)
        assert rebuilt.names == whole.table.names
        assert np.array_equal(rebuilt.answers, whole.table.answers)


@quick
@given(maps(), st.data())
def test_explanations_and_viewsheds_equal_the_table(m: Map, data: st.DataObject):
    b, profile = derive(m.survey()), load_profile()
    overlay = data.draw(overlays(b))
    table = overlay_table(b, profile, overlay).table
    ready = prepare(b, profile, overlay)
    viewer = data.draw(st.sampled_from(table.names))
    for seen in viewshed(b, viewer, profile, overlay).seen:
        entry = table.query(viewer, seen.name)
        assert (entry.state, entry.hindrance) == (seen.state, seen.hindrance)
    for _ in range(20):
        one, other = data.draw(st.tuples(*[st.sampled_from(table.names)] * 2))
        entry, answer = table.query(one, other), explain_under(ready, one, other)
        assert (entry.state, entry.hindrance) == (answer.state, answer.hindrance)
        if answer.hindrance:
            assert sum(answer.hindrance_by_hex.values()) == answer.hindrance


@settings(max_examples=10, deadline=None)
@given(maps(), st.data())
def test_smoke_and_vehicles_never_clear(m: Map, data: st.DataObject):
    b, profile = derive(m.survey()), load_profile()
    full = data.draw(overlays(b))
    before = build_table(b, profile, threads=1).answers
    after = overlay_table(b, profile, Overlay(smoke=full.smoke, vehicles=full.vehicles)).table
    assert not ((before & 0x80 != 0) & (after.answers & 0x80 == 0)).any()
    seen = after.answers & 0x80 == 0
    assert (after.answers[seen] >= before[seen]).all()


def test_few_pairs_are_walked_for_one_cloud():
    b, profile = board("\n".join(["." + " ." * 20] * 20)), load_profile()
    base = build_table(b, profile, threads=1)
    made = overlay_table(b, profile, Overlay(smoke=(Smoke("B2"),)), base)
    changed = int((made.table.answers != base.answers).sum())
    assert 0 < changed <= made.walked < 0.06 * made.pairs


def test_a_table_of_another_board_is_not_taken_over():
    profile = load_profile()
    b, other = board(". w .\n. . .\n. . ."), board(". . .\n. w .\n. . .")
    base = build_table(other, profile, threads=1)
    made = overlay_table(b, profile, Overlay(smoke=(Smoke("A1"),)), base)
    assert made.walked == made.pairs


def test_the_table_is_stale_for_the_board_without_the_overlay():
    b, profile = board(". . .\n. . ."), load_profile()
    made = overlay_table(b, profile, Overlay(smoke=(Smoke("A1"),)))
    assert not made.table.is_made_from(b, profile)


def test_overlays_have_a_digest_that_knows_no_order():
    one, two = Smoke("A1"), Smoke("B2", 2)
    assert Overlay(smoke=(one, two)).digest == Overlay(smoke=(two, one)).digest
    assert Overlay(smoke=(one,)).digest != Overlay(blazes=(one,)).digest


@pytest.mark.parametrize("side", SIDES[:2])
def test_a_breach_walks_few_pairs(side: str):
    b = board("\n".join([". f f f f f ."] * TALL), sides={side: BAR_LOW})
    profile = load_profile()
    base = build_table(b, profile, threads=1)
    breached = Overlay(breached=frozenset({side}))
    few, whole = (overlay_table(b, profile, breached, t) for t in (base, None))
    assert np.array_equal(few.table.answers, whole.table.answers)
    assert (few.table.answers != base.answers).any()
    assert few.walked < few.pairs
