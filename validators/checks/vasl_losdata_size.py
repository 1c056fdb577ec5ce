"""Check vasl/losdata-size."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="vasl/losdata-size",
    severity=Severity.FAIL,
    needs=("archive",),
    title="LOSData is not of the size of the board",
    what="""LOSData states other numbers of hexes than the metadata, or other
        numbers of pixels than the picture has.""",
    why="""LOSData was computed before the picture or the metadata changed, so that
        its terrain lies beside where it is printed, and answers are those of other
        hexes.""",
    example="""LOSData is 1800 × 645 px, and the picture 1806 × 650 px.""",
    how_to_mend="""Compute LOSData again.""",
)
def losdata_size(subject: Subject) -> Iterator[Problem]:
    archive = subject.archive
    assert archive is not None
    losdata = archive.losdata
    if losdata is None:
        return
    for have, want, what, whose in (
        (losdata.size_hexes, archive.size_hexes, "hexes", "the metadata says"),
        (losdata.size_px, archive.picture_size_px, "px", "the picture has"),
    ):
        if want is not None and have != want:
            yield Problem(
                f"LOSData is made for {have[0]} × {have[1]} {what}, and {whose} {want[0]} × "
                f"{want[1]}. Compute it again.",
            )
