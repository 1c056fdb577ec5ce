"""`hexsight check` as a whole: what it knows of projects and results, and the files it writes."""

from __future__ import annotations

import json
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from lxml import etree

from hexsight.checkfiles import MARKS
from hexsight.checking import subjects_of, unfound_source
from hexsight.checking_find import find_subjects
from hexsight.checking_legend import unnamed_classes
from hexsight.cli import run
from hexsight.extract.legend import legend_from
from hexsight.extract.source import open_any
from hexsight.model.errors import UsageError
from hexsight.model.store import load_board
from hexsight.samples import write_samples
from hexsight.validators import Subject

NAME = "sideways-mill"


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A module, what was built of it, and its project."""
    folder = tmp_path_factory.mktemp("shelf")
    write_samples(folder, boards=[NAME])
    (folder / "hexsight.yaml").write_text(f"source: {NAME}.vmod\n")
    assert run(["build", str(folder / "hexsight.yaml"), "-o", str(folder / "result"), "-q"]) == 0
    return folder


def findings(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> list[dict[str, str]]:
    """Findings of a call."""
    run(["check", "--json", "-q", *arguments])
    return json.loads(capsys.readouterr().out)["findings"]


def rewritten(module: Path, target: Path, old: str, new: str) -> Path:
    """A copy of a module with a text of its build file replaced."""
    with zipfile.ZipFile(module) as source, zipfile.ZipFile(target, "w") as out:
        for name in source.namelist():
            data = source.read(name)
            if name == "buildFile.xml":
                assert old.encode() in data
                data = data.replace(old.encode(), new.encode())
            out.writestr(name, data)
    return target


def test_a_result_knows_what_its_build_knew(shelf: Path) -> None:
    first, *tables = subjects_of(shelf / "result")
    for fact in ("board", "module", "picture", "grids", "inputs"):
        assert first.has(fact), fact
    assert first.pictures is not None
    assert first.pictures("") is not None
    assert [t.path for t in tables] == ["result/los.lostab"]
    assert tables[0].table is not None
    probes = tables[0].table.probes
    assert len(probes) > 50
    assert all(p.stored == p.there == p.back for p in probes)


def test_a_result_whose_source_has_changed(shelf: Path, tmp_path: Path, capsys) -> None:
    shutil.copytree(shelf / "result", tmp_path / "result")
    (alone,) = {f.path for f in subjects_of(tmp_path / "result") if f.board is not None}
    assert alone == "result"
    run(["check", "-q", str(tmp_path / "result")])
    assert "was not found, so it is not checked against it" in capsys.readouterr().err
    rewritten(shelf / f"{NAME}.vmod", tmp_path / f"{NAME}.vmod", 'color="', 'colour="')
    ids = {f["id"] for f in findings([str(tmp_path / "result")], capsys)}
    assert "terrain/source-changed-since" in ids
    assert "picture/changed-since" not in ids


def test_a_composed_map_has_no_source_to_look_for(shelf: Path) -> None:
    board = load_board(shelf / "result")
    assert unfound_source(Subject("x", board=board)) == board.provenance.source
    placed = replace(board.provenance, source="20 in row 1, place 1; 21 in row 1, place 2, turned")
    assert not unfound_source(Subject("x", board=replace(board, provenance=placed)))


def test_checks_that_cannot_run_are_told(shelf: Path, capsys) -> None:
    assert run(["check", "-q", "--only", "wall", str(shelf / f"{NAME}.vmod")]) == 0
    assert (
        "none of the chosen checks could run: what they look at is not here (board"
        in capsys.readouterr().err
    )


def test_a_project_is_checked_with_its_overrides(shelf: Path, tmp_path: Path, capsys) -> None:
    shutil.copy(shelf / f"{NAME}.vmod", tmp_path)
    file = tmp_path / "hexsight.yaml"
    file.write_text(f"source: {NAME}.vmod\noverrides:\n  hexes: {{ZZ99: {{factory: false}}}}\n")
    found = findings([str(file)], capsys)
    assert [f["id"] for f in found if "ZZ99" in f["message"]] == ["terrain/override-unknown-place"]
    file.write_text(f"source: {NAME}.vmod\nlegend: nolegend\n")
    assert run(["check", str(file), "-q"]) == 2
    assert "nolegend" in capsys.readouterr().err
    assert run(["check", str(file), "-q", "--quick"]) == 2


def test_every_report_is_written_and_written_again(shelf: Path, tmp_path: Path, capsys) -> None:
    files = {kind: tmp_path / kind for kind in ("html", "sarif", "junit")}
    options = [part for kind, path in files.items() for part in (f"--{kind}", str(path))]
    known = tmp_path / "known.json"
    call = ["check", str(shelf / f"{NAME}.vmod"), "-q", "--quick", "--fail-on", "note"]
    accepted = [*call, *options, "--write-baseline", str(known)]
    assert run(accepted) == 0
    first = {kind: path.read_bytes() for kind, path in files.items()}
    for kind, data in first.items():
        assert MARKS[kind].encode() in data[:2000]
    assert run(accepted) == 0
    assert {kind: path.read_bytes() for kind, path in files.items()} == first
    capsys.readouterr()
    assert run([*call, "--baseline", str(known)]) == 0
    assert (
        run(["check", str(shelf / f"{NAME}.vmod"), "-q", "--baseline", str(tmp_path / "no")]) == 3
    )


def test_no_report_takes_the_place_of_anything_else(shelf: Path, tmp_path: Path, capsys) -> None:
    module = shelf / f"{NAME}.vmod"
    before = module.read_bytes()
    other = tmp_path / "letter.html"
    other.write_text("Dear all")
    for target in (module, other, shelf):
        assert run(["check", str(module), "-q", "--html", str(target)]) == 5
        assert "Cannot write" in capsys.readouterr().err
    assert module.read_bytes() == before
    assert other.read_text() == "Dear all"


def test_two_files_of_one_name_are_told_apart(shelf: Path, tmp_path: Path, capsys) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        shutil.copy(shelf / f"{NAME}.vmod", tmp_path / folder / "map.vmod")
    paths = [str(tmp_path / folder / "map.vmod") for folder in ("a", "b")]
    run(["check", "--json", "-q", "--quick", *paths])
    assert json.loads(capsys.readouterr().out)["files"] == paths


def test_a_wrong_check_id_is_told_before_the_work(shelf: Path, capsys) -> None:
    assert run(["check", str(shelf / "nowhere"), "--only", "wall/nothing"]) in (2, 3)
    assert run(["check", str(shelf / f"{NAME}.vmod"), "--only", "wall/nothing", "-q"]) == 2
    assert "no check" in capsys.readouterr().err


def test_of_two_boards_of_one_name_none_is_taken_silently(shelf: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(shelf / f"{NAME}.vmod") as file:
        root = etree.fromstring(file.read("buildFile.xml"))
    board = next(e for e in root.iter() if str(e.tag).endswith("Board") and e.get("image"))
    text = etree.tostring(board, with_tail=False).decode()
    name = board.get("name")
    module = rewritten(
        shelf / f"{NAME}.vmod", tmp_path / "twice.vmod", "</VASSAL.build.module.map.BoardPicker>",
        f"{text}</VASSAL.build.module.map.BoardPicker>",
    )  # fmt: skip
    with pytest.raises(UsageError, match=r"several boards named .* Rename all but one"):
        open_any(module, name)


@pytest.fixture(scope="session")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A module whose grid and numbering are those of the print."""
    folder = tmp_path_factory.mktemp("town")
    write_samples(folder, boards=["red-factory"])
    return folder / "red-factory.vmod"


@pytest.mark.parametrize(
    ("old", "new", "settles"),
    [
        ('y0="34"', 'y0="34"', {}),
        ('y0="34"', 'y0="66"', {"grid/half-hex-off": 'x0="23" y0="34"'}),
        ('y0="34"', 'y0="-31"', {"numbering/print-disagrees": 'vOff="0"'}),
        ('vOff="1"', 'vOff="2"', {"numbering/print-disagrees": 'vOff="1"'}),
        ('dy="64.9"', 'dy="nan"', {"grid/bad-number": "dy attribute of the HexGrid"}),
    ],
)
def test_one_wrong_number_in_a_module_is_told_with_the_right_one(
    town: Path, tmp_path: Path, capsys, old: str, new: str, settles: dict[str, str]
) -> None:
    module = rewritten(town, tmp_path / "map.vmod", old, new)
    found = findings([str(module), "--profile", "strict"], capsys)
    assert {f["id"]: f["settle"] for f in found} == settles


def test_a_folder_of_a_project_is_checked_as_its_project(shelf: Path, tmp_path: Path, capsys):
    """Wherever its source lies; results beside it are checked too, its source once."""
    project = tmp_path / "project"
    project.mkdir()
    file = project / "hexsight.yaml"
    text = "source: {}\noverrides:\n  hexes: {{ZZ99: {{factory: false}}}}\n"
    file.write_text(text.format((shelf / f"{NAME}.vmod").as_posix()))
    assert find_subjects(project) == [file]
    found = findings([str(project)], capsys)
    assert "ZZ99" in " ".join(f["message"] for f in found)
    assert found == findings([str(file)], capsys)
    for name in (f"{NAME}.vmod", "other.vmod"):
        (project / name).write_bytes(b"")
    shutil.copytree(shelf / "result", project / "result")
    file.write_text(text.format(f"{NAME}.vmod"))
    assert [p.name for p in find_subjects(project)] == ["hexsight.yaml", "other.vmod", "result"]
    file.write_text("source: 3\n")
    assert len(find_subjects(project)) == 4


def test_a_legend_that_nobody_finished_is_told(shelf: Path, tmp_path: Path, capsys):
    """At the place of the class that covers most; by `build`, and for project and result."""
    field, pond = [200, 190, 140], [70, 128, 190]
    rgb = np.full((300, 400, 3), field, np.uint8)
    rgb[100:200, 250:350] = pond
    rgb[10:20, 10:20] = rgb[30:34, 0:400] = [60, 120, 50]
    classes = [("Open Ground", "fields", field), ("Open Ground", "unknown-2", pond)]
    classes.append(("Woods", "unknown-3", [60, 120, 50]))
    told = [{"terrain": t, "name": n, "colours": [c]} for t, n, c in classes]
    wood, lake = sorted(unnamed_classes(legend_from({"classes": told}, "l"), rgb), key=str)[::-1]
    assert (lake.name, lake.terrain, wood.terrain) == ("unknown-2", "Open Ground", "Woods")
    assert lake.pixel == pytest.approx((300, 150), abs=3)
    assert lake.share == pytest.approx(10_000 / 120_000)

    project = tmp_path / "project"
    module = shelf / f"{NAME}.vmod"
    project.mkdir()
    shutil.copy(module, project)
    (project / "legend.yaml").write_text(
        "base: samples\nclasses:\n  - {terrain: Open Ground, name: unknown-7, "
        "colours: [[1, 200, 250]]}\n"
    )
    (project / "hexsight.yaml").write_text(f"source: {NAME}.vmod\nlegend: legend.yaml\n")
    result = project / "result"
    assert run(["build", str(project / "hexsight.yaml"), "-o", str(result), "-q"]) == 0
    build = json.loads((result / "findings.json").read_text())["findings"]
    capsys.readouterr()
    for found in build, findings([str(project / "hexsight.yaml")], capsys):
        mine = [f["message"] for f in found if f["id"] == "terrain/legend-unnamed"]
        assert len(mine) == 1
        assert "unknown-7 (" in mine[0]
    assert "legend-unnamed" in str(findings([str(result), "--quick"], capsys))
