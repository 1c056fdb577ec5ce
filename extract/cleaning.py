"""Taking the print off a map: grid lines, hex names and centre dots.

They hide no terrain, but a dark line through a light roof cuts it in two.  What
is printed lies at the same place in every hex; that, and not its colour, tells
it from the art below.  It is filled from around.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Cell
from hexsight.model.layout import Layout
from hexsight.model.regions import regions_of

_SHIFT = 4  # sub-pixel bits of OpenCV's drawing
_STROKE = 45  # contrast of printed strokes in grey values, well above that of textures
_MOST_HEXES = 600  # that are averaged to find where names are printed


@dataclass(frozen=True)
class Cleaned:
    """A picture without its print.

    Attributes
    ----------
    rgb : (H, W, 3) uint8
        The picture with printed pixels filled from around.
    lines : (H, W) bool
        Pixels of the printed grid.
    names : (H, W) bool
        Pixels of hex names and centre dots.
    line_px : float
        Width of a grid line.
    name_box : (left, top, right, bottom) or None
        Where names stand, relative to the centre of a hex, in pixels.
    confidence : float
        0 when nothing printed was found.
    """

    rgb: NDArray[np.uint8]
    lines: NDArray[np.bool_]
    names: NDArray[np.bool_]
    line_px: float
    name_box: tuple[int, int, int, int] | None
    confidence: float


def clean(
    rgb: NDArray[np.uint8],
    layout: Layout,
    cells: tuple[Cell, ...],
    *,
    line_px: float | None = None,
) -> Cleaned:
    """Remove grid lines, hex names and centre dots.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
        Board picture.
    layout : Layout
        Lattice as drawn, within about a pixel.
    cells : tuple of Cell
        Hexes whose print is removed.
    line_px : float, optional
        Width of the printed lines; measured when absent.
    """
    gray = np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), np.uint8)
    width = measured_line_px(gray, layout, cells) if line_px is None else float(line_px)
    lines = side_band(gray.shape, layout, cells, float(np.ceil(width)) + 2.0)
    names, box = _names(gray, layout, cells, lines)
    filled = fill_from_around(rgb, lines | names)
    confidence = min(1.0, 0.5 * (width > 0) + 0.5 * (box is not None))
    return Cleaned(filled, lines, names, width, box, confidence)


def side_band(
    shape: tuple[int, ...], layout: Layout, cells: tuple[Cell, ...], width_px: float
) -> NDArray[np.bool_]:
    """Pixels (H, W) within half a width of any hexside of the given hexes."""
    band = np.zeros(shape[:2], np.uint8)
    rings = [np.rint(layout.corners(c.col, c.row) * (1 << _SHIFT)).astype(np.int32) for c in cells]
    thickness = max(1, round(width_px))
    cv2.polylines(band, rings, True, 1, thickness, cv2.LINE_8, _SHIFT)
    return band > 0


def measured_line_px(gray: NDArray[np.uint8], layout: Layout, cells: tuple[Cell, ...]) -> float:
    """Width in pixels of the printed grid lines, 0 when none stand out.

    The picture is sampled across the middle of each hexside; the median profile
    shows the line alone, since what it crosses differs from side to side.
    """
    reach = max(3, round(0.12 * layout.dy))
    offsets = np.arange(-reach, reach + 1, dtype=np.float64)
    sides = np.concatenate([[layout.side(c.col, c.row, d) for d in range(3)] for c in cells])
    along = np.linspace(0.3, 0.7, 5)[None, :, None]
    middle = sides[:, None, 0] + along * (sides[:, 1] - sides[:, 0])[:, None]
    step = sides[:, 1] - sides[:, 0]
    across = np.stack([-step[:, 1], step[:, 0]], axis=1)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    points = middle[:, :, None] + offsets[None, None, :, None] * across[:, None, None]
    x, y = np.rint(points[..., 0]).astype(int), np.rint(points[..., 1]).astype(int)
    inside = ((x >= 0) & (x < gray.shape[1]) & (y >= 0) & (y < gray.shape[0])).all(axis=2)
    if not inside.any():
        return 0.0
    profile = gray[y[inside], x[inside]].astype(np.float64)
    base = np.median(profile[:, [0, 1, -2, -1]], axis=1, keepdims=True)
    mean = np.median(profile - base, axis=0)
    peak = mean[np.abs(mean).argmax()]
    if abs(peak) < 12 or abs(offsets[np.abs(mean).argmax()]) > max(2.0, 0.05 * layout.dy):
        return 0.0
    return float(np.clip((mean / peak).clip(0, 1).sum(), 1.0, 0.12 * layout.dy))


def _names(
    gray: NDArray[np.uint8],
    layout: Layout,
    cells: tuple[Cell, ...],
    lines: NDArray[np.bool_],
) -> tuple[NDArray[np.bool_], tuple[int, int, int, int] | None]:
    """Thin light and dark strokes at places where most hexes have them."""
    size = max(3, round(0.075 * layout.dy) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    plain = np.where(lines, cv2.medianBlur(gray, 5), gray).astype(np.uint8)
    dark = cv2.morphologyEx(plain, cv2.MORPH_BLACKHAT, kernel)
    light = cv2.morphologyEx(plain, cv2.MORPH_TOPHAT, kernel)
    thin = (np.maximum(dark, light) > _STROKE) & ~lines
    rate, reach = _rate(thin, layout, cells)
    names = np.zeros(gray.shape, bool)
    if rate is None:
        return names, None
    rate = np.asarray(cv2.GaussianBlur(rate, (0, 0), max(1.0, 0.02 * layout.dy)))
    limit = max(0.2, 0.35 * float(rate.max()), float(np.median(rate)) + 0.12)
    grow = max(1, round(0.03 * layout.dy))
    spots = cv2.dilate((rate > limit).astype(np.uint8), np.ones((2 * grow + 1, 4 * grow + 1)))
    box: tuple[int, int, int, int] | None = None
    best = 0
    zone = np.zeros(spots.shape, np.uint8)
    for region in regions_of(spots, connectivity=8):
        if region.width > 1.1 * layout.dy or region.height > 0.5 * layout.dy:
            continue
        zone[region.window()][region.pixels()] = 1
        if region.area > best:
            left, top = region.left - reach, region.top - reach
            best, box = region.area, (left, top, left + region.width, top + region.height)
    place = np.zeros(gray.shape, np.uint8)
    for cell in cells:
        _stamp(place, zone, layout.centre(cell.col, cell.row), reach)
    names = thin & (place > 0)
    grown = cv2.dilate(names.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return grown & (place > 0), box


def _rate(
    thin: NDArray[np.bool_], layout: Layout, cells: tuple[Cell, ...]
) -> tuple[NDArray[np.float32] | None, int]:
    """How often each pixel around a hex centre has a thin stroke, over hexes well inside."""
    reach = int(0.55 * layout.dy)
    height, width = thin.shape
    chosen = cells[:: max(1, len(cells) // _MOST_HEXES)]
    total = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    count = 0
    for cell in chosen:
        x, y = (round(v) for v in layout.centre(cell.col, cell.row))
        if reach <= x < width - reach and reach <= y < height - reach:
            total += thin[y - reach : y + reach + 1, x - reach : x + reach + 1]
            count += 1
    return ((total / count).astype(np.float32) if count >= 8 else None), reach


def _stamp(
    place: NDArray[np.uint8], zone: NDArray[np.uint8], centre: tuple[float, float], reach: int
) -> None:
    x, y = round(centre[0]) - reach, round(centre[1]) - reach
    top, left = max(0, -y), max(0, -x)
    bottom = min(zone.shape[0], place.shape[0] - y)
    right = min(zone.shape[1], place.shape[1] - x)
    if top < bottom and left < right:
        view = place[y + top : y + bottom, x + left : x + right]
        np.maximum(view, zone[top:bottom, left:right], out=view)


def fill_from_around(image: NDArray[np.uint8], mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Copy of an image (H, W[, n]) whose masked pixels have the value of the nearest other one."""
    if not mask.any() or mask.all():
        return image.copy()
    _, labels = cv2.distanceTransformWithLabels(
        mask.astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    rows, cols = np.nonzero(~mask)
    at = np.zeros(int(labels.max()) + 1, np.int64)
    at[labels[rows, cols]] = rows * mask.shape[1] + cols
    flat = image.reshape(-1, *image.shape[2:])
    out = image.copy()
    out[mask] = flat[at[labels[mask]]]
    return out


def draw_cleaned(rgb: NDArray[np.uint8], result: Cleaned) -> NDArray[np.uint8]:
    """Picture with grid pixels in magenta and names in cyan."""
    out = rgb.copy()
    out[result.lines] = (255, 0, 255)
    out[result.names] = (0, 255, 255)
    return out
