"""Sorting the colours of a map into classes without knowing what any of them means.

Colours that crowd together in CIELAB are modes.  Modes that lie mixed through each
other on the map are one texture: the light and the dark leaves of a wood, the slats of a
roof.  What tells a texture from two neighbours is how often the two modes meet within a
small window, measured against how often each meets itself [1]_; the measure knows no
scale and no colour.

References
----------
.. [1] R. M. Haralick, K. Shanmugam and I. Dinstein, "Textural features for image
   classification", IEEE Trans. SMC 3 (1973): co-occurrence of grey tones.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.classify import measured_noise, odd
from hexsight.extract.legend import to_lab
from hexsight.model.board import Cell
from hexsight.model.layout import Layout

_WORK_HEX_PX = 64.0  # art is told apart well at this size of a hex, and a map stays small
_MOST_PX = 6_000_000
_NOISY = 1.5  # as in classify: drawn art has 0
_BIN = 2.5  # of the colour histogram, CIELAB units
_LOWEST = (0.0, -128.0, -128.0)
_BINS = 42 << 14  # 42 bins of lightness, 128 of a and of b
_RADIUS = 5.0  # two colours nearer than this are one mode
_MOST_MODES = 48
_LEAST_MODE = 4e-4  # share of the map; fewer pixels are nobody's terrain
_STEEP = 12.0  # CIELAB lightness between the two sides of an edge
_WINDOW = 0.25  # within which modes meet, as a share of the hex size
_TEXTURE = 0.45  # correlation of modes that are one texture
_REACH = 30.0  # CIELAB distance at which that is little believed
_SHADE = 0.5  # how much a difference in lightness counts there: textures are shades of a hue
NO_MODE = 255


@dataclass(frozen=True)
class Canvas:
    """The map at working size.

    Attributes
    ----------
    lab : (h, w, 3) float32
        CIELAB colours, L 0–100, print removed and noise smoothed.
    on_map : (h, w) bool
        Pixels of hexes.
    steady : (h, w) bool
        Those that are no print and no slope between two colours.
    scale : float
        Working pixels per board pixel.
    hex_px : float
        Flat-to-flat size of a hex in working pixels.
    noise : float
        Measured noise of the picture in grey values.
    """

    lab: NDArray[np.float32]
    on_map: NDArray[np.bool_]
    steady: NDArray[np.bool_]
    scale: float
    hex_px: float
    noise: float


@dataclass(frozen=True)
class Modes:
    """Crowded colours of a map.

    Attributes
    ----------
    lab : (m, 3) float32
        Their middles.
    share : (m,) float64
        Of the steady pixels.
    spread : (m,) float64
        Standard deviation around the middle per axis, CIELAB units.
    label : (h, w) uint8
        Mode of each working pixel, `NO_MODE` off the map.
    """

    lab: NDArray[np.float32]
    share: NDArray[np.float64]
    spread: NDArray[np.float64]
    label: NDArray[np.uint8]


def canvas_of(
    cleaned: NDArray[np.uint8],
    printed: NDArray[np.bool_],
    layout: Layout,
    cells: tuple[Cell, ...],
) -> Canvas:
    """Bring a map to working size.

    Parameters
    ----------
    cleaned : (H, W, 3) uint8 ndarray
        Picture without print.
    printed : (H, W) bool ndarray
        Where print was.
    layout : Layout
    cells : tuple of Cell
        Hexes; what lies outside of them is no terrain.
    """
    noise = measured_noise(cleaned)
    hex_px = layout.dy
    if noise > _NOISY:
        cleaned = np.asarray(cv2.GaussianBlur(cleaned, (0, 0), max(0.8, 0.0125 * hex_px)))
    height, width = cleaned.shape[:2]
    scale = min(1.0, _WORK_HEX_PX / hex_px, float(np.sqrt(_MOST_PX / (height * width))))
    on_map = np.zeros((height, width), np.uint8)
    rings = [np.rint(layout.corners(c.col, c.row) * 16).astype(np.int32) for c in cells]
    for ring in rings:  # one by one: together, shared edges would cancel each other
        cv2.fillConvexPoly(on_map, ring, 1, cv2.LINE_8, 4)
    if scale < 1.0:
        # Nearest: averaging would invent colours along every edge.
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        cleaned = np.asarray(cv2.resize(cleaned, size, interpolation=cv2.INTER_NEAREST))
        on_map = np.asarray(cv2.resize(on_map, size, interpolation=cv2.INTER_NEAREST))
        shrunk = cv2.resize(printed.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
        printed = np.asarray(shrunk) > 0
    lab = to_lab(cleaned)
    steady = (on_map > 0) & ~printed & ~_slopes(lab[..., 0], hex_px * scale)
    return Canvas(lab, on_map > 0, steady, scale, hex_px * scale, noise)


def _slopes(lightness: NDArray[np.float32], hex_px: float) -> NDArray[np.bool_]:
    """Pixels between the two colours of an edge, which are a mixture and no terrain."""
    size = max(3, odd(0.05 * hex_px))
    kernel = np.ones((size, size), np.uint8)
    high = np.asarray(cv2.dilate(lightness, kernel))
    low = np.asarray(cv2.erode(lightness, kernel))
    span = high - low
    inner = (high - lightness > 0.25 * span) & (lightness - low > 0.25 * span)
    return np.asarray(inner & (span > _STEEP), bool)


def find_modes(canvas: Canvas) -> Modes:
    """Cover the colours of a map with modes, the most crowded first.

    Greedy covering and Lloyd's steps over a colour histogram: no chance is
    involved, so that the same picture gives the same modes.  Counts are damped by
    their square root, else the ground would draw the rare colours to itself.
    """
    steady = canvas.steady if canvas.steady.any() else canvas.on_map
    index = _bins(canvas.lab)
    pixels, at = canvas.lab[steady], index[steady]
    counts = np.bincount(at, minlength=_BINS)
    keys = np.flatnonzero(counts)
    sums = [np.bincount(at, weights=pixels[:, k], minlength=_BINS)[keys] for k in range(3)]
    centre = np.asarray(np.stack(sums, axis=1) / counts[keys, None], np.float64)
    seeds = _cover(centre, counts[keys].astype(np.float64), _crowd(counts)[keys])
    middles, owner = _settle(centre, np.sqrt(counts[keys]), centre[seeds])
    present = np.flatnonzero(np.bincount(index.ravel(), minlength=_BINS))
    mode_of = _modes_of_bins(present, keys, owner, middles)
    label = np.where(canvas.on_map, mode_of[index], NO_MODE).astype(np.uint8)
    mode = mode_of[at]
    size = np.bincount(mode, minlength=len(middles))
    gap2 = ((pixels - middles.astype(np.float32)[mode]) ** 2).sum(axis=1)
    spread = np.sqrt(np.bincount(mode, weights=gap2, minlength=len(middles)) / (3 * size))
    return Modes(middles.astype(np.float32), size / size.sum(), spread, label)


def _bins(lab: NDArray[np.float32]) -> NDArray[np.int32]:
    """Bin of the colour histogram (…) of colours (…, 3)."""
    at = ((lab - np.array(_LOWEST, np.float32)) * np.float32(1 / _BIN)).astype(np.int32)
    return np.asarray((at[..., 0] << 14) | (at[..., 1] << 7) | at[..., 2], np.int32)


def _crowd(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Counts of the histogram smoothed along its three axes."""
    cube = counts.reshape(_BINS >> 14, 128, 128).astype(np.float64)
    reach = np.arange(-2, 3)
    weights = np.exp(-0.5 * (reach * _BIN / (0.4 * _RADIUS)) ** 2)
    for axis in range(3):
        padded = np.pad(cube, [(2, 2) if k == axis else (0, 0) for k in range(3)])
        size = cube.shape[axis]
        parts = [w * padded.take(range(k, k + size), axis=axis) for k, w in enumerate(weights)]
        cube = np.sum(parts, axis=0)
    return np.asarray(cube.ravel(), np.float64)


def _cover(
    centre: NDArray[np.float64], counts: NDArray[np.float64], mass: NDArray[np.float64]
) -> list[int]:
    """Bins that stand for all within `_RADIUS`, the most crowded first."""
    free = np.ones(len(centre), bool)
    seeds: list[int] = []
    least = _LEAST_MODE * float(counts.sum())
    while len(seeds) < _MOST_MODES and free.any():
        best = int(np.where(free, mass, -1.0).argmax())
        near = ((centre - centre[best]) ** 2).sum(axis=1) < _RADIUS**2
        if seeds and float(counts[near & free].sum()) < least:
            free &= ~near
            continue
        seeds.append(best)
        free &= ~near
    return seeds


def _settle(
    centre: NDArray[np.float64], weight: NDArray[np.float64], middles: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Lloyd's steps; modes that lose all their bins are dropped."""
    owner = _nearest(centre, middles)
    for _ in range(8):
        kept = np.unique(owner)
        owner = np.searchsorted(kept, owner)
        total = np.bincount(owner, weights=weight)
        middles = np.stack(
            [np.bincount(owner, weights=weight * centre[:, k]) / total for k in range(3)], axis=1
        )
        owner = _nearest(centre, middles)
    kept = np.unique(owner)
    return middles[kept], np.searchsorted(kept, owner)


def _nearest(points: NDArray[np.float64], middles: NDArray[np.float64]) -> NDArray[np.int64]:
    d2 = np.stack([((points - m) ** 2).sum(axis=1) for m in middles])
    return np.asarray(d2.argmin(axis=0), np.int64)


def _modes_of_bins(
    present: NDArray[np.int64],
    keys: NDArray[np.int64],
    owner: NDArray[np.int64],
    middles: NDArray[np.float64],
) -> NDArray[np.uint8]:
    """Mode of every present bin; those that no steady pixel has go to the nearest mode."""
    parts = np.stack([present >> 14, (present >> 7) & 127, present & 127], axis=1)
    found = np.zeros(_BINS, np.uint8)
    found[present] = _nearest((parts + 0.5) * _BIN + np.array(_LOWEST), middles)
    found[keys] = owner
    return found


def meetings(canvas: Canvas, modes: Modes) -> NDArray[np.float64]:
    """How often modes meet within a window: (m, m), symmetric, its sum 1.

    Entry (i, j) is the chance that a pixel is of mode i and another one beside it of mode j.
    """
    label = np.where(canvas.steady, modes.label, NO_MODE).astype(np.uint8)
    count = len(modes.lab)
    side = odd(_WINDOW * canvas.hex_px)
    thin = label[::2, ::2]
    at = thin != NO_MODE
    rows = thin[at]
    out = np.zeros((count, count))
    for j in range(count):
        plane = cv2.blur((label == j).astype(np.float32), (side, side))
        out[:, j] = np.bincount(rows, weights=plane[::2, ::2][at], minlength=count)
    out = out + out.T
    total = float(out.sum())
    return out / total if total > 0 else out


def group_modes(
    modes: Modes, met: NDArray[np.float64], fewest: int, most: int
) -> list[tuple[int, ...]]:
    """Merge modes into classes: textures first, then the most alike until few enough.

    Parameters
    ----------
    modes : Modes
    met : (m, m) float64 ndarray
        From `meetings`.
    fewest, most : int
        Bounds of the number of classes; fewer only where there are fewer modes.

    Returns
    -------
    list of tuple of int
        Modes of each class, the largest class first.
    """
    groups: list[tuple[int, ...]] = [(k,) for k in range(len(modes.lab))]
    lab = modes.lab.astype(np.float64)
    weight = modes.share.copy()
    met = met.copy()
    while len(groups) > fewest:
        gap2 = ((lab[:, None] - lab[None]) ** 2).sum(axis=2)
        own = np.sqrt(np.maximum(np.diag(met), 1e-12))
        hue2 = gap2 - (1.0 - _SHADE**2) * (lab[:, None, 0] - lab[None, :, 0]) ** 2
        texture = met / (own[:, None] * own[None]) * np.exp(-hue2 / _REACH**2)
        np.fill_diagonal(texture, 0.0)
        a, b = divmod(int(texture.argmax()), len(groups))
        if texture[a, b] < _TEXTURE:
            if len(groups) <= most:
                break
            root = np.sqrt(weight)
            cost = gap2 * (root[:, None] * root[None] / (root[:, None] + root[None]))
            cost *= 1.0 - np.minimum(texture, 0.9)
            np.fill_diagonal(cost, np.inf)
            a, b = divmod(int(cost.argmin()), len(groups))
        a, b = min(a, b), max(a, b)
        lab[a] = (weight[a] * lab[a] + weight[b] * lab[b]) / (weight[a] + weight[b])
        weight[a] += weight[b]
        met[a] += met[b]
        met[:, a] += met[:, b]
        groups[a] = groups[a] + groups[b]
        keep = np.arange(len(groups)) != b
        lab, weight, met = lab[keep], weight[keep], met[keep][:, keep]
        groups.pop(b)
    order = sorted(range(len(groups)), key=lambda k: (-weight[k], groups[k]))
    return [tuple(sorted(groups[k], key=lambda m: (-modes.share[m], m))) for k in order]
