"""Write a board as a VASL board archive: a new one, or a copy of one that is there."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from hexsight.export.original import open_original
from hexsight.export.rewrite import Progress, RewriteReport, plan_rewrite, rewrite_zip
from hexsight.export.vasl_grid import VaslGrid, grid_for
from hexsight.export.vasl_losdata import (
    board_losdata,
    losdata_member,
    same_losdata,
    substituted,
)
from hexsight.export.vasl_metadata import METADATA, About, edited_metadata, new_metadata
from hexsight.model.atomic import check_target
from hexsight.model.board import Board
from hexsight.model.errors import InputError, OutputError, UsageError
from hexsight.model.losdata import LosData

LOSDATA = "LOSData"


@dataclass(frozen=True)
class VaslReport:
    """What was written.

    Attributes
    ----------
    members : RewriteReport
        Added, replaced and kept members.
    notes : tuple of str
        What VASL cannot say of the board.
    """

    members: RewriteReport
    notes: tuple[str, ...]


def new_archive(
    board: Board,
    target: Path,
    picture: bytes,
    about: About,
    *,
    overwrite: bool = False,
    dry_run: bool = False,
) -> VaslReport:
    """Write a new VASL board archive.

    Parameters
    ----------
    board : Board
    target : Path
        Such as ``bdMYTOWN``.
    picture : bytes
        The board's picture, a file of its size; written as it is.
    about : About
    overwrite : bool
        Whether `target` may exist.
    dry_run : bool
        Only tell what would be written.

    Raises
    ------
    UnsupportedError
        If VASL cannot express the grid or the elevations.
    UsageError
        If the picture's name is no plain file name.
    OutputError, VerificationError
        As `rewrite_zip` does.
    """
    check_target(target, overwrite=overwrite)
    if Path(about.image_name).name != about.image_name or about.image_name in (METADATA, LOSDATA):
        raise UsageError(
            f"{about.image_name!r} cannot be the name of a picture: use plain letters."
        )
    grid = grid_for(board)
    notes = grid.notes + substituted(board)
    members = {
        METADATA: new_metadata(board, grid, about),
        LOSDATA: losdata_member(board_losdata(board, grid), f"{LOSDATA} in {target.name}"),
        about.image_name: picture,
    }
    if dry_run:
        return VaslReport(RewriteReport(added=tuple(sorted(members))), notes)
    try:
        with tempfile.TemporaryDirectory(prefix="hexsight-") as folder:
            for name, data in members.items():
                (Path(folder) / name).write_bytes(data)
            written = rewrite_zip(Path(folder), target, overwrite=overwrite)
    except OSError as error:
        raise OutputError(f"Cannot write {target}: {error.strerror or error}.") from error
    report = RewriteReport(added=tuple(sorted(members)), size_bytes=written.size_bytes)
    return VaslReport(report, notes)


def into_archive(
    board: Board,
    source: Path,
    target: Path,
    grid: VaslGrid,
    before: LosData | None,
    *,
    overwrite: bool = False,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> VaslReport:
    """Copy a VASL board archive with a board's LOSData; all other members stay byte for byte.

    Parameters
    ----------
    board : Board
    source : Path
        Archive, or the unpacked folder of one.
    target : Path
        The new archive.
    grid : VaslGrid
        Of `source`, from `grid_of_archive`.
    before : LosData or None
        What `source` holds.  Where the board says the same, the member stays too.
    overwrite : bool
        Whether `target` may exist.
    dry_run : bool
        Only tell what would be done.
    progress : callable, optional

    Raises
    ------
    UnsupportedError
        If VASL cannot express the elevations.
    InputError
        If the picture of `source` is of another size.
    OutputError, VerificationError
        As `rewrite_zip` does.
    """
    check_target(target, overwrite=overwrite, source=source)
    losdata = board_losdata(board, grid)
    notes = grid.notes + substituted(board)
    with open_original(source) as original:
        names = original.names
        metadata = original.read(METADATA) if METADATA in names else None
    if metadata is None:
        raise InputError(
            f"Cannot write into {source.name}: it is a board from before VASL 6 and has no "
            f"{METADATA}. Make a new archive with --picture."
        )
    changed: dict[str, bytes] = {}
    if before is None or not same_losdata(losdata, before):
        changed[LOSDATA] = losdata_member(losdata, f"{LOSDATA} in {target.name}")
    where = f"{METADATA} in {source.name}"
    edited = edited_metadata(metadata, where, board, grid, losdata, before)
    if edited != metadata:
        changed[METADATA] = edited
    add = {n: d for n, d in changed.items() if n not in names}
    replace = {n: d for n, d in changed.items() if n in names}
    if dry_run:
        return VaslReport(plan_rewrite(source, add=add, replace=replace), notes)
    written = rewrite_zip(
        source, target, add=add, replace=replace, overwrite=overwrite, progress=progress
    )
    return VaslReport(written, notes)
