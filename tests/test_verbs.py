"""What holds for all verbs: JSON on request, and no option that does nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from painted import Painted

from hexsight.cli import hexsight as main
from hexsight.cli import run
from hexsight.commands import VERBS
from hexsight.model.derive import derive
from hexsight.model.errors import UsageError
from hexsight.model.store import save_board
from hexsight.overlayfile import load_overlay
from hexsight.project import load_project
from hexsight.validators.baseline import read_baseline


def _commands() -> Iterator[tuple[str, click.Command]]:
    """All verbs and what stands below them, by name."""
    root = click.Context(main)
    for verb in VERBS:
        command = main.get_command(root, verb)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{verb} {name}", one) for name, one in command.commands.items())
        else:
            yield verb, command


@pytest.mark.parametrize(("name", "command"), list(_commands()), ids=str)
def test_every_verb_answers_programs(name: str, command: click.Command):
    options = {o for p in command.params for o in p.opts}
    assert "--json" in options, f"hexsight {name} has no --json"


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verbs") / "board"
    save_board(derive(Painted(4, 4).hexes("B2").survey()), folder)
    return folder


def _json(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, object]:
    capsys.readouterr()
    assert run([str(a) for a in arguments]) == 0
    out: dict[str, object] = json.loads(capsys.readouterr().out)
    return out


def test_what_is_written_is_told_to_programs(board, tmp_path, capsys):
    sheet, table = tmp_path / "sheet.png", tmp_path / "a.lostab"
    told = _json(capsys, "sheet", "-o", sheet, "--columns", 5, "--rows", 4, "--json")
    assert told == {"file": str(sheet), "columns": 5, "rows": 4, "hex_px": 64}
    told = _json(capsys, "table", "build", board, "-o", table, "--json", "-q")
    assert told["table"] == str(table)
    assert isinstance(told["locations"], int)
    assert (told["observers"], told["overlay"]) == ([], None)
    smoke = tmp_path / "turn.yaml"
    smoke.write_text("smoke: [C3]\n", encoding="utf-8")
    laid = _json(
        capsys, "table", "build", board, "-o", tmp_path / "b.lostab", "--overlay", smoke,
        "--base", table, "--json", "-q",
    )  # fmt: skip
    assert isinstance(laid["overlay"], dict)
    assert 0 < laid["overlay"]["walked"] < laid["overlay"]["pairs"]
    assert "complete" in str(_json(capsys, "completion", "bash", "--json")["script"])
    assert "hexes" in _json(capsys, "charts", board, "--json", "-", "-q")


@pytest.mark.parametrize("option", [["--map", "map.png"], ["--board", "North"]])
def test_a_map_without_a_picture_to_draw_is_told(board, capsys, option):
    assert run(["los", str(board), "A1", "D4", *option]) == 2
    assert "goes with --picture FILE" in capsys.readouterr().err


@pytest.mark.parametrize("version", ["true", "1.0", "2", "'1'"])
def test_a_version_is_a_whole_number(tmp_path, version):
    overlay, project = tmp_path / "turn.yaml", tmp_path / "hexsight.yaml"
    overlay.write_text(f"schema_version: {version}\nsmoke: [A1]\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"line 1: schema_version: write 1"):
        load_overlay(overlay)
    project.write_text(f"schema_version: {version}\nsource: a.png\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"line 1: schema_version: write 1"):
        load_project(project)
    number = version.replace("'", '"')
    with pytest.raises(UsageError, match=r"known\.json"):
        read_baseline(f'{{"schema_version": {number}, "findings": []}}', "known.json")
