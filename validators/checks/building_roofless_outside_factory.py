"""Check building/roofless-outside-factory."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="building/roofless-outside-factory",
    severity=Severity.WARN,
    needs=("board",),
    title="A roofless area outside every Factory",
    what="""The floor of a hex was read as open to the sky, and the building there
        is no Factory, or there is none.""",
    why="""Only a Factory has Roofless Factory Hexes (O5.4). Elsewhere such a floor
        is rubble, a yard or a gray roof, and either the floor or the kind of building
        is wrong.""",
    example="""38 % of S13 is roofless, and the building there is no Factory.""",
    how_to_mend="""If a road enters the building, mark it as a Factory; if not, set
        roofless: false.""",
    options={"share": "smallest roofless share of a hex that counts"},
)
def roofless_outside_factory(subject: Subject, *, share: float = 0.05) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    for facts in board.hexes:
        if facts.factory or not (facts.roofless or facts.roofless_share >= share):
            continue
        building = board.building_by_id.get(facts.building)
        what = "no building stands there" if building is None else "its building is no Factory"
        yield Problem(
            f"{100 * facts.roofless_share:.0f} % of hex {facts.name} is roofless, but {what}. Mark "
            "the building as a Factory, or the hex as roofed.",
            hex=facts.name,
            pixel=(facts.x_px, facts.y_px),
            settle=f"hexes: {{{facts.name}: {{roofless: false}}}}"
            if building is None
            else f"hexes: {{{facts.name}: {{factory: true}}}}",
        )
