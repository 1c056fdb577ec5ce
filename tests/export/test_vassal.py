"""Tables into a module, again, and out again."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from zipmaking import BUILD_FILE, Member, Pack, contents, entries

from hexsight.export.vassal import (
    MANIFEST,
    ExportBoard,
    board_slugs,
    export_members,
    export_module,
    read_manifest,
    remove_export,
)
from hexsight.model.errors import InputError, OutputError, UnsupportedError, UsageError

MODULE = Pack(
    (
        Member("moduledata", b"<data/>"),
        Member("buildFile.xml", BUILD_FILE),
        Member("images/map.png", b"\x89PNG" * 9, 0),
    ),
    b"made by hand",
)
RED = ExportBoard("Red Factory", b"table 1" * 40, b'{"name": "Red Factory"}\n')
MILL = ExportBoard("Mühle, süd", b"table 2" * 40)


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "g.vmod"
    path.write_bytes(MODULE.bytes())
    return path


def test_all_else_stays_and_nothing_tells_the_time(module: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.vmod"
    report = export_module(module, out, [RED, MILL])
    assert report.added == (
        "hexsight/manifest.json",
        "hexsight/muhle-sud.lostab",
        "hexsight/red-factory.board.json",
        "hexsight/red-factory.lostab",
    )
    assert report.kept == ("moduledata", "buildFile.xml", "images/map.png")
    old, new = entries(module.read_bytes()), entries(out.read_bytes())
    assert {n: new[n] for n in old} == old
    got = contents(out.read_bytes())
    assert got["hexsight/red-factory.lostab"] == RED.table
    manifest = json.loads(got[MANIFEST])
    assert manifest["format_version"] == 1
    assert manifest["boards"][1] == {
        "name": "Mühle, süd",
        "table": "hexsight/muhle-sud.lostab",
        "table_sha256": hashlib.sha256(MILL.table).hexdigest(),
    }
    export_module(module, tmp_path / "again.vmod", [RED, MILL])
    assert (tmp_path / "again.vmod").read_bytes() == out.read_bytes()


def test_exporting_over_an_export_replaces_just_that(module: Path, tmp_path: Path) -> None:
    one, two, three, fresh = (tmp_path / n for n in ("1", "2", "3", "fresh"))
    export_module(module, one, [RED, MILL])
    assert export_module(one, two, [RED, MILL]).replaced == (
        "hexsight/manifest.json",
        "hexsight/muhle-sud.lostab",
        "hexsight/red-factory.board.json",
        "hexsight/red-factory.lostab",
    )
    assert two.read_bytes() == one.read_bytes()
    newer = ExportBoard("Red Factory", b"table 3")
    report = export_module(one, three, [newer])
    assert report.replaced == ("hexsight/manifest.json", "hexsight/red-factory.lostab")
    assert report.removed == ("hexsight/muhle-sud.lostab", "hexsight/red-factory.board.json")
    export_module(module, fresh, [newer])
    assert contents(three.read_bytes()) == contents(fresh.read_bytes())


def test_removal_leaves_no_trace(module: Path, tmp_path: Path) -> None:
    export_module(module, tmp_path / "with", [RED, MILL])
    report = remove_export(tmp_path / "with", tmp_path / "without")
    assert len(report.removed) == 4
    assert (tmp_path / "without").read_bytes() == module.read_bytes()
    with pytest.raises(UsageError, match="no export"):
        remove_export(module, tmp_path / "x")


def test_an_unpacked_folder(tmp_path: Path) -> None:
    folder = tmp_path / "module"
    for member in MODULE.members:
        (folder / member.name).parent.mkdir(parents=True, exist_ok=True)
        (folder / member.name).write_bytes(member.data)
    export_module(folder, tmp_path / "out", [RED])
    got = contents((tmp_path / "out").read_bytes())
    assert list(got) == sorted(got)
    assert got["images/map.png"] == MODULE.members[2].data
    assert sorted(p.name for p in folder.iterdir()) == ["buildFile.xml", "images", "moduledata"]


def test_a_dry_run_writes_nothing(module: Path, tmp_path: Path) -> None:
    report = export_module(module, tmp_path / "out", [MILL], dry_run=True)
    assert report.added == ("hexsight/manifest.json", "hexsight/muhle-sud.lostab")
    assert report.size_bytes == 0
    assert [p.name for p in tmp_path.iterdir()] == ["g.vmod"]
    with pytest.raises(OutputError, match="very file"):
        export_module(module, module, [MILL], overwrite=True, dry_run=True)


def test_what_others_put_into_our_folder_is_theirs(tmp_path: Path) -> None:
    path = tmp_path / "g.vmod"
    path.write_bytes(Pack((*MODULE.members, Member("hexsight/red-factory.lostab", b"!"))).bytes())
    with pytest.raises(OutputError, match="not from an earlier export"):
        export_module(path, tmp_path / "out", [RED])
    export_module(path, tmp_path / "out", [MILL])
    assert contents((tmp_path / "out").read_bytes())["hexsight/red-factory.lostab"] == b"!"


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"[]",
        b"{" * 5000,
        b'{"format_version": 1}',
        b'{"format_version": 1, "tool_version": "1", "boards": [{"name": "x", '
        b'"table": "buildFile.xml", "table_sha256": ""}]}',
        b'{"format_version": 1, "tool_version": "1", "boards": [{"name": "x", '
        b'"table": "hexsight/../buildFile.xml", "table_sha256": ""}]}',
        b" " * (1 << 21),
    ],
)
def test_a_damaged_or_hostile_list_removes_nothing(tmp_path: Path, manifest: bytes) -> None:
    path = tmp_path / "g.vmod"
    path.write_bytes(Pack((*MODULE.members, Member(MANIFEST, manifest))).bytes())
    for action in (
        lambda: remove_export(path, tmp_path / "out"),
        lambda: export_module(path, tmp_path / "out", [RED]),
    ):
        with pytest.raises(InputError, match=r"hexsight/manifest\.json"):
            action()
    assert [p.name for p in tmp_path.iterdir()] == ["g.vmod"]


def test_a_newer_export_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "g.vmod"
    path.write_bytes(Pack((*MODULE.members, Member(MANIFEST, b'{"format_version": 2}'))).bytes())
    with pytest.raises(UnsupportedError, match="newer hexsight"):
        read_manifest(path)


def test_what_is_no_module_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "photos.zip"
    path.write_bytes(Pack((Member("photo.jpg", b"x"),)).bytes())
    with pytest.raises(UnsupportedError, match=r"no buildFile\.xml"):
        export_module(path, tmp_path / "out", [RED])


def test_names_of_files() -> None:
    assert board_slugs(["Red Factory", "red-factory", "赤い工場", "", "../../etc", "A" * 99]) == [
        "red-factory",
        "red-factory-2",
        "board",
        "board-2",
        "etc",
        "a" * 60,
    ]
    with pytest.raises(UsageError, match="Two boards"):
        board_slugs(["x", "x"])
    with pytest.raises(UsageError, match="no board"):
        export_members([])


@pytest.mark.shared
def test_real_archives_of_old_programs(shared: Path, tmp_path: Path) -> None:
    files = [f for f in sorted((shared / "boards/legacy").iterdir()) if f.is_file()]
    assert files
    for file in files:
        with_table, without = tmp_path / f"{file.name}.1", tmp_path / f"{file.name}.2"
        export_module(file, with_table, [RED])
        old, new = entries(file.read_bytes()), entries(with_table.read_bytes())
        assert {n: new[n] for n in old} == old
        remove_export(with_table, without)
        assert without.read_bytes() == file.read_bytes()
