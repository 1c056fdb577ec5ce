"""The board folder: board.json beside terrain.png and elevation.png.

Same board, same bytes: keys in a fixed order, no times, no absolute paths.
A folder is written whole into a temporary one inside and its files are moved into
place, so that a run that is killed at any moment leaves the old board or the new one.
"""

from __future__ import annotations

import dataclasses
import io
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from pydantic import ConfigDict, TypeAdapter
from pydantic.dataclasses import dataclass

from hexsight.model.board import (
    Board,
    Building,
    Doubt,
    HexFacts,
    HexsideFacts,
    Mark,
    Opening,
    Provenance,
    RooflessArea,
)
from hexsight.model.composed import ComposedBoard
from hexsight.model.errors import InputError, OutputError, VerificationError
from hexsight.model.inputs import open_input, read_input
from hexsight.model.jsonsafe import check_json
from hexsight.model.layout import Layout, direction_to

SCHEMA_VERSION = 1
BOARD_FILE = "board.json"
TERRAIN_FILE = "terrain.png"
ELEVATION_FILE = "elevation.png"
ELEVATION_ZERO = 128  # value in elevation.png that means ground level 0
_DRAFT = ".hexsight-draft-"
_WHOLE = ".hexsight-board"  # a board that is whole and counts, its files on their way
_OLD_S = 3600
_MAX_PIXELS = 250_000_000
_MAX_JSON = 32_000_000  # the largest city map known takes two
MAX_OFFSET = 100_000  # columns and rows of any map stay far below
MIN_RING = 4  # a closed triangle


@dataclass(frozen=True, config=ConfigDict(extra="forbid", allow_inf_nan=False))
class _File:
    """What board.json holds."""

    schema_version: int
    name: str
    catalogue: str
    size_px: tuple[int, int]
    layout: Layout
    provenance: Provenance
    buildings: tuple[Building, ...]
    roofless: tuple[RooflessArea, ...]
    stairwells: tuple[Mark, ...]
    hexes: tuple[HexFacts, ...]
    hexsides: tuple[HexsideFacts, ...]
    doubts: tuple[Doubt, ...]
    openings: tuple[Opening, ...] = ()
    aliases: dict[str, str] = dataclasses.field(default_factory=dict)


_ADAPTER: TypeAdapter[_File] = TypeAdapter(_File)
_ENTRIES: dict[str, TypeAdapter[Any]] = {
    "buildings": TypeAdapter(Building),
    "roofless": TypeAdapter(RooflessArea),
    "stairwells": TypeAdapter(Mark),
    "hexes": TypeAdapter(HexFacts),
    "hexsides": TypeAdapter(HexsideFacts),
    "doubts": TypeAdapter(Doubt),
    "openings": TypeAdapter(Opening),
}


def board_files(board: Board) -> dict[str, bytes]:
    """Files of the board folder by name.

    Parameters
    ----------
    board : Board

    Returns
    -------
    dict of str to bytes
        ``board.json``, ``terrain.png`` (8-bit codes of the catalogue) and
        ``elevation.png`` (8-bit, half-levels + 128).
    """
    content = {
        "schema_version": SCHEMA_VERSION,
        "name": board.name,
        "catalogue": board.catalogue_name,
        "size_px": list(board.size_px),
        "layout": dataclasses.asdict(board.layout),
        "provenance": dataclasses.asdict(board.provenance),
        "buildings": [dataclasses.asdict(b) for b in board.buildings],
        "roofless": [dataclasses.asdict(r) for r in board.roofless],
        "stairwells": [dataclasses.asdict(m) for m in board.stairwells],
        "hexes": [dataclasses.asdict(h) for h in board.hexes],
        "hexsides": [dataclasses.asdict(s) for s in board.hexsides],
        "doubts": [dataclasses.asdict(d) for d in board.doubts],
        "openings": [dataclasses.asdict(o) for o in board.openings],
    }
    # Through the schema: whole numbers in fields of decimals become decimals here and
    # not only when the file is read.
    if isinstance(board, ComposedBoard):
        content["aliases"] = board.aliases
    content = _ADAPTER.dump_python(_ADAPTER.validate_python(content), mode="json")
    # Most boards have none of these; without them a board is what it was before they existed.
    for key in ("openings", "aliases"):
        if not content[key]:
            del content[key]
    elevation = np.clip(board.elevation_half.astype(np.int16) + ELEVATION_ZERO, 0, 255)
    return {
        BOARD_FILE: (_lines(content) + "\n").encode("utf-8"),
        TERRAIN_FILE: _png(board.terrain),
        ELEVATION_FILE: _png(elevation.astype(np.uint8)),
    }


def _lines(content: dict[str, Any]) -> str:
    """JSON with one hex, hexside or building a line: a diff shows what changed."""
    parts = []
    for key, value in content.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            rows = ",\n".join(
                "  " + json.dumps(v, ensure_ascii=False, separators=(", ", ": ")) for v in value
            )
            parts.append(f" {json.dumps(key)}: [\n{rows}\n ]")
        else:
            parts.append(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(parts) + "\n}"


def _png(raster: NDArray[np.uint8]) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(raster).save(stream, "PNG", compress_level=6)
    return stream.getvalue()


def save_board(board: Board, folder: Path, *, overwrite: bool = False) -> None:
    """Write a board folder.

    Parameters
    ----------
    board : Board
    folder : Path
        Its files of these three names are replaced; others in it stay.
    overwrite : bool
        Whether a folder that holds a board may be written over.

    Raises
    ------
    OutputError
        If it holds a board and `overwrite` is false, or cannot be written.
    VerificationError
        If what was written does not read back the same.
    """
    if (folder / BOARD_FILE).exists() and not overwrite:
        raise OutputError(f"{folder} holds a board already. Add --force to replace it.")
    files = board_files(board)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _finish(folder)
        _sweep(folder)
        with tempfile.TemporaryDirectory(prefix=_DRAFT, dir=folder) as temporary:
            draft = Path(temporary) / "board"
            draft.mkdir()
            for name, data in files.items():
                _write(draft / name, data)
            again = load_board(draft)
            if board_files(again) != files:
                raise VerificationError(
                    f"The board written to {folder} does not read back the same; "
                    "nothing was replaced. Check the disk and try again."
                )
            # From here on the new board counts, whole: see `_place`.
            os.rename(draft, folder / _WHOLE)
        _finish(folder)
    except OSError as error:
        raise OutputError(f"Cannot write {folder}: {error.strerror or error}.") from error


def _write(file: Path, data: bytes) -> None:
    """Write a file down to the disk."""
    with file.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _finish(folder: Path) -> None:
    """Move the files of a board that was written whole to their places."""
    whole = folder / _WHOLE
    if not whole.is_dir():
        return
    for name in (TERRAIN_FILE, ELEVATION_FILE, BOARD_FILE):
        if (whole / name).exists():
            os.replace(whole / name, folder / name)
    shutil.rmtree(whole)


def _sweep(folder: Path) -> None:
    """Remove the drafts of runs that were killed; a run beside this one works on none so old."""
    for left in folder.glob(f"{_DRAFT}*"):
        if time.time() - left.stat().st_mtime > _OLD_S:
            shutil.rmtree(left, ignore_errors=True)


def _place(base: Path, name: str) -> Path:
    """Where a file of a board lies: three names cannot change at once.

    A run that is killed while it moves them leaves the rest in a folder of their own.
    """
    moving = base / _WHOLE / name
    return moving if moving.is_file() else base / name


def load_board(folder: Path) -> Board:
    """Read a board folder.

    Raises
    ------
    InputError
        If it is no board folder, or a file in it is broken or does not fit.
    """
    file = folder / BOARD_FILE if folder.is_dir() else folder
    base = file.parent
    if file.name == BOARD_FILE:
        file = _place(base, BOARD_FILE)
    try:
        found: _File = check_json(read_input(file, _MAX_JSON), _ADAPTER, _ENTRIES)
    except FileNotFoundError as error:
        raise InputError(
            f"{folder} is no board folder: it has no {BOARD_FILE}. Make one with hexsight build."
        ) from error
    except ValueError as error:
        raise InputError(f"Cannot read {file}: {error}. Build the board again.") from error
    if found.schema_version != SCHEMA_VERSION:
        raise InputError(
            f"Cannot read {file}: it has format {found.schema_version}, this hexsight reads "
            f"{SCHEMA_VERSION}. Build the board again."
        )
    _check(found, file)
    terrain = _load_raster(_place(base, TERRAIN_FILE), found.size_px)
    elevation = _load_raster(_place(base, ELEVATION_FILE), found.size_px).astype(np.int16)
    board = Board(
        name=found.name,
        layout=found.layout,
        terrain=terrain,
        elevation_half=(elevation - ELEVATION_ZERO).astype(np.int8),
        hexes=found.hexes,
        hexsides=found.hexsides,
        buildings=found.buildings,
        roofless=found.roofless,
        stairwells=found.stairwells,
        doubts=found.doubts,
        provenance=found.provenance,
        catalogue_name=found.catalogue,
        openings=found.openings,
    )
    if not found.aliases:
        return board
    if any(name not in board.by_name for name in found.aliases.values()):
        raise InputError(
            f"Cannot read {file}: another name of a hex is that of no hex. Build the board again."
        )
    fields = {f.name: getattr(board, f.name) for f in dataclasses.fields(board)}
    return ComposedBoard(**fields, aliases=found.aliases)


def _check(found: _File, file: Path) -> None:
    """Refuse what no board can be: parts that name what is not there.

    Raises
    ------
    InputError
    """

    def refuse(what: str) -> NoReturn:
        raise InputError(f"Cannot read {file}: {what}. Build the board again.")

    if not found.hexes:
        refuse("it has no hexes")
    offsets = {h.name: (h.col, h.row) for h in found.hexes}
    if len(offsets) != len(found.hexes) or len(set(offsets.values())) != len(found.hexes):
        refuse("a hex stands in it twice")
    if any(max(abs(c), abs(r)) > MAX_OFFSET for c, r in offsets.values()):
        refuse("a hex lies far beyond any map")
    for side in found.hexsides:
        if side.a not in offsets or side.b not in offsets:
            refuse(f"the hexside {side.name} names a hex that is not there")
        if direction_to(offsets[side.a], offsets[side.b]) != side.direction:
            refuse(f"the hexes of the hexside {side.name} do not touch so")
    _check_buildings(found, refuse, set(offsets))


def _check_buildings(found: _File, refuse: Callable[[str], NoReturn], names: set[str]) -> None:
    """Refuse buildings, and what stands in them, that no board can have."""
    ids = {b.id for b in found.buildings}
    if len(ids) != len(found.buildings):
        refuse("a building stands in it twice")
    if any(h.building and h.building not in ids for h in found.hexes):
        refuse("a hex names a building that is not there")
    parts: tuple[Building | RooflessArea, ...] = (*found.buildings, *found.roofless)
    for part in parts:
        if not part.rings or any(len(ring) < MIN_RING for ring in part.rings):
            refuse("an outline has too few points")
        if any(name not in names for name in part.hexes):
            refuse("a building names a hex that is not there")
    if any(o.building not in ids or o.ends_px[0] == o.ends_px[1] for o in found.openings):
        refuse("an opening lies in no wall of a building")
    if any(r.building not in ids for r in found.roofless):
        refuse("a roofless area names a building that is not there")


def _load_raster(file: Path, size_px: tuple[int, int]) -> NDArray[np.uint8]:
    try:
        with open_input(file) as stream, Image.open(stream, formats=("PNG",)) as image:
            if image.size != tuple(size_px) or image.width * image.height > _MAX_PIXELS:
                raise InputError(
                    f"Cannot read {file}: it is {image.width} × {image.height} px and the board "
                    f"{size_px[0]} × {size_px[1]}. Build the board again."
                )
            if image.mode != "L":
                raise InputError(
                    f"Cannot read {file}: it is no 8-bit gray picture. Build the board again."
                )
            return np.array(image)
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise InputError(f"Cannot read {file}: {error}. Build the board again.") from error
