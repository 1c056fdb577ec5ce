"""The report as one self-contained page, with a picture of each finding's place.

Everything lies in the file.  A content security policy with the hashes of style
and program lets nothing else run and nothing be fetched, and every text is
escaped: names in modules come from strangers.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources

from hexsight.validators.finding import Finding, Severity
from hexsight.validators.registry import Check, Registry, all_checks
from hexsight.validators.report import Report, summary

# More rows make a page that no browser likes and no person reads.
MAX_ROWS = 5_000
# Thumbnails are some 8 kB each.
MAX_PICTURES = 1_000
_PAGE = "report_page"


def to_html(
    report: Report,
    pictures: Mapping[Finding, bytes] | None = None,
    *,
    registry: Registry | None = None,
) -> bytes:
    """Report as an HTML 5 page, UTF-8.

    Parameters
    ----------
    report : Report
    pictures : mapping of Finding to bytes, optional
        JPEG of its place for each finding that has one.
    registry : Registry, optional
        Where the texts of the checks stand.

    Returns
    -------
    bytes
        The same input gives the same bytes.
    """
    registry = all_checks() if registry is None else registry
    pictures = pictures or {}
    style, program = _text("css"), _text("js")
    policy = (
        "default-src 'none'; img-src data:; "
        f"style-src '{_digest(style)}'; script-src '{_digest(program)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    shown = report.findings[:MAX_ROWS]
    left = MAX_PICTURES
    rows = []
    for number, finding in enumerate(shown):
        jpeg = pictures.get(finding) if left else None
        left -= jpeg is not None
        rows.append(_row(number, finding, registry.get(finding.id), jpeg))
    ids = sorted({f.id for f in shown})
    slots = {
        "summary": _e(summary(report)),
        "profile": _e(report.profile),
        "notes": _notes(report, shown, MAX_PICTURES - left),
        "severities": _severities(report),
        "files": _choices(sorted({f.file for f in shown})),
        "checks": _choices(ids),
        "rows": "".join(rows),
        "empty": "" if rows else '<p id="none">Nothing was found.</p>',
        "explanations": "".join(_explanation(registry.get(i)) for i in ids),
    }
    body = _text("html")
    # One pass, so that nothing in a finding can be taken for a slot.
    parts = body.split("{{")
    filled = [parts[0]]
    for part in parts[1:]:
        name, _, rest = part.partition("}}")
        filled += [slots[name], rest]
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="generator" content="hexsight check">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>Findings of hexsight check</title>\n<style>{style}</style>\n</head>\n<body>\n"
    )
    tail = f"<script>{program}</script>\n</body>\n</html>\n"
    return (head + "".join(filled) + tail).encode("utf-8", "replace")


def _text(suffix: str) -> str:
    file = resources.files("hexsight.validators").joinpath(f"{_PAGE}.{suffix}")
    return file.read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode()


def _e(text: str) -> str:
    return html.escape(text, quote=True)


def _row(number: int, finding: Finding, one: Check, jpeg: bytes | None) -> str:
    severity = finding.severity.label
    place = " ".join(p for p in (finding.board, finding.place) if p)
    spot = ""
    if finding.pixel is not None:
        spot = f'<span class="pixel">({finding.pixel[0]:.0f}, {finding.pixel[1]:.0f})</span>'
    picture = ""
    if jpeg is not None:
        data = base64.b64encode(jpeg).decode()
        alt = _e(f"Map at {place or 'the place of the finding'}")
        picture = (
            f'<img loading="lazy" width="184" height="184" alt="{alt}" '
            f'src="data:image/jpeg;base64,{data}">'
        )
    settle = ""
    if finding.settle:
        settle = (
            f'<div class="settle"><code>{_e(finding.settle)}</code> '
            '<button type="button" class="copy" hidden>Copy</button></div>'
        )
    return (
        f'<tr data-n="{number}" data-severity="{severity}" data-rank="{int(finding.severity)}" '
        f'data-file="{_e(finding.file)}" data-check="{_e(finding.id)}" data-place="{_e(place)}">'
        f'<td><span class="tag {severity}">{severity}</span></td>'
        f"<td>{_e(finding.file)}</td>"
        f'<td><a href="#{_anchor(finding.id)}">{_e(finding.id)}</a></td>'
        f"<td>{_e(place)} {spot}</td>"
        f'<td><div class="title">{_e(one.title)}</div>{_e(finding.message)}{settle}</td>'
        f"<td>{picture}</td></tr>\n"
    )


def _anchor(check_id: str) -> str:
    return "about-" + _e(check_id.replace("/", "-"))


def _severities(report: Report) -> str:
    return "".join(
        f'<label><input type="checkbox" class="by-severity" value="{s.label}" checked> '
        f'<span class="tag {s.label}">{s.label}</span> {report.counts[s]}</label> '
        for s in sorted(Severity, reverse=True)
        if report.counts[s]
    )


def _choices(values: Iterable[str]) -> str:
    return "".join(f'<option value="{_e(v)}">{_e(v)}</option>' for v in values)


def _notes(report: Report, shown: Sequence[Finding], pictures: int) -> str:
    notes = [f"Could not be checked: {message}" for _, message in report.unread]
    notes += [f"No longer found, take it out of the baseline: {text}" for text in report.stale]
    if len(shown) < len(report.findings):
        notes.append(
            f"Only the first {len(shown)} of {len(report.findings)} findings are on this page; "
            "--json tells all."
        )
    if pictures == MAX_PICTURES and sum(f.pixel is not None for f in shown) > pictures:
        notes.append(f"Only {MAX_PICTURES} places are shown as pictures.")
    return "".join(f'<p class="notice">{_e(note)}</p>\n' for note in notes)


def _explanation(one: Check) -> str:
    parts = (
        ("What it finds", one.what),
        ("Why it matters", one.why),
        ("Example", one.example),
        ("How to mend it", one.how_to_mend),
    )
    text = "".join(f"<dt>{head}</dt><dd>{_e(body)}</dd>" for head, body in parts)
    return (
        f'<details id="{_anchor(one.id)}"><summary>{_e(one.id)} – {_e(one.title)}</summary>'
        f"<dl>{text}</dl></details>\n"
    )
