"""Where the lattice lies: all hexes of a window laid on top of each other.

With the steps known, every response pixel is put into one hex cell.  What is
printed on every hexside adds up, terrain does not.  The origin is where the
folded cell answers best to a hex outline: sides count for it, and the
continuation of each side into the hex it points at counts against it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.grid_period import FLAT, POINTY, Candidate
from hexsight.extract.grid_response import DIRECTIONS_DEG, Level
from hexsight.model.layout import CORNERS, Layout

_CELL = 36


@dataclass(frozen=True)
class Seed:
    """A lattice with an origin, right near one window of the picture.

    Attributes
    ----------
    layout : Layout
        In picture pixels.
    window_px : (float, float, float, float)
        Left, top, right, bottom of the window it was found in, picture pixels.
    score : float
        Folded side response minus that of the continuations, in units of the
        scatter over all other origins.
    polarity : int
        0 dark lines, 1 light lines.
    """

    layout: Layout
    window_px: tuple[float, float, float, float]
    score: float
    polarity: int


def side_directions(sideways: bool) -> tuple[int, int, int]:
    """Picture direction (degrees) of the sides 0, 1, 2 of an upright hex."""
    # Side 0 joins corners (−1,−1) and (1,−1), side 1 runs on to (2,0), side 2 to (1,1).
    # Sideways hexes are the same in swapped axes: an angle t becomes 90 − t.
    flat = (FLAT[0], FLAT[1], FLAT[2])
    return (POINTY[1], POINTY[0], POINTY[2]) if sideways else flat


def _templates() -> NDArray[np.float64]:
    """Transformed outline templates (3, CELL, CELL) of the folded cell, sides minus runs-on."""
    out = np.zeros((3, _CELL, _CELL))
    t = np.linspace(0.06, 0.94, 25)
    for d in range(3):
        p, q = np.array(CORNERS[d], float), np.array(CORNERS[d + 1], float)
        for sign, start, end in ((1.0, p, q), (-0.5, q, 2 * q - p), (-0.5, p, 2 * p - q)):
            points = start + t[:, None] * (end - start)
            u, v = _cell_of(points)
            np.add.at(out[d], (v, u), sign / len(t))
    return out


def _cell_of(lattice: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    # Steps a (next column, half a row on) and b (next row): X = 3i, Y = i + 2j.
    i = lattice[..., 0] / 3.0
    j = (lattice[..., 1] - i) / 2.0
    return (
        np.floor((i % 1.0) * _CELL).astype(np.int64) % _CELL,
        np.floor((j % 1.0) * _CELL).astype(np.int64) % _CELL,
    )


def seeds(level: Level, candidate: Candidate) -> list[Seed]:
    """Origins of a candidate, one per window of the level it comes from, best first."""
    wanted = [DIRECTIONS_DEG.index(d) for d in side_directions(candidate.sideways)]
    templates = np.conj(np.fft.fft2(_templates()))
    a, b = np.array(candidate.step_a), np.array(candidate.step_b)
    inverse = np.linalg.inv(np.stack([a, b], axis=1))
    h, w = level.shape
    ys, xs = np.mgrid[0:h, 0:w]
    i = inverse[0, 0] * xs + inverse[0, 1] * ys
    j = inverse[1, 0] * xs + inverse[1, 1] * ys
    cell = (
        (np.floor((j % 1.0) * _CELL).astype(np.int64) % _CELL) * _CELL
        + np.floor((i % 1.0) * _CELL).astype(np.int64) % _CELL
    ).ravel()
    counts = np.maximum(np.bincount(cell, minlength=_CELL * _CELL), 1)
    found = []
    for window in level.windows:
        total = np.zeros((_CELL, _CELL))
        for d, index in enumerate(wanted):
            part = window.planes[candidate.polarity, index]
            folded = np.bincount(cell, weights=part.ravel(), minlength=_CELL * _CELL) / counts
            folded = folded.reshape(_CELL, _CELL)
            total += np.fft.ifft2(np.fft.fft2(folded) * templates[d]).real
        v, u = np.unravel_index(int(np.argmax(total)), total.shape)
        scatter = 1.4826 * float(np.median(np.abs(total - np.median(total))))
        o = u / _CELL * a + v / _CELL * b + (window.left, window.top)
        left, top = window.left * level.pitch, window.top * level.pitch
        found.append(
            Seed(
                _layout(o, a, b, candidate.sideways, level.pitch),
                (left, top, left + w * level.pitch, top + h * level.pitch),
                float(total[v, u]) / max(scatter, 1e-6),
                candidate.polarity,
            )
        )
    found.sort(key=lambda s: -s.score)
    return found


def _layout(
    o: NDArray[np.float64],
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    sideways: bool,
    pitch: int,
) -> Layout:
    # Level pixel i covers picture pixels i·pitch … (i+1)·pitch − 1.
    o = (o + 0.5) * pitch - 0.5
    col, row = (a - b / 2) * pitch, b * pitch
    return Layout(
        (float(o[0]), float(o[1])),
        (float(col[0]), float(col[1])),
        (float(row[0]), float(row[1])),
        sideways,
    )
