"""Check module/board-name-twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="module/board-name-twice",
    severity=Severity.FAIL,
    needs=("module",),
    title="Two boards of one map have the same name",
    what="""The board picker of a map offers two boards of the same name.""",
    why="""Saved games name their boards; of two with one name VASSAL always
        takes the first, so games saved on the second open on the wrong map.""",
    example="""The map Main Map offers two boards named Town.""",
    how_to_mend="""Give one of them another name in VASSAL's editor. Games saved
        on it must be set up again.""",
)
def board_name_twice(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    counts = Counter((b.map_name, b.name) for b in module.boards)
    for (map_name, name), times in counts.items():
        if times > 1:
            yield Problem(
                f"The map {map_name!r} offers {times} boards named {name!r}: saved games always "
                "open the first. Give each a name of its own.",
                board=name,
                settle="name attribute of the later Board",
            )
