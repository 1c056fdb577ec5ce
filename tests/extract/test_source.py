"""Telling what a path is."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from hexsight.extract.source import open_any, source_kind
from hexsight.model.errors import InputError, UnsupportedError, UsageError
from hexsight.samples import write_samples


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    write_samples(folder, unpacked=True)
    return folder


def test_a_module_and_its_folder(samples: Path) -> None:
    for path in (samples / "red-factory.vmod", samples / "red-factory.module"):
        assert source_kind(path) == "module"
        with pytest.raises(UsageError, match="name one with --board"):
            open_any(path)
        source = open_any(path, "Red Factory")
        assert source.kind == "module" and source.name == "Red Factory"
        assert source.layout is not None and source.hexes[0][2] == "A1"
        assert source.locations["A1"] == "A1"
        assert sorted(source.provenance) == ["buildFile.xml", "images/red-factory.png"]
        assert source.losdata() is None and not source.warnings


def test_a_picture(samples: Path) -> None:
    path = samples / "red-factory.png"
    assert source_kind(path) == "picture"
    source = open_any(path)
    assert (source.kind, source.name, source.layout) == ("picture", "red-factory", None)
    with pytest.raises(UsageError, match="leave out --board"):
        open_any(path, "Map")


def test_nothing_and_nonsense(tmp_path: Path) -> None:
    for name, data, message in (
        ("a.vmod", b"junk", "no zip file"),
        ("a.png", b"junk", "no picture, whatever"),
        ("a.txt", b"junk", "neither a picture nor"),
    ):
        (tmp_path / name).write_bytes(data)
        for call in (open_any, source_kind):
            with pytest.raises(InputError, match=message) as caught:
                call(tmp_path / name)
            assert caught.value.exit_code == 3 and "\n" not in str(caught.value)
    with pytest.raises(InputError, match="no such file"):
        open_any(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="the folder is neither"):
        open_any(tmp_path / "empty")


def test_a_module_one_folder_too_deep(tmp_path: Path) -> None:
    path = tmp_path / "g.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("game/buildFile.xml", "<x/>")
    with pytest.raises(InputError, match="lies in a folder inside"):
        open_any(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("game.vmod", "x")
    with pytest.raises(InputError, match=r"the module inside it, game\.vmod"):
        open_any(path)


def test_a_grid_that_is_needed_but_missing(tmp_path: Path) -> None:
    board = "VASSAL.build.module.map.boardPicker.Board"
    (tmp_path / "buildFile.xml").write_text(
        f'<VASSAL.build.GameModule><{board} name="M" image="m.svg"/></VASSAL.build.GameModule>'
    )
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "m.svg").write_text("<svg/>")
    with pytest.raises(UnsupportedError, match="no hex grid"):
        open_any(tmp_path, need_grid=True)
    with pytest.raises(UnsupportedError, match=r"images/m\.svg in .*SVG maps are not supported"):
        open_any(tmp_path)
