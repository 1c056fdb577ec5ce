"""Check grid/half-hex-off."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.measure import attributes_for, gap_of, sure_evidence, where_stated
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="grid/half-hex-off",
    severity=Severity.FAIL,
    needs=("grids",),
    title="The grid lies half a hex beside the printed hexes",
    what="""The spacing of the stated grid is that of the print, but its centres
        lie on the printed hexsides. In a VASL archive the centre of A1 is then wrong
        by half a hex.""",
    why="""Whether odd columns stand higher or lower, and from which edge the
        offset counts, is easily mistaken. Every piece then stands across a hexside and
        every second name is wrong.""",
    example="""The board begins with half hexes in column A, and A1CenterY is
        that of boards which begin with full ones.""",
    how_to_mend="""Set the attributes that the finding proposes, and look at one
        name in the middle of the map: of the two ways by half a hex the shorter is
        proposed.""",
)
def half_hex_off(subject: Subject) -> Iterator[Problem]:
    for one, stated, fitted in sure_evidence(subject):
        if stated.sideways != fitted.sideways:
            continue
        gap = gap_of(one, stated, fitted)
        if not gap.half_hex:
            continue
        settle = attributes_for(one, gap.printed, spacing=False)
        yield Problem(
            f"Board {one.board!r}: the grid of {where_stated(one)} lies half a hex beside the "
            f"printed one ({gap.offset_px[0]:.0f} px across, {gap.offset_px[1]:.0f} px down). Set "
            f"{settle} and compare one name with the print.",
            board=one.board,
            pixel=gap.middle_px,
            confidence=one.confidence,
            settle=settle,
        )
