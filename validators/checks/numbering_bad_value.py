"""Check numbering/bad-value."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.model.vassal_numbering import HexGridNumbering
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.gridnames import grid_where
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

_CHOICES = {"first": "HV", "hType": "NA", "vType": "NA"}


@check(
    id="numbering/bad-value",
    severity=Severity.FAIL,
    needs=("module",),
    title="An attribute of a numbering cannot be read or means nothing",
    what="""An offset or a number of leading zeros is no whole number, or first,
        hType, vType is none of the letters that VASSAL knows.""",
    why="""For a bad number VASSAL drops the numbering, and no hex has a name. An
        unknown letter is taken without a word for V or N.""",
    example="""hType="Alphabetic" instead of "A": its first letter counts, so
        this is right by luck; hType="alpha" is not.""",
    how_to_mend="""Write H or V for first, A or N for the types, whole numbers for
        offsets and leading zeros.""",
)
def bad_value(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    for board in module.boards:
        for view in board.hex_grids:
            if view.numbering is None:
                continue
            where = f"Numbering of {grid_where(board, view)}"
            try:
                HexGridNumbering.from_attributes(view.numbering)
            except ValueError as error:
                yield Problem(
                    f"{where}: {error}, so VASSAL drops it and hexes have no names. Write the "
                    "number.",
                    board=board.name,
                    settle=f"{str(error).partition('=')[0].split()[0]} attribute of the numbering",
                )
            for key, letters in _CHOICES.items():
                text = view.numbering.get(key, letters[0])
                if text and text[0] not in letters:
                    yield Problem(
                        f"{where}: {key}={text[:20]!r} is none of {' and '.join(letters)}; VASSAL "
                        f"takes it for {_taken(key)}. Write the letter that is meant.",
                        board=board.name,
                        settle=f'{key}="{letters[0]}" or {key}="{letters[1]}"',
                        severity=Severity.WARN,
                    )


def _taken(key: str) -> str:
    return "V" if key == "first" else "N"
