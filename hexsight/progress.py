"""Progress on stderr; stdout belongs to data."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from hexsight.los.jit import telling


class Reporter(Protocol):
    """What a long step is handed to say how far it is."""

    def step(self, title: str) -> None:
        """A new step begins."""

    def done(self, fraction: float) -> None:
        """The current step is done to a fraction 0–1."""


class Silent:
    """Says nothing: for ``--quiet`` and for callers of the Python API."""

    def step(self, title: str) -> None:
        """A new step begins."""

    def done(self, fraction: float) -> None:
        """The current step is done to a fraction."""


class Lines:
    """One line a step, for logs and pipes."""

    def __init__(self) -> None:
        self._title = ""
        self._began = 0.0

    def step(self, title: str) -> None:
        """Close the last step with its time and name the new one."""
        self.close()
        self._title, self._began = title, time.monotonic()

    def done(self, fraction: float) -> None:
        """Lines tell whole steps only."""

    def close(self) -> None:
        """Close the last step."""
        if self._title:
            print(f"{self._title} … {time.monotonic() - self._began:.1f} s", file=sys.stderr)
        self._title = ""


class Bars:
    """Moving bars, for a person at a terminal."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task: TaskID | None = None

    def step(self, title: str) -> None:
        """Fill the last bar and open the next."""
        self.close()
        self._task = self._progress.add_task(title, total=1.0)

    def done(self, fraction: float) -> None:
        """Move the current bar."""
        if self._task is not None:
            self._progress.update(self._task, completed=min(1.0, fraction))

    def close(self) -> None:
        """Fill the last bar."""
        if self._task is not None:
            self._progress.update(self._task, completed=1.0)


@contextmanager
def reporting(quiet: bool) -> Iterator[Reporter]:
    """Choose how to report: silent, bars on a terminal, lines elsewhere."""
    if quiet:
        with telling(None):
            yield Silent()
        return
    console = Console(stderr=True)
    if not console.is_terminal:
        lines = Lines()
        with telling(to_stderr):
            yield lines
        lines.close()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        bars = Bars(progress)
        # Through rich, which puts it above the moving bars.
        with telling(lambda said: console.print(said, markup=False, highlight=False)):
            yield bars
        bars.close()


def to_stderr(said: str) -> None:
    """Tell a person something by the way."""
    print(said, file=sys.stderr, flush=True)
