"""Runs that are killed, restarted, and spread over a cluster write the same bytes."""

from __future__ import annotations

import contextlib
import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from batch_shelf import digests, finished, make_shelf, start, wait_for

from hexsight.cli import run

psutil = pytest.importorskip("psutil", reason="needs psutil to find worker processes")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
BOARDS = 12


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_shelf(tmp_path_factory.mktemp("kill") / "shelf", BOARDS)


@pytest.fixture(scope="module")
def whole(shelf: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("whole") / "out"
    assert run(["batch", str(shelf), "-o", str(out), "--workers", "1", "-q"]) == 3
    return out


def kill_workers(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        for child in psutil.Process(process.pid).children():
            if "resource_tracker" not in " ".join(child.cmdline()):
                child.kill()


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_at_random_moments_and_restarted(shelf, whole, tmp_path, seed):
    rng = random.Random(seed)
    out = tmp_path / "out"
    arguments = ["batch", str(shelf), "-o", str(out), "--workers", str(seed), "-q"]
    kept: dict[str, int] = {}
    for _ in range(3 - seed):
        process = start(*arguments)
        goal = len(kept) + rng.randint(1, 4)
        wait_for(lambda goal=goal: finished(out) >= goal, process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        places = out.glob("items/*/record.json")
        now = {p.parent.name: p.stat().st_mtime_ns for p in places}
        assert kept.items() <= now.items(), "a finished item was done again"
        kept = now
    process = start(*arguments)
    wait_for(lambda: finished(out) > len(kept), process)
    kill_workers(process)
    assert process.wait(60) == 3, process.communicate()[1].decode()
    process.communicate()
    assert digests(out) == digests(whole)


def test_interrupted_politely(shelf, whole, tmp_path):
    out = tmp_path / "out"
    arguments = ["batch", str(shelf), "-o", str(out), "--workers", "1", "-q"]
    process = start(*arguments)
    wait_for(lambda: finished(out) >= 2, process)
    workers = psutil.Process(process.pid).children()
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 130
    assert b"Interrupted" in process.communicate()[1]
    psutil.wait_procs(workers, timeout=10)
    assert not any(p.is_running() for p in workers)
    assert run(arguments) == 3
    assert digests(out) == digests(whole)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A Dask scheduler and two workers: processes of their own on this machine."""
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    file = tmp_path / "scheduler.json"
    common = ["--scheduler-file", str(file), "--no-dashboard", "--host", "127.0.0.1"]
    running = []

    def spawn(what: str, *more: str) -> subprocess.Popen[bytes]:
        with (tmp_path / f"{what}{len(running)}.log").open("wb") as log:
            command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *common, *more]
            running.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=tmp_path))
        return running[-1]

    try:
        scheduler = spawn("scheduler", "--port", "0")
        wait_for(lambda: file.exists() and bool(file.read_bytes()), scheduler)
        workers = [
            spawn("worker", "--no-nanny", "--nthreads", "1", "--local-directory", str(tmp_path))
            for _ in range(2)
        ]
        yield json.loads(file.read_text())["address"], workers
    finally:
        for process in running:
            process.kill()
            process.wait()


def test_a_cluster_whose_worker_is_killed_midway(cluster, shelf, whole, tmp_path):
    address, workers = cluster
    out = tmp_path / "out"
    far = ["--engine", "dask", "--scheduler", address, "-q"]
    process = start("batch", str(shelf), "-o", str(out), *far)
    wait_for(lambda: finished(out) >= 3, process)
    workers[0].kill()
    assert process.wait(90) == 3, process.communicate()[1].decode()
    process.communicate()
    assert digests(out) == digests(whole)
    # The other one goes on alone, with inputs that are sent to it; a kept folder is not redone.
    process = start("batch", str(shelf), "-o", str(tmp_path / "sent"), *far, "--send")
    assert process.wait(90) == 3, process.communicate()[1].decode()
    process.communicate()
    assert digests(tmp_path / "sent") == digests(whole)


def test_no_scheduler_is_told_in_one_line(shelf, tmp_path, capsys, monkeypatch):
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    monkeypatch.setattr("hexsight.batch_dask.CONNECT_S", 0.5)
    arguments = ["batch", str(shelf), "-o", str(tmp_path / "out"), "--engine", "dask", "-q"]
    assert run([*arguments, "--scheduler", "tcp://127.0.0.1:9"]) == 3
    assert "Cannot reach a Dask scheduler" in capsys.readouterr().err


def test_without_distributed_the_part_is_named(shelf, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    arguments = ["batch", str(shelf), "-o", str(tmp_path / "out"), "--engine", "dask", "-q"]
    assert run([*arguments, "--scheduler", "tcp://127.0.0.1:9"]) == 7
    assert "hexsight[cluster]" in capsys.readouterr().err
