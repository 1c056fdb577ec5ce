"""Check building/split."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from hexsight.model.board import Building
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.places import hex_at
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="building/split",
    severity=Severity.NOTE,
    needs=("board",),
    title="Two buildings lie so close that they may be one",
    what="""Two buildings of the same material and kind are separated by hardly
        more than a printed line, and stand in different hexes or are Factories.""",
    why="""A gap of one or two pixels is easily a hex line or a letter over the
        roof. As two buildings they have two heights, and there is open ground between
        them through which a line of sight slips.""",
    example="""The buildings in K15 and K16 are 1.4 px apart.""",
    how_to_mend="""Look at the place. If it is one building, fill the hex with the
        line of the finding.""",
    options={"gap": "largest gap in row spacings"},
)
def split(subject: Subject, *, gap: float = 0.025) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    buildings = board.buildings
    shapes = [b.polygon for b in buildings]
    if len(shapes) < 2:
        return
    reach = gap * board.layout.dy
    first, second = shapely.STRtree(shapes).query(shapes, predicate="dwithin", distance=reach)
    pairs = sorted({(int(i), int(j)) for i, j in zip(first, second, strict=True) if i < j})
    for i, j in pairs:
        one, other = buildings[i], buildings[j]
        if not _alike(one, other):
            continue
        line = shapely.shortest_line(shapes[i], shapes[j])
        x, y = shapely.get_coordinates(line).mean(axis=0)
        name = hex_at(board, float(x), float(y))
        yield Problem(
            f"The buildings in {one.hexes[0]} and {other.hexes[0]} are "
            f"{shapely.length(line):.1f} px apart here. If they are one, fill the gap.",
            hex=name,
            pixel=(float(x), float(y)),
            confidence=0.5,
            settle=f"hexes: {{{name}: {{building: {one.material}}}}}" if name else "",
        )


def _alike(one: Building, other: Building) -> bool:
    if not one.hexes or not other.hexes:
        return False
    if (one.material, one.kind) != (other.material, other.kind):
        return False
    # Within one hex it hardly matters whether a house is one or two, but in a Factory it does.
    return one.kind == "factory" or one.hexes[0] != other.hexes[0]
