"""The edits themselves: where an entry of a YAML text starts and ends, and what goes in its place.

Works at the marks of PyYAML's nodes and tokens; `hexsight.review.yamledit` holds
every result against what it must say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import yaml

from hexsight.model.errors import UsageError
from hexsight.model.yamlsafe import ParsedYaml
from hexsight.review.yamlvalue import flow, word

Path = tuple[str, ...]
INDENT = 2
# Levels of keys that a new entry gets lines of its own for; deeper ones go into braces.
BLOCK_LEVELS = 2
_LINE_END = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")
_COMMENT = re.compile(r"#[^\n\r\x85\u2028\u2029]*")


@dataclass(frozen=True)
class _Entry:
    """A key and its value in a mapping."""

    key: yaml.Node
    value: yaml.Node


class Editor:
    """One edit of a text, by the marks of its nodes and tokens."""

    def __init__(self, parsed: ParsedYaml, text: str, where: str) -> None:
        self.text, self.where, self.line = text, where, 1
        # What stands in the text: marks of structure (block ends and the like) are empty.
        self.tokens = [t for t in parsed.tokens if t.end_mark.index > t.start_mark.index]
        self.root = parsed.root
        found = _LINE_END.search(text)
        self.nl = found.group() if found else "\n"
        self.step = _step(parsed.root) or INDENT

    def refuse(self, line: int) -> NoReturn:
        """Give up the edit.

        Raises
        ------
        UsageError
            Always: names file and line and says how to write it.
        """
        raise UsageError(
            f"Cannot edit {self.where}, line {line}: it is written in a way that a program cannot "
            "change safely. Write it as docs/correct.md does, or make this change by hand."
        )

    # -- finding ------------------------------------------------------------------

    def _entry(self, mapping: yaml.Node | None, key: str) -> _Entry | None:
        if not isinstance(mapping, yaml.MappingNode):
            return None
        for k, v in mapping.value:
            if isinstance(k, yaml.ScalarNode) and k.value == key and k.tag.endswith(":str"):
                self.line = k.start_mark.line + 1
                return _Entry(k, v)
        return None

    def _end(self, node: yaml.Node) -> int:
        """Where the text of a node ends: of block collections before comments that follow."""
        if isinstance(node, (yaml.MappingNode, yaml.SequenceNode)) and not node.flow_style:
            if not node.value:
                return int(node.end_mark.index)
            last = node.value[-1]
            return self._end(last[1] if isinstance(node, yaml.MappingNode) else last)
        end = int(node.end_mark.index)
        if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
            # A block scalar's mark lies at the start of a later line.
            end = int(node.start_mark.index) + len(
                self.text[node.start_mark.index : end].rstrip(" \n\r\x85\u2028\u2029")
            )
        return end

    def _line_start(self, at: int) -> int:
        last = 0
        for found in _LINE_END.finditer(self.text, 0, at):
            last = found.end()
        return last

    def _line_end(self, at: int) -> tuple[int, int]:
        """Start and end of the line break after a place (both the text's end without one)."""
        found = _LINE_END.search(self.text, at)
        return found.span() if found else (len(self.text), len(self.text))

    def _comments(self, start: int, end: int) -> list[str]:
        """Comments between two places: in the gaps between tokens only, not in texts."""
        out, at = [], start
        for token in [*self.tokens, None]:
            first = token.start_mark.index if token else end
            if first >= at:
                out += _COMMENT.findall(self.text[at : min(first, end)])
            if token is not None:
                at = max(at, token.end_mark.index)
            if at >= end:
                break
        return out

    def _comma(self, start: int, end: int) -> int | None:
        """Place of the comma token between two places."""
        for token in self.tokens:
            if isinstance(token, yaml.FlowEntryToken) and start <= token.start_mark.index < end:
                return int(token.start_mark.index)
        return None

    def _colon(self, entry: _Entry) -> int | None:
        """Place after the colon of an entry, None for a key without one."""
        stop = max(self._end(entry.value), entry.key.end_mark.index + 1)
        for token in self.tokens:
            at = token.start_mark.index
            if isinstance(token, yaml.ValueToken) and entry.key.end_mark.index <= at <= stop:
                return int(token.end_mark.index)
        return None

    # -- setting ------------------------------------------------------------------

    def set(self, path: Path, value: Any) -> None:
        """Give the key at `path` a value, with all mappings that are missing on the way.

        Parameters
        ----------
        path : tuple of str
            Keys from the top of the file.
        value : any
            What YAML's scalars, lists and mappings can hold.

        Raises
        ------
        UsageError
            If the place is written in a way that cannot be edited safely.
        """
        node: yaml.Node | None = self.root
        depth, entry = 0, None
        while depth < len(path):
            if not isinstance(node, yaml.MappingNode):
                break
            found = self._entry(node, path[depth])
            if found is None:
                break
            entry, node, depth = found, found.value, depth + 1
        if depth == len(path) and entry is not None:
            self._replace(entry, value)
        elif isinstance(node, yaml.MappingNode):
            self._insert(node, path[depth:], value, depth)
        elif entry is not None and isinstance(node, yaml.ScalarNode) and node.tag.endswith(":null"):
            self._fill(entry, path[depth:], value, depth)
        else:
            self.refuse(self.line)

    def _replace(self, entry: _Entry, value: Any) -> None:
        """Write a new value in place of the old one; comments inside of it move below."""
        node = entry.value
        start, end = int(node.start_mark.index), self._end(node)
        colon = self._colon(entry)
        new = flow(value)
        if colon is None:
            self._cut(entry.key.end_mark.index, entry.key.end_mark.index, f": {new}")
            return
        if start == end or start < colon:  # nothing stands there
            self._cut(colon, colon, f" {new}")
            return
        kept = self._comments(colon, end)
        if not kept and not _LINE_END.search(self.text, colon, start):
            gap = "" if start > colon else " "
            self._cut(start, end, gap + new)
            return
        # Over several lines: the value moves up to its key.
        first_break = self._line_end(colon)[0]
        head = self.text[colon:first_break] if first_break < start else ""
        tail_end = self._line_end(end)[0]
        tail = self.text[end:tail_end]
        if head.strip() and not tail.strip():
            kept = kept[1:]  # beside the key: it stays where it is
        elif tail.strip():
            head = ""
        below = "".join(self.nl + " " * entry.key.start_mark.column + c for c in kept)
        self._cut(colon, tail_end, f" {new}{head.rstrip()}{tail}{below}")

    def _insert(self, mapping: yaml.MappingNode, path: Path, value: Any, depth: int) -> None:
        """A new entry at the end of a mapping."""
        if mapping.flow_style:
            self._insert_flow(mapping, _braced(path, value))
            return
        if not mapping.value:
            self.refuse(mapping.start_mark.line + 1)
        first_key = mapping.value[0][0]
        column = int(first_key.start_mark.column)
        between = self.text[mapping.start_mark.index : first_key.start_mark.index]
        if between.strip() or self.text[first_key.start_mark.index] == "?":
            self.refuse(first_key.start_mark.line + 1)
        self._insert_lines(self._end(mapping.value[-1][1]), path, value, depth, column)

    def _insert_lines(self, after: int, path: Path, value: Any, depth: int, column: int) -> None:
        """New lines below the one that holds a place."""
        lines, indent = [], column
        rest = list(path)
        while depth + 1 <= BLOCK_LEVELS and len(rest) > 1:
            lines.append(" " * indent + word(rest.pop(0)) + ":")
            indent, depth = indent + self.step, depth + 1
        lines.append(" " * indent + _braced(tuple(rest), value))
        start, end = self._line_end(after)
        if start == end:  # the last line has no end, and the new last one gets none
            self._cut(start, end, self.nl + self.nl.join(lines))
        else:
            self._cut(end, end, "".join(line + self.nl for line in lines))

    def _insert_flow(self, mapping: yaml.MappingNode, new: str) -> None:
        close = int(mapping.end_mark.index) - 1
        if not mapping.value:
            at = self.text.index("{", mapping.start_mark.index) + 1
            space = " " if self.text[at] == "#" else ""
            self._cut(at, at, new + space)
            return
        end = self._end(mapping.value[-1][1])
        end = max(end, self._end(mapping.value[-1][0]))
        comma = self._comma(end, close)
        if comma is None:
            self._cut(end, end, f", {new}")
        else:
            self._cut(comma + 1, comma + 1, f" {new},")

    def _fill(self, entry: _Entry, path: Path, value: Any, depth: int) -> None:
        """Put a mapping where a key has no value yet."""
        node = entry.value
        colon = self._colon(entry)
        start, end = int(node.start_mark.index), int(node.end_mark.index)
        inside = self._in_flow(entry.key.start_mark.index)
        if colon is None or inside:
            self._replace(entry, _nested(path, value))
            return
        if end > start >= colon:
            # ~ or null goes; what stands before it is a blank.
            self._cut(len(self.text[:start].rstrip(" \t")), end, "")
        column = int(entry.key.start_mark.column) + self.step
        self._insert_lines(colon, path, value, depth, column)

    def _in_flow(self, at: int) -> bool:
        """Whether a place lies inside braces or brackets."""
        depth = 0
        for token in self.tokens:
            if token.start_mark.index >= at:
                break
            if isinstance(token, (yaml.FlowMappingStartToken, yaml.FlowSequenceStartToken)):
                depth += 1
            if isinstance(token, (yaml.FlowMappingEndToken, yaml.FlowSequenceEndToken)):
                depth -= 1
        return depth > 0

    # -- removing -----------------------------------------------------------------

    def remove(self, path: Path) -> None:
        """Take the key at `path` out, with the mappings that would then be empty.

        A key that is not there is no error.

        Raises
        ------
        UsageError
            If the place is written in a way that cannot be edited safely.
        """
        chain: list[tuple[yaml.MappingNode, _Entry]] = []
        node: yaml.Node | None = self.root
        for key in path:
            entry = self._entry(node, key)
            if entry is None or not isinstance(node, yaml.MappingNode):
                return
            chain.append((node, entry))
            node = entry.value
        # The topmost mapping that would be empty goes whole.
        at = len(chain) - 1
        while at > 0 and len(chain[at][0].value) == 1:
            at -= 1
        mapping, entry = chain[at]
        if mapping.flow_style:
            self._remove_flow(mapping, entry)
        else:
            self._remove_lines(entry)

    def _remove_lines(self, entry: _Entry) -> None:
        start = self._line_start(entry.key.start_mark.index)
        if self.text[start : entry.key.start_mark.index].strip():
            self.refuse(entry.key.start_mark.line + 1)
        end = max(self._end(entry.value), self._colon(entry) or 0)
        line_end, after = self._line_end(end)
        kept = self._comments(entry.key.end_mark.index, line_end)
        column = " " * int(entry.key.start_mark.column)
        new = "".join(column + comment + self.nl for comment in kept)
        if after == line_end:  # the last line, without an end
            new = new.removesuffix(self.nl)
            if not new and start:
                before = self._line_start(start - 1) if start else 0
                found = list(_LINE_END.finditer(self.text, before, start))
                start = found[-1].start() if found else start
        self._cut(start, after, new)

    def _remove_flow(self, mapping: yaml.MappingNode, entry: _Entry) -> None:
        keys = [k for k, _ in mapping.value]
        place = keys.index(entry.key)
        start = int(entry.key.start_mark.index)
        end = max(self._end(entry.value), int(entry.key.end_mark.index), self._colon(entry) or 0)
        comma = self._comma(end, int(mapping.end_mark.index))
        if comma is not None and (place + 1 < len(keys) or place == 0):
            stop = comma + 1
            while self.text[stop : stop + 1] in (" ", "\t"):
                stop += 1
            cuts = [(start, stop)]
        elif place > 0:
            before = self._comma(self._end(mapping.value[place - 1][1]), start)
            if before is None:
                self.refuse(entry.key.start_mark.line + 1)
            between = self.text[before:start]
            one = not self._comments(before, start) and not _LINE_END.search(between)
            cuts = [(before, end)] if one else [(start, end), (before, before + 1)]
        else:
            cuts = [(start, end)]
        for first, last in cuts:
            kept = self._comments(first, last)
            if kept:
                pad = " " * int(entry.key.start_mark.column)
                self._cut(first, last, "".join(f" {c}{self.nl}{pad}" for c in kept))
            else:
                self._cut_line(first, last)

    def _cut_line(self, start: int, end: int) -> None:
        """Take a part out, and its line when nothing is left on it."""
        line, (line_end, after) = self._line_start(start), self._line_end(end)
        rest = self.text[line:start] + self.text[end:line_end]
        if not rest.strip():
            self._cut(line, after, "")
        else:
            self._cut(start, end, "")

    def _cut(self, start: int, end: int, new: str) -> None:
        self.text = self.text[:start] + new + self.text[end:]


def _step(node: yaml.Node | None) -> int:
    """By how much the first nested keys of a text are indented, 0 when none are."""
    if not isinstance(node, yaml.MappingNode) or node.flow_style:
        return 0
    for _, value in node.value:
        if isinstance(value, yaml.MappingNode) and not value.flow_style:
            return max(0, int(value.start_mark.column) - int(node.start_mark.column))
    return 0


def _nested(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _braced(path: Path, value: Any) -> str:
    """``key: value`` with deeper keys in braces."""
    return f"{word(path[0])}: {flow(_nested(path[1:], value))}"
