"""The page of lines of sight: what it holds is the table, and nothing in it can run or fetch."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
import zlib
from dataclasses import replace
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tinyboard import tiny_board

from hexsight.export.charts_sights import count_sights, hex_ranges
from hexsight.export.html_page import BEYOND, FIRST_REASON, chart_page
from hexsight.export.html_plain import plain_chart
from hexsight.los.profile import load_profile
from hexsight.los.rules.registry import REASONS
from hexsight.los.table import Table, build_table
from hexsight.model.board import Board
from hexsight.model.errors import InputError, UsageError

REASON_TEXTS = {code: (r.rule, r.text) for code, r in REASONS.items()}
PLAIN_TAGS = {"html", "head", "title", "body", "h2", "h3", "p", "a", "pre", "b"}
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@lru_cache(maxsize=1)
def _made() -> tuple[NDArray[np.uint8], Board, Table]:
    rgb, board = tiny_board()
    return rgb, board, build_table(board, load_profile("asl"), engine="python", threads=1)


class _Reader(HTMLParser):
    """Elements, their attributes, and the text of those with an id or of style and script."""

    def __init__(self, page: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self._open = ""
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open = dict(attrs).get("id") or tag
        self.texts.setdefault(self._open, "")

    def handle_data(self, data: str) -> None:
        self.texts[self._open] = self.texts.get(self._open, "") + data


def _read(page: bytes) -> tuple[dict[str, object], NDArray[np.uint8], _Reader]:
    reader = _Reader(page)
    packed = zlib.decompress(base64.b64decode(reader.texts["packed"]))
    return json.loads(reader.texts["facts"]), np.frombuffer(packed, np.uint8), reader


def test_the_page_says_what_the_table_says() -> None:
    rgb, board, table = _made()
    page = chart_page(rgb, board, table, REASON_TEXTS)
    facts, values, _ = _read(page)
    blocked = values >= FIRST_REASON
    np.testing.assert_array_equal(blocked, table.answers >= 128)
    assert table.reasons is not None
    np.testing.assert_array_equal(values[blocked] - FIRST_REASON, table.reasons[blocked])
    np.testing.assert_array_equal(values[~blocked], table.answers[~blocked] & 63)
    assert values.size == len(table.answers)
    assert len(facts["locations"]) == len(table.names)  # type: ignore[arg-type]
    assert facts["told"] is True
    assert set(np.unique(values[blocked] - FIRST_REASON)) <= set(REASON_TEXTS)
    assert chart_page(rgb, board, table, REASON_TEXTS) == page


def test_nothing_runs_that_is_not_ours() -> None:
    rgb, board, table = _made()
    evil = '</script><script>alert(1)</script><!--"&\u2028'
    page = chart_page(rgb, replace(board, name=evil), table, {7: ("A", evil)})
    _, _, reader = _read(page)
    tags = [tag for tag, _ in reader.tags]
    assert tags.count("script") == 3, "facts, table, program"
    assert reader.texts["title"].rstrip("\n") == f"Lines of sight on {evil}"
    policy = next(a["content"] for t, a in reader.tags if a.get("http-equiv"))
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    text = page.decode()
    for tag, allowed in (("style", "style-src"), ("script", "script-src")):
        body = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert len(body) == 1
        digest = base64.b64encode(hashlib.sha256(body[0].encode()).digest()).decode()
        assert f"{allowed} 'sha256-{digest}'" in policy
    for _, attributes in reader.tags:
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        for name in ("src", "href"):
            assert (attributes.get(name) or "data:").startswith("data:")
    assert "http" not in re.sub(r'http-equiv|"[A-Za-z0-9+/=]{200,}"', "", text)


def test_pairs_beyond_a_range_can_be_left_out() -> None:
    rgb, board, table = _made()
    facts, values, _ = _read(chart_page(rgb, board, table, REASON_TEXTS, max_range=2))
    hexes = np.array([h for h, _ in facts["locations"]], np.int32)  # type: ignore[attr-defined]
    i, j = np.triu_indices(len(hexes), 1)
    away = np.array(
        [hex_ranges(board, int(hexes[a]), hexes[[b]])[0] for a, b in np.stack([i, j], 1)]
    )
    np.testing.assert_array_equal(values == BEYOND, away > 2)


def test_a_table_without_reasons_says_so_and_another_boards_is_refused() -> None:
    rgb, board, table = _made()
    facts, _, _ = _read(chart_page(rgb, board, replace(table, reasons=None), REASON_TEXTS))
    assert facts["told"] is False
    with pytest.raises(UsageError, match="another board"):
        chart_page(rgb, board, replace(table, names=("ZZ9", *table.names[1:])), REASON_TEXTS)
    with pytest.raises(InputError):
        chart_page(rgb[1:], board, table, REASON_TEXTS)


def test_sights_are_counted_as_the_table_answers() -> None:
    _, board, table = _made()
    sights = count_sights(board, table)
    for i in range(0, len(table.names), 7):
        states = [table.at(i, j).state for j in range(len(table.names)) if j != i]
        assert sights.clear[i] == states.count("clear")
        assert sights.hindered[i] == states.count("hindered")
        assert sights.blocked[i] == states.count("blocked")
        ranges = hex_ranges(board, int(sights.hexes[i]), sights.hexes)
        seen = [j for j in range(len(table.names)) if table.at(i, j).state != "blocked"]
        assert sights.farthest[i] == max(int(ranges[j]) for j in seen)
    assert set(sights.levels) >= {"ground", "level 1", "rooftop"}


def test_the_plain_page_is_old_html_in_ascii() -> None:
    _, board, table = _made()
    page = plain_chart(replace(board, name="Tiny ½ <b>"), count_sights(board, table))
    text = page.decode("ascii")
    assert "Tiny &#189; &lt;b&gt;" in text
    # A charset told in the page makes Swing throw.
    assert not re.search(r"<(meta|script|style|div|span)", text)
    reader = _Reader(page)
    assert {t for t, _ in reader.tags} <= PLAIN_TAGS
    sights = count_sights(board, table)
    (line,) = re.findall(r"^A1 .*$", text, re.MULTILINE)
    assert line.split()[:4] == ["A1", "ground", str(sights.clear[0]), str(sights.hindered[0])]
    assert sum(len(b.splitlines()) - 1 for b in re.findall(r"<pre>(.*?)</pre>", text, re.S)) == len(
        table.names
    )
    for name in (a["href"][1:] for t, a in reader.tags if a.get("href")):  # type: ignore[index]
        assert f'<a name="{name}">' in text


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
def test_a_browser_shows_the_answer_of_the_table(tmp_path: Path) -> None:
    rgb, board, table = _made()
    (tmp_path / "page.html").write_bytes(chart_page(rgb, board, table, REASON_TEXTS))
    assert CHROMIUM is not None
    run = subprocess.run(
        [
            CHROMIUM,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={tmp_path / 'profile'}",
            "--enable-logging=stderr",
            "--virtual-time-budget=4000",
            "--dump-dom",
            f"file://{tmp_path}/page.html#C4@1/D3",
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "CONSOLE" not in run.stderr, run.stderr
    shown = _Reader(run.stdout.encode())
    assert 'data-ready="yes"' in run.stdout
    (best,) = re.findall(r"D3: (.*?), range 1", shown.texts["verdict"])
    states = [table.query("C4@1", n) for n in table.names if n.partition("@")[0] == "D3"]
    words = {"clear": "clear", "blocked": "blocked"}
    told = [words.get(s.state, f"hindered by {s.hindrance}") for s in states]
    order = sorted(told, key=lambda w: (w == "blocked", w != "clear", w))
    assert best == order[0]
    rows = re.findall(r"<td>([^<]*)</td><td>([^<]*)</td><td>([^<]*)</td>", run.stdout)
    assert [state for _, state, _ in rows] == told
    for state, (_, _, why) in zip(states, rows, strict=True):
        assert why == (f"{state.reason.rule}: {state.reason.text}" if state.reason else "")
