"""Check picture/see-through."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="picture/see-through",
    severity=Severity.NOTE,
    needs=("picture",),
    title="The map picture has see-through parts",
    what="""A noticeable share of the pixels is not opaque.""",
    why="""There players see the colour of the map window, which each module sets
        and players may change. What is read there is white paper, which may be taken
        for terrain.""",
    example="""4 % of images/map.png is see-through: the rounded corners.""",
    how_to_mend="""Lay a ground of the map's colour below the picture.""",
    options={"share": "largest share of such pixels"},
)
def see_through(subject: Subject, *, share: float = 0.002) -> Iterator[Problem]:
    picture = subject.picture
    assert picture is not None
    if picture.see_through_share > share:
        yield Problem(
            f"{100 * picture.see_through_share:.1f} % of {picture.where} is see-through and reads "
            "as white. Lay a ground of the map's colour below it."
        )
