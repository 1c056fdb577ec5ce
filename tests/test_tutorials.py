"""The tutorials of the games: commands run, answers and pictures are what the pages show."""

from __future__ import annotations

import importlib.util
import io
import re
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
GAMES = ("musket-pike", "modern-platoon", "flames", "generic")
MOST_OFF = 6.0  # mean grey levels between a picture as shown and as it is drawn now


def _script() -> ModuleType:
    path = ROOT / "docs" / "make_pictures.py"
    spec = importlib.util.spec_from_file_location("make_pictures", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_pictures"] = module  # its dataclass asks for it
    spec.loader.exec_module(module)
    return module


pictures = _script()


def _same(shown: Path, now: bytes, name: str) -> None:
    """A picture that a page shows is the one that is drawn now."""
    how = f"{shown.name}: python docs/make_pictures.py {name}"
    with Image.open(shown) as old, Image.open(io.BytesIO(now)) as new:
        assert old.size == new.size, how
        off = np.asarray(old.convert("RGB"), int) - np.asarray(new.convert("RGB"), int)
    assert np.abs(off).mean() < MOST_OFF, how


@pytest.fixture
def town(monkeypatch):
    """The module that walks through docs/tutorial.md."""
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_sphinx"))
    yield import_module("tutorial_pictures")
    for name in ("tutorial_pictures", "town"):
        sys.modules.pop(name, None)


def test_the_tutorial_leads_to_a_module(town, tmp_path):
    said, seen = {}, set()
    for done, printed, place in town.walk(tmp_path):
        said[done], here = printed, place
        if found := town.drawn(done, place):
            name = found[0]
            seen.add(f"images/{name}")
            _same(pictures.IMAGES / name, pictures.town_shown(*found), "town")
            assert (pictures.IMAGES / name).stat().st_size < pictures.MOST_BYTES, name
    assert (
        "4 buildings (1 Factories), 2 black bars, 0 roofless"
        in said["hexsight build hexsight.yaml -o result"]
    )
    assert "1 roofless" in said["hexsight build hexsight.yaml -o result --force"]
    assert said["hexsight check result"].startswith("No findings")
    assert "blocked" in said["hexsight los result H6 D6"]
    assert "clear" in said["hexsight los result J3@2 E4"]
    assert (here / "town-los.vmod").is_file() and (here / "seen.png").is_file()
    page = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
    assert set(re.findall(r"!\[.*?\]\((.*?)\)", page)) == seen
    # Whoever has no paint program takes the picture as it is shown.
    assert (pictures.IMAGES / "town-map.png").read_bytes() == (
        here.parent / "town.png"
    ).read_bytes()


@pytest.mark.parametrize("name", GAMES)
def test_the_page_says_what_happens(name: str, tmp_path: Path) -> None:
    answers = images = 0
    for step in pictures.walk(pictures.page_of(name), tmp_path):
        if step.said == "text":
            assert step.printed == step.before
            answers += 1
        elif step.picture:
            shown = ROOT / "docs" / step.said
            _same(shown, pictures.shown(step.picture, tmp_path, shown.suffix), name)
            images += 1
    assert answers >= 4
    # The board, and at least one line of sight that is blocked.
    assert images >= 2
    assert "blocked" in pictures.page_of(name).read_text(encoding="utf-8")


def test_every_picture_is_small_and_known() -> None:
    links = {
        Path(part["image"]).name
        for page in pictures.PAGES
        for part in pictures._PARTS.finditer(pictures.page_of(page).read_text(encoding="utf-8"))
        if part["picture"]
    }
    assert pictures.PAGES == GAMES
    for name in links:
        assert (pictures.IMAGES / name).stat().st_size < pictures.MOST_BYTES, name
    assert links
    for name in pictures.OTHERS:
        assert (pictures.IMAGES / name).is_file(), name


def test_no_page_runs_what_is_no_command_of_hexsight(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\nrm -r /\n```\n", encoding="utf-8")
    with pytest.raises(RuntimeError, match="is not run here"):
        list(pictures.walk(page, tmp_path))
    page.write_text("```console\nhexsight los nowhere A1 A2\n```\n", encoding="utf-8")
    with pytest.raises(RuntimeError, match="ended with"):
        list(pictures.walk(page, tmp_path))
