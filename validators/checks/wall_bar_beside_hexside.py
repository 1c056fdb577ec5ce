"""Check wall/bar-beside-hexside."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hexsight.validators.bars import bar_mask, hexside_distance, strokes
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.places import hex_at, hexside_near
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

NOWHERE = 0.25  # in row spacings: half way from a hexside to the centre


@check(
    id="wall/bar-beside-hexside",
    severity=Severity.WARN,
    needs=("board",),
    title="A black bar in a building lies beside the hexsides",
    what="""A piece of a black bar runs across the inside of a hex, further from
        every hexside than a bar is thick.""",
    why="""By the rules a bar is a hexside (O5.3). One that lies beside it blocks
        lines that players find clear and lets pass others; and it may not be a bar at
        all, but a dark roof line or a shadow.""",
    example="""Near K15-K16 a bar of 31 px lies 9 px beside the hexside.""",
    how_to_mend="""If it belongs to the hexside named, write its bar there; if it
        is none, wipe it by filling the hex with its building.""",
    options={
        "beside": "smallest distance from a hexside, in row spacings",
        "length": "shortest stroke that counts, in row spacings",
    },
)
def bar_beside_hexside(
    subject: Subject, *, beside: float = 0.13, length: float = 0.2
) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    mask = bar_mask(board)
    rows, cols = np.nonzero(mask)
    if not rows.size:
        return
    far = hexside_distance(board, cols.astype(np.float64), rows.astype(np.float64))
    off = np.zeros_like(mask)
    off[rows[far > beside], cols[far > beside]] = True
    dy = board.layout.dy
    for stroke in strokes(board, off):
        if stroke.length_px < length * dy:
            continue
        side = hexside_near(board, stroke.x_px, stroke.y_px)
        name = hex_at(board, stroke.x_px, stroke.y_px)
        away = hexside_distance(board, np.array([stroke.x_px]), np.array([stroke.y_px]))[0]
        if away > NOWHERE:
            # Too far to be meant for any hexside: most likely part of the roof.
            side, mend = "", "Fill the hex with its building, or write the bar on its hexside"
            settle = f"hexes: {{{name}: {{building: stone}}}}" if name else ""
        else:
            mend = "Write the bar on its hexside, or fill the hex with its building"
            settle = f"hexsides: {{{side}: {{bar: full}}}}" if side else ""
        yield Problem(
            f"A black bar of {stroke.length_px:.0f} px in {name or 'no hex'} lies "
            f"{away * dy:.0f} px beside {side or 'every hexside'}. {mend}.",
            hex="" if side else name,
            hexside=side,
            pixel=(stroke.x_px, stroke.y_px),
            confidence=0.7,
            settle=settle,
        )
