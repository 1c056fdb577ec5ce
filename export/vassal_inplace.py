"""Change a module where it lies, with a copy of the old file kept beside it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from hexsight.model.atomic import check_target, replacing, write_problem
from hexsight.model.errors import InputError, OutputError, UsageError

T = TypeVar("T")


def backup_of(source: Path) -> Path:
    """Where the old file goes: ``game.vmod.bak``."""
    return source.with_name(source.name + ".bak")


def draft_of(source: Path) -> Path:
    """Where the new file is made before it takes the place of the old one."""
    return source.with_name(f".{source.name[:80]}.hexsight-new")


def check_in_place(source: Path, *, overwrite: bool) -> None:
    """Refuse before any work what cannot be changed where it lies.

    Raises
    ------
    UsageError
        If it is a folder.
    OutputError
        If it is locked (VASSAL has it open) or write-protected, or there is a
        copy of an earlier time and `overwrite` is false.
    """
    if source.is_dir():
        raise UsageError(
            f"{source} is a folder: --in-place takes a packed module. Name one with -o."
        )
    try:
        with source.open("r+b"):
            pass
    except FileNotFoundError as error:
        raise InputError(f"Cannot find {source}: there is no such file.") from error
    except OSError as error:
        raise write_problem(source, error) from error
    backup = backup_of(source)
    if backup.exists() and not overwrite:
        raise OutputError(
            f"{backup} exists already and may be your only untouched copy. Move it away, or add "
            "--force to replace it."
        )
    check_target(backup, overwrite=overwrite, source=source)


def change_in_place(source: Path, write: Callable[[Path], T], *, overwrite: bool = False) -> T:
    """Replace a file by what is made of it; the old one stays as ``….bak``.

    Parameters
    ----------
    source : Path
        A link is followed.
    write : callable
        Writes the new file to the path that it is given, and verifies it.
    overwrite : bool
        Whether an older ``.bak`` may be replaced.

    Returns
    -------
    What `write` returns.

    Raises
    ------
    OutputError
        If the file is locked, or there is a ``.bak``; the file is untouched then.
    """
    source = Path(os.path.realpath(source))
    check_in_place(source, overwrite=overwrite)
    new = draft_of(source)
    try:
        new.unlink(missing_ok=True)
        result = write(new)
        shutil.copymode(source, new)
        with replacing(backup_of(source), overwrite=overwrite) as file, source.open("rb") as old:
            shutil.copyfileobj(old, file)
        shutil.copystat(source, backup_of(source))
        os.replace(new, source)
    except OSError as error:
        raise write_problem(source, error) from error
    finally:
        new.unlink(missing_ok=True)
    return result
