"""Check grid/spacing-off-print."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.measure import attributes_for, gap_of, sure_evidence, where_stated
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="grid/spacing-off-print",
    severity=Severity.WARN,
    needs=("grids",),
    title="The grid drifts off the printed hexes from one edge to the other",
    what="""The spacing of the stated grid differs from the printed one by so much
        that the difference adds up over the map.""",
    why="""The grid fits where its maker looked and not at the far edge, where
        pieces snap beside their hex or even into the next one.""",
    example="""dx is 56.25 and the print has 56.10: over 36 columns the grid
        drifts by 5.4 px.""",
    how_to_mend="""Set the spacing that the finding proposes, with as many
        decimals: dx and dy may have them.""",
    options={"tolerance": "largest drift over the printed hexes, in row spacings"},
)
def spacing_off_print(subject: Subject, *, tolerance: float = 0.05) -> Iterator[Problem]:
    for one, stated, fitted in sure_evidence(subject):
        if stated.sideways != fitted.sideways:
            continue
        gap = gap_of(one, stated, fitted)
        if gap.drift <= tolerance:
            continue
        parts = [
            f"{name} {have:.3f} instead of {want:.3f} drifts {abs(drift):.1f} px"
            for name, have, want, drift in (
                ("column spacing", stated.dx, fitted.dx, gap.drift_px[0]),
                ("row spacing", stated.dy, fitted.dy, gap.drift_px[1]),
            )
            if abs(drift) > tolerance * gap.dy_px
        ]
        settle = attributes_for(one, gap.printed, spacing=True)
        yield Problem(
            f"Board {one.board!r}: {where_stated(one)} has a {' and a '.join(parts)} over the "
            f"printed hexes. Set {settle}.",
            board=one.board,
            pixel=gap.corner_px,
            confidence=one.confidence,
            settle=settle,
        )
