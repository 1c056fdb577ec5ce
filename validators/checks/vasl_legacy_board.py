"""Check vasl/legacy-board."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="vasl/legacy-board",
    severity=Severity.NOTE,
    needs=("archive",),
    title="The board is from before VASL 6 and has no metadata",
    what="""The archive holds a text file data and no BoardMetadata.xml.""",
    why="""Its size in hexes, building types and colours are nowhere written;
        hexsight takes the size from the picture. VASL 6 shows the board but checks no
        line of sight on it.""",
    example="""bdRB holds data, colors and bdRB.gif.""",
    how_to_mend="""Write the metadata; until then compare the names of some hexes with
        the print.""",
)
def legacy_board(subject: Subject) -> Iterator[Problem]:
    archive = subject.archive
    assert archive is not None
    if archive.legacy:
        yield Problem(
            f"{archive.file_name} has no BoardMetadata.xml; its size in hexes was taken from the "
            "picture. Compare the names of some hexes with the print.",
        )
