"""Check picture/lossy."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="picture/lossy",
    severity=Severity.NOTE,
    needs=("picture",),
    title="The picture is a JPEG, whose colours are not exact",
    what="""The map picture is stored with loss.""",
    why="""Around every line and letter a JPEG has colours that the map does not
        have. Terrain is still found, but the edges of buildings and thin lines are less
        sure, and a legend of exact colours does not fit.""",
    example="""images/map.jpg is a JPEG.""",
    how_to_mend="""Use the PNG or the vector file that it was made from, where
        there is one. Saving the JPEG as PNG mends nothing.""",
)
def lossy(subject: Subject) -> Iterator[Problem]:
    picture = subject.picture
    assert picture is not None
    if picture.format in ("JPEG", "MPO"):
        yield Problem(
            f"{picture.where} is a JPEG: its colours are not exact. Use the picture that it was "
            "made from, if you have it."
        )
