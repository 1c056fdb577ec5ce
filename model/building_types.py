"""What the makers of a board say of its buildings, and what its edge leaves unsaid."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Survey
from hexsight.model.terrain import Catalogue


def name_hexes(
    survey: Survey,
    catalogue: Catalogue,
    terrain: NDArray[np.uint8],
    owner: NDArray[np.int32],
    corrected: set[str],
) -> None:
    """Write the types that the makers name hex by hex over a building's own, in place.

    A building may have a lower wing: its height is that of its highest hex, but
    each named hex keeps its own.
    """
    code = np.zeros(len(survey.cells) + 1, np.uint8)  # the last one for pixels of no hex
    for index, cell in enumerate(survey.cells):
        named = survey.building_types.get(cell.name)
        if named is not None and catalogue[named].kind == "building":
            code[index] = 0 if cell.name in corrected else named
    if not code.any():
        return
    wanted = code[owner]
    for material in ("stone", "wood"):
        table = catalogue.table(kind="building", material=material)
        mine = table[wanted] & table[terrain]
        terrain[mine] = wanted[mine]


def touches_edge(
    mask: NDArray[np.bool_], window: tuple[slice, slice], shape: tuple[int, ...]
) -> bool:
    """Whether a mask within a window of a raster reaches the raster's edge."""
    rows, cols = window
    return bool(
        (rows.start == 0 and mask[0].any())
        or (cols.start == 0 and mask[:, 0].any())
        or (rows.stop == shape[0] and mask[-1].any())
        or (cols.stop == shape[1] and mask[:, -1].any())
    )
