"""Check building/stairwell-against-losdata."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.losdata import is_out_of_date
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="building/stairwell-against-losdata",
    severity=Severity.WARN,
    needs=("terrain",),
    title="A stairwell is printed and not stored in LOSData",
    what="""The white square of a stairwell was read in a hex whose building in LOSData
        has no stairs there.""",
    why="""Upper levels are entered by stairs (B23.2). A program that goes by LOSData
        shuts players out of levels that the print opens to them.""",
    example="""A stairwell is printed in R8, and LOSData has none there.""",
    how_to_mend="""Set the stairway of the hex in LOSData; or stairwell: false if the
        square is something else.""",
)
def stairwell_against_losdata(subject: Subject) -> Iterator[Problem]:
    found = subject.terrain
    if found is None or is_out_of_date(found):
        return  # vasl/losdata-out-of-date
    for name, pixel in found.stairs:
        yield Problem(
            f"A stairwell is printed in {name}, and LOSData has none there. Set the stairway in "
            "LOSData, or stairwell: false if it is something else.",
            board=found.board,
            hex=name,
            pixel=pixel,
            confidence=0.8,
            settle=f"hexes: {{{name}: {{stairwell: false}}}}",
        )
