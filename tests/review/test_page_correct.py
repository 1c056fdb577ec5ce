"""Correcting by pointing: each correction is in hexsight.yaml at once, and nothing is lost."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from browser import Opened, Review, opened, screenshots, start_review
from tiny_project import tiny_project

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def said(project: Path) -> dict[str, Any]:
    """Overrides that hexsight.yaml holds."""
    text = (project / "hexsight.yaml").read_text(encoding="utf-8")
    # What a person wrote stays as it was written.
    assert text.startswith("# The works at the river, read from the module.\n")
    assert 'board: "Red Factory"   # the other board is a mill\n' in text
    found: dict[str, Any] = yaml.safe_load(text).get("overrides") or {}
    return found


def tool(page: Opened, name: str) -> None:
    """Open the panel of corrections with a tool."""
    page.page.click("#tab-correct")
    page.page.locator(f"input[name=tool][value={name}]").check(force=True)


def middle(page: Opened, name: str) -> tuple[float, float]:
    """Middle of a hexside in the window."""
    a, b = (page.at(one) for one in name.split("-"))
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def inks(page: Opened, x: float, y: float, reach: float = 16) -> set[str]:
    """Colours of the map's canvas around a place of the window, those of more than a few pixels."""
    found: list[str] = page.page.evaluate(
        """([x, y, reach]) => {
            const canvas = document.getElementById("scene"), box = canvas.getBoundingClientRect();
            const k = canvas.width / box.width, side = Math.round(2 * reach * k);
            const [left, top] = [(x - box.left - reach) * k, (y - box.top - reach) * k];
            const copy = new OffscreenCanvas(side, side);
            const pen = copy.getContext("2d", { willReadFrequently: true });
            pen.drawImage(canvas, left, top, side, side, 0, 0, side, side);
            const { data } = pen.getImageData(0, 0, side, side);
            const seen = new Map();
            for (let i = 0; i < data.length; i += 4) {
                const name = [...data.slice(i, i + 3)].map((v) => v.toString(16).padStart(2, "0"));
                seen.set(name.join(""), (seen.get(name.join("")) ?? 0) + 1);
            }
            return [...seen].filter(([, count]) => count > 5).map(([name]) => name);
        }""",
        [x, y, reach],
    )
    return set(found)


@pytest.fixture
def page(page: Opened) -> Iterator[Opened]:
    """The page; each test leaves the project as it was."""
    yield page
    for _ in range(20):
        page.saved()
        if page.page.is_disabled("#undo"):
            return
        page.page.click("#undo")
    raise AssertionError("there is no end to what can be undone")


def test_a_hex_is_corrected_and_it_is_undone(page: Opened, project: Path) -> None:
    tool(page, "hex")
    page.click("E3")
    assert not page.hex("E3")["roofless"]
    page.page.select_option("#hex-roofless", "yes")
    page.wait("() => hexsight.page.board.hexes.find(h => h.name === 'E3').roofless")
    page.saved()
    assert said(project)["hexes"] == {"D4": {"roofless": True}, "E3": {"roofless": True}}
    assert "Looked at on the print" in (project / "hexsight.yaml").read_text(encoding="utf-8")
    page.page.screenshot(path=screenshots() / "sample-hex.png")
    page.page.focus("#map")
    page.page.keyboard.press("Control+z")
    page.wait("() => !hexsight.page.board.hexes.find(h => h.name === 'E3').roofless")
    page.saved()
    assert said(project)["hexes"] == {"D4": {"roofless": True}}
    page.page.keyboard.press("Control+y")
    page.wait("() => hexsight.page.board.hexes.find(h => h.name === 'E3').roofless")


def test_height_level_and_terrain_are_set(page: Opened, project: Path) -> None:
    tool(page, "hex")
    page.click("Q4")
    page.page.fill("#hex-height", "3.5")
    page.page.keyboard.press("Tab")
    page.wait("() => hexsight.page.board.hexes.find(h => h.name === 'Q4').height_half === 7")
    page.click("H5")
    page.page.fill("#hex-level", "1")
    page.page.keyboard.press("Tab")
    page.wait("() => hexsight.page.board.hexes.find(h => h.name === 'H5').level_half === 2")
    page.click("N6")
    page.page.select_option("#hex-terrain", "Woods")
    page.saved()
    hexes = said(project)["hexes"]
    assert hexes["Q4"] == {"height": 3.5}
    assert hexes["H5"] == {"level": 1} and hexes["N6"] == {"terrain": "Woods"}


def test_a_correction_of_the_terrain_is_seen_on_the_map(page: Opened) -> None:
    tool(page, "hex")
    page.click("N6")
    x, y = page.at("N6")
    page.still()
    assert "0b5fa5" not in inks(page, x, y, 30)
    page.page.select_option("#hex-terrain", "Woods")
    page.saved()
    page.still()
    assert "0b5fa5" in inks(page, x, y, 30)
    assert page.page.is_checked("#layer-corrections")
    page.page.screenshot(path=screenshots() / "sample-corrected.png")


def test_each_kind_of_hexside_has_its_own_look(page: Opened) -> None:
    tool(page, "side")
    kinds = {"Wall": "e69f00", "Hedge": "009e73", "Stream": "0072b2", "Steep Slope": "d55e00"}
    for k, terrain in enumerate(kinds):
        page.page.mouse.click(*middle(page, f"N{6 + k}-N{7 + k}"))
        page.page.select_option("#side-terrain", terrain)
        page.wait(f"() => hexsight.page.board.sideByName.get('N{6 + k}-N{7 + k}')?.terrain")
    page.saved()
    tool(page, "hex")
    page.page.click("#layers > summary")
    page.page.uncheck("#layer-findings")
    page.still()
    for k, colour in enumerate(kinds.values()):
        found = inks(page, *middle(page, f"N{6 + k}-N{7 + k}"))
        assert found & set(kinds.values()) == {colour}
    page.page.locator(".layer:has(#layer-sides) summary").click()
    assert "ticks to the lower side" in page.text(".layer:has(#layer-sides) .key")
    page.page.screenshot(path=screenshots() / "sample-hexsides.png")


def test_a_bar_is_put_shortened_and_removed(page: Opened, project: Path) -> None:
    tool(page, "side")
    page.page.mouse.dblclick(*middle(page, "E4-E5"))
    page.wait("() => hexsight.page.board.sideByName.get('E4-E5')?.bar.length === 1")
    page.saved()
    assert said(project)["hexsides"] == {"E4-E5": {"bar": "full"}}
    # Its second end to the middle.
    ends = page.side("E4-E5")["ends"]  # type: ignore[index]
    page.page.mouse.move(*page.place(*ends[1]))
    page.page.mouse.down()
    page.page.mouse.move(*middle(page, "E4-E5"), steps=5)
    page.page.mouse.up()
    page.saved()
    bar = said(project)["hexsides"]["E4-E5"]["bar"]
    assert bar[0] == 0 and 0.4 < bar[1] < 0.6
    page.page.screenshot(path=screenshots() / "sample-bar.png")
    page.page.focus("#map")
    page.page.keyboard.press("b")
    page.wait("() => !hexsight.page.board.sideByName.get('E4-E5')?.bar.length")
    page.saved()
    assert said(project)["hexsides"] == {"E4-E5": {"bar": "none"}}


def test_a_line_is_walked_again_when_its_way_changes(page: Opened) -> None:
    page.click("E4")
    page.click("E6")
    page.wait("() => hexsight.sight.answer")
    assert page.page.evaluate("() => hexsight.sight.answer.state") != "blocked"
    tool(page, "side")
    page.page.mouse.dblclick(*middle(page, "E4-E5"))
    page.wait("() => hexsight.sight.answer?.state === 'blocked'")


def test_a_vertex_of_an_outline_is_dragged(page: Opened, project: Path) -> None:
    tool(page, "outline")
    page.click("M5")
    page.wait("() => hexsight.page.building !== null")
    ring = page.page.evaluate(
        "() => hexsight.page.board.buildingById.get(hexsight.page.building).rings[0]"
    )
    x, y = max(ring, key=lambda p: p[0] + p[1])
    sx, sy = page.place(x, y)
    page.page.mouse.move(sx, sy)
    page.page.mouse.down()
    page.page.mouse.move(sx + 8, sy + 8, steps=4)
    page.page.mouse.up()
    page.saved()
    assert len(said(project)["buildings"]) == 1
    after = page.page.evaluate(
        "() => hexsight.page.board.buildings.find(b => b.hexes.includes('M5')).rings[0]"
    )
    assert max(p[0] + p[1] for p in after) > x + y + 8
    page.page.screenshot(path=screenshots() / "sample-outline.png")


def test_a_new_building_is_drawn(page: Opened, project: Path) -> None:
    tool(page, "outline")
    page.page.click("#outline-new")
    x, y = page.at("N12")
    for dx, dy in ((-14, -10), (14, -10), (14, 10), (-14, 10)):
        page.page.mouse.click(x + dx, y + dy)
    page.page.keyboard.press("Enter")
    page.wait("() => hexsight.page.board.hexes.find(h => h.name === 'N12').building")
    assert len(said(project)["buildings"]) == 1


def test_a_stairwell_and_a_road_entry_are_placed(page: Opened, project: Path) -> None:
    tool(page, "spot")
    assert not page.hex("R4")["stairwell"]
    page.click("R4")
    page.wait("() => hexsight.page.board.hexes.find(h => h.name === 'R4').stairwell")
    page.page.check("input[name=spot][value=road_entry]")
    x, y = page.at("P12")
    page.page.mouse.click(x - 15, y)
    page.wait("() => hexsight.page.board.buildings.some(b => b.entries.some(e => e.hex === 'P12'))")
    page.saved()
    assert {"R4", "P12"} <= set(said(project)["hexes"])


def test_the_grid_is_nudged_with_the_arrow_keys(page: Opened, project: Path) -> None:
    tool(page, "grid")
    x = page.hex("J7")["x"]
    page.page.focus("#map")
    for _ in range(4):
        page.page.keyboard.press("ArrowRight")
    page.page.check("input[name=grid-way][value=stretch]")
    page.page.focus("#map")
    page.page.keyboard.press("ArrowDown")
    page.page.check("input[name=grid-way][value=turn]")
    page.page.focus("#map")
    page.page.keyboard.press("ArrowLeft")
    page.page.screenshot(path=screenshots() / "sample-grid.png")
    page.page.click("#grid-apply")
    page.wait(
        "x => Math.abs(hexsight.page.board.hexes.find(h => h.name === 'J7').x - x) > 1.2",
        x,
        seconds=60,
    )
    text = (project / "hexsight.yaml").read_text(encoding="utf-8")
    assert set(yaml.safe_load(text)["grid"]) >= {"dx", "dy", "x0", "y0"}
    page.page.focus("#map")
    page.page.keyboard.press("Control+z")
    page.wait(
        "x => Math.abs(hexsight.page.board.hexes.find(h => h.name === 'J7').x - x) < 0.01",
        x,
        seconds=60,
    )


def test_an_edited_file_is_not_overwritten(browser: Browser, review: Review, project: Path) -> None:
    """The page says that an editor was at the file, takes it when asked, and can go on."""
    file = project / "hexsight.yaml"
    before = file.read_text(encoding="utf-8")
    with opened(browser, review.address, bear=("409",)) as page:
        time.sleep(0.05)
        file.write_text(before.replace("D4: {", "E7: {"), encoding="utf-8")
        tool(page, "hex")
        page.click("C7")
        page.page.select_option("#hex-roofless", "yes")
        page.wait("() => !document.getElementById('notice').hidden")
        assert "C7" not in said(project)["hexes"]
        page.page.click("#notice >> text=Take the file as it is now")
        page.page.click("#notice >> text=Make the correction again")
        page.wait("() => hexsight.page.board.hexes.find(h => h.name === 'C7').roofless")
        page.saved()
        assert set(said(project)["hexes"]) == {"E7", "C7"}
        page.page.click("#undo")
        page.saved()
        file.write_text(before, encoding="utf-8")


def raise_ground(page: Opened, name: str) -> None:
    """Set the ground of a hex to level 1."""
    page.click(name)
    page.page.fill("#hex-level", "1")
    page.page.keyboard.press("Tab")


def test_nothing_is_lost_when_the_server_dies(browser: Browser, tmp_path: Path) -> None:
    """A correction that the dead server did not get is kept, told, and saved by the next one."""
    project = tiny_project(tmp_path / "tiny")
    file = project / "hexsight.yaml"

    def levels() -> set[str]:
        found = yaml.safe_load(file.read_text(encoding="utf-8")).get("overrides") or {}
        return {name for name, one in found.get("hexes", {}).items() if one == {"level": 1}}

    first = start_review(project)
    with opened(browser, first.address, bear=("ERR_CONNECTION", "403")) as page:
        tool(page, "hex")
        raise_ground(page, "D2")
        page.saved()
        first.kill()
        raise_ground(page, "E4")
        page.wait("() => document.getElementById('status').textContent.includes('kept')")
        page.page.screenshot(path=screenshots() / "server-gone.png")
        assert levels() == {"D2"}
        second = start_review(project, "--port", str(first.port))
        page.wait(
            "() => document.getElementById('notice').textContent.includes('started again')",
            seconds=30,
        )
        page.page.goto("about:blank")
        page.page.goto(second.address)
        page.page.wait_for_selector("body.ready")
        page.page.click("#notice >> text=Save now")
        page.wait("() => hexsight.page.board.hexes.find(h => h.name === 'E4').level_half === 2")
        page.saved()
        assert levels() == {"D2", "E4"}
        # What the first server saved can still be undone.
        page.page.click("#undo")
        page.wait("() => hexsight.page.board.hexes.find(h => h.name === 'E4').level_half === 0")
        page.page.click("#undo")
        page.wait("() => hexsight.page.board.hexes.find(h => h.name === 'D2').level_half === 0")
        page.saved()
        assert levels() == set()
        second.stop()
