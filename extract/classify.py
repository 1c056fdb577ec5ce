"""Looking up a cleaned picture in its legend.

A texture is a mixture of colours that all belong to one class, so the share of
a class within a small window is high even where its single pixels vary.  All
windows are shares of the hex size: pictures of any scale are read alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.legend import Legend
from hexsight.extract.legend_colours import BITS, colour_index, colour_table
from hexsight.extract.restore import NOISY, measured_noise, noise_of, restored

__all__ = [
    "NO_CLASS",
    "Labels",
    "Paint",
    "disc",
    "draw_labels",
    "label",
    "measured_noise",
    "odd",
    "see",
    "without",
]

NO_CLASS = 255
_WORN_SPREAD = 2.0  # CIELAB units that noise and JPEG add to the spread of drawn colours


@dataclass(frozen=True)
class Paint:
    """A picture seen through a legend.

    Attributes
    ----------
    legend : Legend
        All boxes learnt.
    rgb : (H, W, 3) uint8
        Cleaned and, where it was noisy, smoothed picture.
    index : (H, W) int32
        Place of each pixel's colour in `table`.
    table : (n, 64³) uint8
        Probability of each class for each colour.
    hex_px : float
        Flat-to-flat size of a hex.
    noise : float
        Measured noise in grey values, about 0 for drawn art.
    """

    legend: Legend
    rgb: NDArray[np.uint8]
    index: NDArray[np.int32]
    table: NDArray[np.uint8]
    hex_px: float
    noise: float

    @property
    def noisy(self) -> bool:
        """True for scans and JPEG pictures."""
        return self.noise > NOISY

    @cached_property
    def lightness(self) -> NDArray[np.uint8]:
        """CIELAB lightness (H, W) uint8, 0–255."""
        lab = np.asarray(cv2.cvtColor(self.rgb, cv2.COLOR_RGB2LAB))
        return np.ascontiguousarray(lab[..., 0])

    def evidence(self, classes: NDArray[np.int64], window: float = 0.0) -> NDArray[np.uint8]:
        """Probability (H, W) uint8 that a pixel belongs to any of some classes.

        Parameters
        ----------
        classes : (k,) int ndarray
            Positions in the legend.
        window : float
            Side of the averaging window as a share of the hex size, 0 for none.
        """
        if len(classes) == 0:
            return np.zeros(self.index.shape, np.uint8)
        column = np.minimum(self.table[classes].sum(axis=0, dtype=np.uint16), 255).astype(np.uint8)
        plane = column[self.index]
        side = odd(window * self.hex_px) if window > 0 else 1
        return np.asarray(cv2.blur(plane, (side, side))) if side > 1 else plane

    def of(self, **wanted: object) -> NDArray[np.int64]:
        """Positions of legend classes by their attributes."""
        return self.legend.index(**wanted)


def odd(size: float) -> int:
    """Nearest odd whole number from 1."""
    return max(1, 2 * round((size - 1) / 2) + 1)


def disc(size: float) -> NDArray[np.uint8]:
    """Round structuring element with a diameter in pixels."""
    d = odd(size)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (d, d)), np.uint8)


def see(rgb: NDArray[np.uint8], legend: Legend, hex_px: float) -> Paint:
    """Look a cleaned picture up in a legend.

    A noisy picture is restored first, and the legend's colours are taken wider:
    JPEG mixes the colours of neighbours.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
        Picture without grid lines and names.
    legend : Legend
        All boxes learnt.
    hex_px : float
        Flat-to-flat size of a hex in pixels.
    """
    noise = noise_of(rgb)
    picture = rgb
    if noise > NOISY:
        picture = restored(rgb, noise)
        worn = tuple(
            replace(c, spread=float(np.hypot(c.spread, _WORN_SPREAD))) for c in legend.classes
        )
        legend = replace(legend, classes=worn)
    index = colour_index(picture)
    counts = np.bincount(index.ravel(), minlength=1 << (3 * BITS))
    return Paint(legend, picture, index, colour_table(legend, counts), hex_px, noise)


@dataclass(frozen=True)
class Labels:
    """Most likely class of each pixel.

    Attributes
    ----------
    best : (H, W) uint8
        Position in the legend; `NO_CLASS` where no class claims the colours.
    confidence : (H, W) uint8
        Its share within the window, 255 = all of it.
    """

    best: NDArray[np.uint8]
    confidence: NDArray[np.uint8]


def label(
    paint: Paint,
    classes: NDArray[np.int64],
    window: float,
    table: NDArray[np.uint8] | None = None,
) -> Labels:
    """Most likely of some classes for each pixel, by its share within a window.

    Parameters
    ----------
    paint : Paint
    classes : (k,) int ndarray
        Positions in the legend.
    window : float
        Side of the averaging window as a share of the hex size.
    table : (n, 64³) uint8 ndarray, optional
        Probabilities to use instead of the paint's own.
    """
    source = paint.table if table is None else table
    best = np.full(paint.index.shape, NO_CLASS, np.uint8)
    top = np.zeros(paint.index.shape, np.uint8)
    side = odd(window * paint.hex_px)
    present = np.bincount(paint.index[::2, ::2].ravel(), minlength=source.shape[1])
    for k in classes:
        # Most classes of a long legend do not occur: nothing is computed for them.
        if source[k] @ present < 64:
            continue
        plane = cv2.blur(source[k][paint.index], (side, side))
        better = plane > top
        best[better] = k
        np.maximum(top, plane, out=top)
    return Labels(best, top)


def without(paint: Paint, hidden: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Probabilities (n, 64³) given that a pixel belongs to none of some classes."""
    table = paint.table.copy()
    table[hidden] = 0
    total = table.sum(axis=0, dtype=np.float32) + np.float32(4.0)
    return np.asarray(np.minimum(table * (255.0 / total), 255), np.uint8)


def draw_labels(rgb: NDArray[np.uint8], labels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Picture half covered by one colour per label."""
    codes = np.arange(256)
    table = np.stack([(codes * k + 40) % 216 + 20 for k in (67, 131, 29)], axis=1).astype(np.uint8)
    return np.asarray(cv2.addWeighted(rgb, 0.4, table[labels], 0.6, 0.0), np.uint8)
