"""Map set-ups in YAML, and what is said of mistakes in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from cutting import TALL, WOODS, board, paint

from hexsight.mapsetup import compose_setup, load_setup, placements_of, setup_schema
from hexsight.model.compose import Crop
from hexsight.model.errors import InputError, UsageError
from hexsight.model.store import save_board

GOOD = """\
schema_version: 1
name: Two and a half
rows:
- - {board: boards/20, turned: true}
  - board: boards/1
    name: 1
- - {board: boards/20, name: x, crop: {columns: [A, C], rows: [1, ~]}}
  - ~
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, code in (("20", WOODS), ("1", TALL)):
        made = board(paint({(1, 1): code}, columns=5, rows=3))
        save_board(made, tmp_path / "boards" / name)
    return tmp_path


def write(folder: Path, text: str) -> Path:
    file = folder / "map.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_whole_file(folder):
    file = write(folder, GOOD)
    setup = load_setup(file)
    placements = placements_of(setup, folder)
    assert [(p.row, p.column, p.turned) for p in placements] == [
        (0, 0, True),
        (0, 1, False),
        (1, 0, False),
    ]
    assert placements[0].board is placements[2].board
    assert placements[2].crop == Crop(("A", "C"), ("1", None))
    composed = compose_setup(file)
    assert composed.name == "Two and a half"
    assert composed.hex("xC2").terrain == 0
    assert composed.hex("1B2").terrain == TALL


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("turned: true", "turn: true"), "line 4: the key 'turn' is not known"),
        (("turned: true", "turned: 180"), "line 4: rows, entry 1, entry 1, turned"),
        (("- - {board: boards/20, name: x", "- - {name: x"), "line 7: the key 'board' is missing"),
        (("  - board: boards/1\n", "  - bord: boards/1\n"), "the key 'board' is missing"),
        (
            ("[A, C]", "[A]"),
            "line 7: rows, entry 2, entry 1, crop.columns: write the first and the last",
        ),
        (
            ("[A, C]", "A-C"),
            "line 7: rows, entry 2, entry 1, crop.columns: write the first and the last",
        ),
        (("[A, C]", "[A, true]"), "line 7: rows, entry 2, entry 1, crop.columns"),
        (("name: 1\n", "name: 1\n    name: 2\n"), "line 7: the key 'name' stands twice"),
        (("schema_version: 1", "schema_version: 2"), "line 1: schema_version"),
        (("board: boards/1\n", "board: ''\n"), "line 5: rows, entry 1, entry 2, board"),
        (("rows:\n", "rows:\n- []\n"), "line 4: rows, entry 1"),
    ],
)
def test_mistakes_name_the_line(folder, change, said):
    text = GOOD.replace(*change)
    assert text != GOOD
    with pytest.raises(UsageError, match=said) as caught:
        load_setup(write(folder, text))
    assert "\n" not in str(caught.value)


def test_other_mistakes(folder):
    with pytest.raises(UsageError, match="needs 'rows:'"):
        load_setup(write(folder, "boards\n"))
    with pytest.raises(UsageError, match="the key 'rows' is missing"):
        load_setup(write(folder, "name: x\n"))
    with pytest.raises(UsageError, match="line 2: rows"):
        load_setup(write(folder, "name: x\nrows: []\n"))
    with pytest.raises(UsageError, match="at least one board"):
        compose_setup(write(folder, "rows: [[~]]\n"))
    with pytest.raises(UsageError, match="lays out 101 boards"):
        load_setup(write(folder, "rows: [[" + ", ".join(["{board: x}"] * 101) + "]]\n"))
    with pytest.raises(UsageError, match="called map"):
        compose_setup(write(folder, GOOD.replace("name: x", "name: map")))
    with pytest.raises(InputError, match="no board folder"):
        compose_setup(write(folder, "rows: [[{board: none}]]\n"))
    with pytest.raises(InputError, match="Cannot read"):
        load_setup(folder / "none.yaml")
    (folder / "map.yaml").write_bytes(b"rows: \xff")
    with pytest.raises(InputError, match="UTF-8"):
        load_setup(folder / "map.yaml")


def test_the_published_schema_is_this_one():
    published = Path(__file__).parents[2] / "docs" / "map-setup.schema.json"
    assert published.read_text(encoding="utf-8") == setup_schema()
