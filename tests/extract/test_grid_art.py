"""Pictures for the tests of the grid search, drawn here, with and without a hex grid."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.model.layout import Layout

Picture = NDArray[np.uint8]
SHIFT = 6  # sub-pixel bits of OpenCV's drawing


def ground(size: tuple[int, int], seed: int = 1, *, busy: bool = True) -> Picture:
    """A landscape without a grid: blotches, woods, roads, buildings."""
    width, height = size
    rng = np.random.default_rng(seed)
    coarse = rng.normal(0, 1, (height // 24 + 2, width // 24 + 2)).astype(np.float32)
    soft = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    out = np.empty((height, width, 3), np.float32)
    out[:] = (176, 190, 112)
    out += 7 * soft[..., None] + rng.normal(0, 2, (height, width, 1))
    picture = np.clip(out, 0, 255).astype(np.uint8)
    if not busy:
        return picture
    area = width * height
    for _ in range(area // 30_000):
        x, y = rng.integers(0, width), rng.integers(0, height)
        for _ in range(12):
            dx, dy = rng.normal(0, 16, 2)
            shade = int(rng.integers(50, 110))
            cv2.circle(picture, (int(x + dx), int(y + dy)), int(rng.integers(3, 9)),
                       (shade // 2, shade, shade // 3), -1, cv2.LINE_AA)  # fmt: skip
    for _ in range(area // 60_000):
        x, y = rng.integers(0, width), rng.integers(0, height)
        box = ((float(x), float(y)), (float(rng.integers(20, 60)), float(rng.integers(15, 40))),
               float(rng.integers(0, 180)))  # fmt: skip
        points = cv2.boxPoints(box).astype(np.int32)
        cv2.fillPoly(picture, [points], (120, 110, 104), cv2.LINE_AA)
        cv2.polylines(picture, [points], True, (30, 30, 30), 2, cv2.LINE_AA)
    for _ in range(max(1, area // 200_000)):
        a, b = rng.integers(0, width, 2), rng.integers(0, height, 2)
        cv2.line(picture, (int(a[0]), int(b[0])), (int(a[1]), int(b[1])), (214, 208, 190), 9,
                 cv2.LINE_AA)  # fmt: skip
    return picture


def _fixed(point: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0]) * 2**SHIFT), round(float(point[1]) * 2**SHIFT)


def _stroke(
    picture: Picture,
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    color: tuple[int, int, int],
    width: int,
) -> None:
    cv2.line(picture, _fixed(a), _fixed(b), color, width, cv2.LINE_AA, SHIFT)


def print_grid(
    picture: Picture,
    layout: Layout,
    *,
    style: str = "lines",
    color: tuple[int, int, int] = (20, 20, 20),
    width: int = 1,
    box: tuple[float, float, float, float] | None = None,
    opacity: float = 1.0,
) -> Picture:
    """The picture with a hex grid printed on it, also on half hexes at the rim.

    Styles: ``lines``, ``dashed``, ``ticks`` (a quarter of each side from every
    corner), ``dots`` (at the centres), ``corners`` (dots at the corners).
    """
    height, wide = picture.shape[:2]
    out = picture.copy()
    left, top, right, bottom = box or (-0.5, -0.5, wide - 0.5, height - 0.5)
    reach = layout.dy
    bigger = Layout(
        (layout.origin_px[0] + reach, layout.origin_px[1] + reach),
        layout.col_px,
        layout.row_px,
        layout.sideways,
    )
    for col, row in bigger.hexes_on((int(wide + 2 * reach), int(height + 2 * reach))):
        x, y = layout.centre(col, row)
        if box and not (left <= x <= right and top <= y <= bottom):
            continue
        corners = layout.corners(col, row)
        if style == "dots":
            cv2.circle(out, _fixed(np.array([x, y])), (width + 1) << SHIFT, color, -1,
                       cv2.LINE_AA, SHIFT)  # fmt: skip
            continue
        for d in range(6):
            a, b = corners[d], corners[(d + 1) % 6]
            if style == "corners":
                cv2.circle(out, _fixed(a), (width + 1) << SHIFT, color, -1, cv2.LINE_AA, SHIFT)
            elif d in (0, 1, 2) or box:
                if style == "lines":
                    _stroke(out, a, b, color, width)
                elif style == "ticks":
                    _stroke(out, a, a + 0.25 * (b - a), color, width)
                    _stroke(out, b + 0.25 * (a - b), b, color, width)
                elif style == "dashed":
                    n = max(3, round(math.dist(a, b) / 8)) | 1
                    for k in range(0, n, 2):
                        _stroke(out, a + (b - a) * k / n, a + (b - a) * (k + 1) / n, color, width)
    if opacity < 1:
        mixed = picture + opacity * (out.astype(np.float32) - picture)
        return np.rint(mixed).astype(np.uint8)
    return out


def worst_px(truth: Layout, found: Layout, size: tuple[int, int]) -> float:
    """Largest distance from a true hex centre on the picture to the nearest found one."""
    if truth.sideways != found.sideways:
        return math.inf
    centres = np.array([truth.centre(c, r) for c, r in truth.hexes_on(size)])
    near = found.pixel_to_hex(centres)
    there = np.array([found.centre(int(c), int(r)) for c, r in near])
    return float(np.hypot(*(there - centres).T).max())


def brick_wall(size: tuple[int, int], brick: tuple[int, int]) -> Picture:
    """Bricks in running bond: offset columns of rectangles, as a hex grid has offset hexes."""
    out = np.full((size[1], size[0], 3), 200, np.uint8)
    w, h = brick
    for j, y in enumerate(range(0, size[1], h)):
        cv2.line(out, (0, y), (size[0], y), (40, 40, 40), 1)
        for x in range((j % 2) * (w // 2), size[0], w):
            cv2.line(out, (x, y), (x, y + h), (40, 40, 40), 1)
    return out


def triangles(size: tuple[int, int], side: int) -> Picture:
    """Equilateral triangles: every hexside is there, and so are all its continuations."""
    out = np.full((size[1], size[0], 3), 200, np.uint8)
    rise = side * math.sqrt(3) / 2
    for k in range(int(size[1] / rise) + 2):
        y = k * rise
        _stroke(out, np.array([0, y]), np.array([size[0], y]), (40, 40, 40), 1)
    lean = size[1] / math.sqrt(3)
    for k in range(-int(lean / side) - 2, int((size[0] + lean) / side) + 2):
        for way in (1, -1):
            _stroke(out, np.array([k * side, 0.0]), np.array([k * side + way * lean, size[1]]),
                    (40, 40, 40), 1)  # fmt: skip
    return out


def squares(size: tuple[int, int], side: int, turn_deg: float = 0.0) -> Picture:
    """Square paper, also turned into diamonds."""
    out = np.full((size[1], size[0], 3), 205, np.uint8)
    reach = size[0] + size[1]
    a = math.radians(turn_deg)
    u, v = np.array([math.cos(a), math.sin(a)]), np.array([-math.sin(a), math.cos(a)])
    for k in range(-(reach // side), reach // side):
        _stroke(out, k * side * u - reach * v, k * side * u + reach * v, (60, 60, 60), 1)
        _stroke(out, k * side * v - reach * u, k * side * v + reach * u, (60, 60, 60), 1)
    return out


def octagons(size: tuple[int, int], side: int) -> Picture:
    """Octagons and small squares."""
    out = np.full((size[1], size[0], 3), 205, np.uint8)
    p, q = round(0.3 * side), round(0.7 * side)
    ring = np.array([(p, 0), (q, 0), (side, p), (side, q), (q, side), (p, side), (0, q), (0, p)])
    for x in range(0, size[0], side):
        for y in range(0, size[1], side):
            cv2.polylines(out, [ring + (x, y)], True, (50, 50, 50), 1, cv2.LINE_AA)
    return out


def cubes(size: tuple[int, int], side: int) -> Picture:
    """Stacked cubes: hexagons with a three-armed star in each."""
    out = np.full((size[1], size[0], 3), 205, np.uint8)
    layout = Layout.from_grid(1.5 * side, side * math.sqrt(3), 0, 0)
    out = print_grid(out, layout, color=(50, 50, 50))
    for col, row in layout.hexes_on(size):
        for k in (0, 2, 4):
            centre = np.array(layout.centre(col, row))
            _stroke(out, centre, layout.corners(col, row)[k], (50, 50, 50), 1)
    return out


def counters(size: tuple[int, int], side: int) -> Picture:
    """A sheet of counters with unit symbols and numbers."""
    out = np.full((size[1], size[0], 3), 225, np.uint8)
    rng = np.random.default_rng(3)
    inner = side - 12
    for x in range(8, size[0] - side, side):
        for y in range(8, size[1] - side, side):
            hue = [int(v) for v in rng.integers(90, 220, 3)]
            cv2.rectangle(out, (x, y), (x + inner, y + inner), hue, -1)
            cv2.rectangle(out, (x, y), (x + inner, y + inner), (40, 40, 40), 1)
            a, b = (x + inner // 4, y + inner // 6), (x + 3 * inner // 4, y + inner // 2)
            cv2.rectangle(out, a, b, (0, 0, 0), 1)
            cv2.line(out, a, b, (0, 0, 0), 1, cv2.LINE_AA)
            cv2.line(out, (a[0], b[1]), (b[0], a[1]), (0, 0, 0), 1, cv2.LINE_AA)
            text = f"{rng.integers(1, 9)}-{rng.integers(1, 9)}"
            cv2.putText(out, text, (x + 4, y + inner - 4), cv2.FONT_HERSHEY_SIMPLEX, side / 120,
                        (0, 0, 0), 1, cv2.LINE_AA)  # fmt: skip
    return out


def clouds(size: tuple[int, int], slope: float, seed: int = 5) -> Picture:
    """Noise with the spectrum of photographs (1 / f to the power of `slope`), in colour."""
    width, height = size
    rng = np.random.default_rng(seed)
    fy, fx = np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)[None]
    falloff = (np.hypot(fy, fx) + 1.0 / max(size)) ** -slope
    planes = []
    for _ in range(3):
        spectrum = np.fft.rfft2(rng.normal(0, 1, (height, width))) * falloff
        plane = np.fft.irfft2(spectrum, (height, width))
        low, high = np.percentile(plane, [0.5, 99.5])
        planes.append(np.clip((plane - low) / (high - low) * 255, 0, 255))
    return np.stack(planes, axis=-1).astype(np.uint8)


def test_art_is_repeatable() -> None:
    size = (300, 200)
    layout = Layout.from_grid(40, 46, 3, 5)
    for style in ("lines", "dashed", "ticks", "dots", "corners"):
        first = print_grid(ground(size), layout, style=style)
        assert np.array_equal(first, print_grid(ground(size), layout, style=style))
        assert not np.array_equal(first, ground(size))
