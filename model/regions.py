"""Connected regions of a mask: each in its own window, or all of a size at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Window = tuple[slice, slice]


@dataclass(frozen=True, eq=False)
class Region:
    """One connected region of a mask.

    Boards hold hundreds of regions, so each is looked at in its own window only.

    Attributes
    ----------
    left, top, width, height : int
        Its box in pixels of the mask.
    area : int
        How many pixels it has.
    """

    left: int
    top: int
    width: int
    height: int
    area: int
    _number: int = field(repr=False)
    _labels: NDArray[np.int32] = field(repr=False)

    def window(self, pad: int = 0) -> Window:
        """Rows and columns of its box, and of `pad` pixels round it as far as the mask goes."""
        rows = slice(max(0, self.top - pad), self.top + self.height + pad)
        return rows, slice(max(0, self.left - pad), self.left + self.width + pad)

    def pixels(self, pad: int = 0) -> NDArray[np.bool_]:
        """Which pixels of `window(pad)` belong to it, (h, w) bool."""
        return np.asarray(self._labels[self.window(pad)] == self._number, bool)


def regions_of(mask: NDArray[Any], *, connectivity: int) -> list[Region]:
    """Find the connected regions of a mask.

    Parameters
    ----------
    mask : (H, W) bool or uint8
    connectivity : int
        4: regions that touch in a corner only are two; 8: they are one.

    Returns
    -------
    list of Region
        In the order in which OpenCV numbers them, the same for the same mask.
    """
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        mask.astype(np.uint8), connectivity=connectivity
    )
    numbers = np.asarray(labels, np.int32)
    boxes = ((i, *(int(v) for v in stats[i])) for i in range(1, count))
    return [Region(x, y, w, h, area, i, numbers) for i, x, y, w, h, area in boxes]


def large_regions(mask: NDArray[Any], least_px: float, *, connectivity: int) -> NDArray[np.bool_]:
    """Mask of the regions that have at least so many pixels, (H, W) bool.

    Parameters
    ----------
    mask : (H, W) bool or uint8
    least_px : float
    connectivity : int
        As `regions_of`.
    """
    _, labels, stats, _ = cv2.connectedComponentsWithStats(
        mask.astype(np.uint8), connectivity=connectivity
    )
    keep = stats[:, cv2.CC_STAT_AREA] >= least_px
    keep[0] = False
    return np.asarray(keep[labels], bool)


def small_regions(mask: NDArray[Any], below_px: float, *, connectivity: int) -> NDArray[np.bool_]:
    """Mask of the regions that have fewer pixels, the other half of `large_regions`."""
    return np.asarray((mask > 0) & ~large_regions(mask, below_px, connectivity=connectivity), bool)
