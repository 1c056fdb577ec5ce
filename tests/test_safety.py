"""Nothing that is read is ever written over, with or without --force."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from pathlib import Path

import pytest
from painted import Painted

from hexsight.cli import run
from hexsight.model.derive import derive
from hexsight.model.store import save_board
from hexsight.samples import write_samples


def digest(path: Path) -> dict[str, str]:
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    return {str(p): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drawn")
    write_samples(folder, boards=["sideways-mill"], unpacked=True)
    return folder


@pytest.fixture
def module(drawn: Path, tmp_path: Path) -> Path:
    shutil.copytree(drawn, tmp_path / "s")
    return tmp_path / "s" / "sideways-mill.vmod"


@pytest.fixture
def board(tmp_path: Path) -> Path:
    save_board(derive(Painted(5, 5).hexes("B2", "B3").survey()), tmp_path / "board")
    return tmp_path / "board"


@pytest.mark.parametrize(
    "arguments",
    [
        ["extract", "{m}", "--facts", "{m}"],
        ["extract", "{m}", "--mask", "{m}", "--force"],
        ["extract", "{m}/../sideways-mill.module", "--facts", "{m}/../sideways-mill.module/x.json"],
        ["grid", "{m}", "--picture", "{m}", "--force"],
        ["grid", "{m}", "--straighten", "{m}", "--force"],
        ["grid", "{m}", "--write", "{m}", "--force"],
        ["build", "{m}", "-o", "{m}/..", "--force"],
    ],
)
def test_a_source_stays(module, capsys, arguments):
    arguments = [a.format(m=module).replace("sideways-mill.vmod/..", ".") for a in arguments]
    before = digest(module.parent)
    assert run(arguments) == 5
    assert "Error" in capsys.readouterr().err
    assert digest(module.parent) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["render", "{b}", "-o", "{b}/terrain.png", "--force"],
        ["render", "{b}", "-o", "{b}/board.json", "--force"],
        ["table", "build", "{b}", "-o", "{b}/elevation.png", "--force"],
        ["los", "{b}", "A1", "C3", "--picture", "{b}/board.json", "--force"],
    ],
)
def test_parts_of_a_board_stay(board, arguments):
    before = digest(board)
    assert run([a.format(b=board) for a in arguments]) == 5
    assert digest(board) == before


def test_facts_replace_only_facts(module, tmp_path):
    facts, notes = tmp_path / "facts.json", tmp_path / "notes.txt"
    facts.write_text("{}")
    notes.write_text("years of work")
    assert run(["extract", str(module), "--facts", str(facts), "-q"]) == 0
    assert json.loads(facts.read_text())["hexes"]
    assert run(["extract", str(module), "--facts", str(notes), "-q"]) == 5
    assert notes.read_text() == "years of work"


def test_a_strange_module_is_not_replaced(module, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    strange = out / module.name
    strange.write_bytes(b"another module of the same name")
    assert run(["build", str(module), "-o", str(out), "--force", "-q"]) == 5
    assert strange.read_bytes() == b"another module of the same name"


def changed(module: Path, target: Path, change) -> Path:
    with zipfile.ZipFile(module) as old, zipfile.ZipFile(target, "w") as new:
        for info in old.infolist():
            new.writestr(info, change(info.filename, old.read(info)))
    return target


def test_a_cut_picture_is_told(module, tmp_path, capsys):
    def cut(name: str, data: bytes) -> bytes:
        return data[: len(data) // 2] if name.endswith(".png") else data

    broken = changed(module, tmp_path / "cut.vmod", cut)
    assert run(["check", str(broken), "-q"]) == 3
    assert "cut.vmod" in capsys.readouterr().err


def test_a_grid_that_vasal_drops_is_named(module, tmp_path, capsys):
    def spoil(name: str, data: bytes) -> bytes:
        return data.replace(b'dx="52.7"', b'dx="NaN"') if name == "buildFile.xml" else data

    broken = changed(module, tmp_path / "nan.vmod", spoil)
    assert run(["build", str(broken), "-o", str(tmp_path / "o"), "-q"]) == 4
    assert "dx" in capsys.readouterr().err
    assert run(["grid", str(broken), "--write", str(tmp_path / "w.vmod")]) == 4
    assert "no usable HexGrid" in capsys.readouterr().err


def test_two_boards_of_one_name_are_refused_first(module, tmp_path, capsys):
    def double(name: str, data: bytes) -> bytes:
        if name != "buildFile.xml":
            return data
        text = data.decode()
        tag = "VASSAL.build.module.map.boardPicker.Board"
        start, end = text.index(f"<{tag} "), text.index(f"</{tag}>") + len(tag) + 3
        return (text[:end] + text[start:end] + text[end:]).encode()

    twice = changed(module, tmp_path / "twice.vmod", double)
    out = tmp_path / "o"
    assert run(["build", str(twice), "-o", str(out), "-q"]) == 2
    assert "'Sideways Mill'" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hexes", []),
        (("hexes", 0, "col"), 10**12),
        (("hexsides", 0, "b"), "ZZ9"),
        (("buildings", 0, "rings"), [[[1, 1]]]),
        (("buildings", 0, "rings"), []),
        (("buildings", 0, "hexes"), ["ZZ9"]),
        (("hexes", 1, "name"), "A1"),
    ],
)
def test_a_spoilt_board_file_is_unreadable(board, capsys, key, value):
    content = json.loads((board / "board.json").read_text())
    place = content
    path = (key,) if isinstance(key, str) else key
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    (board / "board.json").write_text(json.dumps(content))
    for arguments in (["los", str(board), "A1", "C3"], ["check", str(board), "-q"]):
        assert run(arguments) == 3
        assert "Build the board again" in capsys.readouterr().err
