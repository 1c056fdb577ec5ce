"""Check los/table-differs."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="los/table-differs",
    severity=Severity.WARN,
    needs=("table",),
    title="The table answers otherwise than the board would now",
    what="""For a sample of pairs spread over the table the line was judged again on
        the board at hand, and the table says something else.""",
    why="""Board and rules are the same by their digests, so the table was made by
        another version of hexsight, or its file was altered.""",
    example="""K15 to O18@2 is clear in the table and blocked on the board.""",
    how_to_mend="""Build the table again with: hexsight table build.""",
)
def table_differs(subject: Subject) -> Iterator[Problem]:
    table = subject.table
    assert table is not None
    if table.board_hash != table.board_hash_now or table.profile_hash != table.profile_hash_now:
        return  # los/table-of-other-board, los/table-of-other-rules
    wrong = [p for p in table.probes if p.stored != p.there]
    if wrong:
        first = wrong[0]
        yield Problem(
            f"{first.a} to {first.b} is {first.stored} in the table and {first.there} on the board "
            f"({len(wrong)} of {len(table.probes)} pairs that were asked). Build the table again.",
            hex=first.a.partition("@")[0],
        )
