"""Check grid/offset-not-whole."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.model.vassal_java import java_double, java_int
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.gridnames import grid_where
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="grid/offset-not-whole",
    severity=Severity.FAIL,
    needs=("module",),
    title="The offset of a hex grid is no whole number",
    what="""x0 or y0 of a HexGrid cannot be read as a whole number.""",
    why="""VASSAL reads both as whole pixels and drops the whole grid, with a
        dialog, when it meets a decimal point. Only dx and dy may have one.""",
    example="""x0="22.5", as a program wrote it that had measured the map.""",
    how_to_mend="""Round it to the nearest pixel.""",
)
def offset_not_whole(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    for board in module.boards:
        for view in board.hex_grids:
            for key in ("x0", "y0"):
                text = view.attributes.get(key)
                if text is None or _whole(text):
                    continue
                rounded = _rounded(text)
                yield Problem(
                    f"HexGrid of {grid_where(board, view)}: {key}={text[:40]!r} is no whole "
                    "number, so VASSAL drops the grid. "
                    + (f"Write {rounded}." if rounded else "Write whole pixels."),
                    board=board.name,
                    settle=f'{key}="{rounded}"' if rounded else f"{key} attribute of the HexGrid",
                )


def _whole(text: str) -> bool:
    try:
        java_int(text)
    except ValueError:
        return False
    return True


def _rounded(text: str) -> str:
    try:
        value = java_double(text.replace(",", "."))
    except ValueError:
        return ""
    return str(round(value)) if abs(value) < 1e9 else ""
