"""Check wall/outside-building."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.bars import bar_mask, strokes
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.places import hex_at, hexside_near
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="wall/outside-building",
    severity=Severity.WARN,
    needs=("board",),
    title="A black bar lies outside every building",
    what="""Pixels that were read as a black bar have hardly any building around
        them.""",
    why="""Rowhouse bars and Interior Factory Walls stand between the rooms of a
        building and nowhere else (B23.71, O5.3). A bar in the open is something else:
        a railroad, a ditch, a letter. As it is it blocks line of sight.""",
    example="""Near F39 a black stroke of 48 px lies in Open Ground.""",
    how_to_mend="""Set what is there as terrain of the hex, or wipe the bar with
        the line of the finding.""",
    options={"share": "smallest share of building around a bar"},
)
def outside_building(subject: Subject, *, share: float = 0.15) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    for stroke in strokes(board, bar_mask(board)):
        if stroke.beside_building >= share:
            continue
        side = hexside_near(board, stroke.x_px, stroke.y_px)
        name = hex_at(board, stroke.x_px, stroke.y_px)
        yield Problem(
            f"A black bar of {stroke.length_px:.0f} px near {side or name or 'the edge'} lies "
            "outside every building. Wipe it, or set what is really there.",
            hex="" if side else name,
            hexside=side,
            pixel=(stroke.x_px, stroke.y_px),
            settle=f"hexsides: {{{side}: {{bar: none}}}}" if side else "",
        )
