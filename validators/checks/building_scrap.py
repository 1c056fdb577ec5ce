"""Check building/scrap."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from hexsight.model.board import Building
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

TOUCH = 0.025  # of the row spacing: pixels that touch in a corner, or a printed line


@check(
    id="building/scrap",
    severity=Severity.WARN,
    needs=("board",),
    title="A scrap of another material in the wall of a building",
    what="""A patch much smaller than a hex was taken for a building of its own,
        though it touches a larger one of another material.""",
    why="""Sheds stand apart from houses. A patch of wood in a stone roof is
        nearly always a shadow, a chimney or a spot of colour; as a building it has its
        own kind and height, and the larger one has a hole there.""",
    example="""A wooden scrap of 0.02 hex areas touches the stone Factory in U9.""",
    how_to_mend="""Set the material of the building in that hex, or clean the data
        that the board was read from.""",
    options={"share": "largest size of a scrap, in hex areas"},
)
def scrap(subject: Subject, *, share: float = 0.06) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    shapes = [b.polygon for b in board.buildings]
    small = share * board.layout.dx * board.layout.dy
    if len(shapes) < 2:
        return
    reach = TOUCH * board.layout.dy
    first, second = shapely.STRtree(shapes).query(shapes, predicate="dwithin", distance=reach)
    for i, j in sorted(zip(first.tolist(), second.tolist(), strict=True)):
        one, other = board.buildings[i], board.buildings[j]
        if one.material == other.material or not one.hexes or not other.hexes:
            continue
        if shapes[i].area > small or shapes[j].area <= 4 * small:
            continue
        point = shapes[i].representative_point()
        name = one.hexes[0]
        yield Problem(
            f"A {_made_of(one)} scrap in {name} ({shapes[i].area / small * share:.2f} hex areas) "
            f"touches the {_made_of(other)} {other.kind} in {other.hexes[0]}. Set the material of "
            "the building there.",
            hex=name,
            pixel=(point.x, point.y),
            confidence=0.8,
            settle=f"hexes: {{{name}: {{building: {other.material}}}}}",
        )


def _made_of(building: Building) -> str:
    return "wooden" if building.material == "wood" else building.material
