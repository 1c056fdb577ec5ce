"""Art of rising ground and of water along hexsides: washes, hachures, streams, fences."""

from __future__ import annotations

import math

import numpy as np

from . import codes
from .canvas import Canvas, noise, rng_for
from .facts import Slope
from .hexes import Hex, Point
from .spec import BoardSpec
from .terrain_art import hex_polygon, tint

STEEP, GENTLE = codes.STEEP_SLOPE, codes.GENTLE_SLOPE


def paint_washes(canvas: Canvas, spec: BoardSpec, by_name: dict[str, Hex]) -> None:
    """Ground of each level above 0 in a colour of its own."""
    for half, names in sorted(spec.levels.items()):
        colour = spec.palette.relief[half // 2 - 1]
        whole = np.zeros(canvas.shape, np.uint8)
        for name in names:
            whole |= canvas.mask(hex_polygon(spec, by_name[name], 1.02))
        canvas.paint_mask(whole, colour)
        rng = rng_for(spec.seed, "wash", half)
        coarse, fine = spec.palette.ground_spread
        texture = coarse * noise(rng, canvas.shape, 23) + fine * noise(rng, canvas.shape, 1.0)
        canvas.shade(whole, np.clip(texture, -14, 14).astype(np.float32))


def paint_slopes(canvas: Canvas, spec: BoardSpec, slopes: tuple[Slope, ...]) -> None:
    """Hachures that run downhill: dense and dark below a crest line, or few and light.

    Hachures tell a reader which way the ground falls; to the terrain they are print.
    """
    for slope in sorted(slopes, key=lambda s: s.code != GENTLE):
        p, q = spec.layout.hexside(slope.upper, slope.lower)
        x, y = spec.layout.centre(slope.lower)
        middle = ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
        down = (x - middle[0], y - middle[1])
        length = math.hypot(*down)
        down = (down[0] / length, down[1] / length)
        rng = rng_for(spec.seed, "hachure", slope.upper, slope.lower)
        steep = slope.code == STEEP
        colour = tint(spec.palette.hachure, 0 if steep else 34)
        n = 11 if steep else 6
        reach = (0.23 if steep else 0.14) * spec.layout.dy
        for i in range(n):
            t = (i + 0.5 + float(rng.uniform(-0.2, 0.2))) / n
            start = (p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]))
            lean = float(rng.uniform(-0.12, 0.12))
            run = reach * float(rng.uniform(0.72, 1.0)) * (0.75 if i % 2 and steep else 1.0)
            end = (
                start[0] + run * (down[0] - lean * down[1]),
                start[1] + run * (down[1] + lean * down[0]),
            )
            _wedge(canvas, start, end, 2.4 if steep else 1.2, colour)
        if steep:
            canvas.stroke([p, q], 2, tint(spec.palette.hachure, -18))


def _wedge(canvas: Canvas, p: Point, q: Point, width: float, colour: tuple[int, int, int]) -> None:
    """Stroke of a pen that is lifted: broad at `p`, nothing at `q`."""
    length = math.dist(p, q)
    nx, ny = -(q[1] - p[1]) / length * width / 2, (q[0] - p[0]) / length * width / 2
    canvas.fill([(p[0] + nx, p[1] + ny), q, (p[0] - nx, p[1] - ny)], colour)


def paint_streams(canvas: Canvas, spec: BoardSpec, by_name: dict[str, Hex]) -> None:
    """A band of water along its hexsides, with a darker bank."""
    paths = []
    for a, b in spec.streams:
        rng = rng_for(spec.seed, "stream", a, b)
        p, q = spec.layout.hexside(by_name[a], by_name[b])
        n = 6
        length = math.dist(p, q)
        side = (-(q[1] - p[1]) / length, (q[0] - p[0]) / length)
        path = []
        for i in range(n + 1):
            t = i / n
            # The ends stay on their vertices, where the next reach begins.
            off = float(rng.uniform(-0.022, 0.022)) * spec.layout.dy if 0 < i < n else 0.0
            path.append(
                (
                    p[0] + t * (q[0] - p[0]) + off * side[0],
                    p[1] + t * (q[1] - p[1]) + off * side[1],
                )
            )
        paths.append(path)
    paths += [spec.layout.px_path(rill) for rill in spec.rills]
    width = round(0.125 * spec.layout.dy)
    for path in paths:
        canvas.stroke(path, width, tint(spec.palette.stream, -46), label=codes.STREAM)
    for path in paths:
        canvas.stroke(path, width - 3, spec.palette.stream)
    for path in paths:
        canvas.stroke(path[1:-1], 1, tint(spec.palette.stream, 38), opacity=0.7)


def paint_fences(canvas: Canvas, spec: BoardSpec, by_name: dict[str, Hex]) -> None:
    """A thin line with crosses, as plans show wire fences."""
    size = 0.045 * spec.layout.dy
    for a, b in spec.fences:
        p, q = spec.layout.hexside(by_name[a], by_name[b])
        canvas.stroke([p, q], 2, spec.palette.fence, label=codes.FENCE)
        for i in range(n := 4):
            t = (i + 0.5) / n
            x, y = p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])
            for sign in (1, -1):
                ends = [(x - size, y - sign * size), (x + size, y + sign * size)]
                canvas.stroke(ends, 1, spec.palette.fence)
