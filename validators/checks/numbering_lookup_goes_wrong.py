"""Check numbering/lookup-goes-wrong."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.model.vassal_numbering import HexGridNumbering
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.gridnames import UsableGrid, usable_grids
from hexsight.validators.registry import check
from hexsight.validators.subject import Size, Subject


@check(
    id="numbering/lookup-goes-wrong",
    severity=Severity.WARN,
    needs=("module",),
    title="VASSAL itself finds the wrong hex when asked for a name of this numbering",
    what="""The engine writes the names right but, asked for the place of a name,
        comes to another hex. So it is with stagger on a column axis that descends and
        has an odd length, and with oblique numberings.""",
    why="""Send-to-location and setup by name put pieces a row beside. Names that
        hexsight writes are right in any case, since it asks by place.""",
    example="""hDescend and stagger on a map 33 hexes wide: asked for 0512 the
        engine finds 0511.""",
    how_to_mend="""Turn the descending axis off and count with an offset; or, if
        nothing is sent to locations by name, accept it.""",
)
def lookup_goes_wrong(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    for one in usable_grids(module):
        numbering, size = one.grid.numbering, one.counts_in_px
        if numbering is None or size is None:
            continue
        wrong = _first_wrong(one, numbering, size)
        if wrong is None:
            continue
        raw, found = wrong
        name = numbering.name(one.grid, size, *raw)
        other = numbering.name(one.grid, size, *found)
        reason = (
            "forgets the slant of oblique numberings"
            if numbering.oblique
            else "counts the stagger from the wrong end"
        )
        yield Problem(
            f"Numbering of {one.where}: asked for {name}, VASSAL finds {other}, since it {reason}. "
            "Count without a descending column axis, or send nothing to hexes by name.",
            board=one.board.name,
            hex=name,
            pixel=one.grid.centre(*raw),
            settle='vDescend="false"' if one.grid.sideways else 'hDescend="false"',
        )


def _first_wrong(
    one: UsableGrid, numbering: HexGridNumbering, size: Size
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """First raw hex for whose name the engine finds another one, and that one."""
    for raw in one.hexes():
        found = numbering.engine_raw(one.grid, size, *numbering.named(one.grid, size, *raw))
        if found != raw:
            return raw, found
    return None
