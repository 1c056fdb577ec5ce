"""Legends: reading, learning from boxes, colour tables, picking a preset."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexsight.extract.legend import legend_from, load_legend, pick_legend
from hexsight.extract.legend_colours import colour_index, colour_table
from hexsight.model.errors import InputError, UsageError

GRASS = {"terrain": "Open Ground", "half": 0, "colours": [[175, 188, 106]]}
ROOF = {"terrain": "Stone Building", "ramps": [[[20, 20, 20], [220, 220, 220]]]}


def _legend(*classes: dict[str, Any], **more: Any) -> Any:
    return legend_from({"classes": list(classes), **more}, "mine.yaml")


@pytest.mark.parametrize("name", ["vasl", "samples"])
def test_presets_have_ground_roads_and_both_materials(name: str) -> None:
    legend = load_legend(name)
    for wanted in (
        {"kind": "open"},
        {"kind": "road"},
        {"kind": "building", "material": "stone"},
        {"kind": "building", "material": "wood"},
        {"name": "ink"},
    ):
        assert len(legend.index(**wanted)), wanted


def test_a_colour_is_its_own_class_and_a_ramp_holds_what_lies_between() -> None:
    legend = _legend(GRASS, ROOF)
    table = colour_table(legend)
    picture = np.array([[[175, 188, 106], [90, 90, 90], [160, 161, 160], [255, 0, 255]]], np.uint8)
    best = table[:, colour_index(picture)[0]]
    assert best[0, 0] > 200
    assert best[1, 1] > 200
    assert best[1, 2] > 200
    assert best[:, 3].max() < 30, "no class claims magenta"


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=5))
def test_probabilities_never_exceed_one(colours: list[tuple[int, int, int]]) -> None:
    legend = _legend(
        *({**GRASS, "name": str(i), "colours": [list(c)]} for i, c in enumerate(colours))
    )
    counts = np.zeros(64**3, np.int64)
    counts[colour_index(np.array([colours], np.uint8))[0]] = 100
    total = colour_table(legend, counts).sum(axis=0, dtype=np.int64)
    assert total.max() <= 255 + len(colours)


def test_a_ground_that_the_picture_lacks_gives_way() -> None:
    near = {"terrain": "Dirt Road", "colours": [[180, 180, 110]]}
    other = {**GRASS, "name": "far", "half": 2, "share": 8, "colours": [[60, 90, 200]]}
    rare = {**GRASS, "name": "rare", "half": 4, "share": 8, "colours": [[182, 182, 112]]}
    legend = _legend(other, rare, near)
    road = colour_index(np.array([[[180, 180, 110]]], np.uint8))[0, 0]
    counts = np.zeros(64**3, np.int64)
    counts[colour_index(np.array([[[60, 90, 200]]], np.uint8))[0, 0]] = 100_000
    counts[road] = 200
    assert colour_table(legend)[1, road] > colour_table(legend)[2, road]
    assert colour_table(legend, counts)[2, road] > colour_table(legend, counts)[1, road]


def test_boxes_on_the_map_become_colours() -> None:
    picture = np.zeros((40, 60, 3), np.uint8)
    picture[:, :30] = (175, 188, 106)
    picture[::2, 30:] = (40, 60, 30)
    picture[1::2, 30:] = (90, 140, 60)
    legend = _legend(
        {"terrain": "Open Ground", "boxes": [[2, 2, 20, 20]]},
        {"terrain": "Woods", "boxes": [[34, 4, 20, 30]]},
    ).learn(picture)
    assert not legend.classes[0].boxes
    assert len(legend.classes[1].segments) >= 2, "both tones of the pattern are learnt"
    best = colour_table(legend)[:, colour_index(picture)].argmax(axis=0)
    assert (best[:, :30] == 0).all()
    assert (best[:, 30:] == 1).all()


def test_learning_is_deterministic() -> None:
    picture = np.random.default_rng(5).integers(0, 255, (50, 50, 3)).astype(np.uint8)
    legend = _legend({"terrain": "Woods", "boxes": [[0, 0, 50, 50]]})
    assert legend.learn(picture) == legend.learn(picture)


def test_base_comes_first_and_a_class_of_the_same_name_replaces_it() -> None:
    legend = _legend({"terrain": "Grain", "colours": [[10, 20, 30]]}, base="vasl")
    base = load_legend("vasl")
    assert len(legend.classes) == len(base.classes)
    assert legend.classes[-1].name == "Grain"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "list under 'classes'"),
        ({"classes": []}, "1 to"),
        ({"classes": [GRASS], "colour": 1}, "unknown key 'colour'"),
        ({"classes": [{**GRASS, "color": [[1, 2, 3]]}]}, "unknown key 'color'"),
        ({"classes": [{"terrain": "Open Ground"}]}, "no colours, ramps or boxes"),
        ({"classes": [{**GRASS, "colours": [[1, 2]]}]}, "3 whole numbers"),
        ({"classes": [{**GRASS, "colours": [[1, 2, 300]]}]}, "no colour 0 to 255"),
        ({"classes": [{**GRASS, "spread": "wide"}]}, "spread must be a number"),
        ({"classes": [{**GRASS, "half": True}]}, "half must be a number"),
        ({"classes": [{"terrain": "Opn Ground", "colours": [[1, 2, 3]]}]}, "Open Ground"),
        ({"classes": ["Woods"]}, "terrain: NAME"),
        ({"classes": [GRASS], "base": "none-such"}, "no legend preset"),
    ],
)
def test_mistakes_are_told_in_one_line(data: Any, words: str) -> None:
    with pytest.raises(UsageError) as error:
        legend_from(data, "mine.yaml")
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_box_outside_of_the_picture_is_told() -> None:
    legend = _legend({"terrain": "Woods", "boxes": [[5, 5, 20, 20]]})
    with pytest.raises(UsageError, match="not inside the picture of 10 × 10"):
        legend.learn(np.zeros((10, 10, 3), np.uint8))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        load_legend(tmp_path / "none.yaml")
    with pytest.raises(UsageError, match="no legend preset 'vsal'"):
        load_legend("vsal")


def test_the_preset_that_fits_is_picked() -> None:
    plain = np.full((64, 64, 3), (175, 188, 106), np.uint8)
    dusty = np.full((64, 64, 3), (209, 196, 146), np.uint8)
    assert pick_legend(plain).name == "vasl"
    assert pick_legend(dusty).name == "samples"
