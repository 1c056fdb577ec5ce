"""The hex grid of a board in the terms of VASL's metadata, and what they cannot say."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Board
from hexsight.model.errors import UnsupportedError
from hexsight.model.losdata import standard_rows
from hexsight.model.vassal_vasl import (
    STANDARD_A1,
    STANDARD_HEX_HEIGHT,
    STANDARD_HEX_WIDTH,
    VaslNaming,
)

# Farthest that a hex may lie from its place on an upright grid, in hex heights: beyond
# it VASL would read the terrain of a centre dot beside the dot.
MAX_TURN = 0.05
# Farthest that a hex of a board may lie from the archive's hex that it is, in hex heights.
MAX_OFFSET = 0.25
# VASL lays out hexes only when A1CenterY is one of these numbers.
LAID_OUT_A1_Y = (0.0, 32.25, 34.0, 65.0, 97.1, -612.75)
# Below this share of a hex a fitted centre of A1 is one of those numbers, a little off.
SNAP = 0.01
HALF_HEIGHT = "TopLeftHalfHeight"
# Share of a hex within which the first column counts as beginning with half a hex.
HALF_SLACK = 0.1


@dataclass(frozen=True)
class VaslGrid:
    """Where VASL has the hexes of a board.

    Attributes
    ----------
    naming : VaslNaming
        Spacing, centre of A1, names.
    width, height : int
        In hexes, as the metadata has them.
    config : str
        ``HexGridConfig``, mostly empty.
    rows : tuple of int
        Hexes of each column, as LOSData counts them.
    places : dict of str to (int, int)
        Column and place in it, from the top, of each hex of the board, by the board's name.
    names : dict of str to str
        What VASL calls each hex of the board.
    notes : tuple of str
        What a VASL board cannot say of this one: one sentence each.
    """

    naming: VaslNaming
    width: int
    height: int
    config: str
    rows: tuple[int, ...]
    places: dict[str, tuple[int, int]]
    names: dict[str, str]
    notes: tuple[str, ...] = ()

    @property
    def is_standard(self) -> bool:
        """Whether spacing and A1 are those that VASL takes when the metadata is silent."""
        n = self.naming
        return (n.hex_width, n.hex_height, (n.a1_x, n.a1_y)) == (
            STANDARD_HEX_WIDTH,
            STANDARD_HEX_HEIGHT,
            STANDARD_A1,
        )

    def attributes(self) -> dict[str, str]:
        """Attributes of the metadata's root that tell the grid, as they are to be written."""
        found = {"width": str(self.width), "height": str(self.height)}
        if not self.is_standard:
            n = self.naming
            values = (n.hex_width, n.hex_height, n.a1_x, n.a1_y)
            keys = ("hexWidth", "hexHeight", "A1CenterX", "A1CenterY")
            found |= {k: repr(float(v)) for k, v in zip(keys, values, strict=True)}
        if self.config:
            found["HexGridConfig"] = self.config
        return found


def grid_for(board: Board) -> VaslGrid:
    """Grid of a new VASL board.

    Parameters
    ----------
    board : Board

    Returns
    -------
    VaslGrid
        The layout's own numbers; those of a layout that is turned by less than
        `MAX_TURN` are of the upright grid nearest to it.

    Raises
    ------
    UnsupportedError
        If the hexes are pointy-topped, or the grid is turned or skewed.
    """
    naming = _named_as_printed(board, _upright(board))
    if naming is None:
        naming = _named_from_top_left(board, _upright(board))
    naming = _snapped(naming)
    size, hexes = _size_hexes(board, naming)
    top = naming.a1_y % naming.hex_height
    half = min(top, naming.hex_height - top) < HALF_SLACK * naming.hex_height
    config = HALF_HEIGHT if half else ""
    grid = _located(board, naming, size, config, standard_rows(*size), hexes)
    return replace(grid, notes=_notes(board, grid, hexes))


def grid_of_archive(
    board: Board,
    naming: VaslNaming,
    size_hexes: tuple[int, int],
    hexes: list[tuple[int, int, str]],
    *,
    config: str = "",
    rows: tuple[int, ...] | None = None,
) -> VaslGrid:
    """Grid of an archive that a board is written into.

    Parameters
    ----------
    board : Board
    naming, size_hexes, config
        As the archive's metadata has them.
    hexes : list of (int, int, str)
        The archive's hexes: (col, row, name), column by column from the top.
    rows : tuple of int, optional
        Hexes per column in the archive's LOSData.

    Raises
    ------
    UnsupportedError
        If a hex of the board lies on none of the archive's.
    """
    centres = _centres(board)
    ideal = naming.layout()
    cells = _cells(board, naming)
    middles = np.array([ideal.centre(*cells[h.name]) for h in board.hexes])
    away = np.hypot(*(centres - middles).T)
    worst = int(away.argmax())
    if away[worst] > MAX_OFFSET * naming.hex_height:
        raise UnsupportedError(
            f"Hex {board.hexes[worst].name} of board {board.name} lies {away[worst]:.0f} px beside "
            "the archive's hexes: it is not this board's archive, or the grid was fitted wrongly. "
            "Name the archive of this board, or make a new one with --picture."
        )
    counted = rows or standard_rows(*size_hexes)
    grid = _located(board, naming, size_hexes, config, counted, hexes)
    return replace(grid, notes=_notes(board, grid, hexes, fresh=False))


def _upright(board: Board) -> tuple[float, float, float, float]:
    """Column and row spacing, and centre of hex (0, 0), of the upright grid nearest to a layout.

    Raises
    ------
    UnsupportedError
        If none is near enough.
    """
    layout = board.layout
    if layout.sideways:
        raise UnsupportedError(
            f"Board {board.name} has pointy-topped hexes, and VASL's boards are flat-topped alone. "
            "Turn the picture by 90° and build the board again."
        )
    (cx, cy), (rx, ry) = layout.col_px, layout.row_px
    if cy == 0 and rx == 0 and cx > 0 and ry > 0:
        return cx, ry, layout.origin_px[0], layout.origin_px[1]
    cells = np.array([(h.col, h.row + (h.col & 1) / 2) for h in board.hexes], np.float64)
    centres = _centres(board)
    fitted = []
    for axis in (0, 1):
        ground = np.column_stack([cells[:, axis], np.ones(len(cells))])
        step, start = np.linalg.lstsq(ground, centres[:, axis], rcond=None)[0]
        fitted.append((float(step), float(start)))
    (dx, x0), (dy, y0) = fitted
    away = np.hypot(centres[:, 0] - x0 - dx * cells[:, 0], centres[:, 1] - y0 - dy * cells[:, 1])
    if dx <= 0 or dy <= 0 or float(away.max()) > MAX_TURN * layout.dy:
        raise UnsupportedError(
            f"The grid of board {board.name} is turned by {layout.rot_deg:.2f}° and skewed by "
            f"{layout.skew_deg:.2f}°, and VASL's grids are upright. Turn its picture upright with "
            "hexsight grid PICTURE --straighten PNG and build the board from that one."
        )
    return dx, dy, x0, y0


def _size_hexes(
    board: Board, naming: VaslNaming
) -> tuple[tuple[int, int], list[tuple[int, int, str]]]:
    """Smallest width and height with which VASL has every hex of the board; the hexes then."""
    cells = set(_cells(board, naming).values())
    cols = [c for c, _ in cells]
    rows = [r for _, r in cells]
    tall = max(rows) - min(rows) + 1
    sizes = [
        (width, height)
        for width in sorted({max(cols) - min(cols) + 1, max(1, max(cols) + 1)})
        for height in range(max(1, tall - 1), tall + 3)
    ]
    best: tuple[int, tuple[int, int], list[tuple[int, int, str]]] | None = None
    for size in sizes:
        hexes = naming.hexes(size, board.size_px)
        missing = len(cells - {(c, r) for c, r, _ in hexes})
        if best is None or missing < best[0]:
            best = missing, size, hexes
    assert best is not None
    return best[1], best[2]


def _named_as_printed(
    board: Board, upright: tuple[float, float, float, float]
) -> VaslNaming | None:
    """Naming that gives every hex the name that it has, or None if VASL's rule does not."""
    dx, dy, x0, y0 = upright
    plain = VaslNaming()
    for h in board.hexes:
        try:
            col, row = plain.offset(h.name)
        except ValueError:
            return None
        x, y = x0 + dx * h.col, y0 + dy * (h.row + (h.col & 1) / 2)
        naming = VaslNaming(dx, dy, x - dx * col, y - dy * (row + (col & 1) / 2))
        cells = _cells(board, naming)
        same = all(naming.name(*cells[g.name]) == g.name for g in board.hexes)
        return naming if same else None
    return None


def _named_from_top_left(board: Board, upright: tuple[float, float, float, float]) -> VaslNaming:
    """A1 is the topmost hex of the leftmost column."""
    dx, dy, x0, y0 = upright
    col = min(h.col for h in board.hexes)
    row = min(h.row for h in board.hexes if h.col == col)
    return VaslNaming(dx, dy, x0 + dx * col, y0 + dy * (row + (col & 1) / 2))


def _snapped(naming: VaslNaming) -> VaslNaming:
    """The naming with A1 at a height that VASL knows, if it is there within the fit's error."""
    for known in LAID_OUT_A1_Y:
        if abs(naming.a1_y - known) <= SNAP * naming.hex_height:
            return VaslNaming(naming.hex_width, naming.hex_height, naming.a1_x, known)
    return naming


def _centres(board: Board) -> NDArray[np.float64]:
    return np.array([board.layout.centre(h.col, h.row) for h in board.hexes], np.float64)


def _cells(board: Board, naming: VaslNaming) -> dict[str, tuple[int, int]]:
    """Column and row in VASL's lattice of each hex of the board, by the board's name."""
    found = naming.layout().pixel_to_hex(_centres(board)).tolist()
    return {h.name: (c, r) for h, (c, r) in zip(board.hexes, found, strict=True)}


def _located(
    board: Board,
    naming: VaslNaming,
    size: tuple[int, int],
    config: str,
    rows: tuple[int, ...],
    hexes: list[tuple[int, int, str]],
) -> VaslGrid:
    """Places of the hexes in LOSData's order; hexes that VASL does not have get none."""
    columns: dict[int, list[int]] = {}
    for col, row, _ in hexes:
        columns.setdefault(col, []).append(row)
    first = min(columns, default=0)
    place = {
        (col, row): (col - first, i)
        for col, listed in columns.items()
        for i, row in enumerate(sorted(listed))
    }
    cells = _cells(board, naming)
    known = {name: place[cell] for name, cell in cells.items() if cell in place}
    places = {n: p for n, p in known.items() if p[0] < len(rows) and p[1] < rows[p[0]]}
    names = {name: naming.name(*cells[name]) for name in known}
    return VaslGrid(naming, *size, config, rows, places, names)


def _notes(
    board: Board, grid: VaslGrid, hexes: list[tuple[int, int, str]], *, fresh: bool = True
) -> tuple[str, ...]:
    notes = []
    other = [(h.name, grid.names[h.name]) for h in board.hexes if h.name in grid.names]
    other = [(mine, theirs) for mine, theirs in other if mine != theirs]
    if other:
        notes.append(
            f"VASL names hexes A1, B1 … from the top left: {other[0][0]} becomes {other[0][1]}, "
            f"and so {len(other)} hexes in all."
        )
    left = [h.name for h in board.hexes if h.name not in grid.names]
    if left:
        notes.append(f"VASL has no hex where {left[0]} lies ({len(left)} in all, at the edge).")
    stairs = [h.name for h in board.hexes if h.name in grid.names and h.name not in grid.places]
    stairs = [name for name in stairs if board.joins_levels(board.by_name[name])]
    if stairs:
        notes.append(f"LOSData has no place for the stairs in {', '.join(stairs)}.")
    if len(hexes) > len(grid.names):
        n = len(hexes) - len(grid.names)
        notes.append(f"VASL will have {n} hexes at the picture's edge that the board has not.")
    if fresh and grid.naming.a1_y not in LAID_OUT_A1_Y:
        notes.append(
            "VASL lays out hexes only when A1 is centred 32.25, 97.1 or 0 px from the top; here "
            f"{grid.naming.a1_y:g}. Scale or crop the picture, or line of sight stays off in VASL."
        )
    return tuple(notes)
