"""A board that is looked at and corrected; every answer is of the board as it is.

A correction is worked out first and written then: one that cannot be carried out
changes nothing.  Readers take a snapshot and never wait for each other; corrections
come one after the other.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hexsight.boardrules import rules_for
from hexsight.los.engine import table_of
from hexsight.los.explain import Answer
from hexsight.los.table import write_table
from hexsight.los.viewshed import Viewshed
from hexsight.model.board import Board, Survey
from hexsight.model.derive import Concluded, conclude
from hexsight.model.derive_again import conclude_again
from hexsight.model.errors import UsageError
from hexsight.model.locations import Location
from hexsight.model.overrides import Overrides
from hexsight.model.store import save_board
from hexsight.pipeline import TABLE_FILE
from hexsight.progress import Reporter
from hexsight.reading import Request, request_of
from hexsight.review.anchors import Anchors, corrections_json
from hexsight.review.background import Background
from hexsight.review.changes import Change, change_between
from hexsight.review.edits import parse_edit, settings_of
from hexsight.review.findings import FindingView, accept_entry, progress_of
from hexsight.review.journal import StaleError
from hexsight.review.look import Look
from hexsight.review.opening import (
    Ground,
    Opened,
    map_beside,
    open_path,
    read_ground,
    rules_of,
    stamps_of,
)
from hexsight.review.projectfile import Edited, ProjectFile
from hexsight.review.summary import state_of
from hexsight.validators import Finding

__all__ = ["Change", "FindingView", "Session", "StaleError"]


@dataclass(frozen=True, eq=False)
class _Now:
    """All that belongs to one version."""

    look: Look
    concluded: Concluded | None


class Session:
    """A project that is open; `Session.open` makes one.

    Parameters
    ----------
    opened : Opened
    folder : Path
        What was opened.

    Attributes
    ----------
    can_save : bool
        Whether corrections can be made.
    why_not : str
        Why none can, as a sentence.
    """

    def __init__(self, opened: Opened, folder: Path) -> None:
        self._file, self._folder = opened.file, folder
        self.can_save, self.why_not = opened.file is not None, opened.why_not
        self._lock = threading.RLock()
        self._busy = ""
        self._progress: dict[str, int] | None = None
        # Findings that their own correction settled, with the depth of undo it stands at.
        self._mended: dict[str, tuple[int, Finding]] = {}
        base = opened.file.path.parent if opened.file is not None else None
        self._base = base
        self._rgb: NDArray[np.uint8]
        if opened.ground is None:
            assert opened.board is not None
            rules = rules_of(Request(source=folder, rules=rules_for(folder, None)), base)
            self._rgb = map_beside(folder, opened.board)
            look = Look(1, opened.board, None, rules, Overrides(), {})
            self._now = _Now(look, None)
        else:
            ground = opened.ground
            self._rgb = ground.reading.rgb
            overrides, accepted = ground.request.overrides, _accepted(opened.file)
            concluded = _concluded(ground, overrides)
            look = Look(
                1, concluded.board, ground, rules_of(ground.request, base), overrides, accepted
            )
            self._now = _Now(look, concluded)
        self._behind = Background(lambda: self.look, self.findings)

    @classmethod
    def open(
        cls, path: Path, *, board: str | None = None, reporter: Reporter | None = None
    ) -> Session:
        """Open a project, a module or picture, or a board folder.

        Parameters
        ----------
        path : Path
            A hexsight.yaml or its folder can be corrected; a source without one and
            a bare board folder can be looked at.
        board : str, optional
            Of a module with several.
        reporter : Reporter, optional

        Raises
        ------
        HexsightError
            If it cannot be read; in one sentence.
        """
        return cls(open_path(path, board=board, reporter=reporter), path)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the work in the background; nothing is left to be saved."""
        self._behind.close()

    # -- looking ------------------------------------------------------------------

    @property
    def look(self) -> Look:
        """The board as it is, with answers; stays what it is when a correction follows."""
        return self._now.look

    @property
    def version(self) -> int:
        """Grows with every change."""
        return self.look.version

    @property
    def board(self) -> Board:
        """The board as it is."""
        return self.look.board

    @property
    def overrides(self) -> Overrides:
        """The corrections in force."""
        return self.look.overrides

    @property
    def survey(self) -> Survey | None:
        """What was found on the map; None of a bare board folder."""
        ground = self.look.ground
        return ground.survey if ground is not None else None

    @property
    def rgb(self) -> NDArray[np.uint8]:
        """The map (H, W, 3) uint8; of a board folder without a source its terrain in colours."""
        return self._rgb

    @property
    def confidence(self) -> NDArray[np.uint8] | None:
        """How sure each pixel's terrain is, (H, W) uint8."""
        survey = self.survey
        return survey.confidence if survey is not None else None

    @property
    def name(self) -> str:
        """Of the board."""
        return self.board.name

    @property
    def rules(self) -> str:
        """Name of the rules that answer."""
        return self.look.rules.name

    def locations(self) -> tuple[Location, ...]:
        """Locations of the board as it is."""
        return self.look.locations

    def los(self, a: str, b: str, observer: str | None = None) -> Answer:
        """Line of sight of the board as it is; see `Look.los`."""
        return self.look.los(a, b, observer)

    def viewshed(self, a: str, observer: str | None = None) -> Viewshed:
        """All that is seen from a Location of the board as it is; see `Look.viewshed`."""
        return self.look.viewshed(a, observer)

    def findings(self) -> tuple[FindingView, ...]:
        """Findings of the board as it is, worst first; waits until they are known."""
        look = self.look
        views = look.findings()
        if look is self.look:
            self._progress = progress_of(views)
        return views

    def corrections(self) -> dict[str, Any]:
        """The corrections in force, as hexsight.yaml has them."""
        file = self._file
        return corrections_json(file.content.document.content if file is not None else {})

    def state(self) -> dict[str, Any]:
        """What a page shows of the session; never waits for long."""
        return state_of(self.look, self._file) | {
            "why_not": self.why_not,
            "busy": self._busy,
            "progress": self._progress or progress_of(()),
        }

    # -- correcting ---------------------------------------------------------------

    def apply(self, edit: dict[str, Any], *, version: int | None = None) -> Change:
        """Make a correction: in the board, and in hexsight.yaml before this returns.

        Parameters
        ----------
        edit : dict
            As docs/review.md describes it.
        version : int, optional
            That the page has seen.

        Raises
        ------
        UsageError
            If it cannot be made; nothing has changed.
        StaleError
            If the page or the file is out of date; nothing has changed.
        OutputError
            If it cannot be written; nothing has changed.
        """
        with self._lock:
            file = self._writable(version)
            settings, label = settings_of(parse_edit(edit), self._anchors(file), self._accepting)
            edited = file.edited(settings, label)
            ahead = self._ahead(edited)
            settled = [v for v in self._open() if v.edit == edit]
            file.write(edited)
            depth = len(file.undo_labels)
            self._keep_mended(depth - 1)
            self._mended |= {v.id: (depth, v.finding) for v in settled}
            return self._arrive(ahead, label)

    def undo(self, *, version: int | None = None) -> Change:
        """Take the last correction back.

        Raises
        ------
        UsageError
            If there is none.
        StaleError, OutputError
            As `apply`.
        """
        with self._lock:
            file = self._writable(version)
            edited = file.undone()
            ahead = self._ahead(edited)
            file.undo(edited)
            self._keep_mended(len(file.undo_labels))
            return self._arrive(ahead, edited.label)

    def redo(self, *, version: int | None = None) -> Change:
        """Make the correction again that was taken back last; the rest as `undo`."""
        with self._lock:
            file = self._writable(version)
            edited = file.redone()
            ahead = self._ahead(edited)
            file.redo(edited)
            return self._arrive(ahead, edited.label)

    def reload(self) -> Change:
        """Take hexsight.yaml as it is now, after another program changed it.

        Raises
        ------
        HexsightError
            If it cannot be read or something in it is wrong; then all is as before.
        """
        with self._lock:
            file = self._writable(None)
            fresh = ProjectFile(file.path)
            ahead = self._ahead(fresh.content)
            self._file = fresh
            return self._arrive(ahead, "hexsight.yaml loaded again")

    def save_board(self, folder: Path | None = None) -> Path:
        """Write board folder and table as they are now, as a build does.

        Parameters
        ----------
        folder : Path, optional
            ``board`` beside hexsight.yaml without; files of a board there are replaced.

        Raises
        ------
        UsageError
            If there is no folder to write into.
        OutputError
            If it cannot be written.
        """
        if folder is None and self._base is None:
            raise UsageError("Name a folder to write the board into.")
        target = folder if folder is not None else Path(self._base or "") / "board"
        look = self.look
        save_board(look.board, target, overwrite=True)
        if look.rules.engine == "measured":
            return target  # they answer no tables
        # Not the table that is kept up to date: of several reasons a build may name others.
        write_table(table_of(look.board, look.rules), target / TABLE_FILE)
        return target

    def _writable(self, version: int | None) -> ProjectFile:
        if self._file is None:
            raise UsageError(self.why_not)
        if version is not None and version != self.version:
            raise StaleError(
                "The board was changed on another page meanwhile, and this correction was not "
                "made. Look at it again, then make the correction once more."
            )
        return self._file

    def _anchors(self, file: ProjectFile) -> Anchors:
        ground, concluded = self.look.ground, self._now.concluded
        assert ground is not None
        assert concluded is not None
        return Anchors(
            ground.prepared,
            concluded,
            self.overrides,
            not isinstance(file.content.project.grid, str),
            {c.name: (c.col, c.row) for c in ground.survey.cells},
        )

    def _accepting(self, finding: str, on: bool) -> tuple[str, str]:
        for view in self.findings():
            if view.id == finding:
                return accept_entry(view, self.look.accepted, on=on)
        raise UsageError("There is no such finding any more. Load the list again.")

    def _ahead(self, edited: Edited) -> _Now:
        """The board as a text of hexsight.yaml makes it; nothing has changed yet."""
        look, ground = self.look, self.look.ground
        assert ground is not None
        assert self._base is not None
        project = edited.project
        request = request_of(project, self._base, edited.places)
        request = replace(request, board=request.board or ground.request.board)
        if _reads_other(request, ground.request) or stamps_of(request) != ground.stamps:
            ground = self._read_again(request)
        overrides = request.overrides
        before = self._now.concluded
        if before is None or ground is not look.ground:
            concluded = _concluded(ground, overrides)
        elif overrides == look.overrides:
            concluded = before
        else:
            concluded = conclude_again(ground.prepared, before, look.overrides, overrides)
        rules = rules_of(request, self._base)
        after = Look(
            look.version + 1, concluded.board, ground, rules, overrides, dict(project.accepted)
        )
        if rules.digest == look.rules.digest:
            after.takes_over(look)
        return _Now(after, concluded)

    def _open(self) -> list[FindingView]:
        """Findings that are open, as far as they are known."""
        return [v for v in self.look.findings() if v.state == "open"] if self.look.checked else []

    def _keep_mended(self, depth: int) -> None:
        """Forget what was mended by corrections that are taken back, or written over."""
        self._mended = {k: one for k, one in self._mended.items() if one[0] <= depth}

    def _read_again(self, request: Request) -> Ground:
        self._busy = "Reading the map again"
        try:
            return read_ground(request)
        finally:
            self._busy = ""

    def _arrive(self, ahead: _Now, label: str) -> Change:
        file, before = self._file, self.look
        assert file is not None
        ahead.look.mended = {key: one for key, (_, one) in self._mended.items()}
        self._now = ahead
        if ahead.look.ground is not None:
            self._rgb = ahead.look.ground.reading.rgb
        self._behind.wake()
        return change_between(
            before.board,
            ahead.look.board,
            version=ahead.look.version,
            label=label,
            undo=len(file.undo_labels),
            redo=len(file.redo_labels),
        )


def _accepted(file: ProjectFile | None) -> dict[str, dict[str, str]]:
    return dict(file.content.project.accepted) if file is not None else {}


def _reads_other(one: Request, other: Request) -> bool:
    """Whether two requests differ in how the map is read."""
    keys = ("source", "board", "legend", "grid", "terrain_from")
    return any(getattr(one, key) != getattr(other, key) for key in keys)


def _concluded(ground: Ground, overrides: Overrides) -> Concluded:
    if overrides == Overrides():
        return ground.plain
    return conclude(ground.prepared, overrides)
