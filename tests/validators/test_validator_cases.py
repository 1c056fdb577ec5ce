"""Each check: silent on a good subject, and alone to fire on one broken in its own way."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

import pytest
from validator_cases import CASES
from validator_goods import good

from hexsight.validators import Finding, Report, Subject, all_checks, run_checks, to_text

SNAPSHOTS = Path(__file__).with_name("snapshots.json")
UPDATE = os.environ.get("HEXSIGHT_UPDATE_SNAPSHOTS") == "1"


@cache
def good_subject() -> Subject:
    """Made once: nothing of it can be changed."""
    return good()


@cache
def report_of(check_id: str) -> Report:
    """All checks over the subject that is broken for one of them."""
    return run_checks(CASES[check_id](good_subject()), "strict")


def _snapshot(findings: tuple[Finding, ...]) -> list[dict[str, object]]:
    return [
        {
            "severity": f.severity.label,
            "board": f.board,
            "place": f.place,
            "pixel": f.pixel,
            "message": f.message,
            "settle": f.settle,
        }
        for f in findings
    ]


def test_good_subject_has_no_findings_though_every_check_looks_at_it() -> None:
    report = run_checks(good_subject(), "strict")
    assert report.findings == (), to_text(report)
    assert report.not_run == ()
    assert set(report.ran) == {c.id for c in all_checks().checks if c.group != "internal"}


def test_every_check_has_a_case_and_there_are_enough_of_them() -> None:
    ids = {c.id for c in all_checks().checks if c.group != "internal"}
    assert set(CASES) == ids
    assert len(ids) >= 60


@pytest.mark.parametrize("check_id", sorted(CASES))
def test_broken_subject_fires_exactly_the_check_meant(check_id: str) -> None:
    report = report_of(check_id)
    assert {f.id for f in report.findings} == {check_id}, to_text(report)


@pytest.mark.parametrize("check_id", sorted(CASES))
def test_messages_are_one_line_that_says_how_to_mend(check_id: str) -> None:
    for finding in report_of(check_id).findings:
        assert "\n" not in finding.message
        assert (
            finding.message[0].isupper()
            or finding.message.startswith(
                ("overrides:", "images/", "slopes", "hasHills", "buildingType")
            )
            or finding.hex
            or finding.board
        ), finding.message
        assert finding.message.endswith(".")
        # What is wrong, and then how to mend it.
        assert finding.message.count(". ") + finding.message.count("? ") >= 1, finding.message
        assert 0 <= finding.confidence <= 1
        assert finding.file == "town.vmod"


def test_snapshots() -> None:
    found = {check_id: _snapshot(report_of(check_id).findings) for check_id in sorted(CASES)}
    text = json.dumps(found, ensure_ascii=False, indent=1) + "\n"
    if UPDATE:
        SNAPSHOTS.write_text(text, encoding="utf-8")
    assert json.loads(SNAPSHOTS.read_text(encoding="utf-8")) == json.loads(text)
