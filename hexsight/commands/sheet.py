"""`hexsight sheet`: blank hexes to draw a map on."""

from __future__ import annotations

from pathlib import Path

import click

from hexsight.commands.common import force_option, json_option, print_json
from hexsight.model.atomic import check_target
from hexsight.output import png_bytes, write_bytes
from hexsight.samples.sheet import blank_sheet


@click.command()
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="PNG to write.",
)
@click.option("--columns", default=14, show_default=True, help="Hexes across.")
@click.option("--rows", default=9, show_default=True, help="Hexes down.")
@click.option("--hex", "hex_px", default=64, show_default=True, help="Height of a hex in pixels.")
@click.option("--sideways", is_flag=True, help="Pointy-topped hexes.")
@force_option
@json_option
def sheet(
    out: Path,
    columns: int,
    rows: int,
    hex_px: int,
    sideways: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Draw a sheet of blank hexes, to paint a map of your own on.

    Fill it in any paint program (its colours are flat), or print it, draw on it and
    scan it; then go on with 'hexsight new'.
    """
    check_target(out, overwrite=force)
    made = blank_sheet(columns, rows, hex_px=hex_px, sideways=sideways)
    write_bytes(out, png_bytes(made.picture), overwrite=force)
    if as_json:
        print_json({"file": str(out), "columns": columns, "rows": rows, "hex_px": hex_px})
    else:
        click.echo(f"{out}: {columns} × {rows} hexes of {hex_px} px")
