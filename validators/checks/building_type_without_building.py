"""Check building/type-without-building."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

# From so many on, and this share of all, one finding tells of them together.
MANY, MANY_SHARE = 5, 0.3


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
    empty = []
    for name, kind in archive.building_types.items():
        facts = board.by_name.get(name.strip().upper())
        if facts is not None and facts.building_share < share:
            empty.append((facts, kind))
    if len(empty) >= max(MANY, MANY_SHARE * len(archive.building_types)):
        # Not so many slips: the names or the terrain are those of another board.
        names = ", ".join(facts.name for facts, _ in empty[:4])
        yield Problem(
            f"{len(empty)} of {len(archive.building_types)} building types name hexes without a "
            f"building, such as {names}. Look whether LOSData or the names of hexes are those of "
            "another board.",
            pixel=(empty[0][0].x_px, empty[0][0].y_px),
        )
        return
    for facts, kind in empty:
        yield Problem(
            f"buildingType {kind!r} names hex {facts.name}, where no building was found. Look "
            "which hex is meant.",
            hex=facts.name,
            pixel=(facts.x_px, facts.y_px),
            settle="hexName attribute of the buildingType",
        )
