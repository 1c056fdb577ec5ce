"""Convex regions that lines begin and end in: bases, parts of them, openings."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

TINY = 1e-9  # lengths below this are rounding
EDGE = 1e-6  # what reaches no farther than this beyond a line does not

F64 = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Region:
    """A convex region: a point, a segment, a polygon, or a disc, cut by straight lines.

    Attributes
    ----------
    points : (n, 2) float64
        Corners in order; of a disc those of its cuts.
    half : (k, 3) float64
        Rows (a, b, c): inside is a·x + b·y ≥ c, (a, b) of length 1.
    circle : (x, y, radius) or None
    """

    points: F64
    half: F64
    circle: tuple[float, float, float] | None = None

    @property
    def features(self) -> F64:
        """What a line can be stopped by, (m, 3): x, y, radius (0 for corners)."""
        corners = np.column_stack([self.points, np.zeros(len(self.points))])
        return corners if self.circle is None else np.vstack([corners, [self.circle]])

    @property
    def centre(self) -> F64:
        """A point inside."""
        if self.circle is not None and not len(self.points):
            return np.array(self.circle[:2])
        if self.circle is not None:
            # A cut disc: between the middle of its chord and the rim opposite.
            inward = self.half[-1, :2]
            rim = np.array(self.circle[:2]) + inward * self.circle[2]
            return np.asarray((self.points.mean(axis=0) + rim) / 2)
        return np.asarray(self.points.mean(axis=0))

    @property
    def box(self) -> F64:
        """Points (n, 2) whose hull holds the region."""
        if self.circle is None:
            return self.points
        x, y, r = self.circle
        return np.array([(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)])

    def spans(self, at: F64, along: F64) -> tuple[F64, F64, NDArray[np.bool_]]:
        """Where lines run inside: first and last parameter (n,), and which meet it at all."""
        low = np.full(len(at), -np.inf)
        high = np.full(len(at), np.inf)
        out = np.zeros(len(at), bool)
        with np.errstate(divide="ignore", invalid="ignore"):
            for a, b, c in self.half:
                slope = along @ (a, b)
                value = at @ (a, b) - c + TINY
                t = -value / slope
                low = np.where(slope > TINY, np.maximum(low, t), low)
                high = np.where(slope < -TINY, np.minimum(high, t), high)
                out |= (np.abs(slope) <= TINY) & (value < 0)
        if self.circle is not None:
            apart = at - self.circle[:2]
            middle = -(apart * along).sum(axis=1)
            root = middle**2 - (apart**2).sum(axis=1) + self.circle[2] ** 2
            out |= root < -TINY
            reach = np.sqrt(np.maximum(root, 0.0))
            low, high = np.maximum(low, middle - reach), np.minimum(high, middle + reach)
        return low, high, ~out & (low <= high + TINY)

    def cut(self, a: float, b: float, c: float) -> Region | None:
        """The part with a·x + b·y ≥ c; None where no more than its edge is left."""
        if self.circle is not None:
            return self._cut_disc(a, b, c)
        side = self.points @ (a, b) - c
        if side.max() <= EDGE:
            return None
        if side.min() >= -TINY:
            return self
        kept: list[F64] = []
        around = range(len(self.points)) if len(self.points) > 2 else range(1)
        for i in around:
            j = (i + 1) % len(self.points)
            if side[i] >= 0:
                kept.append(self.points[i])
            if (side[i] < 0) != (side[j] < 0):
                share = side[i] / (side[i] - side[j])
                kept.append(self.points[i] + share * (self.points[j] - self.points[i]))
        if len(self.points) == 2 and side[1] >= 0:
            kept.append(self.points[1])
        return segment(kept[0], kept[1]) if len(self.points) == 2 else polygon(np.array(kept))

    def _cut_disc(self, a: float, b: float, c: float) -> Region | None:
        assert self.circle is not None
        x, y, r = self.circle
        off = a * x + b * y - c
        if off >= r:
            return self
        if off <= -r + EDGE:
            return None
        foot = np.array([x - a * off, y - b * off])
        reach = np.sqrt(max(0.0, r * r - off * off))
        ends = np.array([foot - reach * np.array([-b, a]), foot + reach * np.array([-b, a])])
        old = self.points
        points = np.vstack([old, ends]) if len(old) else ends
        half = np.vstack([self.half, [(a, b, c)]])
        # A corner that a further line cuts off stops nothing; it is only tried in vain.
        return Region(points, half, self.circle)


def point(x: float, y: float) -> Region:
    """A single point."""
    half = [(1.0, 0.0, x), (-1.0, 0.0, -x), (0.0, 1.0, y), (0.0, -1.0, -y)]
    return Region(np.array([(x, y)]), np.array(half))


def segment(a: Any, b: Any) -> Region:
    """A straight segment between two points."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    length = float(np.hypot(*(b - a)))
    if length <= TINY:
        return point(float(a[0]), float(a[1]))
    u = (b - a) / length
    n = np.array([-u[1], u[0]])
    half = [(*u, u @ a), (*-u, -(u @ b)), (*n, n @ a), (*-n, -(n @ a))]
    return Region(np.array([a, b]), np.array(half))


def polygon(points: Any) -> Region:
    """A convex polygon, corners in either order."""
    corners = np.asarray(points, np.float64)
    area = sum(float(p[0] * q[1] - p[1] * q[0]) for p, q in pairwise([*corners, corners[0]]))
    if area < 0:
        corners = corners[::-1]
    along = np.roll(corners, -1, axis=0) - corners
    length = np.hypot(*along.T)
    real = length > TINY
    inward = np.column_stack([-along[real, 1], along[real, 0]]) / length[real, None]
    offset = (inward * corners[real]).sum(axis=1)
    return Region(corners[real], np.column_stack([inward, offset]))


def disc(x: float, y: float, radius: float) -> Region:
    """A disc."""
    return Region(np.zeros((0, 2)), np.zeros((0, 3)), (x, y, radius))
