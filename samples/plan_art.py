"""Art of a plan of today: tarmac, runway, car park, cobbles, lawns, trees from above."""

from __future__ import annotations

import math

import numpy as np

from . import codes
from .canvas import Canvas, Colour, noise, rng_for
from .hexes import Hex, Point
from .spec import Area, BoardSpec
from .terrain_art import Rng, blob, hex_polygon, spot_in_hex, tint


def _ground(canvas: Canvas, spec: BoardSpec, area: Area, colour: Colour, label: int) -> list[Point]:
    """Fill an area with a light grain; gives its outline in px."""
    outline = spec.layout.px_path(area.outline)
    canvas.fill(outline, colour, label=label)
    rng = rng_for(spec.seed, area.kind, area.outline)
    mask = canvas.mask(outline)
    grain = 1.6 * noise(rng, canvas.shape, 13) + 1.2 * noise(rng, canvas.shape, 1.0)
    canvas.shade(mask, np.clip(grain, -6, 6).astype(np.float32))
    return outline


def _axes(area: Area, outline: list[Point]) -> tuple[Point, float, Point, Point]:
    """Middle, half length and the two unit vectors along and across an area."""
    xs, ys = [p[0] for p in outline], [p[1] for p in outline]
    middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    c, s = math.cos(math.radians(area.turn_deg)), math.sin(math.radians(area.turn_deg))
    half = max(abs((x - middle[0]) * c + (y - middle[1]) * s) for x, y in outline)
    return middle, half, (c, s), (-s, c)


def paint_tarmac(canvas: Canvas, spec: BoardSpec, area: Area) -> None:
    """Apron of concrete slabs with yellow guide lines."""
    outline = _ground(canvas, spec, area, spec.palette.tarmac, codes.TARMAC)
    canvas.clip = canvas.mask(outline)
    middle, half, along, across = _axes(area, outline)
    step = 0.5 * spec.layout.dy
    for (ax, ay), (bx, by) in ((along, across), (across, along)):
        n = int(2 * half / step) + 2
        for i in range(-n, n + 1):
            x, y = middle[0] + i * step * bx, middle[1] + i * step * by
            path = [(x - 2 * half * ax, y - 2 * half * ay), (x + 2 * half * ax, y + 2 * half * ay)]
            canvas.stroke(path, 1, tint(spec.palette.tarmac, -16), opacity=0.8)
    canvas.clip = None
    canvas.stroke(outline, 2, tint(spec.palette.tarmac, -34), closed=True)


def paint_runway(canvas: Canvas, spec: BoardSpec, area: Area) -> None:
    """Runway with centre line and threshold bars."""
    outline = _ground(canvas, spec, area, spec.palette.runway, codes.RUNWAY)
    canvas.clip = canvas.mask(outline)
    middle, half, (ax, ay), (bx, by) = _axes(area, outline)
    white = (232, 232, 228)
    dy = spec.layout.dy
    at = -half + 0.9 * dy
    while at < half - 0.9 * dy:
        p = (middle[0] + at * ax, middle[1] + at * ay)
        q = (middle[0] + (at + 0.4 * dy) * ax, middle[1] + (at + 0.4 * dy) * ay)
        canvas.stroke([p, q], 3, white)
        at += 0.8 * dy
    for end in (-1, 1):
        for k in (-3, -2, -1, 1, 2, 3):
            off = 0.11 * dy * k
            x, y = (
                middle[0] + end * (half - 0.55 * dy) * ax,
                middle[1] + end * (half - 0.55 * dy) * ay,
            )
            x, y = x + off * bx, y + off * by
            reach = 0.2 * dy
            canvas.stroke(
                [(x - reach * ax, y - reach * ay), (x + reach * ax, y + reach * ay)], 3, white
            )
    canvas.clip = None
    canvas.stroke(outline, 2, tint(spec.palette.runway, 60), closed=True)


def paint_parking(canvas: Canvas, spec: BoardSpec, area: Area) -> None:
    """Car park: bays with cars in some of them."""
    outline = _ground(canvas, spec, area, tint(spec.palette.tarmac, -18), codes.TARMAC)
    rng = rng_for(spec.seed, "cars", area.outline)
    canvas.clip = canvas.mask(outline)
    middle, half, (ax, ay), (bx, by) = _axes(area, outline)
    dy = spec.layout.dy
    bay, deep = 0.17 * dy, 0.3 * dy
    cars = ((176, 60, 54), (70, 96, 140), (226, 224, 218), (60, 62, 66), (196, 168, 84))
    rows = [-1.05, -0.35, 0.35, 1.05]
    for row in rows:
        off = row * 1.25 * deep
        n = int(half / bay)
        for i in range(-n, n):
            x = middle[0] + i * bay * ax + off * bx
            y = middle[1] + i * bay * ay + off * by
            line = [
                (x - 0.5 * deep * bx, y - 0.5 * deep * by),
                (x + 0.5 * deep * bx, y + 0.5 * deep * by),
            ]
            canvas.stroke(line, 1, (236, 236, 230))
            if rng.uniform() < 0.55:
                u, v = x + 0.5 * bay * ax, y + 0.5 * bay * ay
                w, d = 0.3 * bay, 0.34 * deep
                body = [
                    (u + i1 * w * ax + i2 * d * bx, v + i1 * w * ay + i2 * d * by)
                    for i1, i2 in ((-1, -1), (1, -1), (1, 1), (-1, 1))
                ]
                canvas.fill(body, cars[int(rng.integers(len(cars)))])
    canvas.clip = None
    canvas.stroke(outline, 2, tint(spec.palette.tarmac, -50), closed=True)


def paint_plane(canvas: Canvas, spec: BoardSpec, area: Area) -> None:
    """An airliner on its stand, nose towards `turn_deg`; to the terrain it means nothing."""
    x, y = spec.layout.px(*area.outline[0])
    s = 0.5 * spec.layout.dy
    c, d = math.cos(math.radians(area.turn_deg)), math.sin(math.radians(area.turn_deg))

    def at(along: float, across: float, shift: float = 0.0) -> Point:
        return x + s * (along * c - across * d) + shift, y + s * (along * d + across * c) + shift

    wings = [(0.25, 0.05), (-0.25, 1.0), (-0.42, 1.0), (-0.2, 0.05)]
    tail = [(-0.72, 0.04), (-0.98, 0.38), (-1.1, 0.38), (-0.98, 0.04)]
    hull = [(1.05, 0.0), (0.9, 0.1), (-0.7, 0.12), (-1.1, 0.03)]
    white, ink = (240, 240, 236), (86, 90, 98)
    for shift, colour in ((4.0, None), (0.0, white)):
        for part in (wings, tail, hull):
            shape = part + [(a, -b) for a, b in reversed(part)]
            points = [at(a, b, shift) for a, b in shape]
            if colour is None:
                canvas.fill(points, tint(spec.palette.tarmac, -52), opacity=0.6)
            else:
                canvas.fill(points, colour)
                canvas.stroke(points, 1, ink, closed=True)
    canvas.fill(
        [at(-0.62, 0.03), at(-1.12, 0.05), at(-1.12, -0.05), at(-0.62, -0.03)], (186, 60, 52)
    )


def paint_cobbles(canvas: Canvas, spec: BoardSpec, area: Area) -> None:
    """Cobbled square: rows of small stones."""
    outline = _ground(canvas, spec, area, spec.palette.tarmac, codes.TARMAC)
    rng = rng_for(spec.seed, "cobbles", area.outline)
    canvas.clip = canvas.mask(outline)
    xs, ys = [p[0] for p in outline], [p[1] for p in outline]
    step = 0.075 * spec.layout.dy
    y, odd = min(ys), False
    while y < max(ys):
        x = min(xs) + (0.5 * step if odd else 0.0)
        while x < max(xs):
            spot = (x + float(rng.uniform(-0.6, 0.6)), y + float(rng.uniform(-0.6, 0.6)))
            shade = tint(spec.palette.tarmac, float(rng.uniform(-12, 10)))
            canvas.fill(blob(spot, 0.44 * step, rng, points=7), shade)
            x += step
        y, odd = y + 0.86 * step, not odd
    canvas.clip = None
    canvas.stroke(outline, 2, tint(spec.palette.tarmac, -44), closed=True)


def paint_fountain(canvas: Canvas, spec: BoardSpec, area: Area) -> None:
    """A round basin; to the terrain it means nothing."""
    middle, size = spec.layout.px(*area.outline[0]), spec.layout.dy
    for radius, colour in (
        (0.3, tint(spec.palette.tarmac, -70)),
        (0.27, tint(spec.palette.tarmac, 22)),
        (0.2, tint(spec.palette.stream, -30)),
        (0.18, spec.palette.stream),
        (0.06, tint(spec.palette.tarmac, 30)),
    ):
        canvas.disc(middle, radius * size, colour)


def paint_lawn(canvas: Canvas, spec: BoardSpec, area: Area) -> None:
    """Mown grass or a kitchen garden: stripes of two greens."""
    outline = _ground(canvas, spec, area, spec.palette.garden, codes.OPEN)
    canvas.clip = canvas.mask(outline)
    middle, half, (ax, ay), (bx, by) = _axes(area, outline)
    step = 0.16 * spec.layout.dy
    n = int(3 * half / step)
    for i in range(-n, n, 2):
        x, y = middle[0] + i * step * bx, middle[1] + i * step * by
        path = [(x - 2 * half * ax, y - 2 * half * ay), (x + 2 * half * ax, y + 2 * half * ay)]
        canvas.stroke(path, max(1, round(step)), tint(spec.palette.garden, 9), opacity=0.8)
    canvas.clip = None
    canvas.stroke(outline, 1, tint(spec.palette.garden, -40), closed=True)


def paint_copse(canvas: Canvas, spec: BoardSpec, h: Hex, rng: Rng) -> None:
    """Woods from above, as a photograph shows them: crowns with light and shadow."""
    size = spec.layout.dy
    base = spec.palette.woods
    canvas.fill(hex_polygon(spec, h, 0.94), tint(base, -12), label=codes.WOODS)
    spots = [spot_in_hex(spec, h, rng, 0.9) for _ in range(34)]
    for x, y in sorted(spots, key=lambda p: p[1]):
        radius = size * float(rng.uniform(0.09, 0.14))
        tone = tint(base, float(rng.uniform(-10, 12)))
        shadow = [(px + 3, py + 4) for px, py in blob((x, y), radius, rng, points=12)]
        canvas.fill(shadow, tint(base, -44), opacity=0.6, label=codes.WOODS)
        canvas.fill(blob((x, y), radius, rng, points=12), tone, label=codes.WOODS)
        light = blob((x - 0.3 * radius, y - 0.35 * radius), 0.5 * radius, rng, points=9)
        canvas.fill(light, tint(tone, 16), opacity=0.8)
