"""Drawing on a picture in board pixels, smooth and see-through.

Every stroke goes into a mask first and from there on to the picture, so that
many strokes of one kind are one flat layer: where two of them cross, the map
below shines through as it does elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from hexsight.export.lettering import text_mask
from hexsight.model.errors import UsageError

Colour = tuple[int, int, int]
BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
MAX_PIXELS = 250_000_000
_SHIFT = 4  # binary places of a pixel that OpenCV draws to
_ONE = 1 << _SHIFT


class Canvas:
    """A picture to draw on.

    Parameters
    ----------
    rgb : (H, W, 3) uint8
        Copied, never changed.
    scale : float
        Size of the drawing to the picture's.  Points stay in board pixels,
        widths and sizes are in pixels of the drawing.

    Raises
    ------
    UsageError
        If the drawing would be larger than 250 million pixels or smaller than one.
    """

    def __init__(self, rgb: NDArray[np.uint8], scale: float = 1.0) -> None:
        height, width = rgb.shape[:2]
        size = round(width * scale), round(height * scale)
        if min(size) < 1 or size[0] * size[1] > MAX_PIXELS:
            raise UsageError(
                f"A picture of {size[0]} × {size[1]} px cannot be drawn. Choose another scale."
            )
        self.scale = scale
        self.image: NDArray[np.uint8]
        if scale == 1.0:
            self.image = np.ascontiguousarray(rgb).copy()
        else:
            how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
            self.image = np.asarray(cv2.resize(rgb, size, interpolation=how), np.uint8)

    def enlarged(self, raster: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """A raster of the board in the drawing's size, each pixel one value of the raster."""
        rows, cols = (
            np.minimum(np.arange(n) / self.scale, m - 1).astype(int)
            for n, m in zip(self.image.shape[:2], raster.shape, strict=True)
        )
        return raster[np.ix_(rows, cols)]

    def mask(self) -> NDArray[np.uint8]:
        """An empty mask (H, W) uint8."""
        return np.zeros(self.image.shape[:2], np.uint8)

    def to_canvas(self, points: ArrayLike) -> NDArray[np.float64]:
        """Pixels of the drawing (…, 2) for board pixels (…, 2)."""
        # The middle of a pixel is whole, so the picture's edge lies at −½ in both.
        return (np.asarray(points, np.float64) + 0.5) * self.scale - 0.5

    def _fixed(self, points: ArrayLike) -> NDArray[np.int32]:
        fixed = np.rint(self.to_canvas(points) * _ONE)
        return np.clip(fixed, -(2**30), 2**30).astype(np.int32)

    def blend(self, mask: NDArray[np.uint8], colour: Colour, alpha: float = 1.0) -> None:
        """Lay a colour over the picture where the mask is set."""
        at = np.flatnonzero(mask)
        flat = self.image.reshape(-1, 3)
        cover = mask.reshape(-1)[at, None].astype(np.float32) * (alpha / 255)
        below = flat[at].astype(np.float32)
        flat[at] = np.rint(below + (np.array(colour, np.float32) - below) * cover).astype(np.uint8)

    def stroke(
        self,
        mask: NDArray[np.uint8],
        lines: Iterable[ArrayLike],
        width_px: float,
        *,
        closed: bool = False,
    ) -> None:
        """Draw lines of points (n, 2) into a mask."""
        fixed = [self._fixed(line).reshape(-1, 1, 2) for line in lines]
        width = max(1, round(width_px))
        if fixed:
            cv2.polylines(mask, fixed, closed, 255, width, cv2.LINE_AA, _SHIFT)

    def lines(
        self,
        lines: Sequence[ArrayLike],
        colour: Colour,
        width_px: float,
        *,
        alpha: float = 1.0,
        closed: bool = False,
        casing: Colour | None = None,
    ) -> None:
        """Draw lines, with a thin rim of another colour that sets them off from any map."""
        if not lines:
            return
        width = max(1, round(width_px))
        if casing is not None:
            rim = self.mask()
            self.stroke(rim, lines, width + max(2, 2 * round(width * 0.3)), closed=closed)
            self.blend(rim, casing, alpha)
        mask = self.mask()
        self.stroke(mask, lines, width, closed=closed)
        self.blend(mask, colour, alpha)

    def area(self, shapes: Iterable[Sequence[ArrayLike]]) -> NDArray[np.uint8]:
        """Mask of shapes; each is an outer ring and holes."""
        mask = self.mask()
        for rings in shapes:
            fixed = [self._fixed(ring).reshape(-1, 1, 2) for ring in rings]
            cv2.fillPoly(mask, fixed, 255, cv2.LINE_AA, _SHIFT)
        return mask

    def hatch(
        self, shapes: Iterable[Sequence[ArrayLike]], colour: Colour, step_px: float, width_px: float
    ) -> None:
        """Fill shapes with slanting lines, light and dark side by side to show on any ground."""
        mask = self.area(shapes)
        ys, xs = np.nonzero(mask)
        step, width = max(4.0, step_px), max(1.0, width_px)
        place = np.mod(xs + ys, step)
        for low, high, ink in ((0.0, width, colour), (width, width + 1.0, WHITE)):
            part = self.mask()
            hit = (place >= low) & (place < high)
            part[ys[hit], xs[hit]] = mask[ys[hit], xs[hit]]
            self.blend(part, ink, 0.85)

    def shapes(
        self,
        outlines: Sequence[ArrayLike],
        fill: Colour,
        edge: Colour,
        edge_px: float,
        *,
        alpha: float = 1.0,
    ) -> None:
        """Draw filled outlines with an edge."""
        if not outlines:
            return
        self.blend(self.area([o] for o in outlines), fill, alpha)
        mask = self.mask()
        self.stroke(mask, outlines, edge_px, closed=True)
        self.blend(mask, edge, alpha)

    def disc(self, x_px: float, y_px: float, radius_px: float) -> NDArray[np.float64]:
        """Outline (24, 2) in board pixels of a circle; the radius is in drawing pixels."""
        turn = np.arange(24) * (2 * np.pi / 24)
        ring = np.stack([np.cos(turn), np.sin(turn)], axis=1) * (radius_px / self.scale)
        return ring + (x_px, y_px)

    def text(
        self,
        x_px: float,
        y_px: float,
        text: str,
        size_px: float,
        colour: Colour = BLACK,
        halo: Colour | None = WHITE,
        *,
        anchor: str = "middle",
    ) -> None:
        """Write a line of text.

        Parameters
        ----------
        x_px, y_px : float
            Its middle (or the middle of its left edge) in board pixels.
        text : str
        size_px : float
            Of its letters, in drawing pixels.
        colour, halo : colour
            The halo keeps it readable on any map.
        anchor : str
            ``"middle"`` or ``"left"``.
        """
        size = max(6, round(size_px))
        rim = max(1, round(size * 0.12))
        x, y = self.to_canvas((x_px, y_px))
        if anchor == "left":
            x += text_mask(text, size).shape[1] / 2
        if halo is not None:
            self._stamp(text_mask(text, size, rim), x, y, halo)
        self._stamp(text_mask(text, size), x, y, colour)

    def _stamp(self, stamp: NDArray[np.uint8], x: float, y: float, colour: Colour) -> None:
        height, width = stamp.shape
        top, left = round(y - height * 0.5), round(x - width * 0.5)
        y0, y1 = max(0, top), min(self.image.shape[0], top + height)
        x0, x1 = max(0, left), min(self.image.shape[1], left + width)
        if y0 >= y1 or x0 >= x1:
            return
        cover = stamp[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) / 255
        below = self.image[y0:y1, x0:x1].astype(np.float32)
        mixed = below + (np.array(colour, np.float32) - below) * cover
        self.image[y0:y1, x0:x1] = np.rint(mixed).astype(np.uint8)
