"""Check picture/extension-lies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

ENDINGS = {".png": "PNG", ".gif": "GIF", ".jpg": "JPEG", ".jpeg": "JPEG"}


@check(
    id="picture/extension-lies",
    severity=Severity.NOTE,
    needs=("picture",),
    title="The name of the picture says another kind than its content",
    what="""A file whose name ends in .png, .gif or .jpg holds a picture of another
        of these kinds.""",
    why="""VASSAL goes by content and shows it, but editors and web pages go by the
        name; and a .png that is a JPEG inside has lost its exact colours already.""",
    example="""images/map.png is a JPEG.""",
    how_to_mend="""Rename it as what it is, here and in the board's image
        attribute.""",
)
def extension_lies(subject: Subject) -> Iterator[Problem]:
    picture = subject.picture
    assert picture is not None
    # `where` may end in " in g.vmod".
    name = picture.where.partition(" in ")[0]
    said = ENDINGS.get(PurePosixPath(name).suffix.lower())
    if said is not None and said != picture.format and picture.format in ENDINGS.values():
        yield Problem(
            f"{picture.where} is a {picture.format} by its content. Name it as what it is, also in "
            "the board's image attribute."
        )
