"""`hexsight new`: what it writes can be built from, and nothing else is touched."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hexsight.cli import run
from hexsight.extract.legend import legend_from, load_legend
from hexsight.model.yamlsafe import parse_yaml
from hexsight.newproject import FILES, relative_path
from hexsight.project import load_project
from hexsight.reading import read, request_from
from hexsight.samples import write_samples


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    write_samples(folder)
    write_samples(folder, boards=["sideways-mill"], unpacked=True)
    return folder


def hashes(folder: Path) -> dict[str, str]:
    return {
        str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


def uncommented(text: str) -> str:
    """A hexsight.yaml with its example corrections taken into force."""
    head, examples = text.split("# overrides:")
    return head + "overrides:" + re.sub(r"(?m)^# ", "", examples)


@pytest.fixture(scope="module")
def made(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project made from one board of the sample module."""
    out = tmp_path_factory.mktemp("new") / "p"
    before = hashes(samples)
    module = str(samples / "red-factory.vmod")
    assert run(["new", module, "--board", "Sideways Mill", "-o", str(out), "-q"]) == 0
    assert hashes(samples) == before
    return out


def test_a_project_to_start_from(made):
    assert sorted(p.name for p in made.iterdir()) == sorted(FILES)
    project = load_project(made / "hexsight.yaml")
    assert project.board == "Sideways Mill"
    assert project.legend == "samples"
    assert not Path(project.source).is_absolute()
    assert load_legend(made / "legend.yaml").classes
    assert np.asarray(Image.open(made / "swatches.png")).ndim == 3
    assert read(request_from(made)).source.name == "Sideways Mill"


def test_the_examples_name_hexes_of_the_map(made, tmp_path):
    text = (made / "hexsight.yaml").read_text(encoding="utf-8")
    file = tmp_path / "hexsight.yaml"
    file.write_text(uncommented(text), encoding="utf-8")
    overrides = load_project(file).overrides
    names = {c.name for c in read(request_from(made)).cells}
    assert len(overrides.hexes) == 4 and set(overrides.hexes) <= names
    assert len(overrides.hexsides) == 4
    assert all(set(side.split("-")) <= names for side in overrides.hexsides)


def test_the_same_again_gives_the_same_bytes(samples, made, capsys):
    out = made.parent / "again"
    module = str(samples / "red-factory.vmod")
    assert run(["new", module, "--board", "Sideways Mill", "-o", str(out), "-q", "--json"]) == 0
    assert hashes(out) == hashes(made)
    answer = json.loads(capsys.readouterr().out)
    assert answer["schema_version"] == 1 and 6 <= len(answer["classes"]) <= 20
    assert answer["presets"]["samples"]["fits"] is True
    assert answer["legend"] == "samples"


def test_a_map_that_no_preset_knows(samples, tmp_path, capsys):
    """Other inks: the proposed legend is the one that is used, and can be built from."""
    rgb = np.asarray(Image.open(samples / "sideways-mill.png"))
    Image.fromarray(np.ascontiguousarray(rgb[..., ::-1])).save(tmp_path / "other inks.png")
    out = tmp_path / "p"
    assert run(["new", str(tmp_path / "other inks.png"), "-o", str(out), "-q"]) == 0
    said = capsys.readouterr().out
    assert "swatches.png" in said and "hexsight build" in said
    project = load_project(out / "hexsight.yaml")
    assert (project.legend, project.source) == ("legend.yaml", "../other inks.png")
    assert run(["extract", str(out), "--facts", str(tmp_path / "facts.json"), "-q"]) == 0
    assert len(json.loads((tmp_path / "facts.json").read_text())["hexes"]) > 90


def test_nothing_is_replaced_unasked(samples, tmp_path, capsys):
    source, out = str(samples / "sideways-mill.png"), tmp_path / "p"
    out.mkdir()
    (out / "hexsight.yaml").write_text("mine\n")
    assert run(["new", source, "-o", str(out), "-q"]) == 5
    assert "--force" in capsys.readouterr().err
    assert (out / "hexsight.yaml").read_text() == "mine\n" and len(list(out.iterdir())) == 1
    assert run(["new", source, "-o", str(out), "-q", "--force"]) == 0
    assert load_project(out / "hexsight.yaml").board is None


@pytest.mark.parametrize("inside", ["", "sub/folder"])
def test_never_inside_the_source(samples, tmp_path, capsys, inside):
    source = tmp_path / "module"
    shutil.copytree(samples / "sideways-mill.module", source)
    before = hashes(source)
    assert run(["new", str(source), "-o", str(source / inside), "-q", "--force"]) == 5
    assert "which is being read" in capsys.readouterr().err
    assert hashes(source) == before and not (source / "sub").exists()


def test_a_grid_set_by_hand_is_carried_over(samples, tmp_path, capsys):
    source = samples / "sideways-mill.png"
    facts = json.loads((samples / "sideways-mill.truth.json").read_text())["grid"]
    grid = {k: facts[k] for k in ("dx", "dy", "x0", "y0", "sideways")}
    given = tmp_path / "mine" / "hexsight.yaml"
    given.parent.mkdir()
    given.write_text(f"source: {json.dumps(str(source))}\ngrid: {json.dumps(grid)}\n")
    text = given.read_text()
    # Not even with --force is the file replaced that was given.
    assert run(["new", str(given), "-o", str(given.parent), "-q", "--force"]) == 5
    assert run(["new", str(given.parent), "-o", str(given.parent), "-q", "--force"]) == 5
    assert given.read_text() == text and len(list(given.parent.iterdir())) == 1
    assert run(["new", str(given), "-o", str(tmp_path / "p"), "-q"]) == 0
    made = load_project(tmp_path / "p" / "hexsight.yaml")
    assert made.grid.layout().dx == pytest.approx(facts["dx"], abs=1e-3)
    assert made.grid.sideways is True


def test_failures_leave_nothing_behind(samples, tmp_path, capsys):
    plain = tmp_path / "plain.png"
    Image.new("RGB", (400, 300), (120, 130, 140)).save(plain)
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "file").write_text("in the way")
    out = tmp_path / "out"
    for arguments, code, said in (
        ([str(plain), "-o", str(out)], 4, "No printed hex grid"),
        ([str(tmp_path / "text.png"), "-o", str(out)], 3, "text.png"),
        ([str(tmp_path / "nowhere.vmod"), "-o", str(out)], 3, "nowhere.vmod"),
        (
            [str(samples / "red-factory.vmod"), "-o", str(out), "--board", "Mill"],
            2,
            "Sideways Mill",
        ),
        ([str(samples / "red-factory.vmod"), "-o", str(out)], 2, "--board"),
        ([str(samples / "sideways-mill.png"), "-o", str(tmp_path / "file")], 5, "no folder"),
        ([str(samples / "sideways-mill.png")], 2, "--out"),
    ):
        assert run(["new", *arguments, "-q"] if len(arguments) > 1 else ["new", *arguments]) == code
        err = capsys.readouterr().err
        assert said in err and "Traceback" not in err
        assert not out.exists()


def test_paths_are_relative(tmp_path):
    (tmp_path / "maps").mkdir()
    source = tmp_path / "maps" / "a map.png"
    source.write_bytes(b"")
    assert relative_path(source, tmp_path / "projects" / "one") == "../../maps/a map.png"
    assert relative_path(source, tmp_path / "maps") == "a map.png"


def test_the_legends_in_the_manual_can_be_read():
    text = (Path(__file__).parent.parent / "docs" / "legends.md").read_text(encoding="utf-8")
    blocks = [b for b in re.findall(r"```yaml\n(.*?)```", text, re.S) if "classes:" in b]
    assert len(blocks) == 2
    for block in blocks:
        assert legend_from(parse_yaml(block, "legends.md"), "legends.md").classes
