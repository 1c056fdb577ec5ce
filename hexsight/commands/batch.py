"""`hexsight batch`: one verb over a whole shelf."""

from __future__ import annotations

import re
from pathlib import Path

import click

from hexsight.batch import Engine, run_batch
from hexsight.batch_items import KINDS
from hexsight.batch_job import make_job
from hexsight.batch_pool import PoolLimits, cores, machine_memory
from hexsight.batch_progress import batch_reporting
from hexsight.batch_report import LINES_FILE, BatchResult, told_result
from hexsight.commands.check import FAIL_LEVELS
from hexsight.commands.common import force_option, json_option, quiet_option
from hexsight.model.errors import UsageError
from hexsight.validators.finding import Severity

GIB = 1024**3
# What is left to the system and the parent when nothing is said of memory.
SHARE_OF_MEMORY = 0.8


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
@force_option
@json_option
@quiet_option
def batch(
    paths: tuple[Path, ...],
    out: Path,
    do: str,
    fail_on: str,
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
    if (engine == "dask") != (scheduler is not None):
        raise UsageError("--engine dask and --scheduler tcp://HOST:PORT go together.")
    if send and scheduler is None:
        raise UsageError("--send is of use with --engine dask only. Add it, or take --send out.")
    n = workers or cores()
    limits = PoolLimits(n, _memory(memory, n), timeout * 60)
    with batch_reporting(quiet) as reporter:
        result = run_batch(
            paths,
            out,
            job,
            engine=Engine(limits, scheduler, send),
            shard=_shard(shard) if shard is not None else None,
            pictures=pictures,
            force=force,
            reporter=reporter,
        )
    return conclude(result, fail_on, as_json)


def conclude(result: BatchResult, fail_on: str, as_json: bool) -> int:
    """Print what a batch came to; its exit code.

    The code of the first item with an error, else 1 for findings at or above
    `fail_on`, else 0.
    """
    if as_json:
        with (result.out / LINES_FILE).open(encoding="utf-8") as lines:
            for line in lines:
                click.echo(line, nl=False)
    else:
        for _, trouble in result.tally.errors:
            click.echo(f"Error: {trouble.message}", err=True)
        click.echo(told_result(result))
    if result.tally.errors:
        return result.tally.errors[0][1].code
    if fail_on == "never":
        return 0
    bad = [s for s in result.tally.severities if Severity.of(s) >= Severity.of(fail_on)]
    return 1 if bad else 0


def _memory(given: float | None, workers: int) -> int | None:
    if given is not None:
        return int(given * GIB)
    there = machine_memory()
    return None if there is None else int(there * SHARE_OF_MEMORY / workers)


def _shard(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise UsageError(f"--shard takes K/N with K from 1 to N, such as 2/3, not {text!r}.")
    return int(match[1]), int(match[2])
