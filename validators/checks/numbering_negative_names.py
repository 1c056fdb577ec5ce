"""Check numbering/negative-names."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.gridnames import printed_grids
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="numbering/negative-names",
    severity=Severity.WARN,
    needs=("module", "grids"),
    title="Printed hexes have names with a minus",
    what="""The column or row number of a hex that is printed on the picture is
        below zero. Hexes that VASSAL counts in the margin of a map do not matter.""",
    why="""No map prints such names: the numbering begins too far inside the map.
        In VASSAL's look-up a minus is easily taken for a separator.""",
    example="""The first printed column of the board is called -1.""",
    how_to_mend="""Set the offsets that the finding proposes, or move x0 or y0 by
        as many hexes.""",
)
def negative_names(subject: Subject) -> Iterator[Problem]:
    for one, raws, confidence in printed_grids(subject):
        numbering, size = one.grid.numbering, one.counts_in_px
        if numbering is None or size is None:
            continue
        numbers = {}
        for raw in raws:
            column, row = numbering.named(one.grid, size, *raw)
            numbers[raw] = (column + numbering.h_off, row + numbering.v_off)
        low = sorted(raw for raw, number in numbers.items() if min(number) < 0)
        if not low:
            continue
        least = [min(number[axis] for number in numbers.values()) for axis in (0, 1)]
        wanted = [
            f'{key}="{offset - value}"'
            for key, offset, value in (
                ("hOff", numbering.h_off, least[0]),
                ("vOff", numbering.v_off, least[1]),
            )
            if value < 0
        ]
        name = numbering.name(one.grid, size, *low[0])
        yield Problem(
            f"Numbering of {one.where}: {len(low)} printed hexes count below zero, such as "
            f"{name}. Set {' and '.join(wanted)}, or move the grid.",
            board=one.board.name,
            hex=name,
            pixel=one.grid.centre(*low[0]),
            confidence=confidence,
            settle=" ".join(wanted),
        )
