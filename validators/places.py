"""Names of places on a board, for findings."""

from __future__ import annotations

import math
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Board, HexFacts
from hexsight.model.layout import DIRECTIONS, Layout, neighbour, to_lattice
from hexsight.validators.subject import ArchiveView

T = TypeVar("T", bound=np.generic)
_SUNKEN = frozenset({"depression", "water", "entrenchment"})
# Lattice to a regular lattice with a row spacing of 1.
_REGULAR = np.array([math.sqrt(3) / 6, 0.5])


def hex_at(board: Board, x_px: float, y_px: float) -> str:
    """Name of the hex that holds a board pixel, or nothing."""
    col, row = (int(v) for v in board.layout.pixel_to_hex((x_px, y_px)))
    found = board.by_offset.get((col, row))
    return "" if found is None else found.name


def hexside_near(board: Board, x_px: float, y_px: float) -> str:
    """Name of the hexside nearest to a board pixel; empty when it is not between two hexes."""
    col, row = (int(v) for v in board.layout.pixel_to_hex((x_px, y_px)))
    here = board.by_offset.get((col, row))
    if here is None:
        return ""
    at: NDArray[np.float64] = board.layout.pixel_to_lattice((x_px, y_px))
    centres = (np.array(to_lattice(col, row)) + np.array(DIRECTIONS)) * _REGULAR
    # Of all places in a hex, those nearest to a side are nearest to the hex beyond it.
    direction = int(np.argmin(np.linalg.norm(centres - at * _REGULAR, axis=1)))
    other = board.by_offset.get(neighbour(col, row, direction))
    if other is None:
        return ""
    side = board.side_by_name.get(f"{here.name}-{other.name}")
    return "" if side is None else side.name


def is_sunken(board: Board, facts: HexFacts) -> bool:
    """Whether a hex lies in a gully, a trench or water, whose rim is no slope."""
    return board.catalogue[facts.terrain].kind in _SUNKEN


def hexside_middle(board: Board, name: str) -> tuple[float, float] | None:
    """Board pixel in the middle of a named hexside."""
    side = board.side_by_name.get(name)
    if side is None:
        return None
    a, b = board.by_name[side.a], board.by_name[side.b]
    return (a.x_px + b.x_px) / 2, (a.y_px + b.y_px) / 2


def name_at(archive: ArchiveView, x_px: float, y_px: float) -> str:
    """Name of the hex of a VASL board that holds a pixel, or nothing."""
    col, row = (int(v) for v in archive.naming.layout().pixel_to_hex((x_px, y_px)))
    return next((name for c, r, name in archive.hexes if (c, r) == (col, row)), "")


def pixels_of(raster: NDArray[T], layout: Layout, offset: tuple[int, int]) -> NDArray[T]:
    """Values (n,) of the pixels of a raster that lie in one hex."""
    height, width = raster.shape
    corners = layout.corners(*offset)
    left, top = (max(0, math.floor(v)) for v in corners.min(axis=0))
    right, bottom = (math.ceil(v) + 1 for v in corners.max(axis=0))
    part = raster[top : max(top, min(bottom, height)), left : max(left, min(right, width))]
    xs, ys = np.meshgrid(np.arange(part.shape[1]) + left, np.arange(part.shape[0]) + top)
    inside = (layout.pixel_to_hex(np.stack([xs, ys], axis=-1)) == np.array(offset)).all(axis=-1)
    found: NDArray[T] = part[inside]
    return found
