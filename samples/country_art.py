"""Art of an old map: trees and houses drawn from the side, fields, marsh, village.

As on the maps of the seventeenth century, whose engravers looked at the ground from
above and at everything on it from the side.
"""

from __future__ import annotations

import math

import numpy as np

from . import codes
from .canvas import Canvas, Colour, noise
from .hexes import Hex, Point
from .spec import BoardSpec
from .terrain_art import Rng, blob, hex_polygon, spot_in_hex, tint


def _spread(spec: BoardSpec, h: Hex, rng: Rng, n: int, reach: float, apart: float) -> list[Point]:
    """Up to `n` points in a hex, none nearer to another than `apart` of dy, from far to near."""
    out: list[Point] = []
    for _ in range(40 * n):
        p = spot_in_hex(spec, h, rng, reach)
        if all(math.dist(p, q) >= apart * spec.layout.dy for q in out):
            out.append(p)
        if len(out) == n:
            break
    return sorted(out, key=lambda p: p[1])


def _tree(canvas: Canvas, foot: Point, height_px: float, colour: Colour, rng: Rng) -> None:
    """A tree seen from the side: shadow, trunk, crown lit from the left."""
    x, y = foot
    radius = 0.42 * height_px
    top = (x, y - 0.62 * height_px)
    shadow = [(x - 1, y), (x + 0.9 * height_px, y - 0.12 * height_px), (x + 2, y + 2)]
    canvas.fill(shadow, tint(colour, -30), opacity=0.55, label=codes.WOODS)
    canvas.stroke([foot, top], 2, (84, 62, 40), label=codes.WOODS)
    crown = blob(top, radius, rng, rough=0.16, points=11)
    canvas.fill(crown, colour, label=codes.WOODS)
    shade = [(px + 0.28 * radius, py + 0.22 * radius) for px, py in crown]
    canvas.fill(
        [(0.55 * px + 0.45 * top[0], 0.55 * py + 0.45 * top[1]) for px, py in shade],
        tint(colour, -22),
        opacity=0.9,
    )
    canvas.stroke(crown, 1, tint(colour, -62), closed=True)
    canvas.stroke(
        blob((top[0] - 0.3 * radius, top[1] - 0.3 * radius), 0.3 * radius, rng, points=7)[2:6],
        1,
        tint(colour, 34),
    )


def paint_grove(canvas: Canvas, spec: BoardSpec, h: Hex, rng: Rng) -> None:
    """Woods: a green wash with trees on it."""
    wash = tint(spec.palette.woods, 34)
    canvas.fill(hex_polygon(spec, h, 1.0), wash, label=codes.WOODS)
    for foot in _spread(spec, h, rng, 13, 0.86, 0.19):
        height = spec.layout.dy * float(rng.uniform(0.24, 0.31))
        at = (foot[0], foot[1] + 0.3 * height)
        _tree(canvas, at, height, tint(spec.palette.woods, float(rng.uniform(-8, 8))), rng)


def _cottage(canvas: Canvas, spec: BoardSpec, foot: Point, size: float, rng: Rng) -> None:
    """A cottage seen from the side: white wall, red roof, a chimney."""
    x, y = foot
    wall, roof = (238, 226, 204), tint(spec.palette.tile, float(rng.uniform(-10, 10)))
    wide, tall = size, 0.42 * size
    ink = (74, 48, 34)
    canvas.fill([(x, y), (x + wide, y - 2), (x + wide + 3, y + 2)], (120, 96, 70), opacity=0.5)
    front = [(x, y), (x + wide, y), (x + wide, y - tall), (x, y - tall)]
    canvas.fill(front, wall)
    canvas.stroke(front, 1, ink, closed=True)
    gable = [
        (x - 1.5, y - tall),
        (x + 0.16 * wide, y - tall - 0.5 * size),
        (x + 0.84 * wide, y - tall - 0.5 * size),
        (x + wide + 1.5, y - tall),
    ]
    canvas.fill(gable, roof)
    canvas.stroke(gable, 1, ink, closed=True)
    canvas.stroke([(x + 0.3 * wide, y), (x + 0.3 * wide, y - 0.7 * tall)], 2, ink)
    canvas.fill(
        [
            (x + 0.66 * wide, y - tall - 0.68 * size),
            (x + 0.76 * wide, y - tall - 0.68 * size),
            (x + 0.76 * wide, y - tall - 0.36 * size),
            (x + 0.66 * wide, y - tall - 0.36 * size),
        ],
        ink,
    )


def paint_village(canvas: Canvas, spec: BoardSpec, h: Hex, rng: Rng) -> None:
    """A whole hex of houses, on the rose wash by which old maps show what is built over."""
    canvas.fill(hex_polygon(spec, h, 1.0), spec.palette.village, label=codes.VILLAGE)
    for x, y in _spread(spec, h, rng, 6, 0.72, 0.3):
        size = spec.layout.dy * float(rng.uniform(0.17, 0.21))
        _cottage(canvas, spec, (x - 0.5 * size, y + 0.4 * size), size, rng)


def paint_church(canvas: Canvas, spec: BoardSpec, h: Hex, rng: Rng) -> None:
    """A hex of the village with its church."""
    canvas.fill(hex_polygon(spec, h, 1.0), spec.palette.village, label=codes.VILLAGE)
    x, y = spec.layout.centre(h)
    s = spec.layout.dy
    ink = (74, 48, 34)
    for side in (-1, 1):
        spot = (x + side * 0.34 * s - 0.08 * s, y + 0.3 * s)
        _cottage(canvas, spec, spot, 0.17 * s, rng)
    nave = (x - 0.06 * s, y + 0.2 * s)
    _cottage(canvas, spec, nave, 0.34 * s, rng)
    tower = [
        (x - 0.2 * s, y + 0.2 * s),
        (x - 0.05 * s, y + 0.2 * s),
        (x - 0.05 * s, y - 0.12 * s),
        (x - 0.2 * s, y - 0.12 * s),
    ]
    canvas.fill(tower, (226, 214, 196))
    canvas.stroke(tower, 1, ink, closed=True)
    spire = [
        (x - 0.22 * s, y - 0.12 * s),
        (x - 0.125 * s, y - 0.36 * s),
        (x - 0.03 * s, y - 0.12 * s),
    ]
    canvas.fill(spire, tint(spec.palette.tile, -30))
    canvas.stroke(spire, 1, ink, closed=True)


def paint_marsh(canvas: Canvas, spec: BoardSpec, h: Hex, rng: Rng) -> None:
    """Wet ground: level strokes of water with tufts of reed."""
    canvas.fill(hex_polygon(spec, h, 0.98), spec.palette.marsh, label=codes.MARSH)
    for x, y in _spread(spec, h, rng, 12, 0.8, 0.16):
        half = spec.layout.dy * float(rng.uniform(0.06, 0.1))
        canvas.stroke([(x - half, y), (x + half, y)], 1, tint(spec.palette.stream, -30))
        for lean in (-2, 0, 2):
            canvas.stroke([(x, y), (x + lean, y - 5)], 1, tint(spec.palette.woods, -10))


def paint_garden(canvas: Canvas, spec: BoardSpec, h: Hex, rng: Rng) -> None:
    """Beds of a kitchen garden; to a line of sight open ground."""
    canvas.fill(hex_polygon(spec, h, 0.86), spec.palette.garden)
    x, y = spec.layout.centre(h)
    s = spec.layout.dy
    for i in range(-2, 3):
        row = y + 0.13 * s * i
        canvas.stroke([(x - 0.3 * s, row), (x + 0.3 * s, row)], 2, tint(spec.palette.garden, -34))


def _furrows(
    canvas: Canvas, spec: BoardSpec, h: Hex, rng: Rng, colour: Colour, turn_deg: float
) -> None:
    """A hex of tilled land; furrows run on from hex to hex."""
    outline = hex_polygon(spec, h, 1.0)
    canvas.fill(outline, colour, label=codes.PLOWED_FIELD)
    canvas.clip = canvas.mask(outline)
    canvas.shade(canvas.clip, (2.0 * noise(rng, canvas.shape, 9)).astype(np.float32))
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    x, y = spec.layout.centre(h)
    reach, step = 0.8 * spec.layout.dy, 0.09 * spec.layout.dy
    across = -x * s + y * c
    for i in range(math.ceil((across - reach) / step), math.floor((across + reach) / step) + 1):
        off = i * step - across
        p = (x - reach * c - off * s, y - reach * s + off * c)
        q = (x + reach * c - off * s, y + reach * s + off * c)
        canvas.stroke([p, q], 1, tint(colour, -26), opacity=0.7)
    canvas.clip = None


def paint_plough(canvas: Canvas, spec: BoardSpec, h: Hex, rng: Rng) -> None:
    """Ploughed land."""
    _furrows(canvas, spec, h, rng, spec.palette.field, 24.0)


def paint_stubble(canvas: Canvas, spec: BoardSpec, h: Hex, rng: Rng) -> None:
    """A field after the harvest, tilled another way than its neighbour."""
    _furrows(canvas, spec, h, rng, tint(spec.palette.field, 7), -38.0)
