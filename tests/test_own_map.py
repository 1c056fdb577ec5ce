"""From a blank sheet to a module: what the tutorial leads through."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hexsight.cli import run
from hexsight.extract.source import open_any
from hexsight.project import load_project
from hexsight.reading import Request, read
from hexsight.samples.sheet import blank_sheet


@pytest.mark.parametrize("sideways", [False, True])
def test_a_blank_sheet_is_read_as_it_is_named(tmp_path, sideways):
    words = ["--columns", "8", "--rows", "6", "--hex", "48"]
    target = tmp_path / "sheet.png"
    flags = ["--sideways"] if sideways else []
    assert run(["sheet", "-o", str(target), *words, *flags]) == 0
    sheet = blank_sheet(8, 6, hex_px=48, sideways=sideways)
    assert np.array_equal(np.asarray(Image.open(target)), sheet.picture)
    reading = read(Request(target))
    assert reading.layout.sideways is sideways
    named = {c.name: reading.layout.centre(c.col, c.row) for c in reading.cells}
    # Columns of the lattice run down, sideways across; every second has a half hex more.
    lines, places = (6, 8) if sideways else (8, 6)
    assert len(named) == lines * places + lines // 2
    for name in ("A1", f"{'ABCDEFGH'[lines - 1]}2"):
        col, row = "ABCDEFGH".index(name[0]) + 1, int(name[1:]) - 1
        assert named[name] == pytest.approx(sheet.layout.centre((col, row)), abs=0.6)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--columns", "3"], "too small"),
        (["--hex", "10"], "too small"),
        (["--columns", "900"], "Take fewer"),
    ],
)
def test_a_sheet_that_cannot_be_is_refused(tmp_path, capsys, words, said):
    assert run(["sheet", "-o", str(tmp_path / "x.png"), *words]) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_picture_becomes_a_module_with_the_same_names(tmp_path, capsys):
    picture = tmp_path / "my town.png"
    sheet = blank_sheet(8, 6, hex_px=48)
    Image.fromarray(sheet.picture).save(picture)
    out = tmp_path / "project"
    before = picture.read_bytes()
    assert run(["new", str(picture), "-o", str(out), "--module", "-q"]) == 0
    assert "my town.vmod" in capsys.readouterr().out
    project = load_project(out / "hexsight.yaml")
    assert project.source == "my town.vmod"
    of_picture = read(Request(picture))
    of_module = read(Request(out / "my town.vmod"))
    assert of_module.source.kind == "module" and of_module.source.name == "my town"
    a, b = (
        {c.name: r.layout.centre(c.col, c.row) for c in r.cells} for r in (of_picture, of_module)
    )
    assert a.keys() == b.keys()
    assert max(abs(p - q) for n in a for p, q in zip(a[n], b[n], strict=True)) < 0.01
    # The module's own grid, of whole pixels, lies within a pixel of the print.
    nominal = open_any(out / "my town.vmod", "my town").layout
    assert nominal is not None and abs(nominal.dx - of_picture.layout.dx) < 0.2
    assert picture.read_bytes() == before
    # Nothing is replaced unasked, and a module needs none made of it.
    assert run(["new", str(picture), "-o", str(out), "--module", "-q"]) == 5
    module = out / "my town.vmod"
    assert run(["new", str(module), "-o", str(tmp_path / "p2"), "--module", "-q"]) == 2
    assert "no picture" in capsys.readouterr().err
    assert not (tmp_path / "p2").exists()


def test_a_module_made_twice_is_the_same(tmp_path):
    picture = tmp_path / "field.png"
    Image.fromarray(blank_sheet(6, 5, hex_px=40).picture).save(picture)
    made = []
    for name in ("a", "b"):
        assert run(["new", str(picture), "-o", str(tmp_path / name), "--module", "-q"]) == 0
        made.append(Path(tmp_path / name / "field.vmod").read_bytes())
    assert made[0] == made[1]
