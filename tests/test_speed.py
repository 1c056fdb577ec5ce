"""What the benchmarks would see, without a clock."""

from __future__ import annotations

import json
import random
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def speed(monkeypatch):
    """The modules of benchmarks/speed."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks" / "speed"))
    names = ("judge", "loops", "cases")
    yield {name: import_module(name) for name in names}
    for name in names:
        sys.modules.pop(name, None)


def rounds(judge, rng: random.Random, true: float, number: int = 5, restless: float = 0.08):
    """Rounds of a machine whose other programs add to most of them, now and then a lot."""

    def added() -> float:
        return 1 + abs(rng.gauss(0, restless)) + 0.003 * rng.random()

    return [judge.Round(true * added(), added()) for _ in range(number)]


def test_a_regression_of_twenty_percent_is_seen(speed):
    judge, rng, seen = speed["judge"], random.Random(3), 0
    for _ in range(1000):
        reference = judge.measured(rounds(judge, rng, 10.0, 7)).ratio
        # As often as the program measures again what looks slower.
        found = judge.measured(rounds(judge, rng, 12.0, 15))
        seen += judge.verdict("case", found, reference).state == "slower"
    assert seen > 950


def test_no_change_is_no_regression(speed):
    judge, rng, cried = speed["judge"], random.Random(4), 0
    for _ in range(1000):
        reference = judge.measured(rounds(judge, rng, 10.0, 7)).ratio
        found = judge.measured(rounds(judge, rng, 10.0, 9))
        cried += judge.verdict("case", found, reference).state == "slower"
    assert cried == 0


def test_other_verdicts(speed):
    judge = speed["judge"]

    def of(*case_s: float) -> object:
        return judge.measured([judge.Round(s, 1.0) for s in case_s])

    state = {
        "ok": judge.verdict("a", of(1.0, 1.05, 1.1), 1.0),
        "faster": judge.verdict("a", of(0.7, 0.72, 0.75), 1.0),
        "new": judge.verdict("a", of(1.0), None),
        "unsure": judge.verdict("a", of(1.0, 1.0, 1.8, 2.9, 3.0), 1.0),
        "slower": judge.verdict("a", of(1.5, 2.9, 3.0), 1.0),
    }
    assert {name: v.state for name, v in state.items()} == {name: name for name in state}
    assert state["new"].change is None
    assert state["faster"].change == pytest.approx(-0.3)


def test_loops_are_the_same_work_each_time(speed):
    for name, loop in speed["loops"].LOOPS.items():
        assert loop() == loop(), name


def test_every_case_has_a_reference(speed):
    stored = json.loads((ROOT / "benchmarks" / "reference.json").read_text(encoding="utf-8"))
    cases = {c.name: c for c in speed["cases"].CASES}
    assert stored["cases"].keys() == cases.keys(), "python benchmarks/speed/measure.py --update"
    assert all(c["noise"] >= 0 and c["ratio"] > 0 for c in stored["cases"].values())
    assert {c.loop for c in cases.values()} <= speed["loops"].LOOPS.keys()
    # What issue after issue asked to be kept fast.
    assert {"grid", "extract", "lines", "hexes", "export", "batch"} <= cases.keys()
