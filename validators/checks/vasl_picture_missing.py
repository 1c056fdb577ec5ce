"""Check vasl/picture-missing."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.members import other_case
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="vasl/picture-missing",
    severity=Severity.FAIL,
    needs=("archive",),
    title="The metadata names a picture that the archive does not hold",
    what="""boardImageFileName is not the name of a member, in capital or in small
        letters, or it is not there at all.""",
    why="""VASL shows no board. Hexsight takes another picture of the archive, which
        may be the wrong one.""",
    example="""boardImageFileName="bd45.gif", and the archive holds
        bd45.png.""",
    how_to_mend="""Write the name of the picture as it is in the archive.""",
)
def picture_missing(subject: Subject) -> Iterator[Problem]:
    archive = subject.archive
    assert archive is not None
    named = archive.image_named
    if archive.legacy or named in archive.members:
        return
    if named and other_case([named], archive.members) is not None:
        return  # vasl/picture-wrong-case
    what = f"names the picture {named}, which is not there" if named else "names no picture"
    yield Problem(
        f"The metadata of {archive.file_name} {what}; {archive.image_used} was taken. Write the "
        "name as it is in the archive.",
        settle=f'boardImageFileName="{archive.image_used}"',
    )
