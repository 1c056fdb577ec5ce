"""Check building/stairwell-too-low."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.places import hex_at
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

STAIRWELL_HALF = 5  # a printed stairwell tells of two levels above the ground (B23.23, O.4B)


@check(
    id="building/stairwell-too-low",
    severity=Severity.WARN,
    needs=("board",),
    title="A printed stairwell in a building that is too low for one",
    what="""A white square was read in the picture, in a building that by its
        type or by a correction is less than 2½ levels high.""",
    why="""A printed stairwell is what makes a Factory or a house 2½ levels high
        instead of 1½ (O.4B, B23.23). Either the square is none or the height is
        wrong, and with it every line over that roof.""",
    example="""K15 has a stairwell, and its building is 1½ levels high.""",
    how_to_mend="""Set the height, or stairwell: false.""",
)
def stairwell_too_low(subject: Subject) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    if board.provenance.terrain_from != "picture":
        return  # LOSData flags stairs of every kind, those of 1½-level houses too
    for mark in board.stairwells:
        facts = board.by_name.get(hex_at(board, mark.x_px, mark.y_px))
        building = None if facts is None else board.building_by_id.get(facts.building)
        if facts is None or building is None or building.height_half >= STAIRWELL_HALF:
            continue
        yield Problem(
            f"{facts.name} has a stairwell, but its building is only "
            f"{building.height_half / 2:g} levels high. Set height: 2.5, or stairwell: false.",
            hex=facts.name,
            pixel=(mark.x_px, mark.y_px),
            confidence=mark.confidence,
            settle=f"hexes: {{{facts.name}: {{height: 2.5}}}}",
        )
