"""Line of sight knows of no seam: what is cut and joined again answers as before."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cutting import board, cut, maps, own_names, turn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hexsight.los.profile import load_profile
from hexsight.los.table import board_digest, build_table
from hexsight.model.board import Board, Survey
from hexsight.model.compose import ComposedBoard, Crop, Placement, compose
from hexsight.model.derive import derive
from hexsight.reading import Request, read, survey

quick = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
COLUMNS, ROWS = 7, 4
LABELS = ("p:", "q:", "r:", "s:")


def answers(found: Board, names: dict[str, str] | None = None) -> dict[str, np.ndarray]:
    """Answers as a square, with the names of Locations in its order."""
    table = build_table(found, load_profile(), threads=1)
    own = []
    for location in table.names:
        hex_name, at, level = location.partition("@")
        own.append((names or {}).get(hex_name, hex_name) + at + level)
    n = len(own)
    square = np.zeros((n, n), np.uint8)
    square[np.triu_indices(n, 1)] = table.answers
    square |= square.T
    order = np.argsort(own)
    return {"names": np.array(own)[order], "answers": square[np.ix_(order, order)]}


def check_same(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> None:
    assert a["names"].tolist() == b["names"].tolist()
    differ = np.argwhere(a["answers"] != b["answers"])
    assert not len(differ), [(a["names"][i], a["names"][j]) for i, j in differ[:5]]


def quarters(whole: Survey, x: int | None, y: int | None, extra: int) -> list[Placement]:
    """A map cut along a column or a row line or both."""
    xs = [(None, None)] if x is None else [(None, x), (x, None)]
    ys = [(None, None)] if y is None else [(None, y), (y, None)]
    labels = iter(LABELS)
    return [
        Placement(board(cut(whole, x=across, y=down, extra=extra)), row, column, name=next(labels))
        for row, down in enumerate(ys)
        for column, across in enumerate(xs)
    ]


# Seams through columns, through rows of whole hexes in even and in odd columns, and both.
SEAMS = [(3 * 2, None), (3 * 3, None), (None, 3), (None, 4), (3 * 4, 3), (3 * 3, 4), (3 * 3, 3)]


@pytest.mark.parametrize(("x", "y"), SEAMS)
@quick
@given(whole=maps(COLUMNS, ROWS), extra=st.integers(0, 2))
def test_cut_and_joined_again(x: int | None, y: int | None, extra: int, whole: Survey):
    composed = compose(quarters(whole, x, y, extra))
    check_same(answers(board(whole)), answers(composed, own_names(composed, LABELS)))


def reversed_(placements: list[Placement]) -> list[Placement]:
    """The table seen from the other side."""
    last = max(p.row for p in placements), max(p.column for p in placements)
    return [
        Placement(p.board, last[0] - p.row, last[1] - p.column, not p.turned, p.crop, p.name)
        for p in placements
    ]


def plain(composed: ComposedBoard, other: ComposedBoard) -> dict[str, str]:
    """Name on one map by name on another of the same boards."""
    return {h.name: composed.hex(h.name).name for h in other.hexes}


@quick
@given(whole=maps(COLUMNS, ROWS), where=st.sampled_from(SEAMS))
def test_turning_everything_changes_nothing(whole: Survey, where: tuple[int | None, int | None]):
    placements = quarters(whole, *where, 0)
    composed, there = compose(placements), compose(reversed_(placements))
    check_same(answers(composed), answers(there, plain(composed, there)))


@quick
@given(whole=maps(COLUMNS, ROWS), which=st.integers(0, 1))
def test_a_board_drawn_upside_down_is_turned_back(whole: Survey, which: int):
    halves = [cut(whole, x=(None, 9)), cut(whole, x=(9, None))]
    halves[which] = turn(halves[which])
    composed = compose(
        [
            Placement(board(half), 0, i, turned=i == which, name=LABELS[i])
            for i, half in enumerate(halves)
        ]
    )
    check_same(answers(board(whole)), answers(composed, own_names(composed, LABELS)))


@quick
@given(
    whole=maps(COLUMNS, ROWS),
    columns=st.sampled_from([("B", "F"), ("C", None), (None, "D"), ("E", "C")]),
    rows=st.sampled_from([("2", "3"), (None, "2"), ("3", None), (None, None)]),
    turned=st.booleans(),
)
def test_a_crop_is_the_map_painted_only_so_far(
    whole: Survey,
    columns: tuple[str | None, str | None],
    rows: tuple[str | None, str | None],
    turned: bool,
):
    ends = sorted(
        (3 * (ord(c) - 65)) if c else (0 if i == 0 else 99) for i, c in enumerate(columns)
    )
    x = (ends[0] or None, None if ends[1] == 99 else ends[1])
    y = tuple(
        None if r is None else 2 * (int(r) - 1) + (1 if i else -1) for i, r in enumerate(rows)
    )
    composed = compose(
        [Placement(board(whole), turned=turned, crop=Crop(columns, rows), name="p:")]
    )
    part = cut(whole, x=x, y=y)  # type: ignore[arg-type]
    check_same(answers(board(part)), answers(composed, own_names(composed, LABELS)))


@quick
@given(whole=maps(COLUMNS, ROWS), random=st.randoms(use_true_random=False))
def test_the_order_of_placements_does_not_matter(whole: Survey, random):
    placements = quarters(whole, 9, 4, 1)
    first = board_digest(compose(placements))
    random.shuffle(placements)
    assert board_digest(compose(placements)) == first


def losdata_board(shared: Path, name: str) -> Board:
    request = Request(shared / "boards" / name, terrain_from="losdata", grid="module")
    return derive(survey(request, read(request)))


def inside(composed: ComposedBoard, own: Board, label: str) -> tuple[int, int]:
    """Pairs of Locations off the seams of one board, and how many answer otherwise on the map."""
    seam = set(composed.aliases) | set(composed.aliases.values())
    table, whole = build_table(own, load_profile()), build_table(composed, load_profile())
    here, there = [], []
    for i, location in enumerate(table.names):
        name = label + location.partition("@")[0]
        if name not in seam and label + location in whole.index:
            here.append(i)
            there.append(whole.index[label + location])
    answers_ = []
    for found, places in ((table, np.array(here)), (whole, np.array(there))):
        i, j = np.triu_indices(len(places), 1)
        a, b = np.minimum(places[i], places[j]), np.maximum(places[i], places[j])
        n = len(found.names)
        answers_.append(found.answers[a * (2 * n - a - 1) // 2 + b - a - 1])
    return len(answers_[0]), int((answers_[0] != answers_[1]).sum())


@pytest.mark.shared
def test_real_boards_answer_as_they_do_alone(shared: Path):
    """Two standard boards; turning moves hexsides by a pixel where they fall between pixels."""
    first, second = losdata_board(shared, "bd20"), losdata_board(shared, "bd01")
    plain = compose([Placement(first), Placement(second, 0, 1)])
    assert plain.aliases["01A5"] == "20GG5"
    for own, label in ((first, "20"), (second, "01")):
        pairs, differ = inside(plain, own, label)
        assert pairs > 150_000
        assert differ <= 0.0005 * pairs
    turned = compose([Placement(first, turned=True), Placement(second, 0, 1)])
    assert turned.aliases["01A5"] == "20A6"
    for own, label in ((first, "20"), (second, "01")):
        pairs, differ = inside(turned, own, label)
        assert differ <= 0.0005 * pairs
