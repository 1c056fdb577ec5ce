"""Does what lies on the hexsides look like lines, what lies on the centres like dots?

Round counters packed like hexes leave gaps, waves leave valleys, and the white
between dark strokes is brighter than the strokes: all of these follow the sides
of a hex lattice.  A printed line is narrow, as wide at the ends as in the
middle, and nowhere along the side the opposite of itself.  The mean look across
thousands of sides shows it even under noise and art.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.grid_refine import Pen, Sides, normals, sample, thin_out
from hexsight.model.layout import Layout

_PLACES = 13
_REACH = 0.25  # how far to both sides, in row spacings
_GROUND = 0.12  # beyond this there is ground
_CLIP = 60.0  # grey levels from the ground at which one place stops counting more
_FAINTEST = 0.1  # of what a line of this pen answers at most
_WIDEST = 0.16  # widest line, in row spacings
_WIDEST_TICK = 0.09  # widest line that is printed near the corners only
_BROAD_PX = 5.0  # and no line that merely looks wider at its ends is as wide as this
_THIN_PX = 3.2  # narrower than this may be a thin line, whatever the size of the hexes


@dataclass(frozen=True)
class Look:
    """Mean look across the sides; positive depth is ink.

    Attributes
    ----------
    depth, depth_ends, depth_middle : float
        Grey levels from the ground, over the whole length, at the weaker end
        and in the middle third.
    noise : float
        Standard error of `depth_middle`.
    width_px, width_ends_px : float
        Width at half depth, over the whole length and at the narrower end: numbers printed
        beside lines widen the other.
    """

    depth: float
    depth_ends: float
    depth_middle: float
    noise: float
    width_px: float
    width_ends_px: float

    def objection(self, row_px: float, pen: Pen) -> str:
        """Why this is no line on hexes of a row spacing; empty if it may be one."""
        sure = 3.0 * self.noise
        if max(self.depth, self.depth_ends) < _FAINTEST * pen.clip:
            return "the hexsides are only the ground between other lines"
        if self.depth_middle < -max(sure, 0.15 * self.depth_ends):
            return "gaps between other things, not lines, follow the hexsides"
        if self.depth > sure and self.width_px > max(_THIN_PX, _WIDEST * row_px):
            return "what lies on the hexsides is too broad for a line"
        limit = _WIDEST_TICK * row_px
        tick = self.depth_middle < 0.4 * self.depth_ends
        # Blur and what is printed on the corners widen the ends of thin lines a little too.
        grows = self.width_ends_px > max(_BROAD_PX, 1.3 * limit, 1.4 * self.width_px)
        broad = tick and self.width_ends_px > max(_THIN_PX, limit)
        if (broad or grows) and self.depth_ends > sure:
            return "what lies on the hexsides widens towards the corners, as gaps between discs do"
        return ""


def look_across(gray: NDArray[np.uint8], layout: Layout, sides: Sides, pen: Pen) -> Look:
    """Mean look of a picture (H, W) uint8 across sides."""
    sides = thin_out(sides, 2000)
    n = len(sides)
    normal = normals(layout, sides).astype(np.float32)
    p = layout.lattice_to_pixel(sides.ends).astype(np.float32)
    t = np.linspace(0.04, 0.96, _PLACES, dtype=np.float32)
    step = max(0.5, _REACH * layout.dy / 24)
    half = round(_REACH * layout.dy / step)
    offset = (np.arange(-half, half + 1) * step).astype(np.float32)
    base = p[:, None, 0] + t[None, :, None] * (p[:, None, 1] - p[:, None, 0])
    x = base[..., 0, None] + offset * normal[:, None, None, 0]
    y = base[..., 1, None] + offset * normal[:, None, None, 1]
    seen = sample(gray, x.reshape(n * _PLACES, -1), y.reshape(n * _PLACES, -1))
    seen = seen.reshape(n, _PLACES, len(offset))
    ink = -seen if pen.polarity == 0 else seen
    ink = ink - np.median(ink.reshape(n, -1), axis=1)[:, None, None]
    np.clip(ink, -_CLIP, _CLIP, out=ink)
    ends = slice(0, 3), slice(_PLACES - 3, _PLACES)
    middle = slice(_PLACES // 2 - 1, _PLACES // 2 + 2)
    mean = ink.mean(axis=0)
    depth, width = _dip(mean.mean(axis=0), offset, layout.dy)
    both = [_dip(mean[e].mean(axis=0), offset, layout.dy) for e in ends]
    depth_middle, _ = _dip(mean[middle].mean(axis=0), offset, layout.dy)
    spread = float(ink[:, middle, half].mean(axis=1).std())
    return Look(
        depth,
        min(d for d, _ in both),
        depth_middle,
        spread / max(1.0, n**0.5),
        width,
        min(w for _, w in both),
    )


def _dip(
    profile: NDArray[np.float32], offset: NDArray[np.float32], row_px: float
) -> tuple[float, float]:
    """Depth of a profile at its middle against the ground, and the width at half of it."""
    profile = profile - np.median(profile[np.abs(offset) > _GROUND * row_px])
    near = np.nonzero(np.abs(offset) <= max(1.5, 0.03 * row_px))[0]
    k = int(near[np.argmax(profile[near])])
    depth = float(profile[k])
    if depth <= 0:
        return depth, 0.0
    above = profile > depth / 2
    left, right = k, k
    while left > 0 and above[left - 1]:
        left -= 1
    while right < len(profile) - 1 and above[right + 1]:
        right += 1
    return depth, float(offset[right] - offset[left])


def look_around(
    gray: NDArray[np.uint8], place: NDArray[np.float64], spacing: float, radius: float, dark: bool
) -> tuple[float, float]:
    """How broad dots (n, 2) are, and how strong the strongest line is that runs out of them.

    Both as shares of their depth, from the median over all dots: what one dot
    has beside it is terrain, what all have in the same direction is a pattern
    whose lines cross there.
    """
    if len(place) == 0:
        return math.inf, math.inf
    place = place[np.unique(np.linspace(0, len(place) - 1, 1200).astype(np.int64))]
    turn = np.linspace(0, 2 * np.pi, min(360, max(48, round(3 * spacing))), endpoint=False)
    way = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    near = min(max(3.0, 3.2 * radius), 0.25 * spacing)
    reach = np.linspace(near, min(0.36 * spacing, max(1.5 * near, near + 3.0)), 5)
    rings = place[:, None, None] + reach[:, None, None] * way
    high = np.array(gray.shape[::-1]) - 1

    def at(points: NDArray[np.float64]) -> NDArray[np.float64]:
        x, y = np.moveaxis(np.clip(np.rint(points), 0, high).astype(np.int64), -1, 0)
        value = gray[y, x].astype(np.float64)
        return np.asarray(255.0 - value if dark else value)

    around = at(rings)
    far = place[:, None, None] + np.array([0.28, 0.36])[:, None, None] * spacing * way
    ground = np.median(at(far).reshape(len(place), -1), axis=1)
    depth = float(np.median(at(place) - ground))
    if depth < 4.0:
        return math.inf, math.inf  # what answered was the surroundings of something else
    beside = at(place[:, None] + max(0.2 * spacing, 2.0) * way) - ground[:, None]
    arms = np.median(around - ground[:, None, None], axis=0)
    # A line may lean against the spokes of the ring.
    wide = np.maximum(arms, np.maximum(np.roll(arms, 1, axis=1), np.roll(arms, -1, axis=1)))
    return float(np.median(beside)) / depth, float(wide.min(axis=0).max()) / depth
