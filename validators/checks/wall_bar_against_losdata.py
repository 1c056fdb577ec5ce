"""Check wall/bar-against-losdata."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.losdata import is_out_of_date
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

_WORD = "bar "


@check(
    id="wall/bar-against-losdata",
    severity=Severity.WARN,
    needs=("terrain",),
    title="A black bar is printed and not stored in LOSData, or the reverse",
    what="""On a hexside the picture shows a Rowhouse bar or an Interior Factory Wall
        that LOSData lacks, or LOSData has one that is not printed.""",
    why="""A bar blocks nearly every line through its hexside (B23.71, O5.3). Players
        see the print and the program goes by LOSData.""",
    example="""The picture shows a bar on T8-T9, and LOSData has none there.""",
    how_to_mend="""Look at the picture, and correct LOSData or the reading.""",
)
def bar_against_losdata(subject: Subject) -> Iterator[Problem]:
    found = subject.terrain
    if found is None or is_out_of_date(found):
        return  # vasl/losdata-out-of-date
    told: set[str] = set()
    for one in found.hexes:
        for what, printed, _ in one.facts:
            side = what.removeprefix(_WORD)
            if not what.startswith(_WORD) or side in told:
                continue
            told.add(side)
            here, there = (
                ("The picture", "LOSData") if printed == "yes" else ("LOSData", "the print")
            )
            yield Problem(
                f"{here} has a bar on {side}, and {there} has none there. Look at the picture, and "
                "correct LOSData or the reading.",
                board=found.board,
                hexside=side,
                pixel=one.pixel,
                confidence=0.7,
                settle=f"hexsides: {{{side}: {{bar: {'none' if printed == 'yes' else 'full'}}}}}",
            )
