"""Reports for other programs: SARIF 2.1.0 for code hosts and editors, JUnit XML for CI."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from itertools import groupby
from typing import Any
from urllib.parse import quote

from hexsight.validators.finding import Finding, Severity
from hexsight.validators.registry import Check, Registry, all_checks
from hexsight.validators.report import Report

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {
    Severity.NOTE: "note",
    Severity.WARN: "warning",
    Severity.FAIL: "error",
    Severity.ERROR: "error",
}
# Characters that XML 1.0 cannot hold, not even as references.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_sarif(report: Report, *, version: str = "", registry: Registry | None = None) -> str:
    """Report as SARIF 2.1.0 (OASIS): one run, every check that ran a rule, every finding a result.

    Parameters
    ----------
    report : Report
    version : str
        Of hexsight.
    registry : Registry, optional
        Where the texts of the checks stand.

    Returns
    -------
    str
        JSON, ends with a newline; the same report gives the same text.
    """
    registry = all_checks() if registry is None else registry
    ids = sorted({*report.ran, *(f.id for f in report.findings)})
    at = {name: i for i, name in enumerate(ids)}
    driver: dict[str, Any] = {
        "name": "hexsight",
        "rules": [_rule(registry.get(i)) for i in ids],
    }
    if version:
        driver["version"] = version
    invocation: dict[str, Any] = {"executionSuccessful": not report.unread}
    if report.unread:
        invocation["toolExecutionNotifications"] = [
            {
                "level": "error",
                "message": {"text": message},
                "locations": [{"physicalLocation": _artifact(file)}],
            }
            for file, message in report.unread
        ]
    log = {
        "$schema": SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "invocations": [invocation],
                "artifacts": [{"location": _artifact(f)["artifactLocation"]} for f in report.files],
                "results": [_result(f, at[f.id]) for f in report.findings],
                "columnKind": "unicodeCodePoints",
            }
        ],
    }
    return json.dumps(log, ensure_ascii=False, indent=1) + "\n"


def _rule(one: Check) -> dict[str, Any]:
    return {
        "id": one.id,
        "shortDescription": {"text": one.title + "."},
        "fullDescription": {"text": one.what},
        "help": {"text": f"{one.why} {one.how_to_mend}"},
        "defaultConfiguration": {"level": _LEVELS[one.severity]},
        "properties": {"tags": [one.group]},
    }


def _artifact(file: str) -> dict[str, Any]:
    return {
        "artifactLocation": {
            "uri": quote(file.replace("\\", "/"), safe="/", errors="surrogatepass")
        }
    }


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    location: dict[str, Any] = {"physicalLocation": _artifact(finding.file)}
    logical = [
        {"name": name, "kind": kind}
        for name, kind in (
            (finding.board, "board"),
            (finding.hex, "hex"),
            (finding.hexside, "hexside"),
        )
        if name
    ]
    if logical:
        location["logicalLocations"] = logical
    properties: dict[str, Any] = {
        "confidence": finding.confidence,
        "severity": finding.severity.label,
    }
    if finding.pixel is not None:
        properties["pixel"] = list(finding.pixel)
    if finding.settle:
        properties["settle"] = finding.settle
    return {
        "ruleId": finding.id,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [location],
        "partialFingerprints": {"hexsight/v1": finding.fingerprint},
        "properties": properties,
    }


def to_junit(report: Report, fail_on: str = "fail") -> str:
    """Report as JUnit XML: a suite for each file, a case for each check that ran.

    Findings at or above `fail_on` are failures of their case, a check that broke
    off and a file that could not be read are errors; milder findings stand in
    the case's output.

    Parameters
    ----------
    report : Report
    fail_on : str
        ``note``, ``warn``, ``fail``, ``error`` or ``never``.
    """
    least = None if fail_on == "never" else Severity.of(fail_on)
    root = ET.Element("testsuites", name="hexsight check")
    by_file = {
        file: list(found)
        for file, found in groupby(
            sorted(report.findings, key=lambda f: f.file), key=lambda f: f.file
        )
    }
    unread = dict(report.unread)
    totals = {"tests": 0, "failures": 0, "errors": 0}
    for file in sorted({*report.files, *by_file, *unread}):
        suite = ET.SubElement(root, "testsuite", name=_xml(file))
        counts = dict.fromkeys(totals, 0)
        if file in unread:
            case = ET.SubElement(suite, "testcase", classname="read", name=_xml(file))
            ET.SubElement(case, "error", type="unread", message=_xml(unread[file]))
            counts["tests"] += 1
            counts["errors"] += 1
        here = by_file.get(file, [])
        names = {*(report.ran if file in report.files else ()), *(f.id for f in here)}
        for name in sorted(names):
            found = [f for f in here if f.id == name]
            kind = _case(suite, name, found, least)
            counts["tests"] += 1
            if kind:
                counts[kind] += 1
        for key, count in counts.items():
            suite.set(key, str(count))
            totals[key] += count
    for key, count in totals.items():
        root.set(key, str(count))
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _case(suite: ET.Element, name: str, found: list[Finding], least: Severity | None) -> str:
    """Add the case of one check; which count it adds to, nothing where it passes."""
    group, _, rest = name.partition("/")
    case = ET.SubElement(suite, "testcase", classname=group, name=rest)
    bad = [f for f in found if least is not None and f.severity >= least]
    mild = [f for f in found if f not in bad]
    kind = ""
    if bad:
        broke = any(f.severity is Severity.ERROR for f in bad)
        kind = "errors" if broke else "failures"
        tag = "error" if broke else "failure"
        node = ET.SubElement(case, tag, type=bad[0].severity.label, message=_xml(bad[0].message))
        node.text = _xml("\n".join(_line(f) for f in bad))
    if mild:
        ET.SubElement(case, "system-out").text = _xml("\n".join(_line(f) for f in mild))
    return kind


def _line(finding: Finding) -> str:
    place = " ".join(p for p in (finding.board, finding.place) if p)
    settle = f" → {finding.settle}" if finding.settle else ""
    return f"{finding.severity.label} {place}{': ' if place else ''}{finding.message}{settle}"


def _xml(text: str) -> str:
    return _NOT_XML.sub("�", text)
