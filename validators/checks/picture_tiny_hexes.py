"""Check picture/tiny-hexes."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="picture/tiny-hexes",
    severity=Severity.WARN,
    needs=("board",),
    title="The hexes are too small on the picture to read what is in them",
    what="""A hex is fewer pixels high than it takes to tell a black bar from a
        printed line and a stairwell from a speck.""",
    why="""A bar is about an eighth of a hex thick: on small hexes that is one or
        two pixels, as thick as the printed line beneath it. What is read then is
        guesswork.""",
    example="""The hexes of board Overview are 18 px high.""",
    how_to_mend="""Scan or export the map larger: hexes of 60 px and more are
        read well.""",
    options={"height_px": "smallest height of a hex in pixels"},
)
def tiny_hexes(subject: Subject, *, height_px: float = 30.0) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    if board.layout.dy < height_px:
        yield Problem(
            f"The hexes are {board.layout.dy:.1f} px high, too small to read bars and symbols. "
            f"Scan or export the map {60 / board.layout.dy:.1f} times as large."
        )
