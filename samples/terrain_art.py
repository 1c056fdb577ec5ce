"""Art of open country: ground, roads, vegetation, rubble, walls.

Each painter draws the picture and labels the raster in one go, so that the
truth is what was drawn.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from . import codes
from .canvas import Canvas, Colour, noise, rng_for
from .hexes import Hex, Point
from .spec import BoardSpec

Rng = np.random.Generator


def tint(colour: Colour, amount: float) -> Colour:
    """The colour made lighter (positive) or darker by some grey levels."""
    r, g, b = (int(min(255, max(0, round(c + amount)))) for c in colour)
    return r, g, b


def blob(
    centre: Point, radius_px: float, rng: Rng, *, rough: float = 0.15, points: int = 18
) -> list[Point]:
    """Closed outline round a point whose radius varies by `rough`."""
    angles = np.linspace(0, 2 * math.pi, points, endpoint=False)
    radii = radius_px * (1 + rough * rng.uniform(-1, 1, points))
    return [
        (centre[0] + float(r * math.cos(a)), centre[1] + float(r * math.sin(a)))
        for a, r in zip(angles, radii, strict=True)
    ]


def spot_in_hex(spec: BoardSpec, h: Hex, rng: Rng, reach: float) -> Point:
    """Random point (px) within `reach` of a hex's half height round its centre."""
    x, y = spec.layout.centre(h)
    radius = 0.5 * spec.layout.dy * reach * math.sqrt(float(rng.uniform(0, 1)))
    angle = float(rng.uniform(0, 2 * math.pi))
    return x + radius * math.cos(angle), y + radius * math.sin(angle)


def hex_polygon(spec: BoardSpec, h: Hex, reach: float) -> list[Point]:
    """Corners of a hex drawn in towards (or out from) its centre."""
    x, y = spec.layout.centre(h)
    return [(x + reach * (px - x), y + reach * (py - y)) for px, py in spec.layout.corners(h)]


def paint_ground(canvas: Canvas, spec: BoardSpec) -> None:
    """Open ground with a light texture over the whole picture."""
    rng = rng_for(spec.seed, "ground")
    coarse, fine = spec.palette.ground_spread
    texture = coarse * noise(rng, canvas.shape, 23) + fine * noise(rng, canvas.shape, 1.0)
    canvas.fill([(-9, -9), (9999, -9), (9999, 9999), (-9, 9999)], spec.palette.ground, smooth=False)
    full = np.full(canvas.shape, 255, np.uint8)
    canvas.shade(full, np.clip(texture, -14, 14).astype(np.float32))


def _smooth_path(path: list[Point]) -> list[Point]:
    """Path with its corners rounded off (two rounds of Chaikin's corner cutting)."""
    for _ in range(2):
        out = [path[0]]
        for p, q in itertools.pairwise(path):
            out.append((0.75 * p[0] + 0.25 * q[0], 0.75 * p[1] + 0.25 * q[1]))
            out.append((0.25 * p[0] + 0.75 * q[0], 0.25 * p[1] + 0.75 * q[1]))
        out.append(path[-1])
        path = out
    return path


def paint_roads(canvas: Canvas, spec: BoardSpec) -> None:
    """All roads, dirt below paved, each with a slightly darker rim."""
    for surface, colour, label in (
        ("dirt", spec.palette.dirt, codes.DIRT_ROAD),
        ("paved", spec.palette.paved, codes.PAVED_ROAD),
    ):
        roads = [road for road in spec.roads if road.surface == surface]
        paths = [_smooth_path(spec.layout.px_path(road.path)) for road in roads]
        widths = [round(road.width * spec.layout.dy) for road in roads]
        for path, width in zip(paths, widths, strict=True):
            canvas.stroke(path, width, spec.palette.road_rim or tint(colour, -26), label=label)
        for path, width in zip(paths, widths, strict=True):
            canvas.stroke(path, width - 3, colour)
    rng = rng_for(spec.seed, "road grain")
    on_road = np.isin(canvas.labels, (codes.DIRT_ROAD, codes.PAVED_ROAD)).astype(np.uint8) * 255
    canvas.shade(on_road, (3.0 * noise(rng, canvas.shape, 2.0)).astype(np.float32))


def paint_woods(canvas: Canvas, spec: BoardSpec, h: Hex, rng: Rng) -> None:
    """Crowns that overlap over a dark ground, out to the corners of the hex."""
    size = spec.layout.dy
    dark = tint(spec.palette.woods, -34)
    crowns = [spot_in_hex(spec, h, rng, 0.62) for _ in range(16)]
    crowns += [
        (0.42 * a + 0.58 * b, 0.42 * c + 0.58 * d)
        for (a, c), (b, d) in [(spec.layout.centre(h), p) for p in hex_polygon(spec, h, 1.0)]
    ]
    shapes = [blob(p, size * float(rng.uniform(0.15, 0.2)), rng) for p in crowns]
    canvas.fill(hex_polygon(spec, h, 0.8), spec.palette.woods, label=codes.WOODS)
    for shape in shapes:
        canvas.stroke(shape, 3, dark, closed=True, label=codes.WOODS)
    for shape in shapes:
        canvas.fill(shape, tint(spec.palette.woods, float(rng.uniform(-9, 9))), label=codes.WOODS)
    for p in crowns:
        canvas.stroke(
            blob((p[0] - 1.5, p[1] - 1.5), size * 0.07, rng, points=9)[3:8],
            2,
            tint(spec.palette.woods, 26),
            opacity=0.8,
        )


def paint_orchard(canvas: Canvas, spec: BoardSpec, h: Hex, rng: Rng) -> None:
    """Six trees in two straight rows, each with its shadow."""
    u, v = spec.layout.centre_uv(h)
    for du in (-0.24, 0.24):
        for dv in (-0.29, 0.0, 0.29):
            p = spec.layout.px(u + du, v + dv)
            tree = blob(p, 0.095 * spec.layout.dy, rng, rough=0.12)
            canvas.fill(
                [(x + 2, y + 2) for x, y in tree], tint(spec.palette.ground, -45), opacity=0.8
            )
            canvas.fill(tree, spec.palette.orchard, label=codes.ORCHARD)
            canvas.stroke(tree, 1, tint(spec.palette.orchard, -45), closed=True)


def paint_brush(canvas: Canvas, spec: BoardSpec, h: Hex, rng: Rng) -> None:
    """A ragged patch with tufts of three stalks."""
    patch = blob(spec.layout.centre(h), 0.46 * spec.layout.dy, rng, rough=0.1, points=14)
    canvas.fill(patch, spec.palette.brush, label=codes.BRUSH)
    canvas.stroke(patch, 1, tint(spec.palette.brush, -40), closed=True)
    for _ in range(13):
        x, y = spot_in_hex(spec, h, rng, 0.72)
        for lean in (-3, 0, 3):
            canvas.stroke([(x, y), (x + lean, y - 5)], 1, tint(spec.palette.brush, -78))


def paint_shellholes(canvas: Canvas, spec: BoardSpec, h: Hex, rng: Rng) -> None:
    """Four craters round the centre, each a rim, a bowl and a dark bottom."""
    start = float(rng.uniform(0, 2 * math.pi))
    x, y = spec.layout.centre(h)
    reach = 0.27 * spec.layout.dy
    for i in range(4):
        angle = start + i * math.pi / 2 + float(rng.uniform(-0.3, 0.3))
        p = (x + reach * math.cos(angle), y + reach * math.sin(angle))
        size = spec.layout.dy * float(rng.uniform(0.085, 0.125))
        canvas.fill(
            blob(p, size * 1.25, rng, rough=0.4, points=15),
            tint(spec.palette.shellhole, 40),
            opacity=0.55,
            label=codes.SHELLHOLES,
        )
        canvas.fill(
            blob(p, size * 0.8, rng, rough=0.3, points=13), spec.palette.shellhole, opacity=0.8
        )
        canvas.fill(blob(p, size * 0.34, rng, points=9), tint(spec.palette.shellhole, -70))


def debris_stroke(
    canvas: Canvas, p: Point, length_px: float, rng: Rng, colour: Colour, *, label: int | None
) -> None:
    """One straight or bent splinter round a point."""
    angle = float(rng.uniform(0, math.pi))
    dx, dy = 0.5 * length_px * math.cos(angle), 0.5 * length_px * math.sin(angle)
    path = [(p[0] - dx, p[1] - dy), (p[0] + dx, p[1] + dy)]
    if rng.uniform() < 0.4:
        bend = angle + float(rng.choice([-1.2, 1.2]))
        path.append(
            (
                path[1][0] + 0.4 * length_px * math.cos(bend),
                path[1][1] + 0.4 * length_px * math.sin(bend),
            )
        )
    canvas.stroke(path, 2, tint(colour, float(rng.uniform(-30, 0))), label=label)
    if rng.uniform() < 0.5:
        canvas.stroke(path, 1, tint(colour, 22), opacity=0.6)


def paint_debris(canvas: Canvas, spec: BoardSpec, h: Hex, rng: Rng) -> None:
    """Splinters strewn over four fifths of the hex."""
    for _ in range(15):
        debris_stroke(
            canvas,
            spot_in_hex(spec, h, rng, 0.8),
            spec.layout.dy * float(rng.uniform(0.13, 0.27)),
            rng,
            spec.palette.debris,
            label=codes.DEBRIS,
        )


def paint_stone_rubble(canvas: Canvas, spec: BoardSpec, h: Hex, rng: Rng) -> None:
    """Stones, the largest on top and in the middle of the hex."""
    spots = [spot_in_hex(spec, h, rng, 1.0) for _ in range(110)]
    for p in sorted(spots, key=lambda q: -math.dist(q, spec.layout.centre(h))):
        near = 1 - math.dist(p, spec.layout.centre(h)) / (0.5 * spec.layout.dy)
        size = spec.layout.dy * (0.02 + 0.045 * near * float(rng.uniform(0.5, 1.2)))
        stone = blob(p, max(1.6, size), rng, rough=0.3, points=7)
        colour = tint(spec.palette.stone_rubble, float(rng.uniform(-20, 16)))
        canvas.fill(stone, colour, label=codes.STONE_RUBBLE)
        canvas.stroke(stone, 1, tint(colour, -62), closed=True, opacity=0.85)


def paint_wooden_rubble(canvas: Canvas, spec: BoardSpec, h: Hex, rng: Rng) -> None:
    """Beams that lie across each other."""
    for _ in range(85):
        p = spot_in_hex(spec, h, rng, 0.92)
        angle = float(rng.uniform(0, math.pi))
        half = spec.layout.dy * float(rng.uniform(0.04, 0.1))
        path = [
            (p[0] - half * math.cos(angle), p[1] - half * math.sin(angle)),
            (p[0] + half * math.cos(angle), p[1] + half * math.sin(angle)),
        ]
        colour = tint(spec.palette.wooden_rubble, float(rng.uniform(-22, 22)))
        canvas.stroke(path, 2 if rng.uniform() < 0.6 else 3, colour, label=codes.WOODEN_RUBBLE)


def paint_hexside_features(canvas: Canvas, spec: BoardSpec, by_name: dict[str, Hex]) -> None:
    """Stone walls as a row of stones, hedges as a ragged dark green line."""
    for a, b in spec.walls:
        rng = rng_for(spec.seed, "wall", a, b)
        p, q = spec.layout.hexside(by_name[a], by_name[b])
        canvas.stroke([p, q], 6, tint(spec.palette.wall, -104), label=codes.WALL)
        along = math.atan2(q[1] - p[1], q[0] - p[0])
        for i in range(n := 9):
            t = (i + 0.5) / n
            for side in (-1.9, 1.9):
                x = p[0] + t * (q[0] - p[0]) - side * math.sin(along)
                y = p[1] + t * (q[1] - p[1]) + side * math.cos(along)
                stone = blob((x, y), 1.5, rng, rough=0.2, points=7)
                canvas.fill(stone, tint(spec.palette.wall, float(rng.uniform(-6, 34))))
    for a, b in spec.hedges:
        rng = rng_for(spec.seed, "hedge", a, b)
        p, q = spec.layout.hexside(by_name[a], by_name[b])
        canvas.stroke([p, q], 5, spec.palette.hedge, label=codes.HEDGE)
        for i in range(10):
            t = (i + 0.5) / 10
            x, y = p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])
            leaf = blob(
                (x + float(rng.uniform(-2, 2)), y + float(rng.uniform(-2, 2))), 2.8, rng, rough=0.4
            )
            colour = tint(spec.palette.hedge, float(rng.uniform(-14, 22)))
            canvas.fill(leaf, colour, label=codes.HEDGE)
