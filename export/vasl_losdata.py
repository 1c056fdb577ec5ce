"""LOSData from a board: what VASL plays with, pixel by pixel."""

from __future__ import annotations

import numpy as np

from hexsight.export.vasl_grid import VaslGrid
from hexsight.model.board import Board
from hexsight.model.errors import UnsupportedError, VerificationError
from hexsight.model.losdata import LosData, read_losdata, write_losdata


def board_losdata(board: Board, grid: VaslGrid) -> LosData:
    """What LOSData says of a board.

    Parameters
    ----------
    board : Board
    grid : VaslGrid

    Returns
    -------
    LosData
        Elevation in whole levels, the terrain codes as they are (of terrain that VASL does
        not know the code of what stands for it there), and a stairway where stairs join the
        levels of a hex.  Of a board that was read from LOSData the
        stairways are those read, be they in a building or not.

    Raises
    ------
    UnsupportedError
        If ground lies at a half-level.
    """
    half = board.elevation_half % 2 != 0
    if half.any():
        row, col = (int(v[0]) for v in np.nonzero(half))
        owner = int(board.owner[row, col])
        where = f"hex {board.hexes[owner].name}" if owner >= 0 else f"pixel {col}, {row}"
        raise UnsupportedError(
            f"Cannot write LOSData of board {board.name}: the ground in {where} lies at level "
            f"{board.elevation_half[row, col] / 2:g}, and VASL has whole levels alone. Give it a "
            "whole level with an override (level: …) and build the board again."
        )
    stairways = np.zeros((grid.width, grid.height + 1), np.uint8)
    for name in _stairway_hexes(board):
        if name in grid.places:
            stairways[grid.places[name]] = 1
    return LosData(
        grid.width,
        grid.height,
        (board.elevation_half // 2).astype(np.int8),
        board.catalogue.vasl_codes[board.terrain],
        stairways,
        grid.rows,
    )


def substituted(board: Board) -> tuple[str, ...]:
    """Notes on terrain of the board that VASL does not know, and what stands for it there.

    Slopes and other features that hold of a hexside and are not drawn need no note: LOSData
    has no place for them.
    """
    catalogue = board.catalogue
    codes = np.flatnonzero(np.bincount(board.terrain.ravel(), minlength=256)).tolist()
    found = [(catalogue[c].name, catalogue[c].vasl) for c in codes if catalogue[c].vasl]
    return tuple(f"VASL does not know {name}: written as {vasl}." for name, vasl in found)


def losdata_member(losdata: LosData, where: str) -> bytes:
    """The member to be put into an archive, read back and compared.

    Raises
    ------
    VerificationError
        If it does not read back the same.
    """
    data = write_losdata(losdata)
    again = read_losdata(data, where)
    if not same_losdata(again, losdata):
        raise VerificationError(
            f"{where} does not read back as it was to be written. Please report this."
        )
    return data


def same_losdata(a: LosData, b: LosData) -> bool:
    """Whether two say the same of every pixel and hex."""
    return (
        (a.width, a.height, a.rows) == (b.width, b.height, b.rows)
        and np.array_equal(a.terrain, b.terrain)
        and np.array_equal(a.elevation, b.elevation)
        and np.array_equal(a.stairways, b.stairways)
    )


def _stairway_hexes(board: Board) -> set[str]:
    if board.provenance.terrain_from != "losdata":
        return {h.name for h in board.hexes if board.joins_levels(h)}
    found = {h.name for h in board.hexes if h.stairwell}
    width, height = board.size_px
    for mark in board.stairwells:
        x, y = round(mark.x_px), round(mark.y_px)
        if 0 <= x < width and 0 <= y < height and board.owner[y, x] >= 0:
            found.add(board.hexes[board.owner[y, x]].name)
    return found
