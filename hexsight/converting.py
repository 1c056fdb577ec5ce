"""Between VASL's board archives and hexsight's board folders, both ways."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from hexsight.export.rewrite import RewriteReport, rewrite_zip
from hexsight.export.vasl import LOSDATA, VaslReport, into_archive, new_archive
from hexsight.export.vasl_grid import VaslGrid, grid_of_archive
from hexsight.export.vasl_metadata import METADATA, About
from hexsight.export.vassal_inplace import in_place_or_copy
from hexsight.extract.archive import is_zip, open_source
from hexsight.extract.boardarchive import BoardArchive, is_board_archive, read_board_archive
from hexsight.extract.image import MAX_FILE_BYTES, load_picture
from hexsight.model.board import Board
from hexsight.model.errors import InputError, OutputError, UnsupportedError, UsageError
from hexsight.model.inputs import read_input
from hexsight.model.losdata import LosData
from hexsight.model.store import load_board, save_board
from hexsight.output import check_output
from hexsight.pipeline import extract_board
from hexsight.progress import Reporter, Silent
from hexsight.reading import request_from

# The archive that a board folder was read from, kept so that the way back needs nothing else.
KEPT_ARCHIVE = "vasl-board.zip"
# Half-levels in the model are bytes.
LEVELS = (-64, 63)


@dataclass(frozen=True)
class Target:
    """How a board is to be written as an archive.

    Attributes
    ----------
    path : Path or None
        None changes the archive `into` where it lies.
    into : Path or None
        Archive to write a copy of; None for the kept one, or a new one.
    picture : Path or None
        Picture of a new archive.
    version, version_date, author : str
        Of a new archive.
    """

    path: Path | None
    into: Path | None = None
    picture: Path | None = None
    version: str = "1.0"
    version_date: str = ""
    author: str = ""


def is_vasl_board(path: Path) -> bool:
    """Whether a path is a VASL board, packed or unpacked.

    Raises
    ------
    InputError
        If it looks like one and cannot be read.
    """
    if not path.is_dir() and not (path.is_file() and is_zip(path)):
        return False
    with open_source(path) as files:
        return is_board_archive(files)


def archive_to_folder(
    source: Path, folder: Path, *, overwrite: bool = False, reporter: Reporter | None = None
) -> Board:
    """Read a VASL board's LOSData into a board folder; its archive is kept in the folder.

    Raises
    ------
    UsageError
        If it holds no LOSData.
    UnsupportedError
        If it has elevations beyond what the model holds.
    InputError, OutputError, VerificationError
        If it cannot be read or written.
    """
    reporter = reporter or Silent()
    archive = read_board_archive(source)
    losdata = archive.losdata()
    if losdata is None:
        raise UsageError(
            f"{source.name} holds no LOSData to convert. Read its picture instead: "
            f"hexsight extract {source} -o FOLDER."
        )
    _check_levels(losdata, source)
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{folder} is a file. Name a folder with -o.")
    if source.is_dir() and folder.resolve().is_relative_to(source.resolve()):
        raise OutputError(f"{folder} lies in {source}, which is being read. Name another folder.")
    if not overwrite and (folder / KEPT_ARCHIVE).exists():
        raise OutputError(f"{folder} holds a board already. Add --force to replace it.")
    board = extract_board(request_from(source, from_losdata=True), reporter).board
    save_board(board, folder, overwrite=overwrite)
    kept = folder / KEPT_ARCHIVE
    if not (kept.exists() and kept.samefile(source)):
        rewrite_zip(source, kept, overwrite=overwrite)
    return board


def _check_levels(losdata: LosData, source: Path) -> None:
    low, high = int(losdata.elevation.min()), int(losdata.elevation.max())
    if low < LEVELS[0] or high > LEVELS[1]:
        raise UnsupportedError(
            f"{LOSDATA} in {source.name} has levels from {low} to {high}, and a board holds "
            f"{LEVELS[0]} to {LEVELS[1]}. Such ground is a fault of the file: mend it in VASL."
        )


def folder_to_archive(
    folder: Path,
    target: Target,
    *,
    overwrite: bool = False,
    dry_run: bool = False,
    reporter: Reporter | None = None,
) -> VaslReport:
    """Write a board folder as a VASL board archive.

    Parameters
    ----------
    folder : Path
    target : Target
    overwrite, dry_run : bool
    reporter : Reporter, optional

    Raises
    ------
    UsageError
        If there is neither an archive to copy nor a picture.
    UnsupportedError
        If VASL cannot express the board.
    InputError, OutputError, VerificationError
        If something cannot be read or written.
    """
    reporter = reporter or Silent()
    board = load_board(folder)
    if target.picture is not None and target.path is not None:
        return _new(board, folder, target, target.path, target.picture, overwrite, dry_run)
    ground = target.into
    if ground is None and target.path is None:
        raise UsageError("Name the archive to change with --into.")
    if ground is None:
        ground = folder / KEPT_ARCHIVE
        if not ground.is_file():
            raise UsageError(
                f"{folder} was not made from a VASL board. Name the map's picture with --picture, "
                "or with --into the archive to write a copy of."
            )
    archive = read_board_archive(ground)
    if target.into is None:
        _check_kept(board, archive, ground)
    reporter.step(f"Writing {(target.path or ground).name}")
    before = archive.losdata()
    grid = archive_grid(board, archive, before)

    def write(path: Path, *, overwrite: bool = False, dry_run: bool = False) -> RewriteReport:
        return into_archive(
            board,
            ground,
            path,
            grid,
            before,
            overwrite=overwrite,
            dry_run=dry_run,
            progress=reporter.done,
        ).members

    members = in_place_or_copy(write, ground, target.path, dry_run=dry_run, force=overwrite)
    return VaslReport(members, grid.notes)


def archive_grid(board: Board, archive: BoardArchive, before: LosData | None) -> VaslGrid:
    """Grid of an archive, with the board's hexes in their places.

    Raises
    ------
    InputError
        If the archive's picture is of another size.
    UnsupportedError
        If the board's hexes are not the archive's.
    """
    size = load_picture(archive.image_data, f"{archive.image_name} in {archive.path.name}").size_px
    if size != board.size_px:
        raise InputError(
            f"The picture of {archive.path.name} is {size[0]} × {size[1]} px and board "
            f"{board.name} {board.size_px[0]} × {board.size_px[1]}. Name the archive of this board."
        )
    dimensions = archive.size_hexes
    if before is not None:
        dimensions = (before.width, before.height)
    if dimensions is None:
        raise InputError(
            f"Cannot write into {archive.path.name}: it is a board from before VASL 6 and has no "
            f"{METADATA}. Make a new archive with --picture."
        )
    return grid_of_archive(
        board,
        archive.naming,
        dimensions,
        archive.hexes(size),
        config=archive.hex_grid_config,
        rows=before.rows if before is not None else None,
    )


def _is_of(board: Board, archive: BoardArchive) -> bool:
    digest = hashlib.sha256(archive.metadata_bytes or b"").hexdigest()
    return board.provenance.inputs_sha256.get(METADATA) == digest


def _check_kept(board: Board, archive: BoardArchive, ground: Path) -> None:
    """The folder may have been built anew from something else since."""
    if not _is_of(board, archive):
        raise UsageError(
            f"{ground} is not the archive that board {board.name} was made from. Name that one "
            "with --into, or the map's picture with --picture."
        )


def _new(
    board: Board,
    folder: Path,
    target: Target,
    path: Path,
    picture: Path,
    overwrite: bool,
    dry_run: bool,
) -> VaslReport:
    loaded = load_picture(picture)
    if loaded.size_px != board.size_px:
        raise InputError(
            f"{picture} is {loaded.size_px[0]} × {loaded.size_px[1]} px and board {board.name} "
            f"{board.size_px[0]} × {board.size_px[1]}. Name the map that the board was made from."
        )
    check_output(path, [picture, folder])
    data = read_input(picture, MAX_FILE_BYTES)
    name = path.name.removeprefix("bd") or board.name
    about = About(
        name=name,
        image_name=f"bd{name}{picture.suffix.lower()}",
        version=target.version,
        version_date=target.version_date,
        author=target.author,
    )
    report = new_archive(board, path, data, about, overwrite=overwrite, dry_run=dry_run)
    return VaslReport(report.members, (*report.notes, *_left_behind(board, folder)))


def _left_behind(board: Board, folder: Path) -> tuple[str, ...]:
    """What the archive that a board came from says and a new one does not."""
    kept = folder / KEPT_ARCHIVE
    if not kept.is_file():
        return ()
    archive = read_board_archive(kept)
    if not _is_of(board, archive):
        return ()
    lost = [
        word
        for word, found in (
            ("slopes", archive.slopes),
            ("railway embankments", archive.embankments),
            ("partial orchards", archive.partial_orchards),
            ("colours", archive.colours),
            ("scenario overlays", archive.overlays),
        )
        if found
    ]
    if not lost:
        return ()
    return (
        f"The {' and '.join(lost)} of {kept} are not in the new archive: leave --picture out to "
        "write a copy of that one.",
    )


def members_json(report: RewriteReport) -> dict[str, list[str]]:
    """What was done to the members of an archive, for programs."""
    return {
        "added": list(report.added),
        "replaced": list(report.replaced),
        "removed": list(report.removed),
        "kept": list(report.kept),
    }


def describe(report: RewriteReport, *, kept: bool) -> list[str]:
    """Lines that tell what was added and replaced; the rest by name, or only counted."""
    lines = [
        f"  {title}: {', '.join(names)}"
        for title, names in (("added", report.added), ("replaced", report.replaced))
        if names
    ]
    if report.kept:
        told = ", ".join(report.kept) if kept else f"{len(report.kept)} members"
        lines.append(f"  kept as they are: {told}")
    return lines
