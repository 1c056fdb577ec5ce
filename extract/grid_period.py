"""Spacing of the hex lattice from the autocorrelation of oriented line responses.

Each direction of hexsides by itself repeats exactly with the lattice of the
hexes, so the autocorrelation of the response in one direction has its peaks at
whole hex steps and nowhere between.  A candidate lattice is scored by the
peaks it predicts minus the values half way between them: a lattice of double
size finds as much between as on its points and scores nothing, one of half
size misses three in four.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.grid_response import DIRECTIONS_DEG, Level

MIN_ROW_PX = 13.0  # smallest row spacing sought, in pixels of a level
MAX_ROW_PX = 62.0  # largest; larger hexes are found on a more reduced level
FLAT = (0, 60, 120)
POINTY = (30, 90, 150)


@dataclass(frozen=True)
class Candidate:
    """A lattice that the autocorrelation suggests, without an origin.

    Attributes
    ----------
    sideways : bool
        Pointy-topped hexes.
    polarity : int
        0 for dark lines, 1 for light ones.
    step_a, step_b : (float, float)
        Steps in level pixels from a hex to its neighbour in the next column
        (half a row on), and to the next row.
    score : float
        Mean autocorrelation at the lattice points minus that between them, in
        units of the scatter of the autocorrelation elsewhere.
    """

    sideways: bool
    polarity: int
    step_a: tuple[float, float]
    step_b: tuple[float, float]
    score: float


def autocorrelations(level: Level) -> NDArray[np.float32]:
    """Autocorrelation by polarity and direction, averaged over the windows of a level.

    Returns
    -------
    (2, 6, n, n) float32 ndarray, or (2, 1, n, n) for dots
        Lag 0 stands at index ``n // 2`` of both axes and has the value 1.
    """
    wh, ww = level.shape
    lag = int(min(160, 0.45 * wh, 0.45 * ww))
    n = 2 * lag + 1
    fh, fw = cv2.getOptimalDFTSize(wh + lag // 2), cv2.getOptimalDFTSize(ww + lag // 2)
    fw += fw % 2
    taper = np.outer(_hann(wh), _hann(ww)).astype(np.float32)
    count = level.windows[0].planes.shape[1]
    out = np.zeros((2, count, n, n), np.float32)
    for polarity in range(2):
        for i in range(count):
            power = np.zeros((fh, fw // 2 + 1), np.float64)
            for window in level.windows:
                padded = np.zeros((fh, fw), np.float32)
                padded[:wh, :ww] = window.planes[polarity, i] * taper
                spectrum = np.fft.rfft2(padded)
                # Equal votes: one loud window must not decide for the picture.
                energy = spectrum.real**2 + spectrum.imag**2
                power += energy / max(float(energy.mean()), 1e-9)
            corr = np.fft.fftshift(np.fft.irfft2(power, (fh, fw)))
            cy, cx = fh // 2, fw // 2
            patch = corr[cy - lag : cy + lag + 1, cx - lag : cx + lag + 1]
            out[polarity, i] = patch / max(float(corr[cy, cx]), 1e-9)
    return out


def _hann(n: int) -> NDArray[np.float64]:
    # Raised so that the border still counts a little: small maps have few hexes.
    return np.asarray(0.15 + 0.85 * np.hanning(n + 2)[1:-1])


# Lattice points (i, j) of i·a + j·b in a half plane, nearest first, and points between.
_SHELLS = ((1, 0), (0, 1), (1, -1), (1, 1), (2, -1), (1, -2), (2, 0), (0, 2), (2, -2))
_BETWEEN = (
    (0.5, 0), (0, 0.5), (0.5, -0.5), (1, 0.5), (0.5, 1), (1.5, -1), (1.5, -0.5), (1, -1.5),
    (0.5, -1.5), (0.5, 0.5), (1, -0.5), (1.5, 0), (0, 1.5), (1.5, -1.5),
    (1 / 3, 1 / 3), (2 / 3, -1 / 3), (1 / 3, -2 / 3), (4 / 3, -2 / 3), (2 / 3, 2 / 3),
)  # fmt: skip


def candidates(level: Level, *, keep: int = 4) -> list[Candidate]:
    """Best lattices of one level, over both orientations and polarities.

    Rows of 13 to 62 level pixels, turned up to 15° from upright (the other
    orientation takes over there), stretched up to 12 %.
    """
    corr = autocorrelations(level)
    found: list[Candidate] = []
    for polarity in range(2):
        for sideways, directions in ((False, FLAT), (True, POINTY)):
            index = [DIRECTIONS_DEG.index(d) for d in directions] if corr.shape[1] > 1 else [0]
            total = corr[polarity, index].mean(axis=0)
            total = cv2.GaussianBlur(total, (0, 0), 0.7)
            found += _search(total, sideways, polarity, keep)
    found.sort(key=lambda c: -c.score)
    return found


def _search(corr: NDArray[np.float32], sideways: bool, polarity: int, keep: int) -> list[Candidate]:
    lag = corr.shape[0] // 2
    top_row = min(MAX_ROW_PX, lag / 1.05)
    if top_row <= MIN_ROW_PX:
        return []
    rows = np.exp(np.arange(math.log(MIN_ROW_PX), math.log(top_row), 0.02))
    turns = np.radians(np.arange(-15.0, 15.1, 1.5))
    stretches = np.arange(-0.12, 0.121, 0.03)
    R, T, E = (v.ravel() for v in np.meshgrid(rows, turns, stretches, indexing="ij"))
    a, b = _steps(R, T, R * (math.sqrt(3) / 2) * (1 + E), sideways)
    scale = _scatter(corr)
    score = (_mean_at(corr, a, b, _SHELLS[:6]) - _mean_at(corr, a, b, _BETWEEN)) / scale
    order = np.argsort(-score, kind="stable")
    chosen: list[Candidate] = []
    seen: list[NDArray[np.float64]] = []
    for k in order[:400]:
        if len(chosen) >= keep:
            break
        if any(_close(a[k], b[k], s) for s in seen):
            continue
        fa, fb = refine_steps(corr, a[k], b[k])
        seen.append(np.concatenate([a[k], b[k]]))
        if any(_close(fa, fb, np.array([*c.step_a, *c.step_b])) for c in chosen):
            continue
        final = _mean_at(corr, fa[None], fb[None], _SHELLS) - _mean_at(
            corr, fa[None], fb[None], _BETWEEN
        )
        chosen.append(
            Candidate(
                sideways,
                polarity,
                (float(fa[0]), float(fa[1])),
                (float(fb[0]), float(fb[1])),
                float(final[0]) / scale,
            )
        )
    return chosen


def _steps(
    rows: NDArray[np.float64],
    turns: NDArray[np.float64],
    cols: NDArray[np.float64],
    sideways: bool,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Steps (n, 2) to the next column (half a row on) and to the next row."""
    c, s = np.cos(turns), np.sin(turns)
    if sideways:
        a = np.stack([-cols * s + rows / 2 * c, cols * c + rows / 2 * s], axis=-1)
        b = np.stack([rows * c, rows * s], axis=-1)
    else:
        a = np.stack([cols * c - rows / 2 * s, cols * s + rows / 2 * c], axis=-1)
        b = np.stack([-rows * s, rows * c], axis=-1)
    return a, b


def _close(a: NDArray[np.float64], b: NDArray[np.float64], s: NDArray[np.float64]) -> bool:
    size = math.hypot(*b)
    return bool(np.hypot(*(a - s[:2])) < 0.06 * size and np.hypot(*(b - s[2:])) < 0.06 * size)


def _scatter(corr: NDArray[np.float32]) -> float:
    lag = corr.shape[0] // 2
    yy, xx = np.mgrid[-lag : lag + 1, -lag : lag + 1]
    ring = corr[np.hypot(xx, yy) > 0.4 * MIN_ROW_PX]
    return max(float(np.median(np.abs(ring - np.median(ring)))) * 1.4826, 1e-4)


def _mean_at(
    corr: NDArray[np.float32],
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    points: tuple[tuple[float, float], ...],
) -> NDArray[np.float64]:
    """Mean autocorrelation (n,) at i·a + j·b; points beyond the known lags are left out."""
    lag = corr.shape[0] // 2
    i, j = (np.array(v, np.float32)[:, None] for v in zip(*points, strict=True))
    x = i * a[:, 0].astype(np.float32) + j * b[:, 0].astype(np.float32)
    y = i * a[:, 1].astype(np.float32) + j * b[:, 1].astype(np.float32)
    inside = np.maximum(np.abs(x), np.abs(y)) < lag - 1
    x, y = np.where(inside, x, 0) + np.float32(lag), np.where(inside, y, 0) + np.float32(lag)
    value = np.asarray(cv2.remap(corr, x, y, cv2.INTER_LINEAR)) * inside
    total = value.sum(axis=0, dtype=np.float64)
    return np.asarray(total / np.maximum(inside.sum(axis=0), 1))


def refine_steps(
    corr: NDArray[np.float32], a: NDArray[np.float64], b: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Steps fitted to the peaks of the autocorrelation, shell by shell outwards."""
    lag = corr.shape[0] // 2
    for reach in (1.6, 2.7, 4.2, 6.5):
        size = math.sqrt(abs(a[0] * b[1] - a[1] * b[0]))
        n = int(reach) + 2
        rows, targets, weights = [], [], []
        radius = max(1.5, 0.12 * size)
        for i in range(0, n + 1):
            for j in range(-n, n + 1):
                p = i * a + j * b
                far = math.hypot(*p)
                if (i == 0 and j <= 0) or far > reach * size or np.any(np.abs(p) > lag - 4):
                    continue
                peak = _peak(corr, p, radius)
                if peak is not None:
                    rows.append((i, j))
                    targets.append(peak[0])
                    weights.append(max(peak[1], 0.0))
        if len(rows) < 3:
            break
        w = np.sqrt(np.array(weights) + 1e-6)[:, None]
        m = np.array(rows, np.float64) * w
        if np.linalg.matrix_rank(m) < 2:
            break
        solved = np.linalg.lstsq(m, np.array(targets) * w, rcond=None)[0]
        if np.hypot(*(solved[0] - a)) > 0.15 * size or np.hypot(*(solved[1] - b)) > 0.15 * size:
            break
        a, b = solved[0], solved[1]
    return a, b


def _peak(
    corr: NDArray[np.float32], p: NDArray[np.float64], radius: float
) -> tuple[NDArray[np.float64], float] | None:
    """Local maximum near lag p, with sub-pixel place, or None when it lies on the rim."""
    lag = corr.shape[0] // 2
    r = math.ceil(radius)
    cx, cy = round(float(p[0])) + lag, round(float(p[1])) + lag
    patch = corr[max(cy - r, 0) : cy + r + 1, max(cx - r, 0) : cx + r + 1]
    if patch.size == 0:
        return None
    iy, ix = np.unravel_index(int(np.argmax(patch)), patch.shape)
    y, x = int(iy) + max(cy - r, 0), int(ix) + max(cx - r, 0)
    if abs(x - cx) >= r or abs(y - cy) >= r:
        return None
    if not (0 < x < corr.shape[1] - 1 and 0 < y < corr.shape[0] - 1):
        return None
    v = float(corr[y, x])
    dx = _vertex(float(corr[y, x - 1]), v, float(corr[y, x + 1]))
    dy = _vertex(float(corr[y - 1, x]), v, float(corr[y + 1, x]))
    return np.array([x + dx - lag, y + dy - lag]), v


def _vertex(left: float, mid: float, right: float) -> float:
    bend = left - 2 * mid + right
    return 0.0 if bend >= -1e-12 else max(-0.5, min(0.5, 0.5 * (left - right) / bend))
