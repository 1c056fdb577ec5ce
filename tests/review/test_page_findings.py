"""The list of findings: worst first, Next, mend, accept, progress; and the page as one file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from browser import Opened, Review, opened, screenshots, start_review
from conftest import write_project
from tiny_project import tiny_project

from hexsight.cli import run

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WRONG = """\
    N6: {stairwell: true}
  hexsides:
    G9-H9: {bar: full}
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample with two corrections that are wrong, and one that says nothing new."""
    folder = write_project(tmp_path_factory.mktemp("findings"))
    file = folder / "hexsight.yaml"
    file.write_text(file.read_text(encoding="utf-8") + WRONG, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def review(browser: Browser, project: Path) -> Iterator[Review]:
    """`hexsight review` on it."""
    found = start_review(project)
    yield found
    found.stop()


def test_findings_are_gone_through_accepted_and_mended(page: Opened, project: Path) -> None:
    page.wait("() => hexsight.page.findings.length === 3")
    page.page.click("#tab-findings")
    where = page.page.locator("#finding-list .where").all_inner_texts()
    assert set(where[:2]) == {"N6", "G9-H9"} and where[2] == "D4"  # worst first
    page.page.click("#next")
    page.said("warning 1 of 3 at")
    page.still()
    x, y = page.at("N6" if where[0] == "N6" else "G9")
    assert 0 < x < 900 and 40 < y < 800  # it was brought into view
    assert page.page.locator("#finding .crop").is_visible()
    page.page.screenshot(path=screenshots() / "sample-finding.png")
    for name in ("N6", "G9-H9"):
        page.page.locator("#finding-list button").filter(has_text=name).first.click()
        assert name in page.text("#finding .settle")
        if name == "N6":
            assert "taking your correction out" in page.text("#finding .settle")
            page.page.click("#mend")
            page.wait("() => hexsight.page.progress.mended === 1")
        else:
            page.page.fill("#why", "a fence, not a wall")
            page.page.click("#accept")
            page.wait("() => hexsight.page.progress.accepted === 1")
    page.saved()
    assert "1 accepted" in page.text("#done-words")
    file = yaml.safe_load((project / "hexsight.yaml").read_text(encoding="utf-8"))
    # A wrong correction is taken out again, and it counts.
    assert "N6" not in file["overrides"]["hexes"]
    assert "1 mended, 1 accepted" in page.text("#done-words")
    assert file["accepted"]["wall/outside-building"] == {"G9-H9": "a fence, not a wall"}
    # What was accepted can be opened again.
    page.page.uncheck("#only-open")
    page.page.locator("#finding-list button").filter(has_text="G9-H9").first.click()
    page.page.click("#reopen")
    page.wait("() => hexsight.page.progress.accepted === 0")


def test_what_changes_nothing_is_taken_out(page: Opened, project: Path) -> None:
    file = project / "hexsight.yaml"
    page.wait("() => hexsight.page.findings.length")
    before = page.page.evaluate("() => hexsight.page.progress.mended")
    page.page.click("#tab-correct")
    page.click("E3")
    page.page.select_option("#hex-stairwell", "no")
    page.wait("() => hexsight.page.findings.some(f => f.where === 'E3')")
    page.page.click("#tab-findings")
    page.page.locator("#finding-list button").filter(has_text="E3").first.click()
    assert "stairwell of E3" in page.text("#finding .settle")
    page.page.click("#mend")
    page.wait("n => hexsight.page.progress.mended === n + 1", before)
    page.saved()
    assert "E3" not in yaml.safe_load(file.read_text(encoding="utf-8"))["overrides"]["hexes"]
    # What is taken back was not mended.
    for _ in range(2):
        page.page.click("#undo")
        page.saved()
    page.wait("() => !hexsight.page.findings.some(f => f.where === 'E3')")
    assert page.page.evaluate("() => hexsight.page.progress.mended") == before


def test_a_click_on_a_mark_chooses_the_finding(page: Opened) -> None:
    page.wait("() => hexsight.page.findings.length")
    page.page.click("#tab-findings")
    page.click("D4")
    page.wait("() => !document.getElementById('finding').hidden")
    assert "D4" in page.text("#finding h3")


def test_one_file_shows_the_same_without_a_server(browser: Browser, tmp_path: Path) -> None:
    target = tmp_path / "tiny.html"
    project = tiny_project(tmp_path / "tiny")
    assert run(["review", str(project), "--export", str(target), "--quiet"]) == 0
    with opened(browser, target.as_uri()) as page:
        assert page.page.locator("#undo").is_hidden()
        assert page.page.locator("#tab-correct").count() == 0
        page.click("A3")
        page.click("D3")
        page.wait("() => hexsight.sight.answer")
        # A house stands between.
        assert page.text("#verdict strong") == "Blocked"
        assert page.text("#reasons").strip()
        page.page.mouse.move(*page.at("D4"))
        page.page.keyboard.down("v")
        page.wait("() => document.getElementById('seen-words').textContent.startsWith('From D4')")
        page.page.screenshot(path=screenshots() / "export.png")
        page.page.keyboard.up("v")
        page.page.click("#tab-findings")
        page.wait("() => document.getElementById('done-words').textContent")
        assert page.page.locator("#mend").count() == 0
