"""A map of any size, laid out of one drawn board again and again: for benchmarks.

The drawn terrain of a board repeats every so many columns and rows of hexes.
Where two copies meet, buildings may be cut; that is of no matter for how long
lines of sight take.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.model.layout import Layout

from .draw import draw_board


@dataclass(frozen=True, eq=False)
class LargeMap:
    """Terrain of a large map.

    Attributes
    ----------
    layout : Layout
    terrain : (H, W) uint8
        Codes of VASL's catalogue.
    names : dict of (int, int) to str
        Hex names by odd-q offset.
    """

    layout: Layout
    terrain: NDArray[np.uint8]
    names: dict[tuple[int, int], str]


def large_map(columns: int, rows: int, *, dy_px: float = 32.45) -> LargeMap:
    """A map of columns × rows hexes from copies of the board ``red-factory``.

    Parameters
    ----------
    columns, rows : int
    dy_px : float
        Height of a hex; the board itself is drawn with 64.9.
    """
    sample = draw_board("red-factory")
    drawn = sample.spec.layout
    scale = dy_px / drawn.dy
    dx, dy = drawn.dx * scale, dy_px
    # An even number of columns and whole rows, from the middle of the board.
    wide, tall = 18, 13
    height, width = round(dy * (rows + 0.5)), round(dx * columns)
    xs = np.arange(width) / dx % wide * drawn.dx + drawn.x0
    ys = np.arange(height) / dy % tall * drawn.dy + drawn.y0
    columns_px = np.clip(np.rint(xs).astype(int), 0, sample.terrain.shape[1] - 1)
    rows_px = np.clip(np.rint(ys).astype(int), 0, sample.terrain.shape[0] - 1)
    terrain = np.ascontiguousarray(sample.terrain[np.ix_(rows_px, columns_px)])
    names = {(c, r): f"{c + 1}.{r + 1}" for c in range(columns) for r in range(rows)}
    return LargeMap(Layout.from_grid(dx, dy, dx / 2, dy / 2), terrain, names)
