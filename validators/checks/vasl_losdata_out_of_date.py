"""Check vasl/losdata-out-of-date."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.losdata import buildings_apart, is_out_of_date
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="vasl/losdata-out-of-date",
    severity=Severity.FAIL,
    needs=("terrain",),
    title="LOSData was made from another picture",
    what="""In many hexes the picture shows a building where LOSData has none, or the
        other way round.""",
    why="""VASL computes LOSData once and plays with it alone. When the picture was
        changed or moved afterwards, players see other houses than the program
        does.""",
    example="""In 31 of 346 hexes the picture shows other buildings than LOSData has,
        such as K15 and L14.""",
    how_to_mend="""Compute LOSData again from the picture.""",
)
def losdata_out_of_date(subject: Subject) -> Iterator[Problem]:
    found = subject.terrain
    if found is None or not is_out_of_date(found):
        return
    apart = buildings_apart(found)
    worst = max(apart, key=lambda h: h.share)
    names = ", ".join(h.name for h in apart[:4])
    yield Problem(
        f"In {len(apart)} of {found.hexes_in_all} hexes the picture shows other buildings than "
        f"LOSData has, such as {names}. Compute LOSData again.",
        board=found.board,
        pixel=worst.pixel,
        confidence=0.9,
    )
