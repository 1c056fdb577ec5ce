"""hexsight.yaml with its history: every change whole on the disk before it is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hexsight.model.atomic import replacing
from hexsight.model.errors import HexsightError, InputError, UsageError
from hexsight.model.inputs import read_input
from hexsight.model.yamlplaces import checked
from hexsight.model.yamlsafe import MAX_BYTES
from hexsight.project import PROJECT_FILE, Project, places_in
from hexsight.review.journal import Journal, StaleError, digest, step_between
from hexsight.review.yamledit import YamlText
from hexsight.review.yamleditor import Path as Keys

JOURNAL = ".hexsight-review.jsonl"


class Remove:
    """Stands for a value: the entry goes."""


REMOVE = Remove()
Setting = tuple[Keys, object]


@dataclass(frozen=True, eq=False)
class Edited:
    """A text of hexsight.yaml, understood.

    Attributes
    ----------
    document : YamlText
    project : Project
        What it says.
    places : dict of str to str
        Where each correction stands, as in `Overrides.places`.
    label : str
        What made it of the text before, in words.
    """

    document: YamlText
    project: Project
    places: dict[str, str]
    label: str = ""


class ProjectFile:
    """A hexsight.yaml that is edited.

    Parameters
    ----------
    path : Path
        Of the file; the journal lies beside it.

    Attributes
    ----------
    path : Path
    content : Edited
        What is in it.

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
        self.content = self._understood(YamlText(_text(self._data, path), str(path)))
        name = JOURNAL if path.name == PROJECT_FILE else f".{path.name}{JOURNAL}"
        self._journal = Journal(path.with_name(name), self._data)

    def _understood(self, document: YamlText, label: str = "") -> Edited:
        places = places_in(document.root, str(self.path))
        return Edited(document, _project(document), places, label)

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

    def edited(self, settings: Sequence[Setting], label: str) -> Edited:
        """The text with values set or taken away; nothing is written.

        Raises
        ------
        UsageError
            If a value is wrong, or the file cannot be edited at its place.
        """
        document = self.content.document
        for keys, value in settings:
            gone = isinstance(value, Remove)
            document = document.remove(keys) if gone else document.set(keys, value)
        return self._understood(document, label)

    def undone(self) -> Edited:
        """The text before the last step, byte for byte; nothing is written.

        Raises
        ------
        UsageError
            If there is none.
        StaleError
            If the history does not fit the file.
        """
        if not self._journal.done:
            raise UsageError("There is nothing to undo.")
        step = self._journal.done[-1]
        text = self._moved(step.back(self.content.document.text), step.before)
        return self._understood(YamlText(text, str(self.path)), step.label)

    def redone(self) -> Edited:
        """The text after the next step; the rest as `undone`."""
        if not self._journal.undone:
            raise UsageError("There is nothing to do again.")
        step = self._journal.undone[0]
        text = self._moved(step.forth(self.content.document.text), step.after)
        return self._understood(YamlText(text, str(self.path)), step.label)

    def write(self, edited: Edited) -> None:
        """Write an edited text, as a new step; nothing when it is the same as before.

        Raises
        ------
        StaleError
            If somebody else changed the file or the journal.
        OutputError
            If it cannot be written; then all is as before.
        """
        before, after = self.content.document.text, edited.document.text
        if before != after:
            step = step_between(before, after, edited.label)
            self._store(edited, lambda: self._journal.add(step))

    def undo(self, edited: Edited) -> None:
        """Write what `undone` gave; raises as `write`."""
        self._store(edited, lambda: self._journal.undo(edited.document.text.encode()))

    def redo(self, edited: Edited) -> None:
        """Write what `redone` gave; raises as `write`."""
        self._store(edited, lambda: self._journal.redo(edited.document.text.encode()))

    def _moved(self, text: str, wanted: str) -> str:
        """A text of the history, when it is the very one that was noted down."""
        if digest(text.encode()) != wanted:
            raise StaleError(
                f"The history beside {self.path.name} does not fit it, and nothing was changed. "
                f"Delete {self._journal.path.name}; only undo is lost."
            )
        return text

    def _store(self, edited: Edited, note: Callable[[], None]) -> None:
        """Write a text, after its step is written down."""
        if self.changed_outside:
            raise StaleError(
                f"{self.path.name} was changed by another program since this page read it, and "
                "nothing was overwritten. Load it again, then make the correction once more."
            )
        mark = self._journal.mark()
        note()
        data = edited.document.text.encode()
        try:
            with replacing(self.path, overwrite=True) as file:
                file.write(data)
        except BaseException:
            if _read(self.path) != data:
                self._journal.retract(mark)
            raise
        self.content, self._data = edited, data


def _project(document: YamlText) -> Project:
    text = document.text.removeprefix("\ufeff")
    return checked(Project, document.content, text, document.where, needs="'source: FILE'")


def _read(path: Path) -> bytes:
    try:
        return read_input(path, MAX_BYTES)
    except FileNotFoundError as error:
        raise InputError(f"Cannot read {path}: {error.strerror}.") from error


def _text(data: bytes, path: Path) -> str:
    """Text with its byte order mark and line ends as they are."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"Cannot read {path}: it is not UTF-8 text. Save it as UTF-8.") from error
