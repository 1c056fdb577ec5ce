"""`hexsight charts`: lines of sight as a page, tables and drawings for people and programs."""

from __future__ import annotations

from pathlib import Path

import click

from hexsight.charting import Charting
from hexsight.commands.common import (
    force_option,
    map_options,
    observer_option,
    quiet_option,
    rules_option,
)
from hexsight.converting import describe
from hexsight.export.charts import write_csv, write_geojson, write_json
from hexsight.export.charts_svg import write_svg
from hexsight.export.html_module import add_chart, remove_charts
from hexsight.export.html_page import chart_page
from hexsight.export.html_plain import plain_chart
from hexsight.export.picture import render_overlay
from hexsight.export.rewrite import RewriteReport
from hexsight.export.vassal_inplace import backup_of, in_place_or_copy
from hexsight.extract.module import read_module
from hexsight.model.errors import UsageError
from hexsight.output import png_bytes, write_bytes
from hexsight.progress import reporting

_FILE = click.Path(path_type=Path)


@click.command()
@click.argument("board", required=False, type=_FILE)
@click.option(
    "-o", "--out", type=_FILE, help="HTML page to write; with --into the copy of the module."
)
@click.option("--csv", type=_FILE, help="Table of the hexes.")
@click.option("--json", "json_", type=_FILE, help="The same for programs; - for stdout.")
@click.option("--geojson", type=_FILE, help="Everything on the map as GeoJSON, in pixels.")
@click.option("--svg", type=_FILE, help="Overlay as SVG, over the map if --map names it.")
@click.option("--png", type=_FILE, help="Overlay as PNG.")
@map_options
@click.option("--table", type=_FILE, help="LOS table. [default: that in BOARD, or a new one]")
@click.option("--max-range", type=click.IntRange(1), help="Leave out of the page what is farther.")
@click.option("--into", type=_FILE, metavar="MODULE", help="Put a plain chart into a copy of it.")
@click.option(
    "--in-place",
    is_flag=True,
    help="Change the MODULE of --into itself; the old one stays as .bak.",
)
@click.option("--remove", is_flag=True, help="With --into: take the charts out; needs no BOARD.")
@click.option("--dry-run", is_flag=True, help="With --into: tell what would be written.")
@rules_option
@observer_option
@force_option
@quiet_option
def charts(
    board: Path | None,
    out: Path | None,
    csv: Path | None,
    json_: Path | None,
    geojson: Path | None,
    svg: Path | None,
    png: Path | None,
    map_: Path | None,
    board_name: str | None,
    table: Path | None,
    max_range: int | None,
    into: Path | None,
    in_place: bool,
    remove: bool,
    dry_run: bool,
    rules: str | None,
    observer: str | None,
    force: bool,
    quiet: bool,
) -> None:
    """Charts of BOARD: what each hex sees, and why not.

    -o writes one page that holds everything, opens in any browser and needs no
    network: search a hex, see what it sees on each level and what blocks. With --into
    a page of plain tables goes into a chart window of a copy of a module.
    """
    files = {"csv": csv, "json": json_, "geojson": geojson, "svg": svg, "png": png}
    _check(out, into, in_place, remove or dry_run, any(files.values()))
    if board is None and (not remove or any(files.values())):
        raise UsageError("Name the BOARD to chart, such as the folder that hexsight build made.")
    with reporting(quiet) as reporter:
        made = None
        if board is not None:
            made = Charting(board, map_, board_name, table, rules, observer, reporter)
        if into is not None:
            backup = backup_of(into)
            charted = None if remove else made
            report = _into(charted, into, out, dry_run=dry_run, force=force)
            told = "would be written" if dry_run else f"{report.size_bytes} bytes"
            click.echo("\n".join([f"{out or into}: {told}", *describe(report, kept=dry_run)]))
            if in_place and not dry_run:
                click.echo(f"  the old file is {backup}")
        elif out is not None and made:
            page = chart_page(made.shown, made.board, made.table, made.reasons, max_range=max_range)
            _write(out, page, made, force)
        for kind, path in files.items():
            if path is not None and made:
                if kind == "json" and str(path) == "-":
                    click.echo(_content(kind, made).decode("utf-8"), nl=False)
                else:
                    _write(path, _content(kind, made), made, force)


def _check(
    out: Path | None, into: Path | None, in_place: bool, for_module: bool, others: bool
) -> None:
    """Refuse options that do not go together.

    Raises
    ------
    UsageError
    """
    if into is None and (in_place or for_module):
        raise UsageError("--in-place, --remove and --dry-run go with --into MODULE.")
    if into is not None and (out is None) != in_place:
        raise UsageError("With --into take either -o COPY or --in-place.")
    if out is None and into is None and not others:
        raise UsageError("Say what to write: -o PAGE.html, --csv, --json, --geojson, --svg, --png.")


def _content(kind: str, made: Charting) -> bytes:
    """Content of a file of a kind."""
    if kind == "csv":
        return write_csv(made.board, made.sights)
    if kind == "json":
        return write_json(made.board, made.sights)
    if kind == "geojson":
        return write_geojson(made.board)
    if kind == "svg":
        return write_svg(made.board, made.map if made.has_map else None)
    return png_bytes(render_overlay(made.map, made.board))


def _write(path: Path, data: bytes, made: Charting, force: bool) -> None:
    write_bytes(path, data, overwrite=force, inputs=made.inputs)
    click.echo(f"{path}: {len(data)} bytes")


def _into(
    made: Charting | None, module: Path, target: Path | None, *, dry_run: bool, force: bool
) -> RewriteReport:
    """Write the chart, or with None take all out; into a copy, or with no target in place."""
    build_file = read_module(module).build_file
    page = plain_chart(made.board, made.sights) if made else b""

    def write(path: Path, *, overwrite: bool = False, dry_run: bool = False) -> RewriteReport:
        if made is None:
            return remove_charts(
                module, path, build_file=build_file, overwrite=overwrite, dry_run=dry_run
            )
        return add_chart(
            module,
            path,
            made.board.name,
            page,
            build_file=build_file,
            overwrite=overwrite,
            dry_run=dry_run,
        )

    return in_place_or_copy(write, module, target, dry_run=dry_run, force=force)
