"""A process with hexsight loaded that runs each command line in a copy of itself.

Loading costs a second, the copy (a fork) milliseconds, so that hundreds of commands can
be run as a person runs them: in a process of their own, whose memory and time are
bounded and measured by the system, and which may be killed at an exact point of its work.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MEMORY_BYTES = 1 << 30
CPU_S = 10
WALL_S = 60  # for a command that waits; CI machines may be busy


@dataclass(frozen=True)
class Outcome:
    """How a command ended.

    Attributes
    ----------
    code : int
        Exit code, or minus the number of the signal that ended it.
    out, err : str
        What it printed.
    rss_mb : int
        Most memory that it had, with all that was loaded before it began.
    cpu_s : float
    calls : int
        Calls that a kill could have come at, with `kill_at`.
    """

    code: int
    out: str
    err: str
    rss_mb: int
    cpu_s: float
    calls: int = 0


class Warm:
    """Runs command lines; use it as a context manager."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )

    def __enter__(self) -> Warm:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)

    def run(
        self,
        *arguments: object,
        kill_at: int = -1,
        full_at: int = -1,
        stdin: bytes = b"",
        call: str = "hexsight.cli:run",
        cwd: Path | None = None,
        largest_file: int = 0,
        bounded: bool = True,
    ) -> Outcome:
        """Run a command line to its end.

        Parameters
        ----------
        kill_at : int
            Kill it (as ``kill -9`` does) before its call of this number, counted from
            0, that changes a file; 0 or more makes it count, a large number only that.
        full_at : int
            From its call of this number on the disk is full.
        call : str
            Function that takes the arguments, as ``module:name``.
        largest_file : int
            Bytes beyond which the system refuses to let a file grow; 0 for none.
        bounded : bool
            Whether memory and time are limited.
        """
        out, err = self._folder / "warm.out", self._folder / "warm.err"
        (self._folder / "warm.in").write_bytes(stdin)
        job: dict[str, Any] = {
            "arguments": [str(a) for a in arguments],
            "kill_at": kill_at,
            "full_at": full_at,
            "folder": str(self._folder),
            "call": call,
            "cwd": str(cwd or self._folder),
            "largest_file": largest_file,
            "bounded": bounded,
        }
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(job).encode() + b"\n")
        self._process.stdin.flush()
        told = json.loads(self._process.stdout.readline())
        return Outcome(
            told["code"],
            out.read_text(errors="replace"),
            err.read_text(errors="replace"),
            told["rss_mb"],
            told["cpu_s"],
            told["calls"],
        )


def _serve(lines: Sequence[str] | Any) -> None:
    _load()
    for line in lines:
        job = json.loads(line)
        read, write = os.pipe()
        number = os.fork()
        if number == 0:
            os.close(read)
            _child(job, write)
        os.close(write)
        calls = b""
        while part := os.read(read, 1 << 16):
            calls += part
        os.close(read)
        _, status, usage = os.wait4(number, 0)
        told = {
            "code": os.waitstatus_to_exitcode(status),
            "rss_mb": usage.ru_maxrss // 1024,
            "cpu_s": usage.ru_utime + usage.ru_stime,
            "calls": len(calls),
        }
        print(json.dumps(told), flush=True)


def _load() -> None:
    """Import what commands import, so that no child has to."""
    from importlib import import_module  # noqa: PLC0415

    import cv2  # noqa: PLC0415

    from hexsight.commands import VERBS  # noqa: PLC0415

    cv2.setNumThreads(1)
    for verb in VERBS:
        import_module(f"hexsight.commands.{verb}")
    for name in ("hexsight.cli", "hexsight.los.kernel", "numba", "lxml.etree"):
        import_module(name)


def _child(job: dict[str, Any], write: int) -> None:
    """Run one command and leave; never comes back."""
    from importlib import import_module  # noqa: PLC0415

    code = 99
    try:
        folder = Path(job["folder"])
        for name, number, flags in (
            ("warm.in", 0, os.O_RDONLY),
            ("warm.out", 1, os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
            ("warm.err", 2, os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        ):
            os.dup2(os.open(folder / name, flags, 0o644), number)
        sys.stdin = open(0, closefd=False, encoding="utf-8")  # noqa: SIM115 - until the end
        sys.stdout = open(1, "w", closefd=False, encoding="utf-8")  # noqa: SIM115
        sys.stderr = open(2, "w", closefd=False, encoding="utf-8")  # noqa: SIM115
        os.chdir(job["cwd"])
        if job["bounded"]:
            _bound()
        if job["largest_file"]:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (job["largest_file"],) * 2)
        if job["kill_at"] >= 0 or job["full_at"] >= 0:
            from killing import arm  # noqa: PLC0415

            arm(write, job["kill_at"], job["full_at"])
        module, _, function = job["call"].partition(":")
        code = getattr(import_module(module), function)(job["arguments"])
    except BaseException:  # noqa: BLE001 - whatever it is, the parent reads of it
        import traceback  # noqa: PLC0415

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 0)


def _bound() -> None:
    with open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[0])
    # What was loaded before (libraries, mapped but hardly touched) does not count.
    limit = pages * resource.getpagesize() + MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 1))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(WALL_S)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    _serve(sys.stdin)
