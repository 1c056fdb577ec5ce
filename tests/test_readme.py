"""The commands that the README shows for the sample run when they are pasted."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from hexsight.cli import run
from hexsight.samples import write_samples

ROOT = Path(__file__).resolve().parent.parent
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands(page: str, *markers: str) -> list[list[str]]:
    """Arguments of each `hexsight` line in the code of a page that names one of the markers."""
    text = (ROOT / page).read_text(encoding="utf-8")
    lines = [line for _, block in FENCED.findall(text) for line in block.splitlines()]
    words = [shlex.split(line, comments=True) for line in lines if line.startswith("hexsight ")]
    return [line[1:] for line in words if any(m in word for word in line for m in markers)]


def block(page: str, language: str, marker: str) -> str:
    """The code block of a language that holds the marker."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = [code for kind, code in FENCED.findall(text) if kind == language and marker in code]
    assert len(found) == 1, f"{page} has {len(found)} blocks of {language} with {marker!r}"
    return found[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make demo` leaves behind."""
    root = tmp_path_factory.mktemp("readme")
    write_samples(root / "demo/samples")
    built = ["build", str(root / "demo/samples/red-factory.vmod"), "-o", str(root / "demo/result")]
    assert run([*built, "--quiet"]) == 0
    return root


def test_the_readme_on_the_sample(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    asked = commands("README.md", "demo/result/red-factory")
    assert {"los", "charts"} <= {words[0] for words in asked}
    said = {}
    for words in asked:
        assert run(words) == 0, words
        said[" ".join(words[2:4])] = capsys.readouterr().out.splitlines()[0]
    # What the comments beside the commands promise.
    assert "blocked" in said["D2 D4"]
    assert "hindered by 2" in said["D4 E6"]
    assert "blocked" in said["Q4 J7"]
    assert "clear" in said["Q4@2 J7"]
    assert (folder / "demo/seen.png").is_file()
    assert (folder / "demo/chart.html").is_file()


def test_the_page_on_lines_of_sight_on_the_sample(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder / "demo")
    Path("turn3.yaml").write_text(block("docs/los.md", "yaml", "# turn3.yaml"), encoding="utf-8")
    Path("pairs.txt").write_text("D2 D4\n", encoding="utf-8")
    for words in commands("docs/los.md", "result/red-factory", "my.lostab"):
        assert run(words) == 0, words
    assert "hindered by 1" in capsys.readouterr().out  # through the breach
    exec(block("docs/los.md", "python", "overlay_table"), {})
    assert "pairs walked again" in capsys.readouterr().out


def test_the_examples_of_the_page_for_programs(folder, monkeypatch):
    """docs/python.md asks the board that `make demo` builds, from the folder of the project."""
    monkeypatch.chdir(folder)
    page = ROOT / "docs" / "python.md"
    failed, tried = doctest.testfile(
        str(page),
        module_relative=False,
        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE,
    )
    assert (failed, tried > 30) == (0, True)
