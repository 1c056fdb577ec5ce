"""Hex grids of a module as VASSAL's engine would compute with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from hexsight.model.vassal_grid import HexGrid
from hexsight.model.vassal_numbering import HexGridNumbering
from hexsight.validators.measure import LOST, gap_of, sure_evidence
from hexsight.validators.subject import BoardView, HexGridView, ModuleView, Size, Subject

# A board with more hexes than this is not looked at hex by hex.
MAX_HEXES = 200_000


@dataclass(frozen=True)
class UsableGrid:
    """A hex grid of a board that the engine can read.

    Attributes
    ----------
    board : BoardView
    view : HexGridView
    grid : HexGrid
        With its numbering, where that can be read.
    """

    board: BoardView
    view: HexGridView
    grid: HexGrid

    @property
    def where(self) -> str:
        """Name of the board, and of the zone, for messages."""
        return grid_where(self.board, self.view)

    @property
    def counts_in_px(self) -> Size | None:
        """Size in which descending axes count: of the zone's box, or of the board."""
        if self.view.zone_box is not None:
            left, top, right, bottom = self.view.zone_box
            return right - left, bottom - top
        return self.board.size_px

    def hexes(self) -> tuple[tuple[int, int], ...]:
        """Raw hexes whose centre lies on the board, and in the box of the zone."""
        size = self.board.size_px
        if size is None or size[0] * size[1] > MAX_HEXES * self.grid.dx * self.grid.dy:
            return ()
        return tuple(self.grid.hexes_on(size, self.view.zone_box))


def grid_where(board: BoardView, view: HexGridView) -> str:
    """Name of a grid for messages."""
    zone = f", zone {view.zone!r}" if view.zone else ""
    return f"board {board.name!r}{zone}"


def usable_grids(module: ModuleView) -> Iterator[UsableGrid]:
    """Hex grids that the engine can read; the others are findings of their own."""
    for board in module.boards:
        for view in board.hex_grids:
            try:
                grid = HexGrid.from_attributes(view.attributes)
            except ValueError:
                continue
            yield UsableGrid(board, view, replace(grid, numbering=usable_numbering(view)))


def usable_numbering(view: HexGridView) -> HexGridNumbering | None:
    """Numbering of a grid, None where it has none that the engine can read."""
    if view.numbering is None:
        return None
    try:
        found = HexGridNumbering.from_attributes(view.numbering)
    except ValueError:
        return None
    return replace(found, oblique=view.oblique)


def printed_grids(subject: Subject) -> Iterator[tuple[UsableGrid, list[tuple[int, int]], float]]:
    """Grids of boards whose print was found: (grid, raw hexes that are printed, confidence).

    Only hexes within the zone of a grid count, where it belongs to one.
    """
    if subject.module is None:
        return
    grids = list(usable_grids(subject.module))
    for evidence, stated, fitted in sure_evidence(subject):
        if not evidence.printed or stated.sideways != fitted.sideways:
            continue
        gap = gap_of(evidence, stated, fitted)
        if gap.half_hex or gap.drift > LOST:
            continue  # which printed hex a stated one means is a guess then
        shown = gap.printed
        centres = np.array([fitted.centre(*h) for h in evidence.printed])
        raws = shown.pixel_to_hex(centres)
        for one in grids:
            if one.board.name != evidence.board:
                continue
            left, top, right, bottom = one.view.zone_box or (0, 0, *evidence.size_px)
            x, y = centres.T
            inside = (x >= left) & (x < right) & (y >= top) & (y < bottom)
            found = [(int(c), int(r)) for c, r in raws[inside]]
            if found:
                yield one, found, evidence.confidence
