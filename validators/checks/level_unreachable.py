"""Check level/unreachable."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.model.locations import locations_of
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

SEVERAL = 2  # hexes


@check(
    id="level/unreachable",
    severity=Severity.NOTE,
    needs=("board",),
    title="No stairs lead to the upper levels of a building",
    what="""A building has upper levels and no hex whose stairs join them: no
        stairwell was read and none is stored. Of boards that come from LOSData only
        buildings of several hexes count, since tanks and towers are stored as
        buildings too.""",
    why="""Units change levels only where stairs are (B23.2). Either a stairwell was
        not read, or the building is lower than it is taken for, and then every line
        over it is judged wrongly.""",
    example="""The building in K15, K16 has upper levels and no stairwell.""",
    how_to_mend="""Set stairwell: true in the hex that has it, or the height that the
        building really has.""",
)
def unreachable(subject: Subject) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    stored = board.provenance.terrain_from != "picture"
    high = {board.hexes[loc.hex].building for loc in locations_of(board) if loc.kind == "level"}
    for building in board.buildings:
        if building.id not in high or (stored and len(building.hexes) < SEVERAL):
            continue
        here = [board.by_name[name] for name in building.hexes]
        if any(board.joins_levels(facts) for facts in here):
            continue
        first = here[0]
        yield Problem(
            f"The building in {', '.join(building.hexes[:4])}{' …' if len(here) > 4 else ''} has "
            "upper levels and no stairwell. Set stairwell: true where it is, or the height.",
            hex=first.name,
            pixel=(first.x_px, first.y_px),
            confidence=building.confidence,
            settle=f"hexes: {{{first.name}: {{stairwell: true}}}}",
        )
