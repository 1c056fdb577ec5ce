"""Where in a YAML file a thing stands, and what is wrong with it in one sentence."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from hexsight.model.errors import UsageError

M = TypeVar("M", bound=BaseModel)

_LONGEST_SHOWN = 40


def checked(schema: type[M], content: object, text: str, where: str, *, needs: str) -> M:
    """Hold the content of a file to its schema.

    Parameters
    ----------
    schema : type of BaseModel
    content : any
        What the text was parsed to.
    text, where : str
        The file and its name, for the sentence on its first mistake.
    needs : str
        What the least such file has, for one that holds no keys at all.

    Raises
    ------
    UsageError
        If something is missing, unknown or wrong; names the line.
    """
    if not isinstance(content, dict):
        raise UsageError(f"Cannot read {where}: it needs {needs}.")
    try:
        return schema.model_validate(content)
    except ValidationError as error:
        raise UsageError(told(error, text, where)) from error


def told(error: ValidationError, text: str, where: str) -> str:
    """One sentence on the first mistake of a file, with its line.

    Parameters
    ----------
    error : ValidationError
        What the file's schema found.
    text : str
        The file.
    where : str
        Its name.
    """
    # Of a choice (a word or a mapping) the way that came furthest is what was meant.
    first = max(error.errors(), key=lambda e: len(e["loc"]))
    keys = [str(p) for p in first["loc"]]
    line = line_of(text, keys)
    place = f"Cannot read {where}, line {line}" if line else f"Cannot read {where}"
    if first["type"] == "extra_forbidden":
        return f"{place}: the key {keys[-1]!r} is not known. Take it out or mend its spelling."
    if first["type"] == "missing":
        return f"{place}: the key {keys[-1]!r} is missing. Add it."
    return f"{place}: {_path(text, keys)}: {_said(first)}."


def _said(error: ErrorDetails) -> str:
    """What is wrong with a value, in words of somebody who writes the file."""
    value, kind = error["input"], error["type"]
    if isinstance(value, float) and not math.isfinite(value):
        return f"write a number, not {value}"
    if kind in _SENTENCES:
        return _SENTENCES[kind](value, error.get("ctx", {}))
    return error["msg"].removeprefix("Value error, ")


def _shown(value: Any) -> str:
    """A value as it may stand in a sentence of one line."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "keys with values"
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _list_wanted(value: Any, _: Mapping[str, Any]) -> str:
    """The value itself in brackets is most likely what was meant."""
    plain = isinstance(value, (str, int)) and not isinstance(value, bool)
    example = f"{value}" if plain and len(str(value)) <= _LONGEST_SHOWN else "A1, B2"
    return f"write a list, such as [{' '.join(example.split())}]"


def _wanted(what: str) -> Callable[[Any, Mapping[str, Any]], str]:
    return lambda value, ctx: f"write {what.format(**ctx)}, not {_shown(value)}"


def _length(value: Any, end: str, count: int) -> str:
    what = ("character", "characters") if isinstance(value, str) else ("entry", "entries")
    return f"write at {end} {count:,} {what[count != 1]}"


_WHOLE = _wanted("a whole number")
_NUMBER = _wanted("a number")
_YES_NO = _wanted("true or false")
_KEYS = _wanted("keys with values, such as {{key: value}}")
_SENTENCES: dict[str, Callable[[Any, Mapping[str, Any]], str]] = {
    "tuple_type": _list_wanted,
    "list_type": _list_wanted,
    "model_type": _KEYS,
    "dict_type": _KEYS,
    "string_type": _wanted("a text, in quotes where it looks like a number"),
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": _WHOLE,
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": _NUMBER,
    "bool_type": _YES_NO,
    "bool_parsing": _YES_NO,
    "literal_error": _wanted("{expected}"),
    "greater_than": _wanted("a number greater than {gt:g}"),
    "greater_than_equal": _wanted("a number from {ge:g} up"),
    "less_than": _wanted("a number less than {lt:g}"),
    "less_than_equal": _wanted("a number up to {le:g}"),
    "string_pattern_mismatch": _wanted("small letters, digits and dashes"),
    "string_too_short": lambda value, ctx: _length(value, "least", ctx["min_length"]),
    "string_too_long": lambda value, ctx: _length(value, "most", ctx["max_length"]),
    "too_short": lambda value, ctx: _length(value, "least", ctx["min_length"]),
    "too_long": lambda value, ctx: _length(value, "most", ctx["max_length"]),
}


@lru_cache(maxsize=1)
def _composed(text: str) -> yaml.Node | None:
    """The nodes of a text; one sentence asks for them several times."""
    root: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    return root


def _path(text: str, keys: list[str]) -> str:
    """Where in a file: `grid.dx`, or `smoke, entry 1, hindrance` (counted as people do)."""
    node = _composed(text)
    told_so_far, after_entry = "", False
    for key in written_keys(text, keys):
        child = child_of(node, key)
        entry = isinstance(node, yaml.SequenceNode)
        word = f"entry {int(key) + 1}" if entry else key
        joint = "" if not told_so_far else ", " if entry or after_entry else "."
        told_so_far, after_entry = f"{told_so_far}{joint}{word}", entry
        node = child[1] if child is not None else None
    return told_so_far


def written_keys(text: str, keys: list[str]) -> list[str]:
    """Keys of an error's place that stand in the file (validators add their own)."""
    node = _composed(text)
    out = []
    for key in keys:
        child = child_of(node, key)
        if child is None:
            continue
        out.append(key)
        node = child[1]
    return out or keys[:1]


def child_of(node: yaml.Node | None, key: str) -> tuple[yaml.Node, yaml.Node] | None:
    """Key and value below a node of a YAML text, None where there is none."""
    if isinstance(node, yaml.MappingNode):
        for k, v in node.value:
            if str(k.value) == key:
                return k, v
    if isinstance(node, yaml.SequenceNode) and key.isdigit() and int(key) < len(node.value):
        return node.value[int(key)], node.value[int(key)]
    return None


def line_of(text: str, keys: list[str]) -> int | None:
    """Line (from 1) on which the thing at a path of keys stands."""
    node = _composed(text)
    line = None
    for key in keys:
        found = child_of(node, key)
        if found is not None:
            line, node = found[0].start_mark.line + 1, found[1]
    return line
