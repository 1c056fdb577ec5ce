"""Tiny boards in text, for tests.

One token a hex, rows from top to bottom, columns from left to right (odd
columns hang half a hex lower, as in the odd-q layout).  A token is a letter
for the terrain that fills the hex and an optional digit for its level::

    . open          w woods         b brush (hindrance)      o orchard
    s stone house   S stone, 1 level (1½)     T stone, 2 levels (2½)
    f Factory 1½    r its roofless hex        F Factory 2½   R its roofless hex
    x stone rubble  k crags   g gully
"""

from __future__ import annotations

import cv2
import numpy as np

from hexsight.model.board import Board, Cell, Mark, Survey, parse_hexside, side_vertices
from hexsight.model.derive import derive
from hexsight.model.layout import Layout

CODES = {
    ".": 0,
    "w": 60,
    "b": 25,
    "o": 63,
    "s": 40,
    "S": 41,
    "T": 42,
    "f": 47,
    "r": 170,
    "F": 48,
    "R": 171,
    "x": 90,
    "k": 26,
    "g": 30,
}
DX, DY = 24.0, 28.0
# Off the pixel grid, so that no tie decides.
AT = (20.37, 22.21)
WALL, HEDGE, BOCAGE, CLIFF = 72, 73, 74, 75
BAR_LOW, ROWHOUSE = 172, 77


def name(col: int, row: int) -> str:
    """Hex name: A1 is the first of the first column."""
    return f"{chr(65 + col)}{row + 1}"


def board(
    text: str,
    *,
    sides: dict[str, int] | None = None,
    stairs: tuple[str, ...] = (),
) -> Board:
    """A board from rows of tokens.

    Parameters
    ----------
    text : str
    sides : dict of str to int
        Codes of walls, cliffs and bars by hexside name.
    stairs : tuple of str
        Hexes with a stairwell.
    """
    return derive(survey(text, sides=sides, stairs=stairs))


def survey(
    text: str, *, sides: dict[str, int] | None = None, stairs: tuple[str, ...] = ()
) -> Survey:
    """What `board` derives from."""
    rows = [line.split() for line in text.strip().splitlines()]
    tall, wide = len(rows), len(rows[0])
    layout = Layout.from_grid(DX, DY, *AT)
    size = (round(AT[0] * 2 + DX * (wide - 1)), round(AT[1] * 2 + DY * (tall - 0.5)))
    cells = tuple(Cell(c, r, name(c, r)) for c in range(wide) for r in range(tall))
    cols, rws = layout.owner_map(size)
    code = np.zeros((wide, tall), np.uint8)
    level = np.zeros((wide, tall), np.int8)
    for r, row in enumerate(rows):
        for c, token in enumerate(row):
            code[c, r] = CODES[token[0]]
            level[c, r] = 2 * int(token[1:] or 0)
    on = (cols >= 0) & (cols < wide) & (rws >= 0) & (rws < tall)
    c, r = np.clip(cols, 0, wide - 1), np.clip(rws, 0, tall - 1)
    terrain = np.where(on, code[c, r], 0).astype(np.uint8)
    height = np.where(on, level[c, r], 0).astype(np.int8)
    by_name = {cell.name: (cell.col, cell.row) for cell in cells}
    for side, what in (sides or {}).items():
        first, _, direction = parse_hexside(side, by_name)
        ends = layout.lattice_to_pixel(side_vertices(first, direction))
        a, b = (tuple(int(v) for v in np.rint(p)) for p in ends)
        cv2.line(terrain, a, b, int(what), 3)
    marks = tuple(Mark(*layout.centre(*by_name[h]), 4.0) for h in stairs)
    return Survey("tiny", layout, cells, terrain, height, typed=True, stairwells=marks)


def turned(s: Survey, *, mirror: bool = False) -> tuple[Survey, dict[str, str]]:
    """The same map turned by 180°, or mirrored left to right, with new names by old."""
    tall, wide = s.terrain.shape
    last = max(c.col for c in s.cells)
    assert last % 2 == 0, "an odd number of columns keeps the stagger"
    low = 2 * max(c.row for c in s.cells) + 2
    flip = (slice(None), slice(None, None, -1)) if mirror else (slice(None, None, -1),) * 2
    corner = s.layout.lattice_to_pixel((3 * last, 0 if mirror else low))
    origin = (wide - 1 - corner[0], corner[1] if mirror else tall - 1 - corner[1])
    layout = Layout(
        (float(origin[0]), float(origin[1])), s.layout.col_px, s.layout.row_px, s.layout.sideways
    )
    names, cells = {}, []
    for c in s.cells:
        col = last - c.col
        Y = 2 * c.row + (c.col & 1)
        row = ((Y if mirror else low - Y) - (col & 1)) // 2
        names[c.name] = f"{chr(65 + col)}{row + 1}"
        cells.append(Cell(col, row, names[c.name]))
    marks = tuple(
        Mark(wide - 1 - m.x_px, m.y_px if mirror else tall - 1 - m.y_px, m.size_px)
        for m in s.stairwells
    )
    out = Survey(
        s.name,
        layout,
        tuple(sorted(cells, key=lambda c: (c.col, c.row))),
        np.ascontiguousarray(s.terrain[flip]),
        np.ascontiguousarray(s.elevation_half[flip]),
        typed=True,
        stairwells=marks,
    )
    return out, names
