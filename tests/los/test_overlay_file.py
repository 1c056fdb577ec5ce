"""Overlay files: what they say, and that a mistake is told with its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from los_tiny import BAR_LOW, board

from hexsight import cli
from hexsight.los.overlay import Overlay, Rubble, Smoke, Vehicle
from hexsight.los.table import differences, open_table
from hexsight.model.errors import InputError, UsageError
from hexsight.model.store import save_board
from hexsight.overlayfile import load_overlay, overlay_schema

TOWN = board(". . . .\n. f f .\n. f f .\n. . . .", sides={"B2-B3": BAR_LOW})
ALL = """
schema_version: 1
name: First turn
smoke:
  - A1
  - {hex: A2, hindrance: 2, height_half: 2, base_half: 2}
blaze: [D1]
breach: [B2-B3]
rubble:
  - C2
  - {hex: C3, material: wood, into: [D3]}
gutted: [B2]
roof_collapse: [B3]
wrecks: [A3]
vehicles: [{hex: A4}]
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "overlay.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_all_that_a_file_may_say(tmp_path: Path):
    assert load_overlay(write(tmp_path, ALL), TOWN) == Overlay(
        breached=frozenset({"B2-B3"}),
        smoke=(Smoke("A1"), Smoke("A2", 2, 2, 2)),
        blazes=(Smoke("D1"),),
        rubble=(Rubble("C2"), Rubble("C3", "wood", ("D3",))),
        gutted=("B2",),
        collapsed=("B3",),
        vehicles=(Vehicle("A3", wreck=True), Vehicle("A4")),
    )


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("smoke: [A1]\nsmok: [A2]\n", 2, "'smok' is not known"),
        ("smoke:\n  - {hex: A1, hindrance: 0}\n", 2, "hindrance"),
        ("smoke:\n  - A1\n  - {hex: A2, hight: 2}\n", 3, "'hight' is not known"),
        ("smoke: [{hindrance: 2}]\n", 1, "'hex' is missing"),
        ("smoke: [A1]\nsmoke: [A2]\n", 2, "twice"),
        ("smoke: A1\n", 1, r"smoke: write a list, such as \[A1\]"),
        ("smoke: [[A1]]\n", 1, "smoke, entry 1: write the name of a hex"),
        ("smoke: [A1, null]\n", 1, "smoke, entry 2: write the name of a hex"),
        ("smoke: ['']\n", 1, "at least 1 character"),
        ("smoke:\n- {hex: A1, hindrance: 1e400}\n", 2, "smoke, entry 1, hindrance: write a whole"),
        ("smoke: [{hex: A1, hindrance: true}]\n", 1, "a whole number, not true"),
        ("smoke: [{hex: A1, hindrance: 12}]\n", 1, "a number up to 9, not 12"),
        ("smoke: [{hex: A1, hindrance: .inf}]\n", 1, "a number, not inf"),
        ("rubble: [{hex: B2, material: straw}]\n", 1, "'stone' or 'wood'"),
        ("smoke:\n  - A1\n  - Z9\n", 3, "no hex Z9"),
        ("breach:\n  - B2-C2\n", 2, "no bar"),
        ("breach: [B2]\n", 1, "B2 is no hexside .*B2 is one name"),
        ("breach: [B2-Z9]\n", 1, "B2-Z9 is no hexside .*there is no Z9 on it"),
        ("rubble: [{hex: A3}]\n", 1, "hex A3 .*has no building that could fall"),
        ("gutted:\n  - A1\n", 2, "in no Factory"),
        ("roof_collapse: [A1]\n", 1, "in no Factory"),
        ("\nrubble:\n  - {hex: B2, into: [D4]}\n", 3, "does not touch"),
        ("wrecks: [A1]\nvehicles:\n- A1@3\n", 3, "no Location"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, text: str, line: int, message: str):
    with pytest.raises(UsageError, match=rf"overlay.yaml, line {line}: .*{message}"):
        load_overlay(write(tmp_path, text), TOWN)


def test_files_that_cannot_be_read(tmp_path: Path):
    with pytest.raises(InputError, match="Cannot read"):
        load_overlay(tmp_path / "none.yaml")
    (tmp_path / "overlay.yaml").write_bytes(b"smoke: \xff")
    with pytest.raises(InputError, match="UTF-8"):
        load_overlay(tmp_path / "overlay.yaml")
    for text in ("", "# nothing yet\n", "{}"):
        with pytest.raises(UsageError, match="nothing stands in it"):
            load_overlay(write(tmp_path, text))
    for text in ("[A1]", "smoke: &a [A1]\nblaze: *a\n"):
        with pytest.raises(UsageError):
            load_overlay(write(tmp_path, text))


def test_the_published_schema_is_this_one():
    published = Path(__file__).parents[2] / "docs" / "overlay.schema.json"
    assert published.read_text(encoding="utf-8") == overlay_schema()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_board(TOWN, tmp_path / "town")
    return tmp_path


Run = Callable[..., str]


def test_a_line_under_an_overlay(folder: Path, run: Run):
    file = write(folder, "smoke: [{hex: A2, hindrance: 2}]\nbreach: [B2-B3]\n")
    answer = json.loads(run("los", folder / "town", "A1", "A4", "--overlay", file, "--json"))
    assert (answer["state"], answer["hindrance"]) == ("hindered", 2)
    assert answer["reasons"][0]["rule"] == "A24.2"
    assert json.loads(run("los", folder / "town", "B2", "B3", "--json"))["state"] == "blocked"
    assert "clear" in run("los", folder / "town", "B2", "B3", "--overlay", file)


def test_a_viewshed_in_text_json_and_as_a_picture(folder: Path, run: Run):
    file = write(folder, "smoke: [{hex: A2, hindrance: 2}]\n")
    picture = folder / "seen.png"
    args = ("los", folder / "town", "--from", "A1", "--overlay", file)
    assert "A4 +2" in run(*args, "--picture", picture)
    assert picture.read_bytes().startswith(b"\x89PNG")
    answer = json.loads(run(*args, "--json"))
    assert answer["from"] == "A1"
    by_name = {one["to"]: one for one in answer["locations"]}
    assert by_name["A4"] == {"to": "A4", "state": "hindered", "hindrance": 2, "range": 3}
    assert by_name["D4"]["state"] == "blocked"
    assert by_name["D4"]["rule"]
    alone = run("los", folder / "town", "A1", "--overlay", file, "--json")
    assert json.loads(alone) == answer


def test_a_viewer_and_two_locations_are_too_much(folder: Path, run: Run):
    said = run("los", folder / "town", "A1", "A4", "--from", "A1", code=2)
    assert "either two Locations" in said
    assert "--from K15" in run("los", folder / "town", code=2)


def test_unknown_terrain_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    odd = TOWN.terrain.copy()
    odd[:3, :3] = 250
    save_board(replace(TOWN, terrain=odd), tmp_path / "odd")
    assert cli.run(["los", str(tmp_path / "odd"), "A1", "A4"]) == 0
    assert capsys.readouterr().err.count("250") == 1
    save_board(TOWN, tmp_path / "town")
    assert cli.run(["los", str(tmp_path / "town"), "A1", "A4"]) == 0
    assert not capsys.readouterr().err


def test_a_table_under_an_overlay(folder: Path, run: Run):
    file = write(folder, "smoke: [{hex: A2, hindrance: 2}]\n")
    plain, after, again = (folder / f"{n}.lostab" for n in ("plain", "after", "again"))
    run("table", "build", folder / "town", "-o", plain, "-q")
    said = run("table", "build", folder / "town", "-o", after, "--overlay", file, "-q")
    assert "pairs walked under the overlay" in said
    more = ("--overlay", file, "--base", plain, "-q")
    run("table", "build", folder / "town", "-o", again, *more)
    assert again.read_bytes() == after.read_bytes()
    assert run("table", "query", after, "A1", "A4") == "A1 A4: hindered 2\n"
    assert "A1 A4: clear → hindered 2" in run("table", "diff", plain, after)
    twice = ("table", "build", folder / "town", "-o", again, "--overlay", file, *more, "--force")
    assert "Name one --overlay" in run(*twice, code=2)
    wrong = ("table", "build", folder / "town", "-o", again, "--base", plain, "--force")
    assert "--overlay" in run(*wrong, code=2)


def test_a_base_of_another_board_is_told(folder: Path, capsys: pytest.CaptureFixture[str]):
    file = write(folder, "smoke: [A2]\n")
    other, whole, out = (folder / f"{n}.lostab" for n in ("other", "whole", "out"))
    save_board(board(". . . .\n. . . .\n. . . .\n. . . ."), folder / "field")
    build = ["table", "build", "-q"]
    assert cli.run([*build, str(folder / "field"), "-o", str(other)]) == 0
    under = [*build, str(folder / "town"), "--overlay", str(file)]
    assert cli.run([*under, "-o", str(whole)]) == 0
    assert not capsys.readouterr().err
    assert cli.run([*under, "-o", str(out), "--base", str(other)]) == 0
    assert "made from another board" in capsys.readouterr().err
    assert not differences(open_table(out), open_table(whole))
