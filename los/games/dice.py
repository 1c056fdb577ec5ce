"""Dice that players have rolled, checked before they are used."""

from __future__ import annotations

from hexsight.model.errors import UsageError


def rolled(value: int, what: str, *, low: int = 1, high: int = 6) -> int:
    """A die as it was passed in.

    Parameters
    ----------
    value : int
    what : str
        What it is rolled for, for the message.
    low, high : int
        Its lowest and highest face.

    Raises
    ------
    UsageError
        If no such die shows that number.
    """
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or not low <= value <= high:
        raise UsageError(
            f"The die for {what} shows {value!r}: pass the whole number from {low} to {high} "
            "that was rolled."
        )
    return value
