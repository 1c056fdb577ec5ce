"""Values as a person would write them into YAML: flow style, quotes only where they must be."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

# Words that need no quotes anywhere, inside braces and brackets too.
_PLAIN = re.compile(r"[A-Za-z0-9_½/][A-Za-z0-9_½/. +\-]*\Z")


def flow(value: Any) -> str:
    """A value in flow style on one line.

    Parameters
    ----------
    value : None, bool, int, float, str, sequence or mapping
        What YAML's safe types hold.

    Raises
    ------
    ValueError
        If a number is not finite.
    TypeError
        If it is of another type.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, str):
        return word(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{word(str(k))}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(flow(v) for v in value) + "]"
    raise TypeError(f"{type(value).__name__} is no value of YAML")


def _number(value: int | float) -> str:
    if not math.isfinite(value):
        raise ValueError(f"{value} is no number")
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        value = int(value)
    text = repr(value)
    if isinstance(value, float) and "e" in text:
        # YAML 1.1 takes 1e-07 for a word: it wants a dot before the exponent.
        text = f"{value:.20f}".rstrip("0")
    return text


def word(text: str) -> str:
    """A text as a key or value: plain where YAML reads it back as this very text, else quoted."""
    if _PLAIN.match(text) and not text.endswith(" ") and _reads_back(text):
        return text
    if (
        text.isprintable()
        and "\\" not in text
        and _reads_back(quoted := "'" + _doubled(text) + "'")
    ):
        return quoted
    return json.dumps(text)


def _doubled(text: str) -> str:
    return text.replace("'", "''")


def _reads_back(written: str) -> bool:
    """Whether YAML reads a scalar, written as a key inside braces, as the text it stands for."""
    plain = not written.startswith("'")
    meant = written if plain else written[1:-1].replace("''", "'")
    try:
        read = yaml.safe_load("{" + written + ": " + written + "}")
    except yaml.YAMLError:
        return False
    return bool(read == {meant: meant}) and all(isinstance(k, str) for k in read)
