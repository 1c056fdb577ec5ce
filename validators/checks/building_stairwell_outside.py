"""Check building/stairwell-outside."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.places import hex_at
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

# From so many on, and this share of all, one finding tells of them together.
MANY, MANY_SHARE = 5, 0.3


@check(
    id="building/stairwell-outside",
    severity=Severity.WARN,
    needs=("board",),
    title="A stairwell outside every building",
    what="""A white square was read as a stairwell in a hex that has no
        building.""",
    why="""Stairwells join the levels of a building. Either the building was not
        read, or the square is something else.""",
    example="""The stairwell in K15 at (512, 388) lies in no building.""",
    how_to_mend="""Set the building of the hex, or stairwell: false.""",
)
def stairwell_outside(subject: Subject) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    outside = []
    for mark in board.stairwells:
        name = hex_at(board, mark.x_px, mark.y_px)
        if not name or not board.by_name[name].building:
            outside.append((mark, name))
    if len(outside) >= max(MANY, MANY_SHARE * len(board.stairwells)):
        # Not so many slips: stairs and buildings are those of two boards.
        names = ", ".join(name or "no hex" for _, name in outside[:4])
        yield Problem(
            f"{len(outside)} of {len(board.stairwells)} stairwells lie in no building, such as in "
            f"{names}. Look whether the grid or the terrain is that of another board.",
            pixel=(outside[0][0].x_px, outside[0][0].y_px),
        )
        return
    for mark, name in outside:
        yield Problem(
            f"The stairwell in {name or 'no hex'} lies in no building. Set the building of the "
            "hex, or stairwell: false.",
            hex=name,
            pixel=(mark.x_px, mark.y_px),
            confidence=mark.confidence,
            settle=f"hexes: {{{name}: {{stairwell: false}}}}" if name else "",
        )
