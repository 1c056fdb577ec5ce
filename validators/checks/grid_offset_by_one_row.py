"""Check grid/offset-by-one-row."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import ArchiveView, Subject

WHOLE = 0.75  # of a hex's height or width: less is the half hex with which boards begin


@check(
    id="grid/offset-by-one-row",
    severity=Severity.FAIL,
    needs=("archive",),
    title="A whole row or column of hexes lies before A1",
    what="""The metadata of a VASL board puts hex A1 so far from the top or the
        left edge that a whole row or column without a proper name fits before it.""",
    why="""VASL's boards begin with A1, or with a half hex above it. A centre one
        row too low gives every hex the name of the one above.""",
    example="""A1CenterY="96.75" on a standard board, whose A1 lies at 32.25.""",
    how_to_mend="""Set the attribute that the finding proposes.""",
)
def offset_by_one_row(subject: Subject) -> Iterator[Problem]:
    archive = subject.archive
    assert archive is not None
    naming = archive.naming
    rows = _before(naming.a1_y, naming.hex_height, 0.5)
    # The left vertex of A1 lies two thirds of a column before its centre.
    columns = _before(naming.a1_x, naming.hex_width, 2 / 3)
    for count, word, key, value, step in (
        (rows, "row", "A1CenterY", naming.a1_y, naming.hex_height),
        (columns, "column", "A1CenterX", naming.a1_x, naming.hex_width),
    ):
        if not count:
            continue
        settle = f'{key}="{value - count * step:g}"'
        yield Problem(
            f"Board {archive.name!r}: {count} whole {word}{'s' if count > 1 else ''} of hexes fit "
            f"before A1, whose {key} is {value:g}. {_advice(archive, settle)}",
            hex="A1",
            pixel=(naming.a1_x, naming.a1_y),
            settle=settle,
        )


def _before(centre: float, step: float, lead: float) -> int:
    """Whole hexes between an edge of the picture and A1."""
    free = centre - lead * step
    return int(free / step + 1 - WHOLE) if free > 0 else 0


def _advice(archive: ArchiveView, settle: str) -> str:
    named = "Set" if not archive.legacy else "In the file data, set the like of"
    return f"{named} {settle} and compare the name of one hex with the print."
