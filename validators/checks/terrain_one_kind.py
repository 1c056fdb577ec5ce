"""Check terrain/one-kind."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="terrain/one-kind",
    severity=Severity.WARN,
    needs=("board",),
    title="Nearly the whole board is one kind of terrain",
    what="""Nearly all pixels of the terrain raster have the same code.""",
    why="""A map shows more than that. Most likely the legend does not fit the
        colours of the picture, and everything was taken for the ground.""",
    example="""99.9 % of board Town is Open Ground.""",
    how_to_mend="""Choose another legend, or write one for this picture. A board that
        is bare on purpose needs nothing.""",
    options={"share": "largest share of the board that one kind may cover"},
)
def one_kind(subject: Subject, *, share: float = 0.995) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    # Not the whole picture: margins beside the hexes are of one colour anyhow.
    xs, ys = [h.x_px for h in board.hexes], [h.y_px for h in board.hexes]
    if not xs:
        return
    on_hexes = board.terrain[
        max(0, round(min(ys))) : round(max(ys)) + 1, max(0, round(min(xs))) : round(max(xs)) + 1
    ]
    if not on_hexes.size:
        return
    counts = np.bincount(on_hexes.ravel(), minlength=256)
    most = int(counts.argmax())
    part = counts[most] / on_hexes.size
    if part > share:
        shown = f"{100 * part:.1f} %" if part < 0.9995 else "All"
        yield Problem(
            f"{shown} of the board is {board.catalogue[most].name}: does the legend fit the "
            "picture? Choose another one, or leave it if the board is bare.",
            settle="legend: …",
        )
