"""Writing single files: whole or not at all."""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hexsight.model.errors import OutputError


def write_bytes(path: Path, data: bytes, *, overwrite: bool) -> None:
    """Write a file whole or not at all.

    Raises
    ------
    OutputError
        If it exists and `overwrite` is false, or cannot be written.
    """
    if path.exists() and not overwrite:
        raise OutputError(f"{path} exists already. Add --force to replace it.")
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".hexsight-", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        # mkstemp makes a private file; the user's own setting decides who reads it.
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        raise OutputError(f"Cannot write {path}: {error.strerror or error}.") from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def png_bytes(pixels: NDArray[np.uint8]) -> bytes:
    """A picture (H, W) or (H, W, 3) uint8 as PNG."""
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG", compress_level=4)
    return stream.getvalue()
