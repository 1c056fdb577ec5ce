"""YAML: safe, no key twice, errors with their line."""

from __future__ import annotations

import pytest

from hexsight.model.errors import InputError, UsageError
from hexsight.model.yamlsafe import load_yaml, parse_yaml


def test_plain_values():
    assert parse_yaml("a: 1\nb: [x, 2.5]\n", "f") == {"a": 1, "b": ["x", 2.5]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb: 2\na: 3\n", "line 3: the key 'a' stands twice"),
        ("a: &x [1]\nb: *x\n", "line 2: aliases"),
        ("a: !!python/object/apply:os.system [ls]\n", "line 1"),
        ("a: [1\n", "line"),
        ("? [1, 2]\n: 3\n", "a key must be"),
        ("\x00", "no plain YAML|not plain YAML"),
        ("[" * 3000, "line 1: it is nested more than"),
        ("- " * 3000, "line 1: it is nested more than"),
        ("a: b\nc: [" + "1," * 100_001 + "]", "line 2: more than"),
        ("a: " + "1:" * 60 + "1", "line 1: a number has more than"),
        ("a: !!int ''", "not plain YAML"),
        ("a: !!bool x", "not plain YAML"),
        ("a: !!timestamp x", "not plain YAML"),
        ('a: "\\ud800"', "line 1: half of a surrogate pair"),
    ],
)
def test_what_is_refused(text, said):
    with pytest.raises(UsageError, match=said):
        parse_yaml(text, "f.yaml")


def test_files(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        load_yaml(tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"a: \xff\xfe")
    with pytest.raises(InputError, match="UTF-8"):
        load_yaml(tmp_path / "latin.yaml")
    (tmp_path / "bom.yaml").write_bytes(b"\xef\xbb\xbfa: 1\n")
    assert load_yaml(tmp_path / "bom.yaml") == {"a": 1}
