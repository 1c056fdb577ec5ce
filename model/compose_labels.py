"""Hexrows by the label that players call them: column Q, row 5.

Names of hexes are put together from a column and a row in many ways ("Q5",
"1605", "16.05").  How it is done on a board is found from all its names: the
parts must tell columns apart, and rows within a column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from hexsight.model.layout import to_lattice

Split = Callable[[str], tuple[str, str] | None]
Named = tuple[int, int, str]

_PATTERNS = (
    re.compile(r"(-?[A-Za-z]+)(-?\d+)"),
    re.compile(r"(-?\d+)(-?[A-Za-z]+)"),
    re.compile(r"([^\W_]+)[\W_]+([^\W_]+)"),
)


@dataclass(frozen=True)
class Hexrows:
    """Columns and rows of a board by label.

    Attributes
    ----------
    columns : dict of str to int
        Column of a label or of a hex name.
    rows : dict of str to tuple of int
        Lattice Y of the centres that a label stands for: one in even columns,
        one in odd ones, where they have it.
    """

    columns: dict[str, int]
    rows: dict[str, tuple[int, ...]]


def key_of(label: str) -> str:
    """Form in which labels are compared: case and leading zeros do not matter."""
    text = label.strip().casefold()
    return str(int(text)) if re.fullmatch(r"-?[0-9]{1,9}", text) else text


def hexrows(cells: Iterable[Named]) -> Hexrows:
    """Labels of the columns and rows of a board.

    Parameters
    ----------
    cells : iterable of (col, row, name)

    Returns
    -------
    Hexrows
        Hex names themselves always count as labels of their column and row.
    """
    cells = list(cells)
    columns: dict[str, int] = {}
    rows: dict[str, set[int]] = {}
    for column, row in _readings([name for _, _, name in cells]):
        found = _accept(cells, column, row)
        if found is not None:
            columns, rows = found
            break
    for col, row_, name in cells:
        columns.setdefault(key_of(name), col)
        if key_of(name) not in rows:
            rows[key_of(name)] = {to_lattice(col, row_)[1]}
    return Hexrows(columns, {label: tuple(sorted(ys)) for label, ys in rows.items()})


def _readings(names: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Ways to read all names as column and row parts."""
    splits: list[Split] = [_by_pattern(p) for p in _PATTERNS]
    if names and len({len(n) for n in names}) == 1:
        # Digits run into each other ("1605"): every place to cut is tried, the middle first.
        middle = len(names[0]) / 2
        cuts = sorted(range(1, len(names[0])), key=lambda k: (abs(k - middle), k))[:8]
        splits += [_by_cut(k) for k in cuts]
    for split in splits:
        parts = [split(n) for n in names]
        if parts and all(p is not None for p in parts):
            first = [key_of(p[0]) for p in parts if p is not None]
            second = [key_of(p[1]) for p in parts if p is not None]
            yield first, second
            yield second, first


def _by_pattern(pattern: re.Pattern[str]) -> Split:
    def split(name: str) -> tuple[str, str] | None:
        match = pattern.fullmatch(name)
        return None if match is None else (match.group(1), match.group(2))

    return split


def _by_cut(at: int) -> Split:
    return lambda name: (name[:at], name[at:])


def _accept(
    cells: list[Named], columns: list[str], rows: list[str]
) -> tuple[dict[str, int], dict[str, set[int]]] | None:
    """Labels, if the parts tell columns apart and rows within the columns of a parity."""
    by_column: dict[str, int] = {}
    by_row: dict[tuple[int, str], int] = {}
    of_column: dict[int, str] = {}
    for (col, row, _), c, r in zip(cells, columns, rows, strict=True):
        if by_column.setdefault(c, col) != col or of_column.setdefault(col, c) != c:
            return None
        if by_row.setdefault((col & 1, r), row) != row:
            return None
    if len(of_column) > 1 and len(by_row) == 1:
        return None
    out: dict[str, set[int]] = {}
    for (parity, label), row in by_row.items():
        out.setdefault(label, set()).add(to_lattice(parity, row)[1])
    ordered = sorted(out.items(), key=lambda item: min(item[1]))
    return dict(sorted(by_column.items(), key=lambda item: item[1])), dict(ordered)
