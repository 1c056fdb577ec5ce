"""One review server a project: two would each undo what the other wrote."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from hexsight.model.errors import OutputError

LOCK = ".hexsight-review.lock"


@contextlib.contextmanager
def project_lock(file: Path | None) -> Iterator[None]:
    """Hold a project for as long as it is open.

    The system lets go of it when the process ends, however it ends.

    Parameters
    ----------
    file : Path or None
        The hexsight.yaml; None for what cannot be changed and needs no lock.

    Raises
    ------
    OutputError
        If another server has it open.
    """
    if file is None:
        yield
        return
    path = file.resolve().with_name(LOCK)
    held = _hold(path)
    if held is None:
        yield
        return
    try:
        yield
    finally:
        # While it is held, so that nobody is left with a lock on a file without a name.
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                held.close()
            path.unlink()
        held.close()


def _hold(path: Path) -> BinaryIO | None:
    """The lock file, open and locked; None where there can be none."""
    while True:
        try:
            held = path.open("ab")
        except OSError:
            return None  # a folder that nobody may write to: nothing can be saved there either
        try:
            _lock(held)
        except (BlockingIOError, PermissionError) as error:
            held.close()
            raise OutputError(
                f"{path.parent} is open in another hexsight review. Close that one (Ctrl-C in its "
                "window), or go on in its page."
            ) from error
        except OSError:
            held.close()
            return None  # some network file systems know no locks
        # Whoever held it may have removed it between our opening and locking it.
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(held.fileno()), path.stat()):
                return held
        held.close()


if sys.platform == "win32":
    import msvcrt

    def _lock(held: BinaryIO) -> None:
        held.seek(0)
        msvcrt.locking(held.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(held: BinaryIO) -> None:
        fcntl.flock(held.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
