"""Run one verb over a whole shelf: on all cores or a cluster, resumable."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hexsight.batch_dask import Answer, run_dask
from hexsight.batch_items import Item, Shelf, digest_of, files_of, find_items, in_shard
from hexsight.batch_job import Job, key_of, tool_stamp
from hexsight.batch_pool import Loss, PoolLimits, run_pool
from hexsight.batch_progress import BatchReporter, SilentBatch
from hexsight.batch_record import Record, Trouble
from hexsight.batch_report import SUMMARY_FILE, BatchResult, write_report
from hexsight.batch_store import JOB_FILE, Store, read_json, told_job
from hexsight.batch_work import Task, do_task, lost_record
from hexsight.model.errors import InputError, UsageError
from hexsight.output import check_output, write_bytes


@dataclass(frozen=True)
class Engine:
    """Where a batch runs.

    Attributes
    ----------
    limits : PoolLimits
        Of worker processes on this machine.
    scheduler : str or None
        Address of a Dask scheduler; then its workers do it.
    send : bool
        Send inputs to those workers as bytes.
    """

    limits: PoolLimits = field(default_factory=PoolLimits)
    scheduler: str | None = None
    send: bool = False


@dataclass(frozen=True)
class LocalWork:
    """What a worker process of this machine does with a task: do it and put it into its place.

    The worker writes the result itself, so that a finished item is finished
    even when the parent is killed in that instant.
    """

    store: Store

    def __call__(self, task: Task) -> Record:
        """Do a task; its record, which lies on disk by then."""
        folder = self.store.work_folder(task.item.name)
        record = do_task(task, folder)
        self.store.commit(record, folder)
        return record


def run_batch(
    paths: Sequence[Path],
    out: Path,
    job: Job,
    *,
    engine: Engine | None = None,
    shard: tuple[int, int] | None = None,
    pictures: bool = False,
    force: bool = False,
    reporter: BatchReporter | None = None,
) -> BatchResult:
    """Do a job with everything below some paths, and write its report.

    What an earlier run of the same job finished in `out`, killed or not, is
    kept as it is; what is the machine's trouble (memory, time, a lost worker)
    is tried again.

    Parameters
    ----------
    paths : sequence of Path
    out : Path
        Folder of the results.
    job : Job
    engine : Engine, optional
        One worker process here by default.
    shard : (K, N), optional
        Only part K of N, 1 ≤ K ≤ N.
    pictures : bool
        Whether loose pictures in folders count.
    force : bool
        Whether results of another job in `out` may be replaced.
    reporter : BatchReporter, optional

    Returns
    -------
    BatchResult

    Raises
    ------
    InputError
        If there is nothing to do, or the cluster is lost.
    OutputError
        If `out` belongs to something else, or cannot be written.
    """
    engine = engine or Engine()
    reporter = reporter or SilentBatch()
    shelf = find_items(paths, job.do, pictures=pictures, out=out)
    items = [i for i in shelf.items if shard is None or in_shard(i, shard)]
    check_output(out / SUMMARY_FILE, [i.path for i in shelf.items])
    store = Store(out)
    about = _about(job, shelf, shard)
    with store.opened(about, force=force):
        (out / SUMMARY_FILE).unlink(missing_ok=True)
        reporter.begin(len(items))
        for task, result in _results(_tasks(items, job, store, reporter), store, engine):
            reporter.finished(_settled(task, result, store))
        return write_report(store, [i.name for i in items], about)


def _about(job: Job, shelf: Shelf, shard: tuple[int, int] | None) -> dict[str, Any]:
    """What job.json and batch.json tell of a run."""
    return {**job.data(), "shard": f"{shard[0]}/{shard[1]}" if shard is not None else None}


def _tasks(
    items: Sequence[Item], job: Job, store: Store, reporter: BatchReporter
) -> Iterator[Task]:
    """What is still to be done; inputs are read for their digests as workers become free."""
    stamp = tool_stamp()
    for item in items:
        content = digest_of(item, files_of(item, job.files))
        key = key_of(item, job, content, stamp)
        if store.is_done(item.name, key):
            reporter.kept(item.name)
        else:
            yield Task(item, job, content, key)


def _results(
    tasks: Iterator[Task], store: Store, engine: Engine
) -> Iterator[tuple[Task, Record | Answer | Loss]]:
    if engine.scheduler is not None:
        yield from run_dask(tasks, engine.scheduler, send=engine.send)
    else:
        yield from run_pool(tasks, LocalWork(store), engine.limits)


def _settled(task: Task, result: Record | Answer | Loss, store: Store) -> Record:
    """The record of a task, in its place on disk."""
    if isinstance(result, Record):
        return result
    folder = store.work_folder(task.item.name)
    if isinstance(result, Loss):
        record = lost_record(task, _trouble(task.item, result))
    else:
        assert result.record is not None
        record = result.record
        for name, content in result.files.items():
            write_bytes(folder / name, content, overwrite=False)
    store.commit(record, folder)
    return record


def _trouble(item: Item, loss: Loss) -> Trouble:
    if loss.kind == "memory":
        return Trouble(
            InputError.exit_code,
            f"{item.name} needs more memory than a worker may take. Raise --memory, or use fewer "
            "--workers, and run the batch again.",
        )
    if loss.kind == "time":
        return Trouble(
            InputError.exit_code,
            f"{item.name} was not done in the time it may take. Raise --timeout and run the batch "
            "again.",
        )
    if loss.kind == "unsent":
        return Trouble(InputError.exit_code, loss.detail)
    return Trouble(
        70,
        f"The worker process that was at {item.name} {loss.detail}, twice. Is the memory full? "
        "Then use fewer --workers; else report it with the file.",
    )


def merge_batches(sources: Sequence[Path], out: Path, *, force: bool = False) -> BatchResult:
    """Put the results of several shards together, as if one machine had done it all.

    Parameters
    ----------
    sources : sequence of Path
        Folders of finished batches of one job.
    out : Path
        New folder, or one of an earlier merge.
    force : bool
        Whether results of another job in `out` may be replaced.

    Raises
    ------
    InputError
        If one is unfinished or no batch.
    UsageError
        If their jobs differ, a shard is missing, or one item has two results.
    OutputError
        If `out` cannot be written.
    """
    summaries = [(Store(source), _summary(source)) for source in sources]
    if any(source.resolve() == out.resolve() for source in sources):
        raise UsageError(f"{out} is one of the folders to be merged. Name another one with -o.")
    about = _common_job(summaries)
    origin: dict[str, tuple[Store, str]] = {}
    for store, summary in summaries:
        for name in summary["order"]:
            record = store.load(str(name))
            if record is None:
                raise InputError(f"{store.out} holds no result of {name}. Run that batch again.")
            if name in origin and origin[name][1] != record.key:
                raise UsageError(
                    f"{name} has different results in {origin[name][0].out} and {store.out}: the "
                    "file or the hexsight differs between the machines."
                )
            origin.setdefault(name, (store, record.key))
    target = Store(out)
    with target.opened(about, force=force):
        (out / SUMMARY_FILE).unlink(missing_ok=True)
        for name, (store, _) in sorted(origin.items()):
            _copy(store, target, name)
        return write_report(target, sorted(origin), about)


def _summary(folder: Path) -> dict[str, Any]:
    value = read_json(folder / SUMMARY_FILE)
    if isinstance(value, dict) and "job" in value and "order" in value:
        return value
    if (folder / JOB_FILE).is_file():
        raise InputError(f"The batch in {folder} is not finished. Run its command again.")
    raise InputError(f"{folder} holds no results of hexsight batch.")


def _common_job(summaries: Sequence[tuple[Store, dict[str, Any]]]) -> dict[str, Any]:
    jobs = [{**s["job"], "shard": None} for _, s in summaries]
    for (store, _), job in zip(summaries, jobs, strict=True):
        if job != jobs[0]:
            raise UsageError(
                f"{store.out} holds results of another job ({told_job(job)}) than "
                f"{summaries[0][0].out} ({told_job(jobs[0])}): they cannot be merged."
            )
    shards = [str(s["job"]["shard"]) for _, s in summaries if s["job"]["shard"]]
    for total in sorted({s.partition("/")[2] for s in shards}):
        wanted = [f"{k}/{total}" for k in range(1, int(total) + 1)]
        if missing := [w for w in wanted if w not in shards]:
            raise UsageError(
                f"Shard {', '.join(missing)} is missing. Name its folder too, or run it with "
                f"--shard {missing[0]}."
            )
    return jobs[0]


def _copy(source: Store, target: Store, name: str) -> None:
    record = source.load(name)
    assert record is not None
    if target.is_done(name, record.key):
        return
    folder = target.work_folder(name)
    for file in record.files:
        goal = folder / file
        goal.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source.item_folder(name) / file, goal)
    target.commit(record, folder)
