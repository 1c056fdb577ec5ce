"""Fit the two models of extract/buildings-model.yaml on boards with label rasters.

    python benchmarks/extract/fit_buildings.py [--shared FOLDER] [--boards bd20,bda] [--write]

Every region in the colours of roofs is a row: its features, and whether most of it is building in
the makers' labels.  Boards are taken as drawn, at three quarters, and with noise before and after
JPEG; our own samples count twelvefold, being few.  Prints the share of building area that is
judged wrong when the board in question was left out.  Without --write nothing is changed.
"""

from __future__ import annotations

import argparse
import io
import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from hexsight.extract.buildings import FEATURES, candidates
from hexsight.extract.buildings_regions import regions
from hexsight.extract.classify import see
from hexsight.extract.cleaning import clean
from hexsight.extract.hexsides import sides_between
from hexsight.extract.image import load_picture
from hexsight.extract.legend import pick_legend
from hexsight.extract.survey import _bands
from hexsight.model.board import Cell
from hexsight.model.layout import Layout
from hexsight.model.terrain import DEPICTION_KINDS, load_catalogue
from hexsight.samples import board_names, draw_board

BUILT = load_catalogue().table(kind=DEPICTION_KINDS)
PRODUCTS = (
    ("log_area", "coherence"),
    ("log_area", "coherence_fine"),
    ("log_area", "fill"),
    ("log_elongation", "radius"),
    ("dark", "coherence"),
    ("log_elongation", "coherence_wide"),
)
CAPS = (("lightness_low", "lightness", 0.3), ("log_area_small", "log_area", -3.0))
TERMS = (*FEATURES, *("*".join(p) for p in PRODUCTS), *(c[0] for c in CAPS))
# Weight of each kind of picture, and strength of the penalty on large weights.
MODELS = {
    "drawn": ({"drawn": 2.0, "shrunken": 1.5, "noise, JPEG": 0.3, "JPEG, noise": 0.3}, 3.0),
    "worn": ({"drawn": 0.0, "shrunken": 0.0, "noise, JPEG": 1.0, "JPEG, noise": 1.0}, 10.0),
}
HEADER = """\
# Two logistic models: is a region in the colours of roofs a building?  One for drawn pictures,
# one for worn ones (noise, JPEG artefacts, scans).  Fitted on hand-made label rasters of twenty
# boards and our two samples, each as drawn, at three quarters of its size, and with noise before
# or after JPEG, as benchmarks/extract/fit_buildings.py does.  Features are explained in
# buildings.py; `a*b` is a product; lightness_low is min(lightness, 0.3), log_area_small is
# min(log_area, -3).
"""


def degraded(rgb: NDArray[np.uint8], how: str) -> NDArray[np.uint8]:
    """A picture drawn, shrunken to three quarters, or with noise and JPEG in either order."""

    def noise(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        grain = np.random.default_rng(1).normal(0, 8, picture.shape)
        return np.clip(picture + grain, 0, 255).round().astype(np.uint8)

    def jpeg(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        stream = io.BytesIO()
        Image.fromarray(picture).save(stream, "JPEG", quality=60)
        return np.asarray(Image.open(stream).convert("RGB"))

    if how == "shrunken":
        size = tuple(round(0.75 * n) for n in rgb.shape[1::-1])
        return np.asarray(Image.fromarray(rgb).resize(size, Image.Resampling.LANCZOS))
    return {"drawn": lambda p: p, "noise, JPEG": lambda p: jpeg(noise(p))}.get(
        how, lambda p: noise(jpeg(p))
    )(rgb)


def board(shared: Path, name: str) -> tuple[NDArray[np.uint8], NDArray[np.bool_], Layout, list]:
    """Picture, mask of buildings, lattice and hexes of a board or of a sample."""
    if name in board_names(default_only=True):
        sample = draw_board(name)
        grid, hexes = sample.truth["grid"], sample.truth["hexes"]
        cells = [(h["col"], h["row"], h["name"]) for h in hexes]
        picture, built = sample.picture, BUILT[sample.terrain]
    else:
        truth = shared / "truth" / name
        grid = json.loads((truth / "grid.json").read_text())
        hexes = json.loads((truth / "hexes.json").read_text())["hexes"]
        cells = [(h["col"], h["row"] - h["col"] % 2, h["name"]) for h in hexes]
        picture = load_picture(shared / "boards" / name / f"{name}.gif").rgb
        built = BUILT[load_picture(truth / "terrain.png").rgb[:, :, 0]]
    layout = Layout.from_grid(
        grid["dx"], grid["dy"], grid["x0"], grid["y0"], sideways=grid.get("sideways", False)
    )
    return picture, built, layout, sorted(cells)


def rows(shared: Path, name: str, how: str) -> list[tuple[float, ...]]:
    """One row of features for each region, with the share of it that is building first."""
    rgb, built, layout, named = board(shared, name)
    cells = tuple(Cell(*c) for c in named)
    rgb = degraded(rgb, how)
    if how == "shrunken":
        f = 0.75
        size = rgb.shape[1::-1]
        part = cv2.resize(built.astype(np.float32), size, interpolation=cv2.INTER_AREA)
        built = np.asarray(part) > 0.5
        origin = tuple((v + 0.5) * f - 0.5 for v in layout.origin_px)
        col, row = (tuple(v * f for v in w) for w in (layout.col_px, layout.row_px))
        layout = Layout(origin, col, row, layout.sideways)
    paint = see(clean(rgb, layout, cells).rgb, pick_legend(rgb), layout.dy)
    taken = np.zeros(built.shape, bool)
    for band in _bands(paint, layout, sides_between(layout, cells)):
        taken |= band.mask
    found, labels = candidates(paint, regions(paint, taken)[1], taken)
    inside = np.bincount(labels.ravel(), weights=built.ravel(), minlength=len(found) + 1)[1:]
    return [(n / c.area_px, *c.features) for n, c in zip(inside, found, strict=True)]


def terms(features: NDArray[np.float64]) -> NDArray[np.float64]:
    """Features (n, k) with products and capped ones."""
    at = {name: features[:, i] for i, name in enumerate(FEATURES)}
    more = [at[a] * at[b] for a, b in PRODUCTS] + [np.minimum(at[f], cap) for _, f, cap in CAPS]
    return np.column_stack([features, *more])


def fit(
    table: NDArray[np.float64],
    wanted: NDArray[np.bool_],
    weight: NDArray[np.float64],
    penalty: float,
) -> NDArray[np.float64]:
    """Bias and weights by Newton's method on the penalised likelihood of standardised terms."""
    middle, spread = table.mean(axis=0), table.std(axis=0) + 1e-9
    design = np.column_stack([np.ones(len(table)), (table - middle) / spread])
    ridge = np.diag([0.0] + [penalty] * table.shape[1])
    out = np.zeros(design.shape[1])
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(design @ out, -40, 40)))
        hessian = (design * (weight * p * (1 - p) + 1e-6)[:, None]).T @ design + ridge
        out = out + np.linalg.solve(hessian, design.T @ (weight * (wanted - p)) - ridge @ out)
    slopes = out[1:] / spread
    return np.concatenate([[out[0] - slopes @ middle], slopes])


def main() -> None:
    """Fit both models and print, or write, their weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = Path(__file__).resolve().parents[3] / "shared"
    parser.add_argument("--shared", type=Path, default=default)
    parser.add_argument("--boards", default="")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    all_names = sorted(p.name for p in (args.shared / "truth").iterdir()) + list(
        board_names(default_only=True)
    )
    names = args.boards.split(",") if args.boards else all_names
    data, where, kinds = [], [], []
    for name in names:
        for how in MODELS["drawn"][0]:
            new = rows(args.shared, name, how)
            data += new
            where += [name] * len(new)
            kinds += [how] * len(new)
    raw = np.array(data)
    table, share, area = terms(raw[:, 1:]), raw[:, 0], np.exp(raw[:, 1])
    boards, kind = np.array(where), np.array(kinds)
    wanted = share > 0.6
    clear = ((share < 0.2) | wanted) & (area > 0.012)
    base = np.clip(area / 0.05, 0.2, 4) * np.where(
        np.isin(boards, board_names(default_only=True)), 12, 1
    )
    text = HEADER
    for model, (weights, penalty) in MODELS.items():
        weight = base * np.array([weights[k] for k in kind])
        use = clear & (weight > 0)
        wrong = np.zeros(len(table), bool)
        for name in names if len(names) > 1 else []:
            out = fit(*(a[use & (boards != name)] for a in (table, wanted, weight)), penalty)
            mine = boards == name
            wrong[mine] = ((table[mine] @ out[1:] + out[0]) > 0) != wanted[mine]
        for how, asked in weights.items():
            here = clear & (kind == how)
            if asked >= 1 and (here & wanted).any():
                missed = area[here & wrong].sum() / area[here & wanted].sum()
                print(f"{model} model, {how}: {100 * missed:.2f} % of building area wrong")
        out = fit(table[use], wanted[use], weight[use], penalty)
        text += f"{model}:\n  bias: {out[0]:.3f}\n  weights:\n"
        text += "".join(f'    "{n}": {v:.3f}\n' for n, v in zip(TERMS, out[1:], strict=True))
    if args.write:
        target = Path(__file__).resolve().parents[2] / "extract" / "buildings-model.yaml"
        target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
