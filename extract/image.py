"""Map pictures: decoded safely, once, to the pixels that VASSAL shows.

VASSAL reads pictures with Java's ImageIO, which ignores the EXIF orientation
that cameras write: a picture with such a tag stands in VASSAL as it is stored,
and so does it here.
"""

from __future__ import annotations

import hashlib
import io
import os
import struct
import threading
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from hexsight.model.errors import InputError, UnsupportedError
from hexsight.model.inputs import read_input

MAX_PIXELS = 120_000_000
# Pillow keeps one byte a pixel of a picture with one band and four of others; beside them stand
# the three of ours.
MAX_DECODED_BYTES = 900_000_000
# Deflate reaches 1,032:1 on one colour alone; anything drawn stays far below.
MAX_RATIO = 600
RATIO_FREE_BYTES = 32_000_000
MAX_FILE_BYTES = 1024 * 1024 * 1024
FORMATS = ("PNG", "GIF", "JPEG", "BMP", "TIFF", "WEBP")
SUFFIXES = (".png", ".gif", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp", ".svg")
# What Pillow's decoders throw at broken files, as found by feeding them such.
_DECODE_ERRORS = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    IndexError,
    KeyError,
    TypeError,
    OverflowError,
    NotImplementedError,
    struct.error,
    zlib.error,
    Image.DecompressionBombError,
)
_BAND_PIXELS = 4_000_000
_pillow_limit = threading.RLock()


@dataclass(frozen=True, eq=False)
class Picture:
    """A decoded map picture.

    Attributes
    ----------
    rgb : (H, W, 3) uint8
        Pixels; see-through ones stand on the background given to `load_picture`.
    alpha : (H, W) uint8 or None
        Opacity, where the file has any and not every pixel is opaque.
    mode : str
        Pillow's name of the stored pixel kind, such as ``P`` or ``RGB``.
    format : str
        ``PNG``, ``GIF``, ``JPEG`` …
    palette : bool
        True where the file stores indices into a table of colours: the few
        exact colours of a drawn board.
    sha256 : str
        Of the bytes of the file, in hex.
    where : str
        Name for messages and provenance.
    """

    rgb: NDArray[np.uint8]
    alpha: NDArray[np.uint8] | None
    mode: str
    format: str
    palette: bool
    sha256: str
    where: str

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.rgb.shape[1], self.rgb.shape[0]


def load_picture(
    source: bytes | str | os.PathLike[str],
    where: str | None = None,
    *,
    max_pixels: int = MAX_PIXELS,
    background: tuple[int, int, int] = (255, 255, 255),
) -> Picture:
    """Decode a picture.

    Parameters
    ----------
    source : bytes or path
        The file's bytes, or where it lies.
    where : str, optional
        Name for messages, such as ``images/map.png in g.vmod``.
    max_pixels : int
        Refuse larger pictures, before anything is decoded.
    background : (int, int, int)
        Colour below see-through pixels; VASSAL's maps are white by default.

    Raises
    ------
    InputError
        If it is missing, no picture, damaged, cut off, or too large.
    UnsupportedError
        If it is an SVG drawing.
    """
    data, where = _bytes(source, where)
    with _opened(data, where, max_pixels) as image:
        palette = image.mode in ("P", "PA")
        mode, kind = image.mode, image.format or "?"
        try:
            image.load()
            rgb, alpha = _pixels(image, background)
        except MemoryError as error:
            raise InputError(f"Cannot read {where}: too little memory for its pixels.") from error
        except _DECODE_ERRORS as error:
            raise InputError(
                f"Cannot read {where}: the picture is damaged or cut off ({_line(error)})."
            ) from error
    rgb.setflags(write=False)
    if alpha is not None:
        alpha.setflags(write=False)
    return Picture(rgb, alpha, mode, kind, palette, hashlib.sha256(data).hexdigest(), where)


def picture_size(
    source: bytes | str | os.PathLike[str],
    where: str | None = None,
    *,
    max_pixels: int = MAX_PIXELS,
) -> tuple[int, int]:
    """Width and height of a picture from its head alone; raises as `load_picture`."""
    data, where = _bytes(source, where)
    with _opened(data, where, max_pixels) as image:
        return image.size


def looks_like_picture(data: bytes) -> bool:
    """Whether bytes begin like a picture file of a kind read here (SVG included)."""
    return (
        data.startswith((b"\x89PNG\r\n\x1a\n", b"GIF8", b"\xff\xd8\xff", b"BM", b"II*\0", b"MM\0*"))
        or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")
        or _is_svg(data)
    )


def _bytes(source: bytes | str | os.PathLike[str], where: str | None) -> tuple[bytes, str]:
    if isinstance(source, bytes):
        return source, where or "the picture"
    path = Path(source)
    where = where or path.name
    try:
        return read_input(path, MAX_FILE_BYTES, where), where
    except FileNotFoundError as error:
        raise InputError(f"Cannot find {path}: there is no such file.") from error


def _is_svg(data: bytes) -> bool:
    start = data[:65536].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith(b"<svg") or (start.startswith((b"<?xml", b"<!")) and b"<svg" in start)


@contextmanager
def _opened(data: bytes, where: str, max_pixels: int) -> Iterator[Image.Image]:
    """Picture whose head is read and found acceptable."""
    if _is_svg(data):
        raise UnsupportedError(
            f"Cannot read {where}: SVG maps are not supported. Export it as PNG and name it with "
            "--image."
        )
    if not data:
        raise InputError(f"Cannot read {where}: it is empty.")
    # Pillow's own limit is one number for the whole process and lower than
    # ours; it is lifted while ours is in force.  Its warnings about odd
    # metadata are nothing a map maker can act on.
    with _pillow_limit, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = Image.MAX_IMAGE_PIXELS
        Image.MAX_IMAGE_PIXELS = None
        try:
            try:
                image = Image.open(io.BytesIO(data), formats=FORMATS)
            except UnidentifiedImageError as error:
                raise InputError(
                    f"Cannot read {where}: it is no picture of a kind that VASSAL shows "
                    "(PNG, JPEG, GIF, BMP)."
                ) from error
            except _DECODE_ERRORS as error:
                raise InputError(
                    f"Cannot read {where}: the picture is damaged ({_line(error)})."
                ) from error
            with image:
                width, height = image.size
                if width * height > max_pixels or not width or not height:
                    raise InputError(
                        f"Cannot read {where}: {width} × {height} pixels are over the limit of "
                        f"{max_pixels} pixels. Scale it down."
                    )
                bands = len(image.getbands())
                if width * height * (4 if bands == 1 else 7) > MAX_DECODED_BYTES:
                    raise InputError(
                        f"Cannot read {where}: {width} × {height} pixels of {bands} colours take "
                        "too much memory. Scale it down."
                    )
                deep = 2 if image.mode.startswith(("I", "F")) else 1
                inflated = width * height * bands * deep
                if inflated > max(RATIO_FREE_BYTES, MAX_RATIO * len(data)):
                    raise InputError(
                        f"Cannot read {where}: {len(data)} bytes would inflate to {width} × "
                        f"{height} pixels; that is a picture bomb."
                    )
                yield image
        finally:
            Image.MAX_IMAGE_PIXELS = before


def _pixels(
    image: Image.Image, background: tuple[int, int, int]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8] | None]:
    """RGB on a background, and opacity where there is any, band by band."""
    width, height = image.size
    see_through = image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info
    deep = image.mode.startswith(("I", "F"))
    rgb = np.empty((height, width, 3), np.uint8)
    alpha = np.empty((height, width), np.uint8) if see_through and not deep else None
    scale = _deep_scale(image) if deep else 1.0
    step = max(1, _BAND_PIXELS // width)
    for top in range(0, height, step):
        band = image.crop((0, top, width, min(height, top + step)))
        rows = slice(top, top + band.size[1])
        if deep:
            grey = np.asarray(band, np.float64) * scale
            rgb[rows] = np.clip(np.rint(grey), 0, 255).astype(np.uint8)[..., None]
        elif alpha is None:
            rgb[rows] = np.asarray(band.convert("RGB"))
        else:
            rgba = np.asarray(band.convert("RGBA"))
            alpha[rows] = rgba[..., 3]
            a = rgba[..., 3:].astype(np.uint32)
            under = np.array(background, np.uint32)
            mixed = rgba[..., :3].astype(np.uint32) * a + under * (255 - a)
            rgb[rows] = (mixed + 127) // 255
    if alpha is not None and bool((alpha == 255).all()):
        alpha = None
    return rgb, alpha


def _deep_scale(image: Image.Image) -> float:
    """Factor from grey of more than 8 bits to 0…255."""
    if image.mode == "F":
        return 255.0
    if image.mode.startswith("I;16"):
        return 255.0 / 65535.0
    # 32-bit grey: 16-bit PNGs come so from older versions of Pillow.
    return 255.0 / 65535.0 if int(np.asarray(image).max()) > 255 else 1.0


def _line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
