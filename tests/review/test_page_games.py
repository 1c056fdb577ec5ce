"""The page by rules of other games: classes of observer, half strength, measured places."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from browser import opened, screenshots, start_review
from tiny_project import PROJECT, tiny_project

from hexsight.cli import run
from hexsight.samples import write_samples

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

VILLAGE = f"""{PROJECT}rules: flames
overrides:
  buildings:
    B3: {{outline: [[40, 62], [72, 62], [72, 96], [40, 96]]}}
  openings: [{{at: [56, 62], width: 9}}]
"""


def test_the_class_of_observer_is_chosen(browser: Browser, tmp_path: Path) -> None:
    write_samples(tmp_path, boards=["modern-platoon"])
    review = start_review(tmp_path / "modern-platoon")

    def halved(route: Route) -> None:
        """As if smoke lay on the way: what stands on the map in play is no part of a project."""
        told = route.fetch().json()
        if "values" in told:
            told["values"] = [60 if v == 0 else v for v in told["values"]]
        else:
            told |= {"state": "half", "halvings": 2, "words": "half"}
            told["by_class"]["vehicle"] = {"state": "half", "halvings": 2}
        route.fulfill(json=told)

    try:
        with opened(browser, review.address) as page:
            page.click("D4")
            page.click("G4")
            page.wait("() => hexsight.sight.answer")
            labels = page.page.locator("#observer option").all_inner_texts()
            assert labels == ["infantry and leaders", "vehicles with optical sights"]
            assert page.page.locator("#by-class li").count() == 2
            assert "vehicles with optical sights: " in page.text("#by-class")
            page.page.select_option("#observer", "vehicle")
            page.wait("() => hexsight.sight.answer?.observer === 'vehicle'")
            page.page.screenshot(path=screenshots() / "game-line.png")
            page.page.route("**/api/los?*", halved)
            page.page.route("**/api/viewshed?*", halved)
            page.page.click("#swap")
            page.wait("() => hexsight.sight.answer?.state === 'half'")
            assert "At half strength, halved 2 times" in page.text("#verdict")
            assert "at half strength, halved 2 times" in page.text("#by-class")
            page.page.mouse.move(*page.at("D4"))
            page.page.keyboard.down("v")
            words = "document.getElementById('seen-words').textContent"
            page.wait(f"() => {words}.includes('at half strength or less')", seconds=60)
            page.page.screenshot(path=screenshots() / "game-half.png")
            page.page.keyboard.up("v")
    finally:
        review.stop()


def test_one_file_has_every_class(browser: Browser, tmp_path: Path) -> None:
    target = tmp_path / "battle.html"
    project = tiny_project(tmp_path / "battle", f"{PROJECT}rules: musket-pike\n")
    assert run(["review", str(project), "--export", str(target), "--quiet"]) == 0
    with opened(browser, target.as_uri()) as page:
        page.click("B2")
        page.click("B5")
        page.wait("() => hexsight.sight.answer")
        assert page.text("#verdict strong") == "Blocked"
        assert page.page.locator("#by-class li").count() == 4
        page.page.select_option("#observer", "artillery")
        page.wait("() => hexsight.sight.answer?.observer === 'artillery'")
        assert "10.9.4" in page.text("#reasons")


def test_rules_that_measure_are_asked_by_places(browser: Browser, tmp_path: Path) -> None:
    review = start_review(tiny_project(tmp_path / "village", VILLAGE))
    try:
        with opened(browser, review.address) as page:
            page.page.mouse.click(*page.place(100, 40))
            page.page.mouse.click(*page.place(160, 70))
            page.wait("() => hexsight.sight.answer")
            line = page.page.evaluate("() => hexsight.sight.answer.line_px")
            assert abs(line[0][0] - 100) < 3 and abs(line[1][1] - 70) < 3, json.dumps(line)
            assert "inches" in page.text("#verdict")
            page.page.mouse.move(*page.at("D4"))
            page.page.keyboard.down("v")
            words = "document.getElementById('seen-words').textContent"
            page.wait(f"() => {words}.startsWith('From D4')", seconds=60)
            page.page.keyboard.up("v")
            page.page.click("#tab-list")
            page.page.select_option("#kind", "openings")
            assert "B3\nOpening of 9 px" in page.text("#feature-list")
            page.page.screenshot(path=screenshots() / "game-openings.png")
            page.page.click("#layers summary")
            assert page.page.get_by_text("Doors, windows, loopholes").first.is_visible()
    finally:
        review.stop()
