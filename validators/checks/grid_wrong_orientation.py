"""Check grid/wrong-orientation."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.measure import sure_evidence, where_stated
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="grid/wrong-orientation",
    severity=Severity.FAIL,
    needs=("grids",),
    title="The grid stands on its point where the print lies on its side, or the reverse",
    what="""The printed hexes are pointy-topped and the stated grid is flat-topped,
        or the other way round.""",
    why="""No hex of the grid covers a printed hex: pieces snap between them, and
        every name is wrong.""",
    example="""The picture was turned by 90° and sideways="false" stayed.""",
    how_to_mend="""Set sideways the other way and take the other numbers from
        `hexsight grid`.""",
)
def wrong_orientation(subject: Subject) -> Iterator[Problem]:
    for one, stated, printed in sure_evidence(subject):
        if stated.sideways == printed.sideways:
            continue
        kind = "pointy" if printed.sideways else "flat"
        yield Problem(
            f"Board {one.board!r}: the printed hexes are {kind}-topped and the grid of "
            f"{where_stated(one)} is not. Set sideways the other way and take the numbers from "
            "hexsight grid.",
            board=one.board,
            confidence=one.confidence,
            settle=f'sideways="{str(printed.sideways).lower()}"',
        )
