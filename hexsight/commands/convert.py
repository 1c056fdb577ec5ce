"""`hexsight convert`: VASL board archive to board folder, and back."""

from __future__ import annotations

from pathlib import Path

import click

from hexsight.commands.common import (
    board_folder,
    force_option,
    json_option,
    print_json,
    quiet_option,
    source_argument,
)
from hexsight.converting import (
    Target,
    archive_to_folder,
    describe,
    folder_to_archive,
    is_vasl_board,
    members_json,
)
from hexsight.export.vassal_inplace import backup_of
from hexsight.model.errors import InputError, UsageError
from hexsight.model.store import BOARD_FILE
from hexsight.progress import reporting


@click.command()
@source_argument
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Folder or archive to write.")
@click.option(
    "--into",
    type=click.Path(path_type=Path),
    metavar="ARCHIVE",
    help="Write a copy of this VASL board. [default: the one that SOURCE was read from]",
)
@click.option(
    "--picture", type=click.Path(path_type=Path), help="Write a new archive with this picture."
)
@click.option(
    "--in-place", is_flag=True, help="Change the ARCHIVE of --into; the old one stays as .bak."
)
@click.option("--author", default="", help="Author that a new archive names.")
@click.option("--board-version", default="1.0", show_default=True, help="Of a new archive.")
@click.option("--version-date", default="", help="Of a new archive, such as 'Aug 2017'.")
@click.option("--dry-run", is_flag=True, help="Tell what would be written, write nothing.")
@force_option
@json_option
@quiet_option
def convert(
    source: Path,
    out: Path | None,
    into: Path | None,
    picture: Path | None,
    in_place: bool,
    author: str,
    board_version: str,
    version_date: str,
    dry_run: bool,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Convert SOURCE between VASL's and hexsight's form.

    A VASL board (archive or unpacked folder) becomes a board folder; a board folder
    becomes a VASL board archive: a copy of the one that it was read from or that --into
    names, or a new one with --picture.
    """
    if into is not None and picture is not None:
        raise UsageError("Take --into (a copy of an archive) or --picture (a new one), not both.")
    if in_place:
        if into is None or out is not None:
            raise UsageError("--in-place goes with --into ARCHIVE and without -o.")
    elif out is None:
        raise UsageError("Name the folder or archive to write with -o.")
    with reporting(quiet) as reporter:
        if is_vasl_board(source):
            if out is None or into is not None or picture is not None or dry_run:
                raise UsageError(
                    f"{source.name} is a VASL board: it becomes a board folder, and --into, "
                    "--picture and --dry-run are for the way back."
                )
            board = archive_to_folder(source, out, overwrite=force, reporter=reporter)
            if as_json:
                print_json({"target": str(out), "board": board.name, "hexes": len(board.hexes)})
            else:
                click.echo(f"{out}: board {board.name}, {len(board.hexes)} hexes")
            return
        folder = _folder(source)
        # Its name counts backups that are there: it must be asked for before one is made.
        backup = backup_of(into) if in_place and into is not None else None
        target = Target(out, into, picture, board_version, version_date, author)
        report = folder_to_archive(
            folder, target, overwrite=force, dry_run=dry_run, reporter=reporter
        )
    if as_json:
        print_json(
            {
                "target": str(out or into),
                "backup": str(backup) if backup else None,
                "size_bytes": report.members.size_bytes,
                "members": members_json(report.members),
                "notes": list(report.notes),
                "dry_run": dry_run,
            }
        )
        return
    told = "would be written" if dry_run else f"{report.members.size_bytes} bytes"
    lines = [f"{out or into}: {told}", *describe(report.members, kept=dry_run)]
    if backup is not None:
        lines.append(f"  the old file {'would stay' if dry_run else 'is'} {backup}")
    click.echo("\n".join(lines))
    for note in report.notes:
        click.echo(f"Note: {note}", err=True)


def _folder(source: Path) -> Path:
    """The board folder that is meant.

    Raises
    ------
    UsageError
        If it is a module or a picture.
    InputError
        If it does not exist, or holds no board, or several.
    """
    if not source.exists():
        raise InputError(f"Cannot find {source}: there is no such file or folder.")
    if source.is_dir():
        return board_folder(source)
    if source.name == BOARD_FILE:
        return source.parent
    raise UsageError(
        f"{source.name} is neither a VASL board nor a board folder. Make a folder of it first: "
        f"hexsight extract {source} -o FOLDER."
    )
