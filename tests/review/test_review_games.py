"""The review page by rules of other engines than asl's: observers, half strength, places."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_project import PROJECT, tiny_project

from hexsight.los.engine import ask, seen_from, table_of
from hexsight.los.overlay import Overlay, Smoke
from hexsight.los.rulesets import load_rules
from hexsight.los.viewshed import Seen, Viewshed
from hexsight.model.errors import UnsupportedError, UsageError
from hexsight.progress import Silent
from hexsight.review import export
from hexsight.review.desk import Desk, los_json, values_of, viewshed_json
from hexsight.review.export import export_session
from hexsight.review.session import Session

OPENING = """\
overrides:
  buildings:
    B3: {outline: [[40, 62], [72, 62], [72, 96], [40, 96]]}
  openings: [{at: [56, 62], width: 9}]
"""


def _session(folder: Path, rules: str, more: str = "") -> Session:
    return Session.open(tiny_project(folder, f"{PROJECT}rules: {rules}\n{more}"))


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with _session(tmp_path_factory.mktemp("battle"), "musket-pike") as found:
        yield found


def test_the_page_is_told_the_classes_and_the_rules_own_reasons(session: Session):
    told = Desk(session).snapshot().json
    names = [one["name"] for one in told["observers"]]
    assert names == ["fire", "artillery", "level-fire", "interception"]
    assert told["observers"][0]["label"] == "fire of foot and horse"
    assert told["measured"] is False
    assert {r["rule"] for r in told["reasons"].values() if r["code"] == "hex-blocks"} == {"10.9.4"}


def test_a_class_is_asked_as_hexsight_los_does(session: Session):
    desk, board = Desk(session), session.board
    rules = load_rules("musket-pike")
    for name in (None, "artillery"):
        told = desk.los("B2", "B5", name)
        assert told["state"] == "blocked"
        assert told["observer"] == (name or "fire")
        assert set(told["by_class"]) == set(rules.observers)
        assert session.los("B2", "B5", name) == ask(board, "B2", "B5", rules, None, name)
        seen = seen_from(board, "B2", rules, None, name)
        assert session.viewshed("B2", name) == seen
        values = [min(v, 64) for v in desk.viewshed("B2", name)["values"]]
        assert values == [min(v, 64) for v in viewshed_json(seen, session.locations())["values"]]
        assert 64 in values
    for asked in (desk.los, lambda a, b, name: desk.viewshed(a, name)):
        with pytest.raises(UsageError, match="no class of observer 'gods'"):
            asked("B2", "B5", "gods")


def test_a_correction_changes_the_answer_of_a_hex_game(tmp_path: Path):
    with _session(tmp_path / "battle", "generic") as session:
        desk = Desk(session)
        assert desk.los("D2", "D4")["state"] == "clear"
        session.apply({"kind": "hex", "hex": "D3", "terrain": "Woods"})
        assert desk.los("D2", "D4")["state"] == "blocked"
        session.undo()
        assert desk.los("D2", "D4")["state"] == "clear"


def test_half_strength_goes_with_how_often_it_is_halved(session: Session):
    assert values_of(
        np.array([0, 3, 63, 0x41, 0x42, 0x7F, 0x80], np.uint8), np.full(7, 5, np.uint8)
    ).tolist() == [0, 3, 58, 59, 60, 62, 69]
    places = session.locations()[:3]
    seen = tuple(
        Seen(loc.name, loc.name, "ground", 0, "half", 0, 1, halvings=k + 1)
        for k, loc in enumerate(places)
    )
    assert viewshed_json(Viewshed("Z1", seen), places)["values"] == [59, 60, 61]
    rules = load_rules("modern-platoon")
    screen = Overlay(smoke=(Smoke("D2"),))
    told = los_json(session.board, ask(session.board, "D1", "D4", rules, screen, "vehicle"))
    assert (told["state"], told["halvings"]) == ("half", 1)
    assert told["by_class"]["infantry"]["state"] == "blocked"
    assert "half strength" in told["words"]


def _block(text: str, name: str) -> Any:
    found = re.search(rf'<script type="application/json" id="{name}">([^<]*)</script>', text)
    assert found is not None
    return json.loads(found[1])


def test_a_page_without_a_server_holds_all_classes_or_one(
    session: Session, monkeypatch: pytest.MonkeyPatch
):
    whole = _block(export_session(session, None, Silent()).decode(), "hexsight-board")
    sights = whole["exported"]["sights"]
    rules = load_rules("musket-pike")
    assert [one["observer"] for one in sights] == list(rules.observers)
    # Without slopes all classes see alike: what they share is there once.
    planes = table_of(session.board, rules).planes
    alike = [np.array_equal(planes[0][0], plane[0]) for plane in planes]
    assert [one["values"] == sights[0]["values"] for one in sights] == alike
    one = _block(export_session(session, None, Silent(), "artillery").decode(), "hexsight-board")
    assert [o["name"] for o in one["observers"]] == ["artillery"]
    assert [o["observer"] for o in one["exported"]["sights"]] == ["artillery"]
    n = len(session.locations())
    monkeypatch.setattr(export, "MAX_PAIRS", n * n)
    with pytest.raises(UsageError, match="--observer: fire, artillery"):
        export_session(session, None, Silent())
    assert export_session(session, None, Silent(), "fire")
    with pytest.raises(UsageError, match="gods"):
        export_session(session, None, Silent(), "gods")


def test_rules_that_measure_are_asked_from_places_and_have_no_file(tmp_path: Path):
    with _session(tmp_path / "village", "flames", OPENING) as session:
        desk = Desk(session)
        board = desk.snapshot().json
        assert board["measured"] is True
        assert len(board["locations"]) == len(board["hexes"])
        (opening,) = board["openings"]
        assert opening["building"] == board["buildings"][0]["id"]
        assert abs(opening["ends"][0][1] - 62) < 2
        told = desk.los("22,20", "150.5,20", "defensive-fire")
        assert told["line_px"][0][1] == pytest.approx(20, abs=1)
        assert told["hexes"][0] == ["A2"]
        assert "in)" in told["words"]
        assert desk.los("B2", "B5")["state"] in ("clear", "blocked")
        assert len(desk.viewshed("A2")["values"]) == len(board["locations"])
        with pytest.raises(UsageError, match="not on"):
            desk.los("-500,3", "A2")
        with pytest.raises(UnsupportedError, match="measure from any place") as told_so:
            export_session(session, None, Silent())
        assert "\n" not in str(told_so.value)


def test_rules_of_one_class_take_no_observer(tmp_path: Path):
    with Session.open(tiny_project(tmp_path / "p")) as session:
        assert Desk(session).snapshot().json["observers"] == []
        with pytest.raises(UsageError, match="see alike"):
            session.los("A2", "B2", "fire")
        with pytest.raises(UsageError, match="see alike"):
            Desk(session).viewshed("A2", "fire")
        with pytest.raises(UsageError, match="see alike"):
            export_session(session, None, Silent(), "fire")
        words = {h["name"]: h["words"] for h in Desk(session).snapshot().json["hexes"]}
        assert "Open Ground" not in words["B3"]
        assert "tone building" in words["B3"]
        assert words["A2"].startswith("Open Ground")


def test_a_bare_board_folder_is_asked_by_the_rules_of_its_build(session: Session, tmp_path: Path):
    folder = session.save_board(tmp_path / "demo")
    noted = {"boards": [{"folder": "demo", "rules": "musket-pike"}]}
    (tmp_path / "build.json").write_text(json.dumps(noted), encoding="utf-8")
    with Session.open(folder) as bare:
        assert bare.rules == "musket-pike"
        assert bare.los("B2", "B5") == session.los("B2", "B5")
