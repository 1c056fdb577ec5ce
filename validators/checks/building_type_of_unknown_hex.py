"""Check building/type-of-unknown-hex."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="building/type-of-unknown-hex",
    severity=Severity.FAIL,
    needs=("archive",),
    title="A building type is set for a hex that the board does not have",
    what="""A buildingType element of the metadata names a hex that is not among
        the hexes of the board.""",
    why="""The building that was meant keeps the type of a one-storey house, and
        nobody is told.""",
    example="""buildingType hexName="K51" on a board whose column K ends with
        K10.""",
    how_to_mend="""Write the name of the hex that was meant.""",
)
def type_of_unknown_hex(subject: Subject) -> Iterator[Problem]:
    archive = subject.archive
    assert archive is not None
    names = {name for _, _, name in archive.hexes}
    if not names:
        return  # vasl/size-against-picture
    for name, kind in archive.building_types.items():
        if name.strip().upper() in names:
            continue
        near = difflib.get_close_matches(name.strip().upper(), sorted(names), n=1)
        yield Problem(
            f"buildingType {kind!r} names the hex {name}, which board {archive.name!r} does not "
            f"have.{f' Did you mean {near[0]}?' if near else ''} Write the hex that is meant.",
            settle=f'hexName="{near[0]}"' if near else "hexName attribute of the buildingType",
        )
