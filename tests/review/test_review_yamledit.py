"""Editing hexsight.yaml: what is not touched stays, byte for byte."""

from __future__ import annotations

import random
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hexsight.model.errors import UsageError
from hexsight.review.yamledit import YamlText
from hexsight.review.yamlvalue import flow, word

NAMES = ["K15", "L3", "N", "1205", "A1-A2", "-BDD", "Y", "1e5", "null", "x: y", "½", "it's", "#1"]
LEAVES: list[Any] = [
    True,
    False,
    2,
    1.5,
    "Woods",
    "none",
    "no",
    "1½",
    [0, 0.5],
    [[1, 2], [3.25, 4]],
]


class Ugly:
    """Writes a mapping of overrides in a style that changes from key to key."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)

    def key(self, name: str) -> str:
        return self.r.choice([word(name), "'" + name.replace("'", "''") + "'", f'"{name}"'])

    def leaf(self, value: Any) -> str:
        if isinstance(value, str):
            return self.r.choice([word(value), f'"{value}"'])
        return flow(value)

    def comment(self) -> str:
        return self.r.choice(["", "", "", "   # it's: {odd} [one", " #", " # tab"])

    def own_lines(self, indent: int) -> list[str]:
        choices = [[], [], [], [""], [" " * indent + "# K15: {a: 1}"], ["# far left", "   "]]
        return list(self.r.choice(choices))

    def flow_map(self, content: dict[str, Any], indent: int) -> str:
        parts = []
        for k, v in content.items():
            shown = self.flow_map(v, indent + 2) if isinstance(v, dict) else self.leaf(v)
            parts.append(f"{self.key(k)}: {shown}")
        style = self.r.randrange(4)
        if style == 0:
            return "{" + ", ".join(parts) + "}"
        if style == 1:
            return "{ " + " ,  ".join(parts) + (", }" if parts else "}")
        pad = "\n" + " " * (indent + 2)
        joint = "," + (self.comment() if style == 3 else "") + pad
        tail = self.r.choice([",", ""]) if parts else ""
        return "{" + pad + joint.join(parts) + tail + self.comment() + pad + "}"

    def block_map(self, content: dict[str, Any], indent: int, step: int) -> list[str]:
        out: list[str] = []
        for k, v in content.items():
            out += self.own_lines(indent)
            head = " " * indent + self.key(k) + ":"
            if isinstance(v, dict):
                if v and self.r.random() < 0.5:
                    out.append(head + self.comment())
                    out += self.block_map(v, indent + step, step)
                else:
                    out.append(f"{head} {self.flow_map(v, indent)}{self.comment()}")
            elif isinstance(v, list) and not isinstance(v[0], list) and self.r.random() < 0.4:
                out.append(head + self.comment())
                out += [" " * (indent + step) + f"- {flow(x)}{self.comment()}" for x in v]
            elif self.r.random() < 0.1:
                out.append(head)
                out.append(" " * (indent + step) + self.leaf(v) + self.comment())
            else:
                out.append(f"{head}{self.r.choice([' ', '  '])}{self.leaf(v)}{self.comment()}")
        return out

    def text(self, content: dict[str, Any]) -> str:
        lines = self.own_lines(0) + self.block_map(content, 0, self.r.choice([2, 3, 4]))
        lines += self.own_lines(0)
        if self.r.random() < 0.2:
            lines.insert(0, "---")
        joined = "\n".join(lines) + self.r.choice(["", "\n"])
        joined = joined.replace("\n", self.r.choice(["\n", "\n", "\r\n"]))
        return self.r.choice(["", "", "\ufeff"]) + joined


FACTS = st.dictionaries(
    st.sampled_from(["roofless", "height", "terrain", "bar"]), st.sampled_from(LEAVES), min_size=1
)
PLACES = st.dictionaries(st.sampled_from(NAMES), FACTS, min_size=1, max_size=4)
CONTENT = st.fixed_dictionaries(
    {"source": st.sampled_from(["a.png", "two words.vmod"])},
    optional={
        "overrides": st.dictionaries(st.sampled_from(["hexes", "hexsides"]), PLACES, min_size=1),
        "board": st.sampled_from(["Main map", "on"]),
        "grid": st.just({"dx": 56.25, "dy": 64.5}),
    },
)
PATHS = st.one_of(
    st.tuples(
        st.just("overrides"),
        st.sampled_from(["hexes", "hexsides"]),
        st.sampled_from(NAMES),
        st.sampled_from(["roofless", "height", "terrain", "bar"]),
    ),
    st.tuples(st.just("overrides"), st.sampled_from(["hexes", "hexsides"]), st.sampled_from(NAMES)),
    st.tuples(st.just("grid")),
    st.tuples(st.just("grid"), st.sampled_from(["dx", "x0"])),
)


def put(content: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for key in path[:-1]:
        content = content.setdefault(key, {})
    content[path[-1]] = value


def take(content: dict[str, Any], path: tuple[str, ...]) -> None:
    if path[0] not in content:
        return
    if len(path) == 1:
        del content[path[0]]
    elif isinstance(content[path[0]], dict):
        had = bool(content[path[0]])
        take(content[path[0]], path[1:])
        if had and not content[path[0]]:
            del content[path[0]]


def copied(content: Any) -> Any:
    if isinstance(content, dict):
        return {k: copied(v) for k, v in content.items()}
    return list(content) if isinstance(content, list) else content


def comments(text: str) -> list[str]:
    """The comments that the generator writes, each as often as it stands there."""
    known = ("# it's: {odd} [one", "# tab", "# far left")
    return [c for c in known for _ in range(text.count(c))]


EDITS = st.lists(st.tuples(PATHS, st.sampled_from([*LEAVES, None])), min_size=1, max_size=6)


@settings(max_examples=150, deadline=None)
@given(CONTENT, st.integers(0, 10**9), EDITS)
def test_an_edit_says_what_it_should_and_leaves_the_rest(
    content: dict[str, Any], seed: int, edits: list[tuple[tuple[str, ...], Any]]
) -> None:
    text = Ugly(seed).text(content)
    document = YamlText(text)
    assert document.content == content
    content = copied(content)
    for path, leaf in edits:
        before, value = document, leaf
        if value is None:
            document = document.remove(path)
            take(content, path)
        else:
            if len(path) < 4 and path[0] == "overrides":
                value = {"roofless": value}
            if path == ("grid",):
                value = {"dx": 50}
            document = document.set(path, value)
            put(content, path, value)
        assert yaml.safe_load(document.text) == content
        assert comments(document.text) == comments(before.text)
        # Lines that stand before and after the edit are the same bytes.
        old, new = before.text.split("\n"), document.text.split("\n")
        same = 0
        while same < min(len(old), len(new)) and old[same] == new[same]:
            same += 1
        back = 0
        while back < min(len(old), len(new)) - same and old[-1 - back] == new[-1 - back]:
            back += 1
        changed = old[same : len(old) - back]
        assert len(changed) <= _span(before, path, value is None), changed


def _span(document: YamlText, path: tuple[str, ...], removed: bool) -> int:
    """How many lines an edit may change: those of the entry, or one to hang a new one on."""
    node: yaml.Node = document.root
    found: list[tuple[yaml.MappingNode, yaml.Node, yaml.Node]] = []
    for key in path:
        entries = node.value if isinstance(node, yaml.MappingNode) else []
        here = [(k, v) for k, v in entries if k.value == key]
        if not here:
            break
        found.append((node, *here[0]))
        node = here[0][1]
    if len(found) < len(path):
        return 0 if removed else 1
    while removed and len(found) > 1 and len(found[-1][0].value) == 1:
        found.pop()
    _, key_node, value_node = found[-1]
    return value_node.end_mark.line - key_node.start_mark.line + 2


@pytest.mark.parametrize(
    "value",
    [*NAMES, "", " ", "a#b", "é", "\n", "true", "1_000", "0x1f", "12:30", "=", "<<", "2026-01-01"],
)
def test_a_word_reads_back_as_a_text(value: str) -> None:
    assert yaml.safe_load("{" + word(value) + ": " + word(value) + "}") == {value: value}


@pytest.mark.parametrize(
    "text",
    [
        "? source\n: a.png\n? overrides\n: {hexes: {K15: {level: 1}}}\n",
        "source: a.png\noverrides: !!map {hexes: {K15: {level: 1}}}\n",
        "source: a.png\noverrides: &x\n  hexes:\n    K15: {level: 1}\n",
        "{source: a.png, overrides: {hexes: {K15: {level: 1}}}}\n",
        "source: a.png\noverrides: {hexes: {K15: {level: 1, terrain: |-\n  Woods\n }}}\n",
    ],
)
def test_what_is_written_oddly_is_edited_rightly_or_refused_with_its_line(text: str) -> None:
    try:
        document = YamlText(text)
    except UsageError as error:
        assert "line" in str(error)
        return
    for edit in (
        lambda d: d.set(("overrides", "hexes", "K15", "level"), 2),
        lambda d: d.set(("overrides", "hexes", "L3", "level"), 2),
        lambda d: d.remove(("overrides", "hexes", "K15")),
    ):
        try:
            edit(document)
        except UsageError as error:
            assert "line" in str(error)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("source: a", "source: a\noverrides:\n  hexes:\n    K15: {level: 1}"),
        ("source: a\n", "source: a\noverrides:\n  hexes:\n    K15: {level: 1}\n"),
        ("source: a\r\n", "source: a\r\noverrides:\r\n  hexes:\r\n    K15: {level: 1}\r\n"),
        (
            "overrides:   # mine\n  # hexes:\nsource: a\n",
            "overrides:   # mine\n  hexes:\n    K15: {level: 1}\n  # hexes:\nsource: a\n",
        ),
        ("overrides: ~  # none\n", "overrides:  # none\n  hexes:\n    K15: {level: 1}\n"),
        ("overrides: {}\n", "overrides: {hexes: {K15: {level: 1}}}\n"),
        ("overrides: {hexes: }\n", "overrides: {hexes: {K15: {level: 1}} }\n"),
        (
            "overrides:\n    hexes:\n        L3:\n            level: 2\n",
            "overrides:\n    hexes:\n        L3:\n            level: 2\n        K15: {level: 1}\n",
        ),
        (
            "overrides:\n  hexes:\n    K15:\n      # why\n      roofless: true\n",
            "overrides:\n  hexes:\n    K15:\n      # why\n      roofless: true\n      level: 1\n",
        ),
        ("overrides: {hexes: {K15: {level: 2}}}\n", "overrides: {hexes: {K15: {level: 1}}}\n"),
        ("{source: a}\n", "{source: a, overrides: {hexes: {K15: {level: 1}}}}\n"),
        (
            "notes: |\n  overrides:\n    none\n\n",
            "notes: |\n  overrides:\n    none\noverrides:\n  hexes:\n    K15: {level: 1}\n\n",
        ),
    ],
)
def test_a_new_entry_is_written_as_a_person_would(text: str, wanted: str) -> None:
    assert YamlText(text).set(("overrides", "hexes", "K15", "level"), 1).text == wanted


def test_an_alias_or_a_key_that_stands_twice_is_refused() -> None:
    for text in ("a: &x {b: 1}\nc: *x\n", "a: 1\na: 2\n", "- a\n", ""):
        with pytest.raises(UsageError):
            YamlText(text)
