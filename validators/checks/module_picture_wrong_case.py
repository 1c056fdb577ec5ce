"""Check module/picture-wrong-case."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.members import other_case, picture_names
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="module/picture-wrong-case",
    severity=Severity.FAIL,
    needs=("module",),
    title="A board names a picture in other capital letters than the module",
    what="""The image attribute of a Board element and a file in images/ differ
        in capital and small letters alone.""",
    why="""Names inside a zip are compared letter by letter, so the board stays
        empty. In the module maker's unpacked folder on Windows or macOS it
        works, so the maker never sees it.""",
    example="""Board Town names images/Town.PNG, and the module holds
        images/town.png.""",
    how_to_mend="""Write the image attribute as the file is called.""",
)
def picture_wrong_case(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    for board in module.boards:
        names = picture_names(board.image)
        if not board.image or set(names) & set(module.members):
            continue
        found = other_case(names, module.members)
        if found is not None:
            bare = found.removeprefix("images/")
            yield Problem(
                f"Board {board.name!r} names the picture {names[0]}, but the module holds {found}: "
                f"capital and small letters differ. Write {bare}.",
                board=board.name,
                settle=f'image="{bare}"',
            )
