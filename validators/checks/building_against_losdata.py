"""Check building/against-losdata."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.losdata import buildings_apart, is_out_of_date
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="building/against-losdata",
    severity=Severity.WARN,
    needs=("terrain",),
    title="Picture and LOSData disagree whether a building stands in a hex",
    what="""The picture shows a building at the centre of a hex whose LOSData has
        none there, or LOSData has a building that the picture does not show.""",
    why="""Units in that hex are in a building for the players and in the open for
        the program, or the other way round, and so is every line over it.""",
    example="""The picture shows a stone building in K15, and LOSData has Open Ground
        there.""",
    how_to_mend="""Look at the picture. Correct LOSData, or, if the picture was
        misread, write the line of the finding into hexsight.yaml.""",
)
def against_losdata(subject: Subject) -> Iterator[Problem]:
    found = subject.terrain
    if found is None or is_out_of_date(found):
        return  # vasl/losdata-out-of-date
    for one in buildings_apart(found):
        printed, stored = one.fact("building") or ("none", "none")
        if stored == "none":
            told = f"The picture shows a {_made_of(printed)} building in {one.name}, LOSData none"
        else:
            told = f"LOSData has a {_made_of(stored)} building in {one.name}, the picture none"
        yield Problem(
            f"{told}. Look at the picture, and correct LOSData or the reading.",
            board=found.board,
            hex=one.name,
            pixel=one.pixel,
            confidence=round(min(0.9, 0.5 + one.share), 2),
            settle=f"hexes: {{{one.name}: {{building: {stored}}}}}",
        )


def _made_of(material: str) -> str:
    return "wooden" if material == "wood" else material
