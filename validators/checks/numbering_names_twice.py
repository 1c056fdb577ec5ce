"""Check numbering/names-twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hexsight.model.vassal_numbering import format_parts
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.gridnames import usable_grids
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="numbering/names-twice",
    severity=Severity.FAIL,
    needs=("module",),
    title="Two hexes have the same name",
    what="""A numbering gives two hexes of one grid the same name: digits run into
        each other without a separator, letters double, or the location format leaves
        the column or the row out.""",
    why="""By name nobody can tell the two apart, neither players nor a LOS
        table.""",
    example="""No separator and no leading zeros: column 1, row 11 and column 11,
        row 1 are both 111.""",
    how_to_mend="""Set a separator, or as many leading zeros as the largest number
        needs.""",
)
def names_twice(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    for one in usable_grids(module):
        numbering, size = one.grid.numbering, one.counts_in_px
        if numbering is None or size is None:
            continue
        at: dict[str, list[tuple[int, int]]] = {}
        for raw in one.hexes():
            at.setdefault(numbering.name(one.grid, size, *raw), []).append(raw)
        twice = Counter({name: len(raws) for name, raws in at.items() if len(raws) > 1})
        if not twice:
            continue
        name = min(twice, key=lambda n: at[n][0])
        places = [one.grid.centre(*raw) for raw in at[name][:2]]
        shown = {t for is_name, t in format_parts(numbering.location_format) if is_name}
        if "gridLocation" in shown or {"row", "column"} <= shown:
            advice, settle = "Set a separator or more leading zeros", 'sep="."'
        else:
            advice, settle = "Show column and row", 'locationFormat="$gridLocation$"'
        yield Problem(
            f"Numbering of {one.where}: {len(twice)} name{'s' if len(twice) > 1 else ''} of "
            f"{len(at)} stand{'' if len(twice) > 1 else 's'} for several hexes; {name!r} for those "
            f"at {places[0]} and {places[1]}. {advice}.",
            board=one.board.name,
            hex=name,
            pixel=places[0],
            settle=settle,
        )
