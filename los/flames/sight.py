"""Whether one team sees another, and how smoke makes the target Concealed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from hexsight.los.flames.lines import Found, Screen, find_lines
from hexsight.los.flames.ports import MADE, OPENING, Port, in_front, ports, view_ports
from hexsight.los.flames.regions import F64, Region
from hexsight.los.flames.scene import GRAZE, Scene, Stand
from hexsight.los.rules.registry import (
    MEASURED_ARC,
    MEASURED_BUILDING,
    MEASURED_CONCEALED,
    MEASURED_INSIDE,
    MEASURED_NO_OPENING,
    MEASURED_NOT_FRONT,
    MEASURED_SMOKE,
    MEASURED_STOREY,
    MEASURED_TAKEN,
    MEASURED_TANK,
)
from hexsight.model.errors import UsageError

Line = tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True)
class Cause:
    """Something that decides a sight.

    Attributes
    ----------
    code : int
        Of the registry of reasons.
    at : (float, float)
        In inches.
    """

    code: int
    at: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Sight:
    """What one team is to another.

    Attributes
    ----------
    seen : bool
        Whether there is a line of sight.
    distance : float
        Between the nearest points of the bases, in inches.
    concealed, gone_to_ground : bool
        What smoke makes of the target; False where it is not seen.
    line : ((float, float), (float, float))
        In inches: one that serves, clear of smoke where there is such a one; where
        there is none, from middle to middle.
    causes : tuple of Cause
        What blocks, or what conceals.
    out_of, into : Port or None
        Openings that `line` runs through.
    """

    seen: bool
    distance: float
    concealed: bool
    gone_to_ground: bool
    line: Line
    causes: tuple[Cause, ...] = ()
    out_of: Port | None = None
    into: Port | None = None


@dataclass(frozen=True, eq=False)
class _Way:
    """One pair of regions that lines may join."""

    start: Region
    end: Region
    out_of: Port | None
    into: Port | None
    inside: bool = False


def look(scene: Scene, viewer: Stand, target: Stand, *, defensive: bool = False) -> Sight:
    """Whether a team, as firer or spotter, sees another.

    All lines from any point of the one base to any point of the other count; from
    inside a building they begin, and into one they end, at an opening.

    Parameters
    ----------
    scene : Scene
    viewer, target : Stand
    defensive : bool
        For defensive fire: behind smoke a target is then only Concealed.
    """
    distance = viewer.distance(target)
    middle = _middle(scene, viewer, target)
    ways, refused = _ways(scene, viewer, target)
    if not ways:
        return Sight(False, distance, False, False, middle, tuple(refused))
    high, low = max(viewer.eye, target.eye), min(viewer.eye, target.eye)
    through: tuple[_Way, Line] | None = None
    screen = scene.screen(high, low)
    for way in ways:
        between = screen
        if way.inside:
            between = scene.screen(high, low, inside=viewer.house, beyond=_outside(way, viewer))
        found: Found = find_lines(way.start, way.end, between, first_high=viewer.eye >= target.eye)
        if found.free is not None:
            return Sight(True, distance, False, False, found.free, (), way.out_of, way.into)
        if found.seen is not None and through is None:
            through = way, found.seen
    if through is None:
        cause = _wall(scene, viewer, target, ways[0], screen)
        return Sight(False, distance, False, False, middle, (cause,))
    way, line = through
    at = _in_smoke(screen, line)
    if distance > scene.profile.smoke.limit:
        return Sight(False, distance, False, False, line, (Cause(MEASURED_SMOKE, at),))
    causes = (Cause(MEASURED_CONCEALED, at),)
    return Sight(True, distance, True, not defensive, line, causes, way.out_of, way.into)


def _middle(scene: Scene, viewer: Stand, target: Stand) -> Line:
    return scene.to_map(*viewer.team.at), scene.to_map(*target.team.at)


def _ways(scene: Scene, viewer: Stand, target: Stand) -> tuple[list[_Way], list[Cause]]:
    """Pairs of regions that lines may join; if there are none, why."""
    begin, finish = _middle(scene, viewer, target)
    ways: list[_Way] = []
    same = viewer.house is not None and viewer.house is target.house
    if same and viewer.team.level == target.team.level:
        ways.append(_Way(viewer.base, target.base, None, None, inside=True))
    outs: list[Port | None] = [None] if viewer.house is None else [*view_ports(scene, viewer)]
    intos: list[Port | None] = [None] if target.house is None else [*ports(scene, target)]
    if not outs:
        return ways, [Cause(_why_blind(scene, viewer), begin)]
    if not intos:
        return ways, [Cause(MEASURED_STOREY if same else MEASURED_INSIDE, finish)]
    for out_of in outs:
        for into in intos:
            for a, b in _cut(scene, viewer, target, out_of, into):
                ways.append(_Way(a, b, out_of, into))
    port = outs[0] or intos[0]
    if ways or port is None:
        return ways, []
    x, y = port.middle.tolist()
    return ways, [Cause(MEASURED_ARC, (x, y))]


def _cut(
    scene: Scene, viewer: Stand, target: Stand, out_of: Port | None, into: Port | None
) -> Iterator[tuple[Region, Region]]:
    """Where lines begin and end, cut at the walls that hold the openings."""
    start: Region | None = viewer.base if out_of is None else out_of.region
    end: Region | None = target.base if into is None else into.region
    assert start is not None and end is not None
    if out_of is not None:
        end = out_of.before(end)
    if into is not None:
        start = into.before(start)
    if start is None or end is None:
        return
    if out_of is not None and viewer.team.kind == "gun":
        for part in _arc(scene, viewer, end):
            yield start, part
        return
    yield start, end


def _arc(scene: Scene, gun: Stand, region: Region) -> Iterator[Region]:
    """Parts of a region in a gun's own arc, which walls limit but do not replace."""
    wide = scene.profile.kind("gun").front_deg
    if wide >= 360:
        yield region
        return
    x, y = scene.to_map(*gun.team.at)
    sides = []
    for turn in (-1, 1):
        # Inward normal of the arc's edge to the left, and to the right.
        angle = math.radians(gun.team.facing_deg + turn * (wide / 2 - 90))
        a, b = math.sin(angle), -math.cos(angle)
        sides.append((a, b, a * x + b * y))
    if wide > 180:
        yield from (part for side in sides if (part := region.cut(*side)) is not None)
        return
    left = region.cut(*sides[0])
    both = left.cut(*sides[1]) if left is not None else None
    if both is not None:
        yield both


def _why_blind(scene: Scene, viewer: Stand) -> int:
    """Why a team in a building sees nothing outside."""
    if viewer.team.kind == "tank":
        return MEASURED_TANK
    touched = [p for p in ports(scene, viewer) if p.kind != MADE]
    if not touched:
        return MEASURED_NO_OPENING
    fit = [p for p in touched if in_front(scene, viewer, p)]
    return MEASURED_TAKEN if fit and all(p.kind == OPENING for p in fit) else MEASURED_NOT_FRONT


def _outside(way: _Way, viewer: Stand) -> Any:
    """For a line inside a building: all that lies outside it."""
    assert viewer.house is not None
    hull = shapely.convex_hull(shapely.multipoints(np.vstack([way.start.box, way.end.box])))
    return shapely.difference(hull.buffer(1.0), viewer.house.shape.buffer(GRAZE))


def _wall(scene: Scene, viewer: Stand, target: Stand, way: _Way, screen: Screen) -> Cause:
    """The building that stops the line between the middles, and where."""
    start, end = way.start.centre, way.end.centre
    nearest: tuple[float, tuple[float, float]] | None = None
    high, low = (start, end) if viewer.eye >= target.eye else (end, start)
    for layer in screen.layers:
        line = shapely.LineString([high + layer.over * (low - high), low])
        cut = shapely.intersection(line, layer.shape)
        for x, y in shapely.get_coordinates(cut).tolist():
            off = math.dist((x, y), start)
            if nearest is None or off < nearest[0]:
                nearest = off, (x, y)
    if nearest is None:
        x, y = ((start + end) / 2).tolist()
        return Cause(MEASURED_BUILDING, (x, y))
    return Cause(MEASURED_BUILDING, nearest[1])


def _in_smoke(screen: Screen, line: Line) -> tuple[float, float]:
    """Place on a line nearest to the middle of the disc that it passes deepest.

    Of discs passed alike it is the first of the overlay's.
    """
    a, b = (np.array(p) for p in line)
    best: tuple[float, F64] | None = None
    for x, y, r, _ in screen.discs:
        centre = np.array([x, y])
        along = b - a
        t = np.clip((centre - a) @ along / max(float(along @ along), 1e-18), 0, 1)
        foot = a + t * along
        off = float(np.hypot(*(foot - centre))) - r
        if best is None or off < best[0] - 1e-9:
            best = off, foot
    assert best is not None
    return float(best[1][0]), float(best[1][1])


def shot(
    scene: Scene,
    firer: str,
    target: str,
    *,
    spotter: str | None = None,
    defensive: bool = False,
) -> Sight:
    """As `look`, by name; with a spotter its lines count and not the firer's.

    Raises
    ------
    UsageError
        If a team is not there, or looks at itself.
    """
    if target in (firer, spotter):
        raise UsageError(f"The team {target} cannot look at itself. Name another.")
    return look(scene, scene.named(spotter or firer), scene.named(target), defensive=defensive)
