"""The version that the files a person writes name first."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator


def _whole(value: object) -> object:
    """Pass a version on; ``true`` and 1.0 equal 1 in Python, and are none.

    Raises
    ------
    ValueError
        If it is one of those.
    """
    if isinstance(value, (bool, float)):
        raise ValueError("write 1, or leave it out")
    return value


SchemaVersion = Annotated[Literal[1], BeforeValidator(_whole)]
