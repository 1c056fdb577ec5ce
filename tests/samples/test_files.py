"""Files written: deterministic, complete, and a module that VASSAL could open."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from lxml import etree
from PIL import Image

from hexsight.model.errors import OutputError, UsageError
from hexsight.samples import Sample, board_names, draw_board, write_samples
from hexsight.samples.__main__ import main
from hexsight.samples.module import zip_members


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    write_samples(folder, unpacked=True)
    return folder


def test_drawing_twice_gives_the_same_bytes(written: Path, tmp_path: Path) -> None:
    again = write_samples(tmp_path, unpacked=True)
    assert len(again) > 8
    for path in again:
        assert path.read_bytes() == (written / path.relative_to(tmp_path)).read_bytes(), path


def test_files_hold_what_was_drawn(written: Path, sample: Sample) -> None:
    with Image.open(written / f"{sample.name}.png") as picture:
        assert np.array_equal(np.asarray(picture.convert("RGB")), sample.picture)
    with Image.open(written / f"{sample.name}.terrain.png") as terrain:
        assert terrain.mode == "L"
        assert np.array_equal(np.asarray(terrain), sample.terrain)
    truth = json.loads((written / f"{sample.name}.truth.json").read_text())
    assert truth == sample.truth


def test_module_members(written: Path) -> None:
    with zipfile.ZipFile(written / "red-factory.vmod") as module:
        assert module.testzip() is None
        names = module.namelist()
        assert names[:2] == ["moduledata", "buildFile.xml"]
        assert {info.date_time for info in module.infolist()} == {(2020, 1, 1, 0, 0, 0)}
        root = etree.fromstring(module.read("buildFile.xml"))
        data = etree.fromstring(module.read("moduledata"))
        for image in root.xpath("//@image"):
            with Image.open(io.BytesIO(module.read(f"images/{image}"))) as picture:
                picture.load()
        unpacked = written / "red-factory.module"
        for name in names:
            assert (unpacked / name).read_bytes() == module.read(name)
    assert root.tag == "VASSAL.build.GameModule"
    assert data.findtext("name") == root.get("name")
    assert data.findtext("VassalVersion") == root.get("VassalVersion")
    boards = root.findall(".//VASSAL.build.module.map.boardPicker.Board")
    assert [b.get("image") for b in boards] == ["red-factory.png", "sideways-mill.png"]
    for tag in (
        "VASSAL.build.module.BasicCommandEncoder",
        "VASSAL.build.module.PlayerRoster",
        "VASSAL.build.module.GlobalOptions",
        "VASSAL.build.module.Map/VASSAL.build.module.map.LOS_Thread",
        "VASSAL.build.module.PieceWindow",
    ):
        assert root.find(tag) is not None, tag


def test_counters_name_pictures_of_the_module(written: Path) -> None:
    with zipfile.ZipFile(written / "red-factory.vmod") as module:
        root = etree.fromstring(module.read("buildFile.xml"))
        slots = root.findall(".//VASSAL.build.widget.PieceSlot")
        assert slots
        for slot in slots:
            image = slot.text.split("\t")[1].split(";")[3]
            assert f"images/{image}" in module.namelist()


def test_grid_attributes_are_what_vassal_reads(written: Path) -> None:
    """Whole offsets: VASSAL drops a grid with a fraction in x0 or y0."""
    with zipfile.ZipFile(written / "red-factory.vmod") as module:
        root = etree.fromstring(module.read("buildFile.xml"))
    grids = root.findall(".//VASSAL.build.module.map.boardPicker.board.HexGrid")
    assert [grid.get("sideways") for grid in grids] == ["false", "true"]
    for grid in grids:
        int(grid.get("x0"))
        int(grid.get("y0"))
        assert float(grid.get("dx")) > 0 and float(grid.get("dy")) > 0
        assert [child.tag.rsplit(".", 1)[1] for child in grid] == ["HexGridNumbering"]


def test_zip_does_not_depend_on_the_clock() -> None:
    assert zip_members({"a": b"1"}) == zip_members({"a": b"1"})


def test_one_board_alone(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, [str(tmp_path), "--board", "sideways-mill"])
    assert result.exit_code == 0, result.output
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "sideways-mill.png",
        "sideways-mill.terrain.png",
        "sideways-mill.truth.json",
        "sideways-mill.vmod",
    ]


def test_unknown_board_is_told() -> None:
    with pytest.raises(UsageError, match="red-factory, sideways-mill"):
        draw_board("green-factory")
    assert CliRunner().invoke(main, ["x", "--board", "green-factory"]).exit_code == 2


def test_folder_that_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(OutputError, match="Cannot write"):
        write_samples(blocked / "below", boards=["sideways-mill"])
    assert set(board_names()) >= {"red-factory", "sideways-mill"}
