"""Art of buildings: outlines, roofs, roofless floors, black bars, stairwell squares."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np

from . import codes
from .canvas import U8, Canvas, Colour, noise, rng_for
from .facts import BarFact, BuildingFact
from .hexes import Hex, Point, turned
from .spec import BoardSpec, Building, Opening, Roof
from .terrain_art import Rng, blob, tint


class RoofFrame:
    """Local frame of a roof rectangle: `s` runs along its lines, `t` across, both in px."""

    def __init__(self, spec: BoardSpec, roof: Roof) -> None:
        u0, v0, u1, v1 = roof.box
        middle = spec.layout.px((u0 + u1) / 2, (v0 + v1) / 2)
        corner, side_u, side_v = (
            np.array(turned(spec.layout.px(*p), middle, roof.turn_deg))
            for p in ((u0, v0), (u1, v0), (u0, v1))
        )
        eu, ev = side_u - corner, side_v - corner
        es, et = (eu, ev) if roof.along == "u" else (ev, eu)
        self._o = corner
        self.length, self.breadth = float(np.hypot(*es)), float(np.hypot(*et))
        self._es, self._et = es / self.length, et / self.breadth

    def at(self, s: float, t: float) -> Point:
        """Pixel point of a place in the frame."""
        x, y = self._o + s * self._es + t * self._et
        return float(x), float(y)

    def rect(self, s0: float, t0: float, s1: float, t1: float) -> list[Point]:
        """Pixel polygon of a rectangle of the frame."""
        return [self.at(s0, t0), self.at(s1, t0), self.at(s1, t1), self.at(s0, t1)]


def _planks(canvas: Canvas, f: RoofFrame, base: Colour, rng: Rng) -> None:
    t = 0.0
    while t < f.breadth:
        step = float(rng.uniform(5.0, 7.5))
        canvas.fill(f.rect(0, t, f.length, t + step), tint(base, float(rng.uniform(-14, 12))))
        canvas.stroke([f.at(0, t), f.at(f.length, t)], 1, tint(base, -58))
        t += step
    for _ in range(int(f.length * f.breadth / 900)):
        s, t = float(rng.uniform(0, f.length)), float(rng.uniform(0, f.breadth))
        canvas.stroke([f.at(s, t), f.at(s + 11, t)], 2, tint(base, -42))


def _ridge(canvas: Canvas, f: RoofFrame, base: Colour, rng: Rng) -> None:
    half = f.breadth / 2
    canvas.fill(f.rect(0, 0, f.length, half), tint(base, 13))
    canvas.fill(f.rect(0, half, f.length, f.breadth), tint(base, -17))
    s = 4.0
    while s < f.length:
        canvas.stroke([f.at(s, 0), f.at(s, f.breadth)], 1, tint(base, -34), opacity=0.8)
        s += float(rng.uniform(5.5, 7.5))
    canvas.stroke([f.at(0, half), f.at(f.length, half)], 4, tint(base, -52))
    canvas.stroke([f.at(0, half - 1), f.at(f.length, half - 1)], 1, tint(base, 30))


def _skylights(canvas: Canvas, f: RoofFrame, base: Colour, rng: Rng) -> None:
    canvas.fill(f.rect(0, 0, f.length, f.breadth), tint(base, -8))
    rows = max(1, int(f.breadth / 26))
    n = max(1, int(f.length / 34))
    for row in range(rows):
        t0 = (row + 0.22) * f.breadth / rows
        t1 = (row + 0.78) * f.breadth / rows
        for i in range(n):
            s0, s1 = (i + 0.14) * f.length / n, (i + 0.86) * f.length / n
            pane = f.rect(s0, t0, s1, t1)
            canvas.fill(pane, tint(base, 34 + float(rng.uniform(-8, 8))))
            canvas.stroke(pane, 2, tint(base, -56), closed=True)
            canvas.stroke([f.at(s0 + 4, t1 - 2), f.at(s0 + 10, t0 + 2)], 1, tint(base, 62))


def _sawtooth(canvas: Canvas, f: RoofFrame, base: Colour, rng: Rng) -> None:
    canvas.fill(f.rect(0, 0, f.length, f.breadth), base)
    s = 0.0
    while s < f.length:
        canvas.fill(f.rect(s, 1, s + 4, f.breadth - 1), tint(base, -50))
        canvas.fill(f.rect(s + 4, 1, s + 8, f.breadth - 1), tint(base, 26))
        s += 11 + float(rng.uniform(-0.5, 0.5))
    canvas.stroke(f.rect(0, 0, f.length, f.breadth), 2, tint(base, -55), closed=True)


def _slate(canvas: Canvas, f: RoofFrame, base: Colour, rng: Rng) -> None:
    canvas.fill(f.rect(0, 0, f.length, f.breadth), base)
    t, row = 0.0, 0
    while t < f.breadth:
        canvas.stroke([f.at(0, t), f.at(f.length, t)], 1, tint(base, -30))
        s = 5.0 if row % 2 else 0.0
        while s < f.length:
            shade = tint(base, float(rng.uniform(-15, 15)))
            canvas.fill(f.rect(s + 1, t + 1, s + 9, t + 6), shade, opacity=0.8)
            s += 10
        t, row = t + 6.5, row + 1


def _panels(canvas: Canvas, f: RoofFrame, base: Colour, rng: Rng) -> None:
    canvas.fill(f.rect(0, 0, f.length, f.breadth), tint(base, -46))
    n, m = max(1, round(f.length / 42)), max(1, round(f.breadth / 36))
    for i in range(n):
        for j in range(m):
            s0, s1 = i * f.length / n + 3, (i + 1) * f.length / n - 3
            t0, t1 = j * f.breadth / m + 3, (j + 1) * f.breadth / m - 3
            canvas.fill(f.rect(s0, t0, s1, t1), tint(base, float(rng.uniform(-6, 16))))
            for k in range(1, 5):
                t = t0 + k * (t1 - t0) / 5
                canvas.stroke([f.at(s0, t), f.at(s1, t)], 1, tint(base, -24), opacity=0.8)


def _barrel(canvas: Canvas, f: RoofFrame, base: Colour, rng: Rng) -> None:
    """Vaulted sheet metal: lit along the crown, dark along the eaves, ribs across."""
    n = 14
    for i in range(n):
        t0, t1 = i * f.breadth / n, (i + 1) * f.breadth / n
        lit = math.cos(math.pi * ((i + 0.5) / n - 0.42))
        canvas.fill(f.rect(0, t0, f.length, t1), tint(base, 44 * lit - 26))
    s = 0.0
    while s < f.length:
        canvas.stroke([f.at(s, 0), f.at(s, f.breadth)], 1, tint(base, -34), opacity=0.55)
        s += 7.0
    for s in (2.0, f.length - 2.0):
        canvas.stroke([f.at(s, 0), f.at(s, f.breadth)], 3, tint(base, -48))


def _deck(canvas: Canvas, f: RoofFrame, base: Colour, rng: Rng) -> None:
    """Flat roof: gravel, a parapet, machines of the air conditioning."""
    canvas.fill(f.rect(0, 0, f.length, f.breadth), base)
    inner = f.rect(5, 5, f.length - 5, f.breadth - 5)
    canvas.stroke(inner, 2, tint(base, -40), closed=True)
    canvas.stroke(f.rect(3, 3, f.length - 3, f.breadth - 3), 1, tint(base, 34), closed=True)
    for _ in range(max(1, int(f.length * f.breadth / 2600))):
        w, h = float(rng.uniform(8, 15)), float(rng.uniform(7, 11))
        if f.length < w + 24 or f.breadth < h + 24:
            continue
        s = float(rng.uniform(12, f.length - w - 12))
        t = float(rng.uniform(12, f.breadth - h - 12))
        canvas.fill(f.rect(s + 3, t + 4, s + w + 3, t + h + 4), tint(base, -46), opacity=0.8)
        canvas.fill(f.rect(s, t, s + w, t + h), tint(base, 26))
        canvas.stroke(f.rect(s, t, s + w, t + h), 1, tint(base, -60), closed=True)


ROOFS: dict[str, Callable[[Canvas, RoofFrame, Colour, Rng], None]] = {
    "planks": _planks,
    "ridge": _ridge,
    "skylights": _skylights,
    "sawtooth": _sawtooth,
    "slate": _slate,
    "panels": _panels,
    "barrel": _barrel,
    "deck": _deck,
}


def _grain(canvas: Canvas, mask: U8, rng: Rng, spread: float) -> None:
    streaks = noise(rng, canvas.shape, 1.0)
    streaks = np.asarray(cv2.blur(streaks, (5, 1)) * 2.2, np.float32)
    canvas.shade(mask, (spread * np.clip(streaks, -2.5, 2.5)).astype(np.float32))


def paint_building(canvas: Canvas, spec: BoardSpec, fact: BuildingFact) -> None:
    """Outline, roofs and roofless floors of one building, and its labels."""
    building = fact.spec
    rng = rng_for(spec.seed, "building", building.id)
    base = building.colour or (
        spec.palette.stone_roof if building.material == "stone" else spec.palette.wood_roof
    )
    outline = spec.layout.px_path(building.outline)
    label = codes.building_code(
        building.material, factory=fact.factory, height_half=fact.height_half
    )
    canvas.fill(outline, base, smooth=False, label=label)
    hard = canvas.mask(outline)
    canvas.clip = hard
    for roof in building.roofs:
        frame = RoofFrame(spec, roof)
        ROOFS[roof.kind](canvas, frame, tint(base, roof.shade), rng)
    _grain(canvas, hard, rng, 7.0)
    for polygon in fact.roofless_px:
        _paint_roofless(canvas, spec, fact, polygon, rng)
    canvas.stroke(outline, 4, tint(base, -74), closed=True, smooth=False)
    canvas.clip = None
    for opening in building.openings:
        _paint_opening(canvas, spec, building, opening)


def _paint_opening(canvas: Canvas, spec: BoardSpec, building: Building, opening: Opening) -> None:
    """Door or window: a light sill behind the wall, of wood where it is a door."""
    x, y = spec.layout.px(*opening.middle)
    outline = spec.layout.px_path(building.outline)
    p, q = min(zip(outline, outline[1:] + outline[:1], strict=True), key=lambda e: _off(e, (x, y)))
    length = math.dist(p, q)
    ax, ay = (q[0] - p[0]) / length, (q[1] - p[1]) / length
    half = 0.5 * opening.width * spec.layout.dy
    ends = [(x - half * ax, y - half * ay), (x + half * ax, y + half * ay)]
    light = (246, 238, 206) if opening.kind == "window" else (214, 170, 104)
    for shift in (4.0, 5.0):
        # Inside the dark line of the wall, so that the outline stays whole.
        inner = [(u - shift * ay, v + shift * ax) for u, v in ends]
        canvas.stroke(inner, 3, light, smooth=False)


def _off(edge: tuple[Point, Point], at: Point) -> float:
    """Distance of a point from an edge, in px."""
    (px, py), (qx, qy) = edge
    dx, dy = qx - px, qy - py
    t = ((at[0] - px) * dx + (at[1] - py) * dy) / (dx * dx + dy * dy)
    t = min(1.0, max(0.0, t))
    return math.hypot(at[0] - px - t * dx, at[1] - py - t * dy)


def _paint_roofless(
    canvas: Canvas, spec: BoardSpec, fact: BuildingFact, polygon: list[Point], rng: Rng
) -> None:
    """Debris-strewn floor with a jagged dark inner roof edge, painted inside the current clip."""
    floor = spec.palette.floor
    code = codes.roofless_code(fact.height_half)
    canvas.fill(polygon, floor, smooth=False, label=code)
    area = canvas.mask(polygon)
    texture = 7 * noise(rng, canvas.shape, 9) + 5 * noise(rng, canvas.shape, 1.0)
    canvas.shade(area, np.clip(texture, -20, 20).astype(np.float32))
    ys, xs = np.nonzero(area)
    if len(xs) == 0:
        return
    for _ in range(max(6, len(xs) // 420)):
        i = int(rng.integers(len(xs)))
        p = (float(xs[i]), float(ys[i]))
        length, angle = float(rng.uniform(6, 26)), float(rng.uniform(0, 2 * math.pi))
        q = (p[0] + length * math.cos(angle), p[1] + length * math.sin(angle))
        canvas.stroke([p, q], int(rng.integers(1, 3)), tint(floor, float(rng.uniform(-88, -52))))
    for _ in range(len(xs) // 700):
        i = int(rng.integers(len(xs)))
        chunk = blob(
            (float(xs[i]), float(ys[i])), float(rng.uniform(2, 4)), rng, rough=0.4, points=6
        )
        canvas.fill(chunk, tint(floor, float(rng.uniform(10, 30))))
        canvas.stroke(chunk, 1, tint(floor, -60), closed=True)
    _roof_edge(canvas, spec, polygon, rng, fact.spec.material)


def _roof_edge(
    canvas: Canvas, spec: BoardSpec, polygon: list[Point], rng: Rng, material: str
) -> None:
    """Broken rim: a dark line of uneven width, splinters, and torn roof hanging over it."""
    roof = spec.palette.stone_roof if material == "stone" else spec.palette.wood_roof
    rim = tint(roof, -62)
    n = len(polygon)
    for i, p in enumerate(polygon):
        q = polygon[(i + 1) % n]
        canvas.stroke([p, q], int(rng.integers(2, 5)), rim)
        if rng.uniform() < 0.3:
            # splinters stick out both ways: art that means nothing for LOS (O5.43)
            angle = math.atan2(q[1] - p[1], q[0] - p[0]) + math.pi / 2
            for sign in (1, -1):
                reach = float(rng.uniform(3, 9)) * sign
                lean = angle + float(rng.uniform(-0.5, 0.5))
                canvas.stroke(
                    [p, (p[0] + reach * math.cos(lean), p[1] + reach * math.sin(lean))], 2, rim
                )
        if rng.uniform() < 0.08:
            flap = blob(p, float(rng.uniform(3, 6)), rng, rough=0.5, points=7)
            canvas.fill(flap, tint(roof, -18))
            canvas.stroke(flap, 1, rim, closed=True)


def paint_bars(canvas: Canvas, spec: BoardSpec, fact: BuildingFact) -> None:
    """Black bars of one building, mitred by round joints where they meet."""
    code = codes.bar_code(fact.height_half)
    width = spec.bar_width * spec.layout.dy
    canvas.clip = canvas.mask(spec.layout.px_path(fact.spec.outline))
    for bar in fact.bars:
        canvas.fill(_bar_polygon(bar, width), spec.palette.bar, label=code)
    ends = [p for bar in fact.bars for p, at in zip(bar.ends_px, bar.reaches, strict=True) if at]
    for i, p in enumerate(ends):
        if any(math.dist(p, q) < 0.1 for q in ends[:i]):
            canvas.disc(p, width / 2, spec.palette.bar, label=code)
    canvas.clip = None


def _bar_polygon(bar: BarFact, width: float) -> list[Point]:
    (x0, y0), (x1, y1) = bar.ends_px
    length = math.dist(*bar.ends_px)
    ex, ey = (x1 - x0) / length, (y1 - y0) / length
    # printed bars run a hair past the vertex they reach
    over = [0.17 * width if at else 0.0 for at in bar.reaches]
    x0, y0 = x0 - over[0] * ex, y0 - over[0] * ey
    x1, y1 = x1 + over[1] * ex, y1 + over[1] * ey
    nx, ny = -ey * width / 2, ex * width / 2
    return [(x0 + nx, y0 + ny), (x1 + nx, y1 + ny), (x1 - nx, y1 - ny), (x0 - nx, y0 - ny)]


def paint_stairwells(
    canvas: Canvas, spec: BoardSpec, building: Building, by_name: dict[str, Hex]
) -> None:
    """White square with a thin dark outline near the hex centre."""
    half = spec.stair_size_px / 2
    for name in building.stairwells:
        rng = rng_for(spec.seed, "stairwell", name)
        x, y = spec.layout.centre(by_name[name])
        x, y = x + float(rng.uniform(-1.5, 1.5)), y + float(rng.uniform(-1.5, 1.5))
        square = [
            (x - half, y - half),
            (x + half, y - half),
            (x + half, y + half),
            (x - half, y + half),
        ]
        canvas.fill(square, (252, 252, 252), smooth=False)
        canvas.stroke(square, 1, (48, 48, 48), closed=True, smooth=False)
