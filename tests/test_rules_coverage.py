"""docs/rules-coverage.md: each statement has a test that cites its rule, or a reason."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/rules-coverage.md"
SEEDS = ("000", "001", "003", "004")


@dataclass(frozen=True)
class Row:
    """One row of a table."""

    line: int
    seed: str
    rule: str
    says: str
    tests: tuple[str, ...]
    reason: str


def rows(text: str) -> list[Row]:
    out, seed = [], ""
    for number, line in enumerate(text.splitlines(), 1):
        heading = re.match(r"## .*?\b(\d{3})\b", line)
        if heading:
            seed = heading[1]
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if not line.startswith("|") or set(line) <= set("|-: ") or cells[0] == "rule":
            continue
        assert len(cells) == 4, f"{PAGE.name}, line {number}: {len(cells)} cells"
        tests = tuple(t.strip(" `") for t in re.split(r"<br>|, ", cells[2]) if t.strip())
        out.append(Row(number, seed, cells[0], cells[1], tests, cells[3]))
    return out


ROWS = rows(PAGE.read_text(encoding="utf-8"))
NAMED = sorted({(t, row) for row in ROWS for t in row.tests}, key=lambda p: (p[1].line, p[0]))


@lru_cache
def docstrings(file: str) -> dict[str, str]:
    """Docstrings of the test functions of a file by their name, classes before them."""
    out: dict[str, str] = {}

    def walk(body: list[ast.stmt], above: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                walk(node.body, f"{above}{node.name}::")
            elif isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                out[above + node.name] = ast.get_docstring(node) or ""

    walk(ast.parse((ROOT / file).read_text(encoding="utf-8")).body, "")
    return out


def cited(rule: str, docstring: str) -> bool:
    """Whether a docstring holds the numbers of a rule, and not only longer ones."""
    words = re.sub(r"\(.*?\)", "", rule).split()
    numbers = [w for w in words if re.fullmatch(r"\d{3}|O?\d+(\.\d+)+[A-Z]?", w)]
    wanted = numbers or words
    return all(
        re.search(rf"(?<![\d.]){re.escape(w.lstrip('O'))}(?![\dA-Za-z]|\.\d)", docstring)
        for w in wanted
    )


def test_every_seed_has_its_rows():
    assert {row.seed for row in ROWS} == set(SEEDS)
    assert all(row.says and row.rule for row in ROWS)
    doubled = [r.line for r in ROWS if sum(o.rule == r.rule and o.seed == r.seed for o in ROWS) > 1]
    assert not doubled, f"rules listed twice in lines {doubled}"


@pytest.mark.parametrize("row", ROWS, ids=lambda r: f"{r.seed} {r.rule}")
def test_a_row_has_a_test_or_a_reason(row: Row):
    assert row.tests or len(row.reason) > 10, f"{PAGE.name}, line {row.line}"


@pytest.mark.parametrize(
    ("name", "row"), NAMED, ids=lambda v: v if isinstance(v, str) else f"{v.seed} {v.rule}"
)
def test_the_test_is_there_and_cites_its_rule(name: str, row: Row):
    file, _, function = name.partition("::")
    assert (ROOT / file).is_file(), f"{PAGE.name}, line {row.line}: no file {file}"
    found = docstrings(file)
    assert function in found, f"{PAGE.name}, line {row.line}: no test {function} in {file}"
    assert cited(row.rule, found[function]), (
        f"{PAGE.name}, line {row.line}: the docstring of {name} does not cite {row.rule}"
    )


def test_citing_is_exact():
    assert cited("O5.4 (2)", "O5.4, O5.41.")
    assert not cited("O5.4", "O5.41.")
    assert cited("001 5.3", "001 5.2, 5.3: north.")
    assert not cited("001 5.3", "001 15.3")
    assert not cited("10.9.3B", "10.9.3: A")
    assert cited("10.9.3B (5)", "10.9.3B")
    assert cited("O5.43 EX 2 A", "the second example of O5.43")
    assert not cited("Reciprocity (1)", "10.9.5")
