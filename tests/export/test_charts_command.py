"""`hexsight charts` and `hexsight convert` on the command line."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from PIL import Image
from tinyboard import tiny_board

from hexsight.cli import run
from hexsight.los.profile import load_profile
from hexsight.los.table import build_table, write_table
from hexsight.model.store import save_board

BUILD = '<VASSAL.build.GameModule name="G" version="1"></VASSAL.build.GameModule>'


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board folder ``board`` with a fresh table, its map, and a module."""
    base = tmp_path_factory.mktemp("charts")
    rgb, board = tiny_board()
    save_board(board, base / "board")
    table = build_table(board, load_profile("asl"), engine="python", threads=1)
    write_table(table, base / "board" / "los.lostab")
    Image.fromarray(rgb).save(base / "map.png")
    with zipfile.ZipFile(base / "g.vmod", "w") as archive:
        archive.writestr("buildFile.xml", BUILD)
        archive.writestr("moduledata", "<data><VassalVersion>3.6.0</VassalVersion></data>")
    return base


def _run(*arguments: str | Path) -> int:
    return run([str(a) for a in arguments])


def test_every_kind_is_written_and_nothing_twice(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = made / "board"
    wanted = {k: tmp_path / f"x.{k}" for k in ("csv", "json", "geojson", "svg", "png")}
    options = [part for kind, path in wanted.items() for part in (f"--{kind}", path)]
    page = tmp_path / "x.html"
    assert _run("charts", board, "-o", page, *options, "--map", made / "map.png", "-q") == 0
    told = capsys.readouterr().out
    for path in (page, *wanted.values()):
        assert path.stat().st_size > 500
        assert f"{path}: {path.stat().st_size} bytes" in told
    assert json.loads(wanted["json"].read_text())["board"] == "Tiny ½"
    assert b"<image" in wanted["svg"].read_bytes()
    assert _run("charts", board, "-o", page, "-q") == 5
    assert "--force" in capsys.readouterr().err
    # Without a map the page shows a drawing of the board, and SVG the bare overlay.
    assert _run("charts", board, "-o", page, "--svg", wanted["svg"], "--force", "-q") == 0
    assert b"data:image/" in page.read_bytes()
    assert b"<image" not in wanted["svg"].read_bytes()


def test_the_module_gets_a_tab_and_loses_it(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board, module, copy = made / "board", made / "g.vmod", tmp_path / "g2.vmod"
    assert _run("charts", board, "--into", module, "-o", copy, "--dry-run", "-q") == 0
    assert "added: hexsight/tiny-12.chart.html" in capsys.readouterr().out
    assert not copy.exists()
    assert _run("charts", board, "--into", module, "-o", copy, "-q") == 0
    with zipfile.ZipFile(copy) as archive:
        assert "HtmlChart" in archive.read("buildFile.xml").decode()
    back = tmp_path / "g3.vmod"
    assert _run("charts", board, "--into", copy, "--remove", "-o", back, "-q") == 0
    with zipfile.ZipFile(back) as archive:
        assert archive.namelist() == ["buildFile.xml", "moduledata"]
        assert archive.read("buildFile.xml").decode() == BUILD
    assert _run("charts", board, "--into", module, "-o", module, "--force", "-q") == 5


def test_wrong_usage_is_told(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = made / "board"
    assert _run("charts", board, "-q") == 2
    assert _run("charts", board, "-o", tmp_path / "x.html", "--remove", "-q") == 2
    other = tmp_path / "other"
    _, changed = tiny_board(sideways=True)
    save_board(changed, other)
    page = tmp_path / "x.html"
    table = board / "los.lostab"
    assert _run("charts", other, "-o", page, "--table", table, "-q") == 2
    assert "Build it again" in capsys.readouterr().err
    assert not page.exists()


def test_convert_tells_which_way_it_goes(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board, map_ = made / "board", made / "map.png"
    new, folder, back = tmp_path / "bdTINY", tmp_path / "folder", tmp_path / "bdBACK"
    assert _run("convert", board, "-o", new, "-q") == 2
    assert "--picture" in capsys.readouterr().err
    assert _run("convert", board, "-o", new, "--picture", map_, "--author", "me", "-q") == 0
    told = capsys.readouterr()
    assert "added: BoardMetadata.xml, LOSData, bdTINY.png" in told.out
    assert "Note: VASL lays out hexes only" in told.err
    assert _run("convert", new, "-o", folder, "-q") == 0
    assert _run("convert", folder, "-o", back, "--dry-run", "-q") == 0
    assert "kept as they are: BoardMetadata.xml, LOSData, bdTINY.png" in capsys.readouterr().out
    assert _run("convert", folder, "-o", back, "-q") == 0
    assert back.read_bytes() == new.read_bytes()
    assert _run("convert", board, "-o", tmp_path / "bdINTO", "--into", new, "-q") == 0
    assert _run("convert", new, "-o", folder, "--into", back, "-q") == 2
    assert _run("convert", map_, "-o", folder, "-q") == 2
    assert _run("convert", tmp_path / "gone", "-o", folder, "-q") == 3
    assert _run("convert", board, "-o", back, "--into", new, "--picture", map_, "-q") == 2
    before = new.read_bytes()
    capsys.readouterr()
    assert _run("convert", board, "--into", new, "--in-place", "--dry-run", "-q") == 0
    assert f"the old file would stay {tmp_path / 'bdTINY.bak'}" in capsys.readouterr().out
    assert not (tmp_path / "bdTINY.bak").exists()
    assert _run("convert", board, "--into", new, "--in-place", "-q") == 0
    assert (tmp_path / "bdTINY.bak").read_bytes() == before
    capsys.readouterr()
    assert _run("convert", board, "--into", new, "--in-place", "--json", "-q") == 0
    told_json = json.loads(capsys.readouterr().out)
    assert told_json["backup"] == str(tmp_path / "bdTINY.bak2")
    assert (tmp_path / "bdTINY.bak").read_bytes() == before
    assert (tmp_path / "bdTINY.bak2").exists()
    assert _run("convert", board, "--in-place", "-o", back, "-q") == 2
    assert _run("convert", board, "-q") == 2


def test_a_module_is_changed_in_place_with_a_copy_kept(made: Path, tmp_path: Path) -> None:
    board, module = made / "board", tmp_path / "g.vmod"
    module.write_bytes((made / "g.vmod").read_bytes())
    old = module.read_bytes()
    assert _run("charts", board, "--into", module, "-q") == 2
    assert _run("charts", board, "--into", module, "--in-place", "--dry-run", "-q") == 0
    assert module.read_bytes() == old
    assert _run("charts", board, "--into", module, "--in-place", "-q") == 0
    assert (tmp_path / "g.vmod.bak").read_bytes() == old
    with zipfile.ZipFile(module) as archive:
        assert "hexsight/tiny-12.chart.html" in archive.namelist()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["g.vmod", "g.vmod.bak"]
