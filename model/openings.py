"""Openings in walls of buildings: doors, windows and gaps that a person marks.

No detection finds them.  A person writes where one is, roughly; here it is moved
on to the nearest wall, so that what measures lines through it can rely on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, model_validator
from shapely.affinity import rotate
from shapely.geometry import LineString, Polygon
from shapely.geometry.polygon import orient

from hexsight.model.board import Building, Opening
from hexsight.model.errors import UsageError

SNAP = 0.25  # of the hex height: as far as a written opening may lie beside its wall
# A wall read from a picture runs in steps of a pixel, with nibbles where names and grid
# lines cross it; below this it counts as straight, since arcs through openings end at its line.
STRAIGHT_PX = 1.5
STRAIGHT = 0.06  # of the hex height
BOX = 0.93  # share that a house of four walls and the outline that was read have in common
CUTS = 41  # across a house, to find its walls
MIN_ALONG = 0.5  # share of a written opening that must be left of it on the wall

Point = tuple[float, float]


class OpeningOverride(BaseModel):
    """An opening as a person writes it: a place and a width, or two points, in board pixels."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: Point | None = Field(None, description="its middle")
    width: float | None = Field(None, gt=0, le=100_000, description="along the wall")
    between: tuple[Point, Point] | None = Field(None, description="its two ends")
    level: int | None = Field(
        None, ge=-5, le=50, description="storey, 0 for the ground floor; without: on each"
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> OpeningOverride:
        points = [p for p in (self.at, *(self.between or ())) if p is not None]
        if not np.isfinite(points).all() or np.abs(points or [(0, 0)]).max() > 1e6:
            raise ValueError("write finite pixels of the board")
        if (self.between is None) == (self.at is None) or (self.at is None) != (self.width is None):
            raise ValueError(
                "write {at: [x, y], width: w} or {between: [[x, y], [x, y]]}, in board pixels"
            )
        if self.between is not None and self.between[0] == self.between[1]:
            raise ValueError("the two ends of an opening are two different points")
        return self


@dataclass(frozen=True)
class Wall:
    """A straight piece of a building's outline, the building to the left of start → end.

    Left as in mathematics, with x to the right and y up; on a picture, where y
    runs down, that is the right-hand side.
    """

    building: int
    start: NDArray[np.float64]
    end: NDArray[np.float64]

    @property
    def length(self) -> float:
        """In pixels."""
        return float(np.hypot(*(self.end - self.start)))

    def along(self, point: Point) -> float:
        """Place along the wall, clipped to it, of a point, in pixels."""
        unit = (self.end - self.start) / self.length
        return float(np.clip((np.asarray(point) - self.start) @ unit, 0.0, self.length))

    def part(self, t0: float, t1: float) -> tuple[Point, Point]:
        """Points at two places along it, rounded for stable files."""
        unit = (self.end - self.start) / self.length
        a, b = (self.start + t * unit for t in (t0, t1))
        return (round(float(a[0]), 3), round(float(a[1]), 3)), (
            round(float(b[0]), 3),
            round(float(b[1]), 3),
        )


def outline(building: Building, dy_px: float) -> Polygon:
    """Outline of a building with straight walls.

    Parameters
    ----------
    building : Building
    dy_px : float
        Height of a hex.

    Returns
    -------
    Polygon
        In board pixels; outer ring and holes run with the building to their left
        (as in mathematics).
    """
    rings = [_from_a_corner(np.asarray(ring, np.float64)) for ring in building.rings]
    whole = Polygon(rings[0], rings[1:])
    box = _box(whole)
    if box is not None and whole.intersection(box).area >= BOX * whole.union(box).area:
        return orient(box)
    straight = whole.simplify(max(STRAIGHT_PX, STRAIGHT * dy_px))
    if not isinstance(straight, Polygon) or straight.is_empty:
        straight = building.polygon
    return orient(straight)


def _box(whole: Polygon) -> Polygon | None:
    """The four walls that most of an outline keeps to, whatever nibbles at them.

    Their direction is that of the outline's edges, the longer the weightier; each wall
    lies where the median of the outline lies on its side.
    """
    edges = np.diff(np.asarray(whole.simplify(STRAIGHT_PX).exterior.coords), axis=0)
    # Four directions a quarter turn apart are one: angles times four.
    turns = np.hypot(*edges.T) ** 2 * np.exp(4j * np.arctan2(edges[:, 1], edges[:, 0]))
    turn = math.degrees(float(np.angle(turns.sum()))) / 4
    level = rotate(whole, -turn, origin=(0, 0))
    x0, y0, x1, y1 = level.bounds
    share = np.linspace(0.1, 0.9, CUTS)
    rows = [LineString([(x0 - 1, y), (x1 + 1, y)]) for y in y0 + share * (y1 - y0)]
    columns = [LineString([(x, y0 - 1), (x, y1 + 1)]) for x in x0 + share * (x1 - x0)]
    across = np.array([level.intersection(line).bounds for line in rows])
    along = np.array([level.intersection(line).bounds for line in columns])
    if not (np.isfinite(across).all() and np.isfinite(along).all()):
        return None
    left, right = np.median(across[:, 0]), np.median(across[:, 2])
    top, bottom = np.median(along[:, 1]), np.median(along[:, 3])
    if left >= right or top >= bottom:
        return None
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return rotate(Polygon(corners), turn, origin=(0, 0))


def _from_a_corner(ring: NDArray[np.float64]) -> NDArray[np.float64]:
    """The ring, begun at a point that is a corner for sure: simplifying keeps the first."""
    points = ring[:-1]
    start = int(np.hypot(*(points - points.mean(axis=0)).T).argmax())
    points = np.roll(points, -start, axis=0)
    return np.vstack([points, points[:1]])


def walls_of(building: Building, dy_px: float) -> Iterator[Wall]:
    """Straight walls of a building, outer ring first."""
    shape = outline(building, dy_px)
    for ring in (shape.exterior, *shape.interiors):
        points = np.asarray(ring.coords, np.float64)
        for a, b in pairwise(points):
            if not np.array_equal(a, b):
                yield Wall(building.id, a, b)


def place_openings(
    wanted: Sequence[OpeningOverride],
    buildings: Sequence[Building],
    dy_px: float,
    places: Sequence[str],
) -> tuple[Opening, ...]:
    """Openings on the walls nearest to where they were written.

    Parameters
    ----------
    wanted : sequence of OpeningOverride
    buildings : sequence of Building
    dy_px : float
        Height of a hex; a quarter of it is as far as a wall may lie off.
    places : sequence of str
        Where each was written, for messages.

    Raises
    ------
    UsageError
        If no wall is near, or the wall there is too short; one sentence.
    """
    if not wanted:
        return ()
    walls = [wall for building in buildings for wall in walls_of(building, dy_px)]
    ends = np.array([(w.start, w.end) for w in walls]).reshape(-1, 2, 2)
    out = []
    for one, place in zip(wanted, places, strict=True):
        try:
            out.append(_placed(one, walls, ends, SNAP * dy_px))
        except UsageError as error:
            raise UsageError(f"{place}: {error}") from error
    return tuple(out)


def _off(ends: NDArray[np.float64], point: Point) -> NDArray[np.float64]:
    """Distance (n,) in pixels of a point from walls (n, 2, 2)."""
    along = ends[:, 1] - ends[:, 0]
    apart = np.asarray(point) - ends[:, 0]
    t = np.clip((apart * along).sum(axis=1) / (along**2).sum(axis=1), 0.0, 1.0)
    return np.asarray(np.hypot(*(apart - t[:, None] * along).T))


def _placed(
    one: OpeningOverride, walls: list[Wall], ends: NDArray[np.float64], reach_px: float
) -> Opening:
    points = [one.at] if one.at is not None else list(one.between or ())
    shown = " to ".join(f"({x:g}, {y:g})" for x, y in points)
    off = np.max([_off(ends, p) for p in points], axis=0)
    if not walls or off.min() > reach_px:
        near = f"; the nearest is {off.min():.0f} px away" if walls else ""
        raise UsageError(
            f"no straight wall of a building runs at {shown}{near}. "
            "Write a place on one wall, in board pixels."
        )
    nearest = int(off.argmin())
    if one.at is not None and one.width is not None:
        # Of two walls at a corner the one that can hold it.
        lengths = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
        fit = np.where((lengths >= one.width) & (off <= reach_px), off, np.inf)
        nearest = int(fit.argmin()) if np.isfinite(fit).any() else nearest
    wall = walls[nearest]
    if one.at is not None and one.width is not None:
        if one.width > wall.length:
            raise UsageError(
                f"the wall at {shown} is {wall.length:.1f} px long and the opening {one.width:g}. "
                "Write a smaller width, or one opening for each wall."
            )
        middle = wall.along(one.at)
        t0 = min(max(middle - one.width / 2, 0.0), wall.length - one.width)
        return Opening(wall.building, wall.part(t0, t0 + one.width), one.level)
    t0, t1 = sorted(wall.along(p) for p in points)
    written = math.dist(*points)
    if t1 - t0 < MIN_ALONG * written:
        raise UsageError(
            f"the opening from {shown} does not run along the wall there. "
            "Write its two ends on one wall."
        )
    return Opening(wall.building, wall.part(t0, t1), one.level)
