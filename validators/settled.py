"""Findings that a person has settled: the corrections speak of the very thing at the place."""

from __future__ import annotations

from typing import Any

import yaml

from hexsight.model.overrides import HexOverride, HexsideOverride, Overrides
from hexsight.validators.finding import Finding

# Parts of a correction in the order of (part, place, facts).
Correction = tuple[str, str, dict[str, Any]]


def corrections_of(finding: Finding) -> list[Correction]:
    """What the line that would settle a finding corrects; empty when it is no such line."""
    try:
        said = yaml.safe_load(finding.settle) if finding.settle else None
    except yaml.YAMLError:
        return []
    if isinstance(said, dict) and isinstance(said.get("overrides"), dict):
        said = said["overrides"]
    out: list[Correction] = []
    for part, places in said.items() if isinstance(said, dict) else ():
        if part not in ("hexes", "hexsides") or not isinstance(places, dict):
            return []
        for place, facts in places.items():
            if not isinstance(facts, dict) or "…" in str(facts):
                return []
            out.append((str(part), str(place), facts))
    return out


def is_settled(finding: Finding, overrides: Overrides | None) -> bool:
    """Whether corrections say something, whatever it is, of all that a finding doubts."""
    if overrides is None:
        return False
    corrections = corrections_of(finding)
    for part, place, facts in corrections:
        one: HexOverride | HexsideOverride | None = (
            overrides.hexes.get(place) if part == "hexes" else overrides.hexsides.get(place)
        )
        said = one.model_dump(by_alias=True, exclude_none=True) if one is not None else {}
        if not facts.keys() <= said.keys():
            return False
    return bool(corrections)
