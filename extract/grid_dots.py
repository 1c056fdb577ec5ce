"""Grids of which only dots are printed: one in every hex centre, or one on every corner.

The way is the same as for lines (period, origin, robust fit, verdict), with
dots instead of hexsides.  A triangular lattice of dots says less than an
outline does (centres and corners of another lattice look alike), so the
confidence stays below 0.8 and the reason says why.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.grid_extent import Extent, extent_of, printed_hexes, support_of, within
from hexsight.extract.grid_period import Candidate, candidates
from hexsight.extract.grid_response import Level, level_of
from hexsight.extract.grid_solve import Solution, canonical, plausible, solve
from hexsight.model.layout import CORNERS, Layout, to_lattice

CENTRES, CORNER_DOTS = "centre dots", "corner dots"
_MOST = 0.75  # confidence that dots alone can earn
_CELL = 36
_BAND = 0.13  # how far from its place a dot is looked for, in row spacings
_PROMISING = 6.0
_MOST_DOTS = 8000


@dataclass(frozen=True)
class DotFit:
    """A lattice of dots.

    Attributes
    ----------
    layout : Layout
    style : str
        ``centre dots`` or ``corner dots``.
    polarity : int
        0 dark, 1 light.
    radius_px : float
        Scale at which the dots answer best, about their radius.
    scatter_px : float
        Robust standard deviation of the dots from the lattice.
    extent : Extent
        Where the dots are printed.
    offsets_px : (n, 3) float64 ndarray
        Place x, y of every dot seen and its distance from the fit.
    hits, elsewhere, chance : float
        Share of places with a dot on them; the same between the places; and by chance.
    crowded : float
        How many lines run out of a dot on the average: where lines cross or
        meet it looks as if there were a dot.
    dots : int
        Places looked at.
    """

    layout: Layout
    style: str
    polarity: int
    radius_px: float
    scatter_px: float
    extent: Extent
    offsets_px: NDArray[np.float64]
    hits: float
    elsewhere: float
    chance: float
    crowded: float
    dots: int

    @property
    def reason(self) -> str:
        """Why this is worth a look."""
        place = "hex centres" if self.style == CENTRES else "hex corners"
        return (
            f"only dots are printed: {self.hits:.0%} of the {place} carry one; "
            "look at the picture of the fit"
        )

    @property
    def rank(self) -> tuple[bool, float]:
        """Sort key: of the sure ones the lattice that explains most dots and invents fewest."""
        return self.confidence >= 0.6 * _MOST, self.dots * (2 * self.hits - 1)

    @property
    def confidence(self) -> float:
        """0 to 0.75."""
        base = max(self.elsewhere, self.chance)
        if self.dots < 20 or self.chance > 0.4 or self.crowded > 1.2:
            return 0.0
        sure = (self.hits - base) / math.sqrt(max(base * (1 - base), 0.01) / self.dots)
        clear = min(1.0, max(0.0, (self.hits - base - 0.25) / 0.4))
        return _MOST * clear * (1.0 - math.exp(-max(0.0, sure - 3.0) / 3.0))


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
            fit = _fit(gray, *seed, candidate.polarity)
            if fit is not None and (best is None or fit.rank > best.rank):
                best = fit
    return best


def _origin(
    level: Level, candidate: Candidate
) -> tuple[Layout, str, tuple[float, float, float, float]] | None:
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


def _fit(
    gray: NDArray[np.uint8],
    layout: Layout,
    style: str,
    box: tuple[float, float, float, float],
    polarity: int,
) -> DotFit | None:
    if not plausible(layout):
        return None
    height, width = gray.shape
    radius = _best_radius(gray, layout, style, box, polarity)
    plane = _blobs(gray, radius, polarity)
    band = _BAND * layout.dy
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
        solution = _solve(layout, at, offset, strength, band, skew=len(at) > 60)
        layout, scatter = solution.layout, solution.scatter_px
        if not plausible(layout) or scatter > 0.45 * band:
            return None
        band = min(max(3.0, 6 * scatter, 0.05 * layout.dy), _BAND * layout.dy)
    layout = canonical(layout)
    return _report(gray, plane, layout, style, polarity, radius, scatter)


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


def _places(
    layout: Layout, style: str, box: tuple[float, float, float, float]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
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


def _blobs(gray: NDArray[np.uint8], radius: float, polarity: int) -> NDArray[np.uint8]:
    """Answer (H, W) uint8 to dots of a radius, in quarters of a grey level."""
    height, width = gray.shape
    out = np.zeros((height, width), np.uint8)
    margin = math.ceil(4 * radius) + 2
    band = max(64, 4_000_000 // width)
    k = np.array([[1.0, -2.0, 1.0]], np.float32)
    d = np.array([[-0.5, 0.0, 0.5]], np.float32)
    one = np.ones((1, 1), np.float32)
    sign = np.float32((1.0 if polarity == 0 else -1.0) * radius * radius)
    for top in range(0, height, band):
        bottom = min(height, top + band)
        lo = max(0, top - margin)
        part = gray[lo : min(height, bottom + margin)].astype(np.float32)
        smooth = cv2.GaussianBlur(part, (0, 0), radius)
        xx = sign * cv2.sepFilter2D(smooth, cv2.CV_32F, k, one)
        yy = sign * cv2.sepFilter2D(smooth, cv2.CV_32F, one, k)
        xy = sign * cv2.sepFilter2D(smooth, cv2.CV_32F, d, d)
        weak = (xx + yy) / 2 - np.sqrt((xx - yy) ** 2 / 4 + xy * xy)
        out[top:bottom] = np.clip(4 * weak, 0, 255)[top - lo : bottom - lo].astype(np.uint8)
    return out


def _best_radius(
    gray: NDArray[np.uint8],
    layout: Layout,
    style: str,
    box: tuple[float, float, float, float],
    polarity: int,
) -> float:
    left, top = max(0, int(box[0])), max(0, int(box[1]))
    part = gray[top : int(box[3]), left : int(box[2])]
    here = Layout(
        (layout.origin_px[0] - left, layout.origin_px[1] - top),
        layout.col_px, layout.row_px, layout.sideways,
    )  # fmt: skip
    at, _ = _places(here, style, (-0.5, -0.5, part.shape[1] - 0.5, part.shape[0] - 0.5))
    best, radius = (0.0, 1.0), 0.9
    while radius <= max(1.3, 0.06 * layout.dy) and len(at):
        _, strength = _look(_blobs(part, radius, polarity), here, at, _BAND * layout.dy)
        best = max(best, (float(np.median(strength)), radius))
        radius *= 1.4142
    return best[1]


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
    band = 0.15 * layout.dy
    tolerance = max(1.0, 0.01 * layout.dy, 3.0 * scatter)
    at, owner = _places(layout, style, (-0.5, -0.5, width - 0.5, height - 0.5))
    offset, strength = _look(plane, layout, at, band)
    least = 0.3 * float(np.percentile(strength, 75))
    far = np.hypot(offset[:, 0], offset[:, 1])
    hit = (far <= tolerance) & (strength > least)
    # Half way along the sides nothing is printed in either style.
    empty, there = _look(plane, layout, at + (0.0, 1.0), band)
    null = (np.hypot(empty[:, 0], empty[:, 1]) <= tolerance) & (there > least)
    chance = min(1.0, ((tolerance + 0.5) / band) ** 2)
    size = (width, height)
    full = 1 if style == CENTRES else 2
    support = support_of(layout, owner, hit.astype(np.float64), size, full=full, least=1)
    extent = extent_of(layout, printed_hexes(support, chance), size)
    on = within(extent, owner)
    hit &= on
    place = layout.lattice_to_pixel(at[hit])
    return DotFit(
        layout,
        style,
        polarity,
        radius,
        scatter,
        extent,
        np.column_stack([place, far[hit]]),
        float(hit.sum() / max(1, on.sum())),
        float((null & on).sum() / max(1, on.sum())),
        chance,
        _crowded(gray, place + offset[hit], radius, polarity),
        int(on.sum()),
    )


def _crowded(
    gray: NDArray[np.uint8], place: NDArray[np.float64], radius: float, polarity: int
) -> float:
    """Mean number of runs on a ring about dots (n, 2) that are more like them than the ground."""
    if len(place) == 0:
        return math.inf
    reach = max(4.0, 3.5 * radius)
    turn = np.linspace(0, 2 * np.pi, math.ceil(2 * np.pi * reach / 0.7), endpoint=False)
    ring = place[:, None] + reach * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    high = np.array(gray.shape[::-1]) - 1

    def at(points: NDArray[np.float64]) -> NDArray[np.float64]:
        x, y = np.moveaxis(np.clip(np.rint(points), 0, high).astype(np.int64), -1, 0)
        value = gray[y, x].astype(np.float64)
        return np.asarray(value if polarity == 0 else 255.0 - value)

    around, dot = at(ring), at(place)[:, None]
    usual = np.median(around, axis=1, keepdims=True)
    if float(np.median(usual - dot)) < 4.0:
        return math.inf  # what answered was the surroundings of something else
    alike = around < (usual + dot) / 2
    starts = alike & ~np.roll(alike, 1, axis=1)
    return float(starts.sum(axis=1).mean())
