"""Check numbering/negative-names."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.gridnames import usable_grids
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="numbering/negative-names",
    severity=Severity.WARN,
    needs=("module",),
    title="Hexes on the board have names with a minus",
    what="""The centre of a hex lies on the board and its column or row number is
        below zero.""",
    why="""No map prints such names: the numbering begins too far inside the map.
        In VASSAL's look-up a minus is easily taken for a separator.""",
    example="""The first column of the board is called -105.""",
    how_to_mend="""Add as much to hOff or vOff, or move x0 or y0 by as many
        hexes.""",
    options={"hexes": "smallest number of such hexes; a few at a margin do no harm"},
)
def negative_names(subject: Subject, *, hexes: int = 3) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    for one in usable_grids(module):
        numbering, size = one.grid.numbering, one.counts_in_px
        if numbering is None or size is None:
            continue
        low: list[tuple[int, int]] = []
        least = [0, 0]
        for raw in one.hexes():
            column, row = numbering.named(one.grid, size, *raw)
            number = (column + numbering.h_off, row + numbering.v_off)
            if min(number) < 0:
                low.append(raw)
                least = [min(least[0], number[0]), min(least[1], number[1])]
        if len(low) < hexes:
            continue
        name = numbering.name(one.grid, size, *low[0])
        wanted = [
            f'{key}="{off - value}"'
            for key, off, value in (
                ("hOff", numbering.h_off, least[0]),
                ("vOff", numbering.v_off, least[1]),
            )
            if value < 0
        ]
        yield Problem(
            f"Numbering of {one.where}: {len(low)} hexes on the board count below zero, such as "
            f"{name}. Raise {' and '.join(w.partition('=')[0] for w in wanted)}, or move the grid.",
            board=one.board.name,
            hex=name,
            pixel=one.grid.centre(*low[0]),
            settle=" ".join(wanted),
        )
