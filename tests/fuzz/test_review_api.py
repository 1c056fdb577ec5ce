"""Whatever a program sends to the review page, it is answered in one sentence of JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra review is not installed")
pytest.importorskip("httpx", reason="starlette's test client needs httpx")

import seeds
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from tiny_project import tiny_project

from hexsight.project import load_project
from hexsight.review.app import build_app
from hexsight.review.security import TOKEN_HEADER, Keys
from hexsight.review.session import Session

PORT = 8123
SELF = f"http://127.0.0.1:{PORT}"
LONG = settings().max_examples > 1000
GETS = ("board", "state", "los", "viewshed", "findings", "crop/x/y", "tile/a/b/0/0/0")
POSTS = ("enter", "edit", "accept", "undo", "redo", "reload")
NAMES = st.sampled_from(["A1", "B2", "F5", "B2@roof", "ZZ9", "", "A1-A2", "B2-B3", "\0", "½"])
NUMBERS = st.one_of(
    st.integers(), st.floats(), st.sampled_from([2**63, 10**400, -0.0, 1e308, 1e-320])
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, NAMES, st.text(max_size=9)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)
KINDS = st.sampled_from(
    [
        *("hex", "hexside", "outline", "stairwell", "road_entry", "grid", "clear", "accept"),
        *("many", "none"),
    ]
)
KEYS = st.sampled_from(
    [
        *("hex", "hexside", "terrain", "building", "factory", "height", "level", "roofless"),
        *("bar", "outline", "at", "on", "dx", "dy", "x0", "y0", "edits", "finding", "label"),
        *("stairwell", "road_entry", "material", "auto", "what", "name"),
    ]
)
EDITS = st.builds(
    lambda kind, more: {**more, "kind": kind}, KINDS, st.dictionaries(KEYS, VALUES, max_size=4)
)


class Asked:
    """A project under review and how to ask."""

    def __init__(self, session: Session) -> None:
        self.session, self.keys = session, Keys()
        app = build_app(session, self.keys, PORT)
        self._client = TestClient(app, base_url=SELF, raise_server_exceptions=False)

    def get(self, path: str, **query: str) -> Any:
        """Ask with the right token."""
        return self._client.get(path, params=query, headers={TOKEN_HEADER: self.keys.token})

    def post(self, path: str, content: bytes) -> Any:
        """Send as the page does."""
        told = {
            TOKEN_HEADER: self.keys.token,
            "Origin": SELF,
            "Content-Type": "application/json",
        }
        return self._client.post(path, content=content, headers=told)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_project(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="module")
def asked(folder: Path) -> Iterator[Asked]:
    with Session.open(folder) as session:
        yield Asked(session)


def limits(examples: int) -> settings:
    chosen = settings() if LONG else settings(derandomize=True, max_examples=examples)
    return settings(chosen, deadline=None, suppress_health_check=list(HealthCheck))


def assert_answered(answer: Any) -> None:
    assert answer.status_code in (200, 304, 400, 403, 404, 405, 409, 413, 415), answer.text
    if answer.status_code >= 400:
        said = answer.json()
        assert said["error"].strip() and "\n" not in said["error"], said


def test_bodies(asked: Asked, folder: Path) -> None:
    @limits(40)
    @given(
        st.sampled_from(POSTS),
        st.one_of(
            st.binary(max_size=60),
            st.lists(st.sampled_from(seeds.WORDS), max_size=9).map(b"".join),
            st.sampled_from([b"[" * 100_000, b'{"a":' * 40_000, b"9" * 10_000, b'"\\ud800"']),
        ),
    )
    def send(path: str, content: bytes) -> None:
        assert_answered(asked.post(f"/api/{path}", content))

    before = (folder / "hexsight.yaml").read_bytes()
    send()
    assert (folder / "hexsight.yaml").read_bytes() == before


def test_edits(asked: Asked, folder: Path) -> None:
    import json  # noqa: PLC0415

    @limits(60)
    @given(EDITS)
    def send(edit: dict[str, Any]) -> None:
        body = json.dumps({"version": asked.session.version, "edit": edit}).encode()
        before = (folder / "hexsight.yaml").read_bytes()
        answer = asked.post("/api/edit", body)
        assert_answered(answer)
        if answer.status_code == 200:
            load_project(folder / "hexsight.yaml")
        else:
            assert (folder / "hexsight.yaml").read_bytes() == before

    send()


def test_paths(asked: Asked) -> None:
    @limits(60)
    @given(
        st.one_of(
            st.sampled_from([f"/api/{g}" for g in GETS]),
            st.lists(
                st.sampled_from(
                    [
                        *("api", "tile", "crop", "static", "..", "%2e%2e", "%00", "%ff", "-1"),
                        *("99999999999999999999", "index.html", "x", "", "\\", "etc", "passwd"),
                    ]
                ),
                max_size=8,
            ).map(lambda parts: "/" + "/".join(parts)),
        ),
        st.dictionaries(st.sampled_from(["from", "to", "x"]), NAMES, max_size=3),
    )
    def ask(path: str, query: dict[str, str]) -> None:
        if path.startswith("//"):
            path = path[1:]  # another computer, to a client
        answer = asked.get(path, **query)
        if not path.startswith("/api") and answer.status_code == 200:
            return
        assert_answered(answer)

    ask()
