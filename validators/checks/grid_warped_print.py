"""Check grid/warped-print."""

from __future__ import annotations

import math
from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.measure import sure_evidence
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

SIDES = 6  # a part with fewer hexsides in sight tells nothing


@check(
    id="grid/warped-print",
    severity=Severity.WARN,
    needs=("grids",),
    title="No regular grid fits the print everywhere",
    what="""In some part of the map the printed hexes lie beside the regular grid that
        fits the whole print best: the paper was creased or the scan is stretched.""",
    why="""VASSAL's grid is regular. Whatever dx, dy, x0 and y0 are set, pieces snap
        beside their hexes in that part.""",
    example="""Around (2310, 410) the print lies 8.2 px beside the grid that fits best
        over all.""",
    how_to_mend="""Scan the map flat, or pull that part straight in an image editor
        (`hexsight grid --straighten` turns and shears the whole picture only); or give
        that part of the map a zone with a grid of its own.""",
    options={"tolerance": "largest shift of a part, in row spacings"},
)
def warped_print(subject: Subject, *, tolerance: float = 0.06) -> Iterator[Problem]:
    for one, _, fitted in sure_evidence(subject):
        parts = [p for p in one.parts if p.sides >= SIDES]
        if not parts:
            continue
        worst = max(parts, key=lambda p: math.hypot(*p.shift_px))
        shift = math.hypot(*worst.shift_px)
        if shift <= tolerance * fitted.dy:
            continue
        x, y = worst.middle_px
        yield Problem(
            f"Board {one.board!r}: around ({x:.0f}, {y:.0f}) the print lies {shift:.1f} px beside "
            "the grid that fits best over all. Scan the map flat, or give that part a zone with a "
            "grid of its own.",
            board=one.board,
            pixel=worst.middle_px,
            confidence=one.confidence,
        )
