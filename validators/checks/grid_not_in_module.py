"""Check grid/not-in-module."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.gridnames import usable_grids
from hexsight.validators.measure import SURE, attributes_for
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="grid/not-in-module",
    severity=Severity.WARN,
    needs=("module", "grids"),
    title="Hexes are printed on a board that has no hex grid",
    what="""A hex grid was found on the picture of a board whose element in the
        module has none, neither of its own nor in a zone.""",
    why="""Pieces do not snap and hexes have no names, so that no table can be
        asked by name.""",
    example="""Board East was added later, and its grid was forgotten.""",
    how_to_mend="""Add a HexGrid with the attributes that the finding proposes,
        and a numbering.""",
)
def not_in_module(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    # A grid that is there and that VASSAL drops for its numbers: grid/bad-number tells.
    usable = {one.board.name for one in usable_grids(module)}
    dropped = {b.name for b in module.boards if b.hex_grids and b.name not in usable}
    for one in subject.grids:
        if one.nominal is not None or one.fitted is None or one.confidence < SURE:
            continue
        if one.board in dropped:
            continue
        settle = attributes_for(one, one.fitted, spacing=True)
        if one.fitted.sideways:
            settle += ' sideways="true"'
        yield Problem(
            f"Board {one.board!r} shows a printed hex grid but has no HexGrid. Add one with "
            f"{settle}.",
            board=one.board,
            confidence=one.confidence,
            settle=settle,
        )
