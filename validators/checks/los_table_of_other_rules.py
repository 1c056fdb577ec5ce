"""Check los/table-of-other-rules."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="los/table-of-other-rules",
    severity=Severity.FAIL,
    needs=("table",),
    title="The table was made with other rules",
    what="""The digest of the rules in the head of a LOS table is not that of the
        rules at hand.""",
    why="""Heights, hindrances and the treatment of hexsides come from the rules;
        the stored answers are those of other ones, or of an earlier version.""",
    example="""town.lostab was made with musket-pike, and hexsight.yaml says
        asl.""",
    how_to_mend="""Build the table again with the rules that are meant. A table that
        nothing lies beside to tell its rules is a note, not a fail, where they are none
        of hexsight's own: name them with hexsight check --rules.""",
)
def table_of_other_rules(subject: Subject) -> Iterator[Problem]:
    table = subject.table
    assert table is not None
    now = table.profile_hash_now
    if now is None:
        yield Problem(
            f"The table was made by rules {table.profile_hash[:12]}, which are none of hexsight's "
            "own, or are those of another version: its answers cannot be checked. Name its rules "
            "with --rules.",
            severity=Severity.NOTE,
        )
    elif now != table.profile_hash:
        yield Problem(
            f"The table was made with rules {table.profile_hash[:12]}, and the rules at hand are "
            f"{now[:12]}: its answers are those of other rules. Build the table again.",
            settle="hexsight build",
        )
