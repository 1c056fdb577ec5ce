"""Check grid/offset-off-print."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.measure import LOST, attributes_for, gap_of, sure_evidence, where_stated
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="grid/offset-off-print",
    severity=Severity.WARN,
    needs=("grids",),
    title="The grid lies beside the printed hexes",
    what="""In the middle of the map the centres of the stated grid lie beside the
        printed ones, though not by half a hex.""",
    why="""Pieces snap beside the middle of their hex, and a line of sight along a
        hexside that is drawn from there passes the wrong side of walls and vertices.""",
    example="""The grid of board Inland lies 13.0 px beside the print (12.4 px
        right, 3.9 px down), 0.15 of a hex.""",
    how_to_mend="""Set the attributes that the finding proposes.""",
    options={"tolerance": "largest distance in row spacings (heights of a hex)"},
)
def offset_off_print(subject: Subject, *, tolerance: float = 0.04) -> Iterator[Problem]:
    for one, stated, fitted in sure_evidence(subject):
        if stated.sideways != fitted.sideways:
            continue
        gap = gap_of(one, stated, fitted)
        if gap.offset <= tolerance or gap.half_hex or gap.drift > LOST:
            continue
        dx, dy = gap.offset_px
        across = f"{abs(dx):.1f} px {'right' if dx > 0 else 'left'}"
        down = f"{abs(dy):.1f} px {'down' if dy > 0 else 'up'}"
        settle = attributes_for(one, gap.printed, spacing=gap.drift > tolerance)
        yield Problem(
            f"Board {one.board!r}: the grid of {where_stated(one)} lies {across}, {down} of the "
            f"printed hexes, {gap.offset:.2f} of a hex. Set {settle}.",
            board=one.board,
            pixel=gap.middle_px,
            confidence=one.confidence,
            settle=settle,
        )
