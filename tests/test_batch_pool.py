"""Worker processes: a task that kills its worker costs itself and nothing else."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from batch_functions import obey

from hexsight.batch_pool import Loss, PoolLimits, cores, machine_memory, run_pool

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")


def outcomes(tasks: list[tuple[str, str]], limits: PoolLimits) -> dict[tuple[str, str], object]:
    return dict(run_pool(tasks, obey, limits))


@pytest.mark.parametrize("workers", [1, 2])
def test_every_task_has_its_answer(workers):
    tasks = [("say", str(i)) for i in range(20)]
    assert outcomes(tasks, PoolLimits(workers)) == {t: t[1] for t in tasks}


def test_nothing_to_do_starts_nothing():
    assert outcomes([], PoolLimits(4)) == {}


@posix
def test_a_worker_that_dies_costs_its_own_task_only():
    tasks = [("say", "a"), ("die", ""), ("say", "b"), ("crash", ""), ("leave", ""), ("say", "c")]
    tasks += [("raise", "an error that no one expected")]
    found = outcomes(tasks, PoolLimits(2))
    assert [found[t] for t in tasks if t[0] == "say"] == ["a", "b", "c"]
    assert found["die", ""] == Loss("died", "was ended by SIGKILL")
    assert found["crash", ""] == Loss("died", "was ended by SIGSEGV")
    assert found["leave", ""] == Loss("died", "ended with exit code 3")
    assert found[tasks[-1]] == Loss("died", "ended with exit code 1")


@posix
def test_a_task_whose_worker_was_killed_is_tried_again(tmp_path):
    tasks = [("die-once", str(tmp_path / "was here")), ("say", "b")]
    assert outcomes(tasks, PoolLimits(1)) == {t: t[1] for t in tasks}


def test_a_task_that_takes_too_long_is_ended():
    tasks = [("sleep", ""), ("say", "b")]
    found = outcomes(tasks, PoolLimits(1, timeout_s=1.5))
    assert found == {("sleep", ""): Loss("time"), ("say", "b"): "b"}


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of other systems is another one")
def test_a_task_that_wants_too_much_memory_is_told_so():
    tasks = [("fill", ""), ("say", "b")]
    found = outcomes(tasks, PoolLimits(1, memory_bytes=200 * 1024**2))
    assert found == {("fill", ""): Loss("memory"), ("say", "b"): "b"}
    more = PoolLimits(1, memory_bytes=200 * 1024**2, alone_bytes=1024**3)
    assert outcomes(tasks, more) == {("fill", ""): str(400 * 1024**2), ("say", "b"): "b"}


def test_workers_are_replaced_and_have_one_thread():
    tasks = [("pid", str(i)) for i in range(6)]
    before = os.environ.get("OMP_NUM_THREADS")
    found = outcomes([*tasks, ("threads", "")], PoolLimits(1, tasks_a_worker=3))
    assert len({found[t] for t in tasks}) == 2
    assert found["threads", ""] == "1"
    assert os.environ.get("OMP_NUM_THREADS") == before


@posix
def test_workers_end_when_the_results_are_not_wanted_any_more():
    results = run_pool([("pid", str(i)) for i in range(50)], obey, PoolLimits(1))
    pid = next(results)[1]
    results.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int(str(pid)), 0)


def test_what_the_machine_has():
    assert cores() >= 1
    assert machine_memory() is None or machine_memory() > 2**20
    assert Path().exists()
