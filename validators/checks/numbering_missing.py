"""Check numbering/missing."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.gridnames import grid_where
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="numbering/missing",
    severity=Severity.WARN,
    needs=("module",),
    title="A hex grid has no numbering",
    what="""A HexGrid element has no HexGridNumbering.""",
    why="""VASSAL gives the hexes no names: reports say only the board, and a LOS
        table, which is asked by name, cannot be asked at all.""",
    example="""The grid of board Town has dx, dy and an offset, but no numbering.""",
    how_to_mend="""Add a numbering in VASSAL's editor that gives the printed
        names; it need not be drawn.""",
)
def missing(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    for board in module.boards:
        for view in board.hex_grids:
            if view.numbering is None:
                yield Problem(
                    f"HexGrid of {grid_where(board, view)} has no numbering, so its hexes have no "
                    "names. Add one in VASSAL's editor; it need not be drawn.",
                    board=board.name,
                )
