"""A file that appears whole or not at all."""

from __future__ import annotations

import contextlib
import glob
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from hexsight.model.errors import OutputError

if sys.platform == "win32":

    def _lock(number: int) -> bool:
        """Windows refuses to delete a file that another process has open: no need of a lock."""
        return True

else:
    import fcntl

    def _lock(number: int) -> bool:
        """Mark an open file as in use by a living process; False when another one has."""
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


def check_target(target: Path, *, overwrite: bool, source: Path | None = None) -> None:
    """Refuse a target before any work is done.

    Parameters
    ----------
    target : Path
        File to be written.
    overwrite : bool
        Whether it may exist.
    source : Path, optional
        What it is made from; the two must not be one, nor the target lie inside.

    Raises
    ------
    OutputError
        If it exists, is a folder, has no folder to lie in, or would touch the source.
    """
    try:
        if source is not None and source.is_dir():
            if target.resolve().is_relative_to(source.resolve()):
                raise OutputError(
                    f"Cannot write {target}: it lies inside {source}, which is being read. "
                    "Name a file outside of it."
                )
        elif source is not None and _same_file(source, target):
            raise OutputError(
                f"Cannot write {target}: it is the very file that is being read, and that one is "
                "never touched. Name another file."
            )
        if target.is_dir():
            raise OutputError(f"Cannot write {target}: it is a folder. Name a file.")
        if target.exists() and not overwrite:
            raise OutputError(f"{target} exists already. Add --force to replace it.")
        if not target.resolve().parent.is_dir():
            raise OutputError(f"Cannot write {target}: there is no folder {target.parent}.")
    except (OSError, RuntimeError, ValueError) as error:  # unreadable folder, link loop, NUL
        raise OutputError(f"Cannot write {target}: {error}.") from error


def _same_file(a: Path, b: Path) -> bool:
    """Whether two paths lead to one file, by whatever links."""
    return a.exists() and b.exists() and os.path.samefile(a, b)


@contextlib.contextmanager
def replacing(target: Path, *, overwrite: bool) -> Iterator[BinaryIO]:
    """Open a new file beside `target` that takes its place when all went well.

    On any exception, Ctrl-C included, it is removed and `target` stays what it
    was.  The content reaches the disk before the name does, so that a power cut
    leaves the old file or the whole new one too.

    Parameters
    ----------
    target : Path
        A link is followed: the file that it names is replaced.
    overwrite : bool
        Whether `target` may exist by then.

    Yields
    ------
    binary file
        Open for writing and reading.

    Raises
    ------
    OutputError
        If the folder is write-protected, the disk is full, `target` is locked,
        or came into being meanwhile and `overwrite` is false.
    """
    final = Path(os.path.realpath(target))
    _sweep(final)
    temporary = final.with_name(f".{final.name[:80]}.{secrets.token_hex(6)}.part")
    try:
        # Not mkstemp: its files are for the owner alone and would stay so.
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        number = os.open(temporary, flags, 0o666)
    except OSError as error:
        raise write_problem(target, error) from error
    try:
        with os.fdopen(number, "w+b") as file:
            _lock(number)
            yield file
            file.flush()
            os.fsync(file.fileno())
        if final.exists():
            if not overwrite:
                raise OutputError(f"{target} came into being meanwhile. Add --force to replace it.")
            shutil.copymode(final, temporary)
        os.replace(temporary, final)
    except OSError as error:
        raise write_problem(target, error) from error
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(final.parent)


def _sweep(final: Path) -> None:
    """Remove what a killed run left of an earlier try at the same target."""
    for left in final.parent.glob(f".{glob.escape(final.name[:80])}.*.part"):
        with contextlib.suppress(OSError), left.open("r+b") as file:
            if _lock(file.fileno()):
                if sys.platform == "win32":
                    file.close()
                left.unlink()


def write_problem(target: Path, error: OSError) -> OutputError:
    """What to tell of a failed write."""
    reason = error.strerror or str(error)
    if isinstance(error, PermissionError):
        return OutputError(
            f"Cannot write {target}: {reason}. Close VASSAL or whatever has it open, or name a "
            "file in a folder that is yours. The old file, if any, is untouched."
        )
    return OutputError(f"Cannot write {target}: {reason}. The old file, if any, is untouched.")


def _sync_folder(folder: Path) -> None:
    """Make the new name last; Windows has no such call and does it by itself."""
    if os.name == "nt":
        return
    try:
        number = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # a folder one may write into but not list: the file itself is whole
    try:
        os.fsync(number)
    except OSError:
        return  # some network file systems cannot; the same holds
    finally:
        os.close(number)
