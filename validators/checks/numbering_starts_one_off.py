"""Check numbering/starts-one-off."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.gridnames import printed_grids
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

# Maps begin with 0 or 1, and those that continue another map with some larger number.
# With 2 none begins but by mistake.
ONE_OFF = 2


@check(
    id="numbering/starts-one-off",
    severity=Severity.WARN,
    needs=("module", "grids"),
    title="The numbering begins one beside the first printed row or column",
    what="""The first row or column of hexes that is printed on the picture is
        numbered 2 (or B), and not 0 or 1.""",
    why="""When the grid is set in the editor by eye, its origin easily comes to
        lie in the second hex. All names are then one off, and every rule that names
        a hex means another one.""",
    example="""The first printed column of board Town is called 02.""",
    how_to_mend="""Compare the name of one hex with the print, and set the offset
        that the finding proposes.""",
)
def starts_one_off(subject: Subject) -> Iterator[Problem]:
    for one, raws, confidence in printed_grids(subject):
        numbering, size = one.grid.numbering, one.counts_in_px
        if numbering is None or size is None:
            continue
        numbers = {raw: numbering.named(one.grid, size, *raw) for raw in raws}
        for axis, word, key, offset, kind in (
            (0, "column", "hOff", numbering.h_off, numbering.h_type),
            (1, "row", "vOff", numbering.v_off, numbering.v_type),
        ):
            # A stands for 0, so that letters begin one lower than figures.
            first = 1 - (kind == "A")
            least = min(n[axis] for n in numbers.values()) + offset
            if least + 1 - first != ONE_OFF:
                continue
            raw = min(r for r, n in numbers.items() if n[axis] + offset == least)
            name = numbering.name(one.grid, size, *raw)
            settle = f'{key}="{offset + first - least}"'
            yield Problem(
                f"Numbering of {one.where}: the first printed {word} of hexes is the second by "
                f"number, as in {name}. If the print says otherwise, set {settle}.",
                board=one.board.name,
                hex=name,
                pixel=one.grid.centre(*raw),
                confidence=0.6 * confidence,
                settle=settle,
            )
