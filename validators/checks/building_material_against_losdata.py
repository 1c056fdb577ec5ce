"""Check building/material-against-losdata."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.losdata import is_out_of_date
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="building/material-against-losdata",
    severity=Severity.WARN,
    needs=("terrain",),
    title="A building is of stone in the picture and of wood in LOSData, or the reverse",
    what="""The roof in the picture has the colours of one material and LOSData has
        a building of the other, over a large part of the hex.""",
    why="""Stone and wood give different Terrain Effects Modifiers (B23). Players go
        by the art; a program that goes by LOSData counts another number.""",
    example="""The building in X3 is of stone in the picture and of wood in LOSData.""",
    how_to_mend="""Look at the picture. Set the building type of the hex in the
        metadata and compute LOSData again.""",
    options={"share": "smallest share of the hex that must differ"},
)
def material_against_losdata(subject: Subject, *, share: float = 0.25) -> Iterator[Problem]:
    found = subject.terrain
    if found is None or is_out_of_date(found):
        return  # vasl/losdata-out-of-date
    for one in found.hexes:
        pair = one.fact("building")
        if pair is None or "none" in pair or one.share < share:
            continue
        yield Problem(
            f"The building in {one.name} is of {pair[0]} in the picture and of {pair[1]} in "
            "LOSData. Look at the picture, and correct its type in the metadata.",
            board=found.board,
            hex=one.name,
            pixel=one.pixel,
            confidence=0.8,
            settle=f"hexes: {{{one.name}: {{building: {pair[1]}}}}}",
        )
