"""Findings that a person has looked at and accepted in hexsight.yaml.

Each entry is a check's id, a place and a free remark:

.. code-block:: yaml

    accepted:
      terrain/in-doubt:
        K15-K16: worn print, the bar is there
        1034 812: accepted

A place is a hex or hexside, a pixel ``X Y`` where there is none, or ``map``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from hexsight.validators.baseline import NEAR_PX
from hexsight.validators.finding import Finding
from hexsight.validators.report import Report

MAP = "map"
Accepted = Mapping[str, Mapping[str, str]]


def place_of(finding: Finding) -> str:
    """How hexsight.yaml names the place of a finding."""
    if finding.place:
        return finding.place
    if finding.pixel is None:
        return MAP
    return f"{finding.pixel[0]:.0f} {finding.pixel[1]:.0f}"


def entry_of(finding: Finding, accepted: Accepted) -> str | None:
    """Place of the entry that accepts a finding, None when none does.

    Without hex and hexside it is the nearest pixel that counts, as far as baselines
    take one for the same.
    """
    places = accepted.get(finding.id, {})
    exact = place_of(finding)
    if exact in places:
        return exact
    if finding.place or finding.pixel is None:
        return None
    near = [(math.dist(finding.pixel, at), p) for p in places if (at := _pixel(p)) is not None]
    best = min(near, default=(math.inf, ""))
    return best[1] if best[0] <= NEAR_PX else None


def apply_accepted(report: Report, accepted: Accepted) -> Report:
    """The report without accepted findings, with their number."""
    left = tuple(f for f in report.findings if entry_of(f, accepted) is None)
    gone = len(report.findings) - len(left)
    return replace(report, findings=left, accepted=report.accepted + gone)


def _pixel(place: str) -> tuple[float, float] | None:
    parts = place.split()
    try:
        x, y = (float(p) for p in parts)
    except ValueError:
        return None
    return x, y
