"""Check wall/cliff-without-drop."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Board
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.places import hexside_middle
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
    if not cliffs:
        return
    low, high = _levels(board)
    index = {h.name: i for i, h in enumerate(board.hexes)}
    for side in cliffs:
        pair = [index[side.a], index[side.b]]
        bases = {board.hexes[i].base_half for i in pair}
        if len(bases) > 1 or low[pair].min() != high[pair].max():
            continue
        yield Problem(
            f"{side.name} is a cliff, but {side.a} and {side.b} both lie at level "
            f"{bases.pop() / 2:g} all over. Set the level of one of them, or the hexside to none.",
            hexside=side.name,
            pixel=hexside_middle(board, side.name),
            settle=f"hexsides: {{{side.name}: {{terrain: none}}}}",
        )


def _levels(board: Board) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Lowest and highest ground of each hex, (n,) half-levels."""
    n = len(board.hexes)
    low, high = np.full(n, 127, np.int64), np.full(n, -128, np.int64)
    on = board.owner >= 0
    owner, levels = board.owner[on], board.elevation_half[on].astype(np.int64)
    np.minimum.at(low, owner, levels)
    np.maximum.at(high, owner, levels)
    return low, high
