"""Which rules a board was built with, as its build.json notes them.

A board folder holds what is on a map and says nothing of a game; the build that wrote it
does, so that nobody has to name the rules again to every verb.
"""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from hexsight.los.rulesets import BUILT_IN
from hexsight.model.errors import InputError

BUILD_FILE = "build.json"
MAX_BUILD_FILE = 10_000_000  # bytes; a thousand boards need a twentieth of it
DEFAULT = "asl"
_YAML = (".yaml", ".yml")


class _Board(BaseModel):
    model_config = ConfigDict(strict=True)

    folder: str
    rules: str = DEFAULT


class _Noted(BaseModel):
    """As much of a build.json as tells the rules."""

    boards: list[_Board]


def rules_to_note(rules: str, out: Path) -> str | None:
    """What a build.json says of rules: None for those that hold where nothing is said.

    Parameters
    ----------
    rules : str
        A name, or the path of a YAML file, which is noted relative to `out`.
    out : Path
        Folder of the build.
    """
    if rules in BUILT_IN or not rules.lower().endswith(_YAML):
        return None if rules == DEFAULT else rules
    file, base = Path(rules).resolve(), out.resolve()
    if file.anchor != base.anchor:
        return file.as_posix()
    return Path(os.path.relpath(file, base)).as_posix()


def noted_rules(folder: Path) -> str:
    """Rules that a board folder was built with; those of asl where no build tells of others.

    Parameters
    ----------
    folder : Path
        Of one board, or the folder of a build.

    Returns
    -------
    str
        As `hexsight.los.rulesets.load_rules` takes it.
    """
    at = folder.resolve()
    for home, name in ((at, "."), (at.parent, at.name)):
        for board in _read(home / BUILD_FILE):
            # All boards of a build have the same rules.
            if home != at and board.folder != name:
                continue
            named = board.rules
            return str((home / named).resolve()) if named.lower().endswith(_YAML) else named
    return DEFAULT


def rules_for(board: Path | None, said: str | None) -> str:
    """Rules for a verb: what was said on the command line, or what the board was built with.

    Raises
    ------
    InputError
        If the file of rules that it was built with is not there.
    """
    if said is not None or board is None or not board.is_dir():
        return DEFAULT if said is None else said
    found = noted_rules(board)
    if found.lower().endswith(_YAML) and not Path(found).is_file():
        raise InputError(
            f"{board} was built with the rules {found}, which are not there. Name some with "
            "--rules."
        )
    return found


def _read(file: Path) -> list[_Board]:
    """Boards of a build.json; none where there is no such file, or none that a build wrote."""
    try:
        if file.stat().st_size > MAX_BUILD_FILE:
            return []
        return _Noted.model_validate_json(file.read_bytes()).boards
    except (OSError, ValidationError):
        # Anybody may have a file of this name; what it says decides nothing then.
        return []
