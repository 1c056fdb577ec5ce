"""Findings that hexsight.yaml accepts are not told again, others are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexsight.model.overrides import HexOverride, HexsideOverride, Overrides
from hexsight.validators import Finding, Report, Severity
from hexsight.validators.accepted import apply_accepted, entry_of, place_of
from hexsight.validators.settled import is_settled


def finding(hex_: str = "", pixel: tuple[float, float] | None = None) -> Finding:
    return Finding("wall/thin", Severity.WARN, "thin", "f", hex=hex_, pixel=pixel)


@pytest.mark.parametrize(
    ("one", "place"),
    [
        (finding("K15", (3, 4)), "K15"),
        (finding(pixel=(1034.4, 812.0)), "1034 812"),
        (finding(), "map"),
    ],
)
def test_a_finding_is_accepted_at_its_place(one: Finding, place: str) -> None:
    assert place_of(one) == place
    assert entry_of(one, {"wall/thin": {place: "seen"}}) == place
    assert entry_of(one, {"wall/other": {place: "seen"}}) is None
    assert entry_of(one, {"wall/thin": {"L3": "seen"}}) is None


def test_a_pixel_may_move_a_little() -> None:
    accepted = {"wall/thin": {"1000 800": "", "1010 800": "", "map": ""}}
    assert entry_of(finding(pixel=(1012, 806)), accepted) == "1010 800"
    assert entry_of(finding(pixel=(1012, 850)), accepted) is None


def test_accepted_findings_are_counted_and_left_out() -> None:
    report = Report("default", (finding("K15"), finding("L3")), ("f",), ("wall/thin",), ())
    left = apply_accepted(report, {"wall/thin": {"K15": ""}})
    assert [f.hex for f in left.findings] == ["L3"]
    assert left.accepted == 1
    assert apply_accepted(report, {}) == report


@pytest.mark.parametrize(
    ("settle", "settled"),
    [
        ("hexes: {K15: {level: 1}}", True),
        ("overrides: {hexes: {K15: {level: 2}}}", True),
        ("hexes: {K15: {building: none}}", False),
        ("hexes: {L3: {level: 1}}", False),
        ("hexsides: {K15-K16: {bar: none}}", True),
        ("grid: {dx: …}", False),
        ("hexes: {K15: {level: …}}", False),
        ("hexes: [", False),
        ("", False),
    ],
)
def test_what_a_person_said_of_the_place_settles_a_doubt(settle: str, settled: bool) -> None:
    overrides = Overrides(
        hexes={"K15": HexOverride(level=1)}, hexsides={"K15-K16": HexsideOverride(bar="full")}
    )
    assert is_settled(replace(finding("K15"), settle=settle), overrides) == settled
    assert not is_settled(replace(finding("K15"), settle=settle), None)
