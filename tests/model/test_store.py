"""Board folders: same board, same bytes; broken ones end in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from painted import Painted

from hexsight.model.derive import derive
from hexsight.model.errors import InputError, OutputError
from hexsight.model.store import board_files, load_board, save_board

NAMES = [c.name for c in Painted(4, 4).cells]


@settings(max_examples=20, deadline=None)
@given(st.sets(st.sampled_from(NAMES)), st.sets(st.sampled_from(NAMES)))
def test_round_trip(tmp_path_factory, stone, floor):
    folder = tmp_path_factory.mktemp("board")
    painted = Painted(4, 4).hexes(*sorted(stone)).hexes(*sorted(floor), code=170, grow=0.8)
    board = derive(painted.survey())
    save_board(board, folder / "b")
    again = load_board(folder / "b")
    assert board_files(again) == board_files(board)
    assert again.hexes == board.hexes
    assert again.hexsides == board.hexsides
    assert (again.terrain == board.terrain).all()


def test_a_board_is_not_written_over(tmp_path):
    board = derive(Painted(3, 3).survey())
    save_board(board, tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match="--force"):
        save_board(board, tmp_path)
    save_board(board, tmp_path, overwrite=True)
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "board.json",
        "elevation.png",
        "notes.txt",
        "terrain.png",
    ]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    save_board(derive(Painted(3, 3).hexes("B2").survey()), tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda f: (f / "board.json").unlink(), "is no board folder"),
        (lambda f: (f / "board.json").write_text("{"), "Cannot read"),
        (lambda f: (f / "board.json").write_text("[1, 2]"), "Cannot read"),
        (lambda f: (f / "terrain.png").write_bytes(b"GIF89a"), "terrain.png"),
        (lambda f: (f / "elevation.png").unlink(), "elevation.png"),
        (lambda f: (f / "terrain.png").write_bytes((f / "terrain.png").read_bytes()[:60]), "terr"),
    ],
)
def test_broken_folders_end_in_one_line(saved, harm, said):
    harm(saved)
    with pytest.raises(InputError, match=said) as caught:
        load_board(saved)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("schema_version", 99, "format 99"),
        ("size_px", [7, 7], "7"),
        ("colour", "red", "colour"),
        ("name", None, "name"),
        ("hexes", [{"name": "A1"}], "hexes"),
    ],
)
def test_wrong_values_name_the_place(saved, key, value, said):
    content = json.loads((saved / "board.json").read_text())
    content[key] = value
    (saved / "board.json").write_text(json.dumps(content))
    with pytest.raises(InputError, match=said):
        load_board(saved)


def test_numbers_must_be_finite(saved):
    text = (saved / "board.json").read_text().replace('"x_px": 22.0', '"x_px": NaN', 1)
    assert "NaN" in text
    (saved / "board.json").write_text(text)
    with pytest.raises(InputError):
        load_board(saved)
