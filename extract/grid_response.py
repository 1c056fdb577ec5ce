"""Oriented line response of a map picture, the raw material of the grid search.

A printed hexside is a thin line that is darker (or lighter) than both sides.
The second derivative across the line answers to that and not to the edge of a
building or a wood; taking away the second derivative along it removes dots and
letters.  Both come from one Hessian, so that six directions cost little more
than one.  The response is divided by the local activity: a black building must
not outvote two hundred faint hexsides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

# Directions of the sides of flat-topped hexes (0, 60, 120) and of pointy-topped
# ones (30, 90, 150), in the sense from the x axis to the y axis.
DIRECTIONS_DEG: tuple[int, ...] = (0, 30, 60, 90, 120, 150)
_FULL_SCALE = 6.0  # response, in units of local activity, that saturates
_MAX_BASE_PX = 8_000_000  # pixels of a response plane; larger pictures are reduced


@dataclass(frozen=True)
class Response:
    """Line response planes of one picture.

    Attributes
    ----------
    planes : (2, 6, h, w) uint8 ndarray
        Response by polarity (0 dark lines, 1 light lines) and by direction of
        `DIRECTIONS_DEG`; 255 is a line six times as strong as its surroundings.
    reduction : int
        Picture pixels per response pixel along each axis (1 for pictures up to
        8 megapixels).  Response pixel ``i`` covers picture pixels
        ``i·reduction … i·reduction + reduction − 1``.
    """

    planes: NDArray[np.uint8]
    reduction: int


def to_gray(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Luminance (H, W) uint8 of a picture (H, W, 3) uint8."""
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), dtype=np.uint8)


def line_response(gray: NDArray[np.uint8], *, sigma_px: float = 1.0) -> Response:
    """Response of a picture to thin lines in six directions and both polarities.

    Parameters
    ----------
    gray : (H, W) uint8 ndarray
        Picture.
    sigma_px : float
        Scale of the derivative, about half the width of the lines sought.

    Returns
    -------
    Response
        Worked out in bands, so that memory stays bounded by the reduced planes.
    """
    height, width = gray.shape
    reduction = 1
    while (height // reduction) * (width // reduction) > _MAX_BASE_PX:
        reduction *= 2
    h, w = -(-height // reduction), -(-width // reduction)
    planes = np.zeros((2, len(DIRECTIONS_DEG), h, w), np.uint8)
    floor = _noise_floor(gray, sigma_px)
    margin = -(-round(6 * sigma_px + 24) // reduction) * reduction
    band = max(64, 1_500_000 // width // reduction) * reduction
    for top in range(0, height, band):
        bottom = min(height, top + band)
        lo, hi = max(0, top - margin), min(height, bottom + margin)
        part = _oriented(gray[lo:hi], sigma_px, floor, top - lo, bottom - lo, reduction)
        planes[:, :, top // reduction : top // reduction + part.shape[2]] = part
    return Response(planes, reduction)


def _hessian(
    gray: NDArray[np.uint8], sigma_px: float
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    smooth = cv2.GaussianBlur(gray.astype(np.float32), (0, 0), sigma_px)
    # Central differences one sigma wide, so that they see the line and not its noise.
    k = np.array([[1.0, -2.0, 1.0]], np.float32)
    d = np.array([[-0.5, 0.0, 0.5]], np.float32)
    one = np.ones((1, 1), np.float32)
    xx = cv2.sepFilter2D(smooth, cv2.CV_32F, k, one, borderType=cv2.BORDER_REPLICATE)
    yy = cv2.sepFilter2D(smooth, cv2.CV_32F, one, k, borderType=cv2.BORDER_REPLICATE)
    xy = cv2.sepFilter2D(smooth, cv2.CV_32F, d, d, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(xx), np.asarray(xy), np.asarray(yy)


def _noise_floor(gray: NDArray[np.uint8], sigma_px: float) -> float:
    """Typical activity of the picture, from a few strips: flat areas must not divide by zero."""
    height = gray.shape[0]
    found = []
    for k in range(8):
        top = (height * (2 * k + 1)) // 16
        strip = gray[max(0, top - 16) : top + 16]
        xx, _, yy = _hessian(strip, sigma_px)
        found.append(float(np.mean(np.minimum(np.abs(xx) + np.abs(yy), 60.0))))
    return max(0.25, 0.5 * float(np.median(found)))


def _oriented(
    gray: NDArray[np.uint8], sigma_px: float, floor: float, lo: int, hi: int, reduction: int
) -> NDArray[np.uint8]:
    xx, xy, yy = _hessian(gray, sigma_px)
    activity = cv2.boxFilter(np.abs(xx) + np.abs(yy), -1, (33, 33))
    scale = (255.0 / _FULL_SCALE) / (activity + floor)
    xx, xy, yy = xx[lo:hi] * scale[lo:hi], xy[lo:hi] * scale[lo:hi], yy[lo:hi] * scale[lo:hi]
    h, w = -(-(hi - lo) // reduction), -(-gray.shape[1] // reduction)
    out = np.zeros((2, len(DIRECTIONS_DEG), h, w), np.uint8)
    for i, degrees in enumerate(DIRECTIONS_DEG):
        nx, ny = -math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
        across = nx * nx * xx + (2 * nx * ny) * xy + ny * ny * yy
        along = np.abs(xx + yy - across)
        for polarity, sign in enumerate((1.0, -1.0)):
            plane = np.clip(sign * across - along, 0.0, 255.0)
            if reduction > 1:
                pad = ((0, h * reduction - (hi - lo)), (0, w * reduction - plane.shape[1]))
                plane = cv2.resize(
                    np.pad(plane, pad, mode="edge"), (w, h), interpolation=cv2.INTER_AREA
                )
                # A thin line fills only a part of a reduced pixel.
                plane = np.minimum(plane * math.sqrt(reduction), 255.0)
            out[polarity, i] = plane.astype(np.uint8)
    return out


def reduce_planes(planes: NDArray[np.uint8], factor: int) -> NDArray[np.uint8]:
    """Planes (…, h, w) averaged over ``factor × factor`` pixels, edge pixels dropped."""
    if factor == 1:
        return planes
    h, w = planes.shape[-2] // factor, planes.shape[-1] // factor
    flat = planes.reshape(-1, *planes.shape[-2:])
    small = [
        cv2.resize(p[: h * factor, : w * factor], (w, h), interpolation=cv2.INTER_AREA)
        for p in flat
    ]
    return np.asarray(small, np.uint8).reshape(*planes.shape[:-2], h, w)
