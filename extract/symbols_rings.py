"""Manholes: dark circles about a quarter of a hex across."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.classify import disc, odd
from hexsight.model.board import Mark

_RING_RADII = (0.08, 0.1, 0.12, 0.14, 0.17, 0.2)  # shares of the hex size
_RING_SCORE = 0.6


def find_rings(rgb: NDArray[np.uint8], s: float) -> list[Mark]:
    """Dark circles on a picture (H, W, 3) uint8 whose hexes are `s` pixels high."""
    gray = np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY))
    shrink = max(1, round(s / 64))
    small = gray
    if shrink > 1:
        size = (gray.shape[1] // shrink, gray.shape[0] // shrink)
        small = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA))
    scale = s / shrink
    kernel = disc(max(3.0, 0.07 * scale))
    thin = cv2.morphologyEx(small, cv2.MORPH_BLACKHAT, kernel).astype(np.float32)
    found: list[tuple[float, float, float, float]] = []
    for share in _RING_RADII:
        radius = share * scale
        reach = int(np.ceil(radius + 3))
        yy, xx = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
        template = np.exp(-0.5 * ((np.hypot(xx, yy) - radius) / max(0.8, 0.012 * scale)) ** 2)
        if min(thin.shape) <= 2 * reach + 1:
            continue
        match = cv2.matchTemplate(thin, template.astype(np.float32), cv2.TM_CCOEFF_NORMED)
        peak = (match > _RING_SCORE) & (match >= cv2.dilate(match, np.ones((odd(radius),) * 2)))
        for y, x in np.argwhere(peak):
            found.append((float(match[y, x]), float(x + reach), float(y + reach), radius))
    found.sort(key=lambda f: (-f[0], f[2], f[1]))
    kept: list[tuple[float, float, float, float]] = []
    for f in found:
        if all(np.hypot(f[1] - k[1], f[2] - k[2]) > k[3] for k in kept):
            kept.append(f)
    half = (shrink - 1) / 2
    return [
        Mark(x * shrink + half, y * shrink + half, round(2 * r * shrink, 2), round(min(1.0, v), 3))
        for v, x, y, r in kept
    ]
