"""Check building/no-hex-centre."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="building/no-hex-centre",
    severity=Severity.NOTE,
    needs=("board",),
    title="A building covers no centre of a hex",
    what="""A building of noticeable size stands in hexes and covers the centre dot
        of none of them.""",
    why="""Lines of sight run from dot to dot, so that a unit in such a hex looks
        from beside its building. So it may be printed; but it may also be that the grid
        lies beside the print, or that a part of the roof was not read.""",
    example="""The building in W1 covers 9 % of the hex and no centre.""",
    how_to_mend="""Look at the place; if the building reaches the dot, fill the hex
        with it.""",
    options={"share": "smallest size that counts, in hex areas"},
)
def no_hex_centre(subject: Subject, *, share: float = 0.15) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    area = board.layout.dx * board.layout.dy
    slack = 0.04 * board.layout.dy  # a centre dot is printed over the roof
    for building in board.buildings:
        shape = building.polygon
        if shape.area < share * area or not building.hexes:
            continue
        dots = [(board.by_name[n].x_px, board.by_name[n].y_px) for n in building.hexes]
        if any(shape.dwithin(shapely.Point(dot), slack) for dot in dots):
            continue
        point = shape.representative_point()
        name = building.hexes[0]
        yield Problem(
            f"The building in {', '.join(building.hexes[:4])} ({shape.area / area:.2f} hex areas) "
            "covers no centre of a hex. Look whether it does in print.",
            hex=name,
            pixel=(point.x, point.y),
            confidence=0.5,
            settle=f"hexes: {{{name}: {{building: {building.material}}}}}",
        )
