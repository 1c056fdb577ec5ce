"""`hexsight table`: build, query and compare LOS tables."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import click

from hexsight.commands.common import (
    board_argument,
    force_option,
    json_option,
    open_board,
    print_json,
    quiet_option,
    rules_option,
)
from hexsight.los.overlay_table import overlay_table
from hexsight.los.profile import load_profile
from hexsight.los.table import (
    Entry,
    Table,
    build_table,
    differences,
    open_table,
    write_table,
)
from hexsight.model.errors import InputError, OutputError, UsageError
from hexsight.model.yamlsafe import read_text
from hexsight.output import check_output
from hexsight.overlayfile import load_overlay
from hexsight.progress import reporting


@click.group()
def table() -> None:
    """Build, query and compare tables of lines of sight (*.lostab)."""


@table.command("build")
@board_argument
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True)
@rules_option
@click.option(
    "--overlay",
    "overlay_files",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Scenario state (YAML) to lay over the board.",
)
@click.option(
    "--base",
    metavar="TABLE",
    type=click.Path(path_type=Path),
    help="Table of the board without the overlay; made anew without.",
)
@force_option
@quiet_option
def build_command(
    board: Path,
    out: Path,
    rules: str,
    overlay_files: tuple[Path, ...],
    base: Path | None,
    force: bool,
    quiet: bool,
) -> None:
    """Walk every pair of Locations of BOARD and write the table.

    With --overlay only those pairs that the overlay touches are walked again.
    """
    if len(overlay_files) > 1:
        raise UsageError("Name one --overlay: write all of a scenario's state into one file.")
    overlay_file = overlay_files[0] if overlay_files else None
    if base is not None and overlay_file is None:
        raise UsageError("--base is of use with --overlay only. Add it, or take --base out.")
    check_output(out, [p for p in (board, overlay_file, base) if p is not None])
    if out.exists() and not force:
        raise OutputError(f"{out} exists already. Add --force to replace it.")
    found, profile = open_board(board), load_profile(rules)
    overlay = load_overlay(overlay_file, found) if overlay_file is not None else None
    stored = open_table(base) if base is not None else None
    if stored is not None and not stored.is_made_from(found, profile):
        click.echo(
            f"Note: {base} was made from another board or other rules: every pair is walked.",
            err=True,
        )
    with reporting(quiet) as reporter:
        if stored is not None:
            made = stored
        else:
            reporter.step("Walking all lines of sight")
            made = build_table(found, profile, lambda done, all_: reporter.done(done / all_))
        walked = ""
        if overlay is not None:
            reporter.step("Walking what the overlay touches")
            overlaid = overlay_table(found, profile, overlay, made)
            made = overlaid.table
            walked = f", {overlaid.walked} of {overlaid.pairs} pairs walked under the overlay"
    write_table(made, out)
    click.echo(f"{out}: {len(made.names)} Locations{walked}")


@table.command("query")
@click.argument("table_file", metavar="TABLE", type=click.Path(path_type=Path))
@click.argument("locations", nargs=-1)
@click.option(
    "--pairs",
    type=click.Path(path_type=Path),
    help="File with one pair of Locations a line, such as K15 L16@2; - for stdin.",
)
@json_option
def query_command(
    table_file: Path, locations: tuple[str, ...], pairs: Path | None, as_json: bool
) -> None:
    """Look pairs of Locations up: TABLE FROM TO, or many with --pairs.

    Answers come in order, one a line (with --json as NDJSON).
    """
    asked = _pairs(locations, pairs)
    opened = open_table(table_file)
    for a, b in asked:
        click.echo(_answer(opened, a, b, as_json))


@table.command("diff")
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@click.option("--hexes", is_flag=True, help="One line a pair of hexes, with how many differ.")
@json_option
def diff_command(first: Path, second: Path, hexes: bool, as_json: bool) -> None:
    """List the pairs of Locations whose answer differs between two tables."""
    one, two = open_table(first), open_table(second)
    found = differences(one, two)
    by_hex = Counter((a.partition("@")[0], b.partition("@")[0]) for a, b, _before, _after in found)
    rows: list[dict[str, object]] = [
        {"from": a, "to": b, "first": _state(x), "second": _state(y)} for a, b, x, y in found
    ]
    if hexes:
        rows = [{"from": a, "to": b, "pairs": n} for (a, b), n in by_hex.items()]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        told = row["pairs"] if hexes else f"{row['first']} → {row['second']}"
        click.echo(f"{row['from']} {row['to']}: {told}")
    alone = len(set(one.names) ^ set(two.names))
    only = f"; {alone} Locations are in one table only" if alone else ""
    click.echo(f"{len(found)} pairs differ, between {len(by_hex)} pairs of hexes{only}", err=True)


def _pairs(locations: tuple[str, ...], file: Path | None) -> list[tuple[str, str]]:
    if file is None:
        if len(locations) != 2:
            raise UsageError("Name two Locations, such as K15 L16@2, or a file with --pairs.")
        return [(locations[0], locations[1])]
    try:
        text = sys.stdin.read() if str(file) == "-" else read_text(file)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read {file}: {error}.") from error
    out = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.replace(",", " ").split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 2:
            raise UsageError(
                f"{file}, line {number}: write two Locations, such as K15 L16@2, not {line!r}."
            )
        out.append((words[0], words[1]))
    return out


def _answer(opened: Table, a: str, b: str, as_json: bool) -> str:
    value = opened.query(a, b)
    if as_json:
        return json.dumps(
            {
                "from": a,
                "to": b,
                "state": value.state,
                "hindrance": value.hindrance,
                "reason": value.reason.code if value.reason else None,
                "rule": value.reason.rule if value.reason else None,
            },
            ensure_ascii=False,
        )
    return f"{a} {b}: {_state(value)}"


def _state(value: Entry) -> str:
    return f"hindered {value.hindrance}" if value.state == "hindered" else str(value.state)
