"""Findings as the page lists them: open, accepted or mended, each with an id that stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hexsight.model.overrides import HexOverride, HexsideOverride, Overrides
from hexsight.validators.accepted import Accepted, entry_of, place_of
from hexsight.validators.finding import Finding
from hexsight.validators.settled import corrections_of

State = Literal["open", "accepted", "mended"]
IDLE = "terrain/override-changes-nothing"


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
            "takes_out": taken_out(self.edit),
            "confidence": one.confidence,
            "state": self.state,
        }


def list_findings(
    now: Sequence[Finding],
    plain: Sequence[Finding],
    accepted: Accepted,
    overrides: Overrides | None = None,
    gone: Mapping[str, Finding] | None = None,
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
    overrides : Overrides, optional
        The corrections in force: one that caused a finding is taken out to mend it.
    gone : mapping, optional
        Findings by id that their own correction settled.  Those that a wrong correction
        had caused are in neither list any more.
    """
    said = overrides or Overrides()
    here, before = _numbered(now), _numbered(plain)
    views = [
        FindingView(
            key,
            one,
            "open" if entry_of(one, accepted) is None else "accepted",
            edit_of(one, said, caused=key not in before),
        )
        for key, one in here.items()
    ]
    before = {**(gone or {}), **before}
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


def edit_of(
    finding: Finding, overrides: Overrides, *, caused: bool = True
) -> dict[str, Any] | None:
    """What would settle a finding as an edit, None where it is none for a board.

    Parameters
    ----------
    finding : Finding
    overrides : Overrides
        The corrections in force.
    caused : bool
        Whether the map has the finding through corrections only.  Then what a correction
        says against the settling line is taken out, and no line is written against it.
    """
    if finding.id == IDLE:
        return _without(finding, overrides)
    kinds = {"hexes": "hex", "hexsides": "hexside"}
    edits: list[dict[str, Any]] = []
    for part, place, facts in corrections_of(finding):
        said = _said(overrides, part, place) if caused else {}
        taken = {key: None for key in facts if key in said}
        edits.append({"kind": kinds[part], kinds[part]: place, **facts, **taken})
    return edits[0] if len(edits) == 1 else None


def taken_out(edit: dict[str, Any] | None) -> str:
    """What an edit takes out of hexsight.yaml, empty if nothing: ``stairwell of I6``."""
    keys = [k for k, value in (edit or {}).items() if value is None]
    if not edit or not keys:
        return ""
    return f"{', '.join(k.replace('_', ' ') for k in keys)} of {edit[edit['kind']]}"


def _without(finding: Finding, overrides: Overrides) -> dict[str, Any] | None:
    """The edit that takes a correction out which changes nothing."""
    part, kind = ("hexsides", "hexside") if finding.hexside else ("hexes", "hex")
    for key in _said(overrides, part, finding.place):
        if f": {key} of {kind} {finding.place} is " in finding.message:
            return {"kind": kind, kind: finding.place, key: None}
    return None


def _said(overrides: Overrides, part: str, place: str) -> dict[str, Any]:
    """What the corrections say of a hex or hexside, by key."""
    one: HexOverride | HexsideOverride | None = overrides.hexes.get(place)
    if part == "hexsides":
        sides = {name.replace(" ", ""): side for name, side in overrides.hexsides.items()}
        a, _, b = place.partition("-")
        one = sides.get(place) or sides.get(f"{b}-{a}")
    return one.model_dump(by_alias=True, exclude_none=True) if one is not None else {}


def _numbered(findings: Sequence[Finding]) -> Mapping[str, Finding]:
    """Findings by id; of several with one fingerprint the order in which they stand counts."""
    seen: Counter[str] = Counter()
    out = {}
    for one in findings:
        mark = one.fingerprint
        seen[mark] += 1
        out[mark if seen[mark] == 1 else f"{mark}-{seen[mark]}"] = one
    return out
