"""What the page asks and sends: one function an address.

Every failure that a person can mend ends as one sentence in JSON.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hexsight.model.errors import HexsightError, OutputError, UsageError
from hexsight.review.desk import Desk, to_bytes
from hexsight.review.geometry import Json
from hexsight.review.security import ENTER, Keys, TooLargeError, refusal, too_large
from hexsight.review.session import StaleError

_KEPT = "private, max-age=31536000, immutable"
Endpoint = Callable[[Request], Awaitable[Response]]


def routes(desk: Desk, keys: Keys) -> list[Route]:
    """All addresses below ``/api/``."""

    def asked(answer: Callable[[Request], Response]) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            return await run_in_threadpool(answer, request)

        return endpoint

    def told(answer: Callable[[Json], Json]) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            content = parse(await request.body())
            return reply(await run_in_threadpool(answer, content))

        return endpoint

    def board(request: Request) -> Response:
        return reply(desk.snapshot().text)

    def state(request: Request) -> Response:
        return reply({"version": desk.session.version, **desk.state()})

    def los(request: Request) -> Response:
        ends = _named(request, "from"), _named(request, "to")
        return reply(desk.los(*ends, request.query_params.get("observer")))

    def viewshed(request: Request) -> Response:
        observer = request.query_params.get("observer")
        return reply(desk.viewshed(_named(request, "from"), observer))

    def findings(request: Request) -> Response:
        return reply(desk.findings())

    def crop(request: Request) -> Response:
        data = desk.crop(request.path_params["finding"])
        if data is None:
            raise HTTPException(404)
        return Response(data, media_type="image/jpeg", headers={"Cache-Control": _KEPT})

    def tile(request: Request) -> Response:
        return _tile(desk, request)

    def enter(content: Json) -> Json:
        token = keys.enter(text_of(content, "code"))
        if token is None:
            raise _ForbiddenError
        return {"token": token}

    def edit(content: Json) -> Json:
        wanted = content.get("edit")
        if not isinstance(wanted, dict):
            raise UsageError("Say what to change: {version: …, edit: {kind: …}}.")
        return desk.change("edit", version_of(content), wanted)

    def accept(content: Json) -> Json:
        on = content.get("accepted", True)
        if not isinstance(on, bool):
            raise UsageError("accepted is true or false.")
        wanted = {"kind": "accept", "finding": text_of(content, "finding"), "on": on}
        if content.get("reason"):
            wanted["reason"] = text_of(content, "reason")
        return desk.change("edit", version_of(content), wanted)

    def step(what: str) -> Callable[[Json], Json]:
        return lambda content: desk.change(what, version_of(content))

    gets: dict[str, Callable[[Request], Response]] = {
        "/api/board": board,
        "/api/state": state,
        "/api/los": los,
        "/api/viewshed": viewshed,
        "/api/findings": findings,
        "/api/crop/{finding}/{map}": crop,
        "/api/tile/{layer}/{digest}/{z:int}/{x:int}/{y:int}": tile,
    }
    posts: dict[str, Callable[[Json], Json]] = {
        ENTER: enter,
        "/api/edit": edit,
        "/api/accept": accept,
        "/api/undo": step("undo"),
        "/api/redo": step("redo"),
        "/api/reload": step("reload"),
    }
    return [
        *(Route(path, asked(answer), methods=["GET"]) for path, answer in gets.items()),
        *(Route(path, told(answer), methods=["POST"]) for path, answer in posts.items()),
    ]


class _ForbiddenError(Exception):
    """A code that opens nothing."""


def handlers(desk: Desk) -> dict[Any, Any]:
    """What is answered to each kind of failure."""

    def failed(request: Request, error: Exception) -> Response:
        assert isinstance(error, HexsightError)
        if isinstance(error, StaleError):
            return refusal(409, "conflict", str(error), version=desk.session.version)
        if isinstance(error, OutputError):
            return refusal(503, "save", str(error))
        return refusal(400, "usage", str(error))

    def missing(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if error.status_code == 405:
            return refusal(405, "method", f"{request.method} is not how this is asked.")
        return refusal(404, "missing", "There is nothing at this address.")

    def forbidden(request: Request, error: Exception) -> Response:
        return refusal(
            403,
            "forbidden",
            "This address was used already. Open the one that hexsight review printed.",
        )

    def large(request: Request, error: Exception) -> Response:
        return too_large()

    def bug(request: Request, error: Exception) -> Response:
        return refusal(
            500,
            "bug",
            f"hexsight met a bug ({type(error).__name__}). Nothing that was saved is lost; see "
            "the window in which hexsight review runs.",
        )

    return {
        HexsightError: failed,
        HTTPException: missing,
        _ForbiddenError: forbidden,
        TooLargeError: large,
        Exception: bug,
    }


def reply(value: Json | bytes) -> Response:
    """JSON as an answer."""
    data = value if isinstance(value, bytes) else to_bytes(value)
    return Response(data, media_type="application/json")


def parse(body: bytes) -> Json:
    """The JSON object that a page sent.

    Raises
    ------
    UsageError
        If it is none.
    """

    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is no number")

    try:
        # 1e999 is a number of JSON and none of Python.
        found = json.loads(body.decode("utf-8"), parse_constant=refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"What was sent is no JSON ({error}).") from error
    if not isinstance(found, dict):
        raise UsageError("What was sent is no JSON object.")
    return found


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"{text} is too large")
    return value


def text_of(content: Json, key: str) -> str:
    """A text of a JSON object.

    Raises
    ------
    UsageError
        If there is none of that name.
    """
    value = content.get(key)
    if not isinstance(value, str):
        raise UsageError(f"{key} is missing, or no text.")
    return value


def version_of(content: Json) -> int:
    """The version that the page has seen.

    Raises
    ------
    UsageError
        If it tells none: an edit of what is not seen would be a blind one.
    """
    value = content.get("version")
    if not isinstance(value, int) or isinstance(value, bool):
        raise UsageError("version is missing: the number that the last answer told.")
    return value


def _named(request: Request, key: str) -> str:
    values = request.query_params.getlist(key)
    if len(values) != 1 or not values[0].strip():
        raise UsageError(f"Name one Location, such as {key}=K15@2.")
    return values[0]


def _tile(desk: Desk, request: Request) -> Response:
    where = request.path_params
    found = desk.tile(where["layer"], where["z"], where["x"], where["y"])
    if found is None:
        raise HTTPException(404)
    data, digest = found
    # The address names what is asked for; a page that missed a change gets what is there now,
    # and no browser may keep that under the old address.
    fresh = digest == where["digest"]
    tag = f'"{digest}-{where["z"]}-{where["x"]}-{where["y"]}"'
    headers = {"ETag": tag, "Cache-Control": _KEPT if fresh else "no-store"}
    if tag in [t.strip() for t in request.headers.get("if-none-match", "").split(",")]:
        return Response(status_code=304, headers=headers)
    return Response(data, media_type="image/png", headers=headers)
