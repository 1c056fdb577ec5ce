"""Check grid/not-regular."""

from __future__ import annotations

import math
from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.gridnames import usable_grids
from hexsight.validators.measure import sure_evidence
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

REGULAR = math.sqrt(3) / 2


@check(
    id="grid/not-regular",
    severity=Severity.WARN,
    needs=("module",),
    title="The hexes of a grid are far from regular",
    what="""The column spacing dx of a HexGrid is not near √3/2 of the height dy,
        and no printed grid was found that is stretched in the same way.""",
    why="""Hexes on maps are regular but for a scan that is stretched by some
        percent. A wrong ratio means that one of the two numbers is that of something
        else, and the grid runs off the print.""",
    example="""dx="64" dy="64": the width of a hex was taken for the distance of
        two columns.""",
    how_to_mend="""Take both numbers from `hexsight grid`.""",
    options={"tolerance": "largest share by which the ratio may differ"},
)
def not_regular(subject: Subject, *, tolerance: float = 0.08) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    printed = {e.board: fitted for e, _, fitted in sure_evidence(subject)}
    for one in usable_grids(module):
        ratio = one.grid.dx / one.grid.dy
        if abs(ratio / REGULAR - 1) <= tolerance:
            continue
        seen = printed.get(one.board.name)
        if seen is not None and abs(seen.dx / seen.dy / ratio - 1) <= tolerance / 2:
            continue  # the map itself is stretched
        yield Problem(
            f"HexGrid of {one.where}: dx={one.grid.dx:.2f} is {ratio:.2f} of dy={one.grid.dy:.2f}, "
            f"and regular hexes have {REGULAR:.2f}. Take both from hexsight grid.",
            board=one.board.name,
            settle=f'dx="{one.grid.dy * REGULAR:.4f}"',
        )
