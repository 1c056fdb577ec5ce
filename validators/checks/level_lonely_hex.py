"""Check level/lonely-hex."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="level/lonely-hex",
    severity=Severity.WARN,
    needs=("board",),
    title="One hex lies far above or below all its neighbours",
    what="""A hex lies two levels or more above all six of its neighbours, or
        below all six.""",
    why="""Hills and valleys have flanks. A single tower or pit of ground is
        nearly always a spot of colour at the centre dot, from which the level is
        read, or a typing error in a correction.""",
    example="""K15 lies at level 3 and all its neighbours at level 0 or 1.""",
    how_to_mend="""Set the level of the hex.""",
    options={"levels": "smallest difference that counts, in levels"},
)
def lonely_hex(subject: Subject, *, levels: float = 2.0) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    around: dict[str, list[int]] = defaultdict(list)
    for side in board.hexsides:
        around[side.a].append(board.by_name[side.b].base_half)
        around[side.b].append(board.by_name[side.a].base_half)
    for facts in board.hexes:
        near = around[facts.name]
        if len(near) < 6:
            continue
        above = (facts.base_half - max(near)) / 2
        below = (min(near) - facts.base_half) / 2
        if max(above, below) < levels:
            continue
        word, next_to = ("above", max(near)) if above >= levels else ("below", min(near))
        yield Problem(
            f"{facts.name} lies at level {facts.base_half / 2:g}, {max(above, below):g} levels "
            f"{word} all its neighbours. Set its level if that is wrong.",
            hex=facts.name,
            pixel=(facts.x_px, facts.y_px),
            settle=f"hexes: {{{facts.name}: {{level: {next_to / 2:g}}}}}",
        )
