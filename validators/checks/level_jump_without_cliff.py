"""Check level/jump-without-cliff."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.places import hexside_middle, is_sunken
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="level/jump-without-cliff",
    severity=Severity.WARN,
    needs=("board",),
    title="The ground jumps by several levels without a cliff",
    what="""The ground levels of two neighbouring hexes differ by three levels or
        more, their hexside is no cliff, and neither lies in a gully or in water.""",
    why="""So steep a slope is printed as a cliff (B11). Without one a crest line is
        missing between the two, or the level of one hex was read wrongly.""",
    example="""K15 lies at level 0 and K16 at level 3.""",
    how_to_mend="""Set the level that is wrong, or the hexside to Cliff.""",
    options={"levels": "smallest difference that counts, in levels"},
)
def jump_without_cliff(subject: Subject, *, levels: float = 3.0) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    for side in board.hexsides:
        a, b = board.by_name[side.a], board.by_name[side.b]
        jump = abs(a.base_half - b.base_half) / 2
        if jump < levels or board.catalogue[side.terrain].kind == "cliff":
            continue
        if is_sunken(board, a) or is_sunken(board, b):
            continue
        yield Problem(
            f"{a.name} lies at level {a.base_half / 2:g} and {b.name} at level "
            f"{b.base_half / 2:g}, without a cliff between them. Set the level that is wrong, or "
            "the cliff.",
            hexside=side.name,
            pixel=hexside_middle(board, side.name),
            settle=f"hexsides: {{{side.name}: {{terrain: Cliff}}}}",
        )
