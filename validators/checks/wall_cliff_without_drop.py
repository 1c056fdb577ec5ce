"""Check wall/cliff-without-drop."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.places import hexside_middle, pixels_of
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="wall/cliff-without-drop",
    severity=Severity.WARN,
    needs=("board",),
    title="A cliff between two hexes that are level all over",
    what="""A hexside is a cliff, and both its hexes have one and the same ground
        level in every pixel.""",
    why="""A cliff is where the ground drops. Either the level beside it was not
        read, and lines over it come out wrong, or a dark line was taken for a cliff.""",
    example="""F39-G39 is a cliff, and both hexes are at level 0.""",
    how_to_mend="""Set the level of the higher or lower hex, or the hexside's
        terrain to none.""",
)
def cliff_without_drop(subject: Subject) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    cliffs = [s for s in board.hexsides if board.catalogue[s.terrain].kind == "cliff"]
    for side in cliffs:
        pair = (board.by_name[side.a], board.by_name[side.b])
        bases = {facts.base_half for facts in pair}
        levels = [
            pixels_of(board.elevation_half, board.layout, (facts.col, facts.row)) for facts in pair
        ]
        if len(bases) > 1 or np.unique(np.concatenate(levels)).size > 1:
            continue
        yield Problem(
            f"{side.name} is a cliff, but {side.a} and {side.b} both lie at level "
            f"{bases.pop() / 2:g} all over. Set the level of one of them, or the hexside to none.",
            hexside=side.name,
            pixel=hexside_middle(board, side.name),
            settle=f"hexsides: {{{side.name}: {{terrain: none}}}}",
        )
