"""Tiny boards of hex games in text, made of facts alone: nothing in them is drawn.

One token a hex, rows from top to bottom, columns from left to right (odd
columns hang half a hex lower).  A token is a letter for what fills the hex and
an optional digit for its level::

    . open    w woods    b brush    o orchard    v village    M mountain
    S stone house of one level (3 half-levels)   T of two levels (5)
"""

from __future__ import annotations

import numpy as np

from hexsight.model.board import Board, Building, HexFacts, HexsideFacts
from hexsight.model.layout import Layout, neighbour

CODES = {".": 0, "w": 60, "b": 25, "o": 63, "v": 232, "M": 241, "S": 41, "T": 42}
HOUSES = {"S": 3, "T": 5}
WALL, HEDGE, CLIFF, STEEP, GENTLE = 72, 73, 75, 230, 231
LAYOUT = Layout.from_grid(24.0, 28.0, 20.0, 22.0)


def name(col: int, row: int) -> str:
    """Hex name: A1 is the first of the first column, A0 the one above it."""
    return f"{chr(65 + col)}{row + 1}"


def board(text: str, *, sides: dict[str, int] | None = None) -> Board:
    """A board from rows of tokens; an empty place is ``#``.

    Parameters
    ----------
    text : str
    sides : dict of str to int
        Codes of walls and slopes by hexside name, either order of the hexes.
    """
    rows = [line.split() for line in text.strip().splitlines()]
    cells = {
        (c, r): rows[r][c]
        for c in range(len(rows[0]))
        for r in range(len(rows))
        if rows[r][c] != "#"
    }
    return from_cells(cells, sides or {})


def from_cells(
    cells: dict[tuple[int, int], str],
    sides: dict[str, int],
    names: dict[tuple[int, int], str] | None = None,
) -> Board:
    """A board from tokens by offset."""
    names = names or {cell: name(*cell) for cell in cells}
    buildings, hexes = [], []
    for (col, row), token in sorted(cells.items()):
        height = HOUSES.get(token[0], 0)
        if height:
            buildings.append(
                Building(len(buildings) + 1, ((),), "stone", "building", height, (names[col, row],))
            )
        x, y = LAYOUT.centre(col, row)
        hexes.append(
            HexFacts(
                names[col, row],
                col,
                row,
                x,
                y,
                1.0,
                CODES[token[0]],
                2 * int(token[1:] or 0),
                building=len(buildings) if height else 0,
                height_half=height,
            )
        )
    wanted = {frozenset(key.split("-")): code for key, code in sides.items()}
    found = []
    for col, row in sorted(cells):
        for d in range(3):
            other = neighbour(col, row, d)
            if other in cells:
                a, b = sorted([(col, row), other])
                direction = d if a == (col, row) else d + 3
                pair = names[a], names[b]
                code = wanted.pop(frozenset(pair), 0)
                found.append(HexsideFacts("-".join(pair), *pair, direction, terrain=code))
    assert not wanted, wanted
    flat = np.zeros((4, 4), np.uint8)
    return Board(
        "tiny", LAYOUT, flat, flat.astype(np.int8), tuple(hexes), tuple(found), tuple(buildings)
    )


def _turn(col: int, row: int, times: int, mirror: bool) -> tuple[int, int]:
    """A cell turned about (0, 0) by sixths of a circle, after a mirror if wanted."""
    q, r = col, row - (col - (col & 1)) // 2
    if mirror:
        q, r = -q, r + q
    for _ in range(times % 6):
        q, r = -r, q + r
    return q, r + (q - (q & 1)) // 2


def turned(of: Board, times: int, *, mirror: bool = False) -> Board:
    """The same board turned by sixths of a circle; hexes keep their names."""
    cells = {_turn(h.col, h.row, times, mirror): h for h in of.hexes}
    letters = {code: letter for letter, code in CODES.items()}
    tokens = {c: f"{letters[h.terrain]}{h.base_half // 2}" for c, h in cells.items()}
    sides = {s.name: s.terrain for s in of.hexsides if s.terrain}
    return from_cells(tokens, sides, {c: h.name for c, h in cells.items()})
