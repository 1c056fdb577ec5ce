"""Regions of a map that might be buildings: solid patches in the colours of roofs."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.classify import Paint, disc, odd
from hexsight.model.regions import regions_of, small_regions

# Shares of the hex size.
_WINDOW = 0.04
OPENING = 0.08
_HOLE = 0.02
_RIBBON = 0.38  # wider things are blocks
_LONG = 6.0  # area over the square of the greatest width
_NETWORK = 6.0  # hex sizes squared: longer than any row of houses
_GLEAM, _ENCLOSED = 0.5, 0.7  # hex sizes squared; share of the edge along roofs
_DEBRIS = 27
RAILS = frozenset({150, 151, 152, 153, 154})


def regions(paint: Paint, taken: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
    """Solid regions in the colours of roofs, before and after thin parts are opened away.

    Parameters
    ----------
    paint : Paint
    taken : (H, W) bool ndarray
        Pixels that bands along hexsides claim.
    """
    s = paint.hex_px
    body = paint.evidence(roof_classes(paint), _WINDOW) > 127
    if paint.noisy:
        body |= _gleams(paint, body)
    body &= ~_rivals(paint, body)
    body = _fill_holes(body, s) & ~taken
    opened = cv2.morphologyEx(body.astype(np.uint8), cv2.MORPH_OPEN, disc(OPENING * s))
    return body, _apart(np.asarray(opened, np.uint8), s)


def _gleams(paint: Paint, body: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Patches in the colours of roads that lie within roofs: noise makes light slopes into such."""
    road = (paint.evidence(paint.of(kind="road"), _WINDOW) > 60) & ~body
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        road.astype(np.uint8), connectivity=4
    )
    square = np.ones((3, 3), np.uint8)
    edge = road & (cv2.erode(road.astype(np.uint8), square) == 0)
    roof = cv2.dilate(body.astype(np.uint8), square) > 0
    around = np.bincount(labels[edge], minlength=count)
    touched = np.bincount(labels[edge & roof], minlength=count)
    small = stats[:, cv2.CC_STAT_AREA] < _GLEAM * paint.hex_px**2
    inside = small & (touched > _ENCLOSED * around)
    inside[0] = False
    return np.asarray(inside[labels], bool)


def _apart(opened: NDArray[np.uint8], s: float) -> NDArray[np.uint8]:
    """Cut ribbons off the blocks that they touch, so that each is judged for itself.

    Rails that run up to a building make one region with it.  Only regions much
    longer than wide are cut, where they narrow to a ribbon's width.
    """
    depth = cv2.distanceTransform(np.pad(opened, 1), cv2.DIST_L2, 5)[1:-1, 1:-1]
    out = opened.copy()
    for region in regions_of(opened, connectivity=4):
        at, pixels = region.window(), region.pixels()
        radius = float(depth[at][pixels].max())
        if region.area < max(_LONG * 4 * radius**2, _NETWORK * s * s):
            continue
        part = np.pad(pixels.astype(np.uint8), 1)
        core = cv2.morphologyEx(part, cv2.MORPH_OPEN, disc(_RIBBON * s))
        seam = cv2.morphologyEx(core, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        # The seam follows the core; where that is the region's own edge it cuts nothing.
        out[at][(seam[1:-1, 1:-1] > 0) & (core[1:-1, 1:-1] == 0)] = 0
    return out


def _rivals(paint: Paint, body: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Parts of the regions that other art of like colours claims within a wider window."""
    side = (odd(0.14 * paint.hex_px),) * 2
    inside = body.astype(np.uint8)
    ours = cv2.blur(paint.evidence(roof_classes(paint)) * inside, side)
    theirs = cv2.blur(paint.evidence(line_art_classes(paint)) * inside, side)
    return np.asarray(body & (theirs > ours), bool)


def _fill_holes(body: NDArray[np.bool_], s: float) -> NDArray[np.bool_]:
    return np.asarray(body | small_regions(~body, _HOLE * s * s, connectivity=4), bool)


def roof_classes(paint: Paint) -> NDArray[np.int64]:
    """Classes whose colours occur in roofs: buildings, what is left of them, and black."""
    kinds = frozenset({"building", "rubble", "cliff"})
    return np.concatenate([paint.of(kind=kinds), paint.of(code=_DEBRIS), paint.of(name="ink")])


def line_art_classes(paint: Paint) -> NDArray[np.int64]:
    """Classes drawn as grey ribbons: rails and walls."""
    return np.concatenate([paint.of(code=RAILS), paint.of(name="Wall")])
