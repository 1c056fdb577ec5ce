"""`hexsight build`: the whole way."""

from __future__ import annotations

from pathlib import Path

import click

from hexsight.commands.common import (
    force_option,
    json_option,
    print_json,
    quiet_option,
    reading_options,
    source_argument,
)
from hexsight.pipeline import FINDINGS_FILE, Build
from hexsight.pipeline import build as run_build
from hexsight.progress import reporting
from hexsight.reading import request_from


@click.command()
@source_argument
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    help="Folder for the result. [default: SOURCE's name + -hexsight, beside where you are]",
)
@reading_options
@force_option
@json_option
@quiet_option
def build(
    source: Path,
    out: Path | None,
    board: str | None,
    legend: str | None,
    from_losdata: bool | None,
    grid: str | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Read SOURCE, find what is on the map, compute all lines of sight, write the module.

    SOURCE is a module (.vmod or unpacked), a VASL board (archive or folder), a
    picture, or a hexsight.yaml. It is never written to: the result is a folder
    with the board, its LOS table, an overlay picture, the findings, and a copy
    of the module that holds the table. A module's boards with a hex grid are all
    built unless one is named with --board.
    """
    request = request_from(source, board=board, legend=legend, from_losdata=from_losdata, grid=grid)
    folder = out or Path(f"{request.source.resolve().stem}-hexsight")
    with reporting(quiet) as reporter:
        result = run_build(request, folder, overwrite=force, reporter=reporter)
    for built in result.boards:
        if built.notice:
            click.echo(built.notice, err=True)
    if as_json:
        print_json(result.summary())
        return
    click.echo(describe(result, folder))


def describe(result: Build, folder: Path) -> str:
    """What a build did, for a person."""
    lines = []
    for item, built in zip(result.summary()["boards"], result.boards, strict=True):
        lines_of_sight = (
            f"{item['locations']} Locations, {item['pairs']:,} lines of sight"
            if built.table is not None
            else "no table, since its rules measure"
        )
        lines.append(
            f"{item['board']}: {item['buildings']} buildings ({item['factories']} Factories), "
            f"{item['bars']} black bars, {item['roofless_hexes']} roofless hexes, "
            f"{item['stairwells']} stairwells; {lines_of_sight}"
        )
        counts = built.report.counts
        told = ", ".join(f"{n} {severity.label}" for severity, n in counts.items() if n)
        lines.append(f"  findings: {told or 'none'} ({built.folder / FINDINGS_FILE})")
    if result.module:
        lines.append(f"Module with the tables: {result.module}")
    lines.append(f"The result lies in {folder}")
    return "\n".join(lines)
