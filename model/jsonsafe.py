"""JSON files checked against a schema in memory that stays near what the file takes.

Pydantic collects every mistake before it tells the first; a file of a few megabytes
with nothing but mistakes in it would take gigabytes.  Long files are therefore
checked entry by entry, which ends with the first wrong one.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter, ValidationError

# So many mistakes at once do no harm, so that most files are checked in one go.
MAX_VALUES = 200_000


def first_mistake(error: ValidationError, *before: object) -> str:
    """Where and what the first mistake is, in one line: ``hexes.3.name: Field required``."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(p) for p in (*before, *first["loc"])) or "the file"
    return f"{where}: {' '.join(first['msg'].split())}"


def check_json(data: bytes, whole: TypeAdapter[Any], entries: dict[str, TypeAdapter[Any]]) -> Any:
    """What a JSON file says, checked.

    Parameters
    ----------
    data : bytes
    whole : TypeAdapter
        Of the file.
    entries : dict of str to TypeAdapter
        Of the entries of each list at its top; every other part must be short.

    Raises
    ------
    ValueError
        If it is no JSON or not of that kind; tells the first mistake in one line.
    """
    try:
        if data.count(b",") <= MAX_VALUES:
            return whole.validate_json(data)
        content = json.loads(data)
        if isinstance(content, dict):
            _check_parts(content, entries)
        else:
            content = None
        return whole.validate_python(content, strict=False)
    except ValidationError as error:
        raise ValueError(first_mistake(error)) from error
    except RecursionError as error:
        raise ValueError("the file: it is nested too deeply") from error
    except MemoryError as error:
        raise ValueError("the file: it is too large for the memory") from error


def _check_parts(content: dict[str, Any], entries: dict[str, TypeAdapter[Any]]) -> None:
    for key, value in content.items():
        kind = entries.get(key)
        parts = value if kind is not None and isinstance(value, list) else [value]
        if len(content) > MAX_VALUES:
            raise ValueError("the file: it has too many keys")
        for place, part in enumerate(parts):
            if not _is_short(part):
                raise ValueError(f"{key[:80]}.{place}: it is too long")
            if kind is not None and parts is value:
                try:
                    kind.validate_python(part)
                except ValidationError as error:
                    raise ValueError(first_mistake(error, key, place)) from error


def _is_short(value: Any) -> bool:
    """Whether it holds no more values than may all be wrong at once."""
    waiting, seen = [value], 0
    while waiting:
        part = waiting.pop()
        if isinstance(part, (list, dict)):
            seen += len(part)
            if seen > MAX_VALUES:
                return False
            waiting.extend(part.values() if isinstance(part, dict) else part)
    return True
