"""Check building/type-unknown."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from hexsight.model.terrain import load_catalogue
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="building/type-unknown",
    severity=Severity.FAIL,
    needs=("archive",),
    title="A building type is no building, or no terrain at all",
    what="""A buildingType element of the metadata has a buildingTypeName that is
        not the name of a terrain type, or of one that is no building.""",
    why="""VASL compares these names letter by letter. One that it does not know
        leaves the building as it was, without a word.""",
    example="""buildingTypeName="Stone Building, 2 Levels" instead of
        "Stone Building, 2 Level".""",
    how_to_mend="""Write the name as in SharedBoardMetadata.xml.""",
)
def type_unknown(subject: Subject) -> Iterator[Problem]:
    archive = subject.archive
    assert archive is not None
    types = {t.name: t for t in load_catalogue().types}
    for name, kind in archive.building_types.items():
        found = types.get(kind)
        if found is not None and found.in_depiction:
            continue
        buildings = [n for n, t in types.items() if t.in_depiction]
        near = difflib.get_close_matches(kind, buildings, n=1)
        reason = "is no terrain type" if found is None else "is no building"
        yield Problem(
            f"The building type {kind!r} of hex {name} {reason}."
            f"{f' Did you mean {near[0]!r}?' if near else ''} Write the name as VASL has it.",
            hex=name,
            settle=f'buildingTypeName="{near[0]}"' if near else "buildingTypeName attribute",
        )
