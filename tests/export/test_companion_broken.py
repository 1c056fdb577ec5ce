"""Files of the companion that are broken: each gives one line and no exception."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from companion_java import Java, java_of

from hexsight.export.companion import (
    HEADER,
    BlockingEntry,
    CompanionBoard,
    CompanionPlace,
    SmokeNumbers,
    places_file,
)
from hexsight.los.table import Table, write_table


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Java:
    return java_of(tmp_path_factory)


def tiny(folder: Path, names: tuple[str, ...] = ("A1", "A1@1", "A2", "A3")) -> CompanionBoard:
    """A board without a map, of three hexes in a row; A1 to A3 is blocked in A2."""
    v = len(names)
    answers = np.zeros(v * (v - 1) // 2, np.uint8)
    reasons = np.zeros_like(answers)
    answers[2], reasons[2] = 128, 1
    write_table(Table(names, answers, reasons, bytes(32), bytes(32)), folder / "tiny.lostab")
    rows = {"A1": 0, "A2": 1, "A3": 2}
    places = tuple(
        CompanionPlace(n, n[:2], n, 0, rows[n[:2]], 10, 10 + 20 * rows[n[:2]], 0, 0) for n in names
    )
    entries = (
        BlockingEntry(1, None, "blocked by something"),
        BlockingEntry(1, (10, 30), "blocked by higher terrain in A2"),
    )
    pairs = np.where(answers == 128, 2, 0).astype(np.uint32)
    board = CompanionBoard(
        "Tiny",
        ("Main Map",),
        (folder / "tiny.lostab").read_bytes(),
        places,
        entries,
        pairs,
        SmokeNumbers(6, 3, 5, 3, 4),
    )
    (folder / "tiny.losplaces").write_bytes(places_file(board))
    return board


def complaints(java: Java, folder: Path) -> list[str]:
    """What two questions about the tiny board give."""
    return java.run("Asker", str(folder), "tiny", given="Tiny\t0\t3\nTiny\t0\t3\n")


def test_a_tiny_board(java: Java, tmp_path: Path) -> None:
    tiny(tmp_path)
    line = "1\t0\t2\t500\tA1\tA3\tblocked by higher terrain in A2"
    assert complaints(java, tmp_path) == [line, line]


def test_without_places_the_reason_is_told(java: Java, tmp_path: Path) -> None:
    board = tiny(tmp_path)
    plain = CompanionBoard(
        board.name, board.maps, board.table, board.places, board.entries, None, board.smoke
    )
    (tmp_path / "tiny.losplaces").write_bytes(places_file(plain))
    line = "1\t0\t2\t-1\tA1\tA3\tblocked by something"
    assert complaints(java, tmp_path) == [line, line]


def again(data: bytes, head: int, at: int) -> bytes:
    """A file with the digest that its content would need."""
    return data[:at] + hashlib.sha256(data[head:]).digest() + data[at + 32 :]


def with_head(data: bytes, at: int, layout: str, value: int) -> bytes:
    size = struct.calcsize(layout)
    return data[:at] + struct.pack(layout, value) + data[at + size :]


TABLE_FAULTS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "cut": (lambda d: d[:-1], "it is cut off"),
    "cut in the head": (lambda d: d[:60], "it is cut off"),
    "empty": (lambda d: b"", "it is no LOS table"),
    "magic": (lambda d: b"X" + d[1:], "it is no LOS table"),
    "long": (lambda d: d + b"x", "it is too long"),
    "digest": (lambda d: d[:-1] + b"\xff", "its content is damaged"),
    "version": (lambda d: with_head(d, 8, "<H", 9), "it is a table of format 9"),
    "count": (lambda d: with_head(d, 12, "<I", 0), "its head is damaged"),
    "huge": (lambda d: with_head(d, 12, "<I", 2**32 - 1), "it needs"),
    "large": (lambda d: with_head(d, 12, "<I", 60_000), "it needs"),
    "names": (lambda d: with_head(d, 16, "<Q", 2**62), "its head is damaged"),
    "twice": (
        lambda d: again(d.replace(b"\nA2\n", b"\nA1\n"), 120, 88),
        "it names A1 twice",
    ),
    "fewer": (lambda d: again(d.replace(b"A2\nA3", b"A2 A3"), 120, 88), "it names 3 Locations"),
    "no text": (lambda d: again(d.replace(b"A3", b"\xff3"), 120, 88), "its names are damaged"),
}
PLACES_FAULTS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "cut": (lambda d: d[:-1], "it is cut off"),
    "magic": (lambda d: b"X" + d[1:], "it is no list of places"),
    "long": (lambda d: d + b"x", "it is too long"),
    "digest": (lambda d: d[:-1] + b"\xff", "its content is damaged"),
    "version": (lambda d: with_head(d, 8, "<H", 9), "it is of format 9"),
    "width": (lambda d: with_head(d, 10, "<H", 4), "its head is damaged"),
    "entries": (lambda d: with_head(d, 16, "<I", 2**31), "its head is damaged"),
    "large": (lambda d: with_head(d, 12, "<I", 60_000), "where its head says 60004"),
    "range": (lambda d: with_head(d, 20, "<I", 2**31), "its head is damaged"),
    "near": (lambda d: with_head(d, 20, "<I", 1), "it is cut off"),
    "text": (lambda d: with_head(d, 24, "<Q", 2**60), "its head is damaged"),
    "number": (
        lambda d: again(d.replace(b"6 3 5 3 4", b"6 3 5 3 x"), 96, 64),
        "its content is damaged",
    ),
    "fields": (
        lambda d: again(d.replace(b"A3\tA3", b"A3 A3"), 96, 64),
        "its content is damaged",
    ),
    "of another": (lambda d: d[:32] + bytes(32) + d[64:], "was made for another table"),
}


def break_table(folder: Path, fault: str) -> None:
    path = folder / "tiny.lostab"
    path.write_bytes(TABLE_FAULTS[fault][0](path.read_bytes()))
    places = (folder / "tiny.losplaces").read_bytes()
    # It must be this file that is complained about, not that both do not fit.
    digest = path.read_bytes()[88:120].ljust(32, b"\0")
    (folder / "tiny.losplaces").write_bytes(places[:32] + digest + places[64:])


def break_places(folder: Path, fault: str) -> None:
    path = folder / "tiny.losplaces"
    path.write_bytes(PLACES_FAULTS[fault][0](path.read_bytes()))


@pytest.mark.parametrize(
    ("faults", "change"), [(TABLE_FAULTS, break_table), (PLACES_FAULTS, break_places)]
)
def test_broken_files_give_one_line_each(
    java: Java,
    tmp_path: Path,
    faults: dict[str, tuple[Callable[[bytes], bytes], str]],
    change: Callable[[Path, str], None],
) -> None:
    """All in one run, as starting Java takes most of the time."""
    given = ""
    for n, fault in enumerate(faults):
        folder = tmp_path / str(n)
        folder.mkdir()
        tiny(folder)
        change(folder, fault)
        given += f"open\t{folder}\ttiny\nTiny\t0\t3\nTiny\t0\t3\n"
    lines = java.run("Asker", str(tmp_path), "", given=given)
    assert len(lines) == 3 * len(faults)
    for n, (fault, (_, message)) in enumerate(faults.items()):
        first, *rest = lines[3 * n : 3 * n + 3]
        assert first.startswith("COMPLAINT\tCannot "), fault
        assert "hexsight/companion/tiny.los" in first
        assert message in first, fault
        assert rest == ["NOTHING", "NOTHING"]


def test_damage_that_no_digest_tells_is_no_exception(java: Java, tmp_path: Path) -> None:
    """Bytes changed at random, with the digests that go with them: an answer or one line."""
    rng = np.random.default_rng(99)
    given = ""
    count = 150
    for n in range(count):
        folder = tmp_path / str(n)
        folder.mkdir()
        tiny(folder)
        for name, head, at in (("tiny.lostab", 120, 88), ("tiny.losplaces", 96, 64)):
            data = bytearray((folder / name).read_bytes())
            for _ in range(int(rng.integers(1, 4))):
                where = int(rng.integers(0, len(data)))
                if not at <= where < at + 32:
                    data[where] = int(rng.choice([0, 9, 10, 32, 45, 57, 127, 128, 255]))
            (folder / name).write_bytes(again(bytes(data), head, at))
        table = (folder / "tiny.lostab").read_bytes()
        places = (folder / "tiny.losplaces").read_bytes()
        (folder / "tiny.losplaces").write_bytes(places[:32] + table[88:120] + places[64:])
        given += f"open\t{folder}\ttiny\nTiny\t0\t3\n"
    lines = java.run("Asker", str(tmp_path), "", given=given)
    answers = [line for line in lines if not line.startswith("COMPLAINT\tCannot ")]
    assert len(answers) == count
    assert 0 < sum(line == "NOTHING" for line in answers) < count


def test_a_missing_file_gives_one_line(java: Java, tmp_path: Path) -> None:
    tiny(tmp_path)
    (tmp_path / "tiny.lostab").unlink()
    first, *rest = complaints(java, tmp_path)
    assert first.startswith("COMPLAINT\tCannot read hexsight/companion/tiny.lostab in the module")
    assert rest == ["NOTHING", "NOTHING"]


def test_one_name_for_two_hexes_gets_no_answer(java: Java, tmp_path: Path) -> None:
    board = tiny(tmp_path)
    places = list(board.places)
    places[3] = CompanionPlace("A3", "A2", "A3", 0, 2, 10, 50, 0, 0)
    double = CompanionBoard(
        board.name,
        board.maps,
        board.table,
        tuple(places),
        board.entries,
        board.pairs,
        board.smoke,
    )
    (tmp_path / "tiny.losplaces").write_bytes(places_file(double))
    given = "Tiny\tlevels\tA1\nTiny\tlevels\tA2\nTiny\tlevels\tA3\n"
    assert java.run("Asker", str(tmp_path), "tiny", given=given) == ["A1\tA1@1", "", ""]


def test_the_head_is_as_documented() -> None:
    assert HEADER.size == 96
