"""`hexsight check`: validators over modules, boards and tables."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hexsight.checking import find_subjects, subjects_of
from hexsight.commands.common import json_option, quiet_option
from hexsight.model.errors import HexsightError, UsageError
from hexsight.progress import reporting
from hexsight.validators import (
    Report,
    explain,
    list_checks,
    merge_reports,
    run_checks,
    to_json,
    to_text,
    worst,
)

FAIL_LEVELS = ("note", "warn", "fail", "error", "never")


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_LEVELS),
    default="fail",
    show_default=True,
    help="Exit with 1 when a finding is this bad or worse.",
)
@click.option("--profile", default="default", show_default=True, help="Which checks to run.")
@click.option("--only", multiple=True, metavar="ID", help="Run only these checks or groups.")
@click.option("--skip", multiple=True, metavar="ID", help="Leave these checks or groups out.")
@click.option("--explain", "explain_id", metavar="ID", help="Say what a check is about.")
@click.option("--list", "list_ids", is_flag=True, help="List all checks.")
@click.option(
    "--limit",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="Findings shown of one check on one file; 0 shows all.",
)
@json_option
@quiet_option
def check(
    paths: tuple[Path, ...],
    fail_on: str,
    profile: str,
    only: tuple[str, ...],
    skip: tuple[str, ...],
    explain_id: str | None,
    list_ids: bool,
    limit: int,
    as_json: bool,
    quiet: bool,
) -> int:
    """Check modules, VASL boards, hexsight boards and tables; whole folders too."""
    if explain_id is not None:
        click.echo(explain(explain_id))
        return 0
    if list_ids:
        click.echo(list_checks().rstrip("\n"))
        return 0
    if not paths:
        raise UsageError("Name something to check: a module, a board, a table, or a folder.")
    reports: list[Report] = []
    unread: list[HexsightError] = []
    with reporting(quiet) as reporter:
        for path in (p for given in paths for p in find_subjects(given)):
            reporter.step(f"Checking {path.name}")
            try:
                for subject in subjects_of(path, reporter):
                    reports.append(run_checks(subject, profile, only=only, skip=skip))
            except UsageError:
                raise
            except HexsightError as error:
                # One bad file never stops the rest of a shelf; it is told and counts.
                unread.append(error)
    for problem in unread:
        click.echo(f"Error: {problem}", err=True)
    if reports:
        report = merge_reports(reports)
        click.echo(
            to_json(report).rstrip("\n")
            if as_json
            else to_text(report, colour=sys.stdout.isatty(), limit=limit).rstrip("\n")
        )
        if not unread:
            return 1 if worst(report, fail_on) else 0
    return unread[0].exit_code if unread else 0
