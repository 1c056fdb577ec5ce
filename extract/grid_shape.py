"""Whether what lies on the hexsides looks like lines, and on the centres like dots.

Round counters packed like hexes leave gaps, waves leave valleys, and the white
between dark strokes is brighter than the strokes: all of these follow the sides
of a hex lattice.  A printed line is narrow, as wide at the ends as in the
middle, and nowhere along the side the opposite of itself.  The mean look across
thousands of sides shows it even under noise and art.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.grid_refine import Pen, Sides, normals, sample, thin_out
from hexsight.model.layout import CORNERS, Layout

_PLACES = 13
_MOST_PLACES = 1200  # dots that are looked at one by one
_REACH = 0.25  # how far to both sides, in row spacings
_GROUND = 0.12  # beyond this there is ground
_CLIP = 60.0  # grey levels from the ground at which one place stops counting more
_FAINTEST = 0.1  # of what a line of this pen answers at most
_WIDEST = 0.16  # widest line, in row spacings
_WIDEST_TICK = 0.065  # widest line that is printed near the corners only
_THIN_TICK_PX = 2.4  # one narrower than this may be a tick, whatever the size of the hexes
_MOST_GROWTH = 0.117  # width at the ends up to which a line may seem to grow there
_MOST_TAPER = 1.2  # width of a line a quarter of the way along, in widths at its middle
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
    width_px, width_ends_px, width_middle_px, width_quarter_px : float
        Width at half depth: over the whole length, at the narrower end (numbers printed
        beside lines widen the other), in the middle third and at the narrower quarter of the
        way, where the other sides of a corner are far away.
    """

    depth: float
    depth_ends: float
    depth_middle: float
    noise: float
    width_px: float
    width_ends_px: float
    width_middle_px: float
    width_quarter_px: float

    def objection(self, row_px: float, pen: Pen) -> str:
        """Why this is no line on hexes of a row spacing; empty if it may be one."""
        sure = 3.0 * self.noise
        if max(self.depth, self.depth_ends) < _FAINTEST * pen.clip:
            return "the hexsides are only the ground between other lines"
        if self.depth_middle < -max(sure, 0.1 * self.depth_ends):
            return "gaps between other things, not lines, follow the hexsides"
        if self.depth > sure and self.width_px > max(_THIN_PX, _WIDEST * row_px):
            return "what lies on the hexsides is too broad for a line"
        tick = self.depth_middle < 0.4 * self.depth_ends
        # Blur and what is printed on the corners widen the ends of thin lines a little too.
        grows = self.width_ends_px > max(_BROAD_PX, _MOST_GROWTH * row_px, 1.4 * self.width_px)
        broad = tick and self.width_ends_px > max(_THIN_TICK_PX, _WIDEST_TICK * row_px)
        step = _step_px(row_px)
        tapers = not tick and self.width_quarter_px > max(
            _MOST_TAPER * self.width_middle_px, self.width_middle_px + step
        )
        if (broad or grows or tapers) and self.depth_ends > sure:
            return "what lies on the hexsides widens towards the corners, as gaps between discs do"
        return ""


def look_across(gray: NDArray[np.uint8], layout: Layout, sides: Sides, pen: Pen) -> Look:
    """Mean look of a picture (H, W) uint8 across sides."""
    sides = thin_out(sides, 2000)
    n = len(sides)
    normal = normals(layout, sides).astype(np.float32)
    p = layout.lattice_to_pixel(sides.ends).astype(np.float32)
    t = np.linspace(0.04, 0.96, _PLACES, dtype=np.float32)
    step = _step_px(layout.dy)
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
    quarters = slice(2, 4), slice(_PLACES - 4, _PLACES - 2)
    both = [_dip(mean[e].mean(axis=0), offset, layout.dy) for e in ends]
    quarter = [_width(mean[q].mean(axis=0), offset, layout.dy) for q in quarters]
    depth_middle, _ = _dip(mean[middle].mean(axis=0), offset, layout.dy)
    spread = float(ink[:, middle, half].mean(axis=1).std())
    return Look(
        depth,
        min(d for d, _ in both),
        depth_middle,
        spread / max(1.0, n**0.5),
        width,
        min(w for _, w in both),
        _width(mean[middle].mean(axis=0), offset, layout.dy),
        min(quarter),
    )


def _step_px(row_px: float) -> float:
    """How finely is looked across the sides."""
    return max(0.5, _REACH * row_px / 24)


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


def _width(profile: NDArray[np.float32], offset: NDArray[np.float32], row_px: float) -> float:
    """Width at half depth as `_dip` tells it, but finer than the steps of the look."""
    fine = np.linspace(offset[0], offset[-1], 8 * (len(offset) - 1) + 1, dtype=np.float32)
    return _dip(np.interp(fine, offset, profile).astype(np.float32), fine, row_px)[1]


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
    place = _some(place)
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


def look_between(
    gray: NDArray[np.uint8],
    layout: Layout,
    places: tuple[NDArray[np.float64], NDArray[np.float64]],
    dark: bool,
) -> float:
    """How much the hexsides between corner dots differ from the ground all around.

    The gaps between packed discs are triangles: they run out along the three
    hexsides, and where the discs touch, their outlines lie there.  Printed dots
    are round, and nothing else is printed on the sides.

    Parameters
    ----------
    gray : (H, W) uint8 ndarray
        Picture.
    layout : Layout
        Hexes with dots on their corners.
    places : two (n, 2) float64 ndarrays
        Dots that are right corners of a hex, and dots that are left ones.
    dark : bool
        Whether the dots are darker than the ground.

    Returns
    -------
    float
        As a share of the depth of the dots, as far as it is no chance; what
        both kinds of corner have alike, so that a number printed beside
        some of them does not count.
    """
    if min(len(p) for p in places) < 5:
        return 0.0
    plane = np.asarray(cv2.blur(gray, (3, 3)))
    high = np.array(gray.shape[::-1]) - 1
    along = np.linspace(0.1, 0.5, 9)
    lattice = np.array([CORNERS[2], CORNERS[4], CORNERS[0]], np.float64)
    ways = layout.lattice_to_pixel(lattice) - layout.lattice_to_pixel(np.zeros((1, 2)))
    shares = []
    for sign, dots in zip((1.0, -1.0), places, strict=True):
        place = _some(dots)
        # (2, 3, 9, n, 2): on the sides and opposite to them, three ways, nine distances
        steps = sign * np.stack([ways, -ways])[:, :, None] * along[:, None]
        points = np.concatenate(
            [place[None], (steps[..., None, :] + place).reshape(-1, *place.shape)]
        )
        x, y = np.moveaxis(np.clip(np.rint(points), 0, high).astype(np.int64), -1, 0)
        value = plane[y, x].astype(np.float64) * (-1.0 if dark else 1.0)
        rays = value[1:].reshape(2, 3, len(along), -1)
        ground = np.median(rays[:, :, len(along) // 2 :], axis=(0, 1, 2))
        depth = max(float(np.median(value[0] - ground)), 1.0)
        rays = rays - ground
        level = np.median(rays, axis=-1)
        noise = 1.4826 * np.median(np.abs(rays - level[..., None]), axis=-1).mean(axis=(0, 1))
        sure = 3.0 * 1.25 * noise / math.sqrt(len(place))
        sides, opposite = level[0], np.median(level[1], axis=0)
        lighter, darker = sides.min(axis=0) - opposite, opposite - sides.max(axis=0)
        shares.append(np.stack([lighter - sure, darker - sure]) / depth)
    return max(0.0, float(np.minimum(*shares).max()))


def _some(place: NDArray[np.float64]) -> NDArray[np.float64]:
    return place[np.unique(np.linspace(0, len(place) - 1, _MOST_PLACES).astype(np.int64))]
