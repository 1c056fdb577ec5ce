"""VASL archives written from boards: what is written reads back, and nothing else moves."""

from __future__ import annotations

import gzip
import io
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from painted import STONE, WOOD, Painted
from PIL import Image

from hexsight.converting import (
    KEPT_ARCHIVE,
    Target,
    archive_grid,
    archive_to_folder,
    folder_to_archive,
    is_vasl_board,
)
from hexsight.export.vasl import into_archive, new_archive
from hexsight.export.vasl_grid import SNAP, grid_for
from hexsight.export.vasl_losdata import board_losdata, same_losdata
from hexsight.export.vasl_metadata import METADATA, About
from hexsight.extract.boardarchive import read_board_archive
from hexsight.model.board import Board, Cell
from hexsight.model.derive import derive
from hexsight.model.errors import InputError, OutputError, UnsupportedError, UsageError
from hexsight.model.layout import Layout
from hexsight.model.losdata import LosData, standard_rows, write_losdata
from hexsight.model.overrides import HexOverride, Overrides
from hexsight.model.store import load_board
from hexsight.model.terrain import load_catalogue
from hexsight.model.vassal_vasl import VaslNaming

# A full hex stands in the corner as on a standard board, at a height that VASL knows.
LAYOUT = Layout.from_grid(56.25, 64.5, 0.0, 32.25)


def _painted(layout: Layout = LAYOUT) -> Painted:
    paint = Painted(6, 4, layout=layout)
    paint.hexes("C2", "C3", "D2").hexes("E3", code=WOOD, grow=0.5)
    return paint.side("C2", "D2").stairs("C2")


def _board(paint: Painted | None = None, overrides: Overrides | None = None, **kw: object) -> Board:
    return derive((paint or _painted()).survey(**kw), overrides)


def _picture(board: Board) -> bytes:
    stream = io.BytesIO()
    Image.new("P", board.size_px, 3).save(stream, "GIF")
    return stream.getvalue()


def _new(board: Board, target: Path, name: str = "TINY") -> tuple[str, ...]:
    return new_archive(board, target, _picture(board), About(name, f"bd{name}.gif")).notes


def _members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {n: archive.read(n) for n in archive.namelist()}


def test_a_new_archive_says_what_the_board_says(tmp_path: Path) -> None:
    elevation = np.zeros(_painted().terrain.shape, np.int8)
    elevation[:100, :60] = 4
    board = _board(elevation_half=elevation)
    _new(board, tmp_path / "bdTINY")
    archive = read_board_archive(tmp_path / "bdTINY")
    losdata = archive.losdata()
    assert losdata is not None
    assert not archive.warnings
    assert (archive.name, archive.size_hexes, archive.has_hills) == ("TINY", (6, 4), True)
    assert archive.naming.layout() == board.layout
    np.testing.assert_array_equal(losdata.terrain, board.terrain)
    np.testing.assert_array_equal(losdata.elevation, elevation // 2)
    assert archive.stairways(losdata, board.size_px) == {
        h.name for h in board.hexes if board.joins_levels(h)
    }
    factory = board.catalogue.find("building", material="stone", height_half=5).name
    assert archive.building_types["C2"] == factory
    assert "E3" not in archive.building_types, "a plain wooden house needs no name"
    # The standard grid goes without saying.
    assert "hexWidth" not in archive.attributes
    _new(board, tmp_path / "bdAGAIN")
    assert (tmp_path / "bdAGAIN").read_bytes() == (tmp_path / "bdTINY").read_bytes()


@settings(max_examples=12, deadline=None)
@given(
    st.floats(20, 40),
    st.floats(20, 40),
    st.floats(0, 90),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.integers(0, 2),
    st.booleans(),
)
def test_any_upright_grid_is_written_exactly(
    dx: float, dy: float, x0: float, high: float, first: int, named: bool
) -> None:
    layout = Layout.from_grid(dx, dy, x0, dy * high)
    naming = VaslNaming(dx, dy, *layout.centre(first, 0))
    places = [(c, r) for c in range(first, first + 3) for r in range(3)]
    vasl = naming.layout().pixel_to_hex([layout.centre(c, r) for c, r in places])
    names = [naming.name(*cell) for cell in vasl.tolist()]
    cells = tuple(
        Cell(c, r, name if named else f"{c}.{r}")
        for (c, r), name in zip(places, names, strict=True)
    )
    paint = Painted(1, 1)
    paint.terrain = np.zeros((int(dy * 5), int(x0 + dx * 6)), np.uint8)
    board = derive(paint.survey(layout=layout, cells=cells))
    grid = grid_for(board)
    assert (grid.naming.hex_width, grid.naming.hex_height) == (dx, dy)
    again = grid.naming.layout()
    for h in board.hexes:
        cell = grid.naming.offset(grid.names[h.name])
        assert np.allclose(again.centre(*cell), (h.x_px, h.y_px), atol=SNAP * dy + 0.01)
    assert [grid.names[h.name] for h in board.hexes] == names
    assert {p[0] for p in grid.places.values()} == set(range(3))
    assert len(set(grid.places.values())) == len(grid.places) >= len(board.hexes) - 2


def test_names_that_vasl_has_not_are_told(tmp_path: Path) -> None:
    paint = _painted()
    cells = tuple(Cell(c.col, c.row, f"{c.col + 1:02d}{c.row + 1:02d}") for c in paint.cells)
    notes = _new(_board(paint, cells=cells), tmp_path / "bdN")
    assert any("0101 becomes A1" in n for n in notes)


def test_a_grid_that_vasl_does_not_lay_out_is_told(tmp_path: Path) -> None:
    layout = Layout.from_grid(40.0, 46.0, 0.0, 23.0)
    notes = _new(_board(_painted(layout)), tmp_path / "bdN")
    assert any("A1 is centred" in n and "23" in n for n in notes)
    text = _members(tmp_path / "bdN")[METADATA].decode()
    assert 'hexWidth="40.0"' in text
    assert 'A1CenterY="23.0"' in text


def test_ground_at_a_half_level_is_refused(tmp_path: Path) -> None:
    elevation = np.zeros(_painted().terrain.shape, np.int8)
    elevation[80:90, 110:120] = 3
    with pytest.raises(UnsupportedError, match=r"hex C2 lies at level 1\.5, and VASL has whole"):
        _new(_board(elevation_half=elevation), tmp_path / "bdX")
    assert not list(tmp_path.iterdir())


def test_a_turned_grid_names_the_remedy() -> None:
    turned = Layout.from_grid(56.25, 64.5, 30.0, 32.25, rot_deg=2.0)
    with pytest.raises(UnsupportedError, match=r"turned by 2\.00°.*grid PICTURE --straighten"):
        grid_for(_board(_painted(turned)))
    with pytest.raises(UnsupportedError, match="pointy-topped"):
        grid_for(_board(_painted(Layout.from_grid(40, 46, 30, 30, sideways=True))))
    hardly = Layout.from_grid(56.25, 64.5, 0.0, 32.25, rot_deg=0.02)
    assert abs(grid_for(_board(_painted(hardly))).naming.hex_width - 56.25) < 0.01


def _archive(tmp_path: Path, board: Board) -> Path:
    """An archive as people make them: comments, odd blanks, hexside terrain, an overlay."""
    plain = tmp_path / "plain"
    new_archive(board, plain, _picture(board), About("TINY", "bdTINY.gif"))
    members = _members(plain)
    text = members[METADATA].decode()
    text = text.replace('<?xml version="1.0" encoding="UTF-8"?>', "<?xml version='1.0'?>")
    text = text.replace("\t<colors>", "<!-- hand-made -->\r\n\t<colors>").replace("\n", "\r\n")
    text = text.replace(
        "</boardMetadata>",
        '  <slopes>\r\n<slope hex="B2"   hexsides="03"/>\r\n  </slopes>\r\n</boardMetadata>',
    )
    path = tmp_path / "bdTINY"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("bdTINY.gif", METADATA, "LOSData"):
            info = zipfile.ZipInfo(name, (2017, 8, 1, 12, 0, 0))
            archive.writestr(info, text.encode() if name == METADATA else members[name])
        archive.writestr("snow.gif", b"GIF89a not looked at")
    plain.unlink()
    return path


def _into(board: Board, source: Path, target: Path) -> dict[str, bytes]:
    archive = read_board_archive(source)
    before = archive.losdata()
    grid = archive_grid(board, archive, before)
    into_archive(board, source, target, grid, before)
    return _members(target)


def test_an_archive_written_unchanged_is_the_same_file(tmp_path: Path) -> None:
    source = _archive(tmp_path, _board())
    assert is_vasl_board(source)
    archive_to_folder(source, tmp_path / "folder")
    folder_to_archive(tmp_path / "folder", Target(tmp_path / "bdBACK"))
    assert (tmp_path / "bdBACK").read_bytes() == source.read_bytes()


def test_a_new_archive_tells_what_it_leaves_behind(tmp_path: Path) -> None:
    board = _board()
    source = _archive(tmp_path, board)
    archive_to_folder(source, tmp_path / "folder")
    (tmp_path / "map.gif").write_bytes(_picture(board))
    report = folder_to_archive(
        tmp_path / "folder", Target(tmp_path / "bdNEW", picture=tmp_path / "map.gif")
    )
    assert any("slopes" in note and "--picture" in note for note in report.notes)
    # Reading the kept archive anew leaves it alone.
    kept = tmp_path / "folder" / KEPT_ARCHIVE
    archive_to_folder(kept, tmp_path / "folder", overwrite=True)
    assert kept.read_bytes() == source.read_bytes()


@settings(max_examples=10, deadline=None)
@given(st.integers(2, 5), st.integers(2, 4), st.integers(0, 2**32 - 1), st.booleans())
def test_whatever_losdata_says_comes_back(wide: int, tall: int, seed: int, known: bool) -> None:
    """Any codes but those of terrain of ours, any whole levels, stairs in any hex."""
    rng = np.random.default_rng(seed)
    foreign = np.flatnonzero(load_catalogue().vasl_codes == np.arange(256))
    size = (round(64.5 * tall), round(56.25 * (wide - 1)))
    codes = rng.choice([0, 30, 40, 42, 47, 57, 76, 84, 170, 172], (40, 40)) if known else None
    patches = codes if codes is not None else rng.choice(foreign, (40, 40))
    rows = standard_rows(wide, tall)
    stairs = rng.integers(0, 2, (wide, tall + 1)).astype(np.uint8)
    stairs[[c for c, n in enumerate(rows) if n == tall], tall] = 0
    losdata = LosData(
        wide,
        tall,
        np.kron(rng.integers(-64, 64, (20, 20)), np.ones((16, 16)))[: size[0], : size[1]].astype(
            np.int8
        ),
        np.kron(patches, np.ones((16, 16)))[: size[0], : size[1]].astype(np.uint8),
        stairs,
        rows,
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        picture = io.BytesIO()
        Image.new("P", size[::-1]).save(picture, "GIF")
        with zipfile.ZipFile(folder / "bdX", "w") as archive:
            archive.writestr(
                METADATA,
                f'<boardMetadata boardImageFileName="bdX.gif" width="{wide}" height="{tall}"/>',
            )
            archive.writestr("LOSData", write_losdata(losdata))
            archive.writestr("bdX.gif", picture.getvalue())
        board = archive_to_folder(folder / "bdX", folder / "board")
        old = read_board_archive(folder / "bdX")
        again = board_losdata(board, archive_grid(board, old, losdata))
        assert same_losdata(again, losdata)


def test_one_change_touches_one_line_of_the_metadata(tmp_path: Path) -> None:
    source = _archive(tmp_path, _board())
    old = _members(source)
    factory = Overrides({"C2": HexOverride(factory=True)})
    new = _into(_board(overrides=factory), source, tmp_path / "bdNEW")
    assert list(new) == list(old)
    assert {n for n in old if old[n] != new[n]} == {METADATA, "LOSData"}
    before, after = old[METADATA].splitlines(), new[METADATA].splitlines()
    assert len(before) == len(after)
    changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    assert changed
    assert all(b"buildingType " in a and b"Factory" in b for a, b in changed)
    assert b'<slope hex="B2"   hexsides="03"/>' in new[METADATA]


def test_a_house_that_goes_takes_its_type_along_and_a_hill_is_told(tmp_path: Path) -> None:
    source = _archive(tmp_path, _board())
    elevation = np.zeros(_painted().terrain.shape, np.int8)
    elevation[-40:] = 2
    paint = Painted(6, 4, layout=LAYOUT).hexes("E3", code=WOOD, grow=0.5).hexes("A2", "A3")
    new = _into(_board(paint, elevation_half=elevation), source, tmp_path / "bdNEW")
    text = new[METADATA].decode()
    assert 'hexName="C2"' not in text
    assert 'hexName="A2"' in text
    assert 'hasHills="TRUE"' in text
    assert "hand-made" in text
    again = read_board_archive(tmp_path / "bdNEW")
    assert again.slopes[0].hex == "B2"
    assert again.slopes[0].sides == (0, 3)


def test_a_folder_as_the_ground_and_a_board_without_types(tmp_path: Path) -> None:
    folder = tmp_path / "bdOLD"
    folder.mkdir()
    board = _board()
    (folder / "bdOLD.gif").write_bytes(_picture(board))
    (folder / METADATA).write_text(
        '<boardMetadata name="OLD" boardImageFileName="bdOLD.gif" width="6" height="4"/>'
    )
    new = _into(board, folder, tmp_path / "bdNEW")
    assert new[METADATA].startswith(
        b'<boardMetadata name="OLD" boardImageFileName="bdOLD.gif" width="6" height="4">'
        b'<buildingTypes><buildingType hexName="C2"'
    )
    losdata = read_board_archive(tmp_path / "bdNEW").losdata()
    assert losdata is not None
    np.testing.assert_array_equal(losdata.terrain, board.terrain)


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    board = _board()
    source = _archive(tmp_path, board)
    other = _board(_painted(Layout.from_grid(56.25, 64.5, 28.0, 32.25)))
    padded = np.zeros(board.terrain.shape, np.uint8)
    beside = replace(other, terrain=padded, elevation_half=padded.view(np.int8))
    with pytest.raises(UnsupportedError, match="beside the archive's hexes"):
        _into(beside, source, tmp_path / "bdX")
    with pytest.raises(InputError, match="px and board"):
        _into(other, source, tmp_path / "bdX")
    with pytest.raises(OutputError, match="very file"):
        _into(board, source, source)
    archive_to_folder(source, tmp_path / "folder")
    with pytest.raises(OutputError, match="--force"):
        archive_to_folder(source, tmp_path / "folder")
    (tmp_path / "folder" / KEPT_ARCHIVE).unlink()
    with pytest.raises(UsageError, match="--picture"):
        folder_to_archive(tmp_path / "folder", Target(tmp_path / "bdX"))
    assert not (tmp_path / "bdX").exists()


def test_a_kept_archive_of_another_board_is_not_taken(tmp_path: Path) -> None:
    source = _archive(tmp_path, _board())
    archive_to_folder(source, tmp_path / "folder")
    data = (tmp_path / "folder" / "board.json").read_text()
    metadata = load_board(tmp_path / "folder").provenance.inputs_sha256[METADATA]
    (tmp_path / "folder" / "board.json").write_text(data.replace(metadata, "0" * 64))
    with pytest.raises(UsageError, match="not the archive"):
        folder_to_archive(tmp_path / "folder", Target(tmp_path / "bdX"))


def test_stone_is_told_apart_by_what_stands_beside_the_dot() -> None:
    """The dot of a hex may lie on a bar, which has no type of its own."""
    paint = Painted(6, 4, layout=LAYOUT).hexes("C2", "C3", "C4", "D2", "D3")
    x, y = LAYOUT.centre(*paint.where["C3"])
    paint.box(x - 20, y - 5, x + 20, y + 5, 172)
    board = _board(paint)
    assert board.catalogue[board.by_name["C3"].terrain].kind != "building"
    grid = grid_for(board)
    losdata = board_losdata(board, grid)
    assert losdata.terrain[round(y), round(x)] == board.terrain[round(y), round(x)]
    assert STONE not in np.unique(losdata.terrain), "kind and height of the building are resolved"


@pytest.mark.shared
@pytest.mark.parametrize("name", ["bd05", "bdBFPDW7a"])
def test_real_boards_come_back_as_they_were(shared: Path, tmp_path: Path, name: str) -> None:
    source = shared / "boards" / name
    board = archive_to_folder(source, tmp_path / "folder")
    folder_to_archive(tmp_path / "folder", Target(tmp_path / name))
    old, new = (read_board_archive(p) for p in (source, tmp_path / name))
    assert (new.metadata_bytes, new.image_data) == (old.metadata_bytes, old.image_data)
    assert old.losdata_bytes is not None
    stream = gzip.decompress(old.losdata_bytes)
    assert new.losdata_bytes is not None
    assert gzip.decompress(new.losdata_bytes) == stream
    # And written anew from the model alone, without the member that was there.
    grid = archive_grid(board, old, old.losdata())
    assert gzip.decompress(write_losdata(board_losdata(board, grid))) == stream
    fresh = grid_for(board)
    assert gzip.decompress(write_losdata(board_losdata(board, fresh))) == stream
    assert fresh.attributes().items() <= dict(old.attributes).items() or not fresh.is_standard
    assert not fresh.notes
