"""Tables with classes of observer: the file, the command line, what exports make of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hex_asking import units
from hex_tiny import STEEP, WALL, board
from los_tiny import board as drawn_board

from hexsight.los.engine import asking, blocking_for, table_of
from hexsight.los.hexes.build import build
from hexsight.los.profile import load_profile
from hexsight.los.rulesets import load_rules
from hexsight.los.table import (
    BLOCKED,
    Table,
    build_table,
    differences,
    open_table,
    write_table,
)
from hexsight.model.board import Board
from hexsight.model.errors import InputError, UsageError
from hexsight.model.store import save_board

FIELD = board(
    ". . .1 .1 .\n. w .1 . .\n. . . v .\n. S . . .\n",
    sides={"C2-C3": STEEP, "A2-A3": WALL, "C2-D2": STEEP},
)
Run = Callable[..., str]


@pytest.fixture(scope="module")
def table() -> Table:
    return table_of(FIELD, load_rules("musket-pike"), engine="python")


def test_several_classes_are_format_2(table: Table, tmp_path: Path):
    """As docs/lostab.md describes it, byte by byte."""
    file = tmp_path / "t.lostab"
    write_table(table, file)
    data = file.read_bytes()
    n, names = int.from_bytes(data[12:16], "little"), int.from_bytes(data[16:24], "little")
    classes, length = (
        int.from_bytes(data[120:124], "little"),
        int.from_bytes(data[124:128], "little"),
    )
    assert (data[8], n, classes) == (2, len(table.names), 4)
    at = 136 + names
    told = data[at : at + length].decode().rstrip("\n").split("\n")
    assert told == ["fire", "artillery", "level-fire", "interception"]
    at += length
    assert at % 16 == 0
    pairs = n * (n - 1) // 2
    assert len(data) == at + 8 * pairs
    for k, (answers, reasons) in enumerate(table.planes):
        plane = data[at + 2 * k * pairs :][: 2 * pairs]
        assert plane == answers.tobytes() + reasons.tobytes()
    opened = open_table(file)
    assert opened.observers == table.observers
    for observer in table.observers:
        one = opened.of_observer(observer)
        assert not differences(one, table.of_observer(observer))
    write_table(opened, tmp_path / "again.lostab")
    assert (tmp_path / "again.lostab").read_bytes() == data


@pytest.mark.parametrize("rules", ["asl", "generic"])
def test_one_class_is_format_1(rules: str, tmp_path: Path):
    """What reads format 1 goes on reading tables of one class."""
    b = drawn_board(". w .\n. . .\n")
    profile = load_rules(rules)
    made = table_of(b, profile, engine="python")
    write_table(made, tmp_path / "t.lostab")
    assert (tmp_path / "t.lostab").read_bytes()[8] == 1
    if rules == "asl":
        write_table(build_table(b, load_profile(), engine="python"), tmp_path / "u.lostab")
        assert (tmp_path / "t.lostab").read_bytes() == (tmp_path / "u.lostab").read_bytes()


def test_one_class_of_several_is_format_1(table: Table, tmp_path: Path):
    """How a class goes to readers of format 1."""
    write_table(table.of_observer("artillery"), tmp_path / "t.lostab")
    assert (tmp_path / "t.lostab").read_bytes()[8] == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d[:120] + b"\x00\x00\x00\x00" + d[124:], "0 classes"),
        (lambda d: d[:120] + b"\xff\xff\xff\xff" + d[124:], "classes of observer is impossible"),
        (lambda d: d[:124] + b"\xff\xff\xff\xff" + d[128:], "impossible"),
        (lambda d: d[:-1], "cut off"),
        (lambda d: d + b"\0", "too long"),
        (lambda d: d[:-1] + bytes([d[-1] ^ 1]), "damaged"),
        (lambda d: d[:130], "cut off|no LOS table"),
        (lambda d: d[:8] + b"\x03" + d[9:], "format 3"),
    ],
)
def test_a_broken_file_is_told(
    table: Table, tmp_path: Path, change: Callable[[bytes], bytes], said: str
):
    """One sentence, whatever is wrong with it."""
    file = tmp_path / "t.lostab"
    write_table(table, file)
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(InputError, match=said):
        open_table(file)


def test_unknown_classes_are_told(table: Table):
    """Names of those that there are."""
    with pytest.raises(UsageError, match="Use fire, artillery"):
        table.of_observer("archer")
    with pytest.raises(UsageError, match="one class"):
        table.of_observer("fire").of_observer("fire")


def test_a_table_knows_what_it_was_made_from(table: Table):
    """Also what is printed on hexsides, which no pixel of a tiny board shows."""
    profile = load_rules("musket-pike")
    assert table.is_made_from(FIELD, profile)
    other = board(". . .1 .1 .\n. w .1 . .\n. . . v .\n. S . . .\n", sides={"C2-C3": STEEP})
    assert not table.is_made_from(other, profile)
    assert not table.is_made_from(FIELD, load_rules("generic"))


def test_an_overlay_walks_only_what_it_touches(table: Table):
    """Far fewer lines, and the same table."""
    profile, overlay = load_rules("musket-pike"), units(wagon="B3")
    made = build(FIELD, profile, overlay, base=table, engine="python")
    whole = build(FIELD, profile, overlay, engine="python")
    assert made.walked < whole.walked == whole.pairs
    for one, two in zip(made.table.planes, whole.table.planes, strict=True):
        assert all(np.array_equal(p, q) for p, q in zip(one, two, strict=True))
    assert made.table.board_digest == whole.table.board_digest != table.board_digest


def test_places_that_block_are_those_of_the_explanation(table: Table):
    """What stock exports and the companion show."""
    profile = load_rules("musket-pike")
    answer = asking(FIELD, profile)
    n = len(table.names)
    for observer in ("fire", "level-fire"):
        one = table.of_observer(observer)
        (finder,) = blocking_for(FIELD, profile, observer, 1)
        square = np.zeros((2, n, n), np.uint8)
        for plane, values in zip(square, (one.answers, one.reasons), strict=True):
            plane[np.triu_indices(n, 1)] = values
        found = finder.rows(0, len(FIELD.hexes), *square)
        for i in range(n):
            for j in range(i + 1, n):
                place = int(found[i, j])
                if not square[0, i, j] & BLOCKED:
                    assert place == 0
                    continue
                told = answer(one.names[i], one.names[j], observer)
                places = {name for r in told.reasons for name in (r.hex, r.hexside)}
                if finder.name(place) not in places:
                    assert "dead-zone" in {r.code for r in told.reasons}
                assert finder.code(place) == square[1, i, j]
                assert finder.point_px(place) is not None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    town: Board = drawn_board(". . .\n. w .\n. . .\n. . .\n")
    save_board(town, tmp_path / "town")
    return tmp_path


def test_the_command_line(folder: Path, run: Run):
    """--rules, --observer and --side; tables built, asked and compared by class."""
    town, overlay = folder / "town", folder / "units.yaml"
    overlay.write_text(
        "units:\n"
        "  - {hex: A2, kind: light-infantry, side: red}\n"
        "  - {hexes: [C2, C3], kind: artillery, side: red, facing: C4, name: guns}\n"
    )
    said = run("los", town, "A1", "A3", "--rules", "musket-pike", "--overlay", overlay)
    assert said.startswith("A1 → A3: clear") and "artillery: blocked" in said
    more = ("--rules", "musket-pike", "--overlay", overlay, "--observer", "artillery")
    told = json.loads(run("los", town, "A1", "A3", *more, "--json"))
    assert told["state"] == "blocked" and told["by_class"]["fire"] == {"state": "clear"}
    seen = json.loads(run("los", town, "--from", "A1", *more, "--json"))
    assert seen["observer"] == "artillery"
    args = ("los", town, "C1", "C4", "--rules", "musket-pike", "--overlay", overlay)
    args = (*args, "--observer", "interception")
    assert "blocked" in run(*args).splitlines()[0]
    assert "clear" in run(*args, "--side", "red").splitlines()[0]
    plain, under = folder / "plain.lostab", folder / "under.lostab"
    rules = ("--rules", "musket-pike", "-q")
    assert "fire, artillery" in run("table", "build", town, "-o", plain, *rules)
    run("table", "build", town, "-o", under, *rules, "--overlay", overlay, "--base", plain)
    asked = ("table", "query", under, "A1", "A3")
    assert run(*asked).strip() == "A1 A3: clear"
    assert run(*asked, "--observer", "artillery").strip() == "A1 A3: blocked"
    told = json.loads(run(*asked, "--observer", "artillery", "--json"))
    assert (told["reason"], told["rule"]) == ("unit-blocks", "10.9.1, 10.9.2")
    changed = json.loads(run("table", "diff", plain, under, "--json"))
    assert {row["observer"] for row in changed} >= {"artillery", "interception"}
    alone = run("table", "diff", plain, under, "--observer", "fire")
    assert alone == ""
    assert "--side" in run("table", "build", town, "-o", plain, "--side", "red", code=2)
    assert "see alike" in run("los", town, "A1", "A3", "--observer", "fire", code=2)
    for rules, said in (("asl", "know no sides"), ("flames", "teams say their side")):
        told = run("los", town, "A1", "A3", "--rules", rules, "--side", "red", code=2)
        assert said in told
    assert "There are no rules 'chess'" in run("los", town, "A1", "A3", "--rules", "chess", code=2)


@pytest.mark.parametrize(
    ("rules", "text", "line", "said"),
    [
        ("musket-pike", "smoke: [A1]", 1, "the rules musket-pike know no smoke"),
        ("asl", "name: x\nunits: [{hex: A1, kind: wagon}]", 2, "the rules asl know no units"),
        ("musket-pike", "units:\n  - {hex: A1, kind: elephant}", 2, "Use wagon"),
        ("musket-pike", "units:\n  - {hexes: [A1, C3], kind: wagon}", 2, "do not touch"),
        ("musket-pike", "units:\n  - {hex: A1, kind: wagon, facing: C3}", 2, "cannot face"),
        ("musket-pike", "units:\n  - {kind: wagon}", 2, "say where it stands"),
        ("musket-pike", "units:\n  - {hex: Z9, kind: wagon}", 2, "no hex Z9"),
        ("modern-platoon", "smoke:\n  - {hex: A1, hindrance: 3}", 2, "say what smoke does"),
        ("modern-platoon", "slopes: steep", 1, "know no slopes"),
        ("generic", "rubble: [A1]", 1, "know no rubble"),
        (
            "musket-pike",
            "units:\n  - {hexes: [B1, B2], kind: wagon, facing: B2}",
            2,
            "cannot face 'B2'",
        ),
        (
            "flames",
            "teams:\n  - {name: a, at: [20, 20]}\n  - {name: a, at: [40, 40]}",
            3,
            "Two teams are called 'a'",
        ),
        ("flames", "teams:\n  - {name: a, at: [20, 20], base: 5000}", 2, "up to 1,000 inches"),
        (
            "flames",
            "teams: [{name: a, at: [20, 20]}, {name: b, at: [40, 40]}]\n"
            "discs: [{firer: c, target: a}]",
            2,
            "teams: a, b",
        ),
    ],
)
def test_what_a_game_does_not_know_is_told_with_its_line(
    folder: Path, run: Run, rules: str, text: str, line: int, said: str
):
    """One format for all games, and no game knows all of it."""
    (folder / "o.yaml").write_text(text)
    args = ("los", folder / "town", "A1", "A2", "--rules", rules, "--overlay", folder / "o.yaml")
    told = run(*args, code=2)
    assert said in told and f"o.yaml, line {line}" in told


def test_charts_of_a_class(folder: Path, run: Run):
    """The page names the rules of the game."""
    town, page = folder / "town", folder / "page.html"
    args = ("charts", town, "-o", page, "-q", "--rules", "musket-pike")
    run(*args, "--observer", "level-fire")
    assert "10.9.4" in page.read_text()
    assert "no class of observer" in run(*args, "--observer", "archer", "--force", code=2)
    table = folder / "generic.lostab"
    run("table", "build", town, "-o", table, "--rules", "generic", "-q")
    told = run(*args, "--force", "--table", table, code=2)
    assert "was not made with the rules musket-pike" in told
