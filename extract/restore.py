"""Noise and JPEG artefacts: how much there is, and a picture with less of it.

Maps are drawn in areas and strokes of even colour.  Mean shift [1]_ gives each
pixel the colour that its neighbours of like colour gather at, which takes noise
away and leaves edges.  What JPEG and shrinking leave, a seam of mixed colours
along each edge, a Kuwahara filter [2]_ removes: each pixel becomes the mean of
the evenest of the four squares whose corner it is, and that square lies on one
side of the edge.

References
----------
.. [1] D. Comaniciu and P. Meer, "Mean shift: a robust approach toward feature
   space analysis", IEEE TPAMI 24 (2002).
.. [2] M. Kuwahara et al., "Processing of RI-angiocardiographic images", Digital
   Processing of Biomedical Images, 1976.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
from numpy.typing import NDArray

NOISY = 1.5  # grey values; drawn art has less
_BLOCK = 8
_FLATTEST = 5  # per cent of the blocks
_REACH = 3  # pixels, of the mean shift
_SHIFTS = 5  # iterations at most
_RANGE = (8.0, 5.0, 32.0)  # of the mean shift: base, per grey value of noise, most
_SQUARE = 3  # side in pixels of the Kuwahara filter's squares
_STRIP = 256  # rows worked on at once: bounds memory, and strips share the cores


def measured_noise(rgb: NDArray[np.uint8]) -> float:
    """Noise of a picture in grey values: what a 3 × 3 median filter changes, in the middle.

    Drawn art is flat in most places, scans and JPEG files are nowhere.
    """
    step = max(1, rgb.shape[0] // 600)
    strips = [rgb[y : y + 16] for y in range(0, max(1, rgb.shape[0] - 16), 16 * step)]
    changes = [
        np.abs(s.astype(np.int16) - cv2.medianBlur(s, 3).astype(np.int16)).mean(axis=2)
        for s in strips
    ]
    return float(np.median(np.concatenate([c.ravel() for c in changes])))


def flat_noise(rgb: NDArray[np.uint8]) -> float:
    """Noise of a picture in grey values: what is left in its flattest places.

    Standard deviation of lightness within blocks of 8 × 8 pixels, its lowest
    twentieth.  Unlike `measured_noise` it takes no texture for noise and finds
    it on maps that are mostly flat; blank margins are not asked.
    """
    gray = np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB))[..., 0]
    rows, cols = (n // _BLOCK for n in gray.shape)
    if rows * cols == 0:
        return 0.0
    blocks = gray[: rows * _BLOCK, : cols * _BLOCK].reshape(rows, _BLOCK, cols, _BLOCK)
    values = blocks.swapaxes(1, 2).reshape(-1, _BLOCK * _BLOCK).astype(np.float32)
    middle = values.mean(axis=1)
    drawn = values[(middle > 6) & (middle < 250)]
    return float(np.percentile(drawn.std(axis=1), _FLATTEST)) if len(drawn) else 0.0


def noise_of(rgb: NDArray[np.uint8]) -> float:
    """The larger one of `measured_noise` and `flat_noise`."""
    return max(measured_noise(rgb), flat_noise(rgb))


def restored(rgb: NDArray[np.uint8], noise: float) -> NDArray[np.uint8]:
    """Picture (H, W, 3) of even colours and sharp edges, from a noisy one.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
    noise : float
        As `noise_of` measures it.
    """
    base, rate, most = _RANGE
    spread = min(most, base + rate * noise)
    height = rgb.shape[0]
    margin = _REACH * (_SHIFTS + 1) + _SQUARE

    def strip(top: int) -> NDArray[np.uint8]:
        first, last = max(0, top - margin), min(height, top + _STRIP + margin)
        part = np.ascontiguousarray(rgb[first:last])
        criteria = (cv2.TERM_CRITERIA_MAX_ITER + cv2.TERM_CRITERIA_EPS, _SHIFTS, 1.0)
        even = cv2.pyrMeanShiftFiltering(part, _REACH, spread, None, 0, criteria)
        sharp = _kuwahara(np.asarray(even, np.uint8))
        return sharp[top - first : min(height, top + _STRIP) - first]

    with ThreadPoolExecutor(max_workers=2) as pool:
        return np.concatenate(list(pool.map(strip, range(0, height, _STRIP))))


def _kuwahara(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Mean of the evenest of the four squares at each pixel."""
    size, far = (_SQUARE, _SQUARE), _SQUARE - 1
    gray = np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), np.uint8)
    square = gray.astype(np.uint16) ** 2
    out = rgb.copy()
    least = np.full(gray.shape, np.iinfo(np.int32).max, np.int32)
    for anchor in ((0, 0), (far, 0), (0, far), (far, far)):
        # Whole numbers, so that nothing depends on where a strip begins.
        total, squares = (
            np.asarray(cv2.boxFilter(p, cv2.CV_32S, size, anchor=anchor, normalize=False))
            for p in (gray, square)
        )
        uneven = _SQUARE**2 * squares - total * total
        better = uneven < least
        np.copyto(least, uneven, where=better)
        np.copyto(out, cv2.boxFilter(rgb, -1, size, anchor=anchor), where=better[..., None])
    return out
