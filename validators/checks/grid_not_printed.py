"""Check grid/not-printed."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="grid/not-printed",
    severity=Severity.NOTE,
    needs=("grids",),
    title="No printed hexes were found on a board that has a hex grid",
    what="""The file states a hex grid, and none was found on the picture.""",
    why="""Either the print is too faint to be found, and nothing can confirm the
        stated grid; or the picture is not the one that the grid was made for.""",
    example="""The picture images/town.png is the cover of the box.""",
    how_to_mend="""Look whether it is the right picture. If the print is faint, say
        grid: module in hexsight.yaml, so that the stated grid is taken.""",
)
def not_printed(subject: Subject) -> Iterator[Problem]:
    for one in subject.grids:
        if one.nominal is not None and one.fitted is None:
            yield Problem(
                f"Board {one.board!r} has a hex grid, but no printed one was found on its picture. "
                "Look whether it is the right picture; if the print is faint, say grid: module.",
                board=one.board,
                settle="grid: module",
            )
