"""Where boards of a composed map lie: turned, cropped, joined at whole numbers of the lattice.

All of it happens in lattice coordinates, so that it is exact: a join is possible
or it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from hexsight.model.compose_edges import (
    EDGE_SLACK,
    HEX,
    UNIT,
    Edge,
    Placement,
    cropped,
    picture_edges,
)
from hexsight.model.errors import UsageError
from hexsight.model.layout import Layout, from_lattice, to_lattice

# Part of a hex by which the edges of boards side by side may miss each other.
ALIGN_SLACK = 0.25
MAX_SPACING_OFF = 0.02
# Kind of edge by lattice axis and end, for messages.
_SIDES = {
    (False, 0, 0): "left",
    (False, 0, 1): "right",
    (False, 1, 0): "top",
    (False, 1, 1): "bottom",
    (True, 0, 0): "top",
    (True, 0, 1): "bottom",
    (True, 1, 0): "left",
    (True, 1, 1): "right",
}


@dataclass(frozen=True, eq=False)
class Piece:
    """A board as it lies on the table.

    Attributes
    ----------
    placement : Placement
    layout : Layout
        Of the picture as it lies.
    terrain, elevation_half : (H, W) arrays
        As they lie; views.
    lattice : (n, 2) int64
        Lattice coordinates of the board's hexes as it lies, in their order.
    edges : ((Edge, Edge), (Edge, Edge))
        Lower and upper edge by lattice axis.
    shift : (int, int)
        Added to its lattice coordinates to have those of the whole map.
    """

    placement: Placement
    layout: Layout
    terrain: NDArray[np.uint8]
    elevation_half: NDArray[np.int8]
    lattice: NDArray[np.int64]
    edges: tuple[tuple[Edge, Edge], tuple[Edge, Edge]]
    shift: tuple[int, int] = (0, 0)

    @property
    def label(self) -> str:
        """What hexes of this board are called by."""
        return self.placement.label

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return self.terrain.shape[1], self.terrain.shape[0]

    def line(self, axis: int, end: int) -> int | None:
        """Joining line of an edge in the lattice of the whole map."""
        line = self.edges[axis][end].line
        return None if line is None else line + self.shift[axis]

    def at(self, axis: int, end: int) -> float:
        """Place of an edge in the lattice of the whole map."""
        edge = self.edges[axis][end]
        return (edge.at if edge.line is None else edge.line) + self.shift[axis]


def arrange(placements: Sequence[Placement]) -> tuple[Piece, ...]:
    """Turn, crop and join boards.

    Parameters
    ----------
    placements : sequence of Placement
        In any order.

    Returns
    -------
    tuple of Piece
        Row by row, from left to right.

    Raises
    ------
    UsageError
        If a hexrow to crop at does not exist, if places or names stand twice,
        or if the lattices of boards cannot be joined.
    """
    ordered = sorted(placements, key=lambda p: (p.row, p.column))
    if not ordered:
        raise UsageError("A composed map needs at least one board.")
    _check_places(ordered)
    pieces = [_piece(p) for p in ordered]
    for piece in pieces[1:]:
        _check_lattices(pieces[0], piece)
    placed: dict[tuple[int, int], Piece] = {}
    for piece in pieces:
        where = (piece.placement.row, piece.placement.column)
        placed[where] = _join(piece, placed)
    out = _normalised(list(placed.values()))
    _check_overlap(out)
    return out


def _check_places(ordered: Sequence[Placement]) -> None:
    seen: set[tuple[int, int]] = set()
    labels: set[str] = set()
    for p in ordered:
        if p.row < 0 or p.column < 0:
            raise UsageError(f"Board {p.label}: row and column of its place count from 0.")
        if (p.row, p.column) in seen:
            raise UsageError(
                f"Two boards stand in row {p.row + 1}, place {p.column + 1} of the map. "
                "Give each its own place."
            )
        if not p.label.strip():
            raise UsageError(
                f"The board in row {p.row + 1}, place {p.column + 1} has no name. Add name:."
            )
        if p.label.casefold() in labels:
            raise UsageError(
                f"Two boards of the map are called {p.label}. Give one of them another name "
                "with name:."
            )
        seen.add((p.row, p.column))
        labels.add(p.label.casefold())
        if not p.board.hexes:
            raise UsageError(f"Board {p.label} has no hexes. Build it again.")


def _piece(placement: Placement) -> Piece:
    """A board by itself: edges found, cropped, turned."""
    board = placement.board
    layout = board.layout
    if (layout.col_px[1] if layout.sideways else layout.col_px[0]) <= 0 or (
        layout.row_px[0] if layout.sideways else layout.row_px[1]
    ) <= 0:
        raise UsageError(
            f"Board {placement.label} has a grid that runs backwards. Set its grid with "
            "positive spacings."
        )
    lattice = np.array([to_lattice(h.col, h.row) for h in board.hexes], np.int64)
    edges = [picture_edges(board, lattice, axis) for axis in (0, 1)]
    edges = cropped(placement, lattice, edges)
    if not placement.turned:
        return Piece(
            placement, layout, board.terrain, board.elevation_half, lattice, (edges[0], edges[1])
        )
    width, height = board.size_px
    origin = (width - 1 - layout.origin_px[0], height - 1 - layout.origin_px[1])
    turned = [(high.negated(), low.negated()) for low, high in edges]
    return Piece(
        placement,
        Layout(origin, layout.col_px, layout.row_px, layout.sideways),
        board.terrain[::-1, ::-1],
        board.elevation_half[::-1, ::-1],
        -lattice,
        (turned[0], turned[1]),
    )


def _check_lattices(first: Piece, other: Piece) -> None:
    """Refuse boards whose hexes do not fit those of the first."""
    a, b = first.layout, other.layout
    pair = f"Boards {first.label} and {other.label} cannot be joined"
    if a.sideways != b.sideways:
        raise UsageError(f"{pair}: the hexes of one are flat-topped, those of the other pointed.")
    for what, u, v in (("columns", a.dx, b.dx), ("rows", a.dy, b.dy)):
        if abs(v / u - 1) > MAX_SPACING_OFF:
            raise UsageError(
                f"{pair}: their {what} stand {u:.2f} and {v:.2f} px apart. "
                "Build them from pictures of the same scale."
            )
    if abs(np.sin(np.radians(a.skew_deg - b.skew_deg))) > MAX_SPACING_OFF:
        raise UsageError(f"{pair}: one of the grids is slanted. Straighten its picture.")
    names = (first.placement.board.catalogue_name, other.placement.board.catalogue_name)
    if names[0] != names[1]:
        raise UsageError(
            f"{pair}: their terrain is of different catalogues ({' and '.join(names)})."
        )


def _join(piece: Piece, placed: dict[tuple[int, int], Piece]) -> Piece:
    """A board beside those that lie already: right of its neighbour, below the one above."""
    row, column = piece.placement.row, piece.placement.column
    left, above = placed.get((row, column - 1)), placed.get((row - 1, column))
    if not placed:
        return piece
    if left is None and above is None:
        raise UsageError(
            f"Board {piece.label} has no board left of it nor above it. Leave no gaps in the map."
        )
    along, down = (1, 0) if piece.layout.sideways else (0, 1)
    shift = [0, 0]
    for axis, neighbour, other in ((along, left, above), (down, above, left)):
        if neighbour is not None:
            shift[axis] = _seam(neighbour, piece, axis)
        elif other is not None:
            shift[axis] = _aligned(other, piece, axis)
    if (shift[0] // 3 - shift[1]) % 2:
        beside, side = (left, "right of") if left is not None else (above, "below")
        assert beside is not None
        raise UsageError(
            f"Board {piece.label} cannot stand {side} {beside.label}: its hexrows lie half a hex "
            "beside those they should join. Crop one of the two boards at the next hexrow."
        )
    return replace(piece, shift=(shift[0], shift[1]))


def _seam(first: Piece, second: Piece, axis: int) -> int:
    """Shift that lays the lower edge of a board on the upper edge of another."""
    for piece, end in ((first, 1), (second, 0)):
        if piece.edges[axis][end].line is None:
            side = _SIDES[piece.layout.sideways, axis, end]
            what = "rows" if axis else "columns"
            raise UsageError(
                f"Board {piece.label} cannot be joined at its {side} edge: the picture does not "
                f"end in the middle of a hexrow there. Say where to cut it with crop: {what}."
            )
    first_line, second_line = first.line(axis, 1), second.edges[axis][0].line
    assert first_line is not None and second_line is not None
    return first_line - second_line


def _aligned(first: Piece, second: Piece, axis: int) -> int:
    """Shift that brings the lower edges of two boards to the same line."""
    off = first.at(axis, 0) - second.at(axis, 0)
    unit = UNIT[axis]
    shift = unit * round(off / unit)
    if abs(shift - off) > ALIGN_SLACK * HEX[axis]:
        side = _SIDES[first.layout.sideways, axis, 0]
        what = "rows" if axis else "columns"
        raise UsageError(
            f"Boards {first.label} and {second.label} cannot be joined: their {side} edges lie "
            f"{abs(shift - off) / HEX[axis]:.2f} of a hex beside a common hexrow. "
            f"Crop them at hexrows that meet, with crop: {what}."
        )
    return shift


def _normalised(pieces: list[Piece]) -> tuple[Piece, ...]:
    """Count columns from 0 or 1 and rows from the top, so that a turned board begins there too."""
    low = np.min([p.lattice[kept(p)].min(axis=0) + p.shift for p in pieces], axis=0)
    dx = -6 * (int(low[0]) // 6)
    dy = -2 * ((int(low[1]) + 1) // 2)
    return tuple(replace(p, shift=(p.shift[0] + dx, p.shift[1] + dy)) for p in pieces)


def kept(piece: Piece) -> NDArray[np.bool_]:
    """Which hexes (n,) bool of a board are left after cropping, halves included."""
    out = np.ones(len(piece.lattice), bool)
    for axis in (0, 1):
        for end, edge in enumerate(piece.edges[axis]):
            if edge.cut and edge.line is not None:
                values = piece.lattice[:, axis]
                out &= values <= edge.line if end else values >= edge.line
    if not out.any():
        raise UsageError(
            f"Cropping leaves no hex of board {piece.label}. Name hexrows further apart."
        )
    return out


def _check_overlap(pieces: tuple[Piece, ...]) -> None:
    for a, b in combinations(pieces, 2):
        deep = [
            min(a.at(axis, 1), b.at(axis, 1)) - max(a.at(axis, 0), b.at(axis, 0)) for axis in (0, 1)
        ]
        if all(d > 2 * EDGE_SLACK * HEX[axis] for axis, d in enumerate(deep)):
            raise UsageError(
                f"Boards {a.label} and {b.label} would lie on top of each other. Boards above and "
                "left of them are of different sizes: crop them, or place the boards otherwise."
            )


def seam(piece: Piece, axis: int, end: int, others: Sequence[Piece]) -> bool:
    """Whether another board is joined at an edge of a board, along part of it or all."""
    line = piece.line(axis, end)
    cross = 1 - axis
    return line is not None and any(
        other is not piece
        and other.line(axis, 1 - end) == line
        and min(piece.at(cross, 1), other.at(cross, 1))
        - max(piece.at(cross, 0), other.at(cross, 0))
        > EDGE_SLACK * HEX[cross]
        for other in others
    )


def offset_of(lattice: NDArray[np.int64], shift: tuple[int, int]) -> tuple[int, int]:
    """Offset on the whole map of a hex of a board."""
    return from_lattice(int(lattice[0]) + shift[0], int(lattice[1]) + shift[1])
