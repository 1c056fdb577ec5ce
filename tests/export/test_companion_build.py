"""The class files that are shipped are those of the sources."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import struct
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from companion_java import BUILD, COMPANION
from tinyboard import tiny_board

from hexsight.cli import run
from hexsight.commands.export import describe
from hexsight.export.companion import CLASS, DEFAULT_SMOKE, check_smoke, class_files
from hexsight.export.stock_messages import StockPlace
from hexsight.export.stock_size import distances, spread_of
from hexsight.los.profile import load_profile
from hexsight.los.table import build_table
from hexsight.model.errors import UsageError
from hexsight.progress import Silent
from hexsight.project import load_project
from hexsight.stocking import StockChoice, _companion
from hexsight.stocking_answers import Prepared

JAVA_11 = 55


def test_class_files_match_the_sources() -> None:
    """Where there is a javac it compiles them anew; elsewhere the recorded digests must fit."""
    assert BUILD.differences() == []


def test_a_changed_source_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BUILD, "compiler", lambda: None)
    assert BUILD.differences() == []
    digests = BUILD.source_digests()
    changed = {**digests, "src/hexsight/companion/Answer.java": "0" * 64}
    monkeypatch.setattr(BUILD, "source_digests", lambda: changed)
    assert BUILD.differences() == ["src/hexsight/companion/Answer.java has changed"]


def test_classes_are_for_java_11_and_tell_nothing_of_where_they_were_made() -> None:
    """VASSAL 3.7.0 to 3.7.24 refuse newer ones."""
    found = class_files()
    assert f"{CLASS.rpartition('.')[2]}.class" in found
    for name, data in found.items():
        magic, minor, major = struct.unpack(">IHH", data[:8])
        assert (magic, minor, major) == (0xCAFEBABE, 0, JAVA_11), name
        assert b"SourceFile" not in data, name
        assert b"LineNumberTable" not in data, name


def test_no_signature_is_shipped() -> None:
    """Only our own package: VASSAL brings its own classes."""
    record = json.loads(BUILD.RECORD.read_text(encoding="utf-8"))
    assert set(record["classes"]) == set(class_files())
    for path in (COMPANION / "src").rglob("*.java"):
        assert path.parent.relative_to(COMPANION / "src") == BUILD.PACKAGE
    for name, data in class_files().items():
        assert hashlib.sha256(data).hexdigest() == record["classes"][name]


def test_signatures_have_no_content() -> None:
    """They say what VASSAL's classes offer, not how: methods are native or abstract."""
    for path in (COMPANION / "signatures").rglob("*.java"):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        bodies = re.findall(r"\)[^;{}]*\{([^}]*)\}", text)
        assert all("only a signature" in body for body in bodies), path


def test_sources_use_no_network() -> None:
    """Nor do they write files or start programs."""
    forbidden = ("java.net", "java.nio.file", "FileOutputStream", "ProcessBuilder", ".exec(")
    for path in (COMPANION / "src").rglob("*.java"):
        text = path.read_text(encoding="utf-8")
        for word in forbidden:
            assert word not in text, path


@pytest.mark.parametrize("wrong", ["Fog=0", "Fog=10", "Fog=²", "Fog=1; fog", "Fog; x=2; FOG =3/4"])
def test_smoke_is_1_to_9_and_named_once(wrong: str) -> None:
    with pytest.raises(UsageError, match="--smoke"):
        check_smoke(wrong)
    check_smoke(DEFAULT_SMOKE)
    check_smoke("Fog=9; Mist; ;; Haze=1/0/-2")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ("--companion --no-palette", "--no-palette"),
        ("--companion --level-property hexsight_Level", "--level-property"),
        ("--smoke Fog=2", "--smoke"),
    ],
)
def test_options_that_would_do_nothing_are_refused(
    options: str, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", "no.vmod", *options.split(), "-q"]) == 2
    assert f"Error: {named} is for" in capsys.readouterr().err


def test_a_project_chooses_stock_or_the_companion(tmp_path: Path) -> None:
    file = tmp_path / "hexsight.yaml"
    file.write_text("source: g.vmod\nexport:\n  stock: true\n  companion: true\n")
    with pytest.raises(UsageError, match=r"line 4: export.companion: .*either stock or companion"):
        load_project(file)
    file.write_text("source: g.vmod\nexport: {stock: false, companion: true}\n")
    assert load_project(file).export.companion


@pytest.mark.parametrize(
    ("build_bytes", "packed", "seconds", "said"),
    [
        (
            12_000,
            900,
            [0.0, 0.0],
            "less than 0.1 MB, less than 0.1 MB more when packed; VASSAL "
            "takes less than 0.1 s longer",
        ),
        (2_000_000, None, [0.0, 0.4], "2.0 MB; VASSAL takes at most 0.4 s longer"),
        (
            7_900_000,
            600_000,
            [1.0, 3.0],
            "7.9 MB, 0.6 MB more when packed; VASSAL takes about 1.0 to 3.0 s longer",
        ),
    ],
)
def test_sizes_are_told_for_people(
    build_bytes: int, packed: int | None, seconds: list[float], said: str
) -> None:
    told = {
        "dry_run": False,
        "target": "x.vmod",
        "backup": None,
        "boards": ["B"],
        "pairs": 1,
        "messages": 0,
        "load_seconds": seconds,
        "build_file_bytes": build_bytes,
        "packed_bytes_more": packed,
        "elements_added": {},
        "elements_removed": {},
        "members": {"added": [], "replaced": [], "removed": [], "kept": []},
    }
    assert f"build file {said} to open it" in describe(told)


@pytest.mark.parametrize("most", [None, 1])
def test_the_pairs_that_are_told_are_those_that_are_kept(most: int | None) -> None:
    _, board = tiny_board()
    profile = load_profile("asl")
    table = build_table(board, profile, engine="python", threads=1)
    numbers = np.arange(len(table.names))
    offsets = np.array([(h.col, h.row) for h in board.hexes], np.int64)
    hexes = np.array([board.hexes.index(board.by_name[n.partition("@")[0]]) for n in table.names])
    starts = np.searchsorted(hexes, np.arange(len(offsets) + 1)).tolist()
    home: Any = SimpleNamespace(name="B", map_name="Main Map")
    prepared = Prepared(
        board,
        (home,),
        table,
        tuple(StockPlace(n, "0", n) for n in table.names),
        numbers,
        tuple(itertools.pairwise(starts)),
        tuple(range(len(offsets))),
        spread_of(offsets, np.diff(starts)),
        offsets,
        profile,
        most,
        True,
        (),
    )
    module: Any = None
    stock = _companion(module, [prepared], StockChoice(most, companion=True), Silent())
    apart = distances(offsets[hexes], offsets[hexes])[np.triu_indices(len(numbers), 1)]
    assert stock.messages.pairs == (len(apart) if most is None else (apart <= most).sum())
    assert 0 < (apart <= 1).sum() < len(apart)
