"""Check los/not-reciprocal."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="los/not-reciprocal",
    severity=Severity.FAIL,
    needs=("table",),
    title="A line of sight has another answer in the other direction",
    what="""For a sample of pairs spread over the table the line was asked both ways,
        and the answers differ.""",
    why="""Line of sight is reciprocal (A6.1): if one unit sees another, it is seen.
        A table holds each pair once, so that one of the two answers is lost.""",
    example="""From K15 to O18@2 the line is clear, and from O18@2 to K15 blocked.""",
    how_to_mend="""This is a fault of hexsight and not of your map: report it with the
        board folder.""",
)
def not_reciprocal(subject: Subject) -> Iterator[Problem]:
    assert subject.table is not None
    for probe in subject.table.probes:
        if probe.there != probe.back:
            yield Problem(
                f"From {probe.a} to {probe.b} the line is {probe.there}, and from {probe.b} to "
                f"{probe.a} {probe.back}. Report it with the board folder.",
                hex=probe.a.partition("@")[0],
            )
