"""What a run found, for a terminal and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import click

from hexsight.validators.finding import Finding, Severity
from hexsight.validators.registry import Registry, all_checks

SCHEMA_VERSION = 1
_COLOURS = {
    Severity.NOTE: "blue",
    Severity.WARN: "yellow",
    Severity.FAIL: "red",
    Severity.ERROR: "magenta",
}


@dataclass(frozen=True)
class Report:
    """Findings of one run, in their stable order.

    Attributes
    ----------
    profile : str
    findings : tuple of Finding
        Sorted by severity (worst first), id, file and place.
    files : tuple of str
        Every subject that was checked, sorted.
    ran : tuple of str
        Ids of the checks that had something to look at.
    not_run : tuple of str
        Ids of the profile's checks whose needs no subject met.
    unread : tuple of (str, str)
        File and reason of everything that could not be checked.
    accepted : int
        Findings that a baseline holds and that were left out.
    stale : tuple of str
        Entries of the baseline that no finding fits any more, in words.
    """

    profile: str
    findings: tuple[Finding, ...]
    files: tuple[str, ...]
    ran: tuple[str, ...]
    not_run: tuple[str, ...]
    unread: tuple[tuple[str, str], ...] = ()
    accepted: int = 0
    stale: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[Severity, int]:
        """Number of findings by severity, worst first."""
        out = dict.fromkeys(sorted(Severity, reverse=True), 0)
        for finding in self.findings:
            out[finding.severity] += 1
        return out


def merge_reports(reports: Iterable[Report]) -> Report:
    """One report of several subjects; their order does not matter.

    Raises
    ------
    ValueError
        If there are none.
    """
    parts = list(reports)
    if not parts:
        raise ValueError("nothing to merge")
    ran = sorted({i for r in parts for i in r.ran})
    return Report(
        profile=parts[0].profile,
        findings=tuple(sorted((f for r in parts for f in r.findings), key=lambda f: f.order)),
        files=tuple(sorted({name for r in parts for name in r.files})),
        ran=tuple(ran),
        not_run=tuple(sorted({i for r in parts for i in r.not_run} - set(ran))),
        unread=tuple(sorted({u for r in parts for u in r.unread})),
        accepted=sum(r.accepted for r in parts),
        stale=tuple(sorted({t for r in parts for t in r.stale})),
    )


def worst(report: Report, level: Severity | str) -> bool:
    """Whether a report holds a finding at or above a level (``--fail-on``).

    Parameters
    ----------
    level : Severity or str
        ``note``, ``warn``, ``fail``, ``error``; ``never`` answers False always.
    """
    if isinstance(level, str):
        if level == "never":
            return False
        level = Severity.of(level)
    return any(f.severity >= level for f in report.findings)


def to_text(
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
    lines += [f"No longer found, take it out of the baseline: {entry}" for entry in report.stale]
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
        lines.append(f"    … and {len(found) - len(shown)} more (--json tells all)")
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
    known = f", {report.accepted} accepted" if report.accepted else ""
    return f"{', '.join(counts) if counts else 'No findings'}{known} in {files} ({ran})."


def report_data(report: Report) -> dict[str, Any]:
    """Report as plain data, as `to_json` writes it."""
    return {
        "schema_version": SCHEMA_VERSION,
        "profile": report.profile,
        "files": list(report.files),
        "counts": {s.label: n for s, n in report.counts.items()},
        "ran": list(report.ran),
        "not_run": list(report.not_run),
        "unread": [{"file": file, "message": message} for file, message in report.unread],
        "accepted": report.accepted,
        "stale": list(report.stale),
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


def to_json(report: Report) -> str:
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
