"""`hexsight grid --write`: the fitted grid in a copy of the module, all else as it was."""

from __future__ import annotations

import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hexsight.cli import run
from hexsight.commands.grid import _otherwise
from hexsight.extract.labels_report import Confirmation
from hexsight.extract.source import open_any
from hexsight.samples import write_samples


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    write_samples(folder)
    return folder


def shifted(source: Path, target: Path, old: str, new: str) -> None:
    """A copy of a module whose build file says something else once."""
    with zipfile.ZipFile(source) as before, zipfile.ZipFile(target, "w") as after:
        for info in before.infolist():
            data = before.read(info)
            if info.filename == "buildFile.xml":
                assert data.count(old.encode()) == 1
                data = data.replace(old.encode(), new.encode())
            after.writestr(info, data)


@pytest.mark.parametrize(
    ("board", "old", "new"),
    [
        ("Red Factory", 'dx="56.2" dy="64.9"', 'dx="56.0" dy="65.0"'),
        ("Sideways Mill", 'dx="52.7" dy="60.8"', 'dx="52.5" dy="60.9"'),
    ],
)
def test_the_grid_is_put_right_and_names_stay(samples, tmp_path, board, old, new):
    module, mended = tmp_path / "off.vmod", tmp_path / "mended.vmod"
    shifted(samples / "red-factory.vmod", module, old, new)
    untouched = module.read_bytes()
    assert run(["grid", str(module), "--board", board, "--write", str(mended)]) == 0
    assert module.read_bytes() == untouched
    before, after = open_any(module, board), open_any(mended, board)
    true = open_any(samples / "red-factory.vmod", board)
    names = {(c, r): n for c, r, n in true.hexes}
    assert {(c, r): n for c, r, n in after.hexes if (c, r) in names} == names
    for cell in names:
        assert np.hypot(*np.subtract(after.layout.centre(*cell), true.layout.centre(*cell))) < 1
    assert before.layout != after.layout
    with zipfile.ZipFile(module) as a, zipfile.ZipFile(mended) as b:
        assert a.namelist() == b.namelist()
        for name in a.namelist():
            if name != "buildFile.xml":
                assert a.read(name) == b.read(name)
        old_text, new_text = (z.read("buildFile.xml").decode() for z in (a, b))
    numbers = re.compile(r'(dx|dy|x0|y0|hOff|vOff)="[^"]*"')
    assert numbers.sub(r"\1", old_text) == numbers.sub(r"\1", new_text)


def test_a_dry_run_writes_nothing(samples, tmp_path, capsys):
    target = tmp_path / "never.vmod"
    arguments = ["grid", str(samples / "red-factory.vmod"), "--board", "Red Factory"]
    assert run([*arguments, "--write", str(target), "--dry-run"]) == 0
    assert "+++ buildFile.xml" in capsys.readouterr().out
    assert not target.exists()
    assert run([*arguments, "--write", str(samples / "red-factory.vmod"), "--force"]) == 5
    assert "very file" in capsys.readouterr().err


def test_what_was_written_is_told(samples, tmp_path, capsys):
    target = tmp_path / "new.vmod"
    arguments = ["grid", str(samples / "red-factory.vmod"), "--board", "Red Factory"]
    assert run([*arguments, "--write", str(target)]) == 0
    assert f"Wrote {target}" in capsys.readouterr().out


def test_a_few_hexes_that_read_otherwise_are_named():
    wrong = tuple((c, 0, f"X{c}", f"A{c}") for c in range(7))
    one = Confirmation("agrees", 30, wrong[:1], None, 0.9, 9.0, "1 hexes read otherwise")
    assert _otherwise(one) == "1 hex reads otherwise than named: A0 as X0"
    many = _otherwise(replace(one, disagree=wrong))
    assert many.startswith("7 hexes read") and many.endswith("A4 as X4 and 2 more")
    assert not _otherwise(replace(one, verdict="disagrees"))


def test_a_picture_cannot_be_written_to(samples, tmp_path, capsys):
    code = run(["grid", str(samples / "red-factory.png"), "--write", str(tmp_path / "x.vmod")])
    assert code == 2
    assert "no module" in capsys.readouterr().err


def test_straightening(samples, tmp_path):
    picture = Image.open(samples / "red-factory.png").rotate(
        1.3, Image.Resampling.BICUBIC, expand=True, fillcolor="white"
    )
    picture.save(tmp_path / "turned.png")
    out = tmp_path / "upright.png"
    assert run(["grid", str(tmp_path / "turned.png"), "--straighten", str(out)]) == 0
    upright = open_any(out)
    assert upright.picture.size_px[0] >= 1109
    assert run(["grid", str(out), "--json"]) == 0


def test_printed_names_confirm_and_propose(samples, capsys):
    module = str(samples / "red-factory.vmod")
    assert run(["grid", module, "--board", "Red Factory", "--labels", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["numbering"]
    assert found["verdict"] == "agrees"
    assert run(["grid", str(samples / "red-factory.png"), "--labels", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["numbering"]
    assert found["verdict"] == "proposed"
    assert {"hType": "A", "vType": "N", "first": "H"}.items() <= found["attributes"].items()
    assert run(["grid", str(samples / "red-factory.png"), "--labels"]) == 0
    assert 'hType="A"' in capsys.readouterr().out
