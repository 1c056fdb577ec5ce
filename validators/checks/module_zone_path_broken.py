"""Check module/zone-path-broken."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

_CORNER = re.compile(r"\s*[+-]?\d{1,9}\s*,\s*[+-]?\d{1,9}\s*\Z", re.ASCII)


@check(
    id="module/zone-path-broken",
    severity=Severity.FAIL,
    needs=("module",),
    title="The outline of a zone cannot be read",
    what="""The path of a Zone is not a list of corners x,y;x,y;… in whole
        numbers, or has fewer than three corners, or encloses nothing.""",
    why="""VASSAL stops reading at the first bad corner: the zone is smaller than
        it should be or not there at all, and the grid and the names inside it with it.""",
    example="""path="10,10;200,10;200" of the zone Holding Box.""",
    how_to_mend="""Draw the zone again in VASSAL's editor, or write the corner.""",
)
def zone_path_broken(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    for board in module.boards:
        for zone in board.zones:
            parts = zone.path.split(";") if zone.path.strip() else []
            bad = next((p for p in parts if not _CORNER.match(p)), None)
            corners = {tuple(int(v) for v in p.split(",")) for p in parts if _CORNER.match(p)}
            if bad is not None:
                reason = f"has the bad corner {bad.strip()[:30]!r}"
            elif len(corners) < 3:
                reason = f"has {len(corners)} different corners, and a zone needs three"
            elif len({x for x, _ in corners}) == 1 or len({y for _, y in corners}) == 1:
                reason = "encloses nothing"
            else:
                continue
            yield Problem(
                f"Zone {zone.name!r} of board {board.name!r}: its path {reason}. Draw it again in "
                "VASSAL's editor.",
                board=board.name,
                settle=f"path attribute of Zone {zone.name!r}",
            )
