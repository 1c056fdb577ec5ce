"""Check numbering/print-disagrees."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.evidence import LabelEvidence
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="numbering/print-disagrees",
    severity=Severity.FAIL,
    needs=("labels",),
    title="The hexes are named otherwise than the print names them",
    what="""The names printed in the hexes were read, and another numbering than the
        file's explains them far better: most often the same one, a column or row
        beside.""",
    why="""Players and scenarios go by the print. With names that are one off every
        rule that names a hex, every set-up and every stored line of sight means
        another hex.""",
    example="""The names lie +1 columns and +0 rows beside the print: where B5 is
        printed, the name is A5.""",
    how_to_mend="""Set the offset of the numbering that the finding proposes, or the
        centre of A1 for a VASL board, and compare two hexes with the print.""",
)
def print_disagrees(subject: Subject) -> Iterator[Problem]:
    for one in subject.labels:
        if one.verdict != "disagrees":
            continue
        first = one.disagree[0] if one.disagree else None
        settle = _settle(subject, one)
        what = "the metadata" if one.kind == "archive" else "the module's numbering"
        told = one.reason or "another numbering is printed"
        yield Problem(
            f"Board {one.board!r}: {what} and the print disagree; {told}. "
            f"{'Set ' + settle if settle else 'Correct the numbering'}, and compare the name of "
            "one hex with the print.",
            board=one.board,
            hex=first.named if first else "",
            pixel=first.pixel if first else None,
            confidence=one.confidence,
            settle=settle,
        )


def _settle(subject: Subject, one: LabelEvidence) -> str:
    """Attributes that move the names by the shift that was seen; nothing where it is not plain."""
    if one.shift is None:
        return ""
    columns, rows = one.shift
    if one.kind == "archive" and subject.archive is not None:
        naming = subject.archive.naming
        parts = []
        if columns:
            parts.append(f'A1CenterX="{naming.a1_x - columns * naming.hex_width:g}"')
        if rows:
            parts.append(f'A1CenterY="{naming.a1_y - rows * naming.hex_height:g}"')
        return " ".join(parts)
    if subject.module is None or rows != round(rows):
        return ""
    numberings = [
        grid.numbering
        for board in subject.module.boards
        if board.name == one.board
        for grid in board.hex_grids
        if grid.numbering is not None
    ]
    if len(numberings) != 1:
        return ""
    parts = []
    for key, down, shift in (("hOff", "hDescend", columns), ("vOff", "vDescend", round(rows))):
        text = numberings[0].get(key, "0")
        if not text.lstrip("+-").isdecimal():
            return ""
        sign = -1 if numberings[0].get(down, "false").lower() == "true" else 1
        if shift:
            parts.append(f'{key}="{int(text) + sign * shift}"')
    return " ".join(parts)
