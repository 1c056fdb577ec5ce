"""The files that `check` writes: reports for people and programs, and baselines."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hexsight import __version__
from hexsight.model.errors import OutputError
from hexsight.output import check_output, write_bytes
from hexsight.validators import Finding, Report, to_html, to_junit, to_sarif, write_baseline

# What the beginning of each file that we wrote holds; only such a file is replaced unasked.
MARKS = {
    "html": 'content="hexsight check"',
    "sarif": '"version": "2.1.0"',
    "junit": '<testsuites name="hexsight check"',
    "baseline": '"about": "findings that hexsight check does not tell again"',
}
_HEAD = 2000


def refuse_target(kind: str, path: Path, inputs: Iterable[Path]) -> None:
    """Refuse to write a report over anything but an earlier one of its kind.

    Parameters
    ----------
    kind : str
        A key of `MARKS`.
    path : Path
        Where it is to be written.
    inputs : iterable of Path
        What is being checked.

    Raises
    ------
    OutputError
        If something else lies there.
    """
    check_output(path, inputs)
    if path.is_dir():
        raise OutputError(f"Cannot write {path}: it is a folder. Name a file.")
    if not path.exists():
        return
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise OutputError(f"Cannot write {path}: {error.strerror or error}.") from error
    if head and MARKS[kind].encode() not in head:
        raise OutputError(
            f"Cannot write {path}: there is a file that is no {kind} report of hexsight check. "
            "Name another file, or remove it first."
        )


def write_report(
    kind: str,
    path: Path,
    report: Report,
    *,
    pictures: dict[Finding, bytes],
    fail_on: str,
    inputs: Iterable[Path],
) -> None:
    """Write a report of one kind (a key of `MARKS`).

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    if kind == "html":
        data = to_html(report, pictures)
    elif kind == "sarif":
        data = to_sarif(report, version=__version__).encode("utf-8", "replace")
    elif kind == "junit":
        data = to_junit(report, fail_on).encode("utf-8", "replace")
    else:
        data = write_baseline(report).encode("utf-8", "replace")
    refuse_target(kind, path, inputs)
    write_bytes(path, data, overwrite=True, inputs=inputs)
