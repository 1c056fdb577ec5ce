"""Check building/factory-without-road."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

SCRAP = 0.06  # in hex areas


@check(
    id="building/factory-without-road",
    severity=Severity.WARN,
    needs=("board",),
    title="A Factory that no road enters",
    what="""A building is a Factory by its stored type or by a correction, and no
        road was seen to enter it.""",
    why="""A building is a Factory if at least one road enters it (O5.1), and a
        vehicle gets in only there (O5.2). Without one the type is wrong or a road
        was not read.""",
    example="""No road was seen to enter the Factory in R23, R24, R25.""",
    how_to_mend="""Look for the road. If there is none, set factory: false; if
        there is one, set vehicular_entrance: true in the hex that it enters.""",
)
def factory_without_road(subject: Subject) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    for building in board.buildings:
        if building.kind != "factory" or building.entries or not building.hexes:
            continue
        if any(board.by_name[n].vehicular_entrance for n in building.hexes):
            continue
        if building.polygon.area < SCRAP * board.layout.dx * board.layout.dy:
            continue  # building/scrap
        name = building.hexes[0]
        facts = board.by_name[name]
        point = building.polygon.representative_point()
        yield Problem(
            f"No road was seen to enter the Factory in {', '.join(building.hexes[:4])}"
            f"{' …' if len(building.hexes) > 4 else ''}. Set factory: false, or "
            "vehicular_entrance: true where one enters.",
            hex=facts.name,
            pixel=(point.x, point.y),
            confidence=building.confidence,
            settle=f"hexes: {{{name}: {{factory: false}}}}",
        )
