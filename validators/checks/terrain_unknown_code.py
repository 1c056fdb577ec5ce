"""Check terrain/unknown-code."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.places import hex_at
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="terrain/unknown-code",
    severity=Severity.FAIL,
    needs=("board",),
    title="The terrain raster holds a code that no terrain type has",
    what="""Pixels of terrain.png, or of the LOSData that it was read from, have a
        value that the catalogue of terrain types does not know.""",
    why="""Such pixels count as open ground, so that whatever stands there neither
        blocks nor hinders.""",
    example="""812 pixels around hex K15 have the code 199.""",
    how_to_mend="""Set the terrain of these hexes by hand, or use the catalogue
        that the raster was made with.""",
)
def unknown_code(subject: Subject) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    counts = np.bincount(board.terrain.ravel(), minlength=256)
    for code in np.flatnonzero(counts).tolist():
        if code in board.catalogue:
            continue
        rows, cols = np.nonzero(board.terrain == code)
        x, y = float(np.median(cols)), float(np.median(rows))
        # The median of two patches lies between them: take the pixel nearest to it.
        nearest = int(np.argmin((cols - x) ** 2 + (rows - y) ** 2))
        x, y = float(cols[nearest]), float(rows[nearest])
        name = hex_at(board, x, y)
        yield Problem(
            f"{counts[code]} pixels have the terrain code {code}, which no terrain type has; they "
            "count as open ground. Set the terrain by hand.",
            hex=name,
            pixel=(x, y),
            settle=f"hexes: {{{name}: {{terrain: …}}}}" if name else "",
        )
