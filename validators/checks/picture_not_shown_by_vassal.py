"""Check picture/not-shown-by-vassal."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

SHOWN = ("PNG", "JPEG", "GIF", "SVG", "MPO")
# Some of Java's versions read these too; VASSAL does not promise to.
PERHAPS = ("BMP", "TIFF")


@check(
    id="picture/not-shown-by-vassal",
    severity=Severity.FAIL,
    needs=("picture",),
    title="VASSAL does not show pictures of this kind",
    what="""The picture is neither PNG, JPEG nor GIF by its content, whatever its
        name says; or it is a JPEG in printing colours (CMYK).""",
    why="""Its decoder is Java's: what that refuses leaves players with an empty
        board. Picture
        viewers open all of these, so that the maker does not notice.""",
    example="""images/map.png is a WebP that a browser saved under that name.""",
    how_to_mend="""Save it as PNG in RGB.""",
)
def not_shown_by_vassal(subject: Subject) -> Iterator[Problem]:
    picture = subject.picture
    assert picture is not None
    printing = picture.mode in ("CMYK", "YCCK")
    if picture.format in SHOWN and not printing:
        return
    reason = f"{picture.format} in printing colours" if printing else f"{picture.format} file"
    doubtful = printing or picture.format in PERHAPS
    yield Problem(
        f"{picture.where} is a {reason}, which VASSAL "
        f"{'may not' if doubtful else 'does not'} show. Save it as PNG in RGB.",
        severity=Severity.WARN if doubtful else None,
    )
