"""The page as one file answers in the browser what the session answers."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

from hexsight.progress import Silent
from hexsight.review.desk import Desk
from hexsight.review.export import export_session
from hexsight.review.session import Session

if TYPE_CHECKING:
    from playwright.sync_api import Browser

COMPILED = True

ASK = """async (pairs) => {
  const { source } = hexsight.page;
  return Promise.all(pairs.map(([a, b]) => source.los(a, b)));
}"""
SEEN = "async (from) => (await hexsight.page.source.viewshed(from)).values"
PIXEL = """async () => {
  const picture = await hexsight.page.source.tile("map", 0, 0, 0);
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const pen = canvas.getContext("2d");
  pen.drawImage(picture, 0, 0);
  return [picture.width, picture.height, ...pen.getImageData(40, 40, 1, 1).data];
}"""


def test_lines_viewsheds_and_tiles(browser: Browser, project: Path, tmp_path: Path):
    with Session.open(project) as session:
        desk = Desk(session)
        (tmp_path / "page.html").write_bytes(export_session(session, None, Silent()))
        names = [loc.name for loc in session.locations()]
        rng = random.Random(1)
        pairs = [rng.sample(names, 2) for _ in range(300)] + [[names[0], names[0]]]
        wanted = [desk.los(*pair) for pair in pairs]
        views = {name: desk.viewshed(name)["values"] for name in names[:300:50]}
        colour = session.rgb[40, 40].astype(int).tolist()
    asked: list[str] = []
    context = browser.new_context(offline=True)
    try:
        page = context.new_page()
        page.on("request", lambda r: asked.append(r.url))
        page.goto((tmp_path / "page.html").as_uri())
        page.wait_for_selector("body.ready")
        told = page.evaluate(ASK, pairs)
        for one, two in zip(told, wanted, strict=True):
            for key in ("from", "to", "state", "hindrance", "range", "hexes", "line_px"):
                assert one[key] == two[key], (one, two)
            if one["state"] == "blocked":
                # A table keeps one of several things that block.
                codes = {r["code"] for r in two["reasons"]}
                assert one["reasons"][0]["code"] in codes
        for name, values in views.items():
            seen = page.evaluate(SEEN, name)
            assert [min(v, 64) for v in seen] == [min(v, 64) for v in values]
        width, height, *rgba = page.evaluate(PIXEL)
        assert (width, height) == (512, 512)
        assert max(abs(a - b) for a, b in zip(rgba[:3], colour, strict=True)) < 40
        assert [u for u in asked if not u.startswith(("data:", "blob:", "file:"))] == []
    finally:
        context.close()
