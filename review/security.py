"""Who may ask the review server anything: its own page, on this computer, and nobody else.

A server on the loopback interface is reached by every page that the browser has open and
by every user of the computer.  So each request is held against four things: the name
it was asked by (a page of an attacker can point its own name at 127.0.0.1: DNS rebinding),
the page it comes from (Origin, Sec-Fetch-Site), a token that only who started the server
knows, and its size.

The token travels in a header.  A cookie would do for the browser but is bound to a host
and not to a port: each other server on this computer would be sent it.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN_HEADER = "X-Hexsight-Token"
# Names that lead to the loopback interface whatever a name server says.
LOOPBACK = ("127.0.0.1", "localhost", "::1")
MAX_BODY = 256 * 1024  # bytes: an outline of ten thousand vertices
MAX_QUERY = 2048  # bytes: two names of Locations
ENTER = "/api/enter"
_API = "/api/"

# Nothing but the page's own files, no inline style or program, and no way to turn a text
# into markup (trusted types): whatever a hex of a foreign module is called.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), usb=(), payment=()",
}
_MADE_WITH = "Open the address that hexsight review printed."


@dataclass
class Keys:
    """The token of one start, and a code that is swapped for it once.

    The code is for the browser that hexsight opens itself: the address of a page is
    seen by every user of the computer in the list of processes, and a code that was used is
    worth nothing.
    """

    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    _code: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def code(self) -> str:
        """The code, "" when it was used."""
        return self._code

    def fits(self, token: str | None) -> bool:
        """Whether a token is the right one; takes as long for each wrong one."""
        return token is not None and hmac.compare_digest(
            token.encode("utf-8", "replace"), self.token.encode()
        )

    def enter(self, code: str) -> str | None:
        """The token for the code, once; None for any other."""
        with self._lock:
            right = hmac.compare_digest(code.encode("utf-8", "replace"), self._code.encode())
            if not (right and self._code):
                return None
            self._code = ""
            return self.token


def host_names(port: int) -> frozenset[str]:
    """What the Host header of an honest request says."""
    names = [f"[{name}]" if ":" in name else name for name in LOOPBACK]
    return frozenset(f"{name}:{port}" for name in names)


def refusal(status: int, kind: str, sentence: str, **more: object) -> JSONResponse:
    """An error as the page understands it."""
    return JSONResponse({"error": sentence, "kind": kind, **more}, status)


class Guard:
    """Middleware that lets through what may be asked, and adds the headers of security.

    Parameters
    ----------
    app : ASGI application
    keys : Keys
    port : int
        On which is listened.
    """

    def __init__(self, app: ASGIApp, keys: Keys, port: int) -> None:
        self.app = app
        self.keys = keys
        self.hosts = host_names(port)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, refuse or hand on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = self._refuse(scope)
        if refused is not None:
            await refused(scope, receive, sealed)
            return
        await self.app(scope, _Bounded(receive), sealed)

    def _refuse(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts:
            return refusal(403, "forbidden", f"This server answers to no such name. {_MADE_WITH}")
        method, path = scope["method"], scope["path"]
        writes = method not in ("GET", "HEAD")
        if not self._own_page(headers, required=writes):
            return refusal(403, "forbidden", "Another page asked; only the review page may.")
        if len(scope.get("query_string", b"")) > MAX_QUERY:
            return refusal(413, "size", "The question is too long.")
        if method not in ("GET", "HEAD", "POST"):
            return refusal(405, "method", f"Nothing here is asked by {method[:16]}.")
        if not path.startswith(_API):
            return None
        if path != ENTER and not self.keys.fits(headers.get(TOKEN_HEADER)):
            return refusal(
                403, "forbidden", f"The token is missing or of an earlier start. {_MADE_WITH}"
            )
        return self._refuse_body(headers) if method == "POST" else None

    def _own_page(self, headers: Headers, *, required: bool) -> bool:
        """Whether a request comes from the page of this server, as far as it tells.

        A browser sends Origin with every POST; a request that changes something must bring it.
        """
        origins = headers.getlist("origin")
        if origins or required:
            allowed = {f"http://{host}" for host in self.hosts}
            if len(origins) != 1 or origins[0].lower() not in allowed:
                return False
            if origins[0].lower() != f"http://{headers['host'].lower()}":
                return False
        # "none" is an address that was typed or opened by hexsight.
        return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")

    @staticmethod
    def _refuse_body(headers: Headers) -> Response | None:
        kind = headers.get("content-type", "").split(";")[0].strip().lower()
        if kind != "application/json":
            return refusal(415, "usage", "Send JSON (Content-Type: application/json).")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length[:20]) > MAX_BODY:
            return too_large()
        return None


class TooLargeError(Exception):
    """A body went on beyond `MAX_BODY`; the application answers with `too_large`."""


class _Bounded:
    """Hands on a body and stops at its limit: a length may be missing or wrong."""

    def __init__(self, receive: Receive) -> None:
        self.receive = receive
        self.seen = 0

    async def __call__(self) -> Message:
        message = await self.receive()
        if message["type"] == "http.request":
            self.seen += len(message.get("body", b""))
            if self.seen > MAX_BODY:
                raise TooLargeError
        return message


def too_large() -> Response:
    """The refusal of a body beyond `MAX_BODY`."""
    return refusal(413, "size", f"Nothing larger than {MAX_BODY // 1024} KiB is taken.")
