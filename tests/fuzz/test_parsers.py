"""Whatever is fed to a parser, it works or tells one sentence.

``--hypothesis-profile=long`` runs a hundred times as many examples, each time others.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from pathlib import Path

import pytest
import seeds
import targets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

CRASHES = Path(__file__).parent / "crashes"
LONG = settings().max_examples > 1000
_SLOW = {"module_zip", "build_file", "metadata", "moduledata", "overlay", "raster", "board_json"}
TIME_S, MEMORY_BYTES = 10.0, 1 << 30

# A cut, a flipped byte, a word put in or over, a piece doubled, a piece of another seed.
EDITS = st.lists(
    st.tuples(
        st.sampled_from(["cut", "flip", "insert", "over", "double", "end", "number"]),
        st.floats(0, 1, exclude_max=True),
        st.integers(0, 255),
        st.sampled_from(seeds.WORDS),
    ),
    max_size=6,
)


def mutated(data: bytes, edits: list[tuple[str, float, int, bytes]]) -> bytes:
    """A good input after some edits."""
    for how, where, size, word in edits:
        at = int(where * (len(data) + 1))
        if how == "cut":
            data = data[:at] + data[at + size :]
        elif how == "flip" and at < len(data):
            data = data[:at] + bytes([data[at] ^ (size or 1)]) + data[at + 1 :]
        elif how == "insert":
            data = data[:at] + word + data[at:]
        elif how == "over":
            data = data[:at] + word + data[at + len(word) :]
        elif how == "double":
            data = data[: at + size] + data[at:]
        elif how == "end":
            data = data[:at]
        elif how == "number":
            data = _next_number(data, at, word)
    return data


def _next_number(data: bytes, at: int, word: bytes) -> bytes:
    """The input with the next number after a place made another word."""
    while at < len(data) and not data[at : at + 1].isdigit():
        at += 1
    end = at
    while end < len(data) and data[end : end + 1] in b"0123456789.-":
        end += 1
    return data[:at] + word + data[end:]


def _feed(name: str, data: bytes) -> None:
    begun = time.process_time()
    targets.run(name, data)
    assert time.process_time() - begun < TIME_S


@pytest.mark.parametrize("name", targets.TARGETS)
def test_good_input_works(name: str) -> None:
    for data in seeds.seeds(name):
        said = targets.run(name, data)
        assert not said or name in ("module_zip", "overlay", "rules"), said


@pytest.mark.parametrize("name", targets.TARGETS)
def test_spoilt_input_is_told(name: str) -> None:
    @settings(
        settings()
        if LONG
        else settings(derandomize=True, max_examples=25 if name in _SLOW else 60),
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.sampled_from(seeds.seeds(name)), EDITS)
    def feed(seed: bytes, edits: list[tuple[str, float, int, bytes]]) -> None:
        inner = seeds.opened(name, seed)
        _feed(name, seeds.closed(name, mutated(inner, edits)))
        if inner is not seed:
            _feed(name, mutated(seed, edits))

    feed()


@pytest.mark.parametrize("name", targets.TARGETS)
def test_noise_is_told(name: str) -> None:
    @settings(
        settings() if LONG else settings(derandomize=True, max_examples=15),
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.one_of(st.binary(max_size=200), st.lists(st.sampled_from(seeds.WORDS)).map(b"".join)))
    def feed(data: bytes) -> None:
        _feed(name, seeds.closed(name, data))

    feed()


@pytest.mark.parametrize(
    "path", sorted(CRASHES.glob("*/*")), ids=lambda p: f"{p.parent.name}/{p.name}"
)
def test_what_once_crashed(path: Path) -> None:
    tracemalloc.start()
    try:
        _feed(path.parent.name, path.read_bytes())
        assert tracemalloc.get_traced_memory()[1] < MEMORY_BYTES
    finally:
        tracemalloc.stop()


def test_crashes_belong_to_targets() -> None:
    assert {p.name for p in CRASHES.iterdir() if p.is_dir()} <= set(targets.TARGETS)
    assert sys.getrecursionlimit() <= 3000  # a target must not rely on a deep stack
