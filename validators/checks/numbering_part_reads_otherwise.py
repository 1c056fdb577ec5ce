"""Check numbering/part-reads-otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

# Hexes: single names are misread under debris on every large map, each in its own way;
# a part that is numbered otherwise has its names beside the print by one and the same step.
LEAST = 5
ALIKE = 0.6


@check(
    id="numbering/part-reads-otherwise",
    severity=Severity.WARN,
    needs=("labels",),
    title="In a part of the map the print names the hexes otherwise",
    what="""Most printed names are those of the file, but in several hexes the print
        plainly reads as the name that another hex has, each time as far away.""",
    why="""A map glued together of several scans, or one with two grids, may be
        right in one part and one row off in another.""",
    example="""On board Town 312 hexes read as they are named and 40 otherwise, such
        as 1507, which is named 1508.""",
    how_to_mend="""Look at the hexes named. If the print is right, give that part a
        zone with a grid of its own.""",
    options={"share": "smallest share of the hexes read that counts"},
)
def part_reads_otherwise(subject: Subject, *, share: float = 0.03) -> Iterator[Problem]:
    for one in subject.labels:
        steps = Counter(hexagon.shift for hexagon in one.disagree if hexagon.shift is not None)
        if one.verdict != "agrees" or not steps:
            continue
        step, few = max(steps.items(), key=lambda s: (s[1], s[0]))
        all_read = one.agree + len(one.disagree)
        if few < max(LEAST, share * all_read, ALIKE * len(one.disagree)):
            continue
        first = next(hexagon for hexagon in one.disagree if hexagon.shift == step)
        yield Problem(
            f"On board {one.board!r} {one.agree} hexes read as they are named and {few} otherwise, "
            f"such as {first.printed}, which is named {first.named}. Look whether that part needs "
            "a grid of its own.",
            board=one.board,
            hex=first.named,
            pixel=first.pixel,
            confidence=0.7,
        )
