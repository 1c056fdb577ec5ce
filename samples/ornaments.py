"""What an engraver puts into the margin: title, compass rose, scale, a frame of bars."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from .canvas import Canvas
from .hexes import Point
from .spec import BoardSpec
from .terrain_art import tint


def _graticule(canvas: Canvas, spec: BoardSpec, at: Point) -> None:
    """A frame of dark and light bars; `at` holds its distance from the map and its breadth."""
    gap, wide = at
    left, top, right, bottom = spec.map_area_px
    x0, y0, x1, y1 = left - gap - wide, top - gap - wide, right + gap + wide, bottom + gap + wide
    ink, paper = spec.palette.frame, tint(spec.palette.margin, 6)
    step = 0.75 * spec.layout.dx
    for horizontal, (a, b) in ((True, (x0, x1)), (False, (y0, y1))):
        n = max(2, 2 * round((b - a) / step / 2) + 1)
        for i in range(n):
            s, t = a + i * (b - a) / n, a + (i + 1) * (b - a) / n
            for low in (True, False):
                edge = (y0 if low else y1 - wide) if horizontal else (x0 if low else x1 - wide)
                box = (s, edge, t, edge + wide) if horizontal else (edge, s, edge + wide, t)
                canvas.fill(_rect(*box), ink if i % 2 == 0 else paper, smooth=False)
    for grow in (0.0, wide):
        inner = _rect(x0 + wide - grow, y0 + wide - grow, x1 - wide + grow, y1 - wide + grow)
        canvas.stroke(inner, 1, ink, closed=True, smooth=False)


def _rect(x0: float, y0: float, x1: float, y1: float) -> list[Point]:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _compass(canvas: Canvas, spec: BoardSpec, at: Point) -> None:
    """A rose of eight points; north is up."""
    ink = spec.palette.frame
    radius = 0.52 * spec.layout.dy
    for k in (1, 3, 5, 7, 0, 2, 4, 6):
        angle = k * math.pi / 4 - math.pi / 2
        reach = radius if k % 2 == 0 else 0.62 * radius
        tip = (at[0] + reach * math.cos(angle), at[1] + reach * math.sin(angle))
        for side, colour in ((-1, ink), (1, tint(spec.palette.margin, 8))):
            turn = angle + side * math.pi / 8
            waist = (
                at[0] + 0.24 * radius * math.cos(turn),
                at[1] + 0.24 * radius * math.sin(turn),
            )
            canvas.fill([at, tip, waist], colour)
            canvas.stroke([at, tip, waist], 1, ink, closed=True)
    ring = [
        (at[0] + 0.74 * radius * math.cos(t), at[1] + 0.74 * radius * math.sin(t))
        for t in np.linspace(0, 2 * math.pi, 48, endpoint=False).tolist()
    ]
    canvas.stroke(ring, 1, ink, closed=True)
    _text(canvas, "N", (at[0], at[1] - radius - 8), 12, ink)


def _title(canvas: Canvas, spec: BoardSpec, at: Point) -> None:
    """The name of the map in letters wide apart, between two rules."""
    size = round(0.4 * spec.layout.dy)
    text = "  ".join(" ".join(word.upper()) for word in spec.title.split())
    _text(canvas, text, at, size, spec.palette.frame)
    half = 0.5 * _width(text, size)
    for side in (-1, 1):
        x = at[0] + side * (half + 18)
        path = [(x, at[1]), (x + side * 1.6 * spec.layout.dx, at[1])]
        canvas.stroke(path, 1, spec.palette.frame)
        dot = (x + side * 0.8 * spec.layout.dx, at[1])
        canvas.fill(
            [
                (dot[0] - 5, dot[1]),
                (dot[0], dot[1] - 5),
                (dot[0] + 5, dot[1]),
                (dot[0], dot[1] + 5),
            ],
            spec.palette.frame,
        )


def _scale(canvas: Canvas, spec: BoardSpec, at: Point) -> None:
    """A bar of five hexes."""
    ink, step = spec.palette.frame, spec.layout.dy
    for i in range(5):
        box = _rect(at[0] + i * step, at[1] - 3, at[0] + (i + 1) * step, at[1] + 3)
        canvas.fill(box, ink if i % 2 == 0 else spec.palette.margin, smooth=False)
        canvas.stroke(box, 1, ink, closed=True, smooth=False)
    _text(canvas, "five hexes", (at[0] + 2.5 * step, at[1] + 14), 12, ink)


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=size)


def _width(text: str, size: int) -> float:
    return float(_font(size).getlength(text))


def _text(canvas: Canvas, text: str, at: Point, size: int, colour: tuple[int, int, int]) -> None:
    picture = Image.fromarray(canvas.rgb)
    ImageDraw.Draw(picture).text(at, text, fill=colour, font=_font(size), anchor="mm")
    canvas.rgb[:] = np.asarray(picture)


ORNAMENTS: dict[str, Callable[[Canvas, BoardSpec, Point], None]] = {
    "graticule": _graticule,
    "compass": _compass,
    "title": _title,
    "scale": _scale,
}


def paint_ornaments(canvas: Canvas, spec: BoardSpec) -> None:
    """All ornaments of a board, which mean nothing to the terrain."""
    for kind, at in spec.ornaments:
        ORNAMENTS[kind](canvas, spec, at)
