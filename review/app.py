"""The review server as an application: page files, questions, corrections."""

from __future__ import annotations

import re
from importlib import resources

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from hexsight.review.api import handlers, routes
from hexsight.review.desk import Desk
from hexsight.review.security import Guard, Keys
from hexsight.review.session import Session

PAGE = "index.html"
_STATIC = "static"
_FILE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*\.(css|js|svg)")
_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


def build_app(session: Session, keys: Keys, port: int) -> ASGIApp:
    """The application, guarded.

    Parameters
    ----------
    session : Session
        What is looked at and corrected.
    keys : Keys
        Token of this start.
    port : int
        On which will be listened; requests that name another are refused.
    """
    desk = Desk(session)
    app = Starlette(
        routes=[
            Route("/", _index, methods=["GET"]),
            Route("/static/{name}", _static, methods=["GET"]),
            *routes(desk, keys),
        ],
        exception_handlers=handlers(desk),
    )
    # An address with a slash too many is none; no redirect tells what there is.
    app.router.redirect_slashes = False
    return Guard(app, keys, port)


def _index(request: Request) -> Response:
    return _file(PAGE, "text/html")


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    match = _FILE.fullmatch(name)
    if match is None:
        raise HTTPException(404)
    return _file(name, _TYPES[match[1]])


def _file(name: str, kind: str) -> Response:
    """One of the page's own files, as the package brings it."""
    found = resources.files("hexsight.review").joinpath(_STATIC, name)
    if not found.is_file():
        raise HTTPException(404)
    return Response(found.read_bytes(), media_type=kind, headers={"Cache-Control": "no-cache"})
