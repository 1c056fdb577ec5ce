"""Where in a YAML file a thing stands, and what is wrong with it in one sentence."""

from __future__ import annotations

import yaml
from pydantic import ValidationError


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
    said = first["msg"].removeprefix("Value error, ")
    return f"{place}: {'.'.join(written_keys(text, keys))}: {said}."


def written_keys(text: str, keys: list[str]) -> list[str]:
    """Keys of an error's place that stand in the file (validators add their own)."""
    node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
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
    node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    line = None
    for key in keys:
        found = child_of(node, key)
        if found is not None:
            line, node = found[0].start_mark.line + 1, found[1]
    return line
