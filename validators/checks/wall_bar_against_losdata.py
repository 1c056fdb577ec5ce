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
    places: dict[str, list[tuple[float, float]]] = {}
    printed_on: dict[str, bool] = {}
    for one in found.hexes:
        for what, printed, _ in one.facts:
            if what.startswith(_WORD):
                side = what.removeprefix(_WORD)
                places.setdefault(side, []).append(one.pixel)
                printed_on[side] = printed == "yes"
    for side, centres in places.items():
        here, there = "The picture", "LOSData"
        if not printed_on[side]:
            here, there = "LOSData", "the picture"
        yield Problem(
            f"{here} has a bar on {side}, and {there} has none there. Look at the picture, and "
            "correct LOSData or the reading.",
            board=found.board,
            hexside=side,
            # Half way between the two hexes.
            pixel=(
                sum(x for x, _ in centres) / len(centres),
                sum(y for _, y in centres) / len(centres),
            ),
            confidence=0.7,
            settle=f"hexsides: {{{side}: {{bar: {'none' if printed_on[side] else 'full'}}}}}",
        )
