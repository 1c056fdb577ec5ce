"""Check vasl/size-against-picture."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.boardsize import fits, hexes_that_fit
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="vasl/size-against-picture",
    severity=Severity.WARN,
    needs=("archive",),
    title="The board has more or fewer hexes than its picture",
    what="""Width or height in hexes, with the stated size of a hex, do not come to
        the size of the picture.""",
    why="""Hexes beside the picture have no terrain, and hexes without a name
        cannot be played in. Boards that are not 33 × 10 need hexWidth, hexHeight and
        the centre of A1 besides.""",
    example="""A board of 17 × 20 hexes without hexWidth whose picture holds
        17 × 23.""",
    how_to_mend="""Correct width and height, or the size of a hex and the centre
        of A1.""",
)
def size_against_picture(subject: Subject) -> Iterator[Problem]:
    archive = subject.archive
    assert archive is not None
    if archive.size_hexes is None or fits(archive, archive.size_hexes):
        return
    width, height = archive.size_hexes
    if fits(archive, (height, width)):
        return  # vasl/width-height-swapped
    columns, rows = hexes_that_fit(archive)
    yield Problem(
        f"The metadata says {width} × {height} hexes, but {columns:.1f} × {rows:.1f} fit on the "
        f"picture of {archive.picture_size_px[0]} × {archive.picture_size_px[1]} px. Correct width "
        "and height, or the size of a hex.",
        settle=f'width="{int(columns + 0.25)}" height="{int(rows + 0.25)}"',
    )
