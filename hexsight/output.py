"""Writing single files: whole or not at all."""

from __future__ import annotations

import io
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


def write_bytes(path: Path, data: bytes, *, overwrite: bool, inputs: Iterable[Path] = ()) -> None:
    """Write a file whole or not at all; its folder is made when it is not there.

    Parameters
    ----------
    inputs : iterable of Path
        What is being read and must not be written over.

    Raises
    ------
    OutputError
        If it exists and `overwrite` is false, is one of the inputs, or cannot be written.
    """
    check_output(path, inputs)
    try:
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
