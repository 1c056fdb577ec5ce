"""Check terrain/in-doubt."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.model.board import parse_hexside
from hexsight.model.errors import UsageError
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

# Doubts that other checks tell better when they have this to look at.
COVERED = {"building-type": "archive", "grid": "grids"}


@check(
    id="terrain/in-doubt",
    severity=Severity.WARN,
    needs=("board",),
    title="Something on the map could be read in two ways",
    what="""A detector was not sure of what it read, and took the likelier
        reading.""",
    why="""No detector is perfect. Each of these places may be read wrongly, and a
        person sees at a glance what a program cannot.""",
    example="""A bar lies near K15-K16 but fits no hexside well.""",
    how_to_mend="""Look at the place. If the reading is right, leave it; if not,
        copy the line of the finding into hexsight.yaml, most often below overrides.""",
    options={"confidence": "doubts that are surer than this are left out"},
)
def in_doubt(subject: Subject, *, confidence: float = 0.8) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    by_name = {h.name: (h.col, h.row) for h in board.hexes}
    for doubt in board.doubts:
        told = COVERED.get(doubt.kind)
        if doubt.confidence > confidence or (told is not None and subject.has(told)):
            continue
        hexside = doubt.where if doubt.where and doubt.where not in by_name else ""
        if hexside:
            try:
                parse_hexside(hexside, by_name)
            except UsageError:
                hexside = ""
        note = doubt.note.strip().rstrip(".") or f"Doubtful: {doubt.kind}"
        advice = (
            "Look at the place; if it is read wrongly, add the line to hexsight.yaml"
            if doubt.override
            else "Look at the place"
        )
        yield Problem(
            f"{note}. {advice}.",
            hex=doubt.where if doubt.where in by_name else "",
            hexside=hexside,
            pixel=(doubt.x_px, doubt.y_px),
            confidence=doubt.confidence,
            settle=doubt.override,
            severity=Severity.NOTE if not doubt.override else None,
        )
