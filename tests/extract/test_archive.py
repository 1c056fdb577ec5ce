"""Zip files and folders: what is read, and what a hostile one ends in."""

from __future__ import annotations

import io
import os
import warnings
import zipfile
from pathlib import Path

import pytest

from hexsight.extract.archive import ModuleFiles, is_zip, near_miss, open_source
from hexsight.model.errors import InputError


def _zip(path: Path, members: list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # duplicate names are the point
        with zipfile.ZipFile(path, "w", method) as archive:
            for name, data in members:
                archive.writestr(name, data)
    return path


def test_zip_and_folder_read_alike(tmp_path: Path) -> None:
    members = [("buildFile.xml", b"<a/>"), ("images/map.png", b"pixels")]
    folder = tmp_path / "game"
    for name, data in members:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    for path in (_zip(tmp_path / "game.vmod", members), folder):
        with open_source(path) as files:
            assert sorted(files.names) == ["buildFile.xml", "images/map.png"]
            assert files.read("images/map.png") == b"pixels"
            assert files.has("buildFile.xml") and not files.has("buildfile.xml")
            assert len(files.sha256("buildFile.xml")) == 64


def test_a_missing_member_names_the_nearest(tmp_path: Path) -> None:
    path = _zip(tmp_path / "g.vmod", [("images/Map.png", b"x"), ("images/counter.png", b"y")])
    with open_source(path) as files:
        with pytest.raises(InputError, match=r"Did you mean images/Map.png\? Capital"):
            files.read("images/map.PNG")
        with pytest.raises(InputError, match=r"Did you mean images/counter.png\?"):
            files.read("images/counters.png")
        with pytest.raises(InputError, match=r"in g.vmod\.$"):
            files.read("images/zzz.png")
    assert near_miss("x", []) == ""


@pytest.mark.parametrize(
    "name", ["../evil", "a/../../evil", "/etc/passwd", "\\\\host\\x", "C:/x", "a\\..\\..\\b"]
)
def test_members_that_point_outside_are_refused(tmp_path: Path, name: str) -> None:
    path = _zip(tmp_path / "g.vmod", [("buildFile.xml", b""), (name, b"x")])
    with pytest.raises(InputError, match="points outside"):
        open_source(path)


def test_a_name_twice_is_refused(tmp_path: Path) -> None:
    path = _zip(tmp_path / "g.vmod", [("buildFile.xml", b"a"), ("buildFile.xml", b"b")])
    with pytest.raises(InputError, match="twice"):
        open_source(path)


def test_a_zip_bomb_is_refused_before_it_goes_off(tmp_path: Path) -> None:
    path = _zip(tmp_path / "g.vmod", [("images/map.png", bytes(40_000_000))])
    with open_source(path) as files, pytest.raises(InputError, match="zip bomb"):
        files.read("images/map.png")
    with open_source(path) as files, pytest.raises(InputError, match="over the limit"):
        files.read("images/map.png", max_bytes=1000)


def test_an_encrypted_member_is_told(tmp_path: Path) -> None:
    path = _zip(tmp_path / "g.vmod", [("a.txt", b"secret")], zipfile.ZIP_STORED)
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"PK\x03\x04") + 6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(raw)
    with open_source(path) as files, pytest.raises(InputError, match="encrypted"):
        files.read("a.txt")


def test_a_method_that_vassal_cannot_read_is_told(tmp_path: Path) -> None:
    path = _zip(tmp_path / "g.vmod", [("a.txt", b"text" * 50)], zipfile.ZIP_BZIP2)
    with open_source(path) as files, pytest.raises(InputError, match="method 12"):
        files.read("a.txt")


@pytest.mark.parametrize("cut", [4, 40, 200, -1, -30])
def test_a_truncated_zip_is_told(tmp_path: Path, cut: int) -> None:
    path = _zip(tmp_path / "g.vmod", [("a.txt", os.urandom(300))])
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(InputError, match="broken or cut off"):
        open_source(path)


def test_a_damaged_member_is_told(tmp_path: Path) -> None:
    path = _zip(tmp_path / "g.vmod", [("a.txt", os.urandom(200))])
    raw = bytearray(path.read_bytes())
    raw[100:120] = bytes(20)
    path.write_bytes(raw)
    with open_source(path) as files, pytest.raises(InputError, match="damaged"):
        files.read("a.txt")


def test_what_is_no_zip(tmp_path: Path) -> None:
    path = tmp_path / "g.vmod"
    path.write_bytes(b"not a zip at all")
    assert not is_zip(path)
    with pytest.raises(InputError, match="no zip file"):
        open_source(path)
    with pytest.raises(InputError, match="no such file"):
        open_source(tmp_path / "nothing.vmod")


def test_a_link_out_of_a_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "map.png").symlink_to(tmp_path / "secret")
    with pytest.raises(InputError, match="leads out"):
        open_source(folder).read("map.png")


def test_members_above_a_folder_do_not_exist(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    folder = tmp_path / "game"
    folder.mkdir()
    with pytest.raises(InputError, match="Cannot find"):
        open_source(folder).read("../secret")


def test_random_bytes_after_the_magic_never_escape_as_other_errors(tmp_path: Path) -> None:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("a.txt", b"text" * 30)
        archive.writestr("b.txt", b"more" * 30)
    good = whole.getvalue()
    path = tmp_path / "g.vmod"
    for at in range(4, len(good)):
        bad = bytearray(good)
        bad[at] ^= 0xFF
        path.write_bytes(bad)
        try:
            with open_source(path) as files:
                assert isinstance(files, ModuleFiles)
                for name in files.names:
                    files.read(name)
        except InputError as error:
            assert "\n" not in str(error)
