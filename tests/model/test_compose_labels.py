"""Hexrows by label, whatever way names are put together."""

from __future__ import annotations

import pytest

from hexsight.model.compose_labels import hexrows, key_of
from hexsight.model.vassal_vasl import VaslNaming


def named(pattern: str, *, columns: int = 30, rows: int = 12) -> list[tuple[int, int, str]]:
    return [
        (c, r, pattern.format(c=c + 1, r=r + 1, a=chr(65 + c % 26) * (c // 26 + 1)))
        for c in range(columns)
        for r in range(rows)
    ]


@pytest.mark.parametrize(
    ("pattern", "column", "row"),
    [
        ("{a}{r}", "CC", "5"),
        ("{r}{a}", "cc", "05"),
        ("{c:02}{r:02}", "29", "5"),
        ("{r:02}{c:02}", "29", "5"),
        ("{c}.{r}", "29", "5"),
        ("{r}-{c:03}", "29", "5"),
        ("{c:03}{r:02}", "29", "5"),
    ],
)
def test_labels_are_found_in_names(pattern: str, column: str, row: str):
    labels = hexrows(named(pattern))
    assert labels.columns[key_of(column)] == 28
    assert labels.rows[key_of(row)] == (8, 9)


def test_vasl_boards():
    naming = VaslNaming()
    labels = hexrows(naming.hexes((33, 10), (1800, 645)))
    assert (labels.columns["a"], labels.columns["gg"]) == (0, 32)
    assert labels.rows["0"] == (-1,)
    assert labels.rows["10"] == (18, 19)
    grain = VaslNaming(alt_hex_grain=True)
    assert hexrows(grain.hexes((33, 10), (1800, 645))).rows["1"] == (-1, 0)


def test_names_without_order_stand_for_themselves():
    labels = hexrows([(0, 0, "Rome"), (1, 0, "Ostia"), (1, 1, "Capua")])
    assert labels.columns == {"rome": 0, "ostia": 1, "capua": 1}
    assert labels.rows["capua"] == (3,)


def test_numbers_compare_as_numbers():
    assert key_of(" 005 ") == key_of("5")
    assert key_of("-05") == "-5"
    assert key_of("Gg") == "gg"
    assert hexrows([]).columns == {}
