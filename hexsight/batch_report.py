"""The report of a batch, put together from its records in the order of the items.

=================  ==============================================================
``batch.ndjson``   an item a line, its findings a line each behind it
``batch.json``     what was done, counts by status, severity and check
``findings.json``  all findings as `hexsight check --json` tells them
=================  ==============================================================

It is read from the records on disk, so that a resumed run, one on a cluster
and a merge of shards write the same bytes.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hexsight import __version__
from hexsight.batch_record import SCHEMA_VERSION, Record, Trouble, encode, place_file
from hexsight.batch_store import Store
from hexsight.model.atomic import replacing
from hexsight.model.errors import InputError
from hexsight.output import write_bytes
from hexsight.validators import MAX_PICTURES, Finding, Report, merge_reports, to_json

SUMMARY_FILE = "batch.json"
LINES_FILE = "batch.ndjson"
FINDINGS_FILE = "findings.json"
# More findings than this in one document help no one and could fill the memory; the lines
# have them all.
MAX_MERGED = 200_000


@dataclass
class Tally:
    """Counts over the records of a batch, as they pass by.

    Attributes
    ----------
    statuses, severities, checks : Counter
        Items by status; findings by severity; findings by (id, severity).
    items_of : Counter
        Items by check id.
    errors : list of (item, Trouble)
        In order.
    """

    statuses: Counter[str] = field(default_factory=Counter)
    severities: Counter[str] = field(default_factory=Counter)
    checks: Counter[tuple[str, str]] = field(default_factory=Counter)
    items_of: Counter[str] = field(default_factory=Counter)
    errors: list[tuple[str, Trouble]] = field(default_factory=list)

    def add(self, record: Record) -> None:
        """Count one record."""
        self.statuses[record.status] += 1
        self.errors += [(record.item, e) for e in record.errors]
        findings = record.report.findings if record.report is not None else ()
        self.items_of.update({f.id for f in findings})
        for finding in findings:
            self.severities[finding.severity.label] += 1
            self.checks[finding.id, finding.severity.label] += 1

    @property
    def findings(self) -> int:
        """All findings."""
        return sum(self.severities.values())

    def data(self) -> dict[str, Any]:
        """As batch.json tells it."""
        return {
            "items": {s: self.statuses[s] for s in ("ok", "partly", "error")},
            "findings": {s: self.severities[s] for s in ("error", "fail", "warn", "note")},
            "checks": [
                {"id": i, "severity": s, "findings": n, "items": self.items_of[i]}
                for (i, s), n in sorted(self.checks.items())
            ],
            "errors": [
                {"item": item, "code": e.code, "message": e.message} for item, e in self.errors
            ],
        }


@dataclass(frozen=True)
class BatchResult:
    """What a batch came to.

    Attributes
    ----------
    out : Path
    tally : Tally
    report : Report or None
        All findings; None where nothing was checked or there are too many.
    names : tuple of str
        Items, in their order.
    """

    out: Path
    tally: Tally
    report: Report | None
    names: tuple[str, ...] = ()

    def places(self) -> dict[Finding, bytes]:
        """Pictures of findings' places, where the job kept them."""
        return places_of(Store(self.out), self.names)


def records_of(store: Store, names: Iterable[str]) -> Iterator[Record]:
    """Records of items, one at a time.

    Raises
    ------
    InputError
        If one is missing.
    """
    for name in names:
        record = store.load(name)
        if record is None:
            raise InputError(
                f"{store.out} holds no result of {name}. Run the same batch again to finish it."
            )
        yield record


def lines_of(record: Record) -> Iterator[dict[str, Any]]:
    """What batch.ndjson tells of an item."""
    data = record.data()
    report = data.pop("report")
    yield {"type": "item", **data, "findings": len(report["findings"]) if report else None}
    for finding in report["findings"] if report else ():
        yield {"type": "finding", "item": record.item, **finding}


def write_report(store: Store, names: Sequence[str], job: dict[str, Any]) -> BatchResult:
    """Write the report of a batch.

    Parameters
    ----------
    store : Store
        Holds a record of every item.
    names : sequence of str
        Items in the order in which they are told.
    job : dict
        As in job.json.

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    tally = Tally()
    reports: list[Report] = []
    checks = job["do"] in ("check", "build")
    merged = 0
    with replacing(store.out / LINES_FILE, overwrite=True) as file:
        for record in records_of(store, names):
            tally.add(record)
            for line in lines_of(record):
                file.write(encode(json.dumps(line, ensure_ascii=False) + "\n"))
            if record.report is not None:
                merged += len(record.report.findings)
                if merged > MAX_MERGED:
                    reports.clear()
                else:
                    reports.append(record.report)
    report = None
    if checks and merged <= MAX_MERGED:
        # What could not be read counts even where nothing could be.
        report = _merged([Report(str(job["profile"]), (), (), (), ()), *reports], tally)
    if report is not None:
        data = encode(to_json(report))
        write_bytes(store.out / FINDINGS_FILE, data, overwrite=True)
    else:
        (store.out / FINDINGS_FILE).unlink(missing_ok=True)
    summary = {
        "schema_version": SCHEMA_VERSION,
        "tool_version": __version__,
        "job": job,
        **tally.data(),
        "order": list(names),
    }
    text = json.dumps(summary, ensure_ascii=False, indent=1) + "\n"
    # Last of all: with it the batch is finished.
    write_bytes(store.out / SUMMARY_FILE, encode(text), overwrite=True)
    return BatchResult(store.out, tally, report, tuple(names))


def _merged(reports: list[Report], tally: Tally) -> Report:
    report = merge_reports(reports)
    return replace(report, unread=tuple(sorted((i, told_error(i, e)) for i, e in tally.errors)))


def places_of(store: Store, names: Iterable[str]) -> dict[Finding, bytes]:
    """Pictures of findings' places, as far as they were kept and a page takes them."""
    pictures: dict[Finding, bytes] = {}
    for record in records_of(store, names):
        findings = record.report.findings if record.report is not None else ()
        folder = store.item_folder(record.item)
        for i, finding in enumerate(findings):
            if place_file(i) not in record.files:
                continue
            if len(pictures) == MAX_PICTURES:
                return pictures
            pictures[finding] = (folder / place_file(i)).read_bytes()
    return pictures


def told_error(item: str, trouble: Trouble) -> str:
    """One line for an error, with the item's full name: others may have the same last part."""
    return trouble.message if item in trouble.message else f"{item}: {trouble.message}"


def told_result(result: BatchResult) -> str:
    """What a batch came to, for a person."""
    tally = result.tally
    lines = []
    rows = sorted(tally.checks.items(), key=lambda row: (-row[1], row[0]))
    if rows:
        wide = max(len(i) for (i, _), _ in rows)
        for (name, severity), n in rows:
            items = tally.items_of[name]
            lines.append(
                f"{n:>6}  {severity:5} {name:{wide}}  in {items} item{'s' if items != 1 else ''}"
            )
        lines.append("")
    words = {"ok": "done", "partly": "read in part", "error": "not done"}
    counts = [f"{tally.statuses[s]} {w}" for s, w in words.items() if tally.statuses[s]]
    found = [f"{n} {s}" for s, n in tally.data()["findings"].items() if n]
    lines.append(f"{', '.join(counts)}; {', '.join(found) or 'no'} findings")
    files = [SUMMARY_FILE, LINES_FILE, *([FINDINGS_FILE] if result.report is not None else [])]
    lines.append(f"The results lie in {result.out}{os.sep}: items{os.sep}, {', '.join(files)}")
    return "\n".join(lines)
