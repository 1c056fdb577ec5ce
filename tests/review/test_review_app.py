"""The review server end to end, without a browser: questions, corrections, hostile requests."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra review is not installed")
pytest.importorskip("httpx", reason="starlette's test client needs httpx")

import numpy as np
from PIL import Image
from starlette.testclient import TestClient
from tiny_project import PROJECT, tiny_project

from hexsight.los.explain import explain
from hexsight.los.profile import load_profile
from hexsight.los.viewshed import viewshed
from hexsight.review.app import build_app
from hexsight.review.security import TOKEN_HEADER, Keys
from hexsight.review.session import Session

PORT = 8123
SELF = f"http://127.0.0.1:{PORT}"


class Page:
    """What the page does: asks with the token, sends with the version it has seen."""

    def __init__(self, session: Session) -> None:
        self.session, self.keys = session, Keys()
        self.client = TestClient(
            build_app(session, self.keys, PORT), base_url=SELF, raise_server_exceptions=False
        )
        self.client.headers[TOKEN_HEADER] = self.keys.token

    def get(self, path: str, **params: str) -> Any:
        answer = self.client.get(f"/api/{path}", params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def send(self, path: str, **content: Any) -> Any:
        return self.client.post(f"/api/{path}", json=content, headers={"Origin": SELF})

    def change(self, path: str, **content: Any) -> Any:
        answer = self.send(path, version=self.session.version, **content)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def edit(self, **edit: Any) -> Any:
        return self.change("edit", edit=edit)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny_project(tmp_path / "project")


@pytest.fixture
def page(folder: Path) -> Iterator[Page]:
    with Session.open(folder) as session:
        yield Page(session)


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in which nothing is changed."""
    return tiny_project(tmp_path_factory.mktemp("still"))


@pytest.fixture(scope="module")
def still(unchanged: Path) -> Iterator[Page]:
    """A page of it."""
    with Session.open(unchanged) as session:
        yield Page(session)


def test_the_board_is_told_with_its_layers_and_what_can_be_done(still: Page):
    board = still.get("board")
    assert (board["can_save"], board["undo"], board["version"]) == (True, 0, 1)
    assert [h["name"] for h in board["hexes"]] == [h.name for h in still.session.board.hexes]
    assert set(board["tiles"]["layers"]) == {"map", "terrain", "elevation", "confidence"}
    assert "woods" in [one["label"] for one in board["legend"]["terrain"]]
    assert board["corrections"]["hexes"] == {}
    state = still.get("state")
    assert state["version"] == board["version"]
    assert "hexes" not in state


def test_tiles_show_the_map_and_are_kept_by_their_digest(still: Page):
    layers = still.get("board")["tiles"]["layers"]
    for layer, digest in layers.items():
        answer = still.client.get(f"/api/tile/{layer}/{digest}/0/0/0")
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == "image/png"
        assert "immutable" in answer.headers["Cache-Control"]
        shown = np.asarray(Image.open(io.BytesIO(answer.content)))
        assert shown.shape[:2] == still.session.board.terrain.shape
        tag = {"If-None-Match": f'"x", {answer.headers["ETag"]}'}
        again = still.client.get(f"/api/tile/{layer}/{digest}/0/0/0", headers=tag)
        assert (again.status_code, again.content) == (304, b"")
    shown = still.client.get(f"/api/tile/map/{layers['map']}/0/0/0").content
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(shown))), still.session.rgb)


def test_a_tile_of_an_old_digest_is_the_newest_and_is_not_kept(still: Page):
    answer = still.client.get("/api/tile/map/old/0/0/0")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "tile/map/x/0/0/1",
        "tile/map/x/9/0/0",
        "tile/map/x/-1/0/0",
        "tile/map/x/0/0/99999999999999999999999999",
        "tile/none/x/0/0/0",
        "tile/map/x/0/0",
        "tile/map/x/a/0/0",
        "crop/none/x",
        "crop/..%2f..%2fetc/x",
        "nothing",
        "board/",
    ],
)
def test_what_is_not_there_is_missing(still: Page, path: str):
    answer = still.client.get(f"/api/{path}")
    assert (answer.status_code, answer.json()["kind"]) == (404, "missing")


def test_a_line_of_sight_is_told_as_the_command_line_tells_it(still: Page):
    board, profile = still.session.board, load_profile("asl")
    for start, end in (("A2", "C5"), ("B1", "B5"), ("B3", "B4"), ("A2", "A2")):
        told = still.get("los", **{"from": start, "to": end})
        wanted = explain(board, start, end, profile)
        for key, value in wanted.to_json().items():
            assert told[key] == json.loads(json.dumps(value))
        assert told["hexes"][0] == [start]
        assert told["hexes"][-1] == [end]
        assert told["words"].startswith(f"{start} → {end}: {wanted.state}")
        assert len(told["lines"]) == len(wanted.reasons)
        facts = board.by_name[start]
        assert told["line_px"][0] == [round(facts.x_px, 2), round(facts.y_px, 2)]


def test_a_viewshed_has_a_number_for_each_location_in_their_order(still: Page):
    board = still.get("board")
    told = still.get("viewshed", **{"from": "a2"})
    seen = {one.name: one for one in viewshed(still.session.board, "A2", load_profile("asl")).seen}
    assert told["from"] == "A2"
    assert len(told["values"]) == len(board["locations"])
    for (_, name, _), value in zip(board["locations"], told["values"], strict=True):
        one = seen.get(name)
        if one is None:
            assert (name, value) == ("A2", 0)
        elif one.state == "blocked":
            assert board["reasons"][str(value - 64)]["code"]
        else:
            assert value == one.hindrance


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"from": "A2"},
        {"from": "A2", "to": ""},
        {"from": "A2", "to": "ZZ99"},
        {"from": "A2@9", "to": "A3"},
        {"from": "A2", "to": "<script>alert(1)</script>"},
        {"from": "A2", "to": "A3\x00\udc80"},
        {"from": "A2", "to": "../../etc/passwd"},
    ],
)
def test_a_place_that_is_not_there_is_told_in_one_sentence(still: Page, params: dict[str, str]):
    try:
        answer = still.client.get("/api/los", params=params)
    except UnicodeEncodeError:
        answer = still.client.get("/api/los?from=A2&to=A3%00%ED%B2%80")
    assert answer.status_code == 400
    told = answer.json()
    assert told["kind"] == "usage"
    assert "\n" not in told["error"]
    assert answer.headers["Content-Type"] == "application/json"


def test_an_edit_changes_the_board_and_the_file_and_tells_what_the_page_needs(
    page: Page, folder: Path
):
    before = page.get("board")
    told = page.edit(kind="hex", hex="D2", terrain="Woods")
    assert told["version"] == 2
    assert (told["undo"], told["redo"], told["reload"]) == (1, 0, False)
    assert told["hexes"] == ["D2"]
    at = str([h["name"] for h in before["hexes"]].index("D2"))
    assert set(told["board"]["hexes"]) == {at}
    assert told["board"]["hexes"][at]["words"] == "Woods."
    assert told["board"]["hexes"][at]["override"] == {"terrain": "Woods"}
    assert set(told["dirty_px"]) == {"terrain"}
    x0, y0, x1, y1 = told["dirty_px"]["terrain"]
    assert 0 < x1 - x0 < 60
    assert 0 < y1 - y0 < 60
    text = (folder / "hexsight.yaml").read_text(encoding="utf-8")
    assert text.startswith(PROJECT)
    assert "D2: {terrain: Woods}" in text
    # What the page pieces together is what it would be told anew.
    after = page.get("board")
    pieced = {**before, **told["board"]}
    pieced["hexes"] = [told["board"]["hexes"].get(str(i), h) for i, h in enumerate(before["hexes"])]
    for key in ("hexes", "locations", "hexsides", "tiles", "version", "undo", "undo_label"):
        assert pieced[key] == after[key]


def test_undo_and_redo_go_through_all_states(page: Page, folder: Path):
    first = page.get("board")["hexes"]
    page.edit(kind="hex", hex="D2", terrain="Woods")
    second = page.get("board")["hexes"]
    told = page.change("undo")
    assert (told["undo"], told["redo"]) == (0, 1)
    assert page.get("board")["hexes"] == first
    assert page.change("redo")["undo"] == 1
    assert page.get("board")["hexes"] == second
    page.change("undo")
    answer = page.send("undo", version=page.session.version)
    assert (answer.status_code, answer.json()["kind"]) == (400, "usage")


def test_findings_are_told_accepted_with_a_reason_and_opened_again(page: Page, folder: Path):
    # A correction that changes nothing is worth a look.
    page.edit(kind="hexside", hexside="B3-B4", bar="none")
    told = page.get("findings")
    assert told["progress"]["open"] == len(told["findings"]) == 1
    finding = told["findings"][0]
    told = page.change("accept", finding=finding["id"], accepted=True, reason="as\nprinted")
    assert told["undo"] == 2
    text = (folder / "hexsight.yaml").read_text(encoding="utf-8")
    assert "as printed" in text
    found = page.get("findings")
    assert found["findings"][0]["state"] == "accepted"
    assert found["progress"] == {"total": 1, "open": 0, "accepted": 1, "mended": 0}
    page.change("accept", finding=finding["id"], accepted=False)
    assert page.get("findings")["findings"][0]["state"] == "open"
    crop = page.client.get(f"/api/crop/{finding['id']}/x")
    if finding["x"] is not None:
        assert Image.open(io.BytesIO(crop.content)).size == (184, 184)
    for wrong in ({"accepted": "yes"}, {"reason": 5}, {"reason": "x" * 300}):
        answer = page.send("accept", version=page.session.version, finding=finding["id"], **wrong)
        assert answer.status_code == 400, wrong


def test_a_line_is_of_the_board_as_it_is_after_an_edit(page: Page):
    before = page.get("los", **{"from": "D1", "to": "D4"})
    page.edit(kind="hex", hex="D2", terrain="Woods")
    after = page.get("los", **{"from": "D1", "to": "D4"})
    assert (before["state"], after["state"]) == ("clear", "blocked")
    assert after["version"] == before["version"] + 1


def test_an_edit_of_what_the_page_has_not_seen_is_refused(page: Page, folder: Path):
    page.edit(kind="hex", hex="D2", terrain="Woods")
    kept = (folder / "hexsight.yaml").read_bytes()
    answer = page.send("edit", version=1, edit={"kind": "hex", "hex": "A2", "terrain": "Woods"})
    told = answer.json()
    assert (answer.status_code, told["kind"], told["version"]) == (409, "conflict", 2)
    assert (folder / "hexsight.yaml").read_bytes() == kept


def test_what_an_editor_wrote_is_taken_and_not_overwritten(page: Page, folder: Path):
    file = folder / "hexsight.yaml"
    text = PROJECT + "overrides:\n  hexes:\n    A3: {terrain: Woods}\n"
    file.write_text(text, encoding="utf-8")
    edit = {"kind": "hex", "hex": "D2", "terrain": "Woods"}
    answer = page.send("edit", version=1, edit=edit)
    assert (answer.status_code, answer.json()["kind"]) == (409, "conflict")
    assert file.read_text(encoding="utf-8") == text
    assert page.get("state")["changed_outside"] is True
    told = page.change("reload")
    assert told["reload"] is True
    hexes = {h["name"]: h for h in page.get("board")["hexes"]}
    assert hexes["A3"]["words"] == "Woods."
    page.edit(**edit)
    assert "A3: {terrain: Woods}" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "edit",
    [
        {},
        {"kind": "nothing"},
        {"kind": "hex"},
        {"kind": "hex", "hex": "ZZ9", "terrain": "Woods"},
        {"kind": "hex", "hex": "D2", "terrain": "Nonsense"},
        {"kind": "hex", "hex": "D2", "height": "high"},
        {"kind": "hex", "hex": {"a": 1}, "terrain": "Woods"},
        {"kind": "hex", "hex": "D2", "terrain": "Woods", "x": "y"},
        {"kind": "hexside", "hexside": "A1-F5", "bar": "full"},
        {"kind": "hexside", "hexside": "D2-D3", "bar": [2, 1]},
        {"kind": "outline", "building": 99, "outline": [[0, 0]]},
        {"kind": "outline", "building": 1, "outline": [[1e308, 1e308], [0, 0], [5, 5]]},
        {"kind": "accept", "finding": "nothing"},
        {"kind": "many", "edits": []},
    ],
)
def test_an_edit_that_cannot_be_made_changes_nothing(still: Page, unchanged: Path, edit: Any):
    answer = still.send("edit", version=1, edit=edit)
    assert answer.status_code == 400, answer.text
    assert answer.json()["kind"] == "usage"
    assert (unchanged / "hexsight.yaml").read_text(encoding="utf-8") == PROJECT
    assert still.session.version == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"nonsense",
        b"\xff\xfe",
        b'{"version": 1}',
        b'{"version": "1", "edit": {"kind": "hex"}}',
        b'{"version": true, "edit": {"kind": "hex"}}',
        b'{"version": 1, "edit": []}',
        b'{"version": 1, "edit": {"kind": "hex", "hex": "D2", "height": NaN}}',
        b'{"version": 1, "edit": {"kind": "hex", "hex": "D2", "height": 1e999}}',
        b'{"version": ' + b"[" * 100_000,
    ],
)
def test_what_is_no_edit_is_refused(still: Page, body: bytes):
    headers = {"Origin": SELF, "Content-Type": "application/json"}
    answer = still.client.post("/api/edit", content=body, headers=headers)
    assert (answer.status_code, answer.json()["kind"]) == (400, "usage")
    assert still.session.version == 1


def test_a_project_that_cannot_be_saved_can_be_looked_at(tmp_path: Path):
    folder = tiny_project(tmp_path / "map")
    with Session.open(folder) as session:
        board = session.save_board(tmp_path / "board")
    with Session.open(board) as session:
        page = Page(session)
        told = page.get("board")
        assert told["can_save"] is False
        assert told["why_not"].endswith(".")
        assert told["tiles"]["layers"]["confidence"] is None
        assert page.client.get("/api/tile/map/x/0/0/0").status_code == 200
        edit = {"kind": "hex", "hex": "D2", "terrain": "Woods"}
        assert page.send("edit", version=told["version"], edit=edit).status_code == 400


def test_a_full_disk_is_told_and_nothing_has_changed(
    page: Page, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    edit = {"kind": "hex", "hex": "D2", "terrain": "Woods"}
    answer = page.send("edit", version=1, edit=edit)
    assert (answer.status_code, answer.json()["kind"]) == (503, "save")
    assert "No space left" in answer.json()["error"]
    monkeypatch.undo()
    assert page.session.version == 1
    assert (folder / "hexsight.yaml").read_text(encoding="utf-8") == PROJECT
    assert page.edit(**edit)["version"] == 2


def test_many_questions_and_edits_at_once(page: Page, folder: Path):
    """Every answer is whole and of one version; every edit that was taken is in the file."""
    names = [h.name for h in page.session.board.hexes]
    taken: list[str] = []
    lock = threading.Lock()

    def work(k: int) -> None:
        name = names[k % len(names)]
        if k % 3 == 0:
            told = page.send(
                "edit",
                version=page.session.version,
                edit={"kind": "hex", "hex": name, "terrain": "Woods"},
            )
            assert told.status_code in (200, 409), told.text
            if told.status_code == 200:
                with lock:
                    taken.append(name)
        elif k % 3 == 1:
            told = page.get("los", **{"from": name, "to": names[-1]})
            assert told["hexes"][0] == [name]
        else:
            board = page.get("board")
            assert len(page.get("viewshed", **{"from": name})["values"]) == len(board["locations"])

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(36)))
    text = (folder / "hexsight.yaml").read_text(encoding="utf-8")
    assert taken
    assert all(f"{name}: {{terrain: Woods}}" in text for name in taken)
    assert text.count("terrain: Woods") == len(set(taken))
    assert page.get("state")["undo"] == len(taken)


def test_the_code_of_the_opened_browser_is_swapped_once(page: Page):
    code = page.keys.code
    page.client.headers.pop(TOKEN_HEADER)
    assert page.send("enter", code="wrong").status_code == 403
    assert page.send("enter", code=code).json() == {"token": page.keys.token}
    assert page.send("enter", code=code).status_code == 403
    assert page.send("enter").status_code == 400


def test_page_files_are_served_and_nothing_beside_them(still: Page):
    still.client.headers.pop(TOKEN_HEADER)
    try:
        index = still.client.get("/")
        assert index.status_code == 200
        assert index.headers["Content-Type"].startswith("text/html")
        main = still.client.get("/static/main.js")
        assert main.headers["Content-Type"].startswith("text/javascript")
        for path in (
            "/static/../app.py",
            "/static/..%2fapp.py",
            "/static/%2e%2e/app.py",
            "/static/app.py",
            "/static/.gitkeep",
            "/static/index.html",
            "/static/",
            "/static/main.js%00.css",
            "/static/none.js",
            "//static/main.js",
            "/etc/passwd",
        ):
            assert still.client.get(path).status_code == 404, path
    finally:
        still.client.headers[TOKEN_HEADER] = still.keys.token


def test_a_question_by_post_and_a_change_by_get_are_refused(still: Page):
    assert still.send("board", version=1).status_code == 405
    assert still.client.get("/api/edit").status_code == 405
    assert still.session.version == 1


def test_a_bug_is_told_as_one_and_shows_nothing_of_the_machine(
    page: Page, monkeypatch: pytest.MonkeyPatch
):
    def broken(*_: object) -> None:
        raise RuntimeError("/secret/path")

    monkeypatch.setattr(type(page.session.look), "los", broken)
    answer = page.client.get("/api/los", params={"from": "A2", "to": "A3"})
    assert (answer.status_code, answer.json()["kind"]) == (500, "bug")
    assert "secret" not in answer.text
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
