"""A map in inches, with all that stands on it, ready to be asked.

Buildings keep the outline that the board has, with straight walls; whatever is
drawn a hair apart counts as touching.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon

from hexsight.los.flames.lines import Layer, Screen
from hexsight.los.flames.profile import MeasuredProfile
from hexsight.los.flames.regions import F64, Region, disc, point, polygon
from hexsight.los.flames.state import Disc, SmokeHit, Team
from hexsight.model.board import Board, Building
from hexsight.model.errors import UsageError
from hexsight.model.openings import outline

HAIR_PX = 1.0  # houses nearer than twice this touch: their outlines were read from pixels
GRAZE = 1e-3  # of an inch: so deep a line may run in a wall and only graze it
OVERLAP = 0.02  # of an inch, over which two touching discs may gape
MAX_DISCS = 500
KEPT = 64  # screens between two heights


@dataclass(frozen=True, eq=False)
class House:
    """A building on the map.

    Attributes
    ----------
    id : int
        That of the board's building.
    shape : Polygon
        In inches; the building lies to the left of its rings.
    top : float
        Height of its roof over level 0 of the map.
    """

    id: int
    shape: Polygon
    top: float


@dataclass(frozen=True)
class Gap:
    """An opening of the model.

    Attributes
    ----------
    number : int
        1, 2, … in the board's order.
    house : int
        Id of its building.
    ends : ((float, float), (float, float))
        In inches; the building lies to the left of first → second (as in
        mathematics).
    level : int or None
        Storey; None for every one.
    """

    number: int
    house: int
    ends: tuple[tuple[float, float], tuple[float, float]]
    level: int | None = None

    @property
    def width(self) -> float:
        """In inches."""
        return math.dist(*self.ends)


@dataclass(frozen=True, eq=False)
class Stand:
    """A team as it stands on the map.

    Attributes
    ----------
    team : Team
    base : Region
        In inches.
    eye : float
        Height over level 0 of the map.
    house : House or None
        The building that it stands in; None outside and on a roof.
    size : (float, float)
        Front and depth in inches.
    """

    team: Team
    base: Region
    eye: float
    house: House | None
    size: tuple[float, float]

    @property
    def facing(self) -> F64:
        """Unit vector to its front."""
        turn = math.radians(self.team.facing_deg)
        return np.array([math.sin(turn), -math.cos(turn)])

    @property
    def shape(self) -> Any:
        """Its base as a shapely geometry; a round one as its middle."""
        if self.base.circle is not None:
            return shapely.Point(self.base.circle[:2])
        return shapely.convex_hull(shapely.multipoints(self.base.points))

    @property
    def radius(self) -> float:
        """Of a round base, else 0."""
        return 0.0 if self.base.circle is None else self.base.circle[2]

    def distance(self, other: Stand) -> float:
        """Between the nearest points of two bases, in inches."""
        apart = float(shapely.distance(self.shape, other.shape))
        return max(0.0, apart - self.radius - other.radius)


@dataclass(eq=False)
class Scene:
    """Buildings, openings, teams and smoke.

    Attributes
    ----------
    profile : MeasuredProfile
    scale : float
        Pixels of the board an inch.
    houses : tuple of House
    gaps : tuple of Gap
    stands : dict of str to Stand
        Teams by name, in the order of the overlay.
    discs : tuple of Disc
    hair : float
        Half of the widest gap, in inches, between houses that count as touching.
    """

    profile: MeasuredProfile
    scale: float
    houses: tuple[House, ...]
    gaps: tuple[Gap, ...] = ()
    stands: dict[str, Stand] = field(default_factory=dict)
    discs: tuple[Disc, ...] = ()
    hair: float = 0.0
    board: Board | None = None
    _walls: dict[tuple[int, ...], tuple[Any, F64]] = field(default_factory=dict, repr=False)
    _screens: dict[tuple[float, float], Screen] = field(default_factory=dict, repr=False)
    _screened: tuple[Disc, ...] = field(default=(), repr=False)

    def to_map(self, x_px: float, y_px: float) -> tuple[float, float]:
        """Inches of a board pixel."""
        return x_px / self.scale, y_px / self.scale

    def to_px(self, at: Sequence[float]) -> tuple[float, float]:
        """Board pixel of a place in inches, to a tenth."""
        return round(at[0] * self.scale, 1), round(at[1] * self.scale, 1)

    def ground(self, x_px: float, y_px: float) -> float:
        """Height in inches of the map's ground at a board pixel."""
        if self.board is None:
            return 0.0
        return _ground(self.board, self.profile, x_px, y_px)

    def house_at(self, x: float, y: float) -> House | None:
        """The building round a place in inches."""
        found = np.flatnonzero(shapely.contains_xy([h.shape for h in self.houses], x, y))
        return self.houses[int(found[0])] if len(found) else None

    def stand(self, team: Team) -> Stand:
        """How a team stands.

        Raises
        ------
        UsageError
            If it stands on a level or a roof where no building is.
        """
        rules = self.profile.kind(team.kind)
        x, y = self.to_map(*team.at)
        size = team.base if team.base is not None else rules.base
        house = self.house_at(x, y)
        ground = self.ground(*team.at) + team.height
        if team.level not in (0, "0") and house is None:
            raise UsageError(
                f"The team {team.name} stands in no building, so on no {_words(team)}."
            )
        if team.level == "roof":
            assert house is not None
            ground, house = house.top, None
        else:
            ground += int(team.level) * self.profile.buildings.storey
            if house is not None and ground >= house.top:
                raise UsageError(
                    f"The building of the team {team.name} has no {_words(team)}. "
                    "Lower it, or write 'level: roof'."
                )
        eye = ground + (rules.eye if team.eye is None else team.eye)
        base, sides = _base(x, y, size, team.facing_deg)
        return Stand(team, base, eye, house, sides)

    def place(self, team: Team) -> Stand:
        """Stand a team on the map, in place of one of its name; what `stand` raises."""
        self.stands[team.name] = self.stand(team)
        return self.stands[team.name]

    def named(self, name: str) -> Stand:
        """A team.

        Raises
        ------
        UsageError
            If there is none of that name.
        """
        if name not in self.stands:
            known = ", ".join(list(self.stands)[:8]) or "none"
            raise UsageError(
                f"There is no team {name!r} in the overlay (teams: {known}). "
                "Name one of them, or a point x,y in board pixels."
            )
        return self.stands[name]

    def screen(
        self, high: float, low: float, *, inside: House | None = None, beyond: Any = None
    ) -> Screen:
        """What stands between two heights.

        Parameters
        ----------
        high, low : float
            Eyes of both ends, over level 0 of the map.
        inside : House, optional
            That both ends are in: it stands not between them.
        beyond : shapely geometry, optional
            More that walls everything off.
        """
        if inside is not None or beyond is not None:
            return self._screen(high, low, inside, beyond)
        if self._screened is not self.discs or len(self._screens) > KEPT:
            self._screens.clear()
            self._screened = self.discs
        if (high, low) not in self._screens:
            self._screens[high, low] = self._screen(high, low, None, None)
        return self._screens[high, low]

    def _screen(self, high: float, low: float, inside: House | None, beyond: Any) -> Screen:
        overs: dict[float, list[int]] = {}
        for index, house in enumerate(self.houses):
            over = _over(high, low, house.top)
            if over is not None and house is not inside:
                overs.setdefault(over, []).append(index)
        layers = []
        walls: list[int] = []
        for over in sorted(overs):
            # Lower houses are walls only behind the place where the line sinks below
            # them; there the higher ones are walls too, and a hair between them is none.
            walls = sorted(walls + overs[over])
            shape, corners = self._walled(tuple(walls))
            layers.append(Layer(over, shape, corners))
        if beyond is not None:
            shapely.prepare(beyond)
            layers.append(Layer(0.0, beyond, shapely.get_coordinates(beyond)))
        discs, links = self._smoke(high, low)
        return Screen(tuple(layers), discs, links)

    def _walled(self, indices: tuple[int, ...]) -> tuple[Any, F64]:
        if indices not in self._walls:
            union = shapely.union_all([self.houses[i].shape for i in indices])
            if self.hair > 0:
                flat = {"join_style": "mitre", "mitre_limit": 5.0}
                closed = union.buffer(self.hair, **flat).buffer(-self.hair, **flat)
                union = shapely.union(union, closed)
            # Places on walls are stored to a thousandth of a pixel.
            thin = union.buffer(-max(GRAZE, GRAZE / self.scale), join_style="mitre")
            shapely.prepare(thin)
            self._walls[indices] = thin, shapely.get_coordinates(union)
        return self._walls[indices]

    def _smoke(self, high: float, low: float) -> tuple[F64, F64]:
        smoke = self.profile.smoke
        r = smoke.disc / 2
        rows = []
        for one in self.discs:
            over = _over(high, low, self.ground(*one.at) + smoke.disc_height)
            if over is not None:
                rows.append((*self.to_map(*one.at), r, over))
        links = []
        for i, a in enumerate(rows):
            for b in rows[:i]:
                if 2 * r - 1e-7 <= math.dist(a[:2], b[:2]) <= 2 * r + OVERLAP:
                    links.append((*a[:2], *b[:2], max(a[3], b[3])))
        return np.array(rows).reshape(-1, 4), np.array(links).reshape(-1, 5)


def _over(high: float, low: float, top: float) -> float | None:
    """Share of a line that passes above a height; None where all of it does."""
    if top <= low:
        return None
    return max(0.0, (high - top) / (high - low)) if high > low else 0.0


def _words(team: Team) -> str:
    return "roof" if team.level == "roof" else f"level {team.level}"


def _base(
    x: float, y: float, size: tuple[float, float] | float, facing_deg: float
) -> tuple[Region, tuple[float, float]]:
    if isinstance(size, (int, float)):
        if size <= 0:
            return point(x, y), (0.0, 0.0)
        return disc(x, y, size / 2), (float(size), float(size))
    turn = math.radians(facing_deg)
    ahead = np.array([math.sin(turn), -math.cos(turn)]) * size[1] / 2
    right = np.array([math.cos(turn), math.sin(turn)]) * size[0] / 2
    corners = np.array([ahead + right, ahead - right, -ahead - right, -ahead + right]) + (x, y)
    return polygon(corners), (float(size[0]), float(size[1]))


def _ground(board: Board, profile: MeasuredProfile, x_px: float, y_px: float) -> float:
    raster: NDArray[np.int8] = board.elevation_half
    row = min(max(round(y_px), 0), raster.shape[0] - 1)
    column = min(max(round(x_px), 0), raster.shape[1] - 1)
    return float(raster[row, column]) / 2 * profile.buildings.storey


@lru_cache(maxsize=2_048)
def _house_shape(building: Building, dy_px: float, scale: float) -> tuple[Polygon, float, float]:
    """Outline in inches, and a board pixel inside."""
    shape = outline(building, dy_px)
    inner = shape.representative_point()
    return shapely.transform(shape, lambda p: p / scale), inner.x, inner.y


def scene_of(
    board: Board,
    profile: MeasuredProfile,
    teams: Sequence[Team] = (),
    discs: Sequence[Disc | SmokeHit] = (),
    pixels_per_inch: float | None = None,
) -> Scene:
    """A board as rules that measure see it.

    Parameters
    ----------
    board : Board
    profile : MeasuredProfile
    teams : sequence of Team
    discs : sequence of Disc or SmokeHit
        Hits are turned into discs, in order.
    pixels_per_inch : float, optional
        Scale of the map; the rules' without.

    Raises
    ------
    UsageError
        If two teams have one name, one stands where it cannot, or a hit names
        teams that are not there or are no enemies.
    """
    from hexsight.los.flames.smoke import screen_discs  # noqa: PLC0415 - it asks scenes

    scale = pixels_per_inch or profile.pixels_per_inch
    houses = []
    for building in board.buildings:
        shape, x, y = _house_shape(building, board.layout.dy, scale)
        up = building.height_half / 2 * profile.buildings.storey
        houses.append(House(building.id, shape, _ground(board, profile, x, y) + up))
    gaps = tuple(
        Gap(
            number,
            o.building,
            (
                (o.ends_px[0][0] / scale, o.ends_px[0][1] / scale),
                (o.ends_px[1][0] / scale, o.ends_px[1][1] / scale),
            ),
            o.level,
        )
        for number, o in enumerate(board.openings, 1)
    )
    scene = Scene(profile, scale, tuple(houses), gaps, hair=HAIR_PX / scale, board=board)
    for team in teams:
        if team.name in scene.stands:
            raise UsageError(f"Two teams are called {team.name!r}. Give each a name of its own.")
        scene.place(team)
    placed: list[Disc] = []
    for one in discs:
        placed += [one] if isinstance(one, Disc) else screen_discs(scene, one)
        if len(placed) > MAX_DISCS:
            raise UsageError(f"There are more than {MAX_DISCS:,} smoke discs. Take some away.")
    scene.discs = tuple(placed)
    return scene
