"""Free lines between two convex regions among walls and discs: exact visibility in the plane.

Whether any line from one region to another is free needs no trying of many.  A
free line can be moved, staying free, until it is stopped twice: each stop is a
corner of a wall, an end or corner of a region, or a disc that it touches.  So if
any line is free, one of the finitely many *critical* lines is, those through two
such points or tangents; all of them are tested.

Where one end is higher than a wall, the line passes over it until it has sunk to
the wall's height, always at the same share of its length.  There the line that
clears the wall best runs, for each direction, through a critical point; directions
are tried at all critical ones and at steps between.

All lengths are in map units (inches).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from hexsight.los.flames.regions import F64, TINY, Region

STEPS = 4  # between two critical directions, where a roof is seen over
MAX_ROWS = 200_000  # lines tested at once


@dataclass(frozen=True, eq=False)
class Layer:
    """Walls that lines pass over for the same share of their length.

    Attributes
    ----------
    over : float
        Share of a line, from its higher end, that passes above; 0 for walls
        higher than both ends.
    shape : shapely geometry
        Prepared; a hair smaller than drawn, so that a line may run along a wall.
    corners : (n, 2) float64
    """

    over: float
    shape: Any
    corners: F64


@dataclass(frozen=True, eq=False)
class Screen:
    """All that lies between: walls, and what only dims.

    Attributes
    ----------
    layers : tuple of Layer
    discs : (n, 4) float64
        x, y, radius, and as `Layer.over`.
    links : (n, 5) float64
        Segments x0, y0, x1, y1 between discs that touch, and as `Layer.over`:
        nobody looks between two discs that touch.
    """

    layers: tuple[Layer, ...]
    discs: F64
    links: F64

    @property
    def flat(self) -> bool:
        """Whether nothing is seen over in part."""
        overs = [layer.over for layer in self.layers]
        return not any(o > 0 for o in overs) and not (self.discs[:, 3] > 0).any()


@dataclass(frozen=True)
class Found:
    """Lines that were found, each ((x, y), (x, y)) from the first region; None for none.

    Attributes
    ----------
    seen : segment or None
        One that no wall stops, free of smoke if any is.
    free : segment or None
        One that no disc dims either.
    """

    seen: tuple[tuple[float, float], tuple[float, float]] | None
    free: tuple[tuple[float, float], tuple[float, float]] | None


def find_lines(first: Region, second: Region, screen: Screen, *, first_high: bool = True) -> Found:
    """Whether any line from one region to another is free.

    Parameters
    ----------
    first, second : Region
    screen : Screen
    first_high : bool
        Whether the first is the higher end; of no account where both are level.

    Returns
    -------
    Found
    """
    if not first_high:
        turned = find_lines(second, first, screen)
        return Found(*(None if x is None else (x[1], x[0]) for x in (turned.seen, turned.free)))
    seen = None
    for at, along in _candidates(first, second, screen):
        clear, free, segments = _test(first, second, screen, at, along)
        if free.any():
            line = _plain(segments[int(free.argmax())])
            return Found(line, line)
        if seen is None and clear.any():
            seen = _plain(segments[int(clear.argmax())])
    return Found(seen, None)


def _plain(line: F64) -> tuple[tuple[float, float], tuple[float, float]]:
    (a, b), (c, d) = line.tolist()
    return (a, b), (c, d)


def _candidates(first: Region, second: Region, screen: Screen) -> Iterator[tuple[F64, F64]]:
    """Points (n, 2) and unit directions (n, 2) of lines to be tested, the likely ones first."""
    apart = second.centre - first.centre
    length = float(np.hypot(*apart))
    # Regions on one another: any direction will do.
    yield first.centre[None], (apart / length if length > TINY else np.array([1.0, 0.0]))[None]
    box = np.vstack([first.box, second.box])
    hull = shapely.convex_hull(shapely.multipoints(box))
    low, high = box.min(axis=0) - 1e-6, box.max(axis=0) + 1e-6
    shapely.prepare(hull)
    rows = [first.features, second.features]
    for layer in screen.layers:
        corners = layer.corners
        corners = corners[((corners >= low) & (corners <= high)).all(axis=1)]
        corners = corners[shapely.dwithin(hull, shapely.points(corners), 1e-6)]
        rows.append(np.column_stack([corners, np.zeros(len(corners))]))
    if len(screen.discs):
        circles = screen.discs[:, :3]
        gap = shapely.distance(hull, shapely.points(circles[:, :2]))
        rows.append(circles[gap <= circles[:, 2] + 1e-6])
    features = np.asarray(np.unique(np.round(np.vstack(rows), 12), axis=0), np.float64)
    meeting: list[F64] = []
    for at, along in _tangents(features):
        hits = first.spans(at, along)[2] & second.spans(at, along)[2]
        if hits.any():
            meeting.append(along[hits])
            yield at[hits], along[hits]
    if meeting and not screen.flat:
        yield from _swept(features, np.vstack(meeting))


def _tangents(features: F64) -> Iterator[tuple[F64, F64]]:
    """All lines that touch two of the features; of a corner that is: run through it."""
    n = len(features)
    step = max(1, MAX_ROWS // (4 * max(1, n)))
    for start in range(0, n, step):
        block = np.arange(start, min(n, start + step))
        i, j = (v.ravel() for v in np.meshgrid(block, np.arange(n), indexing="ij"))
        keep = i < j
        a, b = features[i[keep]], features[j[keep]]
        # The rounder one first: its side may then be fixed.
        swap = (a[:, 2] < b[:, 2])[:, None]
        a, b = np.where(swap, b, a), np.where(swap, a, b)
        apart = b[:, :2] - a[:, :2]
        length = np.hypot(*apart.T)
        for side in (1.0, -1.0):
            for turn in (1.0, -1.0):
                use = length > TINY
                if side < 0:
                    use &= b[:, 2] > 0
                if turn < 0:
                    use &= a[:, 2] > 0
                far = np.where(use, length, 1.0)
                k = (a[:, 2] - side * b[:, 2]) / far
                use &= np.abs(k) <= 1
                if not use.any():
                    continue
                u = apart[use] / length[use, None]
                across = np.column_stack([-u[:, 1], u[:, 0]])
                root = turn * np.sqrt(1 - k[use] ** 2)
                # n · (b − a) = r_a − side · r_b for the unit normal n of the tangent, taken
                # so that it touches the first circle on its far side along n.
                normal = k[use, None] * u + root[:, None] * across
                at = a[use, :2] + normal * a[use, 2:]
                yield at, np.column_stack([-normal[:, 1], normal[:, 0]])


def _swept(features: F64, along: F64) -> Iterator[tuple[F64, F64]]:
    """Lines past every feature in all critical directions and steps between."""
    angles = np.unique(np.round(np.mod(np.arctan2(along[:, 1], along[:, 0]), np.pi), 12))
    gaps = np.diff(angles, append=angles[0] + np.pi)
    widest = int(gaps.argmax())
    # The directions that meet both regions lie together, beside the widest gap.
    angles = np.concatenate([angles[widest + 1 :] - np.pi, angles[: widest + 1]])
    fine = [np.linspace(p, q, STEPS, endpoint=False) for p, q in pairwise(angles.tolist()) if q > p]
    angles = np.concatenate([*fine, angles[-1:]])
    per = max(1, MAX_ROWS // (4 * len(features)))
    for start in range(0, len(angles), per):
        turn = angles[start : start + per]
        normal = np.column_stack([-np.sin(turn), np.cos(turn)])
        middle = normal @ features[:, :2].T
        offsets = np.sort(np.hstack([middle - features[:, 2], middle + features[:, 2]]), axis=1)
        offsets = np.hstack([offsets, (offsets[:, 1:] + offsets[:, :-1]) / 2])
        at = (normal[:, None, :] * offsets[:, :, None]).reshape(-1, 2)
        directions = np.column_stack([np.cos(turn), np.sin(turn)])
        yield at, np.repeat(directions, offsets.shape[1], axis=0)


def _test(
    first: Region, second: Region, screen: Screen, at: F64, along: F64
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], F64]:
    """Which lines no wall stops, which of them are free of discs, and the segments (n, 2, 2)."""
    p0, p1, meets = first.spans(at, along)
    q0, q1, also = second.spans(at, along)
    use = meets & also
    at, along, p0, p1, q0, q1 = (v[use] for v in (at, along, p0, p1, q0, q1))
    if not len(at):
        none = np.zeros(0, bool)
        return none, none, np.zeros((0, 2, 2))
    # Every line from the first region to the second.
    back = (p0 + p1) > (q0 + q1)
    along = np.where(back[:, None], -along, along)
    p1 = np.where(back, -p0, p1)
    q0, q1 = np.where(back, -q1, q0), np.where(back, -q0, q1)
    q0 = np.maximum(q0, p1)  # regions that overlap
    ends = [q0] if screen.flat else [q1, (q0 + q1) / 2, q0]
    clear = np.zeros(len(at), bool)
    free = np.zeros(len(at), bool)
    best = np.zeros((len(at), 2, 2))
    start = at + along * p1[:, None]
    for end in ends:
        stop = at + along * end[:, None]
        line = np.stack([start, stop], axis=1)
        open_ = ~_walled(screen, start, stop)
        undimmed = open_ & ~_dimmed(screen, start, stop) if open_.any() else open_
        better = (open_ & ~clear) | (undimmed & ~free)
        best[better] = line[better]
        clear |= open_
        free |= undimmed
    return clear, free, best


def _walled(screen: Screen, start: F64, stop: F64) -> NDArray[np.bool_]:
    out = np.zeros(len(start), bool)
    for layer in screen.layers:
        low = start + layer.over * (stop - start)
        lines = shapely.linestrings(np.stack([low, stop], axis=1))
        out |= shapely.intersects(layer.shape, lines)
    return out


def _dimmed(screen: Screen, start: F64, stop: F64) -> NDArray[np.bool_]:
    out = np.zeros(len(start), bool)
    for x, y, r, over in screen.discs:
        low = start + over * (stop - start)
        along = stop - low
        square = np.maximum((along**2).sum(axis=1), TINY**2)
        t = np.clip((((x, y) - low) * along).sum(axis=1) / square, 0.0, 1.0)
        off = low + t[:, None] * along - (x, y)
        out |= np.hypot(*off.T) < r - 1e-7
    for x0, y0, x1, y1, over in screen.links:
        low = start + over * (stop - start)
        lines = shapely.linestrings(np.stack([low, stop], axis=1))
        out |= shapely.intersects(shapely.linestrings([(x0, y0), (x1, y1)]), lines)
    return out
