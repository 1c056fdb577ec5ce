"""Grids of which only dots are printed: one in every hex centre, or one on every corner.

The way is the same as for lines (period, origin, robust fit, verdict), with
dots instead of hexsides.  A triangular lattice of dots says less than an
outline does (centres and corners of another lattice look alike), so the
confidence stays below 0.8 and the reason says why.
"""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.grid_dotfit import (
    CENTRES,
    CORNER_DOTS,
    FINER_STEPS,
    DotFit,
    honeycomb,
)
from hexsight.extract.grid_extent import extent_of, printed_hexes, support_of, within
from hexsight.extract.grid_period import Candidate, candidates
from hexsight.extract.grid_response import Level, blobs, level_of
from hexsight.extract.grid_shape import look_around, look_between
from hexsight.extract.grid_solve import Solution, canonical, plausible, solve
from hexsight.model.layout import CORNERS, Layout, to_lattice

_CELL = 36
_BAND = 0.13  # how far from its place a dot is looked for, in row spacings
_PROMISING = 6.0
_MOST_DOTS = 8000

Box = tuple[float, float, float, float]


def find_dots(gray: NDArray[np.uint8], pitches: tuple[int, ...]) -> DotFit | None:
    """Lattice of dots on a picture (H, W) uint8, or None."""
    best: DotFit | None = None
    for pitch in pitches:
        if min(gray.shape) // pitch < 64:
            continue
        level = level_of(gray, pitch, dots=True)
        for candidate in candidates(level)[:3]:
            seed = _origin(level, candidate)
            if seed is None:
                continue
            fit = _fit_reduced(gray, *seed, candidate.polarity, max(1, pitch // 4))
            if fit is not None and (best is None or fit.rank > best.rank):
                best = fit
    return best


def _origin(level: Level, candidate: Candidate) -> tuple[Layout, str, Box] | None:
    """Place of the dots in the cell, folded over the best window."""
    a, b = np.array(candidate.step_a), np.array(candidate.step_b)
    inverse = np.linalg.inv(np.stack([a, b], axis=1))
    h, w = level.shape
    ys, xs = np.mgrid[0:h, 0:w]
    i = np.floor(((inverse[0, 0] * xs + inverse[0, 1] * ys) % 1.0) * _CELL).astype(np.int64)
    j = np.floor(((inverse[1, 0] * xs + inverse[1, 1] * ys) % 1.0) * _CELL).astype(np.int64)
    cell = ((j % _CELL) * _CELL + i % _CELL).ravel()
    counts = np.maximum(np.bincount(cell, minlength=_CELL**2), 1)
    third = _CELL // 3
    best = None
    for window in level.windows:
        plane = window.planes[candidate.polarity, 0]
        folded = (np.bincount(cell, weights=plane.ravel(), minlength=_CELL**2) / counts).reshape(
            _CELL, _CELL
        )
        wrapped = np.asarray(cv2.GaussianBlur(np.pad(folded, 3, mode="wrap"), (0, 0), 1.0))
        folded = wrapped[3:-3, 3:-3].astype(np.float64)
        # Corners stand at lattice (2, 0) and (−2, 0): thirds of the steps a and b.
        one = np.roll(folded, (third, -2 * third), axis=(0, 1))
        two = np.roll(folded, (-third, 2 * third), axis=(0, 1))
        half = _CELL // 2
        between = (
            np.roll(folded, half, axis=0)
            + np.roll(folded, half, axis=1)
            + np.roll(folded, (half, half), axis=(0, 1))
        ) / 3
        for style, score in (
            (CENTRES, folded - np.maximum(np.maximum(one, two), between)),
            (CORNER_DOTS, np.minimum(one, two) - np.maximum(folded, between)),
        ):
            v, u = np.unravel_index(int(np.argmax(score)), score.shape)
            scatter = 1.4826 * float(np.median(np.abs(folded - np.median(folded))))
            value = float(score[v, u]) / max(scatter, 1e-3)
            if best is None or value > best[0]:
                o = u / _CELL * a + v / _CELL * b + (window.left, window.top)
                best = (value, style, o, window)
    if best is None or best[0] < _PROMISING:
        return None
    _, style, o, window = best
    pitch = level.pitch
    o = (o + 0.5) * pitch - 0.5
    col, row = (a - b / 2) * pitch, b * pitch
    layout = Layout((o[0], o[1]), (col[0], col[1]), (row[0], row[1]), candidate.sideways)
    left, top = float(window.left * pitch), float(window.top * pitch)
    return layout, style, (left, top, left + w * pitch, top + h * pitch)


def _fit_reduced(
    gray: NDArray[np.uint8],
    layout: Layout,
    style: str,
    box: Box,
    polarity: int,
    factor: int,
) -> DotFit | None:
    """Fit dots; those of large hexes on a reduced picture first, so that most need no more."""
    if not plausible(layout):
        return None
    if factor == 1:
        radius = _best_radius(gray, layout, style, box, polarity)
        return _fit(gray, layout, style, box, polarity, radius)
    h, w = gray.shape[0] // factor, gray.shape[1] // factor
    cut = gray[: h * factor, : w * factor]
    small = np.asarray(cv2.resize(cut, (w, h), interpolation=cv2.INTER_AREA), np.uint8)
    part = (box[0] / factor, box[1] / factor, box[2] / factor, box[3] / factor)
    here = _scaled(layout, 1.0 / factor)
    radius = _best_radius(small, here, style, part, polarity)
    first = _fit(small, here, style, part, polarity, radius)
    if first is None or first.confidence == 0.0:
        return first
    return _fit(gray, _scaled(first.layout, factor), first.style, box, polarity, radius * factor)


def _scaled(layout: Layout, factor: float) -> Layout:
    (ox, oy), (cx, cy), (rx, ry) = layout.origin_px, layout.col_px, layout.row_px
    return Layout(
        ((ox + 0.5) * factor - 0.5, (oy + 0.5) * factor - 0.5),
        (cx * factor, cy * factor),
        (rx * factor, ry * factor),
        layout.sideways,
    )


def _fit(
    gray: NDArray[np.uint8],
    layout: Layout,
    style: str,
    box: Box,
    polarity: int,
    radius: float,
    band_px: float | None = None,
) -> DotFit | None:
    height, width = gray.shape
    if band_px is None and not _promising(gray, layout, style, box, polarity, radius):
        return None
    plane = blobs(gray, radius, polarity)
    band = band_px or _BAND * layout.dy
    scatter = band
    for factor in (1.0, 1.8, 3.2, 1e9, 1e9):
        cx, cy = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        w, h = factor * (box[2] - box[0]) / 2, factor * (box[3] - box[1]) / 2
        part = (
            max(-0.5, cx - w), max(-0.5, cy - h),
            min(width - 0.5, cx + w), min(height - 0.5, cy + h),
        )  # fmt: skip
        at, _ = _places(layout, style, part)
        if len(at) < 12:
            return None
        at = at[np.unique(np.linspace(0, len(at) - 1, _MOST_DOTS).astype(np.int64))]
        offset, strength = _look(plane, layout, at, band)
        solution = _solve(layout, at, offset, strength, band, skew=len(at) > 24)
        layout, scatter = solution.layout, solution.scatter_px
        if not plausible(layout) or scatter > 0.45 * band:
            return None
        band = min(max(3.0, 6 * scatter, 0.05 * layout.dy), _BAND * layout.dy)
    found = _report(gray, plane, canonical(layout), style, polarity, radius, scatter)
    corners = honeycomb(found)
    if corners is not None:
        # Known so well that no printed number beside a dot need be taken for it.
        return _fit(gray, corners, CORNER_DOTS, box, polarity, radius, max(3.0, 6 * scatter))
    return found


def _promising(
    gray: NDArray[np.uint8], layout: Layout, style: str, box: Box, polarity: int, radius: float
) -> bool:
    """Whether dots of its window scatter less about a lattice than chance ones would."""
    left, top = max(0, int(box[0])), max(0, int(box[1]))
    part = gray[top : math.ceil(box[3]), left : math.ceil(box[2])]
    here = replace(layout, origin_px=(layout.origin_px[0] - left, layout.origin_px[1] - top))
    at, _ = _places(here, style, (-0.5, -0.5, part.shape[1] - 0.5, part.shape[0] - 0.5))
    if len(at) < 12:
        return False
    band = _BAND * layout.dy
    offset, strength = _look(blobs(part, radius, polarity), here, at, band)
    solution = _solve(here, at, offset, strength, band, skew=len(at) > 24)
    return solution.scatter_px <= 0.45 * band


def _solve(
    layout: Layout,
    at: NDArray[np.float64],
    offset: NDArray[np.float64],
    strength: NDArray[np.float64],
    band: float,
    *,
    skew: bool,
) -> Solution:
    """Every dot tells two distances, along x and along y."""
    axes = np.repeat(np.eye(2), len(at), axis=0)
    return solve(
        layout,
        np.concatenate([at, at]),
        axes,
        np.concatenate([offset[:, 0], offset[:, 1]]),
        np.concatenate([strength, strength]),
        tolerance_px=band,
        skew=skew,
    )


def _places(layout: Layout, style: str, box: Box) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Lattice coordinates (n, 2) of the dots in a box, and a hex (n, 2) each belongs to."""
    left, top, right, bottom = box
    shifted = Layout(
        (layout.origin_px[0] - left, layout.origin_px[1] - top),
        layout.col_px, layout.row_px, layout.sideways,
    )  # fmt: skip
    hexes = list(shifted.hexes_on((math.ceil(right - left), math.ceil(bottom - top))))
    centres = np.array([to_lattice(*h) for h in hexes], np.float64).reshape(-1, 2)
    owner = np.array(hexes, np.int64).reshape(-1, 2)
    if style == CENTRES:
        return centres, owner
    # Every corner is the right corner of one hex or the left corner of another.
    ends = np.array([CORNERS[2], CORNERS[5]], np.float64)
    at = (centres[:, None] + ends).reshape(-1, 2)
    return at, np.repeat(owner, 2, axis=0)


def _best_radius(
    gray: NDArray[np.uint8],
    layout: Layout,
    style: str,
    box: Box,
    polarity: int,
) -> float:
    left, top = max(0, int(box[0])), max(0, int(box[1]))
    part = gray[top : int(box[3]), left : int(box[2])]
    here = Layout(
        (layout.origin_px[0] - left, layout.origin_px[1] - top),
        layout.col_px, layout.row_px, layout.sideways,
    )  # fmt: skip
    at, _ = _places(here, style, (-0.5, -0.5, part.shape[1] - 0.5, part.shape[0] - 0.5))
    found, radius = [(0.0, 1.0)], 0.9
    while radius <= max(1.3, 0.06 * layout.dy) and len(at):
        _, strength = _look(blobs(part, radius, polarity), here, at, _BAND * layout.dy)
        found.append((float(np.median(strength)), radius))
        radius *= 1.4142
    # A scale smaller than the dot answers at its rim; so of equals the largest.
    best = max(strength for strength, _ in found)
    return max(radius for strength, radius in found if strength >= 0.85 * best)


def _look(
    plane: NDArray[np.uint8], layout: Layout, at: NDArray[np.float64], band: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Way (n, 2) from each predicted place to the strongest dot within a band, and its strength."""
    step = max(0.75, band / 12)
    half = math.ceil(band / step)
    side = 2 * half + 1
    around = np.arange(-half, half + 1, dtype=np.float32) * np.float32(step)
    offset = np.zeros((len(at), 2))
    strength = np.zeros(len(at))
    centre = layout.lattice_to_pixel(at).astype(np.float32)
    chunk = max(1, min(30_000, 2_000_000 // side**2))
    for lo in range(0, len(at), chunk):
        c = centre[lo : lo + chunk]
        n = len(c)
        x = np.broadcast_to(c[:, 0, None, None] + around[None, None, :], (n, side, side))
        y = np.broadcast_to(c[:, 1, None, None] + around[None, :, None], (n, side, side))
        seen = cv2.remap(
            plane,
            np.ascontiguousarray(x.reshape(n, -1)),
            np.ascontiguousarray(y.reshape(n, -1)),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
        )
        v = np.asarray(seen, np.float64).reshape(n, side, side)
        k = v.reshape(n, -1).argmax(axis=1)
        i, j = np.clip(k // side, 1, side - 2), np.clip(k % side, 1, side - 2)
        r = np.arange(n)
        mid = v[r, i, j]
        dx = _vertex(v[r, i, j - 1], mid, v[r, i, j + 1])
        dy = _vertex(v[r, i - 1, j], mid, v[r, i + 1, j])
        offset[lo : lo + n, 0] = (j + dx - half) * step
        offset[lo : lo + n, 1] = (i + dy - half) * step
        strength[lo : lo + n] = mid
    return offset, strength


def _vertex(
    left: NDArray[np.float64], mid: NDArray[np.float64], right: NDArray[np.float64]
) -> NDArray[np.float64]:
    bend = left - 2 * mid + right
    shift = np.where(bend < -1e-9, 0.5 * (left - right) / np.where(bend < -1e-9, bend, -1.0), 0.0)
    return np.asarray(np.clip(shift, -0.5, 0.5), np.float64)


def _report(
    gray: NDArray[np.uint8],
    plane: NDArray[np.uint8],
    layout: Layout,
    style: str,
    polarity: int,
    radius: float,
    scatter: float,
) -> DotFit:
    height, width = plane.shape
    tolerance = max(1.0, 0.01 * layout.dy, 3.0 * scatter)
    # Only so wide that a number printed beside a dot does not hide it.
    band = min(0.15 * layout.dy, max(6.0, 5.0 * tolerance))
    at, owner = _places(layout, style, (-0.5, -0.5, width - 0.5, height - 0.5))
    offset, strength = _look(plane, layout, at, band)
    least = 0.3 * float(np.percentile(strength, 75))
    far = np.hypot(offset[:, 0], offset[:, 1])
    hit = (far <= tolerance) & (strength > least)
    # Half way along the sides nothing is printed in either style, nor on the corners of hexes
    # that have dots in their centres.
    nulls = []
    for step in ((0.0, 1.0), (2.0, 0.0), (-2.0, 0.0))[: 3 if style == CENTRES else 1]:
        empty, there = _look(plane, layout, at + step, band)
        nulls.append((np.hypot(empty[:, 0], empty[:, 1]) <= tolerance) & (there > least))
    chance = min(1.0, ((tolerance + 0.5) / band) ** 2)
    size = (width, height)
    full = 1 if style == CENTRES else 2
    support = support_of(layout, owner, hit.astype(np.float64), size, full=full, least=1)
    extent = extent_of(layout, printed_hexes(support, chance), size)
    on = within(extent, owner)
    hit &= on
    place = layout.lattice_to_pixel(at[hit])
    spacing = layout.dy if style == CENTRES else layout.dy / math.sqrt(3)
    share = float(hit.sum() / max(1, on.sum()))
    dots = place + offset[hit]
    # Both kinds of corner take turns in `at`.
    right = (np.arange(len(at)) % 2 == 0)[hit]
    flared = 0.0
    if style == CORNER_DOTS:
        flared = look_between(gray, layout, (dots[right], dots[~right]), polarity == 0)

    usual = (plane, tolerance, band, least)
    finer = _finer(layout, style, at[on], usual, chance + 0.4 * (share - chance))
    return DotFit(
        layout,
        style,
        polarity,
        radius,
        scatter,
        extent,
        np.column_stack([place, far[hit]]),
        share,
        max(float((null & on).sum() / max(1, on.sum())) for null in nulls),
        chance,
        *look_around(gray, dots, spacing, radius, polarity == 0),
        flared,
        finer,
        int(on.sum()),
    )


def _finer(
    layout: Layout,
    style: str,
    at: NDArray[np.float64],
    usual: tuple[NDArray[np.uint8], float, float, float],
    clear: float,
) -> bool:
    """Whether between the dots there are others, as many as a finer lattice has."""
    if len(at) == 0:
        return False
    plane, tolerance, band, least = usual
    some = at[np.unique(np.linspace(0, len(at) - 1, 200).astype(np.int64))]

    def found(step: NDArray[np.float64]) -> float:
        point = layout.lattice_to_pixel(some + step)
        there = np.all((point > -0.5) & (point < np.array(plane.shape[::-1]) - 0.5), axis=1)
        if not there.any():
            return 0.0
        off, answer = _look(plane, layout, some[there] + step, band)
        near = np.hypot(off[:, 0], off[:, 1]) <= tolerance
        return float(np.mean(near & (answer > least)))

    # From a corner, a step (1, 1) leads to another corner, or to a centre, which is empty.
    half = 0.5 * (1.0 + clear)
    return any(
        all(found(step) > (half if own else clear) for step in steps)
        for steps in FINER_STEPS
        for own in [style == CORNER_DOTS and bool(np.allclose(steps[0], (1.0, 1.0)))]
    )
