"""Run the review server: a port on this computer, a page in the browser, a clean end."""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable

import uvicorn

from hexsight.model.errors import OutputError, UsageError
from hexsight.review.app import build_app
from hexsight.review.security import LOOPBACK, Keys
from hexsight.review.session import Session

_MAX_HEAD = 16 * 1024  # bytes of a request's head
_MAX_OPEN = 64  # connections at once: one page opens six


def listen(host: str, port: int | None) -> socket.socket:
    """A socket on this computer, on a free port unless one is named.

    Raises
    ------
    UsageError
        If the host is another than this computer.
    OutputError
        If the port is taken.
    """
    if host not in LOOPBACK:
        raise UsageError(
            f"--host {host} would let other computers change your project; hexsight review "
            "answers to this one only. Leave --host out, or tunnel the port (ssh -L)."
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # A name server has no say in what "localhost" is.
    address = "127.0.0.1" if host == "localhost" else host
    # asyncio sends small answers at once only where it is told that this is TCP; without that
    # each waits 40 ms for the other side to confirm its head.
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform == "win32":
            # Elsewhere a port in use cannot be taken over; there it can without this.
            found.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((address, port or 0))
        found.listen(_MAX_OPEN)
    except OSError as error:
        found.close()
        raise OutputError(
            f"Cannot listen on {host}:{port or 'any port'}: {error.strerror or error}. Leave "
            "--port out to have a free one chosen."
        ) from error
    return found


def address_of(listening: socket.socket, host: str, secret: str) -> str:
    """Address of the page; what opens it stands behind the #, which no browser sends anywhere."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{listening.getsockname()[1]}/#{secret}"


class Short(logging.Filter):
    """Tells a bug in one sentence instead of a traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten what is told; nothing is held back."""
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            said = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            record.msg = (
                f"hexsight met a bug ({said}). Nothing that was saved is lost. Run it again "
                "with --debug and report what it prints."
            )
            record.args, record.exc_info, record.exc_text = (), None, None
        return True


class _Server(uvicorn.Server):
    """Tells when it listens."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets=sockets)
        if self.started:
            self._ready()


def serve(
    session: Session,
    listening: socket.socket,
    host: str,
    *,
    open_page: bool,
    tell: Callable[[str, str], None],
    debug: bool = False,
) -> None:
    """Serve until Ctrl-C or a signal ends it.

    Parameters
    ----------
    session : Session
    listening : socket
        From `listen`.
    host : str
        As it was named, for the address.
    open_page : bool
        Whether to open the page in the browser.
    tell : callable
        Takes the address of the page, and what its user should know.
    debug : bool
        Show the traceback of a bug.
    """
    keys = Keys()

    def ready() -> None:
        tell(
            address_of(listening, host, keys.token),
            "Corrections are saved at once. Ctrl-C ends it."
            if session.can_save
            else f"Only to look at: {session.why_not} Ctrl-C ends it.",
        )
        if open_page and _has_screen():
            page = address_of(listening, host, f"once={keys.code}")
            # A browser may hold on to who calls it.
            threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()

    app = build_app(session, keys, listening.getsockname()[1])
    config = uvicorn.Config(
        app,
        loop="asyncio",
        http="h11",
        ws="none",
        lifespan="off",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_MAX_OPEN,
        timeout_keep_alive=60,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=_MAX_HEAD,
    )
    server = _Server(config, ready)
    if not debug:
        logging.getLogger("uvicorn.error").addFilter(Short())
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        # How one ends a server is no failure; what came before it listened is.
        if not server.started:
            raise
    finally:
        listening.close()


def _has_screen() -> bool:
    """Whether a browser would open in a window and not in this very terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
