"""Black bars on the label raster, looked at apart from what was derived of them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Board
from hexsight.model.layout import DIRECTIONS
from hexsight.model.terrain import BAR_KINDS, DEPICTION_KINDS


@dataclass(frozen=True)
class Stroke:
    """A connected patch of bar pixels.

    Attributes
    ----------
    x_px, y_px : float
        A pixel of it, the one nearest to its middle.
    length_px : float
        Longer side of the smallest rectangle round it.
    area_px : int
    beside_building : float
        Share of the pixels round it that belong to a building.
    """

    x_px: float
    y_px: float
    length_px: float
    area_px: int
    beside_building: float


def bar_mask(board: Board) -> NDArray[np.bool_]:
    """Pixels of black bars, (H, W) bool."""
    return board.catalogue.table(kind=BAR_KINDS)[board.terrain]


def strokes(board: Board, mask: NDArray[np.bool_]) -> list[Stroke]:
    """Connected patches of a mask, in reading order."""
    if not mask.any():
        return []
    building = board.catalogue.table(kind=frozenset(DEPICTION_KINDS - BAR_KINDS))[board.terrain]
    bars = bar_mask(board)
    reach = max(2, round(0.05 * board.layout.dy))
    n, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    out = []
    height, width = mask.shape
    for i in range(1, n):
        left, top, w, h, area = (int(v) for v in stats[i])
        window = (
            slice(max(0, top - reach), min(height, top + h + reach)),
            slice(max(0, left - reach), min(width, left + w + reach)),
        )
        own = (labels[window] == i).astype(np.uint8)
        kernel = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
        around = (cv2.dilate(own, kernel) > 0) & ~bars[window]
        rows, cols = np.nonzero(own)
        points = np.stack([cols, rows], axis=1).astype(np.float32)
        _, (a, b), _ = cv2.minAreaRect(points)
        middle = int(np.argmin(np.linalg.norm(points - points.mean(axis=0), axis=1)))
        out.append(
            Stroke(
                x_px=float(cols[middle] + window[1].start),
                y_px=float(rows[middle] + window[0].start),
                length_px=float(max(a, b)) + 1.0,
                area_px=area,
                beside_building=float(building[window][around].mean()) if around.any() else 0.0,
            )
        )
    return sorted(out, key=lambda s: (s.y_px, s.x_px))


def hexside_distance(
    board: Board, x_px: NDArray[np.float64], y_px: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Distance of board pixels (n,) from the nearest hexside, in row spacings."""
    pixels = np.stack([x_px, y_px], axis=-1)
    lattice = board.layout.pixel_to_lattice(pixels)
    hexes = board.layout.pixel_to_hex(pixels)
    centres = np.stack([3 * hexes[:, 0], 2 * hexes[:, 1] + (hexes[:, 0] & 1)], axis=-1)
    regular = np.array([np.sqrt(3.0) / 6.0, 0.5])
    away = (lattice - centres) * regular
    steps = np.array(DIRECTIONS) * regular
    # Every step is one row spacing long and a hexside lies half way across it.
    towards = away @ steps.T
    distance: NDArray[np.float64] = 0.5 - towards.max(axis=1)
    return distance
