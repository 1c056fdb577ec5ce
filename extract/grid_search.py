"""From a picture to lattices that were grown over it and judged, best first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.grid_extent import (
    Extent,
    extent_of,
    lattice_of,
    printed_parts,
    side_owners,
    support_of,
    within,
)
from hexsight.extract.grid_fold import Seed, seeds
from hexsight.extract.grid_period import candidates
from hexsight.extract.grid_refine import (
    Measured,
    Pen,
    Sides,
    measure,
    sides_on,
    solve_sides,
    thin_out,
)
from hexsight.extract.grid_response import level_of
from hexsight.extract.grid_solve import Solution, canonical, plausible
from hexsight.extract.grid_verdict import NOTHING, Evidence, judge, on_line, tolerance_of
from hexsight.model.layout import Layout

MIN_PLANE_PX = 64
CLEAR = 0.9  # confidence that ends the search, if the lattice covers much of the picture
_SHARE = 0.35  # … namely so much of it
_FEW_SIDES = (24, 80)  # from nothing to enough, where they cover less than that
_BAND = 0.13  # first search across a side, in row spacings
_CHANCE = 0.45  # scatter, in search bands, of ridges that lie anywhere (0.7) or on lines (0.1)
_WOBBLE = 12.0  # how much more skew has to explain per row spacing that single sides scatter
_PROMISING = 4.0  # folded score below which a seed is chance
# Typical hexes (26 to 124 px) first, then smaller, then larger ones.
PITCHES = (2, 4, 1, 8, 16, 32)

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Found:
    """A lattice grown over the picture, with the verdict on it."""

    layout: Layout
    pen: Pen
    scatter_px: float
    extent: Extent
    evidence: Evidence
    share: float
    parts: tuple[Extent, ...] = ()  # where else the same lattice is printed

    @property
    def rank(self) -> tuple[bool, float, float]:
        """Sort key: sure ones by the area they cover, others by confidence."""
        sure = self.evidence.confidence >= CLEAR
        return sure, self.share if sure else 0.0, self.evidence.confidence


def search(
    gray: NDArray[np.uint8], hint: Layout | None, *, pitches: tuple[int, ...] = PITCHES
) -> list[Found]:
    """Lattices grown over a picture (H, W) uint8, best first.

    Ends early when one is beyond doubt and covers a good part of the picture.
    `pitches` are the reductions to look at, in this order.
    """
    found: list[Found] = []
    if hint is not None:
        for seed in _hinted(gray, hint):
            _try(gray, seed, found)
            if _settled(found):
                return found
    for batch in _batches(gray, pitches):
        for seed in batch:
            if any(_same(seed, f) for f in found):
                continue
            _try(gray, seed, found)
            if _settled(found):
                return found
    found.sort(key=lambda f: f.rank, reverse=True)
    return found


def _settled(found: list[Found]) -> bool:
    found.sort(key=lambda f: f.rank, reverse=True)
    return bool(found) and found[0].rank[0] and found[0].share >= _SHARE


def _try(gray: NDArray[np.uint8], seed: Seed, found: list[Found]) -> None:
    grown = grow(gray, seed)
    if grown is not None:
        found.append(grown)


def _hinted(gray: NDArray[np.uint8], hint: Layout) -> list[Seed]:
    height, width = gray.shape
    box = (width * 0.3, height * 0.3, width * 0.7, height * 0.7)
    return [Seed(hint, box, 0.0, polarity) for polarity in range(2)]


def _batches(gray: NDArray[np.uint8], pitches: tuple[int, ...]) -> Iterator[list[Seed]]:
    """Seeds level by level; what was only promising on its level comes again at the end."""
    later: list[Seed] = []
    for pitch in pitches:
        if min(gray.shape) // pitch < MIN_PLANE_PX:
            continue
        level = level_of(gray, pitch)
        here: list[Seed] = []
        for candidate in candidates(level)[:4]:
            best = seeds(level, candidate)[0]
            if plausible(best.layout) and best.score >= _PROMISING:
                here.append(best)
        here.sort(key=lambda s: -s.score)
        yield here[:2]
        later += here[2:]
    later.sort(key=lambda s: -s.score)
    yield later[:3]


def _same(seed: Seed, found: Found) -> bool:
    p, q = seed.layout, found.layout
    return (
        seed.polarity == found.pen.polarity
        and p.sideways == q.sideways
        and abs(p.dy / q.dy - 1) < 0.03
        and abs(p.dx / q.dx - 1) < 0.03
        and abs(p.rot_deg - q.rot_deg) < 2.0
    )


def grow(gray: NDArray[np.uint8], seed: Seed) -> Found | None:
    """Fit a seed in its window, then in ever larger boxes, and judge what came out.

    Returns None when the fit falls apart on the way.
    """
    height, width = gray.shape
    whole = (-0.5, -0.5, width - 0.5, height - 0.5)
    box: Box = seed.window_px
    layout = seed.layout
    pen = Pen(seed.polarity, sigma_px=min(4.0, max(1.2, 0.01 * layout.dy)))
    band = _BAND * layout.dy
    scatter = band
    rounds = 0
    while True:
        sides = thin_out(sides_on(layout, box), 1500 if box != whole else 6000)
        if len(sides) < 12:
            return None
        measured = measure(gray, layout, sides, band_px=band, pen=pen)
        solution = solve_sides(layout, sides, measured, tolerance_px=band, skew=len(sides) > 60)
        layout, scatter = solution.layout, solution.scatter_px
        if not plausible(layout) or scatter > _CHANCE * band or not solution.used.any():
            return None
        pen = replace(pen, clip=_clip(measured.strength[solution.used]))
        if rounds == 0:
            pen = _choose_pen(gray, layout, sides, pen, scatter)
        band = min(max(3.0, 6.0 * scatter, 0.05 * layout.dy), _BAND * layout.dy)
        rounds += 1
        if box == whole and rounds >= 3:
            break
        box = _wider(box, whole)
    return finish(gray, canonical(layout), scatter, pen)


def _clip(strength: NDArray[np.float64]) -> float:
    return max(3.0, 2.0 * float(np.median(strength)))


def _wider(box: Box, whole: Box) -> Box:
    cx, cy = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    w, h = 0.8 * (box[2] - box[0]), 0.8 * (box[3] - box[1])
    return (
        max(whole[0], cx - w),
        max(whole[1], cy - h),
        min(whole[2], cx + w),
        min(whole[3], cy + h),
    )


def _choose_pen(
    gray: NDArray[np.uint8], layout: Layout, sides: Sides, pen: Pen, scatter_px: float
) -> Pen:
    """Scale at which the lines stand out most from their continuations.

    The response is normalised by scale, so its maximum is where the ridge is
    as wide as the line; and it is a median over hundreds of sides, so noise
    does not pull it to wide ridges.
    """
    some = thin_out(sides, 400)
    beyond, _ = some.runs_on()
    scales, contrast, clips = [], [], []
    sigma = 0.9
    while sigma <= max(1.3, 0.05 * layout.dy):
        trial = Pen(pen.polarity, sigma, 255.0)
        band = max(2.0, 2.5 * scatter_px)
        on = measure(gray, layout, some, band_px=band, pen=trial)
        off = measure(gray, layout, beyond, band_px=band, pen=trial)
        clip = _clip(on.strength[on.strength > 0]) if (on.strength > 0).any() else 3.0
        contrast.append(float(np.median(on.strength) - np.median(off.strength)))
        scales.append(sigma)
        clips.append(clip)
        sigma *= 1.4142
    best = max(contrast)
    k = next(i for i, c in enumerate(contrast) if c >= 0.9 * best) if best > 0 else 0
    return Pen(pen.polarity, scales[k], clips[k])


def finish(gray: NDArray[np.uint8], layout: Layout, scatter: float, pen: Pen) -> Found:
    """Extent and fit within it, by turns until the extent stays; then the verdict."""
    extent, *parts = parts_of(gray, layout, scatter, pen)
    inside = sides_within(layout, extent)
    known = scatter
    for _ in range(3):
        if len(inside) < 24:
            break
        some = thin_out(inside)
        for _ in range(2):
            # Hand-drawn lines wobble along a side as they do from side to side.
            pen = replace(pen, sigma_px=max(pen.sigma_px, min(scatter, 0.03 * layout.dy)))
            band = min(max(2.0, 6.0 * scatter), _BAND * layout.dy)
            seen = measure(gray, layout, some, band_px=band, pen=pen)
            best = _plainest(layout, some, seen, band)
            if not plausible(best.layout):
                break
            layout, scatter = best.layout, best.scatter_px
            if scatter < 0.5 * known:
                # As long as a fit is rough, broad ridges seem best; so look again now.
                pen, known = _choose_pen(gray, layout, some, pen, scatter), scatter
        layout = canonical(layout)
        before = len(extent.hexes)
        extent, *parts = parts_of(gray, layout, scatter, pen)
        inside = sides_within(layout, extent)
        if abs(len(extent.hexes) - before) <= 0.02 * before:
            break
    evidence = judge(gray, layout, inside, scatter, pen) if len(inside) else NOTHING
    area = 0.0
    if len(extent.polygon_px) >= 3:
        area = float(cv2.contourArea(extent.polygon_px.astype(np.float32)))
    share = area / gray.size
    evidence = _weighed(evidence, share)
    return Found(layout, pen, scatter, extent, evidence, share, tuple(parts))


def _weighed(evidence: Evidence, share: float) -> Evidence:
    """A handful of hexes somewhere on a large sheet is what chance and patterns leave too."""
    few = (evidence.sides - _FEW_SIDES[0]) / (_FEW_SIDES[1] - _FEW_SIDES[0])
    factor = min(1.0, max(few, share / _SHARE))
    if factor >= 1.0:
        return evidence
    reason = evidence.reason or "only a small part of the picture carries something like hexes"
    return replace(evidence, confidence=max(0.0, factor) * evidence.confidence, reason=reason)


def _plainest(layout: Layout, sides: Sides, seen: Measured, band: float) -> Solution:
    """The fit without skew, unless skew earns its place.

    Five numbers hold better than six.  Where single hexes wobble, as those drawn
    by hand do, the wobble goes on from hex to hex and looks like a lean of the
    paper; so the more they wobble, the more skew has to explain.
    """
    free = solve_sides(layout, sides, seen, tolerance_px=band, skew=True)
    square = solve_sides(layout, sides, seen, tolerance_px=band, skew=False)
    counted = free.used | square.used
    wobble = free.scatter_px / layout.dy
    gain = 1.03 + min(0.25, _WOBBLE * wobble)
    plain = _typical(square, counted) <= gain * _typical(free, counted) + 0.002
    return square if plain else free


def _typical(solution: Solution, sides: NDArray[np.bool_]) -> float:
    rest = solution.rest_px[sides]
    return float(np.sqrt(np.mean(rest**2))) if len(rest) else 0.0


def parts_of(gray: NDArray[np.uint8], layout: Layout, scatter_px: float, pen: Pen) -> list[Extent]:
    """The connected parts of a picture (H, W) uint8 where a lattice is printed, largest first.

    One empty extent where it is printed nowhere.
    """
    height, width = gray.shape
    sides = sides_on(layout, (-0.5, -0.5, width - 0.5, height - 0.5))
    tolerance = max(tolerance_of(layout, scatter_px), 4.0 * scatter_px)
    # Only so wide that a ridge beside the line can beat a chance one on it.
    band = min(max(4 * tolerance, 0.06 * layout.dy), _BAND * layout.dy)
    look = measure(gray, layout, sides, band_px=band, pen=pen)
    hit = on_line(look, tolerance, pen.least).astype(np.float64)
    support = support_of(
        layout,
        side_owners(sides.hexes, sides.direction),
        np.concatenate([hit, hit]),
        (width, height),
        full=6,
        least=3,
    )
    # A hex whose centre lies beyond the picture is a scrap nobody plays on.
    slack = 0.05 * layout.dy
    found = []
    for hexes in printed_parts(support, min(1.0, tolerance / band)):
        centre = layout.lattice_to_pixel(lattice_of(hexes))
        on = np.all((centre >= -slack) & (centre <= np.array((width, height)) - 1 + slack), axis=1)
        found.append(extent_of(layout, hexes[on], (width, height)))
    return found or [extent_of(layout, np.zeros((0, 2), np.int64), (width, height))]


def sides_within(layout: Layout, extent: Extent) -> Sides:
    """Hexsides of the hexes of an extent whose middle lies in its box."""
    sides = sides_on(layout, extent.box_px)
    return sides.take(within(extent, sides.hexes))
