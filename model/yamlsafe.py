"""One door to YAML: safe types only, duplicate keys refused, errors with their line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from hexsight.model.errors import InputError, UsageError

MAX_BYTES = 20_000_000


class _Loader(yaml.SafeLoader):
    """SafeLoader that refuses what a person writes by mistake: a key twice."""


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: set[Any] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        try:
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} stands twice", key_node.start_mark
                )
            seen.add(key)
        except TypeError as error:
            raise yaml.constructor.ConstructorError(
                None, None, "a key must be a word or a number", key_node.start_mark
            ) from error
    return loader.construct_mapping(node, deep=True)


def _alias_refused(loader: _Loader, node: yaml.Node) -> Any:
    raise yaml.constructor.ConstructorError(None, None, "merge keys are not used", node.start_mark)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)
_Loader.add_constructor("tag:yaml.org,2002:merge", _alias_refused)


@dataclass(frozen=True, eq=False)
class ParsedYaml:
    """A YAML text taken apart.

    Attributes
    ----------
    tokens : tuple of yaml.Token
    root : yaml.Node or None
        With marks; None of an empty text.
    content : object
        What it says.
    """

    tokens: tuple[yaml.Token, ...]
    root: yaml.Node | None
    content: Any


def take_apart(text: str, where: str) -> ParsedYaml:
    """Parse a YAML text and keep the marks of where everything stands.

    Parameters and errors are those of `parse_yaml`.
    """
    try:
        tokens = tuple(yaml.scan(text, Loader=_Loader))
        for token in tokens:
            if isinstance(token, yaml.AliasToken):
                line = token.start_mark.line + 1
                raise UsageError(
                    f"Cannot read {where}, line {line}: aliases (*name) are not allowed. "
                    "Write the value out."
                )
        loader = _Loader(text)
        try:
            root = loader.get_single_node()
            content = None if root is None else loader.construct_document(root)
        finally:
            loader.dispose()
        return ParsedYaml(tokens, root, content)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f", line {mark.line + 1}" if mark is not None else ""
        raise UsageError(f"Cannot read {where}{line}: {error.problem}. Mend that line.") from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise UsageError(f"Cannot read {where}: it is not plain YAML ({error}).") from error


def parse_yaml(text: str, where: str) -> Any:
    """Parse a YAML text.

    Parameters
    ----------
    text : str
        The text.
    where : str
        Name of the file for messages.

    Raises
    ------
    UsageError
        If the text is no YAML, holds a key twice, or uses anchors (an
        alias can blow a small file up to gigabytes).
    """
    return take_apart(text, where).content


def read_text(path: Path) -> str:
    """Text of a file that a person wrote.

    Raises
    ------
    InputError
        If the file cannot be read, is not UTF-8 or is larger than 20 MB.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror or error}.") from error
    if len(data) > MAX_BYTES:
        raise InputError(f"Cannot read {path}: it is larger than {MAX_BYTES // 1_000_000} MB.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"Cannot read {path}: it is not UTF-8 text. Save it as UTF-8.") from error


def load_yaml(path: Path) -> Any:
    """Read a YAML file; the rest as `parse_yaml`.

    Raises
    ------
    InputError
        If the file cannot be read, is not UTF-8 or is larger than 20 MB.
    UsageError
        If its content is wrong.
    """
    return parse_yaml(read_text(path), str(path))
