"""Where roads enter buildings (O5.1, O5.2).

A road *enters* a building when its band runs into the outline head-on, and
does not when it passes along a wall.  Both touch the outline; they differ in
how the band goes on from there: an entering road leads away from the wall for
longer than it is wide, touches it with about its own width, and ends there,
while a passing one goes on to either side.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import RoadEntry, Survey
from hexsight.model.regions import regions_of
from hexsight.model.terrain import Catalogue

# All lengths as shares of the hex height (flat to flat).
GAP = 0.09  # art that may lie between a road's end and the outline: shadow, eaves, a printed line
MIN_WIDTH = 0.06  # contact narrower than this is a smear of colour
MAX_WIDTH = 0.75  # contact longer than this is a road along a wall
MIN_LEAD = 0.3  # how far the band must lead away from the wall
PASSING = 0.5  # distance at which a road that passes by is seen on two sides
PASSING_DEG = 100.0  # angle between these sides; where a spur meets a road it is less


def road_entries(
    survey: Survey,
    catalogue: Catalogue,
    ids: NDArray[np.int32],
    owner: NDArray[np.int32],
) -> dict[int, list[RoadEntry]]:
    """Entries by building number.

    Parameters
    ----------
    survey : Survey
    catalogue : Catalogue
    ids : (H, W) int32
        Building number by pixel, 0 outside.
    owner : (H, W) int32
        Hex index by pixel, −1 for none.

    Returns
    -------
    dict of int to list of RoadEntry
        For every building number; the hex of an entry is the building's hex
        that the road runs into.
    """
    road = catalogue.table(kind="road")[survey.terrain] & (ids == 0)
    count = int(ids.max()) if ids.size else 0
    out: dict[int, list[RoadEntry]] = {n: [] for n in range(1, count + 1)}
    if not road.any() or not count:
        return out
    dy = survey.layout.dy
    outside = (ids == 0).astype(np.uint8)
    distance, nearest = cv2.distanceTransformWithLabels(
        outside, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    number_of = np.zeros(int(nearest.max()) + 1, np.int32)
    number_of[nearest[ids > 0]] = ids[ids > 0]
    near = number_of[nearest]
    contact = road & (distance <= max(2.0, GAP * dy))
    for region in regions_of(contact, connectivity=8):
        corner = (region.left, region.top)
        found = _one_entry(survey, road, distance, near, ids, owner, region.pixels(), corner)
        if found is not None:
            out[found[0]].append(found[1])
    for entries in out.values():
        entries.sort(key=lambda e: (e.y_px, e.x_px))
    return out


def _one_entry(
    survey: Survey,
    road: NDArray[np.bool_],
    distance: NDArray[np.float32],
    near: NDArray[np.int32],
    ids: NDArray[np.int32],
    owner: NDArray[np.int32],
    mask: NDArray[np.bool_],
    corner: tuple[int, int],
) -> tuple[int, RoadEntry] | None:
    """Judge one place where road pixels come close to an outline."""
    dy = survey.layout.dy
    x, y = corner
    rows, cols = np.nonzero(mask)
    building = int(np.bincount(near[y + rows, x + cols]).argmax())
    if not building:
        return None
    # Counted from the corner of the contact: single precision comes to the same anywhere.
    points = np.stack([cols, rows], axis=1).astype(np.float32)
    (mx, my), (a, b), _ = cv2.minAreaRect(points)
    mx, my = mx + x, my + y
    width = max(a, b) + 1
    if not MIN_WIDTH * dy <= width <= MAX_WIDTH * dy:
        return None
    window, part = _connected(road, (mx, my), width, dy)
    lead = _lead(part, distance[window], (mx - window[1].start, my - window[0].start))
    # A band that leads away for its own width and more is a road that enters;
    # the confidence says how clearly.
    need = max(MIN_LEAD * dy, 0.8 * width)
    if lead < need or _passes(part, (mx - window[1].start, my - window[0].start), dy):
        return None
    hex_index = _building_hex(ids, owner, building, mx, my, dy)
    if hex_index < 0:
        return None
    centre = (round(mx), round(my))
    code = int(survey.terrain[min(centre[1], road.shape[0] - 1), min(centre[0], road.shape[1] - 1)])
    if not road[min(centre[1], road.shape[0] - 1), min(centre[0], road.shape[1] - 1)]:
        code = int(np.bincount(survey.terrain[y + rows, x + cols]).argmax())
    sure = min(1.0, (lead / need - 1.0) * 1.5 + 0.3)
    entry = RoadEntry(
        survey.cells[hex_index].name, round(float(mx), 1), round(float(my), 1), code, round(sure, 2)
    )
    return building, entry


def _connected(
    road: NDArray[np.bool_], at: tuple[float, float], width: float, dy: float
) -> tuple[tuple[slice, slice], NDArray[np.bool_]]:
    """Road within a hex of a contact that hangs together with it, and its window."""
    reach = math.ceil(1.0 * dy)
    x0, y0 = max(0, int(at[0]) - reach), max(0, int(at[1]) - reach)
    window = (slice(y0, int(at[1]) + reach + 1), slice(x0, int(at[0]) + reach + 1))
    part = road[window].astype(np.uint8)
    # Labels and grid lines cut thin bands; a pixel or two of bridge mends that.
    k = max(3, 2 * round(0.02 * dy) + 1)
    closed = cv2.morphologyEx(part, cv2.MORPH_CLOSE, np.ones((k, k), np.uint8))
    _, labels = cv2.connectedComponents(closed, connectivity=8)
    cy, cx = int(at[1]) - y0, int(at[0]) - x0
    r = max(2, round(width / 2))
    seed = labels[max(0, cy - r) : cy + r + 1, max(0, cx - r) : cx + r + 1]
    return window, np.isin(labels, np.unique(seed[seed > 0]))


def _lead(part: NDArray[np.bool_], distance: NDArray[np.float32], at: tuple[float, float]) -> float:
    """How far (px) road leads away from the outline, starting at a contact.

    Only road that hangs together with the contact counts, and only within a
    fan of one hex in front of it, so that the next road's pixels do not help.
    """
    rows, cols = np.nonzero(part)
    away = distance[rows, cols]
    side = np.hypot(cols - int(at[0]), rows - int(at[1]))
    # Straight ahead, the distance from the outline grows as fast as the distance
    # from the contact; along a wall it does not grow at all.
    ahead = away >= 0.6 * side
    return float(away[ahead].max()) if ahead.any() else 0.0


def _passes(part: NDArray[np.bool_], at: tuple[float, float], dy: float) -> bool:
    """True where the road of a contact goes on to two sides of it."""
    angle = np.deg2rad(np.arange(0.0, 360.0, 3.0))
    x = np.rint(at[0] + PASSING * dy * np.cos(angle)).astype(int)
    y = np.rint(at[1] + PASSING * dy * np.sin(angle)).astype(int)
    inside = (x >= 0) & (y >= 0) & (x < part.shape[1]) & (y < part.shape[0])
    seen = inside & part[np.where(inside, y, 0), np.where(inside, x, 0)]
    if seen.all() or not seen.any():
        return bool(seen.any())
    # Arms of the road: runs of the circle, from a place where there is none.
    start = int(np.flatnonzero(~seen)[0])
    ring = np.roll(seen, -start)
    change = np.flatnonzero(np.diff(np.concatenate([[False], ring, [False]]).astype(int)))
    middles = (change[::2] + change[1::2] - 1) * 1.5
    apart = np.abs(middles[:, None] - middles[None])
    return bool((np.minimum(apart, 360.0 - apart) > PASSING_DEG).any())


def _building_hex(
    ids: NDArray[np.int32],
    owner: NDArray[np.int32],
    building: int,
    x: float,
    y: float,
    dy: float,
) -> int:
    """Index of the building's hex next to a point outside its wall, −1 for none."""
    r = math.ceil(0.35 * dy)
    x0, y0 = max(0, int(x) - r), max(0, int(y) - r)
    window = (slice(y0, int(y) + r + 1), slice(x0, int(x) + r + 1))
    rows, cols = np.nonzero((ids[window] == building) & (owner[window] >= 0))
    if not len(rows):
        return -1
    # The few nearest pixels decide together: one pixel over a hexside must not.
    far = np.hypot(cols + x0 - x, rows + y0 - y)
    some = np.argsort(far, kind="stable")[: max(9, round(0.02 * dy * dy))]
    return int(np.bincount(owner[window][rows[some], cols[some]]).argmax())
