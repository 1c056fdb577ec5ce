"""The grid search on sample boards and, where they lie at hand, on real ones."""

from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from test_grid_art import Picture, ground, print_grid, worst_px

from hexsight.extract.grid import align_to, compare, find_grid, search_grid
from hexsight.model.layout import Layout


def _moved(layout: Layout, matrix: NDArray[np.float64]) -> Layout:
    a, t = matrix[:, :2], matrix[:, 2]
    o, c, r = a @ layout.origin_px + t, a @ layout.col_px, a @ layout.row_px
    return Layout((o[0], o[1]), (c[0], c[1]), (r[0], r[1]), layout.sideways)


def _suffered(rgb: Picture) -> tuple[Picture, NDArray[np.float64]]:
    """0.685 times, turned by 1.3°, blurred, noisy, JPEG at quality 50, and the way there."""
    h, w = rgb.shape[:2]
    f = 0.685
    size = (round(w * f), round(h * f))
    out = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
    fx, fy = size[0] / w, size[1] / h
    scale = np.array([[fx, 0, (fx - 1) / 2], [0, fy, (fy - 1) / 2], [0, 0, 1]])
    turn = cv2.getRotationMatrix2D(((size[0] - 1) / 2, (size[1] - 1) / 2), -1.3, 1.0)
    out = cv2.warpAffine(out, turn, size, flags=cv2.INTER_CUBIC, borderValue=(255, 255, 255))
    out = cv2.GaussianBlur(out, (0, 0), 1.5)
    noise = np.random.default_rng(7).normal(0, 20, out.shape)
    out = np.clip(np.rint(out + noise), 0, 255).astype(np.uint8)
    data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, 50])[1]
    back = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return back, turn @ scale


@pytest.mark.parametrize("name", ["red-factory", "sideways-mill"])
def test_sample_boards(name: str) -> None:
    samples = pytest.importorskip("hexsight.samples")
    sample = samples.draw_board(name)
    grid = sample.truth["grid"]
    truth = Layout.from_grid(
        grid["dx"], grid["dy"], grid["x0"], grid["y0"], sideways=grid["sideways"]
    )
    height, width = sample.picture.shape[:2]
    fit = find_grid(sample.picture)
    assert fit is not None
    aligned = align_to(fit.layout, truth, (width, height))
    assert worst_px(truth, aligned, (width, height)) < 0.5
    assert aligned.origin_px == pytest.approx(truth.origin_px, abs=0.5)


def test_a_large_map_is_quick() -> None:
    size = (6000, 4500)
    rough = cv2.resize(ground((1500, 1125)), size, interpolation=cv2.INTER_LINEAR)
    layout = Layout.from_grid(104.3, 120, 13, 22, rot_deg=0.3)
    picture = print_grid(np.asarray(rough, np.uint8), layout, width=2)
    start = time.process_time()
    fit = find_grid(picture)
    assert fit is not None
    assert worst_px(layout, fit.layout, size) < 0.2
    assert time.process_time() - start < 15  # a quarter of the largest map; 1.5 s when idle


def _board(shared: Path, name: str) -> tuple[Picture, Layout]:
    truth = json.loads((shared / "truth" / name / "grid.json").read_text())
    rgb = np.asarray(Image.open(shared / "boards" / name / truth["image"]).convert("RGB"))
    layout = Layout.from_grid(
        truth["dx"], truth["dy"], truth["x0"], truth["y0"], rot_deg=truth["rot_deg"]
    )
    return rgb, layout


@pytest.mark.shared
@pytest.mark.parametrize("name", ["bd01", "bd20", "bdBFPA", "bd10a", "bda", "bdb", "bdRBv2"])
def test_real_boards(shared: Path, name: str) -> None:
    rgb, truth = _board(shared, name)
    size = (rgb.shape[1], rgb.shape[0])
    start = time.process_time()
    fit = find_grid(rgb)
    seconds = time.process_time() - start
    assert fit is not None
    assert fit.confidence > 0.9
    assert worst_px(truth, fit.layout, size) < 0.15
    assert seconds < 3.0
    nominal = json.loads((shared / "truth" / name / "grid.json").read_text())["nominal"]
    aligned = align_to(fit.layout, Layout.from_grid(**nominal), size)
    assert aligned.origin_px == pytest.approx(truth.origin_px, abs=0.15)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["bd01", "bd09", "bdBFPA", "bda", "bdb"])
def test_real_boards_that_suffered(shared: Path, name: str) -> None:
    rgb, truth = _board(shared, name)
    bad, matrix = _suffered(rgb)
    fit = find_grid(bad)
    assert fit is not None
    assert worst_px(_moved(truth, matrix), fit.layout, (bad.shape[1], bad.shape[0])) < 0.5


def _measured(board: dict[str, Any]) -> Layout:
    """The lattice that was measured on the printed lines of a module's map."""
    fit = board["measured_fit"]
    layout = Layout.from_grid(fit["dx"], fit["dy"], fit["x0"], fit["y0"], sideways=fit["sideways"])
    a = math.radians(fit["rot_deg"])
    turn = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    centre = np.array(fit["rotation_centre"])
    return _moved(layout, np.column_stack([turn, centre - turn @ centre]))


@pytest.mark.shared
@pytest.mark.parametrize(
    ("game", "rms_px"),
    # Kassala's hexes are drawn by hand and scatter by 4 px about any lattice.
    [("cc_napoleonics", 0.3), ("red_winter", 0.1), ("kassala", 1.0)],
)
def test_other_games(shared: Path, game: str, rms_px: float) -> None:
    index = json.loads((shared / "modules" / "index.json").read_text())
    board = next(b for b in index["boards"] if b["game"] == game)
    rgb = np.asarray(Image.open(shared / "modules" / board["image"]).convert("RGB"))
    fit = find_grid(rgb)
    assert fit is not None
    assert fit.sideways == board["measured_fit"]["sideways"]
    offsets = compare(fit.layout, _measured(board), fit.extent)
    assert offsets.rms_px < rms_px
    assert offsets.max_px < 1.0
    # The module's own grid is as far off as its makers' measurement says.
    grid = board["hexgrid"]
    own = Layout.from_grid(
        float(grid["dx"]), float(grid["dy"]), float(grid["x0"]), float(grid["y0"]),
        sideways=grid["sideways"] == "true",
    )  # fmt: skip
    off = compare(fit.layout, own, fit.extent)
    assert off.rms_px == pytest.approx(board["module_vs_fit_px"]["rms"], abs=1.5)
    align_to(fit.layout, own, (rgb.shape[1], rgb.shape[0]))


@pytest.mark.shared
def test_maps_without_a_module(shared: Path) -> None:
    rgb = np.asarray(Image.open(shared / "modules" / "no_hex_grid.jpg").convert("RGB"))
    search = search_grid(rgb)
    assert search.fit is None
    assert search.reason
    rgb = np.asarray(Image.open(shared / "modules" / "scan_without_module.jpg").convert("RGB"))
    fit = find_grid(rgb)
    assert fit is not None
    # Read off the picture by eye: hex 3413 has its left and right corners at x = 1915 and 2016
    # and its flat sides at y = 1189 and 1277.
    col, row = (int(v) for v in fit.layout.pixel_to_hex((1966, 1233)))
    assert fit.layout.centre(col, row) == pytest.approx((1966, 1233), abs=2.0)
    assert (fit.layout.dx, fit.layout.dy) == pytest.approx((76.8, 88.4), abs=0.2)
