"""Check terrain/source-changed-since."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="terrain/source-changed-since",
    severity=Severity.WARN,
    needs=("board", "inputs"),
    title="What the board was read from has changed since",
    what="""A file that the board was made from (build file, metadata, LOSData) now
        holds something else than it did then; the picture has a check of its own.""",
    why="""Names, grid and building types come from there. The board and its table
        are those of the older file.""",
    example="""buildFile.xml of kassala.vmod has changed since board Kassala was read
        from it.""",
    how_to_mend="""Build the board again.""",
)
def source_changed_since(subject: Subject) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    known = board.provenance.inputs_sha256
    for name, digest in sorted((subject.inputs or {}).items()):
        if name in known and known[name] != digest and digest != _picture(subject):
            yield Problem(
                f"{name} of {board.provenance.source} has changed since board {board.name!r} was "
                "read from it. Build the board again.",
            )


def _picture(subject: Subject) -> str:
    """The picture's digest: picture/changed-since tells of it."""
    return subject.picture.sha256 if subject.picture is not None else ""
