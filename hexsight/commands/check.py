"""`hexsight check`: validators over modules, boards and tables."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from hexsight.checkfiles import refuse_target, write_report
from hexsight.checking import subjects_of, unfound_source
from hexsight.checking_find import find_subjects
from hexsight.commands.common import json_option, quiet_option, rules_option
from hexsight.los.rulesets import load_rules
from hexsight.model.errors import HexsightError, UsageError
from hexsight.model.store import BOARD_FILE
from hexsight.model.yamlsafe import read_text
from hexsight.progress import Reporter, reporting
from hexsight.validators import (
    MAX_PICTURES,
    Finding,
    Report,
    Subject,
    all_checks,
    apply_baseline,
    explain,
    list_checks,
    load_profile,
    make_thumbnails,
    merge_reports,
    read_baseline,
    run_checks,
    to_json,
    to_text,
    worst,
)

PROJECTS = (".yaml", ".yml")
FAIL_LEVELS = ("note", "warn", "fail", "error", "never")
_file = click.Path(path_type=Path)


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
@click.option(
    "--quick",
    "quick_checks",
    is_flag=True,
    help="Read neither names nor terrain from the pictures (which takes some seconds a board).",
)
@click.option("--explain", "explain_id", metavar="ID", help="Say what a check is about.")
@click.option("--list", "list_ids", is_flag=True, help="List all checks.")
@click.option(
    "--limit",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="Findings shown of one check on one file; 0 shows all.",
)
@click.option("--html", type=_file, metavar="FILE", help="Write a page with pictures of places.")
@click.option("--sarif", type=_file, metavar="FILE", help="Write SARIF 2.1.0 for code hosts.")
@click.option("--junit", type=_file, metavar="FILE", help="Write JUnit XML for CI servers.")
@click.option(
    "--baseline", type=_file, metavar="FILE", help="Leave out the findings that FILE accepts."
)
@click.option(
    "--write-baseline", type=_file, metavar="FILE", help="Accept all findings: write them to FILE."
)
@rules_option
@json_option
@quiet_option
def check(
    paths: tuple[Path, ...],
    fail_on: str,
    profile: str,
    only: tuple[str, ...],
    skip: tuple[str, ...],
    quick_checks: bool,
    explain_id: str | None,
    list_ids: bool,
    limit: int,
    html: Path | None,
    sarif: Path | None,
    junit: Path | None,
    baseline: Path | None,
    write_baseline: Path | None,
    rules: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Check modules, VASL boards, hexsight boards, tables, hexsight.yaml; whole folders too."""
    if explain_id is not None:
        click.echo(explain(explain_id))
        return 0
    if list_ids:
        click.echo(list_checks().rstrip("\n"))
        return 0
    if not paths:
        raise UsageError("Name something to check: a module, a board, a table, or a folder.")
    # All that may be wrong with the command line comes before the work.
    known = read_baseline(read_text(baseline), str(baseline)) if baseline else None
    files = {"html": html, "sarif": sarif, "junit": junit, "baseline": write_baseline}
    targets = {kind: path for kind, path in files.items() if path is not None}
    found = [p for given in paths for p in find_subjects(given)]
    for kind, path in targets.items():
        refuse_target(kind, path, found)
    pictures: dict[Finding, bytes] | None = {} if html else None
    run = _Run(profile, only, skip, pictures, quick=quick_checks, rules=rules)
    with reporting(quiet) as reporter:
        report, unread = run.over(found, reporter)
    for problem in unread:
        click.echo(f"Error: {problem}", err=True)
    for note in run.notes(report):
        click.echo(f"Note: {note}", err=True)
    whole = report
    if known is not None:
        report = apply_baseline(report, known)
    for kind, path in targets.items():
        write_report(
            kind,
            path,
            whole if kind == "baseline" else report,
            pictures=pictures or {},
            fail_on=fail_on,
            inputs=found,
        )
    if report.files:
        click.echo(
            to_json(report).rstrip("\n")
            if as_json
            else to_text(report, colour=sys.stdout.isatty(), limit=limit).rstrip("\n")
        )
    if unread:
        return unread[0].exit_code
    # What has just been accepted is no failure.
    return 1 if write_baseline is None and worst(report, fail_on) else 0


class _Run:
    """The same checks over one path after the other."""

    def __init__(
        self,
        profile: str,
        only: tuple[str, ...],
        skip: tuple[str, ...],
        pictures: dict[Finding, bytes] | None,
        *,
        quick: bool,
        rules: str | None,
    ) -> None:
        self._profile = load_profile(profile)
        # Rules that are not there are no fault of the first file either.
        if rules is not None:
            load_rules(rules)
        self._rules = rules
        # A wrong id or option is told before the work, and not as a fault of the first file.
        registry = all_checks()
        chosen = self._profile.chosen(registry, only, skip)
        for one in chosen:
            self._profile.options_of(one, registry)
        self._only, self._skip = only, skip
        # What no check looks at need not be read.
        self._quick = quick
        self._idle = not any({"labels", "terrain"} & set(one.needs) for one in chosen)
        self._pictures = pictures
        self._facts = sorted({fact for one in chosen for fact in one.needs})
        self._notes: list[str] = []

    def over(self, found: Sequence[Path], reporter: Reporter) -> tuple[Report, list[HexsightError]]:
        """Report of everything, and what could not be read."""
        reports = [Report(self._profile.name, (), (), (), ())]
        unread: list[HexsightError] = []
        names = Counter(p.name or p.resolve().name for p in found)
        for path in found:
            name = path.name or path.resolve().name
            # Of two files of one name each is told with its folder.
            shown = name if names[name] == 1 else path.as_posix()
            reporter.step(f"Checking {shown}")
            try:
                quick = self._quick or (self._idle and path.suffix.lower() not in PROJECTS)
                for subject in subjects_of(path, reporter, quick=quick, rules=self._rules):
                    path_shown = shown + subject.path.removeprefix(name)
                    if (path / BOARD_FILE).is_file() and (source := unfound_source(subject)):
                        self._notes.append(
                            f"{shown}: its source {source} was not found, so it is not checked "
                            "against it. Put it beside the folder."
                        )
                    reports.append(self._one(replace(subject, path=path_shown)))
            except HexsightError as error:
                # One bad file never stops the rest of a shelf; it is told and counts.
                unread.append(error)
                reports.append(_unread(self._profile.name, shown, error))
        return merge_reports(reports), unread

    def notes(self, report: Report) -> list[str]:
        """What a person should know of a run besides its findings."""
        if report.files and not report.ran and not report.unread:
            facts = ", ".join(self._facts) or "nothing"
            return [
                *self._notes,
                f"none of the chosen checks could run: what they look at is not here ({facts}).",
            ]
        return self._notes

    def _one(self, subject: Subject) -> Report:
        report = run_checks(subject, self._profile, only=self._only, skip=self._skip)
        if self._pictures is not None:
            left = MAX_PICTURES - len(self._pictures)
            self._pictures.update(make_thumbnails(subject, report.findings, most=left))
        return report


def _unread(profile: str, file: str, error: HexsightError) -> Report:
    return Report(profile, (), (), (), (), unread=((file, str(error)),))
