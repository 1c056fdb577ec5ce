"""Check terrain/legend-colours-alike."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="terrain/legend-colours-alike",
    severity=Severity.WARN,
    needs=("legend",),
    title="Two classes of the legend have the same colours",
    what="""All colours of a class of the legend are colours of another class too, and
        the two stand for different terrain.""",
    why="""Nothing tells them apart, so that the one with the larger share takes all
        pixels and the other is never found.""",
    example="""Every colour of Orchard is one of Woods too.""",
    how_to_mend="""Take the samples of one of them from other places of the map, or
        leave one out and set its hexes by hand.""",
    options={"distance": "largest difference that nobody sees, in CIELAB units"},
)
def legend_colours_alike(subject: Subject, *, distance: float = 1.0) -> Iterator[Problem]:
    legend = subject.legend
    assert legend is not None
    for i, one in enumerate(legend.classes):
        for j, other in enumerate(legend.classes):
            if i == j or one.meaning == other.meaning:
                continue
            away = np.linalg.norm(one.colours[:, None] - other.colours[None], axis=2).min(axis=1)
            # Two that are the same both ways are told once.
            if away.max() > distance or (i > j and _same(other.colours, one.colours, distance)):
                continue
            yield Problem(
                f"Legend {legend.name}: every colour of {one.name!r} is one of {other.name!r} too. "
                "Take the samples of one of them from other places of the map.",
                confidence=0.9,
            )


def _same(one: NDArray[np.float64], other: NDArray[np.float64], distance: float) -> bool:
    away = np.linalg.norm(one[:, None] - other[None], axis=2).min(axis=1)
    return bool(away.max() <= distance)
