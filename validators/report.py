"""Reports for a terminal and for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import click

from hexsight.validators.finding import Finding, Severity
from hexsight.validators.registry import Registry, all_checks
from hexsight.validators.run import Report

SCHEMA_VERSION = 1
_COLOURS = {
    Severity.NOTE: "blue",
    Severity.WARN: "yellow",
    Severity.FAIL: "red",
    Severity.ERROR: "magenta",
}


def text_report(
    report: Report, *, colour: bool = False, limit: int = 20, registry: Registry | None = None
) -> str:
    """Report for a person at a terminal, by file and check.

    Parameters
    ----------
    report : Report
    colour : bool
        Use ANSI colours.
    limit : int
        Findings shown of one check on one file; the rest is counted. 0 shows all.
    registry : Registry, optional
        Where the titles stand.

    Returns
    -------
    str
        Ends with a newline.
    """
    registry = all_checks() if registry is None else registry
    lines: list[str] = []
    for file, of_file in groupby(sorted(report.findings, key=lambda f: f.file), lambda f: f.file):
        lines.append(_styled(file, colour, bold=True))
        for (severity, name), same in groupby(of_file, lambda f: (f.severity, f.id)):
            lines += _check_lines(
                list(same), severity, registry.get(name).title, limit=limit, colour=colour
            )
        lines.append("")
    lines.append(summary(report))
    return "\n".join(lines) + "\n"


def _check_lines(
    found: Sequence[Finding], severity: Severity, title: str, *, limit: int, colour: bool
) -> list[str]:
    word = _styled(severity.label, colour, fg=_COLOURS[severity])
    times = f" × {len(found)}" if len(found) > 1 else ""
    lines = [f"  {word}  {found[0].id}{times} – {title}"]
    shown = found[:limit] if limit else found
    for finding in shown:
        spot = _spot(finding)
        lines.append(f"    {spot}{': ' if spot else ''}{finding.message}")
        if finding.settle:
            lines.append(f"      → {finding.settle}")
    if len(shown) < len(found):
        lines.append(f"    … and {len(found) - len(shown)} more (--limit 0 or --json tells all)")
    return lines


def _spot(finding: Finding) -> str:
    pixel = "" if finding.pixel is None else f"({finding.pixel[0]:.0f}, {finding.pixel[1]:.0f})"
    return " ".join(part for part in (finding.place, pixel) if part)


def _styled(text: str, colour: bool, **style: Any) -> str:
    return click.style(text, **style) if colour else text


def summary(report: Report) -> str:
    """One line of counts, such as ``2 fail, 1 warn in 3 files (41 checks ran)``."""
    counts = [f"{n} {s.label}" for s, n in report.counts.items() if n]
    files = f"{len(report.files)} file{'s' if len(report.files) != 1 else ''}"
    ran = f"{len(report.ran)} check{'s' if len(report.ran) != 1 else ''} ran"
    return f"{', '.join(counts) if counts else 'No findings'} in {files} ({ran})."


def report_data(report: Report) -> dict[str, Any]:
    """Report as plain data, as `json_report` writes it."""
    return {
        "schema_version": SCHEMA_VERSION,
        "profile": report.profile,
        "files": list(report.files),
        "counts": {s.label: n for s, n in report.counts.items()},
        "ran": list(report.ran),
        "not_run": list(report.not_run),
        "findings": [_finding_data(f) for f in report.findings],
    }


def _finding_data(finding: Finding) -> dict[str, Any]:
    return {
        "id": finding.id,
        "severity": finding.severity.label,
        "message": finding.message,
        "file": finding.file,
        "board": finding.board,
        "hex": finding.hex,
        "hexside": finding.hexside,
        "pixel": None if finding.pixel is None else list(finding.pixel),
        "confidence": finding.confidence,
        "settle": finding.settle,
        "fingerprint": finding.fingerprint,
    }


def json_report(report: Report) -> str:
    """Report as JSON (``schema_version`` 1): same findings, same bytes; one finding a line."""
    data = report_data(report)
    findings = data.pop("findings")
    head = ",\n".join(
        f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in data.items()
    )
    rows = ",\n".join("  " + json.dumps(f, ensure_ascii=False) for f in findings)
    body = f"[\n{rows}\n ]" if rows else "[]"
    return f'{{\n{head},\n "findings": {body}\n}}\n'
