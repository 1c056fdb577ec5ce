"""The page for everybody: names of controls, contrast, zoom, little motion, both themes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import Opened, Review, opened, screenshots

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PANELS = ("sight", "correct", "findings", "list")

CHECKS = Path(__file__).with_name("access.js").read_text(encoding="utf-8")
COMPLAINTS = f"() => ({CHECKS.strip()}).all()"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_controls_have_names_and_words_stand_out(
    browser: Browser, review: Review, scheme: str
) -> None:
    with opened(browser, review.address, color_scheme=scheme) as page:
        page.page.click("#layers summary")
        for panel in PANELS:
            page.page.click(f"#tab-{panel}")
            page.still()
            assert page.page.evaluate(COMPLAINTS) == [], panel
        page.page.click("#tab-correct")
        for tool in ("hex", "side", "outline", "spot", "grid"):
            page.page.locator(f"input[name=tool][value={tool}]").check(force=True)
            assert page.page.evaluate(COMPLAINTS) == [], tool
        page.page.screenshot(path=screenshots() / f"sample-grid-{scheme}.png")
        page.page.click("#help")
        assert page.page.evaluate(COMPLAINTS) == []


def test_the_switch_of_colours_wins_over_the_system(browser: Browser, review: Review) -> None:
    paper = "() => getComputedStyle(document.body).backgroundColor"
    with opened(browser, review.address, color_scheme="dark") as page:
        dark = page.page.evaluate(paper)
        page.page.click("#theme")
        assert page.text("#theme") == "Light"
        assert page.page.evaluate(paper) == "rgb(255, 255, 255)" != dark
        page.page.click("#theme")
        assert page.page.evaluate(paper) == dark
        page.page.screenshot(path=screenshots() / "sample-dark.png")


def test_works_at_twice_the_size(browser: Browser, review: Review) -> None:
    """A window of 1280 × 800 at 200 % is one of 640 × 400 with twice the pixels."""
    with opened(
        browser, review.address, viewport={"width": 640, "height": 400}, device_scale_factor=2
    ) as page:
        wide = page.page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= 640
        page.click("C6")
        page.click("K4")
        page.wait("() => hexsight.sight.answer")
        page.page.locator("#verdict").scroll_into_view_if_needed()
        assert page.page.locator("#verdict").is_visible()
        page.page.screenshot(path=screenshots() / "sample-200-percent.png")


def test_little_motion_is_respected(browser: Browser, review: Review) -> None:
    with opened(browser, review.address, reduced_motion="reduce") as page:
        page.page.focus("#map")
        page.page.keyboard.press("+")
        assert not page.page.evaluate("() => hexsight.page.camera.moving()")


def test_everything_is_reached_with_the_tab_key(page: Opened) -> None:
    page.page.keyboard.press("Tab")
    assert page.text(":focus") == "Skip to the map"
    page.page.keyboard.press("Enter")
    reached = set()
    for _ in range(40):
        page.page.keyboard.press("Tab")
        reached.add(page.page.evaluate("() => document.activeElement.id"))
    assert {"larger", "tab-sight", "sight-from", "sight-to"} <= reached
    page.page.focus("#tab-sight")
    page.page.keyboard.press("ArrowRight")
    assert page.page.evaluate("() => document.activeElement.id") == "tab-correct"
    assert page.page.locator("#panel-correct").is_visible()
