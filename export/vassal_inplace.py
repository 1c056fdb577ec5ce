"""Change a module where it lies, with a copy of the old file kept beside it."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

from hexsight.model.atomic import check_target, replacing, write_problem
from hexsight.model.errors import InputError, UsageError

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


def backup_of(source: Path) -> Path:
    """Where the old file would go: ``game.vmod.bak``, or the next free of ``.bak2``, ``.bak3``….

    The first copy may be the only one that no export touched, so none is ever replaced.
    A link to the file is followed.
    """
    source = Path(os.path.realpath(source))
    numbered = (f".bak{n}" for n in itertools.count(2))
    names = (source.with_name(source.name + end) for end in itertools.chain([".bak"], numbered))
    # A dangling link counts too: a copy written through it would land elsewhere.
    return next(path for path in names if not os.path.lexists(path))


def draft_of(source: Path) -> Path:
    """Where the new file is made before it takes the place of the old one."""
    return source.with_name(f".{source.name[:80]}.hexsight-new")


def check_in_place(source: Path) -> None:
    """Refuse before any work what cannot be changed where it lies.

    Parameters
    ----------
    source : Path

    Raises
    ------
    UsageError
        If it is a folder.
    OutputError
        If it is locked (VASSAL has it open) or write-protected.
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
    check_target(backup_of(source), overwrite=False, source=source)


def change_in_place(
    source: Path,
    write: Callable[[Path], T],
    *,
    backup: Path | None = None,
) -> T:
    """Replace a file by what is made of it; the old one stays beside it.

    Parameters
    ----------
    source : Path
        A link is followed.
    write : callable
        Writes the new file to the path that it is given, and verifies it.
    backup : Path, optional
        Where the old one goes, as `backup_of` said; asked again without.

    Returns
    -------
    What `write` returns.

    Raises
    ------
    OutputError
        If the file is locked, or `backup` exists; the file is untouched then.
    """
    source = Path(os.path.realpath(source))
    check_in_place(source)
    backup = backup or backup_of(source)
    new = draft_of(source)
    try:
        new.unlink(missing_ok=True)
        result = write(new)
        shutil.copymode(source, new)
        with replacing(backup, overwrite=False) as file, source.open("rb") as old:
            shutil.copyfileobj(old, file)
        shutil.copystat(source, backup)
        os.replace(new, source)
    except OSError as error:
        raise write_problem(source, error) from error
    finally:
        new.unlink(missing_ok=True)
    return result


class Writer(Protocol[T_co]):
    """Writes the copy of a file to a path, or with `dry_run` only plans it."""

    def __call__(self, path: Path, *, overwrite: bool = False, dry_run: bool = False) -> T_co:
        """Write the copy to `path`.

        Parameters
        ----------
        path : Path
            Of the copy.
        overwrite : bool
            Whether a file that is there may be replaced.
        dry_run : bool
            Only tell what would be written.
        """


def in_place_or_copy(
    write: Writer[T],
    source: Path,
    target: Path | None,
    *,
    dry_run: bool,
    force: bool,
    backup: Path | None = None,
) -> T:
    """Write a copy to `target`, or with None change the source itself and keep a ``.bak``.

    Parameters
    ----------
    write : Writer
    source : Path
    target : Path or None
    dry_run : bool
    force : bool
        Whether `target` may be replaced.
    backup : Path, optional
        As for `change_in_place`.

    Raises
    ------
    HexsightError
        As `write` and `change_in_place` do.
    """
    if target is not None:
        return write(target, overwrite=force, dry_run=dry_run)
    if dry_run:
        check_in_place(source)
        return write(draft_of(source), dry_run=True)
    return change_in_place(source, write, backup=backup)
