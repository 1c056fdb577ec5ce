"""One door to YAML: safe types only, duplicate keys refused, errors with their line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from hexsight.model.errors import InputError, UsageError
from hexsight.model.inputs import read_input

MAX_BYTES = 20_000_000
# What a person writes stays far below: 200,000 tokens are some 14,000 corrections.
MAX_TOKENS = 200_000
MAX_DEPTH = 50
MAX_DIGITS = 100
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_OPENING = (
    yaml.BlockMappingStartToken,
    yaml.BlockSequenceStartToken,
    yaml.FlowMappingStartToken,
    yaml.FlowSequenceStartToken,
)
_CLOSING = (yaml.BlockEndToken, yaml.FlowMappingEndToken, yaml.FlowSequenceEndToken)


class _RefusedError(Exception):
    """What YAML allows and these files do not."""

    def __init__(self, mark: yaml.Mark, what: str) -> None:
        super().__init__(f", line {mark.line + 1}: {what}")


class _Loader(yaml.SafeLoader):
    """SafeLoader that refuses what a person writes by mistake, or to do harm.

    A key twice, an alias (which can blow a small file up to gigabytes), nesting and
    numbers beyond all reason.  It keeps the tokens that it passes.
    """

    def __init__(self, text: str) -> None:
        self.passed: list[yaml.Token] = []
        self._depth = 0
        super().__init__(text)

    def get_token(self) -> yaml.Token:
        """The next token, once it is found harmless."""
        token: yaml.Token = super().get_token()  # type: ignore[no-untyped-call]
        if isinstance(token, yaml.AliasToken):
            raise _RefusedError(
                token.start_mark, "aliases (*name) are not allowed. Write the value out."
            )
        if isinstance(token, yaml.ScalarToken) and _HALF_PAIR.search(token.value):
            raise _RefusedError(
                token.start_mark, "half of a surrogate pair is no character. Mend that line."
            )
        if isinstance(token, _OPENING):
            self._depth += 1
        elif isinstance(token, _CLOSING):
            self._depth -= 1
        if self._depth > MAX_DEPTH:
            raise _RefusedError(
                token.start_mark, f"it is nested more than {MAX_DEPTH} levels deep. Mend that line."
            )
        if len(self.passed) >= MAX_TOKENS:
            raise _RefusedError(
                token.start_mark,
                f"more than {MAX_TOKENS:,} words and signs are too many. Shorten the file.",
            )
        self.passed.append(token)
        return token


def _number(loader: _Loader, node: yaml.ScalarNode) -> Any:
    if len(node.value) > MAX_DIGITS:
        # 1:59:59… with a million places would be worked out for hours.
        raise yaml.constructor.ConstructorError(
            None, None, f"a number has more than {MAX_DIGITS} digits", node.start_mark
        )
    if node.tag.endswith(":int"):
        return loader.construct_yaml_int(node)
    return loader.construct_yaml_float(node)


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


def _tag_refused(loader: _Loader, node: yaml.Node) -> Any:
    what = f"the tag {node.tag.replace('tag:yaml.org,2002:', '!!')} is not used"
    raise yaml.constructor.ConstructorError(None, None, what, node.start_mark)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)
_Loader.add_constructor("tag:yaml.org,2002:merge", _alias_refused)
for _kind in ("binary", "omap", "pairs", "set"):
    # A set has no order, and nothing here is bytes.
    _Loader.add_constructor(f"tag:yaml.org,2002:{_kind}", _tag_refused)
_Loader.add_constructor("tag:yaml.org,2002:int", _number)
_Loader.add_constructor("tag:yaml.org,2002:float", _number)
# What PyYAML's constructors throw at values that do not fit their tag, as in "!!int ''".
_CONSTRUCT_ERRORS = (
    *(ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError),
    *(RecursionError, yaml.YAMLError),
)


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
        loader = _Loader(text)
        try:
            root = loader.get_single_node()
            content = None if root is None else loader.construct_document(root)
        finally:
            loader.dispose()
        return ParsedYaml(tuple(loader.passed), root, content)
    except _RefusedError as error:
        raise UsageError(f"Cannot read {where}{error}") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f", line {mark.line + 1}" if mark is not None else ""
        raise UsageError(
            f"Cannot read {where}{line}: {_line(error.problem)}. Mend that line."
        ) from error
    except _CONSTRUCT_ERRORS as error:
        raise UsageError(f"Cannot read {where}: it is not plain YAML ({_line(error)}).") from error


def _line(error: object) -> str:
    return " ".join(str(error).split())[:200]


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
        If the text is no YAML, holds a key twice, uses aliases, or is long or nested
        beyond all reason.
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
        data = read_input(path, MAX_BYTES)
    except FileNotFoundError as error:
        raise InputError(f"Cannot read {path}: {error.strerror}.") from error
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
