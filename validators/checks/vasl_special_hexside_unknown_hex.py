"""Check vasl/special-hexside-unknown-hex."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="vasl/special-hexside-unknown-hex",
    severity=Severity.FAIL,
    needs=("archive",),
    title="A slope or embankment is set for a hex that the board does not have",
    what="""An element of slopes, rrembankments or partialorchards in the metadata
        names a hex that is not among the hexes of the board.""",
    why="""The slope that was meant does not exist.""",
    example="""slopes: hex="AA11" on a board whose column AA ends with AA10.""",
    how_to_mend="""Write the name of the hex that was meant.""",
)
def special_hexside_unknown_hex(subject: Subject) -> Iterator[Problem]:
    archive = subject.archive
    assert archive is not None
    names = {name for _, _, name in archive.hexes}
    if not names:
        return  # vasl/size-against-picture
    for section, name in archive.special_hexsides:
        if name.strip().upper() in names:
            continue
        near = difflib.get_close_matches(name.strip().upper(), sorted(names), n=1)
        yield Problem(
            f"{section} of the metadata names the hex {name}, which board {archive.name!r} does "
            f"not have.{f' Did you mean {near[0]}?' if near else ''} Write the hex that is meant.",
            settle=f'hex="{near[0]}"' if near else "hex attribute",
        )
