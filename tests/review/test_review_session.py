"""The session behind the review page: corrections, answers, findings, as a fresh build has them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_project import PROJECT, tiny_project

from hexsight.checking import subjects_of
from hexsight.los.explain import explain
from hexsight.los.profile import load_profile
from hexsight.los.table import build_table
from hexsight.los.viewshed import Viewshed, viewshed
from hexsight.model.board import Board
from hexsight.model.errors import UsageError
from hexsight.model.overrides import Overrides
from hexsight.model.store import load_board
from hexsight.pipeline import build, extract_board
from hexsight.project import load_project
from hexsight.reading import request_from
from hexsight.review import background
from hexsight.review.opening import Ground, open_path
from hexsight.review.session import Session, StaleError
from hexsight.samples import write_samples
from hexsight.validators import Subject, run_checks

TEXT = f"""{PROJECT}
overrides:
  hexsides:
    B3-B4: {{bar: full}}   # the wall between the halls
  hexes:
    B3: {{factory: true, roofless: true}}   # looked at
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Factory of three hexes and a house of two."""
    houses = ("B2", "B3", "C2", "D4", "D5")
    return tiny_project(tmp_path_factory.mktemp("project"), TEXT, houses=houses, grow=1.0)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project whose grid is found on the picture; no table of it is made behind it."""
    made = tmp_path_factory.mktemp("sample")
    write_samples(made, boards=["red-factory"])
    text = 'source: red-factory.vmod\nboard: "Red Factory"\n'
    (made / "hexsight.yaml").write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(background, "MOST_PAIRS", 0)
        yield made


@pytest.fixture(scope="module")
def opened(folder: Path) -> Iterator[Session]:
    with Session.open(folder) as session:
        yield session


@pytest.fixture
def session(opened: Session, folder: Path) -> Iterator[Session]:
    """The one session of these tests, as it was when it was opened."""
    yield opened
    while opened.state()["undo"]:
        opened.undo()
    assert (folder / "hexsight.yaml").read_text(encoding="utf-8") == TEXT


def differences(one: Board, other: Board) -> list[str]:
    out = []
    for field in fields(Board):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if not (np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b):
            out.append(field.name)
    return out


def seen(view: Viewshed) -> list[tuple[str, str, int]]:
    """What a viewshed answers; of several reasons a table may name another one."""
    return [(one.name, one.state, one.hindrance) for one in view.seen]


def edits(session: Session, r: random.Random) -> dict[str, Any]:
    """An edit as a page sends it."""
    board = session.board
    built = [h for h in board.hexes if h.building]
    fact = r.choice(built if r.random() < 0.7 else list(board.hexes))
    side = r.choice(board.hexsides)
    building = r.choice(board.buildings)
    ring = [list(p) for p in building.rings[0][:-1]]
    r.choice(ring)[0] += r.choice([-6, 6])
    return r.choice(
        [
            {"kind": "hex", "hex": fact.name, "terrain": r.choice(["Woods", "Grain", None])},
            {"kind": "hex", "hex": fact.name, "height": r.choice([1, "1½", None]), "level": 1},
            {"kind": "hex", "hex": fact.name, "roofless": r.choice([True, False, None])},
            {"kind": "hex", "hex": fact.name, "building": r.choice(["stone", "wood", "none"])},
            {"kind": "stairwell", "x": fact.x_px + 3, "y": fact.y_px},
            {"kind": "road_entry", "x": fact.x_px, "y": fact.y_px + 2},
            {"kind": "hexside", "hexside": side.name, "bar": r.choice(["full", "none", [0, 0.5]])},
            {"kind": "hexside", "hexside": f"{side.b}-{side.a}", "terrain": "Hedge"},
            {"kind": "outline", "building": building.id, "outline": ring},
            {"kind": "clear", "hex": fact.name},
            {
                "kind": "many",
                "edits": [
                    {"kind": "hex", "hex": fact.name, "factory": True},
                    {"kind": "hexside", "hexside": side.name, "bar": "full"},
                ],
            },
        ]
    )


@pytest.mark.parametrize("seed", [2])
def test_any_sequence_of_edits_is_what_a_fresh_build_makes(
    session: Session, folder: Path, seed: int
) -> None:
    r = random.Random(seed)
    done = 0
    while done < 9:
        step = r.random()
        try:
            if step < 0.15 and session.state()["undo"]:
                session.undo()
            elif step < 0.25 and session.state()["redo"]:
                session.redo()
            else:
                session.apply(edits(session, r))
        except UsageError:
            continue  # such as a road into a hex without a building: nothing changed
        done += 1
        if done % 3:
            continue
        fresh = extract_board(request_from(folder)).board
        assert differences(session.board, fresh) == []
        profile = load_profile()
        names = [loc.name for loc in session.locations()]
        for _ in range(12):
            a, b = r.choice(names), r.choice(names)
            assert session.los(a, b) == explain(fresh, a, b, profile)
        assert seen(session.viewshed(a)) == seen(viewshed(fresh, a, profile))
        if done % 2:
            table = session.look.table()
            assert np.array_equal(table.answers, build_table(fresh, profile).answers)
            assert seen(session.viewshed(b)) == seen(viewshed(fresh, b, profile))


def test_a_correction_is_in_the_file_before_it_is_told(session: Session, folder: Path) -> None:
    change = session.apply({"kind": "hex", "hex": "d5", "height": "1½"}, version=session.version)
    text = (folder / "hexsight.yaml").read_text(encoding="utf-8")
    assert text == TEXT + "    D5: {height: 1.5}\n"
    assert change.version == session.version
    assert change.label == "height of D5"
    assert (change.undo, change.redo) == (1, 0)
    assert session.corrections()["hexes"]["D5"] == {"height": 1.5}
    back = session.undo(version=change.version)
    assert back.redo == 1


def test_a_change_tells_what_changed(session: Session) -> None:
    side = next(s for s in session.board.hexsides if s.bar)
    change = session.apply({"kind": "hexside", "hexside": side.name, "bar": "none"})
    assert side.name in change.hexsides
    assert {side.a, side.b} & set(change.hexes)
    x0, y0, x1, y1 = change.window or (0, 0, 0, 0)
    assert 0 < (x1 - x0) * (y1 - y0) < 4 * session.board.layout.dy**2


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({}, "kind"),
        ({"kind": "hex", "hex": "Z99", "level": 1}, "no hex Z99"),
        ({"kind": "hex", "hex": "D5"}, "Say what to correct"),
        ({"kind": "hex", "hex": "D5", "height": 0.3}, "half levels"),
        ({"kind": "hex", "hex": "D5", "height": float("inf")}, "D5"),
        ({"kind": "hex", "hex": "D5", "terrain": "Cheese"}, "Cheese"),
        ({"kind": "hex", "hex": "D5", "colour": 1}, "colour"),
        ({"kind": "hexside", "hexside": "D5-A7", "bar": "full"}, "do not touch"),
        ({"kind": "hexside", "hexside": "D5-D6", "bar": [0.5, 0.2]}, "the smaller first"),
        ({"kind": "outline", "building": 99, "outline": [[0, 0], [9, 0], [9, 9]]}, "building 99"),
        ({"kind": "outline", "at": "B3", "outline": [[0, 0], [9, 9], [9, 0], [0, 9]]}, "cross"),
        ({"kind": "stairwell", "x": -50, "y": 3}, "No hex"),
        ({"kind": "grid"}, "numbers of the grid"),
        ({"kind": "accept", "finding": "0"}, "no such finding"),
        ({"kind": "many", "edits": []}, "edits"),
        ({"kind": "clear"}, "Name the hex"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_sentence_and_changes_nothing(
    session: Session, folder: Path, edit: dict[str, Any], said: str
) -> None:
    version, board = session.version, session.board
    with pytest.raises(UsageError, match=said) as error:
        session.apply(edit)
    assert "\n" not in str(error.value)
    assert (session.version, session.board is board) == (version, True)
    assert (folder / "hexsight.yaml").read_text(encoding="utf-8") == TEXT


def test_a_page_that_is_behind_is_told_so(session: Session) -> None:
    seen = session.version
    session.apply({"kind": "hex", "hex": "D5", "level": 1}, version=seen)
    with pytest.raises(StaleError, match="another page"):
        session.apply({"kind": "hex", "hex": "D5", "level": 2}, version=seen)


def test_a_change_by_an_editor_is_noticed_and_taken_when_asked(
    session: Session, folder: Path
) -> None:
    file = folder / "hexsight.yaml"
    session.apply({"kind": "hex", "hex": "D5", "level": 1})
    session.undo()
    other = TEXT.replace("factory: true, roofless: true", "factory: true, roofless: false")
    file.write_text(other, encoding="utf-8")
    assert session.state()["changed_outside"]
    with pytest.raises(StaleError, match="another program"):
        session.apply({"kind": "hex", "hex": "D5", "level": 1})
    assert file.read_text(encoding="utf-8") == other
    session.reload()
    assert not session.board.hex("B3").roofless
    file.write_text("source: [", encoding="utf-8")
    with pytest.raises(UsageError, match="line 1"):
        session.reload()
    assert not session.board.hex("B3").roofless
    file.write_text(TEXT, encoding="utf-8")
    session.reload()
    assert session.board.hex("B3").roofless
    assert not session.state()["changed_outside"]


def test_findings_are_accepted_mended_and_counted(session: Session, folder: Path) -> None:
    session.apply({"kind": "hex", "hex": "D5", "terrain": "Woods"})
    first, *_ = [f for f in session.findings() if f.state == "open"]
    before = session.state()["progress"]
    session.apply({"kind": "accept", "finding": first.id})
    again = {f.id: f.state for f in session.findings()}
    assert again[first.id] == "accepted"
    after = session.state()["progress"]
    assert (after["open"], after["accepted"]) == (before["open"] - 1, before["accepted"] + 1)
    (subject,) = subjects_of(folder / "hexsight.yaml")
    report = run_checks(subject)
    assert report.accepted == 1
    assert first.finding.fingerprint not in {f.fingerprint for f in report.findings}
    said = "the: printer's\nmistake"
    session.apply({"kind": "accept", "finding": first.id, "reason": said})
    accepted = load_project(folder / "hexsight.yaml").accepted
    assert "the: printer's mistake" in [v for by in accepted.values() for v in by.values()]
    session.apply({"kind": "accept", "finding": first.id, "on": False})
    assert {f.id: f.state for f in session.findings()}[first.id] == "open"


def test_findings_are_those_that_check_tells(folder: Path) -> None:
    """Neither what only a stricter profile tells, nor less: an unfinished legend too."""
    ground = open_path(folder, board=None).ground
    assert ground is not None
    levels = ground.plain.board.elevation_half.copy()
    levels[100:102, 100:102] = 4
    board = replace(ground.plain.board, elevation_half=levels)
    speck = "level/stray-pixels"
    assert speck in {f.id for f in run_checks(Subject("x", board=board), "strict").findings}
    assert speck not in {f.id for f in ground.findings_of(board, Overrides())}
    legend = folder / "mine.yaml"
    legend.write_text(
        "base: samples\nclasses: [{terrain: Water, name: unknown-1, colours: [[1, 2, 250]]}]\n"
    )
    request = replace(ground.request, legend=str(legend))
    again = Ground(request, ground.reading, ground.prepared)
    assert "terrain/legend-unnamed" in {f.id for f in again.plain_findings}
    legend.unlink()


def test_a_grid_is_nudged_and_taken_back(sample: Path) -> None:
    with Session.open(sample) as session:
        grid = session.state()["grid"]
        assert grid["from"] == "auto"
        names = [h.name for h in session.board.hexes]
        change = session.apply({"kind": "grid", "x0": grid["x0"] + 1.25, "rot_deg": 0.25})
        assert change.grid
        assert session.state()["grid"]["from"] == "yaml"
        assert abs(session.board.layout.x0 - grid["x0"] - 1.25) < 0.001
        assert abs(session.board.layout.rot_deg - 0.25) < 0.001
        assert [h.name for h in session.board.hexes] == names
        assert "grid: {dx: " in (sample / "hexsight.yaml").read_text(encoding="utf-8")
        session.apply({"kind": "grid", "auto": True})
        assert session.state()["grid"] == grid


def test_a_build_makes_what_the_page_showed(session: Session, folder: Path, tmp_path: Path) -> None:
    session.apply({"kind": "hex", "hex": "D5", "roofless": True})
    session.apply({"kind": "outline", "building": 1, "outline": _wider(session.board)})
    shown = session.save_board(tmp_path / "shown")
    build(request_from(folder), tmp_path / "built")
    for name in ("board.json", "terrain.png", "elevation.png", "los.lostab"):
        assert (tmp_path / "built" / name).read_bytes() == (shown / name).read_bytes()
    with Session.open(shown) as bare:
        assert not bare.can_save
        assert bare.board.hexes == session.board.hexes
        assert bare.los("B3", "D5") == session.los("B3", "D5")
        with pytest.raises(UsageError, match="not corrected"):
            bare.apply({"kind": "hex", "hex": "D5", "level": 1})
    assert differences(load_board(shown), session.board) == []


def _wider(board: Board) -> list[list[float]]:
    ring = [list(p) for p in board.buildings[0].rings[0][:-1]]
    right = max(p[0] for p in ring)
    return [[x + 4 if x == right else x, y] for x, y in ring]


def test_a_source_without_a_project_can_be_looked_at(sample: Path) -> None:
    with Session.open(sample / "red-factory.vmod", board="Red Factory") as session:
        assert not session.can_save
        assert "hexsight new" in session.why_not
        assert session.los("B3", "D5").from_name == "B3"


def test_a_building_keeps_one_entry_however_often_its_outline_moves(session: Session) -> None:
    before = session.board.buildings[0]
    session.apply({"kind": "outline", "building": before.id, "outline": _wider(session.board)})
    (entry,) = session.corrections()["buildings"]
    moved = next(b for b in session.board.buildings if b.polygon.intersects(before.polygon))
    ring = [[x - 3, y - 2] for x, y in moved.rings[0][:-1]]
    session.apply({"kind": "outline", "building": moved.id, "outline": ring})
    (again,) = session.corrections()["buildings"]
    assert again["at"] == entry["at"]
    assert again["outline"] != entry["outline"]
    session.apply({"kind": "clear", "building": again["at"]})
    assert session.corrections()["buildings"] == []
    assert session.board.buildings[0] == before


def test_a_building_is_drawn_where_none_was_found(session: Session) -> None:
    free = next(h for h in session.board.hexes if not h.building_share and h.on_map > 0.9)
    x, y = free.x_px, free.y_px
    ring = [[x - 9, y - 9], [x + 9, y - 9], [x + 9, y + 9], [x - 9, y + 9]]
    edit = {"kind": "outline", "at": [x, y], "outline": ring}
    with pytest.raises(UsageError, match="Add material"):
        session.apply(edit)
    session.apply(edit | {"material": "wood"})
    facts = session.board.hex(free.name)
    assert session.board.building_by_id[facts.building].material == "wood"
    number = facts.building
    wider = [[px + 5, py] for px, py in ring]
    session.apply({"kind": "outline", "building": number, "outline": wider})
    (entry,) = session.corrections()["buildings"]
    assert entry["material"] == "wood"
