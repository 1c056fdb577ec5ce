"""What a review page can be opened on, and everything that is read for it once."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hexsight.checking import built_subject, origin_of
from hexsight.extract.source import open_any, source_kind
from hexsight.los.rulesets import RuleSet, load_rules
from hexsight.model.board import Board, Survey
from hexsight.model.derive import Concluded, Prepared, conclude, prepare
from hexsight.model.errors import InputError, UsageError
from hexsight.model.overrides import Overrides
from hexsight.model.store import BOARD_FILE, load_board
from hexsight.pipeline import requests_for
from hexsight.progress import Reporter, Silent
from hexsight.project import PROJECT_FILE
from hexsight.reading import Reading, Request, read, request_from, survey
from hexsight.review.palettes import terrain_palette
from hexsight.review.projectfile import ProjectFile
from hexsight.review.warm import warm_up
from hexsight.validators import Finding, Subject, all_checks, load_profile, run_checks

# Facts of a subject that a correction changes; checks of others are run once.
PAPER = 240  # gray of open ground where no map is at hand
_BOARD_FACTS = frozenset({"board", "survey", "overrides", "table"})


@dataclass(frozen=True, eq=False)
class Ground:
    """A map as it was read, before any correction.

    Attributes
    ----------
    request : Request
        With the overrides of the moment it was read.
    reading : Reading
    prepared : Prepared
    stamps : tuple
        Of the files that it was read from, to notice that one is another now.
    """

    request: Request
    reading: Reading
    prepared: Prepared
    stamps: tuple[tuple[int, int], ...] = ()
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def plain(self) -> Concluded:
        """The board without any correction."""
        with self._lock:
            return self._plain

    @cached_property
    def _plain(self) -> Concluded:
        return conclude(self.prepared, Overrides())

    @property
    def survey(self) -> Survey:
        """What was found."""
        return self.prepared.survey

    @cached_property
    def _subject(self) -> Subject:
        request = replace(self.request, overrides=Overrides(), accepted={})
        board = self.plain.board
        return replace(
            built_subject(self.reading, self.survey, board, request), plain=board, pictures=None
        )

    @cached_property
    def _ids(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Ids of the checks of a board, and of all others, that `hexsight check` runs unasked."""
        checks = load_profile("default").chosen(all_checks())
        board = [c.id for c in checks if _BOARD_FACTS & set(c.needs)]
        return tuple(board), tuple(c.id for c in checks if c.id not in set(board))

    @cached_property
    def _standing(self) -> tuple[Finding, ...]:
        """Findings that no correction changes."""
        return run_checks(self._subject, only=self._ids[1]).findings

    @property
    def plain_findings(self) -> tuple[Finding, ...]:
        """Findings of the board without any correction."""
        with self._lock:
            return self._plain_findings

    @cached_property
    def _plain_findings(self) -> tuple[Finding, ...]:
        return self.findings_of(self.plain.board, Overrides())

    def findings_of(self, board: Board, overrides: Overrides) -> tuple[Finding, ...]:
        """Findings of a board after corrections, worst first; accepted ones too."""
        with self._lock:
            base, standing = self._subject, self._standing
        told = overrides if overrides != Overrides() else None
        subject = replace(base, board=board, overrides=told)
        found = run_checks(subject, only=self._ids[0]).findings
        return tuple(sorted([*found, *standing], key=lambda f: f.order))


def read_ground(request: Request, reporter: Reporter | None = None) -> Ground:
    """Read a map.

    Raises
    ------
    HexsightError
        If it cannot be read.
    """
    reporter = reporter or Silent()
    stamps = stamps_of(request)
    reading = read(request, reporter)
    found = survey(request, reading, reporter)
    reporter.step("Concluding buildings, Factories, bars")
    return Ground(request, reading, prepare(found), stamps)


def stamps_of(request: Request) -> tuple[tuple[int, int], ...]:
    """Time and size of the source and the legend file of a request."""
    out = []
    for path in (request.source, Path(request.legend)):
        found = path.stat() if path.exists() else None
        out.append((found.st_mtime_ns, found.st_size) if found is not None else (0, 0))
    return tuple(out)


@dataclass(frozen=True, eq=False)
class Opened:
    """What a path leads to.

    Attributes
    ----------
    file : ProjectFile or None
        The hexsight.yaml that corrections go into; None where nothing can be saved.
    ground : Ground or None
        None of a bare board folder.
    board : Board or None
        Of a bare board folder.
    why_not : str
        Why nothing can be saved, as a sentence.
    """

    file: ProjectFile | None
    ground: Ground | None
    board: Board | None = None
    why_not: str = ""


def open_path(path: Path, *, board: str | None, reporter: Reporter | None = None) -> Opened:
    """Open a project, a source, or a board folder.

    Raises
    ------
    HexsightError
        If there is nothing of the kind, or it cannot be read.
    """
    file = path / PROJECT_FILE if path.is_dir() else path
    if file.suffix.lower() in (".yaml", ".yml") and file.is_file():
        project = ProjectFile(file)
        request = one_board(request_from(file, board=board))
        warm_up(rules_of(request, file.parent))
        return Opened(project, read_ground(request, reporter))
    if path.is_dir() and (path / BOARD_FILE).is_file():
        why = (
            f"{path.name or path} is a board folder without {PROJECT_FILE}, so it can be looked "
            "at and not corrected. Open the project that it was built from."
        )
        return Opened(None, None, load_board(path), why)
    if not path.exists():
        raise InputError(f"Cannot find {path}: there is no such file or folder.")
    source_kind(path)
    ground = read_ground(one_board(Request(source=path, board=board)), reporter)
    why = (
        f"{path.name or path} has no {PROJECT_FILE} that corrections could go into. Start a "
        f"project with hexsight new {path.name or path} -o FOLDER and open that."
    )
    return Opened(None, ground, None, why)


def one_board(request: Request) -> Request:
    """The request, when it speaks of one board.

    Raises
    ------
    UsageError
        If the module has several and none is named.
    """
    found = requests_for(replace(request, overrides=Overrides()))
    if len(found) > 1:
        names = ", ".join(str(one.board) for one in found)
        raise UsageError(
            f"{request.source.name} has several boards. Add the line 'board: NAME' to "
            f"{PROJECT_FILE}, or --board NAME (boards: {names})."
        )
    return replace(request, board=found[0].board)


def rules_of(request: Request, folder: Path | None) -> RuleSet:
    """The rules that a project names; a file of rules lies in its folder."""
    return load_rules(request.rules, folder)


def drawn(board: Board) -> NDArray[np.uint8]:
    """A picture (H, W, 3) uint8 of a board whose map is not at hand: its terrain in colours."""
    tint = terrain_palette(board).table.astype(np.float32)
    share = tint[:, 3:] / 255
    colours = np.rint(tint[:, :3] * share + PAPER * (1 - share)).astype(np.uint8)
    picture: NDArray[np.uint8] = colours[board.terrain]
    return picture


def map_beside(folder: Path, board: Board) -> NDArray[np.uint8]:
    """Map picture of a board folder: that of its source where it still lies there, else drawn."""
    request = origin_of(folder, board)
    if request is not None:
        rgb = open_any(request.source, request.board).picture.rgb
        if rgb.shape[:2] == board.terrain.shape:
            return rgb
    return drawn(board)
