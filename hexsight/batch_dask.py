"""The same batch on a Dask cluster: workers on other machines, results kept here.

Inputs are read by the workers at the paths that they have here, or sent along.
The scheduler gives the tasks of a lost worker to others.
"""

from __future__ import annotations

import os
import secrets
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from hexsight.batch_items import files_of
from hexsight.batch_job import tool_stamp
from hexsight.batch_pool import Loss
from hexsight.batch_record import Record
from hexsight.batch_work import Task, do_task
from hexsight.model.errors import InputError, MissingPartError, OutputError, UsageError

CONNECT_S = 20
# So long a cluster may be without a single worker before the run gives up.
NO_WORKERS_S = 60
_LOOK_S = 2


@dataclass(frozen=True)
class Answer:
    """What a worker sends back.

    Attributes
    ----------
    record : Record or None
        None when the worker's program is another one.
    files : mapping
        Content of every file of the result.
    stamp : str
        Of the worker's program.
    """

    record: Record | None
    files: Mapping[str, bytes] = field(default_factory=dict)
    stamp: str = ""


@dataclass(frozen=True)
class Parcel:
    """An item's files, sent along: path below their common folder, content."""

    files: Mapping[str, bytes]
    item: str
    legend: str | None = None


def parcel_of(task: Task) -> Parcel:
    """Pack all files that an item depends on.

    Raises
    ------
    InputError
        If one cannot be read, or they lie on several drives.
    """
    files = files_of(task.item, task.job.files)
    places = [Path(os.path.abspath(f)) for f in files]
    item = Path(os.path.abspath(task.item.path))
    try:
        root = Path(os.path.commonpath([item.parent, *(p.parent for p in places)]))
        content = {p.relative_to(root).as_posix(): p.read_bytes() for p in places}
    except (OSError, ValueError) as error:
        raise InputError(
            f"Cannot send {task.item.name} to a worker: {getattr(error, 'strerror', '') or error}."
        ) from error
    legend = [Path(os.path.abspath(f)).relative_to(root).as_posix() for f in task.job.files]
    return Parcel(content, item.relative_to(root).as_posix(), legend[0] if legend else None)


def unpacked(parcel: Parcel, task: Task, folder: Path) -> Task:
    """Lay a parcel's files into a folder; the task as it is there."""
    for name, content in parcel.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    path = folder / parcel.item
    if not path.exists():
        path.mkdir(parents=True)  # an empty folder
    job = task.job
    if parcel.legend is not None:
        job = replace(job, legend=str(folder / parcel.legend))
    return replace(task, item=replace(task.item, path=path), job=job)


def do_far(task: Task, parcel: Parcel | None, stamp: str) -> Answer:
    """What a worker runs: one item, its result as bytes.

    Raises
    ------
    MemoryError
        If the worker's memory does not do.
    """
    mine = tool_stamp()
    if mine != stamp:
        return Answer(None, stamp=mine)
    with tempfile.TemporaryDirectory(prefix="hexsight-") as scratch:
        if parcel is not None:
            task = unpacked(parcel, task, Path(scratch) / "in")
        out = Path(scratch) / "out"
        out.mkdir()
        record = do_task(task, out)
        return Answer(record, {name: (out / name).read_bytes() for name in record.files}, mine)


def run_dask(
    tasks: Iterable[Task], scheduler: str, *, send: bool = False
) -> Iterator[tuple[Task, Answer | Loss]]:
    """Do tasks on a cluster; results come as they are ready.

    Parameters
    ----------
    tasks : iterable of Task
        Taken as workers have room: one more than they have threads.
    scheduler : str
        Address, such as ``tcp://host:8786``.
    send : bool
        Send the inputs along instead of having workers read them at their paths.

    Raises
    ------
    MissingPartError
        If distributed is not installed, here or on the workers.
    InputError
        If the scheduler cannot be reached, or has no workers (any more).
    UsageError
        If a worker runs another hexsight or other libraries.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise MissingPartError(
            "--engine dask needs the package distributed. Install it with "
            "pip install 'hexsight[cluster]', here and on every worker."
        ) from error
    try:
        client = distributed.Client(scheduler, timeout=CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(
            f"Cannot reach a Dask scheduler at {scheduler}: {error}. Start one with "
            "'dask scheduler', or mend --scheduler."
        ) from error
    with client:
        yield from _Run(client, distributed, scheduler, send).results(iter(tasks))


class _Run:
    """One run over a cluster."""

    def __init__(self, client: Any, distributed: Any, scheduler: str, send: bool) -> None:
        self._client, self._distributed, self._send = client, distributed, send
        self._scheduler = scheduler
        self._token = secrets.token_hex(4)
        self._stamp = tool_stamp()
        self._at_work: dict[Any, Task] = {}
        self._seen_workers = time.monotonic()

    def results(self, tasks: Iterator[Task]) -> Iterator[tuple[Task, Answer | Loss]]:
        more = True
        while more or self._at_work:
            while more and len(self._at_work) <= self._threads():
                task = next(tasks, None)
                more = task is not None
                if task is None:
                    break
                try:
                    self._submit(task)
                except InputError as error:
                    yield task, Loss("unsent", str(error))
            if not self._at_work:
                continue
            for future in self._ready():
                yield self._at_work.pop(future), self._result(future)

    def _threads(self) -> int:
        return sum(self._client.ncores().values())

    def _submit(self, task: Task) -> None:
        parcel = parcel_of(task) if self._send else None
        future = self._client.submit(
            do_far, task, parcel, self._stamp, key=f"hexsight-{task.key}-{self._token}", pure=False
        )
        self._at_work[future] = task

    def _ready(self) -> list[Any]:
        """Futures that are done; looks now and then whether anybody is at work at all."""
        while True:
            try:
                with self._client.as_current():
                    done = self._distributed.wait(
                        list(self._at_work), timeout=_LOOK_S, return_when="FIRST_COMPLETED"
                    ).done
            except TimeoutError:
                done = set()
            except CancelledError as error:
                raise self._gone() from error
            if done:
                return [f for f in self._at_work if f in done]
            if self._client.status != "running":
                raise self._gone()
            if self._threads():
                self._seen_workers = time.monotonic()
            elif time.monotonic() - self._seen_workers > NO_WORKERS_S:
                raise InputError(
                    f"The scheduler at {self._scheduler} has no workers. Start some with "
                    f"'dask worker {self._scheduler}' and run the same command again: what is "
                    "done stays done."
                )

    def _gone(self) -> InputError:
        return InputError(
            f"The scheduler at {self._scheduler} is gone. Start it again and run the same "
            "command: what is done stays done."
        )

    def _result(self, future: Any) -> Answer | Loss:
        try:
            answer = future.result()
        except self._distributed.KilledWorker:
            return Loss("died", "was lost by the cluster again and again")
        except MemoryError:
            return Loss("memory")
        except CancelledError as error:
            raise self._gone() from error
        except ModuleNotFoundError as error:
            raise MissingPartError(
                f"A worker lacks a part ({error}). Install the same hexsight on every worker."
            ) from error
        except OutputError as error:
            return Loss("unsent", str(error))
        assert isinstance(answer, Answer)
        if answer.record is None:
            raise UsageError(
                "A worker runs another hexsight, or other versions of numpy, opencv, pillow, "
                f"shapely, lxml or numba (stamp {answer.stamp}, here {self._stamp}): its results "
                "could differ. Install the same on every worker."
            )
        return answer
