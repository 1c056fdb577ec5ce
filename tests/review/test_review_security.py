"""Who may ask: host names, pages, tokens, sizes, methods; and what every answer carries."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette", reason="the extra review is not installed")
pytest.importorskip("httpx", reason="starlette's test client needs httpx")

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from hexsight.review.security import (
    HEADERS,
    MAX_BODY,
    TOKEN_HEADER,
    Guard,
    Keys,
    TooLargeError,
    host_names,
    too_large,
)

PORT = 8123
SELF = f"http://127.0.0.1:{PORT}"


async def _echo(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


def _client(keys: Keys, base: str = SELF) -> TestClient:
    app = Starlette(
        routes=[
            Route("/", _echo),
            Route("/api/thing", _echo, methods=["GET", "POST"]),
            Route("/api/enter", _echo, methods=["POST"]),
        ],
        exception_handlers={TooLargeError: lambda request, error: too_large()},
    )
    return TestClient(Guard(app, keys, PORT), base_url=base)


@pytest.fixture
def keys() -> Keys:
    return Keys()


@pytest.fixture
def client(keys: Keys) -> TestClient:
    return _client(keys)


def _ask(client: TestClient, keys: Keys, path: str = "/api/thing", **headers: str) -> Response:
    return client.get(path, headers={TOKEN_HEADER: keys.token, **headers})


def _send(client: TestClient, keys: Keys, content: bytes = b"{}", **headers: str) -> Response:
    told = {
        TOKEN_HEADER: keys.token,
        "Origin": SELF,
        "Content-Type": "application/json",
        **headers,
    }
    return client.post("/api/thing", content=content, headers=told)


def test_its_own_page_is_answered(client: TestClient, keys: Keys):
    assert client.get("/").status_code == 200
    assert _ask(client, keys).status_code == 200
    assert _send(client, keys).status_code == 200


@pytest.mark.parametrize("host", sorted(host_names(PORT)))
def test_every_name_of_the_loopback_interface_will_do(host: str, keys: Keys):
    client = _client(keys, f"http://{host}")
    assert _ask(client, keys, Host=host).status_code == 200
    sent = _send(client, keys, Host=host, Origin=f"http://{host}")
    assert sent.status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{PORT}",
        "127.0.0.1",
        f"127.0.0.1:{PORT + 1}",
        f"127.0.0.1.evil.example:{PORT}",
        f"localhost.:{PORT}",
        f"evil@127.0.0.1:{PORT}",
        f"0.0.0.0:{PORT}",
        "",
    ],
)
def test_a_name_that_leads_here_from_elsewhere_is_refused(
    client: TestClient, keys: Keys, host: str
):
    for path in ("/", "/api/thing"):
        answer = _ask(client, keys, path, Host=host)
        assert answer.status_code == 403
        assert answer.json()["kind"] == "forbidden"


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        f"https://127.0.0.1:{PORT}",
        f"http://127.0.0.1:{PORT + 1}",
        f"http://localhost:{PORT}",  # another name than the one that was asked
        f"{SELF}.evil.example",
        f"{SELF}/",
    ],
)
def test_another_page_is_refused(client: TestClient, keys: Keys, origin: str):
    assert _send(client, keys, Origin=origin).status_code == 403
    assert _ask(client, keys, Origin=origin).status_code == 403


def test_a_change_without_a_page_is_refused(client: TestClient, keys: Keys):
    headers = {TOKEN_HEADER: keys.token, "Content-Type": "application/json"}
    assert client.post("/api/thing", content=b"{}", headers=headers).status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "anything"])
def test_what_a_browser_says_of_the_asking_site_counts(client: TestClient, keys: Keys, site: str):
    assert _ask(client, keys, **{"Sec-Fetch-Site": site}).status_code == 403
    assert client.get("/", headers={"Sec-Fetch-Site": site}).status_code == 403
    assert client.get("/", headers={"Sec-Fetch-Site": "none"}).status_code == 200


@pytest.mark.parametrize("token", [None, "", "wrong", "ÿ", "x" * 10_000])
def test_without_the_token_nothing_is_told(client: TestClient, keys: Keys, token: str | None):
    headers = {} if token is None else {TOKEN_HEADER: token.encode("utf-8")}
    for path in ("/api/thing", "/api/none"):
        answer = client.get(path, headers=headers)
        assert answer.status_code == 403
        assert keys.token not in answer.text
    assert _send(client, keys, **{TOKEN_HEADER: "wrong"}).status_code == 403


def test_a_token_in_the_address_does_not_count(client: TestClient, keys: Keys):
    assert client.get(f"/api/thing?token={keys.token}").status_code == 403
    client.cookies.set(TOKEN_HEADER, keys.token)
    assert client.get("/api/thing").status_code == 403


def test_tokens_differ_from_start_to_start_and_are_long():
    one, two = Keys(), Keys()
    assert len({one.token, two.token, one.code, two.code}) == 4
    assert len(one.token) >= 40


def test_the_code_opens_once(keys: Keys):
    code = keys.code
    assert keys.enter("wrong") is None
    assert keys.enter(code) == keys.token
    assert keys.enter(code) is None
    assert keys.enter("") is None


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"])
def test_other_methods_are_refused(client: TestClient, keys: Keys, method: str):
    headers = {TOKEN_HEADER: keys.token, "Origin": SELF}
    answer = client.request(method, "/api/thing", headers=headers)
    assert answer.status_code == 405
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_a_form_of_another_page_could_send_no_json(client: TestClient, keys: Keys):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        assert _send(client, keys, **{"Content-Type": kind}).status_code == 415
    charset = {"Content-Type": "application/json; charset=utf-8"}
    assert _send(client, keys, **charset).status_code == 200


def test_bodies_are_bounded_with_and_without_a_length(client: TestClient, keys: Keys):
    assert _send(client, keys, b"x" * MAX_BODY).text == str(MAX_BODY)
    assert _send(client, keys, b"x" * (MAX_BODY + 1)).status_code == 413
    for length in ("-1", "1e9", "9" * 5000):
        assert _send(client, keys, **{"Content-Length": length}).status_code == 413

    def endless():
        for _ in range(1000):
            yield b"x" * 4096

    headers = {TOKEN_HEADER: keys.token, "Origin": SELF, "Content-Type": "application/json"}
    answer = client.post("/api/thing", content=endless(), headers=headers)
    assert answer.status_code == 413


def test_questions_are_bounded(client: TestClient, keys: Keys):
    assert _ask(client, keys, "/api/thing?from=" + "K" * 3000).status_code == 413


def test_every_answer_carries_the_headers_of_security(client: TestClient, keys: Keys):
    answers = [
        client.get("/"),
        client.get("/none"),
        _ask(client, keys),
        _ask(client, keys, Host="evil.example"),
        _send(client, keys, b"x" * (MAX_BODY + 1)),
    ]
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        assert answer.headers["Cache-Control"] == "no-store"


def test_the_policy_lets_nothing_inline_run_and_nothing_be_framed():
    policy = HEADERS["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy
    assert "*" not in policy


def test_web_sockets_are_not_taken(client: TestClient):
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/api/thing"):
        pass
