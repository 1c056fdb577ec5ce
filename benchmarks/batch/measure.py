"""How many boards a minute a batch does: 1 and 2 workers, and Dask with 2 workers.

    python benchmarks/batch/measure.py [--shared FOLDER] [--copies 12] [--do check] [--json OUT]

The shelf is made of copies of the sample module, each a module of its own; with
`--shared` that folder's boards are measured too.  Every way runs into a folder
of its own and the results are compared byte for byte.  The seconds are those
of the whole command, the start of its workers included; those of Dask without
the start of the cluster.  `cpu_s` is what all its processes computed for, which
tells more on a machine that others use too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from hexsight.samples import write_samples

CLI = [sys.executable, "-c", "from hexsight.cli import main; main()"]


@dataclass(frozen=True)
class Measured:
    """One way over one shelf."""

    shelf: str
    way: str
    items: int
    seconds: float
    cpu_s: float
    boards_a_minute: float
    boards_a_core_minute: float
    same_bytes: bool


def sample_shelf(folder: Path, copies: int) -> Path:
    """So many copies of the sample module."""
    write_samples(folder / "drawn")
    shelf = folder / "samples"
    shelf.mkdir()
    for i in range(copies):
        shutil.copyfile(folder / "drawn" / "red-factory.vmod", shelf / f"map{i:03}.vmod")
    return shelf


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[psutil.Process]]]:
    """A Dask cluster on this machine: its address and processes."""
    file = folder / "scheduler.json"
    common = ["--scheduler-file", str(file), "--no-dashboard", "--host", "127.0.0.1"]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    running = []

    def spawn(what: str, *more: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *common, *more]
        running.append(
            subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=folder, env=environment)
        )

    try:
        spawn("scheduler", "--port", "0")
        while not (file.exists() and file.read_bytes()):
            time.sleep(0.1)
        for _ in range(workers):
            spawn("worker", "--no-nanny", "--nthreads", "1", "--local-directory", str(folder))
        time.sleep(5)
        address = json.loads(file.read_text())["address"]
        yield address, [psutil.Process(process.pid) for process in running]
    finally:
        for process in running:
            process.kill()
            process.wait()


def digest(out: Path) -> str:
    """One digest over all files of a result."""
    total = hashlib.sha256()
    for path in sorted(p for p in out.rglob("*") if p.is_file()):
        total.update(path.relative_to(out).as_posix().encode() + path.read_bytes())
    return total.hexdigest()


def spent(far: list[psutil.Process]) -> float:
    """Seconds that ended children and the processes of the cluster have computed for."""
    mine = os.times()
    times = [process.cpu_times() for process in far]
    return mine.children_user + mine.children_system + sum(t.user + t.system for t in times)


def once(
    shelf: Path, out: Path, words: list[str], far: list[psutil.Process]
) -> tuple[float, float]:
    """Seconds by the clock and of all processes of one run."""
    before, began = spent(far), time.perf_counter()
    subprocess.run(
        [*CLI, "batch", str(shelf), "-o", str(out), "-q", *words], check=False, stdout=sys.stderr
    )
    cpu = spent(far) - before
    return time.perf_counter() - began, cpu


def measure(shelf: Path, scratch: Path, job: list[str]) -> Iterator[Measured]:
    """All ways over one shelf."""
    with cluster(scratch, 2) as (address, far):
        ways = {
            "1 worker": ["--workers", "1"],
            "2 workers": ["--workers", "2"],
            "Dask, 2 workers": ["--engine", "dask", "--scheduler", address],
            "Dask, 2 workers, --send": ["--engine", "dask", "--scheduler", address, "--send"],
        }
        first = ""
        for number, (way, words) in enumerate(ways.items()):
            out = scratch / f"{shelf.name}-{number}"
            seconds, cpu = once(shelf, out, [*job, *words], far)
            items = len(json.loads((out / "batch.json").read_text())["order"])
            first = first or digest(out)
            yield Measured(
                shelf.name,
                way,
                items,
                round(seconds, 1),
                round(cpu, 1),
                round(60 * items / seconds, 1),
                round(60 * items / cpu, 1),
                digest(out) == first,
            )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, help="folder with real boards in boards/")
    parser.add_argument("--copies", type=int, default=12)
    parser.add_argument("--do", default="check")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    job = ["--do", given.do, *(["--quick"] if given.quick else [])]
    rows: list[Measured] = []
    with tempfile.TemporaryDirectory() as folder:
        shelves = [sample_shelf(Path(folder), given.copies)]
        if given.shared is not None:
            shelves.append(given.shared / "boards")
        for i, shelf in enumerate(shelves):
            scratch = Path(folder) / f"scratch{i}"
            scratch.mkdir()
            for row in measure(shelf, scratch, job):
                rows.append(row)
                print(json.dumps(asdict(row)), flush=True)
    if given.json is not None:
        given.json.write_text(json.dumps([asdict(r) for r in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
