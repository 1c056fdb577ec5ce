"""`hexsight extract`: what is on the map, as facts and a mask."""

from __future__ import annotations

import json
from dataclasses import replace
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
from hexsight.comparing import printed_pixels, refuse_without_truth, stored_board
from hexsight.extract.compare import Comparison, compare
from hexsight.extract.compare_report import comparison_json, comparison_text
from hexsight.facts import board_facts, building_mask
from hexsight.model.board import Board
from hexsight.model.derive import derive
from hexsight.model.errors import UsageError
from hexsight.model.overrides import Overrides
from hexsight.model.store import save_board
from hexsight.output import png_bytes, write_bytes
from hexsight.pipeline import extract_board
from hexsight.progress import Reporter, reporting
from hexsight.reading import Request, read, request_from, survey


@click.command()
@source_argument
@click.option("--facts", type=click.Path(path_type=Path), help="Write the neutral facts (JSON).")
@click.option("--mask", type=click.Path(path_type=Path), help="Write the building mask (PNG).")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Write the board folder.")
@click.option(
    "--compare",
    "against_truth",
    is_flag=True,
    help="Compare what is found with the board's LOSData, by terrain class and by hex.",
)
@reading_options
@force_option
@json_option
@quiet_option
def extract(
    source: Path,
    facts: Path | None,
    mask: Path | None,
    out: Path | None,
    against_truth: bool,
    board: str | None,
    legend: str | None,
    from_losdata: bool | None,
    grid: str | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Find hexes, buildings, bars, roofless areas, stairwells and roads on SOURCE.

    Writes what is asked for with --facts, --mask and -o; --json prints the facts, or the
    comparison with --compare.
    """
    request = request_from(source, board=board, legend=legend, from_losdata=from_losdata, grid=grid)
    if against_truth and request.terrain_from == "losdata":
        raise UsageError("--compare needs the picture to be read: leave out --from-losdata.")
    with reporting(quiet) as reporter:
        found, comparison, notice = _extract(request, against_truth, reporter)
    if notice:
        click.echo(notice, err=True)
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
    if comparison is not None:
        if as_json:
            print_json(comparison_json(comparison))
        else:
            click.echo(comparison_text(comparison))
    elif as_json:
        print_json(answer)
    elif not quiet:
        factories = sum(b.kind == "factory" for b in found.buildings)
        click.echo(
            f"{found.name}: {len(found.hexes)} hexes, {len(found.buildings)} buildings "
            f"({factories} Factories), {sum(bool(s.bar) for s in found.hexsides)} black bars, "
            f"{sum(h.roofless for h in found.hexes)} roofless hexes, "
            f"{sum(h.stairwell for h in found.hexes)} stairwells"
        )


def _extract(
    request: Request, against_truth: bool, reporter: Reporter
) -> tuple[Board, Comparison | None, str]:
    """What is found, how it compares with what is stored, and a word on the legend."""
    if not against_truth:
        extracted = extract_board(request, reporter)
        return extracted.board, None, extracted.notice
    reading = read(request, reporter)
    refuse_without_truth(reading)
    found = derive(survey(request, reading, reporter), request.overrides)
    reporter.step("Comparing with LOSData")
    truth = stored_board(replace(request, overrides=Overrides()), reading)
    return found, compare(found, truth, printed_pixels(reading)), ""


def _write_again(path: Path, data: bytes, sign: bytes, source: Path, force: bool) -> None:
    """Write a file over an earlier one of its kind, which begins with `sign`, or over nothing."""
    earlier = b""
    if path.is_file():
        with path.open("rb") as stream:
            earlier = stream.read(len(sign))
    write_bytes(path, data, overwrite=force or earlier in (b"", sign), inputs=(source,))
