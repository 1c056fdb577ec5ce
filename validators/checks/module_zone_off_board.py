"""Check module/zone-off-board."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

_CORNER = re.compile(r"\s*([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})\s*\Z", re.ASCII)


@check(
    id="module/zone-off-board",
    severity=Severity.WARN,
    needs=("module",),
    title="A zone lies wholly beside its board",
    what="""No part of a zone's bounding box lies on the picture of its board.""",
    why="""No piece can ever be in such a zone. It is left over from a larger
        picture, and then other zones and the grid deserve a look too.""",
    example="""The board is 1200 × 866 px and the zone Reserves begins at
        x = 1450.""",
    how_to_mend="""Remove the zone, or draw it again on the present picture.""",
)
def zone_off_board(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    for board in module.boards:
        if board.size_px is None:
            continue
        width, height = board.size_px
        for zone in board.zones:
            found = [m for m in map(_CORNER.match, zone.path.split(";")) if m]
            if len(found) < 3:
                continue  # module/zone-path-broken
            xs, ys = [int(m[1]) for m in found], [int(m[2]) for m in found]
            if max(xs) <= 0 or max(ys) <= 0 or min(xs) >= width or min(ys) >= height:
                yield Problem(
                    f"Zone {zone.name!r} of board {board.name!r} spans x {min(xs)} to {max(xs)}, "
                    f"y {min(ys)} to {max(ys)}, wholly beside the board of {width} × {height} px. "
                    "Remove it or draw it again.",
                    board=board.name,
                    settle=f"path attribute of Zone {zone.name!r}",
                )
