"""One door to files that are read: what is no file never makes hexsight wait or fill its memory."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from hexsight.model.errors import InputError

_PART = 1 << 24


def open_input(path: Path, label: str | None = None) -> BinaryIO:
    """Open a file for reading.

    A pipe nobody writes into would be waited for without end, and a device such as
    ``/dev/zero`` has no end: neither is ever asked for its content.

    Parameters
    ----------
    path : Path
    label : str, optional
        Name for messages; the path without.

    Raises
    ------
    OSError
        If it cannot be opened; callers tell better than this what to do about it.
    InputError
        If it is a folder, a pipe, a device or a socket.
    """
    label = label or str(path)
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        # Without O_NONBLOCK opening alone waits for somebody to write into a pipe.
        number = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    except ValueError as error:  # a NUL in its name
        raise InputError(f"Cannot read {label}: {error}.") from error
    try:
        mode = os.fstat(number).st_mode
        if not stat.S_ISREG(mode):
            what = "a folder" if stat.S_ISDIR(mode) else "a pipe or device"
            raise InputError(f"Cannot read {label}: it is {what}, not a file. Name a file.")
        return os.fdopen(number, "rb")
    except BaseException:
        os.close(number)
        raise


def read_input(path: Path, max_bytes: int, label: str | None = None) -> bytes:
    """All bytes of a file.

    Parameters
    ----------
    path : Path
    max_bytes : int
        Refuse larger files.
    label : str, optional
        Name for messages; the path without.

    Raises
    ------
    FileNotFoundError
        If there is none; callers tell better than this what to do about it.
    InputError
        If it cannot be read, is too large, or is no file, as `open_input`.
    """
    label = label or str(path)
    try:
        with open_input(path, label) as stream:
            size = os.fstat(stream.fileno()).st_size
            parts, left = [], max_bytes + 1 if size <= max_bytes else 0
            # Not all at once: Python makes room for as much as it is asked for.
            while left > 0 and (part := stream.read(min(_PART, left))):
                parts.append(part)
                left -= len(part)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise InputError(f"Cannot read {label}: {error.strerror or error}.") from error
    if left <= 0:
        raise InputError(f"Cannot read {label}: it is larger than {max_bytes // 1_000_000} MB.")
    return b"".join(parts)
