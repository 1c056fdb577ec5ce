"""Check level/centre-on-crest."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

RADIUS = 1 / 20  # of the row spacing: the spot from which the model takes the level


@check(
    id="level/centre-on-crest",
    severity=Severity.NOTE,
    needs=("board",),
    title="The centre of a hex lies where two levels meet",
    what="""The spot around the centre dot, from which the level of a hex is read,
        holds two levels in nearly equal parts.""",
    why="""One pixel decides then on which level the hex lies, and so on what every
        unit in it sees.""",
    example="""The dot of BB2 lies on the edge of level 1.""",
    how_to_mend="""Set the level that the print means.""",
    options={"share": "smallest share of the second level in that spot"},
)
def centre_on_crest(subject: Subject, *, share: float = 0.3) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    levels = board.elevation_half
    if levels.size and levels.min() == levels.max():
        return
    r = max(1, round(RADIUS * board.layout.dy))
    height, width = levels.shape
    for facts in board.hexes:
        x, y = round(facts.x_px), round(facts.y_px)
        if not (0 <= x < width and 0 <= y < height):
            continue
        patch = levels[max(0, y - r) : y + r + 1, max(0, x - r) : x + r + 1]
        if patch.min() == patch.max():
            continue
        found, counts = np.unique(patch, return_counts=True)
        order = np.argsort(-counts, kind="stable")
        if counts[order[1]] < share * patch.size:
            continue
        one, other = (int(v) for v in found[order[:2]])
        rest = other if facts.base_half == one else one
        yield Problem(
            f"The centre of {facts.name} lies between level {one / 2:g} and level {other / 2:g}; "
            f"{facts.base_half / 2:g} was taken. Set the level that the print means.",
            hex=facts.name,
            pixel=(facts.x_px, facts.y_px),
            confidence=0.5,
            settle=f"hexes: {{{facts.name}: {{level: {rest / 2:g}}}}}",
        )
