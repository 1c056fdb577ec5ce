"""`extract --compare` and `render --compare` on a small VASL board with LOSData."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hexsight.cli import run
from hexsight.model.losdata import LosData, standard_rows, write_losdata

SIZE = (226, 258)
META = (
    '<boardMetadata name="99" version="1" versionDate="now" author="me" hasHills="FALSE" '
    'boardImageFileName="bd99.png" width="4" height="4"/>'
)
GREEN, LEAVES, WOODS = (175, 188, 106), (85, 95, 45), 60


@pytest.fixture(scope="module")
def vasl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board of grass with a wood that its picture shows, and one that only LOSData tells."""
    folder = tmp_path_factory.mktemp("boards") / "bd99"
    folder.mkdir()
    terrain = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    terrain[90:140, 80:150] = WOODS
    rgb = np.full((*terrain.shape, 3), GREEN, np.uint8)
    rgb[terrain == WOODS] = LEAVES
    terrain[180:230, 20:70] = WOODS
    Image.fromarray(rgb).save(folder / "bd99.png")
    stairs = np.zeros((4, 5), np.uint8)
    data = LosData(4, 4, np.zeros(terrain.shape, np.int8), terrain, stairs, standard_rows(4, 4))
    (folder / "LOSData").write_bytes(write_losdata(data))
    (folder / "BoardMetadata.xml").write_text(META)
    return folder


def test_extract_compares_by_class_and_by_hex(vasl, capsys):
    assert run(["extract", str(vasl), "--compare", "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert "pixels agree" in out
    assert "Woods" in out
    assert err == ""
    assert run(["extract", str(vasl), "--compare", "--json", "--quiet"]) == 0
    answer = json.loads(capsys.readouterr().out)
    woods = answer["classes"]["Woods"]
    assert woods["agreed_px"] > 2500
    assert woods["missed_px"] > 1500
    assert woods["taken_for"]["Open Ground"] > 1500
    assert answer["elevation_agreement"] == 1.0


def test_render_shows_missed_terrain_red(vasl, tmp_path, capsys):
    out = tmp_path / "truth.png"
    assert run(["render", str(vasl), "--compare", "--layers", "truth", "-o", str(out)]) == 0
    rgb = np.asarray(Image.open(out).convert("RGB"), int)
    inside = rgb[190:220, 30:60].reshape(-1, 3)
    assert (inside[:, 0] > inside[:, 1] + 80).mean() > 0.9
    assert tuple(rgb[100, 100]) == LEAVES
    board = tmp_path / "board"
    assert run(["extract", str(vasl), "-o", str(board), "--quiet"]) == 0
    again = tmp_path / "again.png"
    call = ["render", str(board), "--map", str(vasl), "--compare", "--layers", "truth"]
    assert run([*call, "-o", str(again)]) == 0
    assert again.read_bytes() == out.read_bytes()
    capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["extract", "{}/bd99.png", "--compare"], "LOSData"),
        (["extract", "{}", "--compare", "--from-losdata"], "leave out --from-losdata"),
        (["render", "{}", "--compare", "--truth", "{}", "-o", "{}/x.png"], "not both"),
    ],
)
def test_what_cannot_be_compared_ends_in_one_sentence(vasl, capsys, arguments, said):
    assert run([a.format(vasl) for a in arguments]) in (2, 4)
    out, err = capsys.readouterr()
    assert said in err.strip().splitlines()[-1] or "grid" in err
    assert out == ""
