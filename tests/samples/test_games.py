"""Boards of the other games: drawn, written with what a person adds, and found as drawn."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from hexsight.los.rulesets import load_rules
from hexsight.model.board import Board
from hexsight.overlayfile import load_overlay
from hexsight.pipeline import extract_board
from hexsight.project import load_project
from hexsight.reading import request_from
from hexsight.samples import board_names, write_samples
from hexsight.samples.codes import BUILDINGS
from hexsight.samples.facts import MIN_FRACTION
from hexsight.samples.registry import board_spec

WRITTEN = ("hexsight", "legend")
NAMES = tuple(n for n in board_names() if board_spec(n).project)
SIDES = {"walls": 72, "hedges": 73, "streams": 234, "fences": 238}
SLOPES = {"steep": 230, "gentle": 231}
# What a hex may be said to be though its dot lies beside what is drawn in it.
INHERENT = {"orchard": 63}


@dataclass(frozen=True)
class Found:
    """A board as it was drawn, and as it was read."""

    name: str
    folder: Path
    truth: dict[str, Any]
    board: Board

    @property
    def hexes(self) -> list[dict[str, Any]]:
        return list(self.truth["hexes"])


@pytest.fixture(scope="module", params=NAMES)
def found(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Found:
    name = request.param
    folder = tmp_path_factory.mktemp(name)
    write_samples(folder, boards=[name])
    board = extract_board(request_from(folder / name)).board
    return Found(name, folder, json.loads((folder / f"{name}.truth.json").read_text()), board)


def test_boards_of_games_are_drawn_on_request_only() -> None:
    assert {"musket-pike", "modern-platoon", "flames"} <= set(NAMES)
    assert not set(NAMES) & set(board_names(default_only=True))


def test_drawing_twice_gives_the_same_bytes(found: Found, tmp_path: Path) -> None:
    again = write_samples(tmp_path, boards=[found.name])
    assert tmp_path / found.name / "hexsight.yaml" in again
    for path in again:
        assert path.read_bytes() == (found.folder / path.relative_to(tmp_path)).read_bytes(), path


def test_the_module_is_named_after_the_first_board(tmp_path: Path) -> None:
    write_samples(tmp_path, boards=["sideways-mill", "flames"])
    project = load_project(tmp_path / "flames" / "hexsight.yaml")
    assert (tmp_path / "flames" / project.source).resolve() == tmp_path / "sideways-mill.vmod"
    assert project.board == "Saint-Aubin"


def test_the_grid_is_where_it_was_drawn(found: Found) -> None:
    for h in found.hexes:
        there = found.board.hex(h["name"])
        off = np.hypot(there.x_px - h["centre_px"][0], there.y_px - h["centre_px"][1])
        assert off < 0.5, h["name"]


def test_every_hex_has_the_terrain_and_the_level_that_were_drawn(found: Found) -> None:
    inherent = {
        name: code
        for kind, code in INHERENT.items()
        for name in found.truth["patches"].get(kind, ())
    }
    levels = found.truth.get("levels_half", {})
    for h in found.hexes:
        there = found.board.hex(h["name"])
        assert there.base_half == levels.get(h["name"], 0), h["name"]
        wanted = inherent.get(h["name"], h["terrain_centre"])
        if wanted in BUILDINGS:
            assert found.board.catalogue[there.terrain].in_depiction, h["name"]
        else:
            assert there.terrain == wanted, h["name"]


def test_every_hexside_has_what_was_drawn_or_written(found: Found) -> None:
    """Walls, hedges and streams from the picture, slopes and fences from hexsight.yaml."""
    wanted = {
        frozenset(side.split("-")): code
        for part, kinds in ((found.truth, SIDES), (found.truth.get("slopes", {}), SLOPES))
        for kind, code in kinds.items()
        for side in part.get(kind, ())
    }
    drawn = {h["name"] for h in found.hexes}
    there = {
        frozenset((s.a, s.b)): s.terrain
        for s in found.board.hexsides
        if s.terrain and {s.a, s.b} <= drawn
    }
    assert there == wanted
    assert not any(s.bar for s in found.board.hexsides)


def test_buildings_stand_where_they_were_drawn(found: Found) -> None:
    raster = np.asarray(Image.open(found.folder / f"{found.name}.terrain.png"))
    drawn = np.isin(raster, BUILDINGS)
    seen = found.board.catalogue.table(in_depiction=True)[found.board.terrain]
    if drawn.any() or seen.any():
        assert (drawn & seen).sum() / (drawn | seen).sum() > 0.95
    assert len(found.board.buildings) == len(found.truth["buildings"])
    for h in found.hexes:
        if not MIN_FRACTION / 2 < h["building_fraction"] < 2 * MIN_FRACTION:
            assert bool(found.board.hex(h["name"]).building) == bool(h["building"]), h["name"]
    factories = {h.name for h in found.board.hexes if h.factory}
    assert factories == {h["name"] for h in found.hexes if h["factory"]}


def test_storeys_that_a_flat_roof_hides_are_told_by_hand(found: Found) -> None:
    told = [b for b in board_spec(found.name).buildings if b.height_half]
    assert bool(told) == bool(found.truth["buildings"])
    by_id = {b["id"]: b for b in found.truth["buildings"]}
    for building in told:
        inner = [
            h for h in found.hexes if h["building"] == building.id and h["building_fraction"] > 0.1
        ]
        assert {found.board.hex(h["name"]).height_half for h in inner} == {building.height_half}
        assert by_id[building.id]["height_half"] == building.height_half


def test_openings_lie_on_the_walls_that_were_drawn(found: Found) -> None:
    drawn = found.truth.get("openings", [])
    assert len(found.board.openings) == len(drawn)
    for opening, wanted in zip(found.board.openings, drawn, strict=True):
        middle = np.mean(opening.ends_px, axis=0)
        assert np.hypot(*(middle - wanted["middle_px"])) < 2.5, wanted


def test_the_overlay_beside_it_is_one_of_its_game(found: Found) -> None:
    extra = sorted(p for p in (found.folder / found.name).iterdir() if p.stem not in WRITTEN)
    assert len(extra) == 1
    overlay = load_overlay(extra[0], found.board, load_rules(found.name))
    assert overlay.units or overlay.teams


def test_the_project_names_its_game_and_leaves_nothing_in_doubt(found: Found) -> None:
    project = load_project(found.folder / found.name / "hexsight.yaml")
    assert project.rules == found.name
    assert not [d for d in found.board.doubts if d.confidence < 0.5]
