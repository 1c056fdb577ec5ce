"""Findings as the page lists them: open, accepted or mended, each with an id that stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hexsight.validators.accepted import Accepted, entry_of, place_of
from hexsight.validators.finding import Finding
from hexsight.validators.settled import corrections_of

State = Literal["open", "accepted", "mended"]


@dataclass(frozen=True)
class FindingView:
    """One finding.

    Attributes
    ----------
    id : str
        The same for the same finding as long as check and place stay: its fingerprint
        and, of several with the same, a number.
    finding : Finding
    state : str
        ``open``, ``accepted`` (in hexsight.yaml) or ``mended`` (a correction settled it).
    edit : dict or None
        The correction that would settle it, as an edit.
    """

    id: str
    finding: Finding
    state: State
    edit: dict[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """As the page takes it."""
        one = self.finding
        x, y = one.pixel if one.pixel is not None else (None, None)
        return {
            "id": self.id,
            "check": one.id,
            "severity": one.severity.label,
            "where": one.place,
            "x": x,
            "y": y,
            "text": one.message,
            "override": one.settle,
            "edit": self.edit,
            "confidence": one.confidence,
            "state": self.state,
        }


def list_findings(
    now: Sequence[Finding], plain: Sequence[Finding], accepted: Accepted
) -> tuple[FindingView, ...]:
    """All findings, worst first.

    Parameters
    ----------
    now : sequence of Finding
        Of the board as it is.
    plain : sequence of Finding
        Of the board without any correction: what is not found any more was mended.
    accepted : mapping
        As in hexsight.yaml.
    """
    here, before = _numbered(now), _numbered(plain)
    views = [
        FindingView(
            key, one, "open" if entry_of(one, accepted) is None else "accepted", edit_of(one)
        )
        for key, one in here.items()
    ]
    views += [FindingView(key, one, "mended") for key, one in before.items() if key not in here]
    return tuple(sorted(views, key=lambda v: (v.finding.order, v.id)))


def progress_of(views: Sequence[FindingView]) -> dict[str, int]:
    """How many findings there are in each state."""
    counts = Counter(v.state for v in views)
    return {
        "total": len(views),
        "open": counts["open"],
        "accepted": counts["accepted"],
        "mended": counts["mended"],
    }


def accept_entry(view: FindingView, accepted: Accepted, *, on: bool) -> tuple[str, str]:
    """Check and place under which hexsight.yaml accepts a finding."""
    entry = entry_of(view.finding, accepted)
    return view.finding.id, entry if entry is not None and not on else place_of(view.finding)


def edit_of(finding: Finding) -> dict[str, Any] | None:
    """The line that would settle a finding as an edit, None where it is none for a board."""
    kinds = {"hexes": "hex", "hexsides": "hexside"}
    edits = [
        {"kind": kinds[part], kinds[part]: place, **facts}
        for part, place, facts in corrections_of(finding)
    ]
    return edits[0] if len(edits) == 1 else None


def _numbered(findings: Sequence[Finding]) -> Mapping[str, Finding]:
    """Findings by id; of several with one fingerprint the order in which they stand counts."""
    seen: Counter[str] = Counter()
    out = {}
    for one in findings:
        mark = one.fingerprint
        seen[mark] += 1
        out[mark if seen[mark] == 1 else f"{mark}-{seen[mark]}"] = one
    return out
