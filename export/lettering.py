"""Small texts on pictures.

Pillow's built-in font needs no file beside it but has ASCII only; the one other
sign that hexsight draws, the half of "1½ levels", is put together from three.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

_HALF = "½"
_HALF_SIZE = 0.62  # of the digits of a fraction, to the letters beside it


def half_levels(value_half: int) -> str:
    """Height in half-levels as players write it: 3 is ``"1½"``.

    Examples
    --------
    >>> half_levels(3), half_levels(4), half_levels(-1)
    ('1½', '2', '-½')
    """
    whole, rest = divmod(abs(value_half), 2)
    text = (str(whole) if whole or not rest else "") + (_HALF if rest else "")
    return f"-{text}" if value_half < 0 else text


@lru_cache(maxsize=64)
def _font(size_px: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size_px)


def drawable(text: str) -> str:
    """The text with what the font lacks turned to its plain letter or ``?``."""
    out = []
    for sign in text:
        if sign == _HALF or (sign.isascii() and sign.isprintable()):
            out.append(sign)
            continue
        plain = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
        out.append({"–": "-", "→": ">", "×": "x", "−": "-"}.get(sign, plain or "?"))
    return "".join(out)


@lru_cache(maxsize=4096)
def text_mask(text: str, size_px: int, halo_px: int = 0) -> NDArray[np.uint8]:
    """Coverage (h, w) uint8 of a line of text.

    Parameters
    ----------
    text : str
    size_px : int
        Of the letters.
    halo_px : int
        By how much every stroke is thickened, for a halo to lie below the text.
        The array grows by it on each side, so both lie on one middle.
    """
    ascent = size_px
    descent = round(size_px * 0.3)
    pieces: list[tuple[float, float, str, int]] = []  # x, baseline, text, size
    x = 0.0
    for piece in _split(drawable(text)):
        if piece == _HALF:
            small = max(5, round(size_px * _HALF_SIZE))
            for sign, lift in (("1", 0.3), ("/", 0.06), ("2", -0.06)):
                pieces.append((x, ascent - lift * size_px, sign, small))
                x += _font(small).getlength(sign) * (0.85 if sign != "2" else 1.0)
        else:
            pieces.append((x, ascent, piece, size_px))
            x += _font(size_px).getlength(piece)
    width = max(1, int(np.ceil(x)))
    image = Image.new("L", (width + 2 * halo_px + 2, ascent + descent + 2 * halo_px))
    draw = ImageDraw.Draw(image)
    for left, base, piece, size in pieces:
        draw.text(
            (left + halo_px + 1, base + halo_px),
            piece,
            fill=255,
            font=_font(size),
            anchor="ls",
            stroke_width=halo_px,
        )
    mask = np.array(image)
    mask.setflags(write=False)  # it is cached and handed to many
    return mask


def _split(text: str) -> list[str]:
    pieces: list[str] = []
    for sign in text:
        if sign == _HALF or not pieces or pieces[-1] == _HALF:
            pieces.append(sign)
        else:
            pieces[-1] += sign
    return pieces
