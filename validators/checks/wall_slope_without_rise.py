"""Check wall/slope-without-rise."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.places import hexside_middle
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="wall/slope-without-rise",
    severity=Severity.WARN,
    needs=("board",),
    title="A slope between two hexes of equal level",
    what="""A hexside is a steep or a gentle slope, and the two hexes that it parts
        have one and the same ground level.""",
    why="""A slope is where the ground rises. Which of the two hexes lies higher
        decides on which side a steep slope hides what stands below it (Musket & Pike
        10.9.3B); between equal levels it hides nothing, and lines over it come out
        clear.""",
    example="""D4-D5 is a Steep Slope, and both hexes are at level 1.""",
    how_to_mend="""Set the level of the higher or lower hex, or the hexside's
        terrain to none.""",
)
def slope_without_rise(subject: Subject) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    for side in board.hexsides:
        slope = board.catalogue[side.terrain]
        a, b = board.by_name[side.a], board.by_name[side.b]
        if slope.kind != "slope" or a.base_half != b.base_half:
            continue
        yield Problem(
            f"{side.name} is a {slope.name}, but {side.a} and {side.b} both lie at level "
            f"{a.base_half / 2:g}. Set the level of one of them, or the hexside to none.",
            hexside=side.name,
            pixel=hexside_middle(board, side.name),
            settle=f"hexsides: {{{side.name}: {{terrain: none}}}}",
        )
