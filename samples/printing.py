"""What the printer puts over the art: hex grid, labels, centre dots, rings, frame."""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from . import codes
from .canvas import Canvas
from .hexes import Point
from .spec import BoardSpec


def print_grid(canvas: Canvas, spec: BoardSpec) -> None:
    """Thin lines on every hexside of the hex field."""
    left, top, right, bottom = spec.map_area_px
    pad = 1.5 * spec.layout.dy
    box = (left - pad, top - pad, right + pad, bottom + pad)
    alpha = np.zeros(canvas.shape, np.uint8)
    line = cv2.LINE_AA if spec.palette.grid_smooth else cv2.LINE_8
    paths = [
        # half the corners are enough: the neighbours draw the others
        np.rint(np.asarray(spec.layout.corners(h)[:4]) * 16).astype(np.int32)
        for h in spec.layout.hexes_in(box)
    ]
    cv2.polylines(alpha, paths, False, 255, spec.palette.grid_width_px, line, 4)
    area = np.zeros_like(alpha)
    area[max(0, top) : bottom + 1, max(0, left) : right + 1] = 255
    opacity = spec.palette.grid_opacity
    canvas.paint_mask(np.minimum(alpha, area), spec.palette.grid, opacity=opacity)


def print_rings(canvas: Canvas, spec: BoardSpec) -> None:
    """Manhole rings; they mean nothing to the terrain."""
    for u, v in spec.rings:
        x, y = spec.layout.px(u, v)
        radius = 0.13 * spec.layout.dy
        angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        ring = [(x + radius * float(np.cos(t)), y + radius * float(np.sin(t))) for t in angles]
        canvas.stroke(ring, 1, spec.palette.ring, closed=True)


def print_dots(canvas: Canvas, spec: BoardSpec) -> None:
    """A small white cross of five pixels in every hex centre."""
    h, w = canvas.shape
    for hx in spec.layout.hexes_in(spec.map_area_px):
        x, y = (round(c) for c in spec.layout.centre(hx))
        for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
            if 0 <= x + dx < w and 0 <= y + dy < h:
                canvas.rgb[y + dy, x + dx] = spec.palette.dot


def label_anchor(spec: BoardSpec, centre: Point) -> Point:
    """Middle of the label of a hex: below its upper hexside or corner."""
    drop = 0.36 if not spec.layout.sideways else 0.37
    return centre[0], centre[1] - drop * spec.layout.dy


def print_labels(canvas: Canvas, spec: BoardSpec) -> None:
    """Hex names in the font that comes with Pillow."""
    picture = Image.fromarray(canvas.rgb)
    draw = ImageDraw.Draw(picture)
    draw.fontmode = "L" if spec.palette.grid_smooth else "1"
    font = ImageFont.load_default(size=spec.label_size_px)
    left, top, right, bottom = spec.map_area_px
    for hx in spec.layout.hexes_in(spec.map_area_px):
        x, y = label_anchor(spec, spec.layout.centre(hx))
        text = spec.layout.name(hx)
        box = draw.textbbox((x, y), text, font=font, anchor="mm")
        if not spec.names_on_roofs and _touches_roof(canvas, box):
            continue
        if box[0] > left and box[1] > top and box[2] < right and box[3] < bottom:
            halo = spec.palette.halo
            draw.text(
                (x, y),
                text,
                fill=spec.palette.label,
                font=font,
                anchor="mm",
                stroke_width=0 if halo is None else 1,
                stroke_fill=halo,
            )
    canvas.rgb[:] = np.asarray(picture)


def _touches_roof(canvas: Canvas, box: tuple[float, float, float, float]) -> bool:
    """Whether a building was drawn within a few pixels of a box."""
    x0, y0, x1, y1 = (round(v) for v in box)
    part = canvas.labels[max(0, y0 - 5) : y1 + 6, max(0, x0 - 5) : x1 + 6]
    return bool(np.isin(part, codes.BUILDINGS).any())


def print_frame(canvas: Canvas, spec: BoardSpec) -> None:
    """Paper margin with a thin frame round the hex field, when there is a margin."""
    left, top, right, bottom = spec.map_area_px
    h, w = canvas.shape
    if (left, top, right, bottom) == (0, 0, w - 1, h - 1):
        return
    outside = np.ones(canvas.shape, bool)
    outside[top : bottom + 1, left : right + 1] = False
    canvas.rgb[outside] = spec.palette.margin
    canvas.labels[outside] = 0
    cv2.rectangle(canvas.rgb, (left - 2, top - 2), (right + 2, bottom + 2), spec.palette.frame, 3)
