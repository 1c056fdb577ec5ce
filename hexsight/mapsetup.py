"""Map set-ups: a YAML file that says which boards lie side by side, and how.

Unknown or doubled keys and wrong values end in one sentence that names the
line, as in hexsight.yaml.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from hexsight.model.board import Board
from hexsight.model.compose import ComposedBoard, Crop, Placement, compose
from hexsight.model.errors import UsageError
from hexsight.model.store import load_board
from hexsight.model.versioned import SchemaVersion
from hexsight.model.yamlplaces import checked
from hexsight.model.yamlsafe import parse_yaml, read_text

MAX_BOARDS = 100


def _label(value: object) -> object:
    """A label as a person writes it: 5 is the row "5"."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Label = Annotated[str, BeforeValidator(_label), Field(min_length=1, max_length=40)]


def _pair(value: object) -> object:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError("write the first and the last, such as [A, Q], null where nothing is cut")
    return value


Ends = Annotated[tuple[Label | None, Label | None], BeforeValidator(_pair)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CropPart(_Strict):
    """Part of a board that is used, in its own hexrows as printed."""

    columns: Ends = Field(
        (None, None), description="first and last column, such as [A, Q]; null cuts nothing off"
    )
    rows: Ends = Field(
        (None, None), description="first and last row, such as [1, 5]; null cuts nothing off"
    )


class BoardPart(_Strict):
    """One board of the map."""

    board: str = Field(min_length=1, description="board folder, relative to the file")
    name: Label | None = Field(
        None, description="what its hexes are called by: 20 makes K5 to 20K5; the board's own name"
    )
    turned: bool = Field(False, description="turned by 180°")
    crop: CropPart = CropPart()


class MapSetup(_Strict):
    """Everything that a map set-up may say.

    Attributes
    ----------
    name : str or None
        Of the map.
    rows : list of rows of boards
        From the top, each from left to right; null leaves a place to a larger
        board beside it.
    """

    schema_version: SchemaVersion = 1
    name: Label | None = None
    rows: list[Annotated[list[BoardPart | None], Field(min_length=1)]] = Field(min_length=1)


def load_setup(file: Path) -> MapSetup:
    """Read a map set-up.

    Raises
    ------
    InputError
        If it cannot be read.
    UsageError
        If something in it is wrong; names the line.
    """
    text = read_text(file)
    content = parse_yaml(text, str(file))
    needs = f"'rows:' with boards, such as {_EXAMPLE}"
    setup = checked(MapSetup, content, text, str(file), needs=needs)
    count = sum(len(row) for row in setup.rows)
    if count > MAX_BOARDS:
        raise UsageError(f"Cannot read {file}: it lays out {count} boards. Use up to {MAX_BOARDS}.")
    return setup


_EXAMPLE = "[[{board: boards/20}]]"


def placements_of(
    setup: MapSetup, base: Path, load: Callable[[Path], Board] = load_board
) -> tuple[Placement, ...]:
    """Load the boards of a set-up.

    Parameters
    ----------
    setup : MapSetup
    base : Path
        Folder to which its board folders are relative.
    load : callable
        Makes a board of a folder; each folder is loaded once.

    Raises
    ------
    InputError
        If a folder holds no board.
    """
    boards: dict[Path, Board] = {}
    out = []
    for r, row in enumerate(setup.rows):
        for c, part in enumerate(row):
            if part is None:
                continue
            folder = base / part.board
            if folder not in boards:
                boards[folder] = load(folder)
            crop = Crop(part.crop.columns, part.crop.rows)
            out.append(Placement(boards[folder], r, c, part.turned, crop, part.name))
    return tuple(out)


def compose_setup(file: Path, load: Callable[[Path], Board] = load_board) -> ComposedBoard:
    """Read a map set-up and compose its boards.

    Parameters
    ----------
    file : Path
    load : callable
        Makes a board of a folder.

    Raises
    ------
    InputError
        If the file or a board cannot be read.
    UsageError
        If something in the file is wrong, or the boards cannot be joined.
    """
    setup = load_setup(file)
    return compose(placements_of(setup, file.parent, load), name=setup.name)


def setup_schema() -> str:
    """JSON Schema of map set-ups, as published in docs/."""
    schema: dict[str, Any] = MapSetup.model_json_schema()
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
