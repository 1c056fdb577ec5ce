"""Check picture/huge."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

BYTES_PER_PIXEL = 4


@check(
    id="picture/huge",
    severity=Severity.WARN,
    needs=("picture",),
    title="The picture needs more memory than VASSAL usually has",
    what="""The picture has more pixels than VASSAL can hold decoded in the memory
        that it takes by default.""",
    why="""VASSAL keeps a map as four bytes a pixel, once for each zoom in use.
        Players with small machines cannot open such a board, and zooming is slow for
        all.""",
    example="""images/map.png is 14000 × 9000 px, 504 MB when decoded.""",
    how_to_mend="""Scale it down: hexes of 60 to 130 px are enough to play and to
        read.""",
    options={"megapixels": "largest size in millions of pixels"},
)
def huge(subject: Subject, *, megapixels: float = 60.0) -> Iterator[Problem]:
    picture = subject.picture
    assert picture is not None
    width, height = picture.size_px
    if width * height > megapixels * 1e6:
        yield Problem(
            f"{picture.where} is {width} × {height} px, "
            f"{width * height * BYTES_PER_PIXEL / 1e6:.0f} MB when VASSAL has decoded it. "
            "Scale it down: hexes of 60 to 130 px are enough."
        )
