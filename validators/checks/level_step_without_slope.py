"""Check level/step-without-slope."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.places import hexside_middle, is_sunken
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

# What parts two levels by itself, and needs no slope beside it.
STEPS = frozenset({"slope", "cliff"})


@check(
    id="level/step-without-slope",
    severity=Severity.WARN,
    needs=("board",),
    title="A level difference without a slope, on a map that marks slopes",
    what="""The board has hexsides marked as slopes, and the ground levels of two
        other neighbouring hexes differ though their hexside is neither a slope nor a
        cliff, and neither hex lies in a gully or in water. Boards without any slope are
        not looked at: most rules need none.""",
    why="""Where the rules tell steep from gentle slopes, every rise is one or the
        other: a higher hex blocks lines over it only where it is bounded by steep slopes
        (Musket & Pike 10.9.2). An unmarked rise counts as gentle, so that a forgotten
        steep slope blocks nothing.""",
    example="""F5-G5 is a Steep Slope; F5 lies at level 1 and F6 at level 0, with nothing
        between them.""",
    how_to_mend="""Mark the hexside as Steep Slope or Gentle Slope, or set the level
        that is wrong.""",
)
def step_without_slope(subject: Subject) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    if not any(board.catalogue[s.terrain].kind == "slope" for s in board.hexsides):
        return
    for side in board.hexsides:
        a, b = board.by_name[side.a], board.by_name[side.b]
        if a.base_half == b.base_half or board.catalogue[side.terrain].kind in STEPS:
            continue
        if is_sunken(board, a) or is_sunken(board, b):
            continue
        yield Problem(
            f"{a.name} lies at level {a.base_half / 2:g} and {b.name} at level "
            f"{b.base_half / 2:g}, without a slope between them, and the board marks slopes. "
            "Mark it as Steep Slope or Gentle Slope, or set the level that is wrong.",
            hexside=side.name,
            pixel=hexside_middle(board, side.name),
            settle=f"hexsides: {{{side.name}: {{terrain: Gentle Slope}}}}",
        )
