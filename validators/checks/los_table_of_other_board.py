"""Check los/table-of-other-board."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="los/table-of-other-board",
    severity=Severity.FAIL,
    needs=("table",),
    title="The table was made from another state of the board",
    what="""The digest of the board in the head of a LOS table is not that of the
        board at hand.""",
    why="""After a correction, or with a new picture, the stored answers are those of
        the old map.""",
    example="""town.lostab was made before K15-K16 was corrected.""",
    how_to_mend="""Build the table again.""",
)
def table_of_other_board(subject: Subject) -> Iterator[Problem]:
    table = subject.table
    assert table is not None
    now = table.board_hash_now
    if now is not None and now != table.board_hash:
        yield Problem(
            f"The table was made from board {table.board_hash[:12]}, and the board at hand is "
            f"{now[:12]}: its answers are old. Build the table again.",
            settle="hexsight build",
        )
