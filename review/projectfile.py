"""hexsight.yaml with its history: every change whole on the disk before it is told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from hexsight.model.atomic import replacing
from hexsight.model.errors import HexsightError, InputError, UsageError
from hexsight.model.yamlplaces import told
from hexsight.model.yamlsafe import MAX_BYTES
from hexsight.project import Project, places_in
from hexsight.review.journal import Journal, Mark, StaleError, digest, step_between
from hexsight.review.yamledit import YamlText
from hexsight.review.yamleditor import Path as Keys

JOURNAL = ".hexsight-review.jsonl"


class Remove:
    """Stands for a value: the entry goes."""


REMOVE = Remove()
Setting = tuple[Keys, object]


class ProjectFile:
    """A hexsight.yaml that is edited.

    Parameters
    ----------
    path : Path
        Of the file; the journal lies beside it.

    Attributes
    ----------
    path : Path
    document : YamlText
    project : Project
        What it says.
    places : dict of str to str
        Where each correction stands, as in `Overrides.places`.

    Raises
    ------
    InputError
        If the file or its journal cannot be read.
    UsageError
        If something in the file is wrong; names the line.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._data = _read(path)
        self._take(_text(self._data, path))
        name = JOURNAL if path.name == "hexsight.yaml" else f".{path.name}{JOURNAL}"
        self._journal = Journal(path.with_name(name), self._data)

    def _take(self, text: str) -> None:
        document = YamlText(text, str(self.path))
        self.document, self.project = document, _project(document)
        self.places = places_in(document.root, str(self.path))

    @property
    def undo_labels(self) -> tuple[str, ...]:
        """What can be undone, the last step last."""
        return tuple(step.label for step in self._journal.done)

    @property
    def redo_labels(self) -> tuple[str, ...]:
        """What can be done again, the next step first."""
        return tuple(step.label for step in self._journal.undone)

    @property
    def changed_outside(self) -> bool:
        """Whether the file on the disk is another one than this knows."""
        try:
            return _read(self.path) != self._data
        except HexsightError:
            return True

    def edited(self, settings: Sequence[Setting]) -> tuple[YamlText, Project]:
        """The text with values set or taken away, and what it says then; nothing is written.

        Raises
        ------
        UsageError
            If a value is wrong, or the file cannot be edited at its place.
        """
        document = self.document
        for keys, value in settings:
            gone = isinstance(value, Remove)
            document = document.remove(keys) if gone else document.set(keys, value)
        return document, _project(document)

    def write(self, document: YamlText, label: str) -> bool:
        """Write an edited text; False when it is the same as before.

        Raises
        ------
        StaleError
            If somebody else changed the file or the journal.
        OutputError
            If it cannot be written; then all is as before.
        """
        if document.text == self.document.text:
            return False
        self._refuse_stale()
        step = step_between(self.document.text, document.text, label)
        mark = self._journal.mark()
        self._journal.add(step)
        self._store(document.text, mark)
        return True

    def undo(self) -> str:
        """Take the last step back, to the very bytes before it; its label.

        Raises
        ------
        UsageError
            If there is none.
        StaleError, OutputError
            As `write`.
        """
        if not self._journal.done:
            raise UsageError("There is nothing to undo.")
        self._refuse_stale()
        step = self._journal.done[-1]
        text = self._moved(step.back(self.document.text), step.before)
        mark = self._journal.mark()
        self._journal.undo(text.encode())
        self._store(text, mark)
        return step.label

    def redo(self) -> str:
        """Do the next step again; its label.

        Raises
        ------
        UsageError
            If there is none.
        StaleError, OutputError
            As `write`.
        """
        if not self._journal.undone:
            raise UsageError("There is nothing to do again.")
        self._refuse_stale()
        step = self._journal.undone[0]
        text = self._moved(step.forth(self.document.text), step.after)
        mark = self._journal.mark()
        self._journal.redo(text.encode())
        self._store(text, mark)
        return step.label

    def _moved(self, text: str, wanted: str) -> str:
        """A text of the history, when it is the very one that was noted down."""
        if digest(text.encode()) != wanted:
            raise StaleError(
                f"The history beside {self.path.name} does not fit it, and nothing was changed. "
                f"Delete {self._journal.path.name}; only undo is lost."
            )
        return text

    def reload(self) -> bool:
        """Take the file as it is now, without a history; False when it is the same as before.

        Raises
        ------
        InputError, UsageError
            If it cannot be read or something in it is wrong; then all is as before.
        """
        data = _read(self.path)
        if data == self._data:
            return False
        self._take(_text(data, self.path))
        self._data = data
        self._journal.restart(data)
        return True

    def _refuse_stale(self) -> None:
        if self.changed_outside:
            raise StaleError(
                f"{self.path.name} was changed by another program since this page read it, and "
                "nothing was overwritten. Load it again, then make the correction once more."
            )

    def _store(self, text: str, mark: Mark) -> None:
        data = text.encode()
        try:
            with replacing(self.path, overwrite=True) as file:
                file.write(data)
        except BaseException:
            if digest(_read(self.path)) != digest(data):
                self._journal.retract(mark)
            raise
        self._take(text)
        self._data = data


def _project(document: YamlText) -> Project:
    try:
        return Project.model_validate(document.content)
    except ValidationError as error:
        text = document.text.removeprefix("\ufeff")
        raise UsageError(told(error, text, document.where)) from error


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror or error}.") from error
    if len(data) > MAX_BYTES:
        raise InputError(f"Cannot read {path}: it is larger than {MAX_BYTES // 1_000_000} MB.")
    return data


def _text(data: bytes, path: Path) -> str:
    """Text with its byte order mark and line ends as they are."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"Cannot read {path}: it is not UTF-8 text. Save it as UTF-8.") from error
