"""Lattice of a board by index: centres, lookup by offset, hexsides."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hexsight.los.traverse import SUB
from hexsight.model.board import Board, side_vertices
from hexsight.model.layout import to_lattice


class BoardGrid:
    """Lattice of a board: centres, lookup by offset, hexsides."""

    def __init__(self, board: Board) -> None:
        offsets = [(h.col, h.row) for h in board.hexes]
        self.names = {o: h.name for o, h in zip(offsets, board.hexes, strict=True)}
        self.index = {o: i for i, o in enumerate(offsets)}
        n = len(offsets)
        self.lattice = np.array([to_lattice(*o) for o in offsets], np.int64).reshape(n, 2)
        centres = board.layout.lattice_to_pixel(self.lattice)
        # Pixel 0 reaches from −½ to ½: count sub-pixels from its outer edge.
        # A half hex at the edge has its centre there: it moves on to the picture.
        self.sub_px = np.rint((centres + 0.5) * SUB).astype(np.int64)
        self.sub_px = np.clip(self.sub_px, 1, np.array(board.size_px) * SUB - 1)
        at = np.array(offsets, np.int64).reshape(n, 2)
        self.lookup_at = at.min(axis=0) - 2
        shape = at.max(axis=0) - self.lookup_at + 3
        self.lookup = np.full((int(shape[0]), int(shape[1])), -1, np.int32)
        self.lookup[at[:, 0] - self.lookup_at[0], at[:, 1] - self.lookup_at[1]] = np.arange(n)
        self.side_of = np.full((n, 6), -1, np.int32)
        rows = []
        for k, side in enumerate(board.hexsides):
            a, b = board.by_name[side.a], board.by_name[side.b]
            i, j = self.index[a.col, a.row], self.index[b.col, b.row]
            first, last = side_vertices((a.col, a.row), side.direction)
            rows.append((i, j, *first, *last))
            self.side_of[i, side.direction] = k
            self.side_of[j, (side.direction + 3) % 6] = k
        self.sides = np.array(rows, np.int64).reshape(len(rows), 6)
        self.layout = board.layout

    def offset_of(
        self, where: NDArray[np.intp], width: int, owner: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """Regular-plane vectors from the centre of their hex to pixels (ravelled)."""
        points = np.stack([where % width, where // width], axis=1)
        d = self.layout.pixel_to_lattice(points) - self.lattice[owner]
        return d * (1.0, np.sqrt(3.0))
