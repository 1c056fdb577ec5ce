"""Check module/los-thread-missing."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="module/los-thread-missing",
    severity=Severity.NOTE,
    needs=("module",),
    title="A map with hexes has no LOS thread",
    what="""A map offers boards with a hex grid, but has no LOS_Thread, the tool
        with which players stretch a line between two hexes.""",
    why="""The stock way to ask for line of sight is through that tool; without
        it players need another way to reach the table.""",
    example="""The map Main Map offers the board Town with a hex grid and has no
        LOS_Thread.""",
    how_to_mend="""Add a Line of Sight Thread to the map in VASSAL's editor.""",
)
def los_thread_missing(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    maps = dict.fromkeys(b.map_name for b in module.boards if b.hex_grids)
    for name in maps:
        if name not in module.los_maps:
            yield Problem(
                f"The map {name!r} has boards with hexes but no LOS_Thread. Add a Line of Sight "
                "Thread to it in VASSAL's editor."
            )
