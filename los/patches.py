"""Which building depictions hang together: what a table asks of a line before it is walked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hexsight.los.jit import compiled, rule
from hexsight.los.tables import (
    C_INSIDE,
    H_PATCH,
    H_PX,
    H_PY,
    N_WIDTH,
    OUTSIDE_PATCH,
    UNKNOWN_PATCH,
    Pixels,
    Tables,
)
from hexsight.los.traverse import SUB


@rule
def root(patch: NDArray[np.int32], cell: int) -> int:
    """Cell that stands for the patch of a cell."""
    while patch[cell] != cell:
        patch[cell] = patch[patch[cell]]
        cell = patch[cell]
    return cell


def _join_cells(
    pixels: Pixels, wide: int, cells: NDArray[np.int32], patch: NDArray[np.int32]
) -> None:
    """Put neighbouring cells of building depictions into one patch.

    Parameters
    ----------
    pixels : (H · W,) uint16 or int32
        Cell of each pixel.
    wide : int
        W.
    cells : int32
        As in `Tables`.
    patch : (m,) int32
        One number a cell at first; then each leads to the cell that stands for
        its patch (`root`).
    """
    for at in range(len(pixels)):
        cell = int(pixels[at])
        for back in (1, wide):
            if at >= back:
                other = int(pixels[at - back])
                if other != cell and cells[cell, C_INSIDE] and cells[other, C_INSIDE]:
                    one, two = root(patch, cell), root(patch, other)
                    patch[max(one, two)] = min(one, two)


join_cells = compiled(_join_cells)


def find_patches(tables: Tables, *, interpreted: bool = False) -> None:
    """Fill `H_PATCH`: a line between two patches leaves the depiction somewhere.

    Parameters
    ----------
    tables : Tables
        Their hexes are changed.
    interpreted : bool
        Do without numba.

    Notes
    -----
    Patches are whole cells, so two may be taken for one (also where the picture's
    right edge meets the next row), but never one for two.
    """
    wide = int(tables.numbers[N_WIDTH])
    patch = np.arange(len(tables.cells), dtype=np.int32)
    join = _join_cells if interpreted else join_cells
    join(tables.pixels, wide, tables.cells, patch)
    at = tables.hexes[:, H_PX : H_PY + 1]
    centre = tables.pixels[at[:, 1] // SUB * wide + at[:, 0] // SUB]
    for i, cell in enumerate(centre.tolist()):
        inside = tables.cells[cell, C_INSIDE]
        tables.hexes[i, H_PATCH] = root(patch, cell) if inside else OUTSIDE_PATCH
    # On the edge of a pixel it depends on the line in which one it begins.
    tables.hexes[(at % SUB == 0).any(axis=1), H_PATCH] = UNKNOWN_PATCH
