"""Roads: dirt and paved bands of the ground.

Craters, circles and names printed on a road are filled from around before; what
is left of false roads are specks, and short gaps where art hides the road or
where the shadow of a building begins.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.classify import disc

# Shares of the hex size, areas of its square.
_LEAST_AREA = 0.06
_LEAST_WIDTH = 0.05
_GAP = 0.1  # between a road's end and the outline that it enters


@dataclass(frozen=True)
class Roads:
    """Roads of a board.

    Attributes
    ----------
    codes : (H, W) uint8
        Terrain code of the road at each pixel, 0 where there is none; runs up
        to the outlines of the buildings that it enters.
    specks : (H, W) bool
        Pixels in a road's colour that belong to no road.
    confidence : float
        Share of the road pixels that was seen, not filled in.
    """

    codes: NDArray[np.uint8]
    specks: NDArray[np.bool_]
    confidence: float


def find_roads(
    ground: NDArray[np.uint8],
    road_codes: NDArray[np.bool_],
    hidden: NDArray[np.bool_],
    buildings: NDArray[np.bool_],
    hex_px: float,
) -> Roads:
    """Clean the road pixels of a ground raster.

    Parameters
    ----------
    ground : (H, W) uint8 ndarray
        Terrain codes of the ground, hidden places filled from around.
    road_codes : (256,) bool ndarray
        Which codes are roads.
    hidden : (H, W) bool ndarray
        Where the ground was not seen.
    buildings : (H, W) bool ndarray
    hex_px : float
        Flat-to-flat size of a hex.
    """
    s = hex_px
    raw = road_codes[ground] & ~buildings
    body = cv2.morphologyEx(raw.astype(np.uint8), cv2.MORPH_OPEN, disc(_LEAST_WIDTH * s))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(body, connectivity=8)
    large = stats[:, cv2.CC_STAT_AREA] >= _LEAST_AREA * s * s
    large[0] = False
    kept = large[labels]
    # What opening took from the rims of a road comes back; specks do not.
    kept = (cv2.dilate(kept.astype(np.uint8), disc(_LEAST_WIDTH * s)) > 0) & raw
    specks = raw & ~kept
    codes = np.where(kept, ground, 0).astype(np.uint8)
    codes = _to_outlines(codes, kept, hidden, buildings, s)
    total = int(np.count_nonzero(codes))
    seen = int(np.count_nonzero((codes > 0) & ~hidden))
    return Roads(codes, specks, round(seen / total, 3) if total else 1.0)


def _to_outlines(
    codes: NDArray[np.uint8],
    roads: NDArray[np.bool_],
    hidden: NDArray[np.bool_],
    buildings: NDArray[np.bool_],
    s: float,
) -> NDArray[np.uint8]:
    """Lengthen roads over hidden pixels to the outline of a building close before them."""
    if not roads.any() or not buildings.any():
        return codes
    near = cv2.dilate(buildings.astype(np.uint8), disc(2 * _GAP * s)) > 0
    either = (roads | buildings).astype(np.uint8)
    closed = cv2.morphologyEx(either, cv2.MORPH_CLOSE, disc(_GAP * s)) > 0
    new = closed & near & hidden & (either == 0)
    if not new.any():
        return codes
    out = codes.copy()
    grown = cv2.dilate(codes, disc(2 * _GAP * s))
    out[new] = grown[new]
    return out


def draw_roads(rgb: NDArray[np.uint8], result: Roads) -> NDArray[np.uint8]:
    """Picture with the outline of roads in green, specks in red."""
    out = rgb.copy()
    rings, _ = cv2.findContours(
        (result.codes > 0).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE
    )
    cv2.drawContours(out, rings, -1, (0, 160, 0), 1)
    out[result.specks] = (255, 0, 0)
    return out
