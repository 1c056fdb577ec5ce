"""Calibration loops: work that never changes, timed beside every case.

A case's seconds mean little: they tell of the machine and of what else it does.  Its *ratio*
to a loop of the same kind of work, timed in the same minute on the same processor, tells of
the program.  There are three kinds, since machines differ in each on its own: the
interpreter, whole-array work that streams through memory, and compiled integer loops.
Changing a loop makes all stored references void.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

try:
    from numba import njit
except ImportError:  # a machine without numba compares the rest
    njit = None


def interpreter() -> int:
    """Attribute look-ups, small tuples, dicts and strings, as geometry and XML handling do."""
    seen: dict[tuple[int, int], str] = {}
    total = 0
    for i in range(30_000):
        key = (i * 7 % 61, i & 7)  # few: it must stay in the cache
        name = seen.get(key)
        if name is None:
            name = seen[key] = f"{key[0]}-{key[1]}"
        total += len(name) + key[1]
    return total


@lru_cache(maxsize=1)
def _picture() -> NDArray[np.float32]:
    y, x = np.mgrid[0:700, 0:700].astype(np.float32)
    picture: NDArray[np.float32] = (x * 31 + y * 17) % 251
    return picture


def arrays() -> float:
    """Sums, comparisons, gathers and a sort over a picture, as extraction does."""
    picture = _picture()
    smooth = picture.copy()
    for _ in range(3):
        smooth[1:-1, 1:-1] = (
            smooth[:-2, 1:-1] + smooth[2:, 1:-1] + smooth[1:-1, :-2] + smooth[1:-1, 2:]
        ) * 0.25
    codes = smooth.astype(np.int32)
    counts = np.bincount(codes.ravel(), minlength=256)
    order = np.argsort(codes[::4, ::4].ravel(), kind="stable")
    return float(counts[codes].sum() + order[0] + (smooth > picture).sum())


def _steps(pixels: NDArray[np.uint16], n: int) -> int:
    at, seen = 0, 0
    for _ in range(n):
        seen += int(pixels[at])
        if seen & 7 == 3:
            at += 1
        at = (at * 5 + 1) & 0x3FFF
    return seen


@lru_cache(maxsize=1)
def _compiled() -> tuple[Callable[[NDArray[np.uint16], int], int], NDArray[np.uint16]]:
    loop = _steps if njit is None else njit(_steps)
    pixels = (np.arange(1 << 14) % 13).astype(np.uint16)
    loop(pixels, 10)
    return loop, pixels


def compiled() -> int:
    """Integer steps with branches over a small raster, as lines of sight do."""
    loop, pixels = _compiled()
    return loop(pixels, 4_000_000 if njit is not None else 60_000)


LOOPS: dict[str, Callable[[], object]] = {
    "interpreter": interpreter,
    "arrays": arrays,
    "compiled": compiled,
}
