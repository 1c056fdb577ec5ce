"""Check terrain/legend-unnamed."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.legends import UnnamedClass
from hexsight.validators.places import hex_at
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

_TOLD = 4


@check(
    id="terrain/legend-unnamed",
    severity=Severity.WARN,
    needs=("legend",),
    title="Nobody has said yet what some classes of the legend are",
    what="""Classes of the legend have the name that hexsight new gives to those of
        which it does not know what they are: unknown-N. The one that covers most is
        shown at its largest area.""",
    why="""Such a class is read as the terrain that stands there, mostly Open Ground. A wood
        or a pond that is read so hides and hinders nothing.""",
    example="""9 of the 15 classes of the legend have no name yet: unknown-2 (5.9 % of the map,
        read as Open Ground, at H5) …""",
    how_to_mend="""Open the legend file and swatches.png beside it. Write for each class
        what it is after terrain:, and delete its line name: unknown-N.""",
)
def legend_unnamed(subject: Subject) -> Iterator[Problem]:
    legend = subject.legend
    assert legend is not None
    if not legend.unnamed:
        return
    count = len(legend.unnamed)
    told = ", ".join(_told(c, subject) for c in legend.unnamed[:_TOLD])
    more = f" and {count - _TOLD} more" if count > _TOLD else ""
    largest = legend.unnamed[0].pixel
    yield Problem(
        f"{count} of the {len(legend.classes)} classes of the legend {legend.name} "
        f"{'has' if count == 1 else 'have'} no name yet, together "
        f"{100 * sum(c.share for c in legend.unnamed):.1f} % of the map: {told}{more}. In the "
        "legend file write what each is after 'terrain:', and delete its line 'name: unknown-…'.",
        hex=hex_at(subject.board, *largest) if largest and subject.board is not None else "",
        pixel=largest,
        confidence=0.9,
    )


def _told(c: UnnamedClass, subject: Subject) -> str:
    where = hex_at(subject.board, *c.pixel) if c.pixel and subject.board is not None else ""
    if not where and c.pixel is not None:
        where = f"({c.pixel[0]:.0f}, {c.pixel[1]:.0f})"
    share = f"{100 * c.share:.1f} % of the map" if c.share >= 0.0005 else "hardly a pixel"
    return f"{c.name} ({share}, read as {c.terrain}{', at ' + where if where else ''})"
