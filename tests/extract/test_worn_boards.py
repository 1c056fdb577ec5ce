"""Real boards with noise and JPEG artefacts, and at three quarters of their size."""

from __future__ import annotations

import io
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from hexsight.extract.image import load_picture
from hexsight.extract.legend import load_legend
from hexsight.extract.survey import survey_picture
from hexsight.model.board import Cell
from hexsight.model.derive import derive
from hexsight.model.layout import Layout
from hexsight.model.terrain import DEPICTION_KINDS, load_catalogue

BUILT = load_catalogue().table(kind=DEPICTION_KINDS)


def _worn(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    noise = np.random.default_rng(1).normal(0, 8, picture.shape)
    stream = io.BytesIO()
    noisy = np.clip(picture + noise, 0, 255).round().astype(np.uint8)
    Image.fromarray(noisy).save(stream, "JPEG", quality=60)
    return np.asarray(Image.open(stream).convert("RGB"))


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "scale"), [("bd23", 1.0), ("bd12", 0.75)], ids=["worn", "shrunken"]
)
def test_a_degraded_board_loses_little(shared: Path, name: str, scale: float) -> None:
    truth = shared / "truth" / name
    grid = json.loads((truth / "grid.json").read_text())
    hexes = json.loads((truth / "hexes.json").read_text())["hexes"]
    cells = sorted((h["col"], h["row"] - h["col"] % 2, h["name"]) for h in hexes)
    picture = load_picture(shared / "boards" / name / f"{name}.gif").rgb
    labels = BUILT[load_picture(truth / "terrain.png").rgb[:, :, 0]]
    if scale == 1.0:
        picture = _worn(picture)
    else:
        size = tuple(round(scale * n) for n in picture.shape[1::-1])
        picture = np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.LANCZOS))
        part = cv2.resize(labels.astype(np.float32), size, interpolation=cv2.INTER_AREA)
        labels = np.asarray(part) > 0.5
    x0, y0 = ((grid[k] + 0.5) * scale - 0.5 for k in ("x0", "y0"))
    layout = Layout.from_grid(grid["dx"] * scale, grid["dy"] * scale, x0, y0)
    survey = survey_picture(
        picture, layout, tuple(Cell(*c) for c in cells), legend=load_legend("vasl"), name=name
    )
    found = BUILT[survey.terrain]
    assert (labels & found).sum() / (labels | found).sum() > 0.92
    board = derive(survey)
    clear = {h["name"]: h for h in hexes if not 0 < h["building_frac"] < 0.03}
    wanted = {n for n, h in clear.items() if h["has_building"]}
    assert len(wanted ^ {n for n in clear if board.by_name[n].building}) <= 1
    squares = {h["name"] for h in hexes if h["stair_symbol"] == "square"}
    assert {n for n, f in board.by_name.items() if f.stairwell} == squares
