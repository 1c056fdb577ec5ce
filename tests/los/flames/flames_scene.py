"""Scenes in inches for tests of rules that measure, and a sampling oracle for their lines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import resources

import numpy as np
import shapely
from hypothesis import strategies as st
from shapely.geometry import Polygon, box
from shapely.geometry.polygon import orient

from hexsight.los.flames.profile import MeasuredProfile, profile_from_text
from hexsight.los.flames.scene import Gap, House, Scene, Stand
from hexsight.los.flames.smoke import screen_discs
from hexsight.los.flames.state import Disc, SmokeHit, Team

TEXT = (resources.files("hexsight.los.flames") / "flames.yaml").read_text(encoding="utf-8")
PROFILE: MeasuredProfile = profile_from_text(TEXT, "flames.yaml")
House_ = tuple[Polygon, float]


def scene(
    *teams: Team,
    houses: Sequence[Polygon | House_] = (),
    gaps: Sequence[Gap] = (),
    discs: Sequence[Disc | SmokeHit] = (),
    scale: float = 1.0,
) -> Scene:
    """A scene whose pixels are inches (without `scale`); houses are 4 inches high."""
    made = []
    for number, one in enumerate(houses, 1):
        shape, top = one if isinstance(one, tuple) else (one, 4.0)
        made.append(House(number, orient(shape), top))
    out = Scene(PROFILE, scale, tuple(made), tuple(gaps))
    for team in teams:
        out.place(team)
    placed: list[Disc] = []
    for d in discs:
        placed += [d] if isinstance(d, Disc) else screen_discs(out, d)
    out.discs = tuple(placed)
    return out


def gap(number: int, x0: float, y0: float, x1: float, y1: float, **more: int) -> Gap:
    """An opening in house 1; the house to the left of its ends, as in mathematics."""
    return Gap(number, more.pop("house", 1), ((x0, y0), (x1, y1)), **more)


HOUSE = box(0, 0, 8, 6)
"""A house of 8 × 6 inches; y runs down, so its wall at y = 0 is the upper one."""


def turned(x: float, y: float, width: float, depth: float, deg: float) -> Polygon:
    """A rectangle with its middle at (x, y), turned."""
    plain = box(-width / 2, -depth / 2, width / 2, depth / 2)
    t = math.radians(deg)
    return shapely.affinity.affine_transform(
        plain, [math.cos(t), -math.sin(t), math.sin(t), math.cos(t), x, y]
    )


def in_base(stand: Stand, points: np.ndarray, slack: float = 1e-6) -> np.ndarray:
    """Which points (n, 2) lie in a base."""
    inside = np.ones(len(points), bool)
    for a, b, c in stand.base.half:
        inside &= points @ (a, b) >= c - slack
    if stand.base.circle is not None:
        x, y, r = stand.base.circle
        inside &= np.hypot(*(points - (x, y)).T) <= r + slack
    return inside


def some_points(stand: Stand, n: int, rng: np.random.Generator) -> np.ndarray:
    """Points (n, 2) of a base, its corners among them."""
    ring = stand.base.box
    share = rng.dirichlet(np.full(len(ring), 0.5), n)
    points = np.vstack([ring, share @ ring])
    return points[in_base(stand, points)][:n]


def open_lines(
    made: Scene,
    viewer: Stand,
    target: Stand,
    starts: np.ndarray,
    ends: np.ndarray,
    *,
    margin: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Which lines (n, 2) to (n, 2) no house stops, and which of them no disc dims.

    Walks 200 points along each line and looks at the height there: nothing of what
    the engine does.  Between two of them a line may cut a corner unseen: with a
    `margin` of half a step what counts as free is free.
    """
    t = np.linspace(0, 1, 201)[None, :, None]
    along = starts[:, None] * (1 - t) + ends[:, None] * t
    height = viewer.eye * (1 - t[..., 0]) + target.eye * t[..., 0]
    stopped = np.zeros(len(starts), bool)
    for house in made.houses:
        shape = house.shape
        if margin and house not in (viewer.house, target.house):
            shape = shape.buffer(margin, join_style="mitre")
        inside = shapely.contains_xy(shape, along[..., 0], along[..., 1])
        stopped |= (inside & (height < house.top - 1e-6)).any(axis=1)
    dimmed = np.zeros(len(starts), bool)
    # Discs that nearly touch are one screen; a chord cut unseen is far shallower.
    reach = PROFILE.smoke.disc / 2 + (0.011 if margin else 0.0)
    for one in made.discs:
        x, y = made.to_map(*one.at)
        off = np.hypot(along[..., 0] - x, along[..., 1] - y)
        dimmed |= ((off < reach) & (height < PROFILE.smoke.disc_height)).any(axis=1)
    return ~stopped, ~stopped & ~dimmed


quarter = st.integers(-60, 60).map(lambda v: v / 4)


@st.composite
def houses(draw: st.DrawFn, most: int = 5) -> list[House_]:
    """Some houses of many sizes, turns and heights round (0, 0)."""
    out = []
    for _ in range(draw(st.integers(0, most))):
        shape = turned(
            draw(st.integers(-20, 20)) / 4,
            draw(st.integers(-12, 12)) / 4,
            draw(st.integers(2, 12)) / 4,
            draw(st.integers(4, 24)) / 4,
            draw(st.integers(0, 89)),
        )
        out.append((shape, draw(st.sampled_from([2.0, 4.0, 4.0, 6.0]))))
    return out


discs = st.lists(
    st.tuples(st.integers(-20, 20), st.integers(-12, 12)).map(
        lambda p: Disc((p[0] / 4, p[1] / 4), "x")
    ),
    max_size=8,
)


@st.composite
def pair(draw: st.DrawFn, *, level: bool = False) -> tuple[Team, Team]:
    """Two teams left and right of the houses, square or round, at some heights."""
    out = []
    for name, x in (("a", -9), ("b", 9)):
        base = draw(st.sampled_from([None, (2.0, 1.25), (1.0, 4.0), 1.5, 3.0, 0.0]))
        height = 0.0 if level else draw(st.sampled_from([0.0, 0.0, 2.0, 4.0, 9.0]))
        out.append(
            Team(
                name,
                (x, draw(st.integers(-12, 12)) / 4),
                side=name,
                base=base,
                facing_deg=draw(st.integers(0, 359)),
                height=height,
            )
        )
    return out[0], out[1]
