"""Check terrain/override-changes-nothing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hexsight.model.board import Board, HexFacts, HexsideFacts
from hexsight.model.overrides import HexOverride, HexsideOverride
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.places import hexside_middle
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

FULL = 0.97  # share of a hex or a hexside that counts as all of it
NEAR = 0.06  # how near both ends of a bar must come to those that a person wrote


@check(
    id="terrain/override-changes-nothing",
    severity=Severity.NOTE,
    needs=("survey", "overrides"),
    title="A correction says what was read anyhow",
    what="""An override in hexsight.yaml sets a fact of a hex or hexside that the
        map already shows without it.""",
    why="""It does no harm. But it may be meant for another hex, or be left over
        from an older version of the detectors.""",
    example="""overrides: hexes: {K15: {factory: true}}, and a road enters that
        building anyhow.""",
    how_to_mend="""Look whether the name is the one you meant, then take the line
        out.""",
)
def override_changes_nothing(subject: Subject) -> Iterator[Problem]:
    overrides, plain = subject.overrides, subject.plain_board
    assert overrides is not None
    assert plain is not None
    for name, wanted in overrides.hexes.items():
        facts = plain.by_name.get(name)
        if facts is None:
            continue  # terrain/override-unknown-place
        for key in _idle_of_hex(plain, facts, wanted):
            yield Problem(
                f"{overrides.place(name)}: {key} of hex {name} is what the map shows anyhow. Is it "
                "the hex you meant? If so, take the line out.",
                hex=name,
                pixel=(facts.x_px, facts.y_px),
            )
    for name, side in overrides.hexsides.items():
        found = plain.side_by_name.get(name.replace(" ", ""))
        if found is None:
            continue
        for key in _idle_of_hexside(plain, found, side):
            yield Problem(
                f"{overrides.place(name)}: {key} of hexside {found.name} is what the map shows "
                "anyhow. Is it the hexside you meant? If so, take the line out.",
                hexside=found.name,
                pixel=hexside_middle(plain, found.name),
            )


def _idle_of_hex(plain: Board, facts: HexFacts, wanted: HexOverride) -> Iterator[str]:
    """Keys of an override that a hex fulfils without it."""
    pairs = (
        ("factory", wanted.factory, facts.factory),
        ("height", wanted.height_half, facts.height_half),
        ("roofless", wanted.roofless, facts.roofless),
        ("stairwell", wanted.stairwell, facts.stairwell),
        ("vehicular_entrance", wanted.vehicular_entrance, facts.vehicular_entrance),
        ("level", wanted.level_half, facts.base_half),
    )
    yield from (key for key, want, have in pairs if want is not None and want == have)
    if wanted.building == "none" and facts.building_share == 0:
        yield "building"
    if wanted.building in ("stone", "wood") and facts.building_share >= FULL:
        building = plain.building_by_id.get(facts.building)
        if building is not None and building.material == wanted.building:
            yield "building"
    if wanted.terrain is not None:
        index = plain.hexes.index(facts)
        inside = plain.terrain[plain.owner == index]
        code = _code(plain, wanted.terrain)
        if inside.size and np.count_nonzero(inside == code) >= FULL * inside.size:
            yield "terrain"


def _idle_of_hexside(plain: Board, found: HexsideFacts, wanted: HexsideOverride) -> Iterator[str]:
    """Keys of an override that a hexside fulfils without it."""
    if _idle_bar(found, wanted):
        yield "bar"
    if wanted.terrain is not None:
        code = 0 if wanted.terrain == "none" else _code(plain, wanted.terrain)
        if code == found.terrain:
            yield "terrain"


def _idle_bar(found: HexsideFacts, wanted: HexsideOverride) -> bool:
    if wanted.bar == "none":
        return not found.bar
    if wanted.bar == "full":
        return found.bar_share >= FULL
    if wanted.bar is None or len(found.bar) != 1:
        return False
    return max(abs(a - b) for a, b in zip(wanted.bar, found.bar[0], strict=True)) <= NEAR


def _code(plain: Board, name: str) -> int:
    """Code of a terrain type, −1 for a name that is a finding of its own."""
    types = {t.name.casefold(): t.code for t in plain.catalogue.types}
    return types.get(name.strip().casefold(), -1)
