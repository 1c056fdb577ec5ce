"""How deep depressions lie: one level below the ground that they are cut into (B19).

A picture shows a gully in the same colours on a plain and on a hill, so its colour tells
that it is a depression and not how high its bed lies.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.model.terrain import Catalogue

DEPTH_HALF = 2
AROUND = 0.6  # of the hex height: how far the ground to either side is asked
# What has no ground level of its own, or stands on the edge of another.
NO_GROUND = frozenset({"depression", "water", "cliff", "slope", "bridge", "unknown"})


def sunk(
    terrain: NDArray[np.uint8],
    elevation_half: NDArray[np.int8],
    catalogue: Catalogue,
    dy: float,
) -> NDArray[np.int8]:
    """Elevation with depressions cut into the ground around them.

    Parameters
    ----------
    terrain : (H, W) uint8
    elevation_half : (H, W) int8
        What the colours tell: of depressions the depth below level 0, or, where a legend
        tells none, the level of the ground.
    catalogue : Catalogue
    dy : float
        Height of a hex in pixels.

    Returns
    -------
    (H, W) int8
        The same array where nothing lies deeper.
    """
    low = catalogue.table(kind="depression")[terrain]
    if not low.any():
        return elevation_half
    ground = ~catalogue.table(kind=NO_GROUND)[terrain]
    side = max(3, 2 * round(AROUND * dy) + 1)
    most = np.zeros(terrain.shape, np.float32)
    around = np.zeros(terrain.shape, np.int16)
    for level in np.unique(elevation_half[ground]).tolist():
        here = (ground & (elevation_half == level)).astype(np.float32)
        share = cv2.blur(here, (side, side), borderType=cv2.BORDER_CONSTANT)
        better = share > most + 1e-4
        most[better], around[better] = share[better], level
    told = elevation_half.astype(np.int16)
    bed = around + np.where(told < 0, told, -DEPTH_HALF)
    out = np.where(low & (most > 0), bed, told)
    return out.clip(-128, 127).astype(np.int8)
