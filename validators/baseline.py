"""Known findings that were accepted: written once, left out of later reports.

Each entry stands for one finding.  It is found again by file, check and place;
of several at one place by the nearest pixel, so that a picture cropped or drawn
anew by a few pixels keeps its baseline.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from hexsight.model.errors import UsageError
from hexsight.model.jsonsafe import check_json
from hexsight.model.versioned import SchemaVersion
from hexsight.validators.finding import Finding
from hexsight.validators.report import Report
from hexsight.validators.schema import Fingerprint

# A finding without hex or hexside is the same one only this near (in pixels): less
# than a small hex, so that a new one next to it is told.
NEAR_PX = 24.0
MAX_BYTES = 50_000_000


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    fingerprint: Fingerprint
    id: str
    file: str
    place: str = ""
    pixel: tuple[float, float] | None = None
    message: str = ""


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: SchemaVersion
    about: str = ""
    findings: Annotated[list[_Entry], Field(max_length=1_000_000)]


_ADAPTER = TypeAdapter(_File)
_ENTRIES = {"findings": TypeAdapter(_Entry)}


@dataclass(frozen=True)
class Baseline:
    """Accepted findings, in the order of their file."""

    entries: tuple[_Entry, ...] = ()


def write_baseline(report: Report) -> str:
    """Text of a baseline that accepts every finding of a report, one a line."""
    rows = []
    for f in sorted(report.findings, key=lambda f: (f.file, f.id, f.order)):
        entry = {
            "fingerprint": f.fingerprint,
            "id": f.id,
            "file": f.file,
            "place": f.place,
            "pixel": None if f.pixel is None else list(f.pixel),
            "message": f.message,
        }
        rows.append("  " + json.dumps(entry, ensure_ascii=False))
    body = "[\n" + ",\n".join(rows) + "\n ]" if rows else "[]"
    return (
        '{\n "schema_version": 1,\n "about": "findings that hexsight check does not tell again",\n'
        f' "findings": {body}\n}}\n'
    )


def read_baseline(text: str, where: str) -> Baseline:
    """Baseline from its text.

    Raises
    ------
    UsageError
        If it is none; says what is wrong.
    """
    if len(text) > MAX_BYTES:
        raise UsageError(f"{where} is too large for a baseline. Write it again.")
    try:
        return Baseline(tuple(check_json(text.encode(), _ADAPTER, _ENTRIES).findings))
    except ValueError as error:
        raise UsageError(
            f"{where} is no baseline ({error}). Write it with --write-baseline."
        ) from error


def apply_baseline(report: Report, baseline: Baseline) -> Report:
    """The report without accepted findings, with their number and the stale entries.

    An entry is stale when its file was checked, its check ran, and nothing fits
    it; of files and checks that were left out this time nothing is said.
    """
    by_key: dict[tuple[str, str], list[int]] = defaultdict(list)
    for i, finding in enumerate(report.findings):
        by_key[finding.file, finding.fingerprint].append(i)
    accepted: set[int] = set()
    stale: list[str] = []
    asked = set(report.ran)
    entries: dict[tuple[str, str], list[_Entry]] = defaultdict(list)
    for entry in baseline.entries:
        entries[entry.file, entry.fingerprint].append(entry)
    for key, wanted in entries.items():
        matched, left = _match(report.findings, by_key.get(key, ()), wanted)
        accepted |= matched
        stale += [_told(e) for e in left if e.file in report.files and e.id in asked]
    return replace(
        report,
        findings=tuple(f for i, f in enumerate(report.findings) if i not in accepted),
        accepted=report.accepted + len(accepted),
        stale=tuple(sorted({*report.stale, *stale})),
    )


def _match(
    findings: tuple[Finding, ...], here: Iterable[int], wanted: list[_Entry]
) -> tuple[set[int], list[_Entry]]:
    """Findings that entries of the same fingerprint stand for, nearest first; entries left over."""
    pairs = []
    for i in here:
        for j, entry in enumerate(wanted):
            away = _distance(findings[i].pixel, entry.pixel)
            if findings[i].place or away <= NEAR_PX:
                pairs.append((away, i, j))
    taken: dict[int, int] = {}
    used: set[int] = set()
    for _, i, j in sorted(pairs):
        if i not in taken and j not in used:
            taken[i] = j
            used.add(j)
    return set(taken), [e for j, e in enumerate(wanted) if j not in used]


def _distance(a: tuple[float, float] | None, b: tuple[float, float] | None) -> float:
    return 0.0 if a is None or b is None else math.dist(a, b)


def _told(entry: _Entry) -> str:
    place = f" {entry.place}" if entry.place else ""
    return f"{entry.id} {entry.file}{place}: {entry.message}"
