"""What was done to hexsight.yaml, one JSON line a step, so that it can be undone after any crash.

A line is on the disk before the file that it speaks of changes.  It holds the digest
of the file before and after, so that on opening it is plain whether the last step was
carried out; one that was not is taken off.  A line that was being written when the
power went has no end and is taken off too.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from hexsight.model.atomic import replacing, write_problem
from hexsight.model.errors import HexsightError, InputError

MAX_BYTES = 200_000_000
# On opening a longer journal is cut to its last steps.
KEPT_BYTES = 4_000_000
KEPT_STEPS = 500


class StaleError(HexsightError):
    """The board or hexsight.yaml is another one than who asks has seen."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Step(_Strict):
    """One change of a text: `old` at a place became `new`.

    Attributes
    ----------
    label : str
        In words, for undo.
    at : int
        Characters before it.
    before, after : str
        Digest of the whole file.
    """

    op: Literal["edit"] = "edit"
    label: str
    at: int
    old: str
    new: str
    before: str
    after: str

    def forth(self, text: str) -> str:
        """The text with the step done."""
        return text[: self.at] + self.new + text[self.at + len(self.old) :]

    def back(self, text: str) -> str:
        """The text with the step undone."""
        return text[: self.at] + self.old + text[self.at + len(self.new) :]


class _Start(_Strict):
    op: Literal["start"] = "start"
    after: str


class _Move(_Strict):
    op: Literal["undo", "redo"]
    before: str
    after: str


class _Line(BaseModel):
    op: str


_Record = Step | _Start | _Move


def digest(data: bytes) -> str:
    """Digest of a file's content, 32 hex digits."""
    return hashlib.sha256(data).hexdigest()[:32]


def step_between(before: str, after: str, label: str) -> Step:
    """The smallest single replacement that makes one text another."""
    most = min(len(before), len(after))
    # Character by character is what is wanted here.
    same = len(os.path.commonprefix([before, after]))  # noqa: RUF071
    tail = len(os.path.commonprefix([before[::-1], after[::-1]]))  # noqa: RUF071
    tail = min(tail, most - same)
    return Step(
        label=label,
        at=same,
        old=before[same : len(before) - tail],
        new=after[same : len(after) - tail],
        before=digest(before.encode()),
        after=digest(after.encode()),
    )


@dataclass
class _History:
    """Steps in order, and how many of them are done."""

    steps: list[Step]
    done: int = 0
    now: str = ""

    def take(self, record: _Record) -> None:
        self.now = record.after
        if isinstance(record, _Start):
            self.steps, self.done = [], 0
        elif isinstance(record, Step):
            self.steps = [*self.steps[: self.done], record]
            self.done += 1
        else:
            self.done += 1 if record.op == "redo" else -1

    def fits(self, record: _Record) -> bool:
        """Whether a record can follow."""
        if isinstance(record, _Start):
            return True
        if record.before != self.now:
            return False
        if isinstance(record, _Move):
            return self.done > 0 if record.op == "undo" else self.done < len(self.steps)
        return True


@dataclass(frozen=True)
class Mark:
    """A state of a journal to come back to."""

    size: int
    steps: tuple[Step, ...]
    done: int
    now: str


class Journal:
    """The steps of one file.

    Parameters
    ----------
    path : Path
        Of the journal; made with its first step.
    content : bytes
        Of the file as it is now.

    Attributes
    ----------
    path : Path

    Raises
    ------
    InputError
        If the journal cannot be read.
    OutputError
        If it cannot be put right.
    """

    def __init__(self, path: Path, content: bytes) -> None:
        self.path = path
        self._history = _History([])
        self._now = digest(content)
        self._size = 0
        self._open()

    @property
    def done(self) -> tuple[Step, ...]:
        """Steps that can be undone, the last one last."""
        return tuple(self._history.steps[: self._history.done])

    @property
    def undone(self) -> tuple[Step, ...]:
        """Steps that can be done again, the next one first."""
        return tuple(self._history.steps[self._history.done :])

    def _open(self) -> None:
        """Replay the journal as far as it is whole and fits the file; mend its end."""
        records, whole = self._read()
        history, ends = _History([]), [0]
        for record, end in records:
            if not history.fits(record):
                whole = ends[-1]
                break
            history.take(record)
            ends.append(end)
        kept = [r for r, _ in records[: len(ends) - 1]]
        if kept and kept[-1].after != self._now:
            last = kept[-1]
            if not isinstance(last, _Start) and last.before == self._now:
                # Written, but the file was never changed: it did not happen.
                kept.pop()
                history = _History([])
                for record in kept:
                    history.take(record)
                whole = ends[-2]
            else:
                kept = []
        if not kept:
            history = _History([])
        self._history = history
        self._size = self._length()
        if not kept and self._size:
            self._rewrite()
        elif whole != self._size:
            self._cut(whole)
        if self._size > KEPT_BYTES:
            self._rewrite()

    def _read(self) -> tuple[list[tuple[_Record, int]], int]:
        """Records with the place where each ends; bytes that are whole."""
        try:
            if self.path.stat().st_size > MAX_BYTES:
                raise InputError(f"{self.path} is too large. Delete it; only undo is lost.")
            data = self.path.read_bytes()
        except FileNotFoundError:
            return [], 0
        except OSError as error:
            raise InputError(f"Cannot read {self.path}: {error.strerror or error}.") from error
        records: list[tuple[_Record, int]] = []
        at = 0
        for line in data.splitlines(keepends=True):
            record = _record(line)
            if record is None:
                break
            at += len(line)
            records.append((record, at))
        return records, at

    def _length(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    def add(self, step: Step) -> None:
        """Write a step down; those that were undone are gone.

        Raises
        ------
        StaleError
            If another program wrote into the journal.
        OutputError
            If it cannot be written.
        """
        self._append(step)

    def undo(self, content: bytes) -> None:
        """Write down that the last step is undone, which gives a file this content."""
        self._append(_Move(op="undo", before=self._now, after=digest(content)))

    def redo(self, content: bytes) -> None:
        """Write down that the next step is done again, which gives a file this content."""
        self._append(_Move(op="redo", before=self._now, after=digest(content)))

    def mark(self) -> Mark:
        """What `retract` needs to come back to here."""
        return Mark(self._size, tuple(self._history.steps), self._history.done, self._now)

    def retract(self, mark: Mark) -> None:
        """Take the last line off again, since the file could not be written."""
        self._cut(mark.size)
        self._history, self._now = _History(list(mark.steps), mark.done), mark.now

    def _append(self, record: _Record) -> None:
        if self._length() != self._size:
            raise StaleError(
                "Another review page has this project open. Close one of them and load this "
                "page again."
            )
        lines = b"" if self._size else _line(_Start(after=self._now))
        lines += _line(record)
        try:
            with self.path.open("ab") as file:
                file.write(lines)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            # What of it got there would be taken for another page's line by the next step.
            with contextlib.suppress(OSError):
                os.truncate(self.path, self._size)
            raise write_problem(self.path, error) from error
        self._size += len(lines)
        self._history.take(record)
        self._now = record.after

    def _cut(self, size: int) -> None:
        try:
            with self.path.open("r+b") as file:
                file.truncate(size)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise write_problem(self.path, error) from error
        self._size = size

    def _rewrite(self) -> None:
        """Write the journal anew with its last steps."""
        steps, done = self._history.steps, self._history.done
        first = max(0, done - KEPT_STEPS)
        steps, done = steps[first : first + 2 * KEPT_STEPS], done - first
        start = steps[0].before if steps else self._now
        lines = [_line(_Start(after=start)), *map(_line, steps)]
        for step in reversed(steps[done:]):
            lines.append(_line(_Move(op="undo", before=step.after, after=step.before)))
        data = b"".join(lines)
        with replacing(self.path, overwrite=True) as file:
            file.write(data)
        self._history, self._size = _History(steps, done), len(data)


def _line(record: _Record) -> bytes:
    return record.model_dump_json().encode() + b"\n"


def _record(line: bytes) -> _Record | None:
    """What a line says, None for one that is torn or no record."""
    if not line.endswith(b"\n"):
        return None
    try:
        op = _Line.model_validate_json(line).op
        if op == "edit":
            return Step.model_validate_json(line)
        if op == "start":
            return _Start.model_validate_json(line)
        return _Move.model_validate_json(line)
    except ValidationError:
        return None
