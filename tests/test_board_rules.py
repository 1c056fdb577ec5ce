"""A board folder is asked by the rules that it was built with."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from hexsight import cli
from hexsight.batch_items import Item, files_of
from hexsight.boardrules import noted_rules, rules_for, rules_to_note
from hexsight.los.rulesets import load_rules
from hexsight.los.table import open_table
from hexsight.model.errors import InputError
from hexsight.samples import write_samples

MINE = "engine: hexes\nname: mine\nhexes: [{kinds: [woods], blocks: true, rule: 7}]\n"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with rules of its own, and what a build makes of it."""
    folder = tmp_path_factory.mktemp("shelf")
    write_samples(folder)
    (folder / "mine.yaml").write_text(MINE, encoding="utf-8")
    project = folder / "hexsight.yaml"
    project.write_text(
        "source: red-factory.vmod\nboard: Sideways Mill\nrules: mine.yaml\n", "utf-8"
    )
    assert cli.run(["build", str(project), "-o", str(folder / "out"), "-q"]) == 0
    return folder


def test_a_build_notes_its_rules(shelf: Path):
    """Relative to its folder; the board itself says nothing of a game."""
    told = json.loads((shelf / "out" / "build.json").read_text("utf-8"))
    assert [b["rules"] for b in told["boards"]] == ["../mine.yaml"]
    assert "rules" not in json.loads((shelf / "out" / "board.json").read_text("utf-8"))
    assert noted_rules(shelf / "out") == str((shelf / "mine.yaml").resolve())
    assert rules_for(shelf / "out", "generic") == "generic"
    assert rules_to_note("asl", shelf) is None
    assert rules_to_note("musket-pike", shelf) == "musket-pike"


def test_verbs_take_them(shelf: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Those on the command line win."""
    digest = load_rules(str(shelf / "mine.yaml")).digest
    out = str(shelf / "out")
    for more, wanted in ((), digest), (("--rules", "generic"), load_rules("generic").digest):
        table = tmp_path / f"{len(more)}.lostab"
        assert cli.run(["table", "build", out, "-o", str(table), "-q", *more]) == 0
        assert open_table(table).profile_digest == wanted
    assert cli.run(["check", out, "-q", "--only", "los/table-of-other-rules"]) == 0
    capsys.readouterr()
    assert cli.run(["los", out, "C10", "D07"]) == 0
    assert "TEM" not in capsys.readouterr().out


def test_a_batch_takes_them(shelf: Path):
    """Its results depend on the file of the rules too."""
    item = Item("out", shelf / "out", "hexsight")
    assert (shelf / "mine.yaml").resolve() in files_of(item)


def test_boards_in_folders_of_a_build(tmp_path: Path):
    """Several boards lie in a folder each, and the build tells of them beside."""
    board = tmp_path / "north"
    board.mkdir()
    entries = [{"folder": "north", "rules": "musket-pike"}]
    (tmp_path / "build.json").write_text(json.dumps({"boards": entries}), "utf-8")
    assert noted_rules(board) == noted_rules(tmp_path) == "musket-pike"
    (tmp_path / "other").mkdir()
    assert noted_rules(tmp_path / "other") == "asl"


@pytest.mark.parametrize("text", ["", "[]", '{"boards": 3}', '{"boards": [{"rules": "flames"}]}'])
def test_another_file_of_that_name_decides_nothing(tmp_path: Path, text: str):
    """Whoever writes a build.json of another tool is not stopped."""
    (tmp_path / "build.json").write_text(text, "utf-8")
    assert noted_rules(tmp_path) == "asl"


def test_rules_that_are_gone_are_told(shelf: Path, tmp_path: Path):
    """With what to do; the path is that where they were."""
    shutil.copytree(shelf / "out", tmp_path / "far" / "out")
    with pytest.raises(InputError, match=r"mine\.yaml, which are not there\. Name some"):
        rules_for(tmp_path / "far" / "out", None)


def test_a_table_of_own_rules_is_no_fault(shelf: Path, tmp_path: Path, capsys):
    """Nobody tells `check` of them: it says so, and is right once they are named."""
    table, rules = str(tmp_path / "r.lostab"), tmp_path / "r.yaml"
    rules.write_text(MINE.replace("rule: 7", "rule: 8"), "utf-8")
    build = ["table", "build", str(shelf / "out"), "-q", "--rules", str(rules)]
    assert cli.run([*build, "-o", table]) == 0
    for folder in (tmp_path, shelf / "out"):
        # Alone, and beside a board that was built with other rules.
        at = folder / "r.lostab"
        if not at.exists():
            shutil.copy(table, at)
        capsys.readouterr()
        assert cli.run(["check", str(at), "-q", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)["findings"]
        assert [(f["id"], f["severity"]) for f in found] == [("los/table-of-other-rules", "note")]
        assert "with --rules" in found[0]["message"]
        assert cli.run(["check", str(at), "-q", "--json", "--rules", str(rules)]) == 0
        assert json.loads(capsys.readouterr().out)["findings"] == []
    assert cli.run(["check", str(at), "-q", "--rules", "generic"]) == 1
    at.unlink()
    built = shelf / "out" / "los.lostab"
    kept = built.read_bytes()
    shutil.copy(table, built)
    try:
        # The build tells by which rules this one should be.
        assert cli.run(["check", str(shelf / "out"), "-q", "--only", "los"]) == 1
    finally:
        built.write_bytes(kept)
