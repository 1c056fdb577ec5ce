"""Check terrain/override-unknown-place."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from hexsight.model.board import parse_hexside
from hexsight.model.errors import UsageError
from hexsight.model.outlines import pixel_of
from hexsight.model.terrain import load_catalogue
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="terrain/override-unknown-place",
    severity=Severity.FAIL,
    needs=("survey", "overrides"),
    title="A correction names a hex, hexside or terrain that does not exist",
    what="""A key of overrides: in hexsight.yaml is no hex or hexside of the board,
        or its terrain is no terrain type.""",
    why="""The board cannot be built before it is mended. The build stops at the
        first such line; here all of them stand.""",
    example="""overrides: hexes: {K51: {factory: true}} on a board whose column K
        ends with K45.""",
    how_to_mend="""Write the name as it is printed on the map.""",
)
def override_unknown_place(subject: Subject) -> Iterator[Problem]:
    survey, overrides = subject.survey, subject.overrides
    assert survey is not None
    assert overrides is not None
    by_name = {c.name: (c.col, c.row) for c in survey.cells}
    for name in overrides.hexes:
        if name not in by_name:
            near = difflib.get_close_matches(name.upper(), list(by_name), n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            yield Problem(
                f"{overrides.place(name)}: there is no hex {name} on board {survey.name}.{hint} "
                "Write the name as it is printed."
            )
    for text in overrides.hexsides:
        try:
            parse_hexside(text, by_name)
        except UsageError as error:
            yield Problem(f"{overrides.place(text)}: {error}")
    for name in overrides.buildings:
        if name not in by_name and pixel_of(name) is None:
            yield Problem(
                f"{overrides.place(f'buildings.{name}')}: {name} is no hex of board {survey.name} "
                "and no pixel. Name a building by a hex that it stands in, or as 1034 812."
            )
    catalogue = load_catalogue(survey.catalogue)
    wanted = [(name, h.terrain) for name, h in overrides.hexes.items()]
    wanted += [(name, s.terrain) for name, s in overrides.hexsides.items() if s.terrain != "none"]
    for name, terrain in wanted:
        if terrain is None:
            continue
        try:
            catalogue.named(terrain)
        except UsageError as error:
            yield Problem(f"{overrides.place(name)}: {name}: {error}")
