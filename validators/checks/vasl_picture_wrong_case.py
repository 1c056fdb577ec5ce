"""Check vasl/picture-wrong-case."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.members import other_case
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="vasl/picture-wrong-case",
    severity=Severity.FAIL,
    needs=("archive",),
    title="The metadata names the picture in other capital letters than the archive",
    what="""boardImageFileName and the member differ in capital and small letters
        alone.""",
    why="""Names in a zip are compared letter by letter, so VASL finds no
        picture.""",
    example="""boardImageFileName="BD45.gif", and the archive holds bd45.gif.""",
    how_to_mend="""Write the name of the picture as it is in the archive.""",
)
def picture_wrong_case(subject: Subject) -> Iterator[Problem]:
    archive = subject.archive
    assert archive is not None
    found = other_case([archive.image_named], archive.members) if archive.image_named else None
    if not archive.legacy and found is not None:
        yield Problem(
            f"The metadata of {archive.file_name} names the picture {archive.image_named}, but the "
            f"archive holds {found}: capital and small letters differ. Write {found}.",
            settle=f'boardImageFileName="{found}"',
        )
