"""Check grid/bad-number."""

from __future__ import annotations

import math
from collections.abc import Iterator

from hexsight.model.vassal_grid import HexGrid
from hexsight.model.vassal_java import java_double, java_int
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.gridnames import grid_where
from hexsight.validators.registry import check
from hexsight.validators.subject import Attributes, Subject


@check(
    id="grid/bad-number",
    severity=Severity.FAIL,
    needs=("module",),
    title="The spacing of a hex grid is no number",
    what="""dx or dy of a HexGrid cannot be read as a number, is not above zero,
        or is beyond any use.""",
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
            where = f"HexGrid of {grid_where(board, view)}"
            told = False
            for key in ("dx", "dy"):
                text = view.attributes.get(key)
                if text is None or (reason := _fault(text)) is None:
                    continue
                told = True
                hint = text.strip().replace(",", ".")
                yield Problem(
                    f"{where}: {key}={text[:40]!r} {reason}. Write a number with a point, as "
                    "hexsight grid finds it.",
                    board=board.name,
                    settle=f'{key}="{hint}"'
                    if _fault(hint) is None
                    else f"{key} attribute of the HexGrid",
                )
            if not told and (rest := _beyond_use(view.attributes)):
                yield Problem(
                    f"{where}: {rest}. Take the numbers from hexsight grid.", board=board.name
                )


def _fault(text: str) -> str | None:
    try:
        value = java_double(text)
    except ValueError:
        return "is no number that VASSAL can read"
    if not math.isfinite(value):
        return "is no number of pixels"
    return None if value > 0 else "must be above zero"


def _beyond_use(attributes: Attributes) -> str:
    """Why a grid whose numbers can be read is of no use all the same, or nothing."""
    if not all(_whole(attributes.get(key, "0")) for key in ("x0", "y0")):
        return ""  # grid/offset-not-whole
    try:
        HexGrid.from_attributes(attributes)
    except ValueError as error:
        return str(error)
    return ""


def _whole(text: str) -> bool:
    try:
        java_int(text)
    except ValueError:
        return False
    return True
