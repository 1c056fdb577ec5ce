"""hexsight.yaml: what a person writes, and what is said of their mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexsight.model.errors import InputError, UsageError
from hexsight.project import load_project, project_schema
from hexsight.reading import request_from

GOOD = """\
schema_version: 1
source: maps/game.vmod
board: Main map
legend: my-legend.yaml
grid: {dx: 56.2, dy: 64.9, x0: 23.4, y0: 33.7}
overrides:
  hexes:
    K15: {roofless: true, height: 2½}
    L3: {building: none}
  hexsides:
    K15-K16: {bar: full}
    K15-L15: {bar: [0, 0.5]}
    A1-A2: {terrain: Hedge}
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "hexsight.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_whole_file(tmp_path):
    project = load_project(write(tmp_path, GOOD))
    overrides = project.overrides.overrides()
    assert overrides.hexes["K15"].height_half == 5
    assert overrides.hexsides["K15-L15"].bar == (0, 0.5)
    assert not isinstance(project.grid, str)
    assert project.grid.layout().dx == 56.2


def test_paths_are_relative_to_the_file(tmp_path):
    write(tmp_path, GOOD)
    request = request_from(tmp_path)
    assert request.source == tmp_path / "maps/game.vmod"
    assert request.legend == str(tmp_path / "my-legend.yaml")
    assert request_from(tmp_path, board="Other", legend="vasl").board == "Other"


def test_overrides_know_where_they_stand(tmp_path):
    file = write(tmp_path, GOOD)
    overrides = request_from(tmp_path).overrides
    assert overrides.place("L3") == f"{file}, line 9"
    assert overrides.place("A1-A2") == f"{file}, line 13"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("board: Main map", "bord: Main map"), "line 3: the key 'bord' is not known"),
        (("source: maps/game.vmod\n", ""), "the key 'source' is missing"),
        (("dx: 56.2", "dx: wide"), "line 5: grid"),
        (("dx: 56.2", "dx: .nan"), "line 5: grid.dx: write a number, not nan"),
        (("height: 2½", "height: 1.3"), "line 8: overrides.hexes.K15.height: 1.3 is no height"),
        (("[0, 0.5]", "[0.5, 0]"), "line 12: overrides.hexsides.K15-L15.bar"),
        (("height: 2½", "height: -1"), "line 8: overrides.hexes.K15.height: .* no height below 0"),
        (("{bar: [0, 0.5]}", "{}"), "line 10: overrides.hexsides: K15-L15 says nothing"),
        (("[0, 0.5]", "ful"), "line 12"),
        (("    L3:", "    K15:"), "line 9: the key 'K15' stands twice"),
        (("schema_version: 1", "schema_version: 7"), "line 1"),
    ],
)
def test_mistakes_name_the_line(tmp_path, change, said):
    text = GOOD.replace(*change)
    assert text != GOOD
    with pytest.raises(UsageError, match=said) as caught:
        load_project(write(tmp_path, text))
    assert "\n" not in str(caught.value)


def test_unreadable_files(tmp_path):
    with pytest.raises(InputError, match="Cannot read"):
        load_project(tmp_path / "none.yaml")
    (tmp_path / "hexsight.yaml").write_bytes(b"source: \xff")
    with pytest.raises(InputError, match="UTF-8"):
        load_project(tmp_path / "hexsight.yaml")
    with pytest.raises(UsageError, match="source: FILE"):
        load_project(write(tmp_path, "just words\n"))


def test_the_published_schema_is_this_one():
    published = Path(__file__).parent.parent / "docs" / "hexsight.schema.json"
    assert published.read_text(encoding="utf-8") == project_schema()
