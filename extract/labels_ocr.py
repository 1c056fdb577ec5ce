"""Names read by rapidocr, an optional part, where shapes alone leave a numbering open."""

from __future__ import annotations

import importlib
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.labels_print import Print, find_print
from hexsight.extract.labels_zone import Hexes
from hexsight.model.errors import MissingPartError
from hexsight.model.layout import Layout

_MOST = 80  # names that are read
_HEIGHT = 48  # of the strips that are given to it, in pixels
_WIDTH = 4.2  # heights of print: the narrowest strip


def ocr_labels(
    rgb: NDArray[np.uint8],
    layout: Layout,
    *,
    hexes: Hexes | None = None,
    line_px: float | None = None,
) -> dict[tuple[int, int], str]:
    """Names of up to 80 hexes as rapidocr reads them, by (col, row); wrong ones among them.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
        Board picture.
    layout : Layout
        Lattice as drawn.
    hexes : sequence of (col, row), optional
        Hexes that may carry names; all on the picture when absent.
    line_px : float, optional
        Width of the printed grid lines; measured when absent.

    Raises
    ------
    MissingPartError
        If rapidocr is not installed.
    InputError
        If the array is no RGB picture.
    """
    engine = reader()
    if hexes is None:
        hexes = list(layout.hexes_on((rgb.shape[1], rgb.shape[0])))
    found, _ = find_print(rgb, layout, hexes, line_px)
    return {} if found is None else _read(engine, found)


def ocr_print(found: Print) -> dict[tuple[int, int], str]:
    """As `ocr_labels`, for print that has been found."""
    return _read(reader(), found)


def reader() -> Any:
    """The reader with the models that its package holds; MissingPartError without it."""
    try:
        rapidocr = importlib.import_module("rapidocr")
    except ImportError as error:
        raise MissingPartError(
            "The text reader rapidocr is not installed. Install hexsight[ocr], or leave out --ocr."
        ) from error
    return rapidocr.RapidOCR(params={"Global.log_level": "error"})


def _read(engine: Any, found: Print) -> dict[tuple[int, int], str]:
    glyphs = found.glyphs
    left, top, width, height = glyphs.box
    wide = max(width, _WIDTH * height) + 2 * height
    box = (left + (width - wide) / 2, top - height / 2, wide, 2 * height)
    words = [(w.col, w.row) for w in found.evidence.words[:_MOST]]
    size = (round(wide * _HEIGHT / box[3]), _HEIGHT)
    patches, kept = found.frame.patches(words, box, size, glyphs.turn)
    texts = {}
    for patch, at in zip(patches, kept, strict=True):
        strip = cv2.cvtColor(patch, cv2.COLOR_GRAY2BGR)
        answer = engine(strip, use_det=False, use_cls=False, use_rec=True)
        if answer.txts and answer.txts[0].strip():
            texts[at] = answer.txts[0].strip()
    return texts
