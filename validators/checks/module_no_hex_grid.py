"""Check module/no-hex-grid."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="module/no-hex-grid",
    severity=Severity.WARN,
    needs=("module",),
    title="No board of the module has a hex grid",
    what="""None of the boards, nor any zone on them, has a HexGrid element.""",
    why="""Without one VASSAL names no hexes, and there is nothing between which
        line of sight could be asked. Maps of areas are made so on purpose; a map
        of hexes is not.""",
    example="""The module has the boards Map and Tracks, both with a RegionGrid.""",
    how_to_mend="""Set a hex grid in VASSAL's editor; `hexsight grid` finds its
        numbers in the picture.""",
)
def no_hex_grid(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    if any(b.hex_grids for b in module.boards):
        return
    kinds = sorted({k for b in module.boards for k in b.other_grids})
    instead = f" (they have {', '.join(kinds)})" if kinds else ""
    yield Problem(
        f"None of the {len(module.boards)} boards has a hex grid{instead}. Set one in VASSAL's "
        "editor with the numbers that hexsight grid finds in the picture."
    )
