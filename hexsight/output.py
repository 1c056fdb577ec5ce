"""Writing single files: whole or not at all."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hexsight.model.atomic import check_target, replacing, write_problem
from hexsight.model.errors import OutputError
from hexsight.model.store import BOARD_FILE, ELEVATION_FILE, TERRAIN_FILE

_BOARD_MEMBERS = frozenset({BOARD_FILE, TERRAIN_FILE, ELEVATION_FILE})


def check_output(path: Path, inputs: Iterable[Path]) -> None:
    """Refuse to write over what is being read, with or without --force.

    Parameters
    ----------
    path : Path
        Where something is to be written.
    inputs : iterable of Path
        Files, module or board folders that are being read.

    Raises
    ------
    OutputError
        If it is one of them, lies in a source's folder, or is a part of a board folder.
    """
    if path.name in _BOARD_MEMBERS and (path.parent / BOARD_FILE).is_file():
        raise OutputError(
            f"Cannot write {path}: it is a part of the board in {path.parent}. Name another file."
        )
    try:
        for source in inputs:
            if source.is_dir():
                # A board folder is our own: new files may lie in it.
                own = (source / BOARD_FILE).is_file()
                touched = not own and path.resolve().is_relative_to(source.resolve())
            else:
                touched = path.exists() and source.exists() and path.samefile(source)
            if touched:
                raise OutputError(
                    f"Cannot write {path}: it belongs to {source}, which is being read and never "
                    "written to. Name another file."
                )
    except OSError as error:
        raise write_problem(path, error) from error


def kind_of(data: bytes) -> str:
    """What a file is, by its content: ``PNG picture``, ``zip``, ``JSON file``, ….

    Two JSON files are of one kind when they share a key beyond the versions, which
    `same_kind` looks at.
    """
    head = data[:200].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    for sign, kind in _SIGNS:
        if head.startswith(sign.lower()):
            return kind
    first, _, _ = head.partition(b"\n")
    return "table of cells" if first.count(b",") >= 2 and b":" not in first else "text"


_SIGNS = (
    (b"\x89PNG", "PNG picture"),
    (b"PK", "zip"),
    (b"LOSTAB", "LOS table"),
    (b"\xff\xd8", "JPEG picture"),
    (b"GIF8", "GIF picture"),
    (b"<!doctype html", "HTML page"),
    (b"<svg", "SVG drawing"),
    (b"<?xml", "XML file"),
    (b"{", "JSON file"),
    (b"[", "JSON file"),
)
# Endings that promise something else than a PNG picture.
_NOT_PNG = frozenset(
    [
        *(".jpg", ".jpeg", ".gif", ".svg", ".html", ".htm", ".json", ".csv"),
        *(".txt", ".yaml", ".yml", ".vmod", ".vmdx", ".lostab"),
    ]
)
_VERSIONS = {"schema_version", "tool_version", "format_version", "type"}


def same_kind(old: bytes, new: bytes) -> bool:
    """Whether a file may take another's place: both are the same sort of thing."""
    if kind_of(old) != kind_of(new):
        return False
    if kind_of(new) != "JSON file":
        return True
    try:
        a, b = json.loads(old), json.loads(new)
    except (ValueError, RecursionError):
        return False
    if not isinstance(a, dict) or not isinstance(b, dict):
        return type(a) is type(b)
    # An empty one is a place that somebody kept free.
    return not a or bool((a.keys() & b.keys()) - _VERSIONS) or a.get("type", 0) == b.get("type", 1)


def _refuse_other_kind(path: Path, data: bytes) -> None:
    """Replacing is for an earlier result: a picture takes the place of a picture only."""
    kind = kind_of(data)
    if kind == "PNG picture" and path.suffix.lower() in _NOT_PNG:
        raise OutputError(f"Cannot write {path}: it would be a {kind}. End its name in .png.")
    if not path.is_file() or path.stat().st_size == 0:
        return
    with path.open("rb") as file:
        old = file.read() if kind == "JSON file" else file.read(200)
    if not same_kind(old, data):
        raise OutputError(
            f"{path} is a {kind_of(old)} of another kind than what would be written, and is not "
            "replaced. Name another file."
        )


def write_bytes(path: Path, data: bytes, *, overwrite: bool, inputs: Iterable[Path] = ()) -> None:
    """Write a file whole or not at all; its folder is made when it is not there.

    Parameters
    ----------
    inputs : iterable of Path
        What is being read and must not be written over.

    Raises
    ------
    OutputError
        If it exists and `overwrite` is false, is one of the inputs, is another kind of
        file than what is written, or cannot be written.
    """
    check_output(path, inputs)
    try:
        _refuse_other_kind(path, data)
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_problem(path, error) from error
    check_target(path, overwrite=overwrite)
    with replacing(path, overwrite=overwrite) as file:
        file.write(data)


def png_bytes(pixels: NDArray[np.uint8]) -> bytes:
    """A picture (H, W) or (H, W, 3) uint8 as PNG."""
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG", compress_level=4)
    return stream.getvalue()
