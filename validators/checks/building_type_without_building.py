"""Check building/type-without-building."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="building/type-without-building",
    severity=Severity.WARN,
    needs=("archive", "board"),
    title="A building type is set for a hex without a building",
    what="""A buildingType element of the metadata names a hex in which no building
        was found.""",
    why="""Most likely the name is one hex off, and the building beside it keeps
        the type of a one-storey house.""",
    example="""buildingType of hex K5, whose building stands in K4.""",
    how_to_mend="""Look which hex was meant; or, if the building was not read, set
        it by hand.""",
    options={"share": "smallest share of a hex that counts as a building"},
)
def type_without_building(subject: Subject, *, share: float = 0.02) -> Iterator[Problem]:
    archive, board = subject.archive, subject.board
    assert archive is not None
    assert board is not None
    for name, kind in archive.building_types.items():
        facts = board.by_name.get(name.strip().upper())
        if facts is None or facts.building_share >= share:
            continue
        yield Problem(
            f"buildingType {kind!r} names hex {facts.name}, where no building was found. Look "
            "which hex is meant.",
            hex=facts.name,
            pixel=(facts.x_px, facts.y_px),
            settle="hexName attribute of the buildingType",
        )
