"""Check grid/hexes-off-picture."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="grid/hexes-off-picture",
    severity=Severity.WARN,
    needs=("board",),
    title="Hexes of the board lie beside its picture",
    what="""Hexes that have a name on the board show less than a few percent of
        themselves on the picture.""",
    why="""Nothing can be read there, and what the model says of them is made up.
        Half hexes at the edge are usual; hexes that are not there at all mean that the
        grid, its offset or the number of hexes is wrong.""",
    example="""Of the 340 hexes 17 lie beside the picture, A11 to Q11.""",
    how_to_mend="""Correct the grid or the size of the board in hexes.""",
    options={"share": "smallest share of a hex that must lie on the picture"},
)
def hexes_off_picture(subject: Subject, *, share: float = 0.1) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    off = [h for h in board.hexes if h.on_map < share]
    if off:
        names = ", ".join(h.name for h in off[:6]) + (" …" if len(off) > 6 else "")
        verb = "lies" if len(off) == 1 else "lie"
        width, height = board.size_px
        yield Problem(
            f"Of the {len(board.hexes)} hexes {len(off)} {verb} beside the picture of {width} × "
            f"{height} px ({names}). Correct the grid or the number of hexes.",
            hex=off[0].name,
            pixel=(off[0].x_px, off[0].y_px),
        )
