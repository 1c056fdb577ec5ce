"""`hexsight extract`: what is on the map, as facts and a mask."""

from __future__ import annotations

import json
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
from hexsight.facts import board_facts, building_mask
from hexsight.model.store import save_board
from hexsight.output import png_bytes, write_bytes
from hexsight.pipeline import extract_board
from hexsight.progress import reporting
from hexsight.reading import request_from


@click.command()
@source_argument
@click.option("--facts", type=click.Path(path_type=Path), help="Write the neutral facts (JSON).")
@click.option("--mask", type=click.Path(path_type=Path), help="Write the building mask (PNG).")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Write the board folder.")
@reading_options
@force_option
@json_option
@quiet_option
def extract(
    source: Path,
    facts: Path | None,
    mask: Path | None,
    out: Path | None,
    board: str | None,
    legend: str | None,
    from_losdata: bool | None,
    grid: str | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Find hexes, buildings, bars, roofless areas, stairwells and roads on SOURCE.

    Writes what is asked for with --facts, --mask and -o; --json prints the facts.
    """
    request = request_from(source, board=board, legend=legend, from_losdata=from_losdata, grid=grid)
    with reporting(quiet) as reporter:
        found = extract_board(request, reporter).board
    answer = board_facts(found)
    # Facts and masks are cheap to make again and scripts write them often: an earlier one is
    # replaced as compilers replace their output. Anything else that lies there is not.
    if facts is not None:
        text = json.dumps(answer, ensure_ascii=False, indent=1) + "\n"
        _write_again(facts, text.encode("utf-8"), b"{", request.source, force)
    if mask is not None:
        _write_again(mask, png_bytes(building_mask(found)), b"\x89PNG", request.source, force)
    if out is not None:
        save_board(found, out, overwrite=force)
    if as_json:
        print_json(answer)
    elif not quiet:
        factories = sum(b.kind == "factory" for b in found.buildings)
        click.echo(
            f"{found.name}: {len(found.hexes)} hexes, {len(found.buildings)} buildings "
            f"({factories} Factories), {sum(bool(s.bar) for s in found.hexsides)} black bars, "
            f"{sum(h.roofless for h in found.hexes)} roofless hexes, "
            f"{sum(h.stairwell for h in found.hexes)} stairwells"
        )


def _write_again(path: Path, data: bytes, sign: bytes, source: Path, force: bool) -> None:
    """Write a file over an earlier one of its kind, which begins with `sign`, or over nothing."""
    earlier = b""
    if path.is_file():
        with path.open("rb") as stream:
            earlier = stream.read(len(sign))
    write_bytes(path, data, overwrite=force or earlier in (b"", sign), inputs=(source,))
