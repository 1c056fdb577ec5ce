"""The command line: failures are one sentence with the right exit code; inputs stay untouched."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from painted import Painted
from PIL import Image

from hexsight import cli
from hexsight.cli import run
from hexsight.model.derive import derive
from hexsight.model.store import save_board
from hexsight.samples import write_samples

NO_GRID_MODULE = """<?xml version="1.0" encoding="UTF-8"?>
<VASSAL.build.GameModule name="Plain" version="1" VassalVersion="3.6.0">
 <VASSAL.build.module.Map mapName="Main Map">
  <VASSAL.build.module.map.BoardPicker>
   <VASSAL.build.module.map.boardPicker.Board name="Field" image="map.png"/>
  </VASSAL.build.module.map.BoardPicker>
 </VASSAL.build.module.Map>
</VASSAL.build.GameModule>
"""
MODULEDATA = """<?xml version="1.0" encoding="UTF-8"?>
<data version="1"><version>1</version><VassalVersion>3.6.0</VassalVersion><name>Plain</name></data>
"""


@pytest.fixture(scope="session")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of what people hand over by mistake."""
    folder = tmp_path_factory.mktemp("broken")
    write_samples(folder, boards=["sideways-mill"])
    whole = (folder / "sideways-mill.vmod").read_bytes()
    (folder / "cut.vmod").write_bytes(whole[: len(whole) // 2])
    (folder / "noise.vmod").write_bytes(b"this is no zip file" * 50)
    (folder / "text.png").write_text("not a picture")
    (folder / "cut.png").write_bytes((folder / "sideways-mill.png").read_bytes()[:5000])
    rng = np.random.default_rng(1)
    clouds = np.kron(rng.integers(90, 160, (20, 30, 3)), np.ones((20, 20, 1))).astype(np.uint8)
    Image.fromarray(clouds).save(folder / "clouds.png")
    with zipfile.ZipFile(folder / "nogrid.vmod", "w") as file:
        file.writestr("buildFile.xml", NO_GRID_MODULE)
        file.writestr("moduledata", MODULEDATA)
        file.write(folder / "clouds.png", "images/map.png")
    (folder / "bad.yaml").write_text("source: sideways-mill.vmod\noverides: {}\n")
    return folder


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["build", "{}/cut.vmod"], 3, "cut.vmod"),
        (["build", "{}/noise.vmod"], 3, "noise.vmod"),
        (["build", "{}/nowhere.vmod"], 3, "nowhere.vmod"),
        (["build", "{}/nogrid.vmod"], 4, "hex grid"),
        (["build", "{}/text.png"], 3, "text.png"),
        (["build", "{}/cut.png"], 3, "cut.png"),
        (["build", "{}/clouds.png"], 4, "No printed hex grid"),
        (["build", "{}/sideways-mill.vmod", "--board", "Sidewise Mill"], 2, "Sideways Mill"),
        (["build", "{}/sideways-mill.vmod", "--legend", "nolegend"], 2, "nolegend"),
        (["build", "{}/bad.yaml"], 2, "line 2"),
        (["build"], 2, "Missing argument"),
        (["frobnicate"], 2, "frobnicate"),
        (["grid", "{}/clouds.png"], 1, "No printed hex grid"),
        (["extract", "{}/sideways-mill.png", "--from-losdata"], 2, "no grid of its own"),
        (["los", "{}", "A1", "A2"], 3, "board.json"),
        (["table", "query", "{}/text.png", "A1", "A2"], 3, "text.png"),
        (["table", "query", "{}/text.png", "A1"], 2, "two Locations"),
        (["check", "{}/nowhere"], 3, "nowhere"),
        (["check"], 2, "Name something"),
        (["check", "--explain", "no/such-check"], 2, "no/such-check"),
        (["render", "{}/text.png", "-o", "{}/x.png"], 3, "text.png"),
    ],
)
def test_failures_end_in_one_sentence(broken, tmp_path, capsys, arguments, code, said):
    before = {p: p.read_bytes() for p in sorted(broken.iterdir()) if p.is_file()}
    arguments = [a.format(broken) for a in arguments]
    if arguments[0] == "build" and len(arguments) > 1:
        arguments += ["-o", str(tmp_path / "out"), "--quiet"]
    assert run(arguments) == code
    out, err = capsys.readouterr()
    last = err.strip().splitlines()[-1]
    assert said in last
    assert "Traceback" not in err
    assert out == ""
    assert {p: p.read_bytes() for p in sorted(broken.iterdir()) if p.is_file()} == before
    assert not (tmp_path / "out").exists()


def test_grid_tells_numbers(broken, capsys):
    assert run(["grid", str(broken / "sideways-mill.vmod"), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["schema_version"] == 1
    assert answer["grid"]["sideways"] is True
    assert answer["module_offset_px"]["max"] < 1
    assert answer["vassal_max_error_px"] < 1
    assert run(["grid", str(broken / "clouds.png"), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["grid"] is None


@pytest.fixture
def board(tmp_path: Path) -> Path:
    painted = Painted(5, 5).hexes("B2", "B3", "C2").hexes("D4", code=60)
    save_board(derive(painted.survey()), tmp_path / "board")
    return tmp_path / "board"


def test_one_line_of_sight(board, capsys, tmp_path):
    assert run(["los", str(board), "A1", "C3", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {"from", "to", "state", "hindrance", "tem", "range", "reasons"} <= answer.keys()
    assert answer["state"] == "blocked"
    assert run(["los", str(board), "E1", "E5"]) == 0
    assert "clear (range 4)" in capsys.readouterr().out
    picture = tmp_path / "los.png"
    assert run(["los", str(board), "A1", "C3", "--picture", str(picture)]) == 0
    assert Image.open(picture).size[0] > 50
    assert run(["los", str(board), "A1", "Z9"]) == 2
    assert "Z9" in capsys.readouterr().err


def test_tables_from_the_command_line(board, capsys, tmp_path):
    file = tmp_path / "a.lostab"
    assert run(["table", "build", str(board), "-o", str(file), "--quiet"]) == 0
    capsys.readouterr()
    assert run(["table", "build", str(board), "-o", str(file), "--quiet"]) == 5
    assert "--force" in capsys.readouterr().err
    pairs = tmp_path / "pairs.txt"
    pairs.write_text("# a comment\nA1 C3\nE1, E5\nA1 A1\n")
    assert run(["table", "query", str(file), "--pairs", str(pairs), "--json"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(a["from"], a["to"], a["state"]) for a in answers] == [
        ("A1", "C3", "blocked"),
        ("E1", "E5", "clear"),
        ("A1", "A1", "clear"),
    ]
    assert run(["table", "query", str(file), "A1", "Q9"]) == 2
    assert run(["table", "diff", str(file), str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.strip().splitlines()[-1]) == []
    assert run(["table", "diff", str(file), str(file), "--hexes"]) == 0


def test_checking_a_board(board, capsys):
    assert run(["check", str(board), "--json", "--quiet"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["files"] == ["board"]
    assert run(["check", str(board), "--quiet", "--fail-on", "note"]) in (0, 1)


def test_checking_goes_on_after_a_bad_file(broken, capsys):
    assert run(["check", str(broken), "--json", "--quiet"]) == 3
    out, err = capsys.readouterr()
    assert "cut.vmod" in err
    assert "noise.vmod" in err
    assert "sideways-mill.vmod" in json.loads(out)["files"]


def test_a_bug_is_told_as_one(monkeypatch, capsys, board):
    def crash(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(cli.hexsight, "main", crash)
    assert run(["los", str(board), "A1", "A2"]) == 70
    err = capsys.readouterr().err
    assert "--debug" in err
    assert "Traceback" not in err
    assert run(["los", str(board), "A1", "A2", "--debug"]) == 70
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_interruption(monkeypatch, capsys, board):
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.hexsight, "main", stop)
    assert run(["check", str(board)]) == 130
    assert "Interrupted" in capsys.readouterr().err


def test_help_and_version(capsys):
    assert run(["--version"]) == 0
    assert run(["--help"]) == 0
    out = capsys.readouterr().out
    assert "Exit codes" in out
    for verb in ("build", "grid", "extract", "check", "los", "table", "render"):
        assert verb in out
        assert run([verb, "--help"]) == 0


@pytest.fixture(scope="module")
def two_boards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample module, which has two boards."""
    folder = tmp_path_factory.mktemp("two")
    write_samples(folder)
    return folder / "red-factory.vmod"


_DRAWING = (
    ["los", "{board}", "A1", "B1", "--picture", "{out}"],
    ["render", "{board}", "-o", "{out}"],
    ["charts", "{board}", "--png", "{out}"],
)


@pytest.mark.parametrize("verb", _DRAWING, ids=lambda v: v[0])
def test_the_map_is_the_board_of_the_same_name(two_boards, tmp_path, capsys, verb):
    size = Image.open(two_boards.with_name("red-factory.png")).size
    painted = derive(Painted(5, 5).survey())
    assert painted.size_px != size  # so that a map that is found is refused for its size
    out = tmp_path / "drawn.png"

    def drawn(name: str, *more: str) -> tuple[int, str]:
        save_board(replace(painted, name=name), tmp_path / name, overwrite=True)
        asked = [word.format(board=tmp_path / name, out=out) for word in verb]
        code = run([*asked, "--map", str(two_boards), *more])
        return code, capsys.readouterr().err.strip().splitlines()[-1]

    code, said = drawn("Red Factory")
    assert (code, f"{size[0]} × {size[1]} px" in said) == (3, True)
    code, said = drawn("Elsewhere")
    assert code == 2
    assert "--board-name (Red Factory, Sideways Mill)" in said
    for option in ("--board-name", "--board"):
        code, said = drawn("Elsewhere", option, "Red Factory")
        assert (code, f"{size[0]} × {size[1]} px" in said) == (3, True)
    assert not out.exists()


@pytest.mark.parametrize("verb", _DRAWING, ids=lambda v: v[0])
def test_a_name_without_boards_to_choose_from(board, two_boards, tmp_path, capsys, verb):
    asked = [word.format(board=board, out=tmp_path / "drawn.png") for word in verb]
    assert run([*asked, "--board-name", "Red Factory"]) == 2
    assert "--map MODULE" in capsys.readouterr().err
    picture = str(two_boards.with_name("red-factory.png"))
    assert run([*asked, "--map", picture, "--board-name", "Red Factory"]) == 2
    assert "leave out --board-name" in capsys.readouterr().err
