"""Worker processes of this machine, each replaceable at any moment.

`concurrent.futures` gives a whole pool up when one of its processes dies, and
does not tell which task that one was at.  Here each worker has a pipe of its
own, so that a killed or crashed one costs its task and nothing else.  Processes
are spawned, not forked: the same on Windows, and no thread of the parent is
copied half.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

# One thread each: there is a worker for every core already.
_ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "OPENCV_FOR_THREADS_NUM",
)
# After so many tasks a worker makes room for a fresh one: what a library leaks or a heap
# keeps in pieces never adds up.
TASKS_A_WORKER = 32
_SPAWN = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class Loss:
    """Why a task has no result.

    Attributes
    ----------
    kind : str
        ``died`` (twice: the second time alone), ``memory`` or ``time``.
    detail : str
        How the process ended, where it died.
    """

    kind: str
    detail: str = ""


@dataclass(frozen=True)
class PoolLimits:
    """What workers may take.

    Attributes
    ----------
    workers : int
    memory_bytes : int or None
        Of each worker; held where the system can (`limit_memory`).
    alone_bytes : int or None
        Of a worker that no other is at work beside: a task that needed more than
        `memory_bytes` is tried once more with it.
    timeout_s : float or None
        For one task.
    tasks_a_worker : int
    """

    workers: int = 1
    memory_bytes: int | None = None
    alone_bytes: int | None = None
    timeout_s: float | None = None
    tasks_a_worker: int = TASKS_A_WORKER


class _OutOfMemory:
    """What a worker answers before it makes room for a fresh one."""


def run_pool(
    tasks: Iterable[T], work: Callable[[T], R], limits: PoolLimits
) -> Iterator[tuple[T, R | Loss]]:
    """Do tasks in worker processes; results come as they are ready.

    A task whose worker dies, or has too little memory, is tried once more when
    all others are done, with no other at work: what killed it may have been the
    neighbour's hunger, and alone it may have more.

    Parameters
    ----------
    tasks : iterable
        Taken one by one as workers become free.  They are pickled.
    work : callable
        Pickled too: a function of a module, or an object of one of its classes.
    limits : PoolLimits

    Yields
    ------
    (task, result or Loss)
    """
    ahead = _Ahead(iter(tasks))
    slots: list[_Slot[T, R]] = [_Slot(work, limits) for _ in range(max(1, limits.workers))]
    lost: deque[T] = deque()
    try:
        while True:
            for slot in slots:
                if not slot.busy and (given := ahead.take()):
                    slot.give(given[0])
            if not any(slot.busy for slot in slots):
                break
            # Made ready while the workers are busy.
            ahead.prepare()
            for task, result in _finished(slots):
                if isinstance(result, Loss) and _again(result, limits):
                    lost.append(task)
                else:
                    yield task, result
    finally:
        for slot in slots:
            slot.stop()
    yield from _alone(lost, work, limits)


def _alone(
    tasks: Iterable[T], work: Callable[[T], R], limits: PoolLimits
) -> Iterator[tuple[T, R | Loss]]:
    """Try lost tasks once more, one after the other with the whole machine."""
    most = limits.alone_bytes or limits.memory_bytes
    slot: _Slot[T, R] = _Slot(work, replace(limits, memory_bytes=most))
    try:
        for task in tasks:
            slot.give(task)
            while slot.busy:
                yield from _finished([slot])
    finally:
        slot.stop()


def _again(loss: Loss, limits: PoolLimits) -> bool:
    more = limits.memory_bytes is not None and (limits.alone_bytes or 0) > limits.memory_bytes
    return loss.kind == "died" or (loss.kind == "memory" and more)


class _Ahead(Generic[T]):
    """An iterator that one item may be asked of before it is wanted."""

    def __init__(self, source: Iterator[T]) -> None:
        self._source = source
        self._ready: deque[T] = deque()

    def prepare(self) -> None:
        if not self._ready:
            self._ready.extend(self._next())

    def take(self) -> list[T]:
        self.prepare()
        return [self._ready.popleft()] if self._ready else []

    def _next(self) -> Iterator[T]:
        for item in self._source:
            yield item
            return


def _finished(slots: list[_Slot[T, R]]) -> Iterator[tuple[T, R | Loss]]:
    """Wait until something happens to a busy worker; what has come of it."""
    busy = [slot for slot in slots if slot.busy]
    deadline = min(slot.deadline for slot in busy)
    wait(
        [w for slot in busy for w in slot.waitables()],
        None if deadline == float("inf") else max(0.0, deadline - time.monotonic()),
    )
    for slot in busy:
        yield from slot.outcome()


class _Slot(Generic[T, R]):
    """Place of one worker: its process, replaced when it is gone, and its task."""

    def __init__(self, work: Callable[[T], R], limits: PoolLimits) -> None:
        self._work, self._limits = work, limits
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._task: list[T] = []
        self._tasks_done = 0
        self.deadline = float("inf")

    @property
    def busy(self) -> bool:
        return bool(self._task)

    def waitables(self) -> list[Connection | int]:
        if self._process is None or self._pipe is None:
            return []
        return [self._pipe, self._process.sentinel]

    def give(self, task: T) -> None:
        self._task = [task]
        if self._process is None or not self._process.is_alive():
            self.stop()
            self._start()
        timeout = self._limits.timeout_s
        self.deadline = float("inf") if timeout is None else time.monotonic() + timeout
        assert self._pipe is not None
        with contextlib.suppress(OSError):  # it died this instant: `outcome` sees it
            self._pipe.send(task)

    def outcome(self) -> Iterator[tuple[T, R | Loss]]:
        assert self._pipe is not None and self._process is not None
        answer: R | Loss
        try:
            if self._pipe.poll():
                answer = self._pipe.recv()
            elif not self._process.is_alive() and not self._pipe.poll():
                raise EOFError
            elif time.monotonic() >= self.deadline:
                answer = Loss("time")
            else:
                return
        except (EOFError, OSError):
            self._process.join()
            answer = Loss("died", _ended(self._process.exitcode))
        if isinstance(answer, _OutOfMemory):
            answer = Loss("memory")
        task = self._task.pop()
        self._tasks_done += 1
        if isinstance(answer, Loss) or self._tasks_done >= self._limits.tasks_a_worker:
            self.stop()
        yield task, answer

    def stop(self) -> None:
        """End the process, whatever it is at."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        if self._pipe is not None:
            self._pipe.close()
        self._process, self._pipe, self._tasks_done = None, None, 0

    def _start(self) -> None:
        self._pipe, theirs = _SPAWN.Pipe()
        process = _SPAWN.Process(
            target=_serve, args=(theirs, self._work, self._limits.memory_bytes), daemon=True
        )
        with _environment(dict.fromkeys(_ONE_THREAD, "1")):
            process.start()
        theirs.close()  # so that the end of the worker is the end of the pipe
        self._process = process


@contextlib.contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Environment for a process to be born with: libraries read it as they are imported."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _ended(code: int | None) -> str:
    """How a process ended, in words that are the same on every run."""
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name}"
        return f"was ended by signal {-code}"
    return f"ended with exit code {code}"


def _serve(pipe: Connection, work: Callable[[T], R], memory_bytes: int | None) -> None:
    """A worker's life: tasks come through a pipe, results go back."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer
    threading.Thread(target=_die_with_parent, daemon=True).start()
    limit_memory(memory_bytes)
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        try:
            answer: R | _OutOfMemory = work(task)
        except MemoryError:
            pipe.send(_OutOfMemory())
            return
        pipe.send(answer)


def _die_with_parent() -> None:
    """End at once when the parent is killed: the next run does the task anew."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def limit_memory(memory_bytes: int | None) -> bool:
    """Hold this process to so much memory, where the system can.

    On Linux its data (RLIMIT_DATA: heap and anonymous maps) is limited, on other
    Unixes its address space (RLIMIT_AS), which macOS does not enforce.  Windows
    has no such limit.

    Returns
    -------
    bool
        Whether a limit was set.
    """
    if memory_bytes is None or sys.platform == "win32":
        return False
    import resource  # noqa: PLC0415 - there is none on Windows

    kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    try:
        _, hard = resource.getrlimit(kind)
        most = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
        resource.setrlimit(kind, (most, hard))
    except (OSError, ValueError):
        return False
    return True


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def machine_memory() -> int | None:
    """Bytes of memory of this machine, or of the container; None where nothing tells."""
    found = []
    with contextlib.suppress(AttributeError, ValueError, OSError):
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with contextlib.suppress(OSError, ValueError), open("/sys/fs/cgroup/memory.max") as file:
        found.append(int(file.read()))
    return min((n for n in found if n > 0), default=None)
