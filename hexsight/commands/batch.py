"""`hexsight batch`: one verb over a whole shelf."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from hexsight.batch import Engine, run_batch
from hexsight.batch_items import KINDS, find_items
from hexsight.batch_job import make_job
from hexsight.batch_pool import PoolLimits, cores, machine_memory
from hexsight.batch_progress import batch_reporting
from hexsight.batch_report import LINES_FILE, BatchResult, told_error, told_result
from hexsight.checkfiles import refuse_target, write_report
from hexsight.commands.check import FAIL_LEVELS
from hexsight.commands.common import force_option, json_option, quiet_option
from hexsight.model.errors import UsageError
from hexsight.model.yamlsafe import read_text
from hexsight.validators import apply_baseline, read_baseline, summary, worst
from hexsight.validators.finding import Severity

GIB = 1024**3
F = TypeVar("F", bound=Callable[..., Any])
# What is left to the system and the parent when nothing is said of memory.
SHARE_OF_MEMORY = 0.8


@dataclass(frozen=True)
class Files:
    """Reports to write besides those in the result folder, and a baseline to go by."""

    html: Path | None = None
    sarif: Path | None = None
    junit: Path | None = None
    baseline: Path | None = None

    @property
    def targets(self) -> dict[str, Path]:
        """Files to write, by kind."""
        named = {"html": self.html, "sarif": self.sarif, "junit": self.junit}
        return {kind: path for kind, path in named.items() if path is not None}


def report_options(command: F) -> F:
    """Options of `batch` and `merge` about reports."""
    file = click.Path(path_type=Path)
    for option in reversed(
        (
            click.option(
                "--fail-on",
                type=click.Choice(FAIL_LEVELS),
                default="fail",
                show_default=True,
                help="Exit with 1 when a finding is this bad or worse.",
            ),
            click.option(
                "--html", type=file, metavar="FILE", help="Write a page with pictures of places."
            ),
            click.option("--sarif", type=file, metavar="FILE", help="Write SARIF 2.1.0."),
            click.option("--junit", type=file, metavar="FILE", help="Write JUnit XML."),
            click.option(
                "--baseline",
                type=file,
                metavar="FILE",
                help="Leave out what FILE accepts, in these reports and for the exit code.",
            ),
        )
    ):
        command = option(command)
    return command


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder for the results; the same one to go on after an interruption.",
)
@click.option(
    "--do", type=click.Choice(tuple(KINDS)), default="check", show_default=True, help="The verb."
)
@click.option("--profile", default="default", show_default=True, help="Which checks to run.")
@click.option("--only", multiple=True, metavar="ID", help="Run only these checks or groups.")
@click.option("--skip", multiple=True, metavar="ID", help="Leave these checks or groups out.")
@click.option("--quick", is_flag=True, help="As in hexsight check.")
@click.option("--legend", help="auto, a legend preset or file. [default: auto]")
@click.option(
    "--from-losdata", is_flag=True, default=None, help="Take the terrain from boards' LOSData."
)
@click.option("--grid", type=click.Choice(["auto", "module"]), help="As in hexsight build.")
@click.option("--pictures", is_flag=True, help="Take loose pictures in folders too.")
@click.option(
    "--workers",
    type=click.IntRange(1),
    help="Worker processes. [default: one a core]",
)
@click.option(
    "--memory",
    type=click.FloatRange(0.25),
    metavar="GB",
    help="Most memory of a worker (Linux and most Unixes). [default: its share of 80 %]",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=120,
    show_default=True,
    metavar="MINUTES",
    help="Longest time for one item.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="Worker processes here, or a Dask cluster.",
)
@click.option("--scheduler", metavar="tcp://HOST:PORT", help="Of the Dask cluster.")
@click.option(
    "--send", is_flag=True, help="Send inputs to the cluster instead of having them read there."
)
@click.option("--shard", metavar="K/N", help="Only part K of N; put together by hexsight merge.")
@report_options
@force_option
@json_option
@quiet_option
def batch(
    paths: tuple[Path, ...],
    out: Path,
    do: str,
    profile: str,
    only: tuple[str, ...],
    skip: tuple[str, ...],
    quick: bool,
    legend: str | None,
    from_losdata: bool | None,
    grid: str | None,
    pictures: bool,
    workers: int | None,
    memory: float | None,
    timeout: float,
    engine: str,
    scheduler: str | None,
    send: bool,
    shard: str | None,
    fail_on: str,
    html: Path | None,
    sarif: Path | None,
    junit: Path | None,
    baseline: Path | None,
    force: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Check, build or read everything in FOLDERs: modules, VASL boards, hexsight boards, tables.

    Uses all cores. It may be killed at any moment: the same command goes on where it was. A
    file that cannot be read, or that brings a worker down, is told at the end and stops nothing.
    """
    job = make_job(
        do,
        profile=profile,
        only=only,
        skip=skip,
        legend=legend,
        grid=grid,
        from_losdata=from_losdata,
        quick=quick,
    )
    files = Files(html, sarif, junit, baseline)
    if (engine == "dask") != (scheduler is not None):
        raise UsageError("--engine dask and --scheduler tcp://HOST:PORT go together.")
    if send and scheduler is None:
        raise UsageError("--send is of use with --engine dask only. Add it, or take --send out.")
    part = _shard(shard) if shard is not None else None
    shelf = find_items(paths, do, pictures=pictures, out=out) if files.targets else None
    prepare(files, do, [i.path for i in shelf.items] if shelf is not None else [])
    n = workers or cores()
    limits = _limits(n, memory, timeout)
    with batch_reporting(quiet) as reporter:
        result = run_batch(
            paths,
            out,
            job,
            engine=Engine(limits, scheduler, send),
            shard=part,
            pictures=pictures,
            force=force,
            reporter=reporter,
        )
    return conclude(result, fail_on, as_json, files)


def prepare(files: Files, do: str, inputs: Iterable[Path]) -> None:
    """Refuse report files that cannot be, before the work.

    Raises
    ------
    UsageError
        If the verb finds nothing that could stand in them.
    OutputError, InputError
        If one must not be replaced, or the baseline cannot be read.
    """
    if do not in ("check", "build") and (files.targets or files.baseline):
        raise UsageError("--html, --sarif, --junit and --baseline are for --do check or build.")
    if files.baseline is not None:
        read_baseline(read_text(files.baseline), str(files.baseline))
    known = list(inputs) if files.targets else []
    for kind, path in files.targets.items():
        refuse_target(kind, path, known)


def conclude(result: BatchResult, fail_on: str, as_json: bool, files: Files) -> int:
    """Write and print what a batch came to; its exit code.

    The code of the first item with an error, else 1 for findings at or above
    `fail_on`, else 0.
    """
    report = result.report
    if report is None and files.targets:
        raise UsageError("There are too many findings for one report: see batch.ndjson.")
    if report is not None:
        if files.baseline is not None:
            known = read_baseline(read_text(files.baseline), str(files.baseline))
            report = apply_baseline(report, known)
        pictures = result.places() if "html" in files.targets else {}
        for kind, path in files.targets.items():
            write_report(kind, path, report, pictures=pictures, fail_on=fail_on, inputs=())
    if as_json:
        with (result.out / LINES_FILE).open(encoding="utf-8") as lines:
            for line in lines:
                click.echo(line, nl=False)
    else:
        for item, trouble in result.tally.errors:
            click.echo(f"Error: {told_error(item, trouble)}", err=True)
        click.echo(told_result(result) if result.tally.statuses else _nothing_told(result))
        if report is not None and files.baseline is not None:
            click.echo(f"Beyond the baseline: {summary(report)}")
    if result.tally.errors:
        return result.tally.errors[0][1].code
    if report is not None:
        return 1 if worst(report, fail_on) else 0
    levels = [Severity.of(s) for s in result.tally.severities]
    return 1 if fail_on != "never" and max(levels, default=0) >= Severity.of(fail_on) else 0


def _nothing_told(result: BatchResult) -> str:
    return f"There was nothing to do in this part. What says so lies in {result.out}."


def _limits(workers: int, memory: float | None, timeout: float) -> PoolLimits:
    """What workers may take; without --memory one that is alone may take what all share."""
    there = machine_memory()
    if memory is not None or there is None:
        each = None if memory is None else int(memory * GIB)
        return PoolLimits(workers, each, timeout_s=timeout * 60)
    whole = int(there * SHARE_OF_MEMORY)
    return PoolLimits(workers, whole // workers, whole, timeout * 60)


def _shard(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise UsageError(f"--shard takes K/N with K from 1 to N, such as 2/3, not {text!r}.")
    return int(match[1]), int(match[2])
