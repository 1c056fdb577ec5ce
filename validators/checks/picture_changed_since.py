"""Check picture/changed-since."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="picture/changed-since",
    severity=Severity.FAIL,
    needs=("board", "picture"),
    title="The picture has changed since the board was built from it",
    what="""The digest of the picture differs from the one that the board model
        noted when it was built.""",
    why="""The model, and every table made from it, tells what the old picture
        showed.""",
    example="""images/town.png was replaced by its second printing.""",
    how_to_mend="""Build the board again; corrections in hexsight.yaml stay.""",
)
def changed_since(subject: Subject) -> Iterator[Problem]:
    board, picture = subject.board, subject.picture
    assert board is not None
    assert picture is not None
    before = board.provenance.picture_sha256
    if before and picture.sha256 and before != picture.sha256:
        yield Problem(
            f"{picture.where} is not the picture that board {board.name!r} was built from. Build "
            "the board again; corrections stay.",
            settle="hexsight build",
        )
