"""VASL boards: packed and unpacked, old and new, names and places as their makers have them."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hexsight.extract.boardarchive import read_board_archive
from hexsight.extract.source import open_any
from hexsight.model.errors import InputError
from hexsight.model.losdata import LosData, standard_rows, write_losdata

SIZE = (170, 130)
META = (
    '<boardMetadata name="X" version="1" versionDate="now" author="me" hasHills="TRUE" '
    'boardImageFileName="bdX.gif" width="4" height="2" {more}>'
    '<buildingTypes><buildingType hexName="B1" buildingTypeName="Stone Building"/></buildingTypes>'
    '<slopes><slope hex="A1" hexsides="035"/></slopes>'
    '<colors><color name="Odd" red="1" green="2" blue="3" terrain="Woods" elevation="0"/>'
    '<color name="Bad" red="1" green="x" blue="300"/></colors>'
    '<overlaySSRules><overlaySSRule name="F" image="f.gif" x="3" y="4"/>'
    '<overlaySSRuleSet name="Set"><overlaySSRuleImage image="s.gif" x="5" y="6"/>'
    "</overlaySSRuleSet></overlaySSRules><extra><thing a='1'/></extra></boardMetadata>"
)


def _gif(size: tuple[int, int] = SIZE) -> bytes:
    out = io.BytesIO()
    Image.new("P", size).save(out, "GIF")
    return out.getvalue()


def _losdata() -> bytes:
    stairways = np.zeros((4, 3), np.uint8)
    stairways[1, 0] = 1
    raster = np.zeros(SIZE[::-1], np.uint8)
    return write_losdata(
        LosData(4, 2, raster.astype(np.int8), raster, stairways, standard_rows(4, 2))
    )


def _packed(tmp_path: Path, more: str = "", **members: bytes) -> Path:
    path = tmp_path / "bdX"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("BoardMetadata.xml", META.format(more=more))
        archive.writestr("bdX.gif", _gif())
        archive.writestr("LOSData", _losdata())
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def test_everything_in_the_metadata_is_kept(tmp_path: Path) -> None:
    board = read_board_archive(_packed(tmp_path))
    assert (board.name, board.version, board.author) == ("X", "1", "me")
    assert board.has_hills and board.size_hexes == (4, 2) and not board.legacy
    assert dict(board.building_types) == {"B1": "Stone Building"}
    assert board.slopes[0].hex == "A1" and board.slopes[0].sides == (0, 3, 5)
    assert [c.rgb for c in board.colours] == [(1, 2, 3)]
    assert [(o.name, o.image, o.x, o.y) for o in board.overlays] == [
        ("F", "f.gif", 3, 4),
        ("Set", "s.gif", 5, 6),
    ]
    assert dict(board.sections["extra"][0][1]) == {"a": "1"}
    assert any("no valid RGB" in w for w in board.warnings)
    names = [n for _, _, n in board.hexes(SIZE)]
    assert names == ["A1", "A2", "B0", "B1", "B2", "C1", "C2", "D0", "D1", "D2"]
    losdata = board.losdata()
    assert losdata is not None and board.stairways(losdata, SIZE) == {"B0"}


def test_packed_and_unpacked_are_the_same(tmp_path: Path) -> None:
    packed = _packed(tmp_path)
    folder = tmp_path / "folder"
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(folder)
    one, two = open_any(packed), open_any(folder)
    assert (one.kind, one.name, one.hexes) == (two.kind, two.name, two.hexes)
    assert one.provenance == two.provenance
    assert sorted(one.provenance) == ["BoardMetadata.xml", "LOSData", "bdX.gif"]
    assert one.losdata() is not None and one.building_types["B1"] == "Stone Building"


def test_a_picture_beside_metadata_is_just_a_picture(tmp_path: Path) -> None:
    (tmp_path / "BoardMetadata.xml").write_text(META.format(more=""))
    (tmp_path / "bdX.gif").write_bytes(_gif())
    source = open_any(tmp_path / "bdX.gif")
    assert source.kind == "picture" and source.layout is None and source.hexes == ()


def test_an_old_board_says_where_a1_is(tmp_path: Path) -> None:
    path = tmp_path / "bdOld"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data", "version 3.1\n3 Mar 08\nx0 37\ny0 32\n")
        archive.writestr("bdOld.gif", _gif())
        archive.writestr("overlay.gif", _gif((5, 5)))
    board = read_board_archive(path)
    assert board.legacy and board.version == "3.1" and board.name == "Old"
    assert (board.naming.a1_x, board.naming.a1_y, board.size_hexes) == (37, 32, None)
    assert board.image_name == "bdOld.gif" and board.losdata() is None
    assert tuple(n for _, _, n in board.hexes(SIZE) if n in ("A1", "B0")) == ("A1", "B0")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ('hexWidth="NaN"', "hexWidth"),
        ('hexHeight="1e308"', "hexHeight"),
        ('hexWidth="0"', "hexWidth"),
        ('A1CenterX="left"', "A1CenterX"),
    ],
)
def test_bad_numbers_name_the_attribute(tmp_path: Path, more: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_board_archive(_packed(tmp_path, more))


def test_other_broken_boards(tmp_path: Path) -> None:
    path = tmp_path / "bdX"
    for members, message in (
        ({"BoardMetadata.xml": b"<other/>"}, "not <boardMetadata>"),
        ({"BoardMetadata.xml": META.format(more="").encode()}, "Cannot find the picture bdX.gif"),
        ({"BoardMetadata.xml": b"<boardMetadata width='0' height='1'/>", "a.gif": b""}, "width="),
        (
            {
                "BoardMetadata.xml": META.format(more="").replace("035", "07").encode(),
                "bdX.gif": _gif(),
            },
            "digits from 0 to 5",
        ),
        ({"readme.txt": b"x"}, "neither BoardMetadata.xml nor data"),
    ):
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in members.items():
                archive.writestr(name, data)
        with pytest.raises(InputError, match=message):
            read_board_archive(path)


def test_more_hexes_than_a_picture_could_show(tmp_path: Path) -> None:
    path = tmp_path / "bdX"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "BoardMetadata.xml",
            META.format(more="").replace('"4"', '"4096"').replace('height="2"', 'height="4096"'),
        )
        archive.writestr("bdX.gif", _gif())
    with pytest.raises(InputError, match="over the limit"):
        read_board_archive(path).hexes(SIZE)


@pytest.mark.shared
def test_names_and_places_equal_the_truth(shared: Path) -> None:
    folders = sorted(p for p in (shared / "boards").iterdir() if (p / "LOSData").exists())
    assert folders
    for folder in folders:
        board = read_board_archive(folder)
        truth = shared / "truth" / folder.name
        grid = json.loads((truth / "grid.json").read_text())
        hexes = json.loads((truth / "hexes.json").read_text())["hexes"]
        nominal = {k: getattr(board.layout, k) for k in ("dx", "dy", "x0", "y0")}
        assert nominal == pytest.approx(grid["nominal"], abs=1e-6)
        found = board.hexes(tuple(grid["image_size"]))
        # The truth counts rows from the top of each column.
        rows = [(h["col"], h["row"] - h["col"] % 2, h["name"]) for h in hexes]
        assert found == rows
        losdata = board.losdata()
        assert losdata is not None and losdata.size_px == tuple(grid["image_size"])
        stairs = {h["name"] for h in hexes if h["stairway"]}
        assert board.stairways(losdata, losdata.size_px) == stairs


@pytest.mark.shared
def test_old_packed_boards(shared: Path) -> None:
    # Printed hexes seen on the pictures: first and last names, and where A1 is.
    expected = {
        "bdRB": ("A1", "JJ45", (0.0, 32.25)),
        "bdFACTRY": ("A1", "QQ36", (0.0, 32.25)),
        "bdVotG": ("A1", "OO50", (37.0, 32.0)),
        "bdBRT": ("A1", "Z63", (20.0, 20.0)),
    }
    for name, (first, last, a1) in expected.items():
        source = open_any(shared / "boards" / "legacy" / name)
        names = [n for _, _, n in source.hexes]
        assert source.layout is not None and source.layout.origin_px == a1
        assert first in names and last in names
        assert source.losdata() is None
