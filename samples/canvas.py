"""Picture and label raster that are painted together, and the few strokes all art is made of."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from .hexes import Point

Colour = tuple[int, int, int]
U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

SHIFT = 4  # cv2's fixed-point bits: points are placed to 1/16 px


def rng_for(seed: int, *key: object) -> np.random.Generator:
    """Random stream of one feature.

    Seeded by the feature's own key, so that adding a feature to a board
    changes nothing in how the others are drawn.
    """
    return np.random.default_rng([seed, zlib.crc32(repr(key).encode())])


def _fixed(points: Sequence[Point], offset: Point) -> NDArray[np.int32]:
    a = (np.asarray(points, np.float64) - np.asarray(offset)) * (1 << SHIFT)
    return np.asarray(np.rint(a), np.int32)


def noise(rng: np.random.Generator, shape: tuple[int, int], cell_px: float) -> F32:
    """Smooth noise, about normal with spread 1: (H, W) float32, structures of `cell_px` px."""
    h, w = shape
    small = rng.standard_normal((int(h / cell_px) + 3, int(w / cell_px) + 3)).astype(np.float32)
    if cell_px <= 1:
        return np.ascontiguousarray(small[:h, :w])
    big = cv2.resize(
        small, None, fx=float(cell_px), fy=float(cell_px), interpolation=cv2.INTER_CUBIC
    )
    return np.asarray(big[:h, :w], np.float32)


@dataclass
class Canvas:
    """What is being painted.

    Attributes
    ----------
    rgb : ndarray
        (H, W, 3) uint8, the picture.
    labels : ndarray
        (H, W) uint8, terrain codes.
    clip : ndarray or None
        (H, W) uint8; while set, paint only lands where it is not zero, in
        proportion to it.
    """

    rgb: U8
    labels: U8
    clip: U8 | None = field(default=None)

    @classmethod
    def blank(cls, width: int, height: int, colour: Colour) -> Canvas:
        """Canvas of one colour, labelled 0."""
        rgb = np.empty((height, width, 3), np.uint8)
        rgb[:] = colour
        return cls(rgb, np.zeros((height, width), np.uint8))

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width in px."""
        return self.labels.shape[0], self.labels.shape[1]

    def mask(self, polygon: Sequence[Point], *, smooth: bool = False) -> U8:
        """(H, W) uint8 with 255 inside the polygon; `smooth` gives soft edges."""
        out = np.zeros(self.shape, np.uint8)
        line = cv2.LINE_AA if smooth else cv2.LINE_8
        cv2.fillPoly(out, [_fixed(polygon, (0.0, 0.0))], 255, line, SHIFT)
        return out

    def _box(self, points: Sequence[Point], pad: float) -> tuple[int, int, int, int] | None:
        h, w = self.shape
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        x0, y0 = max(0, int(min(xs) - pad)), max(0, int(min(ys) - pad))
        x1, y1 = min(w, int(max(xs) + pad) + 2), min(h, int(max(ys) + pad) + 2)
        return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None

    def _paint(
        self, box: tuple[int, int, int, int], alpha: U8, colour: Colour | F32, opacity: float
    ) -> None:
        x0, y0, x1, y1 = box
        a = alpha.astype(np.float32) * (opacity / 255)
        if self.clip is not None:
            a *= self.clip[y0:y1, x0:x1].astype(np.float32) / 255
        view = self.rgb[y0:y1, x0:x1]
        target = np.asarray(colour, np.float32)
        mixed = view + (target - view) * a[..., None]
        view[:] = np.clip(np.rint(mixed), 0, 255).astype(np.uint8)

    def _label(self, box: tuple[int, int, int, int], alpha: U8, label: int | None) -> None:
        if label is None:
            return
        x0, y0, x1, y1 = box
        where = alpha > 127
        if self.clip is not None:
            where = where & (self.clip[y0:y1, x0:x1] > 127)
        self.labels[y0:y1, x0:x1][where] = label

    def fill(
        self,
        polygon: Sequence[Point],
        colour: Colour,
        *,
        opacity: float = 1.0,
        smooth: bool = True,
        label: int | None = None,
    ) -> None:
        """Fill a polygon given in px."""
        box = self._box(polygon, 2)
        if box is None:
            return
        x0, y0, x1, y1 = box
        alpha = np.zeros((y1 - y0, x1 - x0), np.uint8)
        line = cv2.LINE_AA if smooth else cv2.LINE_8
        cv2.fillPoly(alpha, [_fixed(polygon, (x0, y0))], 255, line, SHIFT)
        self._paint(box, alpha, colour, opacity)
        self._label(box, alpha, label)

    def stroke(
        self,
        path: Sequence[Point],
        width_px: int,
        colour: Colour,
        *,
        opacity: float = 1.0,
        closed: bool = False,
        smooth: bool = True,
        label: int | None = None,
    ) -> None:
        """Draw a line of whole-pixel width with round joints along a path given in px."""
        box = self._box(path, width_px / 2 + 2)
        if box is None:
            return
        x0, y0, x1, y1 = box
        alpha = np.zeros((y1 - y0, x1 - x0), np.uint8)
        line = cv2.LINE_AA if smooth else cv2.LINE_8
        cv2.polylines(alpha, [_fixed(path, (x0, y0))], closed, 255, width_px, line, SHIFT)
        self._paint(box, alpha, colour, opacity)
        self._label(box, alpha, label)

    def disc(
        self,
        centre: Point,
        radius_px: float,
        colour: Colour,
        *,
        opacity: float = 1.0,
        label: int | None = None,
    ) -> None:
        """Fill a circle."""
        angles = np.linspace(0, 2 * np.pi, max(12, int(radius_px * 3)), endpoint=False)
        points = [
            (centre[0] + radius_px * float(np.cos(t)), centre[1] + radius_px * float(np.sin(t)))
            for t in angles
        ]
        self.fill(points, colour, opacity=opacity, label=label)

    def paint_mask(self, alpha: U8, colour: Colour | F32, *, opacity: float = 1.0) -> None:
        """Paint one colour, or an (H, W, 3) float32 picture, through a full-size mask."""
        h, w = self.shape
        self._paint((0, 0, w, h), alpha, colour, opacity)

    def shade(self, alpha: U8, amount: F32) -> None:
        """Add `amount` (H, W, grey levels) to the picture where mask and clip are set."""
        weight = (alpha.astype(np.float32) / 255) * amount
        if self.clip is not None:
            weight *= self.clip.astype(np.float32) / 255
        self.rgb[:] = np.clip(np.rint(self.rgb + weight[..., None]), 0, 255).astype(np.uint8)
