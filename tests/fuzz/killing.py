"""Ends a process, or fills its disk, at an exact call that changes a file.

An audit hook sees what Python asks of the system (open, rename, remove, mkdir, …);
what files write is seen by wrapping the writers.  Each such call has a number.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

_EVENTS = frozenset(
    {
        *("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.symlink"),
        *("os.truncate", "os.chmod", "shutil.rmtree", "shutil.copymode"),
    }
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class _Trap:
    def __init__(self, pipe: int, kill_at: int, full_at: int) -> None:
        self._pipe, self._kill_at, self._full_at = pipe, kill_at, full_at
        self._count = 0
        self._inside = False

    def step(self, *, grows: bool) -> None:
        """One more call that changes a file."""
        if self._inside:
            return
        self._inside = True
        try:
            if self._count == self._kill_at:
                os.kill(os.getpid(), signal.SIGKILL)
            full = grows and 0 <= self._full_at <= self._count
            self._count += 1
            os.write(self._pipe, b".")
        finally:
            self._inside = False
        if full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def arm(pipe: int, kill_at: int, full_at: int) -> None:
    """Count from now on in this process; each call is told as a byte in the pipe."""
    trap = _Trap(pipe, kill_at, full_at)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in _EVENTS:
            trap.step(grows=event in ("os.mkdir", "os.link", "os.symlink"))
        elif event == "open":
            path, _, flags = arguments
            if isinstance(path, (str, bytes, os.PathLike)) and _counts(path, flags):
                trap.step(grows=bool(flags & os.O_CREAT))

    sys.addaudithook(hook)
    _wrap_writers(trap)


def _counts(path: Any, flags: Any) -> bool:
    if not isinstance(flags, int) or not flags & _WRITING:
        return False
    return not os.fsdecode(path).startswith(("/dev/", "/proc/"))


def _wrap_writers(trap: _Trap) -> None:
    """Files opened by name write through a class that counts."""
    real_open, real_fdopen = io.open, os.fdopen

    def counted(opened: Any, mode: str) -> Any:
        binary = isinstance(opened, (io.BufferedWriter, io.BufferedRandom, io.FileIO))
        if not binary or not any(m in mode for m in "wax+"):
            return opened
        kind: Any = _Random if isinstance(opened, io.BufferedRandom) else _Writer
        raw = opened.detach() if not isinstance(opened, io.FileIO) else opened
        new = kind(raw)
        new.trap = trap
        return new

    def open_(file: Any, mode: str = "r", *rest: Any, **more: Any) -> Any:
        return counted(real_open(file, mode, *rest, **more), mode)

    def fdopen(fd: int, mode: str = "r", *rest: Any, **more: Any) -> Any:
        return counted(real_fdopen(fd, mode, *rest, **more), mode)

    builtins.open, io.open, os.fdopen = open_, open_, fdopen  # type: ignore[assignment]
    for name in ("fsync", "replace"):
        _wrap_call(trap, name)


def _wrap_call(trap: _Trap, name: str) -> None:
    real: Callable[..., Any] = getattr(os, name)

    def call(*arguments: Any, **more: Any) -> Any:
        trap.step(grows=False)
        return real(*arguments, **more)

    setattr(os, name, call)


class _Writer(io.BufferedWriter):
    trap: _Trap

    def write(self, data: Any) -> int:
        self.trap.step(grows=True)
        done = super().write(data)
        # Half of what is written last may be on the disk when a process is killed.
        super().flush()
        return done


class _Random(io.BufferedRandom):
    trap: _Trap

    def write(self, data: Any) -> int:
        self.trap.step(grows=True)
        done = super().write(data)
        super().flush()
        return done
