"""Oriented line response of a map picture, the raw material of the grid search.

A printed hexside is a thin line that is darker (or lighter) than both sides.
The second derivative across the line answers to that and not to the edge of a
building or a wood; taking away the second derivative along it removes dots and
letters.  Both come from one Hessian, so that six directions cost little more
than one.  The response is divided by the local activity: a black building must
not outvote two hundred faint hexsides.

A lattice is sought on several levels.  On each, the response is averaged over
`pitch × pitch` picture pixels, so that hexes of every size come down to some 13
to 62 pixels; and at most six windows are looked at, so that the work does not
grow with the map.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

# Directions of the sides of flat-topped hexes (0, 60, 120) and of pointy-topped
# ones (30, 90, 150), in the sense from the x axis to the y axis.
DIRECTIONS_DEG: tuple[int, ...] = (0, 30, 60, 90, 120, 150)
_FULL_SCALE = 6.0  # response, in units of local activity, that saturates
_SIGMA_PX = 1.0  # scale of the derivative
_THINNEST = 4  # a level of pitch p looks for lines of about p / 4 pixels
_WINDOW = 512
_STRIP = 60_000  # pixels of a strip
_MAX_WINDOWS = 6


@dataclass(frozen=True)
class Window:
    """Line response of one window of a level.

    Attributes
    ----------
    planes : (2, 6, h, w) float32 ndarray
        Response by polarity (0 dark lines, 1 light lines) and by direction of
        `DIRECTIONS_DEG`, without its slow changes (woods and towns are no
        lattice); 255 is a line six times as strong as its surroundings.  One
        plane instead of six where dots were sought.
    left, top : int
        Where the window starts, in level pixels.
    """

    planes: NDArray[np.float32]
    left: int
    top: int


@dataclass(frozen=True)
class Level:
    """Line response at one reduction of the picture.

    Attributes
    ----------
    pitch : int
        Picture pixels per level pixel along each axis.  Level pixel ``i``
        covers picture pixels ``i·pitch … (i + 1)·pitch − 1``.
    windows : tuple of Window
        All of the same size.
    """

    pitch: int
    windows: tuple[Window, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the windows in level pixels."""
        h, w = self.windows[0].planes.shape[-2:]
        return int(h), int(w)


def to_gray(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Luminance (H, W) uint8 of a picture (H, W, 3) uint8."""
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), dtype=np.uint8)


def channels(rgb: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    """Planes (H, W) uint8 in which a grid may be printed: luminance, then the opponent colours.

    A grid in another hue but of the same lightness shows only in the latter
    (red against green, blue against yellow).
    """
    yield to_gray(rgb)
    for weights in ((0.5, -0.5, 0.0), (-0.25, -0.25, 0.5)):
        plane = np.asarray(cv2.transform(rgb, np.array([[*weights, 128.0]])), np.uint8)
        plane = plane.reshape(rgb.shape[:2])
        # A grey picture has nothing there but rounding.
        if float(plane[::7, ::7].std()) > 1.5:
            yield plane


def windows_of(height: int, width: int) -> list[tuple[int, int, int, int]]:
    """Windows (top, left, height, width), at most six, spread over a plane."""
    wh, ww = min(_WINDOW, height), min(_WINDOW, width)
    rows = min(3, max(1, round(height / wh)))
    cols = min(3, max(1, round(width / ww)))
    while rows * cols > _MAX_WINDOWS:
        rows, cols = (rows - 1, cols) if rows >= cols else (rows, cols - 1)

    def starts(free: int, n: int) -> list[int]:
        return [free // 2] if n == 1 else [round(free * k / (n - 1)) for k in range(n)]

    return [(t, s, wh, ww) for t in starts(height - wh, rows) for s in starts(width - ww, cols)]


def level_of(gray: NDArray[np.uint8], pitch: int, *, dots: bool = False) -> Level:
    """Line response of a picture (H, W) uint8 at one level.

    Parameters
    ----------
    gray : (H, W) uint8 ndarray
        Picture.
    pitch : int
        Power of two.  Large hexes have thicker lines, so above pitch 4 the
        derivative is taken on a reduced picture.
    dots : bool
        Answer to small dots instead of lines.
    """
    height, width = gray.shape
    before = max(1, pitch // _THINNEST)
    base = gray
    if before > 1:
        h, w = height // before, width // before
        cut = gray[: h * before, : w * before]
        base = np.asarray(cv2.resize(cut, (w, h), interpolation=cv2.INTER_AREA), np.uint8)
    after = pitch // before
    floor = _noise_floor(base)
    margin = 24
    found = []
    for top, left, h, w in windows_of(height // pitch, width // pitch):
        y0, x0 = top * after, left * after
        y1, x1 = y0 + h * after, x0 + w * after
        ym, xm = max(0, y0 - margin), max(0, x0 - margin)
        part = base[ym : y1 + margin, xm : x1 + margin]
        inner = (slice(y0 - ym, y1 - ym), slice(x0 - xm, x1 - xm))
        found.append(Window(_planes(part, inner, floor, after, dots), left, top))
    return Level(pitch, tuple(found))


def _hessian(
    gray: NDArray[np.uint8],
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    smooth = cv2.GaussianBlur(gray.astype(np.float32), (0, 0), _SIGMA_PX)
    k = np.array([[1.0, -2.0, 1.0]], np.float32)
    d = np.array([[-0.5, 0.0, 0.5]], np.float32)
    one = np.ones((1, 1), np.float32)
    xx = cv2.sepFilter2D(smooth, cv2.CV_32F, k, one, borderType=cv2.BORDER_REPLICATE)
    yy = cv2.sepFilter2D(smooth, cv2.CV_32F, one, k, borderType=cv2.BORDER_REPLICATE)
    xy = cv2.sepFilter2D(smooth, cv2.CV_32F, d, d, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(xx, np.float32), np.asarray(xy, np.float32), np.asarray(yy, np.float32)


def _noise_floor(gray: NDArray[np.uint8]) -> float:
    """Typical activity of the picture, from a few strips: flat areas must not divide by zero."""
    height = gray.shape[0]
    found = []
    for k in range(8):
        top = (height * (2 * k + 1)) // 16
        xx, _, yy = _hessian(gray[max(0, top - 16) : top + 16])
        found.append(float(np.mean(np.minimum(np.abs(xx) + np.abs(yy), 60.0))))
    return max(0.25, 0.5 * float(np.median(found)))


def _planes(
    gray: NDArray[np.uint8], inner: tuple[slice, slice], floor: float, after: int, dots: bool
) -> NDArray[np.float32]:
    xx, xy, yy = _hessian(gray)
    activity = cv2.boxFilter(np.abs(xx) + np.abs(yy), -1, (33, 33))
    scale = ((255.0 / _FULL_SCALE) / (activity + floor))[inner].astype(np.float32)
    height, width = (n // after for n in scale.shape)
    out = np.empty((2, 1 if dots else len(DIRECTIONS_DEG), height, width), np.float32)
    # By strips that stay in the processor's cache: six directions read them again and again.
    strip = max(1, _STRIP // (width * after * after))
    half = np.float32(0.5)
    for top in range(0, height, strip):
        rows = slice(top * after, min(height, top + strip) * after)
        x, y, cross = (h[inner][rows] * scale[rows] for h in (xx, yy, xy))
        trace, difference = (x + y) * half, (x - y) * half
        for i in range(out.shape[1]):
            for polarity, plane in enumerate(_answers(trace, difference, cross, i, dots)):
                out[polarity, i, top : top + strip] = _shrunk(plane, after)
    for plane in out.reshape(-1, height, width):
        if after > 1:
            # A thin line fills only a part of a reduced pixel.
            np.minimum(plane * np.float32(math.sqrt(after)), np.float32(255.0), out=plane)
        slow = cv2.blur(cv2.blur(plane, (17, 17)), (17, 17))
        plane[:] = cv2.GaussianBlur(plane, (0, 0), 0.8) - slow
    return out


def _answers(
    trace: NDArray[np.float32],
    difference: NDArray[np.float32],
    cross: NDArray[np.float32],
    index: int,
    dots: bool,
) -> Iterator[NDArray[np.float32]]:
    """Answer to dark and then to light lines of a direction, or to dots, from the curvatures."""
    if dots:
        # The weaker of the two main curvatures: a line has only one.
        spread = cv2.magnitude(difference, cross)
        yield np.float32(2) * (trace - spread)
        yield np.float32(-2) * (trace + spread)
        return
    turn = math.radians(2 * DIRECTIONS_DEG[index])
    # Across the line: trace − (c·difference + s·cross); along it: the same with plus.
    swing = cv2.addWeighted(difference, math.cos(turn), cross, math.sin(turn), 0.0)
    across, along = trace - swing, np.abs(trace + swing)
    yield across - along
    yield -across - along


def _shrunk(plane: NDArray[np.float32], after: int) -> NDArray[np.float32]:
    np.clip(plane, 0.0, 255.0, out=plane)
    if after == 1:
        return plane
    size = (plane.shape[1] // after, plane.shape[0] // after)
    return np.asarray(cv2.resize(plane, size, interpolation=cv2.INTER_AREA), np.float32)


def blobs(gray: NDArray[np.uint8], radius: float, polarity: int) -> NDArray[np.uint8]:
    """Answer (H, W) uint8 to dots of a radius, so that black ones on white come near 255."""
    height, width = gray.shape
    out = np.zeros((height, width), np.uint8)
    margin = math.ceil(4 * radius) + 2
    band = max(64, 4_000_000 // width)
    k = np.array([[1.0, -2.0, 1.0]], np.float32)
    d = np.array([[-0.5, 0.0, 0.5]], np.float32)
    one = np.ones((1, 1), np.float32)
    sign = np.float32((1.0 if polarity == 0 else -1.0) * radius * radius)
    for top in range(0, height, band):
        bottom = min(height, top + band)
        lo = max(0, top - margin)
        part = gray[lo : min(height, bottom + margin)].astype(np.float32)
        smooth = cv2.GaussianBlur(part, (0, 0), radius)
        xx = sign * cv2.sepFilter2D(smooth, cv2.CV_32F, k, one)
        yy = sign * cv2.sepFilter2D(smooth, cv2.CV_32F, one, k)
        xy = sign * cv2.sepFilter2D(smooth, cv2.CV_32F, d, d)
        weak = (xx + yy) / 2 - np.sqrt((xx - yy) ** 2 / 4 + xy * xy)
        out[top:bottom] = np.clip(2.5 * weak, 0, 255)[top - lo : bottom - lo].astype(np.uint8)
    return out
