"""Proposing a legend: every art is a class, a texture is one class, and the file can be read."""

from __future__ import annotations

import io
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from hexsight.extract.legend import load_legend, to_lab
from hexsight.extract.propose import LegendProposal, ProposedClass, propose_legend
from hexsight.extract.propose_sheet import swatch_sheet
from hexsight.extract.propose_yaml import legend_yaml, quoted, remark
from hexsight.extract.survey import survey_picture
from hexsight.model.board import Cell
from hexsight.model.layout import Layout
from hexsight.reading import Reading, read, request_from
from hexsight.samples import write_samples

GROUND, WATER, ROAD, LEAF, SHADE = (
    (206, 190, 140),
    (120, 180, 215),
    (150, 150, 160),
    (70, 110, 50),
    (40, 66, 30),
)
LAYOUT = Layout.from_grid(52.0, 60.0, 30.0, 30.0)
CELLS = tuple(Cell(c, r, f"{chr(65 + c)}{r + 1}") for c in range(8) for r in range(7))


def painted(seed: int = 0) -> np.ndarray:
    """Ground with a lake, a road, a wood of two greens, a grid and three blocks."""
    rng = np.random.default_rng(seed)
    rgb = np.empty((460, 450, 3), np.uint8)
    rgb[:] = GROUND
    cv2.circle(rgb, (100, 110), 80, WATER, -1)
    cv2.line(rgb, (0, 300), (449, 250), ROAD, 14)
    spots = cv2.resize(rng.integers(0, 2, (40, 40), np.uint8), (160, 160), interpolation=0) > 0
    rgb[20:180, 270:430] = np.where(spots[..., None], np.array(LEAF), np.array(SHADE))
    rgb[340:420, 60:180] = (170, 60, 40)
    rgb[330:430, 230:300] = (236, 230, 220)
    rgb[330:430, 320:400] = (96, 60, 120)
    for cell in CELLS:
        ring = np.rint(LAYOUT.corners(cell.col, cell.row)).astype(np.int32)
        cv2.polylines(rgb, [ring], True, (0, 0, 0), 1)
    return rgb


@pytest.fixture(scope="module")
def simple() -> LegendProposal:
    return propose_legend(painted(), LAYOUT, CELLS)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    write_samples(folder)
    return folder


@pytest.fixture(scope="module")
def factory(samples: Path) -> tuple[Reading, LegendProposal]:
    reading = read(request_from(samples / "red-factory.vmod", board="Red Factory"))
    return reading, propose_legend(reading.rgb, reading.layout, reading.cells)


def of(proposal: LegendProposal, rgb: tuple[int, int, int]) -> ProposedClass:
    """The class that has a colour; fails when none has."""
    wanted = to_lab(np.array([[rgb]], np.uint8))[0, 0]
    for c in proposal.classes:
        lab = to_lab(np.array([[colour for colour, _ in c.colours]], np.uint8))[0]
        if np.linalg.norm(lab - wanted, axis=1).min() < 4:
            return c
    raise AssertionError(f"no class has {rgb}")


def test_every_art_is_a_class_of_its_own(simple):
    found = [of(simple, rgb) for rgb in (GROUND, WATER, ROAD, LEAF, (170, 60, 40))]
    assert len({c.number for c in found}) == len(found)
    assert [c.number for c in simple.classes] == list(range(1, len(simple.classes) + 1))
    assert of(simple, GROUND).number == 1
    assert sum(c.share for c in simple.classes) == pytest.approx(1, abs=0.01)


def test_what_is_mixed_in_one_place_is_one_class(simple):
    assert of(simple, LEAF) is of(simple, SHADE)
    assert of(simple, LEAF).contrast > 3 * of(simple, WATER).contrast


def test_grid_lines_are_no_terrain(simple):
    black = [c for c in simple.classes if max(c.mean_rgb) < 30]
    assert sum(c.share for c in black) < 0.002


def test_roads_are_narrower_than_lakes(simple):
    assert of(simple, ROAD).width_hex == pytest.approx(14 / 60, rel=0.35)
    assert of(simple, WATER).width_hex > 0.8


def test_guesses_of_the_plain_cases(simple):
    assert of(simple, GROUND).name == "Open Ground"
    assert of(simple, WATER).guess.terrain == "Water"


def test_boxes_show_their_class(simple):
    rgb = painted()
    for c in simple.classes[:4]:
        assert 1 <= len(c.boxes) <= 3
        for x, y, w, h in c.boxes:
            assert x >= 0 and y >= 0 and x + w <= rgb.shape[1] and y + h <= rgb.shape[0]
            lab = to_lab(np.ascontiguousarray(rgb[y : y + h, x : x + w])).reshape(-1, 3)
            own = to_lab(np.array([[k for k, _ in c.colours]], np.uint8))[0]
            gap = np.linalg.norm(lab[:, None] - own[None], axis=2).min(axis=1)
            assert (gap < 6).mean() > 0.75
        corners = np.array([b[:2] for b in c.boxes], float)
        gaps = np.linalg.norm(corners[:, None] - corners[None], axis=2)
        assert (gaps[~np.eye(len(corners), dtype=bool)] > 0.9 * LAYOUT.dy).all()


def test_the_same_picture_gives_the_same_bytes(simple):
    again = propose_legend(painted(), LAYOUT, CELLS)
    assert again.classes == simple.classes
    assert legend_yaml(again, "x") == legend_yaml(simple, "x")
    assert np.array_equal(swatch_sheet(painted(), again), swatch_sheet(painted(), simple))


def test_a_map_of_two_colours_has_two_classes():
    rgb = np.full((460, 450, 3), GROUND, np.uint8)
    rgb[:, 200:] = WATER
    found = propose_legend(rgb, LAYOUT, CELLS)
    assert len(found.classes) == 2
    one = propose_legend(np.full((460, 450, 3), 90, np.uint8), LAYOUT, CELLS)
    assert len(one.classes) == 1
    assert swatch_sheet(rgb, one).ndim == 3


def test_noise_alone_ends_in_few_classes():
    rgb = np.random.default_rng(3).integers(0, 256, (460, 450, 3)).astype(np.uint8)
    found = propose_legend(rgb, LAYOUT, CELLS)
    assert 1 <= len(found.classes) <= 20
    assert load_from(legend_yaml(found, "noise"))


def test_a_noisy_jpeg_has_the_same_classes(simple):
    noisy = painted() + np.random.default_rng(1).normal(0, 8, (460, 450, 3))
    stream = io.BytesIO()
    Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8)).save(stream, "JPEG", quality=60)
    found = propose_legend(np.asarray(Image.open(stream)), LAYOUT, CELLS)
    assert len(found.classes) <= 20
    for rgb in (GROUND, WATER):
        mean = to_lab(np.array([[rgb]], np.uint8))[0, 0]
        near = [
            c
            for c in found.classes
            if np.linalg.norm(to_lab(np.array([[c.mean_rgb]], np.uint8))[0, 0] - mean) < 8
        ]
        assert sum(c.share for c in near) == pytest.approx(of(simple, rgb).share, abs=0.08)


def load_from(text: str, folder: Path | None = None) -> tuple[str, ...]:
    """Names of the terrain that a legend's text names, by the real reader."""
    data = yaml.safe_load(text)
    if folder is not None:
        (folder / "legend.yaml").write_text(text, encoding="utf-8")
        legend = load_legend(folder / "legend.yaml")
        assert len(legend.classes) == len(data["classes"])
    return tuple(c["terrain"] for c in data["classes"])


def test_the_sample_board(factory, tmp_path):
    _, proposal = factory
    assert 6 <= len(proposal.classes) <= 20
    fits = {f.name: f.fits for f in proposal.fits}
    assert fits == {"vasl": False, "samples": True}
    assert proposal.preset is not None and proposal.preset.name == "samples"
    assert proposal.classes[0].name == "Open Ground"
    terrain = load_from(legend_yaml(proposal, "Red Factory"), tmp_path)
    assert {"Open Ground", "Stone Building", "Wooden Building", "Dirt Road"} <= set(terrain)


def test_the_legend_gives_a_survey(samples, tmp_path):
    reading = read(request_from(samples / "sideways-mill.png"))
    proposal = propose_legend(reading.rgb, reading.layout, reading.cells)
    load_from(legend_yaml(proposal, "mill"), tmp_path)
    found = survey_picture(
        reading.rgb,
        reading.layout,
        reading.cells,
        legend=load_legend(tmp_path / "legend.yaml"),
        name="mill",
    )
    drawn = np.asarray(Image.open(samples / "sideways-mill.terrain.png"))
    buildings = np.isin(drawn, (*range(40, 60), *range(170, 178)))
    seen = np.isin(found.terrain, (*range(40, 60), *range(170, 178)))
    assert (buildings & seen).sum() / (buildings | seen).sum() > 0.7


def test_the_sheet_shows_every_class(factory):
    reading, proposal = factory
    sheet = swatch_sheet(reading.rgb, proposal)
    assert sheet.dtype == np.uint8 and sheet.shape[0] > 60 * len(proposal.classes)
    packed = sheet.astype(np.int32) @ np.array([65536, 256, 1])
    colours = set(np.unique(packed).tolist())
    for c in proposal.classes:
        r, g, b = c.mean_rgb
        assert r * 65536 + g * 256 + b in colours


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_name_can_be_written(name):
    assert yaml.safe_load(f"a: {quoted(name)}\nb: 1\n") == {"a": name, "b": 1}
    assert yaml.safe_load(f"# {remark(name)}\nb: 1\n") == {"b": 1}


@pytest.mark.shared
@pytest.mark.parametrize("board", ["bd01", "bda"])
def test_the_preset_knows_its_boards(shared, board):
    reading = read(request_from(shared / "boards" / board))
    proposal = propose_legend(reading.rgb, reading.layout, reading.cells, presets=("vasl",))
    assert proposal.fits[0].fits
    assert 6 <= len(proposal.classes) <= 20


@pytest.mark.shared
def test_a_scan_of_another_game(shared):
    reading = read(request_from(shared / "modules" / "kassala"))
    proposal = propose_legend(reading.rgb, reading.layout, reading.cells)
    assert proposal.preset is None
    assert proposal.classes[0].name == "Open Ground"
    blue = [c for c in proposal.classes if c.mean_rgb[2] > 200 > c.mean_rgb[0]]
    assert blue and blue[0].guess.terrain in {"Water", "Shallow Stream"}
