"""Check numbering/hex-twice."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.model.board import HexFacts
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="numbering/hex-twice",
    severity=Severity.FAIL,
    needs=("board",),
    title="Two hexes of a board model have the same name, or one has none",
    what="""A board model holds two hexes of one name, or a hex without a name.""",
    why="""Everything that a person says of a hex is said by its name: of two with
        one name the second can be neither corrected nor asked for.""",
    example="""The hexes at (120, 340) and (900, 340) are both called A4.""",
    how_to_mend="""Correct the numbering in the module or the metadata, and build
        the board again.""",
)
def hex_twice(subject: Subject) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    first: dict[str, HexFacts] = {}
    for facts in board.hexes:
        if not facts.name.strip():
            yield Problem(
                f"The hex in column {facts.col}, row {facts.row} has no name. Correct the "
                "numbering and build the board again.",
                pixel=(facts.x_px, facts.y_px),
            )
            continue
        other = first.setdefault(facts.name, facts)
        if other is not facts:
            yield Problem(
                f"{facts.name} is the name of the hexes at ({other.x_px:.0f}, {other.y_px:.0f}) "
                f"and ({facts.x_px:.0f}, {facts.y_px:.0f}). Correct the numbering and build the "
                "board again.",
                hex=facts.name,
                pixel=(facts.x_px, facts.y_px),
            )
