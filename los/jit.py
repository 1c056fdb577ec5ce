"""How rule functions run: interpreted, and inside compiled loops.

`rule` marks a small function that both engines share.  It stays an ordinary
Python function and may, with numba present, also be called from the loops that
`compiled` makes.  numba itself is imported when such a loop is first called:
one line of sight is answered sooner without it.

numba looks only at the file of a compiled function when it decides whether a
cached one is still good, so the cache folder carries the digest of all source
files that can end up in compiled code.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

from hexsight.model.errors import MissingPartError, UsageError

F = TypeVar("F", bound=Callable[..., Any])
# Functions that numba has not been told of yet.
_RULES: list[Callable[..., Any]] = []
# Who is told that something is compiled; the innermost of `telling` counts.
_TELLERS: list[Callable[[str], None] | None] = []
_SAID: list[str] = []


@lru_cache(maxsize=1)
def have_numba() -> bool:
    """True when numba can be imported and is not turned off by ``HEXSIGHT_ENGINE=python``."""
    if os.environ.get("HEXSIGHT_ENGINE") == "python":
        return False
    return importlib.util.find_spec("numba") is not None


def check_engine(engine: str) -> None:
    """Refuse an engine that does not exist, or is not there.

    Raises
    ------
    UsageError
        If it is none of ``auto``, ``numba`` and ``python``.
    MissingPartError
        If numba is asked for and not installed.
    """
    if engine not in ("auto", "numba", "python"):
        raise UsageError(f"There is no engine {engine!r}. Use auto, numba or python.")
    if engine == "numba" and not have_numba():
        raise MissingPartError("The engine numba is not installed. Use --engine python.")


def rule(function: F) -> F:
    """Mark a function of integers and arrays that compiled code may call.

    It stays an ordinary function; numba, which takes long to import, is told
    of it only when something is compiled (`compiled`).
    """
    _RULES.append(function)
    return function


def _tell_numba() -> None:
    """Tell numba of all marked functions.

    Reference counting is off: nothing here allocates, and counting each array
    in and out of small functions took most of the time.
    """
    from numba.extending import register_jitable

    while _RULES:
        register_jitable(_nrt=False)(_RULES.pop())


def cache_folder() -> Path:
    """Folder for compiled kernels: in the user's cache, one for each state of the sources."""
    base = os.environ.get("XDG_CACHE_HOME") or (
        os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else None
    )
    root = Path(base) if base else Path.home() / ".cache"
    here = Path(__file__).parent
    digest = hashlib.sha256()
    for file in sorted([*here.glob("*.py"), *here.glob("rules/*.py"), *here.glob("hexes/*.py")]):
        digest.update(file.read_bytes())
    return root / "hexsight" / f"kernels-{digest.hexdigest()[:16]}"


def _writable(folder: Path) -> bool:
    """Whether files can be made in a folder; it is made when it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@contextmanager
def telling(tell: Callable[[str], None] | None) -> Iterator[None]:
    """Say once when something has to be compiled: it takes longer than most questions do.

    Parameters
    ----------
    tell : callable or None
        Gets one sentence, when compiling begins.  None: nothing is said, whatever those
        who called before asked for.
    """
    _TELLERS.append(tell)
    try:
        yield
    finally:
        _TELLERS.pop()


@lru_cache(maxsize=1)
def _listen(kept: bool) -> None:
    """Have numba say when it really compiles; it does not where its cache holds the loop."""
    from numba.core import event

    def begins(_listener: object, _event: object) -> None:
        tell = _TELLERS[-1] if _TELLERS else None
        if tell is None or _SAID:
            return
        once = (
            "once for this computer"
            if kept
            else f"for this run, as {cache_folder().parent} cannot be written"
        )
        _SAID.append(f"Compiling the program for lines, {once}: some 15 s")
        tell(_SAID[0])

    events: Any = event
    methods = {"on_start": begins, "on_end": lambda _listener, _event: None}
    events.register("numba:compile", type("Telling", (events.Listener,), methods)())


class Loop:
    """A loop that is compiled when it is first called.

    Parameters
    ----------
    function : callable
        The loop.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._made: Callable[..., Any] | None = None
        self._lock = threading.Lock()

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled loop."""
        if self._made is None:
            with self._lock:
                if self._made is None:
                    self._made = _compile(self._function)
        return self._made(*arguments)


def compiled(function: F) -> F:
    """Compile a loop with numba when it is first called; without numba return it as it is.

    What was compiled is kept in the user's cache folder.  Where that cannot be
    written (a read-only home), every run compiles anew.
    """
    return cast(F, Loop(function)) if have_numba() else function


def _compile(function: Callable[..., Any]) -> Callable[..., Any]:
    """The loop as machine code, from the cache if it holds it."""
    import numba

    _tell_numba()
    folder = cache_folder()
    keep = _writable(folder)
    _listen(keep)
    config: Any = numba.config
    njit: Any = numba.njit
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder) if keep else before
    try:
        made: Callable[..., Any] = njit(cache=keep, nogil=True, _nrt=False)(function)
    finally:
        config.CACHE_DIR = before
    return made
