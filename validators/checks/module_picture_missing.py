"""Check module/picture-missing."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.members import nearest, other_case, picture_names
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="module/picture-missing",
    severity=Severity.FAIL,
    needs=("module",),
    title="A board names a picture that the module does not hold",
    what="""The image attribute of a Board element names a file that is not in
        the folder images/ of the module, in capital or in small letters.""",
    why="""VASSAL opens such a board as an empty area, with a dialog for every
        player. It happens when a picture was renamed by hand in the zip.""",
    example="""Board Town names images/Town.png, and the module holds only
        images/Town-v2.png.""",
    how_to_mend="""Add the picture to images/, or set the board's picture again
        in VASSAL's editor.""",
)
def picture_missing(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    for board in module.boards:
        names = picture_names(board.image)
        if not board.image or set(names) & set(module.members):
            continue
        if other_case(names, module.members) is not None:
            continue  # module/picture-wrong-case
        yield Problem(
            f"Board {board.name!r} names the picture {names[0]}, which is not in the module."
            f"{nearest(names[0], module.members)} Add it, or set the board's picture again.",
            board=board.name,
            settle=f"image attribute of Board {board.name!r}",
        )
