"""Openings that a team inside a building stands at, and through which of them it looks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely

from hexsight.los.flames.regions import F64, Region, segment
from hexsight.los.flames.scene import Gap, House, Scene, Stand

EVEN = 1e-3  # of an inch: a width larger by less is the same

OPENING, LOOPHOLE, MADE = "opening", "loophole", "made"
"""Kinds of a `Port`: of the model, cut by dug-in infantry, made by a tank."""


@dataclass(frozen=True, eq=False)
class Port:
    """The part of a wall that a team sees, and is seen, through.

    Attributes
    ----------
    kind : str
        ``opening``, ``loophole`` or ``made``.
    house : int
        Id of the building.
    ends : ((float, float), (float, float))
        In inches.
    outward : (float, float)
        Unit vector out of the building, across the wall.
    number : int
        Of the opening on the board, 0 for other kinds.
    """

    kind: str
    house: int
    ends: tuple[tuple[float, float], tuple[float, float]]
    outward: tuple[float, float]
    number: int = 0

    @property
    def passable(self) -> bool:
        """Whether teams may move or assault through it: never through a loophole."""
        return self.kind == OPENING

    @property
    def region(self) -> Region:
        """Where lines through it begin."""
        return segment(*self.ends)

    @property
    def middle(self) -> F64:
        """Its middle in inches."""
        return np.asarray(np.mean(self.ends, axis=0))

    def before(self, region: Region) -> Region | None:
        """The part of a region before the wall: the arc ends at the wall's line."""
        a, b = self.outward
        return region.cut(a, b, a * self.ends[0][0] + b * self.ends[0][1])


def ports(scene: Scene, stand: Stand) -> tuple[Port, ...]:
    """All openings that a team inside a building touches, by which it can be seen.

    Openings of the model on its storey; the loopholes of dug-in infantry; the
    opening that a tank makes in the wall it faces.  Empty outside buildings.
    """
    house = stand.house
    if house is None:
        return ()
    out = [
        _part(stand, OPENING, house, np.array(gap.ends), gap.number, scene)
        for gap in scene.gaps
        if _touches(scene, stand, gap)
    ]
    if stand.team.kind == "infantry" and stand.team.dug_in:
        out += [_part(stand, LOOPHOLE, house, w, 0, scene) for w in _walls(scene, stand, house)]
    if stand.team.kind == "tank":
        out += _made(scene, stand, house)
    return tuple(out)


def view_ports(scene: Scene, stand: Stand) -> tuple[Port, ...]:
    """Openings through which a team looks out: some of `ports`.

    Infantry any it touches, wherever it faces; guns those before their front; a
    tank only the one it makes.  Where others stand at the same opening it must be
    wide enough, see `users`.
    """
    found = ports(scene, stand)
    name = stand.team.name
    if stand.team.kind == "tank":
        return tuple(p for p in found if p.kind == MADE)
    # A bare point takes nobody's place and gives its own to nobody.
    placed = scene.stands.get(name) is stand
    return tuple(
        p
        for p in found
        if in_front(scene, stand, p)
        and (p.kind != OPENING or not placed or name in users(scene, p.number))
    )


def in_front(scene: Scene, stand: Stand, port: Port) -> bool:
    """Whether a team may use an opening by where it faces: of account for guns only."""
    if stand.team.kind != "gun":
        return True
    apart = port.middle - scene.to_map(*stand.team.at)
    half = math.radians(scene.profile.kind("gun").front_deg / 2)
    reach = float(np.hypot(*apart))
    return reach <= 0 or float(apart @ stand.facing) > reach * math.cos(half) + EVEN


def users(scene: Scene, number: int) -> tuple[str, ...]:
    """Names of the teams that may look through an opening, in the overlay's order.

    One; where it is wider than their bases as many as fit whole, and one more
    that has the rest, if any is left.

    Parameters
    ----------
    scene : Scene
    number : int
        Of the opening on the board, from 1.
    """
    gap = scene.gaps[number - 1]
    taken, out = 0.0, []
    for name, stand in scene.stands.items():
        if stand.team.kind == "tank" or not _touches(scene, stand, gap):
            continue
        port = _part(stand, OPENING, stand.house, np.array(gap.ends), number, scene)
        if not in_front(scene, stand, port) or taken >= gap.width - EVEN:
            continue
        taken += stand.size[0]
        out.append(name)
    return tuple(out)


def _touches(scene: Scene, stand: Stand, gap: Gap) -> bool:
    if stand.house is None or stand.house.id != gap.house:
        return False
    if gap.level is not None and gap.level != int(stand.team.level):
        return False
    return _off(stand, np.array(gap.ends)) <= scene.profile.buildings.contact


def _off(stand: Stand, ends: F64) -> float:
    """Distance of a base from a piece of wall."""
    wall = shapely.LineString(ends)
    return float(shapely.distance(stand.shape, wall)) - stand.radius


def _walls(scene: Scene, stand: Stand, house: House) -> list[F64]:
    """Walls of the building that a base touches."""
    out = []
    for ring in (house.shape.exterior, *house.shape.interiors):
        for a, b in pairwise(np.asarray(ring.coords, np.float64)):
            ends = np.array([a, b])
            if math.dist(a, b) > EVEN and _off(stand, ends) <= scene.profile.buildings.contact:
                out.append(ends)
    return out


def _made(scene: Scene, stand: Stand, house: House) -> list[Port]:
    """The opening of a tank: in the wall that its front stands against and faces."""
    out = []
    least = math.cos(math.radians(scene.profile.kind("tank").turned_deg))
    front = _front(stand)
    for wall in _walls(scene, stand, house):
        port = _part(stand, MADE, house, wall, 0, scene)
        near = shapely.distance(shapely.LineString(wall), front)
        if near <= scene.profile.buildings.contact and np.dot(port.outward, stand.facing) >= least:
            out.append(port)
    return out


def _front(stand: Stand) -> shapely.Geometry:
    """The front of a base: its edge, of a round one its foremost point."""
    box = stand.base.box
    if stand.base.circle is not None:
        x, y, r = stand.base.circle
        return shapely.Point(np.array([x, y]) + stand.facing * r)
    ahead = box @ stand.facing
    return shapely.multipoints(box[ahead >= ahead.max() - EVEN]).convex_hull


def _part(
    stand: Stand, kind: str, house: House | None, ends: F64, number: int, scene: Scene
) -> Port:
    """The part of a piece of wall that a base stands at."""
    assert house is not None
    length = math.dist(*ends)
    u = (ends[1] - ends[0]) / length
    box = stand.base.box
    along = (box - ends[0]) @ u
    contact = scene.profile.buildings.contact
    t0 = min(max(float(along.min()) - contact, 0.0), length)
    t1 = max(min(float(along.max()) + contact, length), 0.0)
    if t0 > t1:
        t0 = t1 = min(max(t0, 0.0), length)
    a, b = (ends[0] + u * t0).tolist(), (ends[0] + u * t1).tolist()
    return Port(kind, house.id, ((a[0], a[1]), (b[0], b[1])), (float(u[1]), float(-u[0])), number)
