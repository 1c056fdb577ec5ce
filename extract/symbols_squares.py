"""White squares, which are stairwells."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.classify import disc, odd
from hexsight.model.board import Mark
from hexsight.model.regions import regions_of

# Shares of the flat-to-flat size of a hex.
_LEAST, _MOST = 0.045, 0.2
_WHITE = 200  # the least of the three channels in the middle of a square
_HIDDEN = 60  # by which print over a square is darker than its white
_SQUARE_PX = 11  # side in pixels from which squares are measured
_SQUARE_SCORE = 45
_OVERPRINT = 0.07  # of a hex: centre dots and grid lines printed over squares are thinner
_SEEN = 0.75  # least share of an overprinted square that is still white
_CORE, _INNER, _CORNERS = 222, 205, 0.8
_BULGE = 0.3  # of the way from the ground to white


def find_squares(rgb: NDArray[np.uint8], buildings: NDArray[np.bool_], s: float) -> list[Mark]:
    """Upright white squares in buildings, all of about one size.

    A square is white to its corners and at least three of the strips along its
    sides are not.  A light roof may touch it, so the lightest strip is not asked.
    A centre dot or grid line may be printed over it.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
        Picture as printed.
    buildings : (H, W) bool ndarray
        Pixels inside a depiction.
    s : float
        Flat-to-flat size of a hex in pixels.
    """
    plane = np.asarray(rgb.min(axis=2), np.uint8)
    kept: list[_Square] = []
    found = _square_places(plane, plane, buildings, s)
    found += _square_places(_without_overprint(plane, s), plane, buildings, s)
    for f in sorted(found, key=lambda f: (-f.score, f.y, f.x, f.side)):
        if all(np.hypot(f.x - q.x, f.y - q.y) > 0.12 * s for q in kept):
            kept.append(f)
    usual = _usual_size([(f.side, f.score) for f in kept])
    up = _steps(s)
    return [
        Mark(round(f.x, 2), round(f.y, 2), round(f.side / up, 2), _sure(f.score))
        for f in kept
        if abs(f.side - usual) <= max(1.0, 0.2 * usual)
    ]


def _without_overprint(plane: NDArray[np.uint8], s: float) -> NDArray[np.uint8]:
    """Plane on which dark lines and dots that white encloses are white; all else as it is."""
    kernel = np.ones((odd(_OVERPRINT * s),) * 2, np.uint8)
    closed = np.asarray(cv2.morphologyEx(plane, cv2.MORPH_CLOSE, kernel), np.uint8)
    hidden = (closed > _WHITE) & (cv2.subtract(closed, plane) >= _HIDDEN)
    return np.where(hidden, closed, plane)


@dataclass(frozen=True)
class _Square:
    """A square: how much lighter it is, side in steps, middle in pixels."""

    score: float
    side: int
    x: float
    y: float


def _sure(score: float) -> float:
    """Confidence in a square."""
    return round(min(1.0, 0.4 + score / 200), 3)


def _steps(s: float) -> int:
    """Steps per pixel in which squares are measured: room for a strip beside a small one."""
    return max(1, int(np.ceil(_SQUARE_PX / (0.115 * s))))


def _square_places(
    plane: NDArray[np.uint8],
    printed: NDArray[np.uint8],
    buildings: NDArray[np.bool_],
    s: float,
) -> list[_Square]:
    """Places on a plane that look like squares.

    Where the plane differs from what is printed, only those that it shows anew, and
    most of each white as printed.
    """
    up = _steps(s)
    found: list[_Square] = []
    for at in _white_windows(plane, buildings, s):
        part, own = plane[at], printed[at]
        if plane is not printed and np.array_equal(part, own):
            continue
        if up > 1:
            part, own = (_larger(p, up) for p in (part, own))
        for k in range(max(4, round(_LEAST * s * up)), round(0.17 * s * up) + 1):
            score = _square_score(part, k)
            y, x = (int(v) for v in np.unravel_index(int(score.argmax()), score.shape))
            best = float(score[y, x])
            if best <= _SQUARE_SCORE or _bulges(part, x, y, k):
                continue
            if plane is not printed and not _mostly_white(part, own, x, y, k, best):
                continue
            shift = (k - 1) / 2 - k // 2
            left, top = at[1].start, at[0].start
            middle = (left + (x + shift + 0.5) / up - 0.5, top + (y + shift + 0.5) / up - 0.5)
            found.append(_Square(best, k, *middle))
    return found


def _larger(plane: NDArray[np.uint8], up: int) -> NDArray[np.uint8]:
    """Plane `up` times as large."""
    return np.asarray(
        cv2.resize(plane, None, fx=up, fy=up, interpolation=cv2.INTER_CUBIC), np.uint8
    )


def _mostly_white(
    part: NDArray[np.uint8], own: NDArray[np.uint8], x: int, y: int, k: int, score: float
) -> bool:
    """Whether the print taken away hid only a little of a square: letters are full of gaps."""
    at = (slice(max(0, y - k // 2), y - k // 2 + k), slice(max(0, x - k // 2), x - k // 2 + k))
    level = float(part[at].mean()) - score / 2
    return _SEEN <= float((own[at] > level).mean()) < 1.0


def _white_windows(
    plane: NDArray[np.uint8], buildings: NDArray[np.bool_], s: float
) -> list[tuple[slice, slice]]:
    """Surroundings (rows, columns) of white spots too thick for letters and centre dots."""
    side = max(2, round(0.04 * s))
    near = cv2.dilate(buildings.astype(np.uint8), disc(0.1 * s)) > 0
    white = ((plane > _WHITE) & near).astype(np.uint8)
    thick = cv2.morphologyEx(white, cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    pad = round(0.2 * s)
    out = []
    for region in regions_of(thick, connectivity=8):
        if max(region.width, region.height) <= 4 * _MOST * s:
            out.append(region.window(pad))
    return out


def _square_score(plane: NDArray[np.uint8], k: int) -> NDArray[np.float32]:
    """How much lighter a k × k square around each pixel is than its surroundings (H, W) float32."""
    a = k // 2
    gap, c = max(1, round(0.12 * k)), max(2, round(0.22 * k))
    core = max(1, round(0.6 * k))
    value = plane.astype(np.float32)
    inner = cv2.boxFilter(value, -1, (k, k), anchor=(a, a))
    middle = cv2.boxFilter(value, -1, (core, core), anchor=(core // 2, core // 2))
    corner = np.asarray(cv2.boxFilter(value, -1, (c, c), anchor=(0, 0)), np.float32)
    corners = np.stack([_moved(corner, dy, dx) for dy in (-a, k - c - a) for dx in (-a, k - c - a)])
    corners.sort(axis=0)
    flat = np.asarray(cv2.boxFilter(value, -1, (k, 1), anchor=(a, 0)), np.float32)
    tall = np.asarray(cv2.boxFilter(value, -1, (1, k), anchor=(0, a)), np.float32)
    strips = np.stack(
        [_moved(flat, dy, 0) for dy in (-a - gap, k - 1 - a + gap)]
        + [_moved(tall, 0, dx) for dx in (-a - gap, k - 1 - a + gap)]
    )
    strips.sort(axis=0)
    two_corners = (corners[0] + corners[1]) / 2
    score = np.minimum(inner, two_corners) - strips[2]
    white = (middle > _CORE) & (inner > _INNER) & (two_corners > _CORNERS * inner)
    return np.where(white, score, 0).astype(np.float32)


def _bulges(plane: NDArray[np.uint8], x: int, y: int, k: int) -> bool:
    """True for a disc: beside a square laid into it, the middle is light and the ends are not."""
    gap, a = max(1, round(0.12 * k)), k // 2
    top, left = y - a, x - a
    bottom, right = top + k, left + k
    if min(top, left) < gap or bottom + gap > plane.shape[0] or right + gap > plane.shape[1]:
        return False
    third = max(1, k // 3)
    inside = float(plane[top:bottom, left:right].mean())
    bulge = []
    for strip in (
        plane[top - gap, left:right],
        plane[bottom - 1 + gap, left:right],
        plane[top:bottom, left - gap],
        plane[top:bottom, right - 1 + gap],
    ):
        middle = float(strip[third : k - third].mean())
        ends = float((strip[:third].mean() + strip[-third:].mean()) / 2)
        bulge.append((middle - ends) / max(1.0, inside - ends))
    return sorted(bulge)[1] > _BULGE


def _moved(plane: NDArray[np.float32], dy: int, dx: int) -> NDArray[np.float32]:
    """Plane whose pixel (y, x) is that at (y + dy, x + dx), edges repeated."""
    height, width = plane.shape
    rows = np.clip(np.arange(height) + dy, 0, height - 1)
    cols = np.clip(np.arange(width) + dx, 0, width - 1)
    return plane[rows][:, cols]


def _usual_size(found: list[tuple[int, float]]) -> float:
    """Size that most of the score agrees on, within a fifth."""
    if not found:
        return 0.0
    return max(
        (k for k, _ in found),
        key=lambda k: (sum(v for q, v in found if abs(q - k) <= 0.15 * k), k),
    )
