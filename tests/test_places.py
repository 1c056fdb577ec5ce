"""Names and pixels of a board from the command line, in both of VASSAL's readings."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from hexsight.cli import run
from hexsight.extract.source import open_any
from hexsight.model.errors import UsageError
from hexsight.model.vassal_grid import HexGrid
from hexsight.model.vassal_numbering import HexGridNumbering
from hexsight.places import place_at, places_named

_BOARD = "VASSAL.build.module.map.boardPicker.board."
_GRIDS = {
    "hexes": f"""<{_BOARD}HexGrid dx="40" dy="46" x0="20" y0="23" sideways="false">
        <{_BOARD}mapgrid.HexGridNumbering hType="A" vType="N" hLeading="0" vLeading="0" hOff="0"
         vOff="1" stagger="false"/></{_BOARD}HexGrid>""",
    "astray": f"""<{_BOARD}HexGrid dx="40" dy="46" x0="20" y0="23" sideways="false">
        <{_BOARD}mapgrid.HexGridNumbering hType="N" vType="N" hDescend="true" sep="."
         stagger="true"/></{_BOARD}HexGrid>""",
    "squares": f"""<{_BOARD}SquareGrid dx="50" dy="50" x0="25" y0="25">
        <{_BOARD}mapgrid.SquareGridNumbering hType="A" vType="N" hLeading="0" vLeading="0" hOff="0"
         vOff="0" vDescend="true"/></{_BOARD}SquareGrid>""",
    "regions": f"""<{_BOARD}RegionGrid snapto="true">
        <{_BOARD}Region name="Cairo" originx="60" originy="70"/>
        <{_BOARD}Region name="Suez" originx="300" originy="200"/></{_BOARD}RegionGrid>""",
    "zones": f"""<{_BOARD}mapgrid.ZonedGrid>
        <{_BOARD}mapgrid.Zone name="West" locationFormat="$name$: $gridLocation$"
         path="0,0;200,0;200,350;0,350" useParentGrid="false">
        <{_BOARD}HexGrid dx="40" dy="46" x0="20" y0="23">
        <{_BOARD}mapgrid.HexGridNumbering hType="N" vType="N"/></{_BOARD}HexGrid>
        </{_BOARD}mapgrid.Zone>
        <{_BOARD}mapgrid.Zone name="Turn track" locationFormat="$name$"
         path="300,0;400,0;400,50;300,50" useParentGrid="false"/>
        <{_BOARD}SquareGrid dx="50" dy="50" x0="25" y0="25">
        <{_BOARD}mapgrid.SquareGridNumbering hType="N" vType="N" sep="-"/></{_BOARD}SquareGrid>
        </{_BOARD}mapgrid.ZonedGrid>""",
}
SIZE = (420, 350)


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("places") / "all.vmod"
    boards = "".join(
        f'<{_BOARD[:-6]}Board name="{name}" image="m.png">{grid}</{_BOARD[:-6]}Board>'
        for name, grid in _GRIDS.items()
    )
    xml = (
        '<?xml version="1.0"?><VASSAL.build.GameModule name="t" version="1" VassalVersion="3.7">'
        '<VASSAL.build.module.Map mapName="Main"><VASSAL.build.module.map.BoardPicker>'
        f"{boards}</VASSAL.build.module.map.BoardPicker></VASSAL.build.module.Map>"
        "</VASSAL.build.GameModule>"
    )
    picture = cv2.imencode(".png", np.full((SIZE[1], SIZE[0], 3), 200, np.uint8))[1].tobytes()
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("buildFile.xml", xml)
        file.writestr("moduledata", '<data version="1"><VassalVersion>3.7</VassalVersion></data>')
        file.writestr("images/m.png", picture)
    return path


def test_raw_and_snapped_names_differ_beside_a_slanted_hexside(module: Path) -> None:
    source = open_any(module, "hexes")
    (c3,) = places_named(source, "C3")
    assert c3.point_px == c3.snapped_px == (100, 115)
    # Left of column C's rectangle, but in the tip of its hexagon.
    near = place_at(source, 100 - 24, 115)
    assert (near.name[0], near.snapped_name) == ("B", "C3")
    assert near.snapped_px == c3.point_px


@pytest.mark.parametrize("board", ["hexes", "astray"])
def test_every_hex_is_found_by_its_name(module: Path, board: str) -> None:
    source = open_any(module, board)
    for c, r, name in source.hexes:
        (place,) = places_named(source, name)
        assert place.raw == (c, r)
        assert place.snapped_name == name


def test_a_look_up_that_goes_astray_is_told(module: Path) -> None:
    grid = HexGrid(40, 46, 20, 23, numbering=HexGridNumbering(h_descend=True, sep="."))
    assert grid.warnings(SIZE)
    (place,) = places_named(open_any(module, "astray"), "03.04")
    assert "look-up of 03.04 goes to 03.0" in place.warning
    straight = replace(grid, numbering=HexGridNumbering(sep="."))
    assert not straight.warnings(SIZE)
    assert all(not p.warning for p in places_named(open_any(module, "hexes"), "C3"))


def test_squares_and_regions(module: Path) -> None:
    squares = open_any(module, "squares")
    for x, y in ((30, 30), (130, 280), (399, 20)):
        place = place_at(squares, x, y)
        assert places_named(squares, place.name)[0].point_px == place.snapped_px
    regions = open_any(module, "regions")
    assert place_at(regions, 10, 10).name == "Cairo"
    assert places_named(regions, "Suez")[0].point_px == (300, 200)


def test_zones_by_their_own_and_by_full_names(module: Path) -> None:
    source = open_any(module, "zones")
    (short,), (full,) = places_named(source, "0304"), places_named(source, "West: 0304")
    assert short == full
    assert (full.zone, full.snapped_name) == ("West", "West: 0304")
    assert places_named(source, "Turn track")[0].zone == "Turn track"
    background = place_at(source, 260, 260)
    assert background.zone == ""
    assert places_named(source, background.name)[0].point_px == background.snapped_px
    # The zone's hexes do not go on beyond the zone.
    with pytest.raises(UsageError, match="There is no '0804' on zones"):
        places_named(source, "0804")


def test_the_command(module: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    call = ["grid", str(module), "--board", "hexes"]
    assert run([*call, "--name", "C3", "--at", "76,115", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [p["asked"] for p in told["places"]] == ["C3", "76,115"]
    assert told["places"][1]["snapped_name"] == "C3"
    assert run([*call, "--at", "76,115"]) == 0
    assert "after snapping C3" in capsys.readouterr().out
    for wrong in (["--name", "Z99"], ["--at", "5"], ["--at", "a,b"], ["--at", "9999,5"],
                  ["--at", "nan,1"], ["--name", "9" * 5000]):  # fmt: skip
        assert run([*call, *wrong]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert ("Names there look like" in error) == (wrong[0] == "--name")
        assert len(error) < 6000
    picture = tmp_path / "p.png"
    cv2.imwrite(str(picture), np.full((99, 99, 3), 200, np.uint8))
    assert run(["grid", str(picture), "--at", "3,3"]) == 2
    assert "need a module" in capsys.readouterr().err
