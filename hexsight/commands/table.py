"""`hexsight table`: build, query and compare LOS tables."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import click

from hexsight.boardrules import rules_for
from hexsight.commands.common import (
    board_argument,
    force_option,
    json_option,
    observer_option,
    open_board,
    print_json,
    quiet_option,
    rules_option,
    side_option,
)
from hexsight.los.engine import overlaid_table, reasons_of, table_of
from hexsight.los.rules.registry import REASONS
from hexsight.los.rulesets import load_rules, rules_of_digest
from hexsight.los.table import (
    Entry,
    Table,
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
@side_option
@force_option
@json_option
@quiet_option
def build_command(
    board: Path,
    out: Path,
    rules: str | None,
    overlay_files: tuple[Path, ...],
    base: Path | None,
    side: str | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Walk every pair of Locations of BOARD and write the table.

    With --overlay only those pairs that the overlay touches are walked again.
    Where rules tell classes of observer apart the table holds all of them.
    """
    if len(overlay_files) > 1:
        raise UsageError("Name one --overlay: write all of a scenario's state into one file.")
    overlay_file = overlay_files[0] if overlay_files else None
    if base is not None and overlay_file is None:
        raise UsageError("--base is of use with --overlay only. Add it, or take --base out.")
    if side is not None and overlay_file is None:
        raise UsageError("--side is of use with --overlay only: a board holds no units.")
    check_output(out, [p for p in (board, overlay_file, base) if p is not None])
    if out.exists() and not force:
        raise OutputError(f"{out} exists already. Add --force to replace it.")
    found, profile = open_board(board), load_rules(rules_for(board, rules))
    overlay = load_overlay(overlay_file, found, profile) if overlay_file is not None else None
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
            made = table_of(
                found, profile, progress=lambda done, all_: reporter.done(done / max(1, all_))
            )
        walked: dict[str, int] | None = None
        if overlay is not None:
            reporter.step("Walking what the overlay touches")
            made, count, pairs = overlaid_table(found, profile, overlay, made, side=side)
            walked = {"walked": count, "pairs": pairs}
    write_table(made, out)
    if as_json:
        facts = {"table": str(out), "locations": len(made.names), "observers": list(made.observers)}
        print_json(facts | {"overlay": walked})
        return
    classes = f" for {', '.join(made.observers)}" if made.observers else ""
    again = "{walked} of {pairs} pairs walked under the overlay".format(**walked) if walked else ""
    click.echo(f"{out}: {len(made.names)} Locations{classes}{again and ', '}{again}")


@table.command("query")
@click.argument("table_file", metavar="TABLE", type=click.Path(path_type=Path))
@click.argument("locations", nargs=-1)
@click.option(
    "--pairs",
    type=click.Path(path_type=Path),
    help="File with one pair of Locations a line, such as K15 L16@2; - for stdin.",
)
@observer_option
@json_option
def query_command(
    table_file: Path,
    locations: tuple[str, ...],
    pairs: Path | None,
    observer: str | None,
    as_json: bool,
) -> None:
    """Look pairs of Locations up: TABLE FROM TO, or many with --pairs.

    Answers come in order, one a line (with --json as NDJSON).
    """
    asked = _pairs(locations, pairs)
    opened = open_table(table_file).of_observer(observer)
    rules = _rule_numbers(opened) if as_json else {}
    for a, b in asked:
        click.echo(_answer(opened, a, b, as_json, rules))


@table.command("diff")
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@click.option("--hexes", is_flag=True, help="One line a pair of hexes, with how many differ.")
@observer_option
@json_option
def diff_command(
    first: Path, second: Path, hexes: bool, observer: str | None, as_json: bool
) -> None:
    """List the pairs of Locations whose answer differs between two tables.

    Classes of observer are compared one by one; --observer names one alone.
    """
    one, two = open_table(first), open_table(second)
    found = [
        (name, *row) for name, p, q in _classes(one, two, observer) for row in differences(p, q)
    ]
    by_hex = Counter((a.partition("@")[0], b.partition("@")[0]) for _, a, b, _x, _y in found)
    rows: list[dict[str, object]] = []
    for name, a, b, x, y in found:
        rows.append({"from": a, "to": b, "first": _state(x), "second": _state(y)})
        if name:
            rows[-1]["observer"] = name
    if hexes:
        rows = [{"from": a, "to": b, "pairs": n} for (a, b), n in by_hex.items()]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        told = row["pairs"] if hexes else f"{row['first']} → {row['second']}"
        told = f"{told} ({row['observer']})" if "observer" in row else told
        click.echo(f"{row['from']} {row['to']}: {told}")
    alone = len(set(one.names) ^ set(two.names))
    only = f"; {alone} Locations are in one table only" if alone else ""
    click.echo(f"{len(found)} pairs differ, between {len(by_hex)} pairs of hexes{only}", err=True)


def _classes(one: Table, two: Table, observer: str | None) -> list[tuple[str, Table, Table]]:
    """Tables of one class each to compare: those named, or all that both have."""
    if observer is not None:
        p, q = (t.of_observer(observer if t.observers else None) for t in (one, two))
        return [(observer, p, q)]
    if not one.observers and not two.observers:
        return [("", one, two)]
    common = [name for name in one.observers if name in two.observers]
    if not common:
        raise UsageError(
            "The tables have no class of observer in common. Name one of those of the one that "
            "has classes with --observer."
        )
    return [(name, one.of_observer(name), two.of_observer(name)) for name in common]


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


def _rule_numbers(opened: Table) -> dict[str, str]:
    """Rule numbers by code of a reason, of the rules that a table was made with."""
    told = reasons_of(rules_of_digest(opened.profile_digest))
    return {REASONS[code].code: rule for code, (rule, _) in told.items()}


def _answer(opened: Table, a: str, b: str, as_json: bool, rules: dict[str, str]) -> str:
    value = opened.query(a, b)
    if as_json:
        return json.dumps(
            {
                "from": a,
                "to": b,
                "state": value.state,
                "hindrance": value.hindrance,
                "reason": value.reason.code if value.reason else None,
                "rule": rules.get(value.reason.code, value.reason.rule) if value.reason else None,
            }
            | ({"halvings": value.halvings} if value.halvings else {}),
            ensure_ascii=False,
        )
    return f"{a} {b}: {_state(value)}"


def _state(value: Entry) -> str:
    if value.halvings > 1:
        return f"half, {value.halvings} times"
    return f"hindered {value.hindrance}" if value.state == "hindered" else str(value.state)
