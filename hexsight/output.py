"""Writing single files: whole or not at all."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hexsight.model.atomic import check_target, replacing, write_problem


def write_bytes(path: Path, data: bytes, *, overwrite: bool) -> None:
    """Write a file whole or not at all; its folder is made when it is not there.

    Raises
    ------
    OutputError
        If it exists and `overwrite` is false, or cannot be written.
    """
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
