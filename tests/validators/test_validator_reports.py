"""SARIF, JUnit, the page, the published schema, and baselines."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from test_validator_registry import make
from validator_goods import LAYOUT, SIZE, good

from hexsight.model.errors import UsageError
from hexsight.validators import (
    MAX_PICTURES,
    Finding,
    Problem,
    Registry,
    Report,
    Severity,
    Subject,
    apply_baseline,
    findings_schema,
    make_thumbnails,
    merge_reports,
    read_baseline,
    report_data,
    run_checks,
    summary,
    to_html,
    to_json,
    to_junit,
    to_sarif,
    to_text,
    write_baseline,
)
from hexsight.validators.report_page import MAX_ROWS
from hexsight.validators.schema import ReportRecord
from hexsight.validators.thumbnails import SIZE_PX

DOCS = Path(__file__).resolve().parents[2] / "docs"
EVIL = 'x"><script>alert(1)</script>{{rows}}\x00\x1b[31m\ud800'
REGISTRY = Registry(
    [
        make(
            "wall/a",
            Problem("Bar 3 px off. Mend it.", hexside="K1-K2", pixel=(100.0, 90.0), settle="a: b"),
            Problem("Mild. Mend it.", hex="K9", severity=Severity.NOTE),
        ),
        make("grid/b", Problem("Off. Mend it."), severity=Severity.FAIL),
        make("grid/c"),
    ]
)


def report(path: str = "maps/town 1.vmod") -> Report:
    """Two severities, with and without places, and a file that could not be read."""
    found = run_checks(Subject(path), "strict", registry=REGISTRY)
    return merge_reports(
        [found, Report("strict", (), (), (), (), unread=(("bad.vmod", "Cannot read bad.vmod."),))]
    )


def evil() -> Report:
    """Everything that comes from a file tries to break out."""
    problem = Problem(EVIL, board=EVIL, hex=EVIL, settle=EVIL, pixel=(1.0, 2.0))
    return run_checks(Subject(EVIL), "strict", registry=Registry([make("wall/a", problem)]))


def _parsed(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314 - our own


def sarif_faults(log: Any) -> list[str]:
    """What SARIF 2.1.0 demands of a log as ours: an essential part of its schema, by hand."""
    faults = []

    def want(ok: bool, what: str) -> None:
        if not ok:
            faults.append(what)

    want(log.get("version") == "2.1.0", "version (3.13.2)")
    want(isinstance(log.get("runs"), list) and len(log["runs"]) >= 1, "runs (3.13.4)")
    for run in log["runs"]:
        driver = run["tool"]["driver"]
        want(bool(driver.get("name")), "driver.name (3.19.8)")
        ids = [rule["id"] for rule in driver["rules"]]
        want(len(set(ids)) == len(ids), "rules are unique (3.19.23)")
        for rule in driver["rules"]:
            want(bool(rule["shortDescription"]["text"]), "message text (3.11.8)")
            want(rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error"), "l")
        for call in run["invocations"]:
            want(isinstance(call.get("executionSuccessful"), bool), "executionSuccessful (3.20.14)")
            for note in call.get("toolExecutionNotifications", ()):
                want(bool(note["message"]["text"]), "notification (3.58.5)")
        for artifact in run["artifacts"]:
            want(bool(artifact["location"]["uri"]), "artifact")
        for result in run["results"]:
            want(ids[result["ruleIndex"]] == result["ruleId"], "ruleIndex (3.27.6)")
            want(result["level"] in ("none", "note", "warning", "error"), "level (3.27.10)")
            want(bool(result["message"]["text"]), "message (3.27.11)")
            for place in result["locations"]:
                uri = place["physicalLocation"]["artifactLocation"]["uri"]
                want(re.fullmatch(r"[\w.~/%-]+", uri, re.ASCII) is not None, f"uri {uri!r}")
            marks = result["partialFingerprints"]
            want(all(isinstance(v, str) for v in marks.values()), "fingerprints (3.27.17)")
    return faults


def test_sarif() -> None:
    text = to_sarif(report(), version="1.2", registry=REGISTRY)
    log = json.loads(text)
    assert sarif_faults(log) == []
    (run,) = log["runs"]
    assert run["tool"]["driver"]["version"] == "1.2"
    assert [r["ruleId"] for r in run["results"]] == ["grid/b", "wall/a", "wall/a"]
    assert [r["level"] for r in run["results"]] == ["error", "warning", "note"]
    assert run["invocations"][0]["executionSuccessful"] is False
    assert "maps/town%201.vmod" in text
    assert to_sarif(report(), version="1.2", registry=REGISTRY) == text
    log["runs"][0]["results"][0]["ruleIndex"] = 2
    log["version"] = "2.0"
    assert len(sarif_faults(log)) == 2


@pytest.mark.parametrize(
    ("fail_on", "failures"), [("note", 2), ("warn", 2), ("fail", 1), ("never", 0)]
)
def test_junit(fail_on: str, failures: int) -> None:
    root = _parsed(to_junit(report(), fail_on))
    assert (root.tag, root.get("failures"), root.get("errors")) == (
        "testsuites",
        str(failures),
        "1",
    )
    suites = {s.get("name"): s for s in root}
    assert set(suites) == {"bad.vmod", "maps/town 1.vmod"}
    town = suites["maps/town 1.vmod"]
    assert (town.get("tests"), town.get("failures")) == ("3", str(failures))
    assert [c.get("name") for c in town] == ["b", "c", "a"]
    assert suites["bad.vmod"][0][0].get("message") == "Cannot read bad.vmod."
    told = " ".join(town.itertext())
    for message in ("Bar 3 px off.", "Mild."):
        assert message in told


def test_hostile_texts_stay_texts() -> None:
    found, known = evil(), Registry([make("wall/a")])
    page = to_html(found, registry=known).decode("utf-8")
    assert page.count("<script>") == 1
    assert "alert(1)</script>" not in page
    assert "x&quot;&gt;&lt;script&gt;" in page
    _parsed(to_junit(found))
    log = json.loads(to_sarif(found, registry=known).encode("utf-8", "replace"))
    assert log["runs"][0]["results"][0]["message"]["text"]


def test_page_lets_nothing_else_run_and_nothing_be_fetched() -> None:
    found = report()
    rgb = np.zeros((200, 300, 3), np.uint8)
    subject = replace(Subject("maps/town 1.vmod"), pictures=lambda _: rgb)
    pictures = make_thumbnails(subject, found.findings, most=10)
    page = to_html(found, pictures, registry=REGISTRY).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    for tag in ("style", "script"):
        body = re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert body is not None
        digest = base64.b64encode(hashlib.sha256(body[1].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy[1]
    assert "http:" not in page
    assert "https:" not in page
    assert " on" not in re.sub(r">[^<]*<", "><", page.split("<body>")[1].split("<script>")[0])
    assert page.count("<img ") == 1
    assert page.count("<tr data-n") == 3
    assert "{{" not in page
    assert "Could not be checked: Cannot read bad.vmod." in page
    assert to_html(found, pictures, registry=REGISTRY).decode() == page


def test_page_is_bounded() -> None:
    one = report().findings[0]
    many = tuple(replace(one, message=f"{n}. Mend.") for n in range(MAX_ROWS + 7))
    page = to_html(replace(report(), findings=many), registry=REGISTRY).decode()
    assert page.count("<tr data-n") == MAX_ROWS
    assert f"Only the first {MAX_ROWS} of {MAX_ROWS + 7} findings" in page
    placed = tuple(replace(f, pixel=(1.0, 2.0)) for f in many)
    pictures = dict.fromkeys(placed, b"jpeg")
    page = to_html(replace(report(), findings=placed), pictures, registry=REGISTRY).decode()
    assert page.count("<img ") == MAX_PICTURES
    assert f"Only {MAX_PICTURES} places are shown as pictures." in page


def test_page_without_findings() -> None:
    page = to_html(Report("default", (), ("a",), (), ())).decode()
    assert "Nothing was found." in page


def test_thumbnails_show_the_place() -> None:
    rgb = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    rgb[:, :, 1] = 120
    x, y = LAYOUT.centre(3, 2)
    rgb[round(y) - 6 : round(y) + 7, round(x) - 6 : round(x) + 7] = (255, 255, 0)
    places = [(x, y), (0.0, 0.0), (SIZE[0] + 900.0, -50.0)]
    findings = [
        Finding("wall/a", Severity.WARN, f"{n}.", "t", board="Town", pixel=p)
        for n, p in enumerate(places)
    ]
    nowhere = Finding("wall/a", Severity.WARN, "No place.", "t", board="Town")
    subject = replace(good(), pictures=lambda name: rgb if name == "Town" else None)
    made = make_thumbnails(subject, [nowhere, *findings], most=3)
    assert list(made) == findings
    shown = np.asarray(Image.open(io.BytesIO(made[findings[0]])))
    assert shown.shape == (SIZE_PX, SIZE_PX, 3)
    middle = shown[SIZE_PX // 2, SIZE_PX // 2].astype(int)
    assert middle[0] > 200
    assert middle[2] < 80
    assert all(len(jpeg) < 20_000 for jpeg in made.values())
    assert len(make_thumbnails(subject, findings, most=1)) == 1
    assert make_thumbnails(good(), findings, most=3) == {}


def test_thumbnails_of_the_grid_show_the_stated_hexes() -> None:
    rgb = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    subject = replace(good(), pictures=lambda _: rgb)
    shown = []
    for name in ("grid/half-hex-off", "wall/outside-building"):
        finding = Finding(name, Severity.WARN, "x.", "t", board="Town", pixel=LAYOUT.centre(3, 2))
        (jpeg,) = make_thumbnails(subject, [finding], most=1).values()
        shown.append(np.asarray(Image.open(io.BytesIO(jpeg)))[:, :, 0] > 90)
    # The left vertex of the hex lies two thirds of a column from its centre.
    scale = SIZE_PX / (3 * LAYOUT.dy)
    x = round(SIZE_PX / 2 - LAYOUT.dx * 2 / 3 * scale)
    assert shown[0][SIZE_PX // 2 - 4 : SIZE_PX // 2 + 5, x - 4 : x + 5].any()
    assert not shown[1][:, x - 4 : x + 5].any()


def test_schema_is_published_and_reports_keep_to_it() -> None:
    published = (DOCS / "findings.schema.json").read_text(encoding="utf-8")
    assert published == findings_schema(), "write it again from findings_schema()"
    for one in (report(), Report("default", (), (), (), ())):
        text = to_json(one)
        read = ReportRecord.model_validate_json(text)
        assert json.loads(text) == read.model_dump(mode="json") == report_data(one)


# -- baselines


def test_a_baseline_accepts_what_it_holds_and_nothing_else() -> None:
    found = report()
    known = read_baseline(write_baseline(found), "b.json")
    after = apply_baseline(found, known)
    assert (after.findings, after.accepted, after.stale) == ((), 3, ())
    assert "3 accepted" in summary(after)
    other = apply_baseline(report("other.vmod"), known)
    assert (len(other.findings), other.accepted, other.stale) == (3, 0, ())


def test_stale_entries_are_told() -> None:
    found = report()
    known = read_baseline(write_baseline(found), "b.json")
    mended = replace(found, findings=found.findings[1:])
    after = apply_baseline(mended, known)
    assert after.stale == ("grid/b maps/town 1.vmod: Off. Mend it.",)
    assert "No longer found, take it out of the baseline: grid/b" in to_text(
        after, registry=REGISTRY
    )
    # Of a check that did not run nothing is known.
    assert apply_baseline(replace(mended, ran=("wall/a",)), known).stale == ()


@given(
    dx=st.floats(-15, 15),
    dy=st.floats(-15, 15),
    size=st.integers(1, 400),
)
def test_baselines_outlive_a_shift_of_the_picture(dx: float, dy: float, size: int) -> None:
    def at(x: float, y: float, px: int, **place: str) -> Finding:
        text = f"A bar of {px} px. Mend it."
        return Finding("wall/a", Severity.WARN, text, "t", pixel=(x, y), **place)

    old = (at(100, 100, 31), at(200, 100, 31), at(300, 300, 8, hex="K5"))
    new = tuple(
        replace(
            f, pixel=(f.pixel[0] + dx, f.pixel[1] + dy), message=f"A bar of {size} px. Mend it."
        )
        for f in old
        if f.pixel
    )
    known = read_baseline(write_baseline(Report("p", old, ("t",), ("wall/a",), ())), "b")
    extra = (at(400, 100, 31), at(310, 310, 8, hex="K5"))
    after = apply_baseline(Report("p", (*new, *extra), ("t",), ("wall/a",), ()), known)
    # The one more in K5 and the one elsewhere are new; of the two in K5 the nearer was known.
    assert (after.accepted, len(after.findings), after.stale) == (3, 2, ())
    assert extra[0] in after.findings


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"schema_version": 2, "findings": []}',
        '{"schema_version": 1, "findings": 3}',
    ]
    + ['{"schema_version": 1, "findings": [{"fingerprint": "zz", "id": "a", "file": "b"}]}'],
)
def test_what_is_no_baseline_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"b\.json is no baseline .*--write-baseline"):
        read_baseline(text, "b.json")
