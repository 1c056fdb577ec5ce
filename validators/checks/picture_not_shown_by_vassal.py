"""Check picture/not-shown-by-vassal."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

SHOWN = ("PNG", "JPEG", "GIF", "SVG", "MPO")


@check(
    id="picture/not-shown-by-vassal",
    severity=Severity.FAIL,
    needs=("picture",),
    title="VASSAL does not show pictures of this kind",
    what="""The picture is neither PNG, JPEG nor GIF by its content, whatever its
        name says; or it is a JPEG in printing colours (CMYK).""",
    why="""The engine's decoder refuses it, and players see an empty board. Picture
        viewers open all of these, so that the maker does not notice.""",
    example="""images/map.png is a WebP that a browser saved under that name.""",
    how_to_mend="""Save it as PNG in RGB.""",
)
def not_shown_by_vassal(subject: Subject) -> Iterator[Problem]:
    picture = subject.picture
    assert picture is not None
    if picture.format not in SHOWN:
        reason = f"is a {picture.format} file"
    elif picture.mode in ("CMYK", "YCCK"):
        reason = f"is a {picture.format} in printing colours ({picture.mode})"
    else:
        return
    yield Problem(f"{picture.where} {reason}, which VASSAL does not show. Save it as PNG in RGB.")
