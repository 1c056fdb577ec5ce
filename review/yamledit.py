"""Change one value in a YAML text and leave every other byte as a person wrote it.

The text is edited at the marks that PyYAML gives its nodes and tokens: comments,
order, quotes, indentation, line ends and blank lines stay.  (A round trip through a
dumper, ruamel.yaml's included, keeps comments but not columns, quotes of every kind
and line breaks inside brackets.)  What comes out is parsed again and must be the old
content with exactly the edit applied, so that a style that is not foreseen here ends
in a refusal and never in a broken file.
"""

from __future__ import annotations

import math
from typing import Any

import yaml

from hexsight.model.errors import UsageError
from hexsight.model.yamlsafe import take_apart
from hexsight.review.yamleditor import Editor, Path

BOM = "\ufeff"


class YamlText:
    """A YAML text that is a mapping at its top, and what it says; edits give a new one.

    Parameters
    ----------
    text : str
        A byte order mark and any line ends are kept.
    where : str
        Name of the file for messages.

    Attributes
    ----------
    text : str
    content : dict
        What it says; not to be changed.
    root : yaml.MappingNode
        With marks; they count without the byte order mark.

    Raises
    ------
    UsageError
        If it is no YAML, holds a key twice, an alias, or no keys at all.
    """

    def __init__(self, text: str, where: str = "hexsight.yaml") -> None:
        self.text, self.where = text, where
        self._bom = BOM if text.startswith(BOM) else ""
        self._parsed = take_apart(text.removeprefix(BOM), where)
        if not isinstance(self._parsed.content, dict) or not isinstance(
            self._parsed.root, yaml.MappingNode
        ):
            raise UsageError(
                f"Cannot edit {where}: it holds no keys. Write at least 'source: FILE'."
            )
        self.content: dict[str, Any] = self._parsed.content
        self.root: yaml.MappingNode = self._parsed.root

    def get(self, path: Path) -> Any:
        """What stands at a path of keys, None when nothing does."""
        level: Any = self.content
        for key in path:
            level = level.get(key) if isinstance(level, dict) else None
        return level

    def set(self, path: Path, value: Any) -> YamlText:
        """The text with the value at a path of keys set; missing keys on the way are made.

        Parameters
        ----------
        path : tuple of str
            Keys from the top.
        value : None, bool, int, float, str, list or dict
            Written in flow style; None is YAML's ``null``.

        Raises
        ------
        UsageError
            If something on the way is no mapping, or is written in a way that cannot
            be edited (explicit ``? keys``, tags); names the line.
        """
        editor = Editor(self._parsed, self.text.removeprefix(BOM), self.where)
        editor.set(path, value)
        return self._checked(editor, _with(self.content, path, value))

    def remove(self, path: Path) -> YamlText:
        """The text without the entry at a path, and without mappings that are empty then.

        Comments beside or inside of what goes stay, on lines of their own.  A path that
        is not there leaves the text as it is.

        Raises
        ------
        UsageError
            As `set`.
        """
        wanted = _without(self.content, path)
        if _same(wanted, self.content):
            return self
        editor = Editor(self._parsed, self.text.removeprefix(BOM), self.where)
        editor.remove(path)
        return self._checked(editor, wanted)

    def _checked(self, editor: Editor, wanted: dict[str, Any]) -> YamlText:
        """The edited text, once it says what it must."""
        try:
            edited = YamlText(self._bom + editor.text, self.where)
        except UsageError:
            editor.refuse(editor.line)
        if not _same(edited.content, wanted):
            editor.refuse(editor.line)
        return edited


def _with(content: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    if len(path) == 1:
        return content | {path[0]: value}
    below = content.get(path[0])
    return content | {path[0]: _with(below if isinstance(below, dict) else {}, path[1:], value)}


def _without(content: dict[str, Any], path: Path) -> dict[str, Any]:
    if path[0] not in content:
        return content
    rest = {k: v for k, v in content.items() if k != path[0]}
    below = content[path[0]]
    if len(path) == 1:
        return rest
    if not isinstance(below, dict) or not (left := _without(below, path[1:])):
        return rest if isinstance(below, dict) and below else content
    return {k: left if k == path[0] else v for k, v in content.items()}


def _same(one: Any, other: Any) -> bool:
    """Equal in value, type (1 is not true) and order of keys."""
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(_same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other or (math.isnan(one) and math.isnan(other))
    return type(one) is type(other) and bool(one == other)
