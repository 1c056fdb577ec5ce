"""The table's file: round trip, same bytes, and every kind of damage told in one sentence."""

from __future__ import annotations

import numpy as np
import pytest
from los_tiny import board

from hexsight.los.overlay import Overlay
from hexsight.los.overlay_table import overlay_table
from hexsight.los.profile import load_profile, profile_from_text
from hexsight.los.table import (
    HEADER,
    Table,
    board_digest,
    build_table,
    differences,
    open_table,
    pair_index,
    write_table,
)
from hexsight.model.errors import InputError, OutputError, UsageError
from hexsight.model.store import load_board, save_board

TEXT = ". w . S\n. b f r\n. . f f"


@pytest.fixture(scope="module")
def small():
    return board(TEXT)


@pytest.fixture(scope="module")
def table(small) -> Table:
    return build_table(small, load_profile())


def test_round_trip(table, tmp_path):
    write_table(table, tmp_path / "t.lostab")
    read = open_table(tmp_path / "t.lostab")
    assert read.names == table.names
    assert np.array_equal(read.answers, table.answers)
    assert np.array_equal(read.reasons, table.reasons)
    assert (read.board_digest, read.profile_digest) == (table.board_digest, table.profile_digest)


def test_same_bytes_whatever_the_threads(small, tmp_path):
    for n in (1, 2, 3):
        write_table(build_table(small, load_profile(), threads=n), tmp_path / f"{n}.lostab")
    assert len({(tmp_path / f"{n}.lostab").read_bytes() for n in (1, 2, 3)}) == 1


def test_progress_ends_at_the_total(small):
    seen: list[tuple[int, int]] = []
    build_table(small, load_profile(), lambda done, total: seen.append((done, total)))
    n = len(small.hexes)
    assert seen[-1] == (n * (n - 1) // 2, n * (n - 1) // 2)
    assert seen == sorted(seen)


def test_query(table):
    assert table.query("A1", "A2").state == "clear"
    blocked = table.query("B1", "B2")
    assert blocked.state == "clear"
    entry = table.query("A1", "D3")
    assert entry.state == "blocked" and entry.reason is not None and entry.reason.rule
    assert table.query("A1", "A1").state == "clear"
    with pytest.raises(UsageError, match="no Location 'Z9'"):
        table.query("A1", "Z9")


def test_pair_index_is_the_condensed_triangle():
    n = 7
    order = [pair_index(n, i, j) for i in range(n) for j in range(i + 1, n)]
    assert order == list(range(n * (n - 1) // 2))
    assert pair_index(n, 5, 2) == pair_index(n, 2, 5)


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (lambda data: data[:-1], "cut off"),
        (lambda data: data + b"x", "too long"),
        (lambda data: b"PK" + data[2:], "no LOS table"),
        (lambda data: data[:20], "no LOS table"),
        (lambda data: data[:-5] + bytes([data[-5] ^ 1]) + data[-4:], "damaged"),
        (lambda data: data[:8] + b"\x63\x00" + data[10:], "format 99"),
        (lambda data: data[:12] + b"\xff\xff\xff\xff" + data[16:], "impossible"),
        (lambda data: b"", "no LOS table"),
    ],
)
def test_damage_is_told(table, tmp_path, harm, says):
    file = tmp_path / "t.lostab"
    write_table(table, file)
    file.write_bytes(harm(file.read_bytes()))
    with pytest.raises(InputError, match=says):
        open_table(file)


def test_missing_file_and_unwritable_place(table, tmp_path):
    with pytest.raises(InputError, match="Cannot read"):
        open_table(tmp_path / "none.lostab")
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match="Cannot write"):
        write_table(table, tmp_path / "file" / "t.lostab")


def test_failed_writing_leaves_nothing(table, tmp_path, monkeypatch):
    def refuse(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", refuse)
    with pytest.raises(OutputError, match="No space left"):
        write_table(table, tmp_path / "t.lostab")
    assert list(tmp_path.iterdir()) == []


def test_only_a_table_is_replaced_by_a_table(table, tmp_path):
    path = tmp_path / "t.lostab"
    write_table(table, path)
    write_table(table, path)
    path.write_bytes(b"PK years of work")
    with pytest.raises(OutputError, match="no LOS table"):
        write_table(table, path)
    assert path.read_bytes() == b"PK years of work"


def test_header_is_as_documented(table, tmp_path):
    """A reader in twenty lines, from docs/lostab.md alone."""
    write_table(table, tmp_path / "t.lostab")
    data = (tmp_path / "t.lostab").read_bytes()
    assert data[:8] == b"LOSTAB\x1a\n" and HEADER.size == 120
    count = int.from_bytes(data[12:16], "little")
    names_bytes = int.from_bytes(data[16:24], "little")
    names = data[120 : 120 + names_bytes].decode().rstrip("\n").split("\n")
    assert len(names) == count and (120 + names_bytes) % 16 == 0
    plane = data[120 + names_bytes :]
    i, j = sorted((names.index("A1"), names.index("D3")))
    value = plane[i * (2 * count - i - 1) // 2 + j - i - 1]
    assert bool(value & 0x80) == (table.query("A1", "D3").state == "blocked")


def test_table_knows_its_board_and_rules(small, table):
    assert table.is_made_from(small, load_profile())
    other = board(TEXT.replace("w", "."))
    assert not table.is_made_from(other, load_profile())
    text = "name: asl\nversion: 2\nhindrance_limit: 5\nblind_range: 5\n"
    text += "hindrance: {terrain: 1, light_woods: 2, factory: 1, roofless: 2}\n"
    text += "tem: {factory: 1, roofless: 2, building: {stone: 3, wood: 2}, "
    text += "rubble: {stone: 3, wood: 2}, woods: 1, rough: 1, other: 0}\n"
    assert not table.is_made_from(small, profile_from_text(text, "x.yaml"))


def test_digest_survives_saving(small, tmp_path):
    save_board(small, tmp_path / "b")
    assert board_digest(load_board(tmp_path / "b")) == board_digest(small)


def test_differences(small, table):
    other = build_table(board(TEXT.replace("w", ".")), load_profile())
    changed = differences(table, other)
    assert changed and all(before.state == "blocked" for _, _, before, _ in changed)
    assert not differences(table, table)


def test_wrong_engine_and_wrong_overlay(small):
    with pytest.raises(UsageError, match="no engine"):
        build_table(small, load_profile(), engine="gpu")
    with pytest.raises(UsageError, match="no hexside"):
        overlay_table(small, load_profile(), Overlay(frozenset({"A1-D3"})))


def test_profile_errors_name_the_key():
    with pytest.raises(UsageError, match="hindrance_limit"):
        profile_from_text("name: x\nversion: 1\n", "x.yaml")
    with pytest.raises(UsageError, match="no rule set"):
        load_profile("nothing")
