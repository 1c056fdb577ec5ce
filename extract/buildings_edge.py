"""Outlines of buildings, moved to where the picture changes most.

Colours say which region is a roof; but near its edge noise, JPEG artefacts and
shrunken pixels mix the colours of roof and ground, and a mixture can have the
colour of anything.  Where the edge is, the change of colour says: a watershed
[1]_ floods the narrow band about the outline from both sides and meets at the
steepest change.

References
----------
.. [1] F. Meyer, "Color image segmentation", Proc. 4th Conference on Image
   Processing and its Applications, 1992, as in OpenCV's `watershed`.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.classify import disc
from hexsight.extract.cleaning import fill_from_around

# Half widths of the band, shares of the hex size; at least one and two pixels.
_INWARD, _OUTWARD = 0.015, 0.031


def refine_outlines(
    rgb: NDArray[np.uint8], mask: NDArray[np.bool_], hex_px: float, *, wide: bool = False
) -> NDArray[np.bool_]:
    """Mask whose edge lies at the steepest change of colour close to where it was.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
        Picture without print.
    mask : (H, W) bool ndarray
        Pixels of the buildings, to a pixel or two.
    hex_px : float
        Flat-to-flat size of a hex.
    wide : bool
        Look half as far again outside, where blurred outlines end.
    """
    if not mask.any():
        return mask
    inward = max(1, round(_INWARD * hex_px))
    outward = max(2, round(_OUTWARD * hex_px * (1.5 if wide else 1.0)))
    whole = mask.astype(np.uint8)
    inside = cv2.erode(whole, disc(2 * inward + 1)) > 0
    outside = cv2.dilate(whole, disc(2 * outward + 1)) == 0
    seeds = np.where(inside, np.int32(2), outside.astype(np.int32))
    flooded = np.asarray(cv2.watershed(np.ascontiguousarray(rgb), seeds), np.int32)
    roof, ground = flooded == 2, flooded == 1
    # A line of one pixel is left between the two: each goes to the side whose colour it has.
    line = (flooded < 0) & ~inside & ~outside
    lab = np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB), np.float32)
    ys, xs = np.nonzero(line)
    near_roof, near_ground = (_distance2(lab, side, ys, xs) for side in (roof, ground))
    roof[ys, xs] = near_roof <= near_ground
    return np.asarray(roof | inside, bool)


def scores_on(score: NDArray[np.uint8], mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Scores of the regions, and for what the outlines add to them that of the nearest one."""
    rim = mask & (score == 0)
    if not rim.any() or not score.any():
        return score
    return np.where(rim, fill_from_around(score, score == 0), score).astype(np.uint8)


def _distance2(
    lab: NDArray[np.float32], side: NDArray[np.bool_], ys: NDArray[np.int64], xs: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Squared distance (n,) of pixels' colours to the mean of the neighbours on one side."""
    total = np.zeros((len(ys), 3), np.float32)
    count = np.zeros(len(ys), np.float32)
    height, width = side.shape
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            y, x = np.clip(ys + dy, 0, height - 1), np.clip(xs + dx, 0, width - 1)
            there = side[y, x]
            total += lab[y, x] * there[:, None]
            count += there
    gap = total / np.maximum(count, 1)[:, None] - lab[ys, xs]
    distance = np.einsum("ij,ij->i", gap, gap)
    return np.where(count > 0, distance, np.float32(np.inf)).astype(np.float32)
