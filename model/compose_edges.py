"""Edges of a board of a composed map: where its picture ends, where it is cropped.

An edge at which boards may be joined is a lattice line that runs through the
middle of hexes.  Lines of constant X lie at multiples of three, through the
centres of a column; every whole Y halves the hexes of every other column.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Board
from hexsight.model.compose_labels import Hexrows, hexrows, key_of
from hexsight.model.errors import UsageError

UNIT = (3, 1)  # steps between lines of constant X and of constant Y
HEX = (3, 2)  # column and row spacing in lattice units
# Part of a hex by which the edge of a picture may miss the middle of its half hexes.
EDGE_SLACK = 0.1


@dataclass(frozen=True)
class Crop:
    """Part of a board that is used: from one hexrow to another, both cut through the middle.

    Attributes
    ----------
    columns, rows : (str or None, str or None)
        Labels as printed ("A", "Q", "5"), or the name of a hex there; None
        where nothing is cut off.
    """

    columns: tuple[str | None, str | None] = (None, None)
    rows: tuple[str | None, str | None] = (None, None)


@dataclass(frozen=True, eq=False)
class Placement:
    """One board of a composed map.

    Attributes
    ----------
    board : Board
    row, column : int
        Place in the grid of boards, from 0; boards stand side by side in a
        row, rows one below the other.
    turned : bool
        Turned by 180°.
    crop : Crop
        In the board's own hexrows, before turning.
    name : str or None
        What its hexes are called by: ``20`` makes ``K5`` to ``20K5``.  None for
        the board's own name.
    """

    board: Board
    row: int = 0
    column: int = 0
    turned: bool = False
    crop: Crop = field(default_factory=Crop)
    name: str | None = None

    @property
    def label(self) -> str:
        """What hexes of this board are called by."""
        return self.board.name if self.name is None else self.name


@dataclass(frozen=True)
class Edge:
    """One edge of a board in its own lattice.

    Attributes
    ----------
    at : float
        Where it lies.
    line : int or None
        Lattice line along which another board may be joined.
    cut : bool
        The board is cut off there.
    """

    at: float
    line: int | None
    cut: bool = False

    def negated(self) -> Edge:
        """The edge after a turn by 180°."""
        return Edge(-self.at, None if self.line is None else -self.line, self.cut)


def picture_edges(board: Board, lattice: NDArray[np.int64], axis: int) -> tuple[Edge, Edge]:
    """Where the picture ends along a lattice axis, and whether it halves hexes there."""
    width, height = board.size_px
    x0, y0, x1, y1 = -0.5, -0.5, width - 0.5, height - 0.5
    # Columns run across the picture, and down it on sideways maps.
    across = (axis == 0) != board.layout.sideways
    ends = (
        [((x0, y0), (x0, y1)), ((x1, y0), (x1, y1))]
        if across
        else [((x0, y0), (x1, y0)), ((x0, y1), (x1, y1))]
    )
    out = []
    for end, corners in enumerate(ends):
        values = board.layout.pixel_to_lattice(corners)[:, axis]
        line = UNIT[axis] * round(float(values.mean()) / UNIT[axis])
        last = int(lattice[:, axis].max() if end else lattice[:, axis].min())
        # Half hexes at the edge carry names or not; a margin beyond them joins nothing.
        beyond = (line - last) if end else (last - line)
        joins = np.abs(values - line).max() <= EDGE_SLACK * HEX[axis] and beyond in (0, UNIT[axis])
        out.append(Edge(float(values.mean()), line if joins else None))
    return out[0], out[1]


def cropped(
    placement: Placement, lattice: NDArray[np.int64], edges: list[tuple[Edge, Edge]]
) -> list[tuple[Edge, Edge]]:
    """Edges of a board after its crop, where it has one.

    Parameters
    ----------
    placement : Placement
        The board and its crop.
    lattice : (n, 2) int64
        Lattice places of its hexes.
    edges : list of (Edge, Edge)
        First and last edge along both lattice axes, as `picture_edges` finds them.

    Returns
    -------
    list of (Edge, Edge)
        The same with the crop's columns and rows as edges; a hexrow is cut where its
        neighbours are halved.
    """
    crop = placement.crop
    if crop == Crop():
        return edges
    board = placement.board
    labels = hexrows((h.col, h.row, h.name) for h in board.hexes)
    wanted: list[list[int | None]] = [[None, None], [None, None]]
    wanted[0] = [None if c is None else 3 * _column(placement, labels, c) for c in crop.columns]
    given = [None if r is None else _row(placement, labels, r) for r in crop.rows]
    if None not in given:
        given.sort(key=lambda ys: min(ys or ()))
    if None not in wanted[0]:
        wanted[0].sort(key=lambda x: x or 0)
    parity = _whole_columns(board, edges[1])
    for end, ys in enumerate(given):
        if ys is not None:
            # A row is whole in the columns that are whole along the board's own edge, and
            # in between its neighbours are halved; a row of halves alone is cut in the middle.
            whole = [y for y in ys if (y & 1) == parity]
            wanted[1][end] = (whole[0] + (1 if end else -1)) if whole else ys[0]
    out = []
    for axis in (0, 1):
        low, high = edges[axis]
        ends = [low, high]
        for end, line in enumerate(wanted[axis]):
            if line is not None:
                outside = lattice[:, axis] > line if end else lattice[:, axis] < line
                cut = bool(outside.any())
                ends[end] = Edge(float(line) if cut else ends[end].at, line, cut)
        out.append((ends[0], ends[1]))
    for axis, (first, last) in enumerate(out):
        if not first.at < last.at:
            raise UsageError(
                f"Cropping leaves nothing of board {placement.label} between its "
                f"{'rows' if axis else 'columns'}. Name two different hexrows."
            )
    return out


def _whole_columns(board: Board, edges: tuple[Edge, Edge]) -> int:
    """Parity of the columns whose hexes are whole along the board's top, else bottom edge."""
    for edge in edges:
        if edge.line is not None:
            return 1 - (edge.line & 1)
    return board.hexes[0].col & 1


def _column(placement: Placement, labels: Hexrows, label: str) -> int:
    found = labels.columns.get(key_of(label))
    if found is None:
        raise UsageError(_no_hexrow(placement, "column", label, list(labels.columns)))
    return found


def _row(placement: Placement, labels: Hexrows, label: str) -> tuple[int, ...]:
    found = labels.rows.get(key_of(label))
    if found is None:
        raise UsageError(_no_hexrow(placement, "row", label, list(labels.rows)))
    return found


def _no_hexrow(placement: Placement, what: str, label: str, known: list[str]) -> str:
    names = {key_of(h.name) for h in placement.board.hexes}
    printed = [k.upper() for k in known if k not in names]
    hint = f"They run from {printed[0]} to {printed[-1]}" if printed else "Name a hex of it instead"
    return f"crop: board {placement.label} has no {what} {label}. {hint}."
