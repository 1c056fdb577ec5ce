"""Names that are made to break out of a page stay text in the browser, served and in one file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import start_review
from painted import Painted

from hexsight.cli import run
from hexsight.model.board import Board, Cell
from hexsight.model.derive import derive
from hexsight.model.store import save_board

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "\"'><svg/onload=alert(3)>",
    "${alert(4)}",
    "__proto__",
    "constructor",
    "A\u2028B\u202e",
)
# Asks for a line and a viewshed, opens every panel, and tells what is called what.
LOOK = """async () => {
  const { source, board } = hexsight.page;
  const names = board.locations.map((l) => l[1]);
  const answer = await source.los(names[0], names[6]);
  const seen = await source.viewshed(names[1]);
  for (const tab of document.querySelectorAll("[role=tab]")) tab.click();
  const hexes = board.hexes.map((h) => h.name);
  return { title: document.title, words: answer.words, seen: seen.values.length, hexes };
}"""


def _board() -> Board:
    survey = Painted(5, 5).hexes("B2", "B3").stairs("B2").survey()
    cells = tuple(
        Cell(c.col, c.row, HOSTILE[i] if i < len(HOSTILE) else c.name)
        for i, c in enumerate(survey.cells)
    )
    return derive(replace(survey, name=HOSTILE[1], cells=cells))


@pytest.mark.parametrize("served", [True, False], ids=["served", "one file"])
def test_names_stay_names(browser: Browser, tmp_path: Path, served: bool):
    save_board(_board(), tmp_path / "board")
    review = start_review(tmp_path / "board") if served else None
    file = tmp_path / "page.html"
    if review is None:
        assert run(["review", str(tmp_path / "board"), "--export", str(file), "-q"]) == 0
    address = review.address if review is not None else file.as_uri()
    trouble: list[str] = []
    context = browser.new_context(viewport={"width": 1200, "height": 800})
    try:
        page = context.new_page()
        page.on("dialog", lambda d: (trouble.append(f"dialog {d.message}"), d.dismiss()))
        page.on("console", lambda m: trouble.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda e: trouble.append(str(e)))
        page.goto(address)
        page.wait_for_selector("body.ready")
        told = page.evaluate(LOOK)
        assert told["hexes"][: len(HOSTILE)] == list(HOSTILE)
        assert HOSTILE[0] in told["words"]
        assert HOSTILE[1] in told["title"]
        assert told["seen"] > 20
        assert page.locator("img, svg[onload], script:not([src]):not([type])").count() == 0
        assert trouble == []
    finally:
        context.close()
        if review is not None:
            review.stop()
