"""Check grid/bad-number."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.model.vassal_java import java_double
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.gridnames import grid_where
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="grid/bad-number",
    severity=Severity.FAIL,
    needs=("module",),
    title="The spacing of a hex grid is no number",
    what="""dx or dy of a HexGrid cannot be read as a number, or is not above
        zero.""",
    why="""VASSAL drops the whole grid with a dialog, or divides by it: pieces do
        not snap and hexes have no names.""",
    example="""dx="56,25" with a comma for the decimal point.""",
    how_to_mend="""Write a number with a point, such as 56.25; `hexsight grid`
        finds it in the picture.""",
)
def bad_number(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    for board in module.boards:
        for view in board.hex_grids:
            for key in ("dx", "dy"):
                text = view.attributes.get(key)
                if text is None:
                    continue
                try:
                    if java_double(text) > 0:
                        continue
                    reason = "must be above zero"
                except ValueError:
                    reason = "is no number that VASSAL can read"
                hint = text.strip().replace(",", ".")
                yield Problem(
                    f"HexGrid of {grid_where(board, view)}: {key}={text[:40]!r} {reason}. Write a "
                    "number with a point, as hexsight grid finds it.",
                    board=board.name,
                    settle=f'{key}="{hint}"' if _reads(hint) else f"{key} attribute of the HexGrid",
                )


def _reads(text: str) -> bool:
    try:
        return java_double(text) > 0
    except ValueError:
        return False
