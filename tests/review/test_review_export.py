"""The review page as one file: what is inside, that it is safe, and the same bytes each time."""

from __future__ import annotations

import base64
import io
import json
import re
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from painted import WOODS, Painted
from PIL import Image
from tiny_project import tiny_project

from hexsight.cli import run
from hexsight.los.blocking import blocking_places
from hexsight.los.explain import explain
from hexsight.los.profile import load_profile
from hexsight.los.rules.registry import REASONS
from hexsight.los.table import build_table
from hexsight.model.board import Cell
from hexsight.model.derive import derive
from hexsight.model.errors import UsageError
from hexsight.model.layout import hex_distance
from hexsight.model.store import save_board
from hexsight.progress import Silent
from hexsight.review import export
from hexsight.review.bundle import digest
from hexsight.review.export import export_session, layer_picture, map_picture, page_table
from hexsight.review.palettes import confidence_palette
from hexsight.review.session import Session
from hexsight.review.tiles import LabelLayer

BRUSH = 25
HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    '"><img src=x onerror=alert(1)>',
    "A\u2028B",
    "&lt;b&gt;",
    "\U0001f3f4 ½",
    "__proto__",
)


def _block(text: str, name: str) -> str:
    found = re.search(rf'<script type="[a-z/]+" id="{name}">([^<]*)</script>', text)
    assert found is not None
    return found[1]


def _bytes(text: str, name: str) -> np.ndarray:
    return np.frombuffer(zlib.decompress(base64.b64decode(_block(text, name))), np.uint8)


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    with Session.open(tiny_project(tmp_path_factory.mktemp("project"))) as session:
        return export_session(session, None, Silent()).decode()


def _board() -> Any:
    painted = Painted(5, 5).hexes("B2", "B3").side("D2", "D3").hexes("E3", code=WOODS)
    painted.hexes("C4", code=BRUSH)
    return derive(painted.survey())


def test_it_holds_the_board_the_findings_and_the_map(text: str):
    board = json.loads(_block(text, "hexsight-board"))
    assert board["can_save"] is False
    assert board["why_not"]
    assert (board["version"], board["undo"]) == (0, 0)
    assert len(board["hexes"]) > 20
    findings = json.loads(_block(text, "hexsight-findings"))
    assert findings["progress"] == board["progress"]
    picture = Image.open(io.BytesIO(base64.b64decode(_block(text, "hexsight-map"))))
    assert list(picture.size) == board["size_px"]
    assert board["exported"]["map_scale"] == 1.0
    for name in board["exported"]["layers"]:
        layer = Image.open(io.BytesIO(base64.b64decode(_block(text, f"hexsight-layer-{name}"))))
        assert layer.size == picture.size
        assert layer.mode == "P"


def test_every_pair_has_the_answer_and_the_place_of_its_explanation(text: str):
    board = json.loads(_block(text, "hexsight-board"))
    (sight,) = board["exported"]["sights"]
    values = _bytes(text, sight["values"])
    places = _bytes(text, sight["places"][0]).astype(int)
    n = len(board["locations"])
    assert len(values) == len(places) == n * (n - 1) // 2
    assert values.max() >= 64
    assert sight["where"][0] is None


def test_values_and_places_agree_with_explanations():
    board, profile = _board(), load_profile("asl")
    made = page_table(build_table(board, profile), blocking_places(board, profile))
    names = [loc.name for loc in blocking_places(board, profile).compiled.locations]
    checked = hindered = 0
    for i in range(0, len(names), 2):
        for j in range(i + 1, len(names), 3):
            k = i * (2 * len(names) - i - 1) // 2 + j - i - 1
            told = explain(board, names[i], names[j], profile)
            value = int(made.values[k])
            assert (value >= 64) == (told.state == "blocked")
            where = made.where[made.places[k]]
            if told.state != "blocked":
                assert value == told.hindrance
                if value:
                    hinder = [(r.hex, r.code) for r in told.reasons]
                    assert (where[0], REASONS[where[3]].code) in hinder
                    hindered += 1
                continue
            codes = [REASONS[value - 64].code]
            spots = [r.hex or r.hexside or r.vertex for r in told.reasons if r.code in codes]
            assert spots
            assert where is None or where[0] in spots
            checked += 1
    assert checked > 10
    assert hindered > 5


def test_lines_beyond_the_range_are_left_out():
    board, profile = _board(), load_profile("asl")
    compiled = blocking_places(board, profile)
    made = page_table(build_table(board, profile), compiled, 2)
    places = compiled.compiled.locations
    k = 0
    for i, a in enumerate(places):
        for b in places[i + 1 :]:
            one, two = board.hexes[a.hex], board.hexes[b.hex]
            far = hex_distance((one.col, one.row), (two.col, two.row)) > 2
            assert (made.values[k] == 63) == far
            assert not far or made.where[made.places[k]] is None
            k += 1


def test_nothing_runs_and_nothing_is_fetched_but_what_is_inside(text: str):
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    program = re.search(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert policy is not None
    assert program is not None
    assert style is not None
    assert policy[1].startswith("default-src 'none'; ")
    assert f"script-src '{digest(program[1])}'" in policy[1]
    assert f"style-src '{digest(style[1])}'" in policy[1]
    assert "connect-src" not in policy[1]
    assert "unsafe" not in policy[1]
    assert not re.search(r"(?:src|href)=\"(?!data:|#)", text)
    assert len(re.findall(r"<script\b", text)) == text.count("</script>")


def test_names_of_any_kind_stay_data(tmp_path: Path):
    survey = Painted(5, 5).hexes("B2", "B3").survey()
    cells = tuple(
        Cell(c.col, c.row, HOSTILE[i] if i < len(HOSTILE) else c.name)
        for i, c in enumerate(survey.cells)
    )
    board = derive(replace(survey, name=HOSTILE[0], cells=cells))
    save_board(board, tmp_path / "board")
    with Session.open(tmp_path / "board") as session:
        text = export_session(session, None, Silent()).decode()
    back = json.loads(_block(text, "hexsight-board"))
    assert [h["name"] for h in back["hexes"][: len(HOSTILE)]] == list(HOSTILE)
    assert back["name"] == HOSTILE[0]
    assert "alert(1)</script>" not in text
    assert "<img" not in text
    assert len(re.findall(r"<script\b", text)) == text.count("</script>")


def test_the_same_project_gives_the_same_bytes(tmp_path: Path):
    folder = tiny_project(tmp_path / "project")
    for name in ("one.html", "two.html"):
        assert run(["review", str(folder), "--export", str(tmp_path / name), "-q"]) == 0
    one, two = ((tmp_path / name).read_bytes() for name in ("one.html", "two.html"))
    assert one == two
    assert str(tmp_path).encode() not in one


def test_an_earlier_page_is_replaced_only_with_force(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    folder = tiny_project(tmp_path / "project")
    page = folder / "page.html"
    page.write_text("<!doctype html>\nmine", encoding="utf-8")
    assert run(["review", str(folder), "--export", str(page), "-q"]) == 5
    assert page.read_text(encoding="utf-8").endswith("mine")
    assert run(["review", str(folder), "--export", str(page), "-q", "--force"]) == 0
    assert "bytes" in capsys.readouterr().out
    for target in ("hexsight.yaml", "map.png"):
        assert run(["review", str(folder), "--export", str(folder / target), "-q", "--force"]) == 5


def test_a_board_too_large_for_a_page_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(export, "MAX_LOCATIONS", 10)
    with (
        Session.open(tiny_project(tmp_path / "project")) as session,
        pytest.raises(UsageError, match="at most 10"),
    ):
        export_session(session, None, Silent())


def test_a_large_map_is_made_smaller_and_its_layers_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(export, "MAX_MAP_PIXELS", 5_000)
    monkeypatch.setattr(export, "MAX_LAYER_PIXELS", 5_000)
    rgb = np.random.default_rng(0).integers(0, 255, (100, 200, 3), np.uint8)
    data, scale = map_picture(rgb)
    assert Image.open(io.BytesIO(data)).size == (100, 50)
    assert scale == 0.5
    layer = LabelLayer(rgb[..., 0].copy(), confidence_palette(), "x", rgb)
    assert Image.open(io.BytesIO(layer_picture(layer))).size == (100, 50)
