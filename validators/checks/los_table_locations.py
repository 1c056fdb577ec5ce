"""Check los/table-locations."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="los/table-locations",
    severity=Severity.FAIL,
    needs=("table",),
    title="The table holds other Locations than the board has",
    what="""The names of the Locations in a LOS table are not those of the board at
        hand, or stand in another order.""",
    why="""An answer is found by the numbers of two Locations. With one missing or
        moved, all that follow are those of another place.""",
    example="""The table lacks K15@roof, which the board has since the building was
        corrected.""",
    how_to_mend="""Build the table again.""",
)
def table_locations(subject: Subject) -> Iterator[Problem]:
    table = subject.table
    assert table is not None
    now = table.locations_now
    if now is None or now == table.locations:
        return
    lacking = [n for n in now if n not in set(table.locations)]
    surplus = [n for n in table.locations if n not in set(now)]
    parts = [
        f"{word} {', '.join(names[:5])}{' …' if len(names) > 5 else ''}"
        for word, names in (("lacks", lacking), ("has besides", surplus))
        if names
    ] or ["has them in another order"]
    place = (lacking or surplus or [""])[0].partition("@")[0]
    known = subject.board is not None and place in subject.board.by_name
    yield Problem(
        f"The table holds {len(table.locations)} Locations and the board {len(now)}: it "
        f"{' and '.join(parts)}. Build the table again.",
        hex=place if known else "",
        settle="hexsight build",
    )
