"""Check vasl/width-height-swapped."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.boardsize import fits
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="vasl/width-height-swapped",
    severity=Severity.FAIL,
    needs=("archive",),
    title="Width and height of the board in hexes are swapped",
    what="""The picture does not fit width × height hexes of the stated size, but it
        does fit height × width.""",
    why="""VASL makes rows of hexes beside the picture and leaves others without a
        name; LOS fails there.""",
    example="""width="10" height="33" on a standard board of 33 × 10 hexes.""",
    how_to_mend="""Exchange the two attributes.""",
)
def width_height_swapped(subject: Subject) -> Iterator[Problem]:
    archive = subject.archive
    assert archive is not None
    if archive.size_hexes is None or fits(archive, archive.size_hexes):
        return
    width, height = archive.size_hexes
    if fits(archive, (height, width)):
        yield Problem(
            f"The metadata says {width} × {height} hexes, and the picture of "
            f"{archive.picture_size_px[0]} × {archive.picture_size_px[1]} px holds {height} × "
            f'{width}. Write width="{height}" height="{width}".',
            settle=f'width="{height}" height="{width}"',
        )
