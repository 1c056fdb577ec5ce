"""The house rules that no linter knows: short files, and marks that say what is left to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST_LINES = 500
REASON = re.compile(r"Longer than 500 lines because \w+( \S+){2,}")
SOURCES = {".py", ".js", ".css", ".java"}
# Put together so that this file holds none of them.
MARK = re.compile(
    r"\b({})\b".format("|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")))
)
EXPLAINED = re.compile(r"[:)]\s*\w+( \S+){4,}")
PLACES = (
    ".ci", "benchmarks", "companion", "docs", "export", "extract", "hexsight", "los", "model",
    "review", "samples", "tests", "validators",
)  # fmt: skip


def _files() -> Iterator[tuple[str, str]]:
    """Name and text of every source file of ours, in a fixed order."""
    for place in PLACES:
        for path in sorted((ROOT / place).rglob("*")):
            made = any(p.startswith("_made") or p == "__pycache__" for p in path.parts)
            if path.suffix in SOURCES and path.is_file() and not made:
                yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def test_a_long_file_says_why_it_is_long():
    long = {
        name: count
        for name, text in _files()
        if (count := len(text.splitlines())) > MOST_LINES and not REASON.search(text)
    }
    assert not long, f"split them, or let a line say 'Longer than {MOST_LINES} lines because …'"


def test_what_is_left_to_do_is_explained():
    bare = [
        f"{name}: {line.strip()}"
        for name, text in _files()
        for line in text.splitlines()
        if (found := MARK.search(line)) and not EXPLAINED.search(line[found.end() :])
    ]
    assert not bare, "write what is to be done and what it waits for behind the mark, or do it"
