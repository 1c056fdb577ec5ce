"""Check grid/rotated-print."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.measure import gap_of, sure_evidence
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="grid/rotated-print",
    severity=Severity.WARN,
    needs=("grids",),
    title="The printed grid is turned, and VASSAL cannot turn its grid",
    what="""The printed rows of hexes lean by so much that over the map they leave
        the rows of an upright grid.""",
    why="""A scan that lies askew cannot be matched by any dx, dy, x0 and y0: the
        grid fits in the middle and not at the edges.""",
    example="""The print is turned by 0.4°, 8.1 px from edge to edge.""",
    how_to_mend="""Turn the picture upright before you set the grid:
        `hexsight grid PICTURE --straighten PNG` writes it so, and tells its grid.""",
    options={"tolerance": "largest lean from edge to edge, in row spacings"},
)
def rotated_print(subject: Subject, *, tolerance: float = 0.04) -> Iterator[Problem]:
    for one, stated, fitted in sure_evidence(subject):
        if stated.sideways != fitted.sideways:
            continue
        gap = gap_of(one, stated, fitted)
        if gap.lean > tolerance:
            turn = fitted.rot_deg - stated.rot_deg
            yield Problem(
                f"Board {one.board!r}: the printed grid is turned by {turn:.2f}°, "
                f"{gap.lean_px:.1f} px from edge to edge, and VASSAL cannot turn its grid. "
                "Turn the picture upright with hexsight grid PICTURE --straighten PNG.",
                board=one.board,
                pixel=gap.corner_px,
                confidence=one.confidence,
            )
