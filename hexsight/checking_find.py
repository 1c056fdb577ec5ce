"""What there is to check below a path."""

from __future__ import annotations

from pathlib import Path

from hexsight.extract.source import source_kind
from hexsight.model.errors import HexsightError, InputError
from hexsight.model.store import BOARD_FILE
from hexsight.project import PROJECT_FILE
from hexsight.reading import request_from

TABLE_SUFFIX = ".lostab"


def find_subjects(path: Path) -> list[Path]:
    """What there is to check below a path, sorted; the path itself if it is one thing.

    Raises
    ------
    InputError
        If there is nothing there.
    """
    if not path.exists():
        raise InputError(f"Cannot find {path}: there is no such file or folder.")
    project = path / PROJECT_FILE
    if path.is_file() or (path / BOARD_FILE).is_file():
        return [path]
    if _is_one_thing(path):
        return [project] if project.is_file() else [path]
    inside = [p for p in sorted(path.iterdir()) if not p.name.startswith(".")]
    found = [p for p in inside if p.is_dir() and _is_one_thing(p)]
    found += [p for p in inside if p.is_file() and _is_checkable(p)]
    if project.is_file():
        source = _source_of(project)
        # The project's own source is checked with it, as the project has it read.
        found = [project, *(p for p in found if p.resolve() != source)]
    if not found:
        raise InputError(
            f"There is nothing to check in {path}: no module, VASL board, hexsight board, table "
            f"or {PROJECT_FILE}."
        )
    return sorted(found)


def _source_of(project: Path) -> Path | None:
    try:
        return request_from(project).source.resolve()
    except HexsightError:
        return None  # told when the project is checked


def _is_one_thing(folder: Path) -> bool:
    if (folder / BOARD_FILE).is_file():
        return True
    try:
        source_kind(folder)
    except HexsightError:
        return False
    return True


def _is_checkable(file: Path) -> bool:
    if file.suffix.lower() in (".vmod", ".vmdx", TABLE_SUFFIX):
        return True
    if file.suffix:
        return False
    try:
        return source_kind(file) == "board"
    except HexsightError:
        return False
