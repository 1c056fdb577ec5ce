"""Pictures without a hex grid: the answer is none, with a reason, and never a false grid."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from test_grid_art import (
    Picture,
    brick_wall,
    clouds,
    counters,
    cubes,
    ground,
    octagons,
    squares,
    triangles,
)

from hexsight.extract.grid import search_grid

SIZE = (540, 440)


def _stripes() -> Picture:
    out = np.full((SIZE[1], SIZE[0], 3), 200, np.uint8)
    out[::40] = 40
    return out


def _sticks() -> Picture:
    out = np.full((SIZE[1], SIZE[0], 3), 200, np.uint8)
    rng = np.random.default_rng(1)
    for _ in range(800):
        x, y, dx, dy = rng.integers(0, SIZE[0]), rng.integers(0, SIZE[1]), *rng.integers(-40, 40, 2)
        tone = int(rng.integers(0, 255))
        cv2.line(out, (int(x), int(y)), (int(x + dx), int(y + dy)), (tone, tone, tone),
                 int(rng.integers(1, 4)), cv2.LINE_AA)  # fmt: skip
    return out


def _text() -> Picture:
    out = np.full((SIZE[1], SIZE[0], 3), 245, np.uint8)
    for row in range(24):
        words = " ".join("abcdefghijklmnop"[(row * k) % 9 :][: 3 + k % 5] for k in range(1, 16))
        cv2.putText(out, words, (10, 20 + 21 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 1,
                    cv2.LINE_AA)  # fmt: skip
    return out


def _diagonal(way: Callable[[float], float]) -> Picture:
    """Lines of the hexes' own three directions at spacings that make no hexes."""
    out = np.full((SIZE[1], SIZE[0], 3), 200, np.uint8)
    for angle, gap in ((0.0, 31.0), (60.0, 37.0), (120.0, 43.0)):
        a = math.radians(angle)
        u, v = np.array([math.cos(a), math.sin(a)]), np.array([-math.sin(a), math.cos(a)])
        for k in range(-60, 60):
            p, q = k * gap * v - 1500 * u, k * gap * v + 1500 * u
            cv2.line(out, (int(p[0]), int(p[1])), (int(q[0]), int(q[1])), (50, 50, 50), 1,
                     cv2.LINE_AA)  # fmt: skip
    return out


def _discs(size: float, share: float, *, filled: bool, rim: bool = True) -> Picture:
    """Round counters packed like hexes: the gaps between them follow the hexsides."""
    out = np.full((SIZE[1], SIZE[0], 3), 215, np.uint8)
    rng = np.random.default_rng(4)
    for j in range(-1, int(SIZE[1] / size / 0.866) + 2):
        for i in range(-1, int(SIZE[0] / size) + 2):
            at = round((i + 0.5 * (j % 2)) * size * 64), round(j * size * 0.866 * 64)
            tone = [int(v) for v in rng.integers(40, 200, 3)]
            radius = round(share * size * 32)
            cv2.circle(out, at, radius, tone, -1 if filled else 1, cv2.LINE_AA, 6)
            if rim:
                cv2.circle(out, at, radius, (20, 20, 20), 1, cv2.LINE_AA, 6)
    return out


def _waves(period: float) -> Picture:
    """Three waves at 60°: tops like dots in hex centres, valleys like hexsides."""
    y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
    total = np.zeros(x.shape)
    for k in range(3):
        a = math.pi / 6 + k * math.pi / 3
        total += np.cos(2 * math.pi * (x * math.cos(a) + y * math.sin(a)) / period)
    tone = np.clip((total + 1.5) / 4.5 * 255, 0, 255).astype(np.uint8)
    return np.repeat(tone[..., None], 3, axis=2)


def _staggered_counters(side: int) -> Picture:
    sheet = counters((SIZE[0] + side, SIZE[1] + side), side)
    out = np.empty((SIZE[1], SIZE[0], 3), np.uint8)
    for k, top in enumerate(range(0, SIZE[1], side)):
        rows = min(side, SIZE[1] - top)
        left = (k % 2) * (side // 2)
        out[top : top + rows] = sheet[top : top + rows, left : left + SIZE[0]]
    return out


def _blurred(picture: Picture, sigma_px: float = 1.5) -> Picture:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), np.uint8)


def _worn(picture: Picture) -> Picture:
    noise = np.random.default_rng(3).normal(0, 20, picture.shape)
    return np.clip(np.rint(_blurred(picture, 0.7) + noise), 0, 255).astype(np.uint8)


PICTURES: dict[str, Callable[[], Picture]] = {
    "bricks": lambda: brick_wall(SIZE, (60, 30)),
    "bricks as tall as hexes": lambda: brick_wall(SIZE, (60, 52)),
    "bricks upright": lambda: np.ascontiguousarray(np.rot90(brick_wall(SIZE[::-1], (60, 52)))),
    "triangles": lambda: triangles(SIZE, 60),
    "small triangles": lambda: triangles(SIZE, 30),
    "squares": lambda: squares(SIZE, 40),
    "diamonds": lambda: squares(SIZE, 40, 45),
    "squares turned by 30°": lambda: squares(SIZE, 40, 30),
    "octagons": lambda: octagons(SIZE, 60),
    "cubes": lambda: cubes(SIZE, 40),
    "three sets of lines": lambda: _diagonal(float),
    "counters": lambda: counters(SIZE, 60),
    "large counters": lambda: counters(SIZE, 90),
    "landscape": lambda: ground(SIZE),
    "another landscape": lambda: ground(SIZE, 2),
    "photograph": lambda: clouds(SIZE, 1.0),
    "soft photograph": lambda: clouds(SIZE, 1.5),
    "white noise": lambda: clouds(SIZE, 0.0),
    "one colour": lambda: np.full((SIZE[1], SIZE[0], 3), 128, np.uint8),
    "black": lambda: np.zeros((SIZE[1], SIZE[0], 3), np.uint8),
    "stripes": _stripes,
    "sticks": _sticks,
    "text": _text,
    "discs apart": lambda: _discs(76, 0.8, filled=True),
    "rings": lambda: _discs(43, 0.9, filled=False),
    "discs close together": lambda: _worn(_discs(60, 0.94, filled=True)),
    "discs closer together": lambda: _discs(90, 0.97, filled=True),
    "discs almost touching": lambda: _discs(43, 0.98, filled=True),
    "blurred discs almost touching": lambda: _blurred(_discs(43, 0.98, filled=True)),
    "discs that touch": lambda: _discs(60, 1.0, filled=True, rim=False),
    "blurred discs that touch": lambda: _blurred(_discs(30, 1.0, filled=True)),
    "small blurred discs": lambda: _blurred(_discs(22, 0.94, filled=True)),
    "gaps seen every few discs": lambda: _blurred(_discs(40, 0.985, filled=True, rim=False)),
    "waves": lambda: _waves(33),
    "long waves": lambda: _waves(60),
    "staggered counters": lambda: _staggered_counters(50),
    "small staggered counters": lambda: _blurred(_staggered_counters(32)),
    "blurred triangles": lambda: _blurred(triangles(SIZE, 117)),
    "blurred cubes": lambda: _blurred(cubes(SIZE, 29)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_no_grid(name: str) -> None:
    search = search_grid(PICTURES[name]())
    assert search.fit is None
    assert search.reason


def test_no_grid_under_jpeg_blocks() -> None:
    data = cv2.imencode(".jpg", clouds(SIZE, 1.0), [cv2.IMWRITE_JPEG_QUALITY, 12])[1]
    picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    assert search_grid(picture).fit is None
    large = cv2.resize(picture, None, fx=2.0, fy=2.0, interpolation=cv2.INTER_NEAREST)
    assert search_grid(np.asarray(large, np.uint8)).fit is None
