"""Where in its hex a map prints the name: found by laying all hexes over each other.

Thin strokes of the art lie anywhere, those of printed names at the same place
in every hex.  Only the order of stroke strengths within a hex counts, so faint
grey print on a plain map weighs as much as black print on a dark one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.model.layout import Layout
from hexsight.model.regions import regions_of

_FOLD = 97  # pixels across a folded hex
_REACH = 0.56  # of a hex height: half the side of the square that is folded
_SHARE = 0.05  # of the pixels of a hex count as its strokes
_FEWEST = 8  # hexes below which nothing repeats
_LEAST_GRAY = 3.0  # contrast below which a stroke is noise of a plain ground
_MOST_HEXES = 600  # that are folded
_ZONES = 4  # candidates handed on

Hexes = Sequence[tuple[int, int]]
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Frame:
    """Picture in grey values, and boxes that stand at the same place in every hex.

    A box is (left, top, width, height) in pixels of the picture, relative to
    the hex centre, in axes that are turned with the grid and then by `turn`
    quarter turns clockwise, so that print turned like this reads upright.

    Attributes
    ----------
    gray : (H, W) uint8
    layout : Layout
    """

    gray: NDArray[np.uint8]
    layout: Layout

    @property
    def height_px(self) -> float:
        """Larger extent of a hex (across corners or flats), in pixels."""
        return max(self.layout.dy, 4.0 * self.layout.dx / 3.0)

    def axes(self, turn: int) -> NDArray[np.float64]:
        """Rows (2, 2): the axes of a turned box in picture coordinates."""
        angle = math.radians(self.layout.rot_deg + 90.0 * turn)
        cos, sin = math.cos(angle), math.sin(angle)
        return np.array([(cos, sin), (-sin, cos)])

    def ring(self, turn: int) -> NDArray[np.float64]:
        """Corners (6, 2) of a hex relative to its centre, in turned axes."""
        layout = self.layout
        ring: NDArray[np.float64] = layout.corners(0, 0) - np.array(layout.centre(0, 0))
        return ring @ self.axes(turn).T

    def patches(
        self, hexes: Hexes, box: Box, size: tuple[int, int], turn: int = 0
    ) -> tuple[NDArray[np.uint8], list[tuple[int, int]]]:
        """The same box of every hex, resampled.

        Parameters
        ----------
        hexes : sequence of (col, row)
        box : Box
        size : (int, int)
            Width and height of a patch in its own pixels.
        turn : int
            Quarter turns clockwise.

        Returns
        -------
        patches : (n, h, w) uint8
        hexes : list of (col, row)
            Those whose box lies wholly on the picture.
        """
        left, top, width, height = box
        axes = self.axes(turn)
        scale = size[0] / width
        inner = axes * scale
        corner = np.array([(0, 0), (width, 0), (0, height), (width, height)], np.float64)
        rim = (corner + (left, top)) @ axes
        low, high = rim.min(axis=0), rim.max(axis=0)
        rows, cols = self.gray.shape
        picture, factor = self._shrunk(scale)
        flags = cv2.INTER_CUBIC if scale * factor > 1 else cv2.INTER_LINEAR
        found: list[NDArray[np.uint8]] = []
        kept: list[tuple[int, int]] = []
        for col, row in hexes:
            centre = np.array(self.layout.centre(col, row))
            (x0, y0), (x1, y1) = centre + low, centre + high
            if x0 < -0.5 or y0 < -0.5 or x1 > cols - 0.5 or y1 > rows - 0.5:
                continue
            # Pixel centres of a patch lie half a pixel inside its rim.
            shift = -inner @ centre - np.array([left, top]) * scale - 0.5
            matrix = np.concatenate([inner, shift[:, None]], axis=1)
            if factor > 1:
                matrix[:, 2] += matrix[:, :2] @ np.full(2, (factor - 1) / 2)
                matrix[:, :2] *= factor
            patch = cv2.warpAffine(
                picture, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE
            )
            found.append(np.asarray(patch, np.uint8))
            kept.append((col, row))
        return (np.stack(found) if found else np.zeros((0, size[1], size[0]), np.uint8)), kept

    def _shrunk(self, scale: float) -> tuple[NDArray[np.uint8], int]:
        """Picture made smaller by a whole factor, lest thin strokes fall between the samples."""
        factor = max(1, math.floor(1.0 / scale + 1e-9))
        if factor == 1:
            return self.gray, 1
        rows, cols = (n - n % factor for n in self.gray.shape)
        small = cv2.resize(
            self.gray[:rows, :cols],
            (cols // factor, rows // factor),
            interpolation=cv2.INTER_AREA,
        )
        return np.asarray(small, np.uint8), factor


@dataclass(frozen=True)
class Zone:
    """A place in the hex where strokes repeat.

    Attributes
    ----------
    box : Box
        In the axes of the grid (no quarter turns).
    rate : float
        Share of hexes that have strokes there, at most.
    weight : float
        Sum of rates, to rank candidates by.
    """

    box: Box
    rate: float
    weight: float

    def turned(self, turn: int) -> Box:
        """The box in axes turned by quarter turns clockwise."""
        left, top, width, height = self.box
        for _ in range(turn % 4):
            left, top, width, height = top, -left - width, height, width
        return left, top, width, height


def fold(
    frame: Frame, hexes: Hexes, line_px: float
) -> tuple[NDArray[np.float32], NDArray[np.bool_], float]:
    """Share of hexes that have a stroke at each pixel of the hex.

    Parameters
    ----------
    line_px : float
        Width of the printed grid lines, which are left out.

    Returns
    -------
    rate : (n, n) float32
        Zero outside the hex, and everywhere when there are too few hexes.
    inside : (n, n) bool
    scale : float
        Folded pixels for one pixel of the picture.
    """
    reach = _REACH * frame.height_px
    scale = _FOLD / (2 * reach)
    box = (-reach, -reach, 2 * reach, 2 * reach)
    inside = off_lines(frame, box, (_FOLD, _FOLD), 0, line_px)
    chosen = list(hexes)[:: max(1, len(hexes) // _MOST_HEXES)]
    patches, kept = frame.patches(chosen, box, (_FOLD, _FOLD))
    rate = np.zeros((_FOLD, _FOLD), np.float32)
    if len(kept) < _FEWEST:
        return rate, inside, scale
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))
    for patch in patches:
        dark = cv2.morphologyEx(patch, cv2.MORPH_BLACKHAT, kernel)
        light = cv2.morphologyEx(patch, cv2.MORPH_TOPHAT, kernel)
        strokes = np.maximum(dark, light)
        limit = max(float(np.quantile(strokes[inside], 1 - _SHARE)), _LEAST_GRAY)
        rate += (strokes > limit) & inside
    return rate / np.float32(len(kept)), inside, scale


def off_lines(
    frame: Frame, box: Box, size: tuple[int, int], turn: int, line_px: float
) -> NDArray[np.bool_]:
    """Pixels (h, w) of a patch that lie in the hex and off its lines."""
    scale = size[0] / box[2]
    ring = np.rint(((frame.ring(turn) - box[:2]) * scale - 0.5) * 16).astype(np.int32)
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(mask, [ring], 1, shift=4)
    # Soft edges, and a lattice that is half a pixel out, reach beyond the line itself.
    band = (line_px + 1.5) * scale + 1.5
    cv2.polylines(mask, [ring], True, 0, max(1, round(band)), cv2.LINE_8, 4)
    return mask > 0


def find_zones(frame: Frame, hexes: Hexes, line_px: float) -> tuple[Zone, ...]:
    """Places where names may be printed, the most promising first."""
    rate, inside, scale = fold(frame, hexes, line_px)
    if not rate.any():
        return ()
    usual = float(np.median(rate[inside]))
    spread = 1.4826 * float(np.median(np.abs(rate[inside] - usual)))
    limit = max(usual + 6.0 * spread, usual + 0.06, 0.3 * float(rate.max()))
    spots = ((rate > limit) & inside).astype(np.uint8)
    spots = np.asarray(cv2.morphologyEx(spots, cv2.MORPH_CLOSE, np.ones((3, 5), np.uint8)))
    found = []
    for region in regions_of(spots, connectivity=8):
        width, height = region.width, region.height
        if min(width, height) < 3 or region.area < 12:
            continue
        part = rate[region.window()][region.pixels()]
        half = _FOLD / 2
        box = (
            (region.left - half) / scale,
            (region.top - half) / scale,
            width / scale,
            height / scale,
        )
        found.append(Zone(box, float(part.max()), float(part.sum())))
    found.sort(key=lambda zone: zone.weight, reverse=True)
    return tuple(found[:_ZONES])
