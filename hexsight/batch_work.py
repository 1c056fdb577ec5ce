"""One item of a batch, done: by a worker process here or on a cluster.

What a worker does depends on the task alone, so every engine, every number of
workers and every order gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2

from hexsight.batch_items import Item, digest_of, files_of
from hexsight.batch_job import Job
from hexsight.batch_record import Record, Trouble, place_file, trouble_of
from hexsight.boardrules import noted_rules
from hexsight.checking import subjects_of
from hexsight.export.vassal import board_slugs
from hexsight.facts import board_facts, building_mask
from hexsight.los.engine import table_of
from hexsight.los.rulesets import load_rules
from hexsight.los.table import write_table
from hexsight.model.board import Board
from hexsight.model.errors import HexsightError, InputError, OutputError
from hexsight.model.store import load_board
from hexsight.output import png_bytes, write_bytes
from hexsight.pipeline import build, extract_board, requests_for
from hexsight.reading import Request, request_from
from hexsight.validators import (
    MAX_PICTURES,
    Finding,
    Report,
    make_thumbnails,
    merge_reports,
    run_checks,
)


@dataclass(frozen=True)
class Task:
    """An item, what to do with it, and what its result is kept under.

    Attributes
    ----------
    item : Item
    job : Job
    content : str
        Digest of the item's files as the sender sees them.
    key : str
    """

    item: Item
    job: Job
    content: str
    key: str


def do_task(task: Task, folder: Path) -> Record:
    """Do one item; whatever is wrong with it ends up in its record.

    Parameters
    ----------
    folder : Path
        Empty; files of the result are written into it.

    Raises
    ------
    MemoryError
        If the limit of the process is too low for it.
    OutputError
        If the result cannot be written.
    """
    item, job = task.item, task.job
    cv2.setNumThreads(1)  # as many workers as cores already
    if digest_of(item, files_of(item, job.files)) != task.content:
        return _failed(
            task,
            InputError(
                f"{item.name} is not the same to the worker as to who sent it: it changed "
                "meanwhile, or lies at another path there (see --send). Run the batch again."
            ),
            transient=True,
        )
    done = {"check": _check, "build": _build, "extract": _extract, "table": _table}[job.do]
    with_errors = done(item, job, folder)
    report = with_errors.report
    if job.do == "build" and with_errors.errors:
        _empty(folder)  # half a build is none
    return Record(
        item.name,
        item.kind,
        job.do,
        task.key,
        errors=tuple(_told(item, error, folder) for error in with_errors.errors),
        # A full disk or a lost share is no property of the item.
        transient=any(isinstance(e, OutputError | OSError) for e in with_errors.errors),
        report=report,
        files=dict(_hashes(folder)),
    )


def _failed(task: Task, error: HexsightError, *, transient: bool) -> Record:
    trouble = trouble_of(error)
    item = task.item
    return Record(item.name, item.kind, task.job.do, task.key, (trouble,), transient)


def lost_record(task: Task, trouble: Trouble) -> Record:
    """Record of an item whose worker did not survive it; the next run tries again."""
    item = task.item
    return Record(item.name, item.kind, task.job.do, task.key, (trouble,), transient=True)


@dataclass(frozen=True)
class _Done:
    errors: tuple[Exception, ...] = ()
    report: Report | None = None


def _told(item: Item, error: Exception, folder: Path) -> Trouble:
    trouble = trouble_of(error)
    message = trouble.message.replace(str(folder), "the folder of results")
    return replace(trouble, message=item.told(message))


def _guarded(step: Callable[[], None]) -> Exception | None:
    """What a step breaks off with; running out of memory is the worker's matter."""
    try:
        step()
    except MemoryError:
        raise
    except Exception as error:
        if isinstance(error, cv2.error) and error.code == -4:
            raise MemoryError(str(error)) from error
        return error
    return None


def _check(item: Item, job: Job, folder: Path) -> _Done:
    reports: list[Report] = []
    pictures: dict[Finding, bytes] = {}

    def look() -> None:
        for subject in subjects_of(item.path, quick=job.quick):
            named = replace(subject, path=_subject_name(item, subject.path))
            reports.append(run_checks(named, job.profile, only=job.only, skip=job.skip))
            left = MAX_PICTURES - len(pictures)
            pictures.update(make_thumbnails(named, reports[-1].findings, most=left))

    error = _guarded(look)
    report = merge_reports(reports) if reports else None
    for i, finding in enumerate(report.findings if report is not None else ()):
        if finding in pictures:
            write_bytes(folder / place_file(i), pictures[finding], overwrite=True)
    return _Done((error,) if error is not None else (), report)


def _subject_name(item: Item, subject: str) -> str:
    """Name of what was checked inside the shelf: a table in a board folder has its own."""
    if item.kind == "project":
        return item.name
    above, _, _ = item.name.rpartition("/")
    return f"{above}/{subject}" if above else subject


def _build(item: Item, job: Job, folder: Path) -> _Done:
    reports: list[Report] = []

    def make() -> None:
        made = build(_request(item, job), folder)
        reports.extend(_renamed(b.report, item.name) for b in made.boards)

    error = _guarded(make)
    if error is not None:
        return _Done((error,))
    return _Done((), merge_reports(reports) if reports else None)


def _renamed(report: Report, name: str) -> Report:
    findings = tuple(replace(f, file=name) for f in report.findings)
    return replace(report, findings=findings, files=(name,))


def _request(item: Item, job: Job) -> Request:
    return request_from(item.path, legend=job.legend, from_losdata=job.from_losdata, grid=job.grid)


def _extract(item: Item, job: Job, folder: Path) -> _Done:
    def write(slug: str, board: Board, _rules: str) -> None:
        text = json.dumps(board_facts(board), ensure_ascii=False, indent=1) + "\n"
        write_bytes(folder / f"{slug}.facts.json", text.encode(), overwrite=False)
        write_bytes(folder / f"{slug}.mask.png", png_bytes(building_mask(board)), overwrite=False)

    return _by_board(item, job, write)


def _table(item: Item, job: Job, folder: Path) -> _Done:
    def write(slug: str, board: Board, rules: str) -> None:
        table = table_of(board, load_rules(rules), threads=1)
        write_table(table, folder / f"{slug}.lostab")

    if item.kind == "hexsight":

        def whole() -> None:
            board = load_board(item.path)
            write(board_slugs([board.name])[0], board, noted_rules(item.path))

        error = _guarded(whole)
        return _Done((error,) if error is not None else ())
    return _by_board(item, job, write)


def _by_board(item: Item, job: Job, write: Callable[[str, Board, str], None]) -> _Done:
    """Every board of a source by itself: one that cannot be read does not hide the others."""
    requests: list[Request] = []
    first = _guarded(lambda: requests.extend(requests_for(_request(item, job))))
    if first is not None:
        return _Done((first,))
    names = [r.board or item.path.stem for r in requests]
    errors: list[Exception] = []
    for request, slug in zip(requests, _slugs(names), strict=True):

        def one(request: Request = request, slug: str = slug) -> None:
            write(slug, extract_board(request).board, request.rules)

        error = _guarded(one)
        if error is not None:
            errors.append(error)
    return _Done(tuple(errors))


def _slugs(names: Sequence[str]) -> list[str]:
    """Names for files; boards of the same name are told apart by a number."""
    seen: dict[str, int] = {}
    unique = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        unique.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return board_slugs(unique)


def _hashes(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        yield path.relative_to(folder).as_posix(), digest


def _empty(folder: Path) -> None:
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
