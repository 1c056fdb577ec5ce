"""How far a batch is, on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from hexsight.batch_record import Record


class BatchReporter(Protocol):
    """What a batch tells as it goes."""

    def begin(self, total: int) -> None:
        """So many items are to be done."""

    def kept(self, name: str) -> None:
        """An item was done by an earlier run."""

    def finished(self, record: Record) -> None:
        """An item is done."""


def told(record: Record) -> str:
    """One line for an item: its errors, findings or files."""
    if record.errors:
        return f"{record.item}: {record.errors[0].message}"
    if record.report is not None:
        counts = [f"{n} {s.label}" for s, n in record.report.counts.items() if n]
        return f"{record.item}: {', '.join(counts) or 'no findings'}"
    return f"{record.item}: {', '.join(record.files) or 'nothing'}"


class SilentBatch:
    """Says nothing: for ``--quiet`` and callers of the Python API."""

    def begin(self, total: int) -> None:
        """So many items are to be done."""

    def kept(self, name: str) -> None:
        """An item was done by an earlier run."""

    def finished(self, record: Record) -> None:
        """An item is done."""


class BatchLines:
    """One line an item, for logs and pipes."""

    def __init__(self) -> None:
        self._done, self._kept, self._total = 0, 0, 0

    def begin(self, total: int) -> None:
        """So many items are to be done."""
        self._total = total

    def kept(self, name: str) -> None:
        """An item was done by an earlier run."""
        self._done += 1
        self._kept += 1

    def finished(self, record: Record) -> None:
        """An item is done."""
        if self._kept:
            print(f"{self._kept} done by an earlier run", file=sys.stderr)
            self._kept = 0
        self._done += 1
        print(f"[{self._done}/{self._total}] {told(record)}", file=sys.stderr)


class BatchBar:
    """One bar for a person at a terminal; what went wrong scrolls by above it."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task: TaskID | None = None

    def begin(self, total: int) -> None:
        """So many items are to be done."""
        self._task = self._progress.add_task("", total=total)

    def kept(self, name: str) -> None:
        """An item was done by an earlier run."""
        self._advance(name)

    def finished(self, record: Record) -> None:
        """An item is done."""
        if record.errors:
            self._progress.console.print(told(record), markup=False, highlight=False)
        self._advance(record.item)

    def _advance(self, name: str) -> None:
        if self._task is not None:
            self._progress.update(self._task, advance=1, description=name.replace("[", "\\["))


@contextmanager
def batch_reporting(quiet: bool) -> Iterator[BatchReporter]:
    """Choose how to report: silent, a bar on a terminal, lines elsewhere."""
    console = Console(stderr=True)
    if quiet:
        yield SilentBatch()
    elif not console.is_terminal:
        yield BatchLines()
    else:
        columns = (
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
        )
        with Progress(*columns, console=console) as progress:
            yield BatchBar(progress)
