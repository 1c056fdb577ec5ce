"""Check vasl/name-differs-from-file."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="vasl/name-differs-from-file",
    severity=Severity.WARN,
    needs=("archive",),
    title="The board's name in the metadata differs from its file",
    what="""VASL's archives are called bd and the name of the board; the name in
        BoardMetadata.xml is another one.""",
    why="""Whoever goes by the file and whoever goes by the metadata mean two
        different boards: saved games, tools and tables made by name do not find each
        other. Most often the metadata was copied from another board, and then more of it
        may be that board's.""",
    example="""The file bd45 says name="54".""",
    how_to_mend="""Correct the name attribute, or rename the file.""",
)
def name_differs_from_file(subject: Subject) -> Iterator[Problem]:
    archive = subject.archive
    assert archive is not None
    if archive.legacy or not archive.file_name.casefold().startswith("bd"):
        return
    stem = archive.file_name[2:].removesuffix(".zip")
    if archive.name.casefold() in (stem.casefold(), archive.file_name.casefold()):
        return
    yield Problem(
        f"The metadata calls the board {archive.name!r}, and its file is {archive.file_name}. "
        f'Write name="{stem}", or rename the file to bd{archive.name}.',
        settle=f'name="{stem}"',
    )
