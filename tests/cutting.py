"""Maps painted hex by hex, cut into boards along hexrows: what composing has to undo."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from hypothesis import strategies as st

from hexsight.model.board import Board, Cell, Mark, Survey, parse_hexside, side_vertices
from hexsight.model.derive import derive
from hexsight.model.layout import Layout, from_lattice, to_lattice

OPEN, BRUSH, GULLY, HOUSE, STONE, TALL, FACTORY, WOODS = 0, 25, 30, 40, 41, 42, 47, 60
ORCHARD, WALL, HEDGE, CLIFF, RUBBLE, FLOOR, BAR = 63, 72, 73, 75, 90, 170, 172
CODES = (OPEN, OPEN, OPEN, BRUSH, GULLY, HOUSE, STONE, TALL, FACTORY, FACTORY, FLOOR, WOODS)
DX, DY = 24.0, 28.0
# Off the pixel grid, so that no tie decides.
AT = (0.37, 14.21)


def paint(
    codes: dict[tuple[int, int], int],
    levels: dict[tuple[int, int], int] | None = None,
    sides: dict[str, int] | None = None,
    stairs: tuple[str, ...] = (),
    *,
    columns: int,
    rows: int,
) -> Survey:
    """A map cut in the middle of its outer columns, odd columns half a hex higher.

    Hexes are called A1, B0, B1 … as on VASL's boards; `codes` and `levels` go
    by odd-q offset, so that B0 is (1, −1).
    """
    layout = Layout.from_grid(DX, DY, *AT)
    size = (round((columns - 1) * DX), round(rows * DY))
    cells = tuple(
        Cell(c, r, f"{chr(65 + c)}{r + 1}") for c in range(columns) for r in range(-(c & 1), rows)
    )
    cols, rws = layout.owner_map(size)
    terrain = np.zeros(size[::-1], np.uint8)
    height = np.zeros(size[::-1], np.int8)
    for cell in cells:
        here = (cols == cell.col) & (rws == cell.row)
        terrain[here] = codes.get((cell.col, cell.row), OPEN)
        height[here] = (levels or {}).get((cell.col, cell.row), 0)
    by_name = {c.name: (c.col, c.row) for c in cells}
    for side, code in (sides or {}).items():
        first, _, direction = parse_hexside(side, by_name)
        ends = layout.lattice_to_pixel(side_vertices(first, direction))
        a, b = (tuple(int(v) for v in np.rint(p)) for p in ends)
        cv2.line(terrain, a, b, int(code), 3)
    marks = tuple(Mark(*layout.centre(*by_name[h]), 4.0) for h in stairs)
    return Survey("map", layout, cells, terrain, height, typed=True, stairwells=marks)


def cut(
    survey: Survey,
    *,
    x: tuple[int | None, int | None] = (None, None),
    y: tuple[int | None, int | None] = (None, None),
    extra: int = 0,
    name: str = "",
) -> Survey:
    """The part of a map between lattice lines, with `extra` pixels of picture beyond them."""
    height, width = survey.terrain.shape
    low, high = [0, 0], [width - 1, height - 1]
    for axis, ends in enumerate((x, y)):
        for end, line in enumerate(ends):
            if line is None:
                continue
            point = (line, 0) if axis == 0 else (0, line)
            px = float(survey.layout.lattice_to_pixel(point)[axis])
            if end:
                high[axis] = min(high[axis], math.floor(px + 1e-6) + extra)
            else:
                low[axis] = max(low[axis], math.ceil(px - 1e-6) - extra)
    window = (slice(low[1], high[1] + 1), slice(low[0], high[0] + 1))

    def inside(X: int, Y: int) -> bool:
        return all(
            (e[0] is None or e[0] <= v) and (e[1] is None or v <= e[1]) for v, e in ((X, x), (Y, y))
        )

    def edge(px: float, axis: int) -> float:
        """A square in the middle of a halved hex is drawn at the very edge, not beside it."""
        last = high[axis] - low[axis]
        return min(max(px, 0.0), float(last)) if -1 < px < last + 1 else px

    ox, oy = survey.layout.origin_px
    return replace(
        survey,
        name=name or survey.name,
        layout=replace(survey.layout, origin_px=(ox - low[0], oy - low[1])),
        cells=tuple(c for c in survey.cells if inside(*to_lattice(c.col, c.row))),
        terrain=survey.terrain[window],
        elevation_half=survey.elevation_half[window],
        stairwells=tuple(
            replace(m, x_px=edge(m.x_px - low[0], 0), y_px=edge(m.y_px - low[1], 1))
            for m in survey.stairwells
        ),
    )


def turn(survey: Survey) -> Survey:
    """The same map lying upside down, each hex with its own name."""
    height, width = survey.terrain.shape
    ox, oy = survey.layout.origin_px
    cells = []
    for c in survey.cells:
        X, Y = to_lattice(c.col, c.row)
        cells.append(Cell(*from_lattice(-X, -Y), c.name))
    return replace(
        survey,
        layout=replace(survey.layout, origin_px=(width - 1 - ox, height - 1 - oy)),
        cells=tuple(sorted(cells, key=lambda c: (c.col, c.row))),
        terrain=np.ascontiguousarray(survey.terrain[::-1, ::-1]),
        elevation_half=np.ascontiguousarray(survey.elevation_half[::-1, ::-1]),
        stairwells=tuple(
            replace(m, x_px=width - 1 - m.x_px, y_px=height - 1 - m.y_px) for m in survey.stairwells
        ),
    )


def own_names(board: Board, labels: tuple[str, ...]) -> dict[str, str]:
    """Name on the painted map by name on the map composed of boards with these labels."""
    out = {}
    for h in board.hexes:
        label = next(text for text in labels if h.name.startswith(text))
        out[h.name] = h.name.removeprefix(label)
    return out


@st.composite
def maps(draw: st.DrawFn, columns: int = 7, rows: int = 4) -> Survey:
    """Random maps with hills, buildings, walls, cliffs and bars."""
    places = [(c, r) for c in range(columns) for r in range(-(c & 1), rows)]
    codes = draw(st.lists(st.sampled_from(CODES), min_size=len(places), max_size=len(places)))
    hills = draw(st.dictionaries(st.sampled_from(places), st.sampled_from((2, 4)), max_size=8))
    sides = [
        f"{chr(65 + c)}{r}-{chr(65 + c)}{r + 1}" for c in range(columns) for r in range(1, rows)
    ] + [f"{chr(65 + c)}{r}-{chr(66 + c)}{r}" for c in range(columns - 1) for r in range(1, rows)]
    drawn = draw(
        st.dictionaries(
            st.sampled_from(sides), st.sampled_from((WALL, HEDGE, CLIFF, BAR)), max_size=8
        )
    )
    middle = chr(65 + columns // 2)
    return paint(
        dict(zip(places, codes, strict=True)),
        hills,
        drawn,
        (f"{middle}2", "B2"),
        columns=columns,
        rows=rows,
    )


def board(survey: Survey) -> Board:
    """What a build would have made of it."""
    return derive(survey)
