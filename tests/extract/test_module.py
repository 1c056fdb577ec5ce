"""Modules: which build file counts, boards, grids, names, and what the engine drops."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from hexsight.extract.module import Module, board_hexes, board_names, read_module
from hexsight.model.errors import InputError, UnsupportedError, UsageError
from hexsight.model.vassal_grid import HexGrid
from hexsight.model.vassal_zones import RegionGrid, SquareGrid, ZonedGrid
from hexsight.samples import board_names as sample_names
from hexsight.samples import write_samples

BOARD = "VASSAL.build.module.map.boardPicker.Board"
GRID = "VASSAL.build.module.map.boardPicker.board."
HEX = f'<{GRID}HexGrid dx="50" dy="58" x0="20" y0="30">'
NUMBERS = f'<{GRID}mapgrid.HexGridNumbering hType="A" vLeading="0"/>'
HEX_GRID = f"{HEX}{NUMBERS}</{GRID}HexGrid>"


def _png(size: tuple[int, int] = (300, 200)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, (90, 120, 60)).save(out, "PNG")
    return out.getvalue()


def _build(boards: str, *, version: str = "3.7.5", map_name: str = "Main") -> bytes:
    return (
        f'<VASSAL.build.GameModule name="Game" version="1.2" VassalVersion="{version}">'
        f'<VASSAL.build.module.Map mapName="{map_name}">'
        f"<VASSAL.build.module.map.BoardPicker>{boards}</VASSAL.build.module.map.BoardPicker>"
        '<VASSAL.build.module.map.LOS_Thread threadName="LOS" report="$Range$"/>'
        "</VASSAL.build.module.Map></VASSAL.build.GameModule>"
    ).encode()


def _board(inner: str, name: str = "Map", image: str = "map.png", more: str = "") -> str:
    return f'<{BOARD} name="{name}" image="{image}" {more}>{inner}</{BOARD}>'


def _module(tmp_path: Path, boards: str, **members: bytes) -> Module:
    path = tmp_path / "game.vmod"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("buildFile.xml", _build(boards))
        archive.writestr("images/map.png", _png())
        for name, data in members.items():
            archive.writestr(name, data)
    return read_module(path)


def test_a_module_says_what_it_holds(tmp_path: Path) -> None:
    data = (
        b"<data><version>1.2</version><VassalVersion>3.7.5</VassalVersion><name>Game</name></data>"
    )
    board = _board(HEX_GRID, more='reversible="true" color="1,2,3"')
    module = _module(tmp_path, board, moduledata=data)
    assert (module.name, module.version, module.vassal_version) == ("Game", "1.2", "3.7.5")
    assert (module.build_file, module.maps, module.kind) == ("buildFile.xml", ("Main",), "module")
    assert [t.name for t in module.los_threads] == ["LOS"]
    assert module.los_threads[0].report == "$Range$"
    found = module.board("Map")
    assert found is module.board() and found is module.board("Main/Map")
    assert (found.image, found.map_name, found.reversible) == ("images/map.png", "Main", True)
    assert module.board_size(found) == module.picture(found).size_px == (300, 200)
    assert not module.warnings


def test_names_and_places_of_a_plain_hex_grid(tmp_path: Path) -> None:
    module = _module(tmp_path, _board(HEX_GRID))
    layout, names = board_names(module.board(), (300, 200))
    grid = module.board().hex_grid().grid
    assert (layout.dx, layout.dy, layout.x0, layout.y0) == (50, 58, 20, 30)
    assert names[0] == (0, 0, "B1") and len({n for _, _, n in names}) == len(names)
    for c, r, name in names:
        x, y = grid.centre(c, r)
        assert 0 <= x < 300 and 0 <= y < 200
        assert grid.name(*grid.snap(x, y), (300, 200)) == name


@pytest.mark.parametrize(
    ("version", "chosen"),
    [("3.4.13", "buildFile"), ("3.5.0", "buildFile.xml"), ("", "buildFile.xml")],
)
def test_the_build_file_is_chosen_as_vassal_does(tmp_path: Path, version: str, chosen: str) -> None:
    data = f"<data><VassalVersion>{version}</VassalVersion></data>".encode()
    module = _module(
        tmp_path, _board(HEX_GRID), buildFile=_build(_board(HEX_GRID)), moduledata=data
    )
    assert module.build_file == chosen
    assert any("counts" in w for w in module.warnings)


def test_an_old_module_has_only_the_old_name(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "buildFile").write_bytes(_build(_board(HEX_GRID)))
    assert read_module(folder).build_file == "buildFile"


def test_a_missing_board_lists_those_there_are(tmp_path: Path) -> None:
    module = _module(tmp_path, _board(HEX_GRID, "North") + _board(HEX_GRID, "South"))
    with pytest.raises(UsageError, match=r"no board 'north'. Did you mean 'North'\?") as caught:
        module.board("north")
    assert "Boards: North, South" in str(caught.value) and caught.value.exit_code == 2
    with pytest.raises(UsageError, match="several boards"):
        module.board()


def test_boards_without_hexes(tmp_path: Path) -> None:
    square = f'<{GRID}SquareGrid dx="50"/>'
    region = (
        f'<{GRID}RegionGrid><{GRID}Region name="A" originx="5" originy="6"/></{GRID}RegionGrid>'
    )
    module = _module(tmp_path, _board(square, "S") + _board(region, "R") + _board("", "None"))
    assert isinstance(module.board("S").grid, SquareGrid)
    assert isinstance(module.board("R").grid, RegionGrid)
    for name, has in (("S", "it has SquareGrid"), ("R", "it has RegionGrid"), ("None", "grid.")):
        with pytest.raises(UnsupportedError, match="no hex grid") as caught:
            board_names(module.board(name), (300, 200))
        assert has in str(caught.value) and caught.value.exit_code == 4
    with pytest.raises(UnsupportedError, match=r"No board of game\.vmod has a hex grid"):
        module.board()
    with pytest.raises(UnsupportedError, match="no board"):
        _module(tmp_path, "").board("x")


@pytest.mark.parametrize(
    "bad", ['dx="NaN"', 'dx="1e308"', 'dy="-1"', 'x0="1.5"', 'dx="wide"', 'y0="99999999999"']
)
def test_a_bad_number_drops_the_grid_with_a_warning(tmp_path: Path, bad: str) -> None:
    module = _module(tmp_path, _board(f"<{GRID}HexGrid {bad}/>"))
    assert module.board().grid is None
    assert any("HexGrid cannot be read" in w and "line 1" in w for w in module.warnings)
    with pytest.raises(UnsupportedError, match="no hex grid"):
        board_names(module.board(), (300, 200))


def test_a_bad_number_in_the_numbering_drops_only_that(tmp_path: Path) -> None:
    numbers = f'<{GRID}mapgrid.HexGridNumbering hOff="one"/>'
    module = _module(tmp_path, _board(f"{HEX}{numbers}</{GRID}HexGrid>"))
    grid = module.board().hex_grid().grid
    assert isinstance(grid, HexGrid) and grid.numbering is None
    hexes = board_hexes(module.board(), (300, 200))
    # Column 02 begins half a hex above column 01.
    names = [h.name for h in hexes.hexes]
    assert names[:2] == ["0102", "0103"] and "0201" in names and "0101" not in names
    assert {h.location for h in hexes.hexes} == {""}
    assert any("no numbering" in w for w in hexes.warnings)


def test_zones_name_their_hexes(tmp_path: Path) -> None:
    zone = (
        f'<{GRID}mapgrid.Zone name="Town" path="0,0;150,0;150,200;0,200" useParentGrid="true" '
        'locationFormat="$name$ $gridLocation$"/>'
        f'<{GRID}mapgrid.Zone name="Box" path="200,0;300,0;300,200;200,200"/>'
    )
    module = _module(tmp_path, _board(f"<{GRID}ZonedGrid>{zone}{HEX_GRID}</{GRID}ZonedGrid>"))
    assert isinstance(module.board().grid, ZonedGrid)
    hexes = board_hexes(module.board(), (300, 200))
    by_name = {h.name: h for h in hexes.hexes}
    assert by_name["B1"].location == "Town B1" and by_name["B1"].zone == "Town"
    outside = [h for h in hexes.hexes if h.zone == ""]
    assert outside and all(h.location == h.name for h in outside)
    # A zone without grid covers the background: there are no hexes in it.
    assert all(h.x_px < 200 for h in hexes.hexes)


def test_the_grid_of_a_zone_counts_in_its_box(tmp_path: Path) -> None:
    own = HEX_GRID.replace('vLeading="0"', 'vLeading="0" vDescend="true"')
    zone = (
        f'<{GRID}mapgrid.Zone name="Field" locationFormat="$gridLocation$" '
        f'path="40,40;260,40;260,180;40,180">{own}</{GRID}mapgrid.Zone>'
    )
    module = _module(tmp_path, _board(f"<{GRID}ZonedGrid>{zone}</{GRID}ZonedGrid>"))
    place = module.board().hex_grid()
    assert place.zone is not None and place.container_px((300, 200)) == (220, 140)
    hexes = board_hexes(module.board(), (300, 200))
    assert hexes.hexes and all(place.zone.contains(h.x_px, h.y_px) for h in hexes.hexes)
    assert all(h.location == h.name for h in hexes.hexes)
    assert board_hexes(module.board(), (300, 200), "Field").hexes == hexes.hexes
    with pytest.raises(UsageError, match="zones: Field"):
        board_hexes(module.board(), (300, 200), "Sea")


def test_names_that_stand_for_several_hexes_are_told_apart(tmp_path: Path) -> None:
    grid = HEX_GRID.replace("hType", 'locationFormat="$column$" hType')
    hexes = board_hexes(_module(tmp_path, _board(grid)).board(), (300, 200))
    names = [h.name for h in hexes.hexes]
    assert len(set(names)) == len(names) and "B#0.0" in names
    assert any("several hexes each" in w for w in hexes.warnings)


def test_folders_of_the_editor_and_classes_of_the_module(tmp_path: Path) -> None:
    folder = "VASSAL.build.module.folder.MapSubFolder"
    own = f'<{GRID}HexGrid dx="50" dy="58"/>'.replace("VASSAL.build", "mygame.build")
    module = _module(tmp_path, f"<{folder}>{_board(f'<{folder}>{HEX_GRID}</{folder}>')}</{folder}>")
    assert module.board().hex_grid().grid.dx == 50
    module = _module(tmp_path, _board(own.replace("HexGrid", "MyHexGrid")))
    assert any("module's own class" in w for w in module.warnings)
    mine = _board(HEX_GRID).replace(BOARD, "mygame.ShinyBoard")
    assert _module(tmp_path, mine).board().name == "Map"


def test_a_grid_of_a_million_hexes_is_refused_at_once(tmp_path: Path) -> None:
    module = _module(tmp_path, _board(f'<{GRID}HexGrid dx="1" dy="1"/>'))
    with pytest.raises(UnsupportedError, match="more than 1000000 hexes"):
        board_names(module.board(), (12_000, 9_000))


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (b"<VASSAL.build.GameModule><a></VASSAL.build.GameModule>", "line 1"),
        (b"<html/>", "not a VASSAL module"),
        (b"", "buildFile.xml in game.vmod"),
        (b"\xff\xfe\x00bad", "buildFile.xml in game.vmod"),
    ],
)
def test_broken_build_files_end_in_one_sentence(tmp_path: Path, build: bytes, message: str) -> None:
    path = tmp_path / "game.vmod"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("buildFile.xml", build)
    with pytest.raises(InputError, match=message) as caught:
        read_module(path)
    assert "\n" not in str(caught.value)


def test_a_broken_moduledata_is_a_warning(tmp_path: Path) -> None:
    module = _module(tmp_path, _board(HEX_GRID), moduledata=b"<data><oops></data>")
    assert any("passed over" in w for w in module.warnings)


def test_a_picture_that_is_not_there_names_the_nearest(tmp_path: Path) -> None:
    module = _module(tmp_path, _board(HEX_GRID, image="Map.PNG"))
    assert any("is not in the module" in w for w in module.warnings)
    with pytest.raises(InputError, match=r"Did you mean images/map.png\?"):
        module.picture(module.board())
    plain = _module(tmp_path, _board(HEX_GRID, image="", more='width="300" height="200"'))
    assert plain.board_size(plain.board()) == (300, 200)
    with pytest.raises(UnsupportedError, match="only a colour"):
        plain.picture(plain.board())


def test_the_samples_read_as_they_were_drawn(tmp_path: Path) -> None:
    names = sample_names(default_only=True)
    write_samples(tmp_path, unpacked=True)
    for suffix in ("vmod", "module"):
        module = read_module(tmp_path / f"{names[0]}.{suffix}")
        assert len(module.boards) == len(names) and not module.warnings
        for board in module.boards:
            truth = json.loads((tmp_path / f"{Path(board.image).stem}.truth.json").read_text())
            layout, hexes = board_names(board, module.board_size(board))
            places = {name: layout.centre(col, row) for col, row, name in hexes}
            for entry in truth["hexes"]:
                # VASSAL's offsets are whole pixels: half a pixel off at most.
                assert places[entry["name"]] == pytest.approx(entry["centre_px"], abs=0.51)


@pytest.mark.shared
def test_grids_of_published_modules(shared: Path) -> None:
    index = json.loads((shared / "modules" / "index.json").read_text())
    for entry in index["boards"]:
        module = read_module(shared / "modules" / entry["game"])
        board = module.board(entry["board"])
        place = board.hex_grid()
        for key in ("dx", "dy", "x0", "y0"):
            assert getattr(place.grid, key) == float(entry["hexgrid"][key])
        assert (place.zone.name if place.zone else None) == entry["grid_in_zone"]
        assert (place.grid.numbering is None) == (entry["numbering"] is None)
        assert module.board_size(board) == tuple(entry["size"])
        hexes = {h.name: h for h in board_hexes(board, tuple(entry["size"])).hexes}
        for anchor in entry.get("label_anchors", ()):
            found = hexes[anchor["label"]]
            assert (found.col, found.row) == (anchor["nx"], anchor["ny"])
            assert (found.x_px, found.y_px) == pytest.approx((anchor["x"], anchor["y"]), abs=1.1)
