"""Check level/stray-pixels."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.places import hex_at
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="level/stray-pixels",
    severity=Severity.NOTE,
    needs=("board",),
    title="Specks of another ground level",
    what="""The elevation raster holds patches of a level that are much smaller
        than a hex. They are counted, and the largest is shown.""",
    why="""A line of sight that passes over such a speck is computed as if there
        were a hill or a hole.""",
    example="""14 specks; the largest has 16 px at (1478, 278).""",
    how_to_mend="""Build the board again with a newer version, or clean the raster
        that it was read from.""",
    options={"share": "largest speck, in hex areas"},
)
def stray_pixels(subject: Subject, *, share: float = 0.01) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    levels = board.elevation_half
    limit = share * board.layout.dx * board.layout.dy
    specks: list[tuple[int, float, float]] = []
    found = np.unique(levels)
    if found.size < 2:
        return
    for level in found:
        n, labels, stats, _ = cv2.connectedComponentsWithStats(
            (levels == level).astype(np.uint8), connectivity=8
        )
        for i in range(1, n):
            left, top, w, h, area = (int(v) for v in stats[i])
            if area > limit:
                continue
            rows, cols = np.nonzero(labels[top : top + h, left : left + w] == i)
            specks.append((-area, float(top + rows[0]), float(left + cols[0])))
    if specks:
        area, y, x = min(specks)
        yield Problem(
            f"{len(specks)} speck{'s' if len(specks) > 1 else ''} of another ground level; the "
            f"largest has {-area} px. Build the board again, or clean the raster that it was read "
            "from.",
            hex=hex_at(board, x, y),
            pixel=(x, y),
        )
