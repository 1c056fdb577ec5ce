"""Pixels of a composed map: which board each comes from, and which pixel of it.

Boards of the same spacing are moved by whole pixels, so that no label changes;
others are resampled to the lattice that most boards share, nearest neighbour,
since the mean of two terrain codes means nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import Polygon, box

from hexsight.model.compose_edges import EDGE_SLACK
from hexsight.model.compose_place import Piece, seam
from hexsight.model.errors import UsageError
from hexsight.model.layout import Layout

MAX_PIXELS = 250_000_000
# A board moved by whole pixels may lie at most this far from where its lattice says.
MAX_RESIDUAL_PX = 0.5
_EPS_PX = 1e-6
_EPS = 1e-7  # in lattice units
_BAND_PX = 1_000_000


@dataclass(frozen=True, eq=False)
class Laid:
    """A board on the canvas.

    Attributes
    ----------
    piece : Piece
    move_px : (int, int) or None
        From its pixels to those of the canvas, or None when it is resampled.
    area : Polygon
        Part of the canvas that it covers, in pixels.
    lower, upper : (2,) float64
        Lattice lines between which it is asked first.
    open_lower, open_upper : (2,) float64
        The same, infinite where nothing is joined or cut off: there, the
        picture itself is the limit.
    """

    piece: Piece
    move_px: tuple[int, int] | None
    area: Polygon
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    open_lower: NDArray[np.float64]
    open_upper: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Canvas:
    """Raster frame of a composed map.

    Attributes
    ----------
    layout : Layout
    size_px : (int, int)
        Width and height.
    laid : tuple of Laid
        In the order of the pieces.
    """

    layout: Layout
    size_px: tuple[int, int]
    laid: tuple[Laid, ...]

    def to_canvas(self, index: int, points: Any) -> NDArray[np.float64]:
        """Canvas pixels (…, 2) of pixels (…, 2) of the picture of a board as it lies."""
        laid = self.laid[index]
        if laid.move_px is not None:
            moved: NDArray[np.float64] = np.asarray(points, np.float64) + np.array(laid.move_px)
            return moved
        lattice = laid.piece.layout.pixel_to_lattice(points)
        return self.layout.lattice_to_pixel(lattice + np.array(laid.piece.shift))

    def sources(self) -> Iterator[tuple[int, _Taken]]:
        """For each board the pixels of the canvas that come from it, none twice.

        First each board is asked between the lines along which boards are joined,
        in their order.  Half hexes may be drawn a little too short: gaps up to the
        lines are filled with the nearest pixel.  What is left goes to margins that
        reach beyond the lines.
        """
        width, height = self.size_px
        free = np.ones((height, width), bool)
        for strict, fill in ((True, False), (True, True), (False, False)):
            for index, laid in enumerate(self.laid):
                for taken in _take(self, laid, free, strict=strict, fill=fill):
                    yield index, taken


@dataclass(frozen=True, eq=False)
class _Taken:
    """Pixels (k,) of the canvas and where they come from."""

    rows: NDArray[np.intp]
    cols: NDArray[np.intp]
    from_rows: NDArray[np.intp]
    from_cols: NDArray[np.intp]


def make_canvas(pieces: Sequence[Piece]) -> Canvas:
    """Settle lattice, size and the place of each board.

    Raises
    ------
    UsageError
        If the map would have more than 250 million pixels.
    """
    leader = _leader(pieces)
    base = _shifted(leader.layout, leader.shift)
    moves, errors = [], []
    for piece in pieces:
        off = _displacement(piece, base)
        middle = (off.min(axis=0) + off.max(axis=0)) / 2
        move = np.floor(middle + 0.5 + _EPS_PX)
        fits = np.abs(off - move).max() <= MAX_RESIDUAL_PX + _EPS_PX
        moves.append(move if fits else None)
        if fits:
            errors.append(middle - move)
    # What is left of moving by whole pixels is shared out, so that no board is favoured.
    rest = (np.min(errors, axis=0) + np.max(errors, axis=0)) / 2
    rest[np.abs(rest) < _EPS_PX] = 0.0
    base = _moved(base, -rest)
    laid = [_lay(pieces, i, base, moves[i]) for i in range(len(pieces))]
    bounds = np.array([one.area.bounds for one in laid])
    low = np.ceil(bounds[:, :2].min(axis=0) - _EPS_PX)
    high = np.floor(bounds[:, 2:].max(axis=0) + _EPS_PX)
    width, height = (int(v) for v in high - low + 1)
    if width * height > MAX_PIXELS:
        raise UsageError(
            f"The composed map would have {width} × {height} px; hexsight takes up to "
            f"{MAX_PIXELS // 1_000_000} million pixels. Use fewer boards or crop them."
        )
    return Canvas(_moved(base, -low), (width, height), tuple(_pulled(one, low) for one in laid))


def _leader(pieces: Sequence[Piece]) -> Piece:
    """First of the boards whose spacing most of the hexes share: the fewest are resampled."""
    hexes: dict[tuple[float, ...], int] = {}
    steps = [tuple(round(v, 6) for v in (*p.layout.col_px, *p.layout.row_px)) for p in pieces]
    for step, piece in zip(steps, pieces, strict=True):
        hexes[step] = hexes.get(step, 0) + len(piece.lattice)
    most = max(hexes.values())
    return next(p for s, p in zip(steps, pieces, strict=True) if hexes[s] == most)


def _shifted(layout: Layout, shift: tuple[int, int]) -> Layout:
    """The layout of the whole map, in pixels of a board whose lattice is shifted in it."""
    zero = layout.lattice_to_pixel((-shift[0], -shift[1]))
    return replace(layout, origin_px=(float(zero[0]), float(zero[1])))


def _moved(layout: Layout, by: NDArray[np.float64]) -> Layout:
    x, y = layout.origin_px
    return replace(layout, origin_px=(x + float(by[0]), y + float(by[1])))


def _displacement(piece: Piece, base: Layout) -> NDArray[np.float64]:
    """How far (4, 2) the corners of a board's picture move on to the common lattice."""
    corners = _corners(piece)
    lattice = piece.layout.pixel_to_lattice(corners) + np.array(piece.shift)
    moved: NDArray[np.float64] = base.lattice_to_pixel(lattice) - corners
    return moved


def _corners(piece: Piece) -> NDArray[np.float64]:
    width, height = piece.size_px
    x, y = width - 0.5, height - 0.5
    return np.array([(-0.5, -0.5), (x, -0.5), (x, y), (-0.5, y)])


def _lay(
    pieces: Sequence[Piece], index: int, base: Layout, move: NDArray[np.float64] | None
) -> Laid:
    piece = pieces[index]
    bounds = np.zeros((2, 2))
    opened = np.array([[-math.inf, -math.inf], [math.inf, math.inf]])
    for axis in (0, 1):
        for end in (0, 1):
            bounds[end, axis] = piece.at(axis, end) + (_EPS if end else -_EPS)
            if piece.edges[axis][end].cut or seam(piece, axis, end, pieces):
                opened[end, axis] = bounds[end, axis]
    corners = _corners(piece) + (move if move is not None else _displacement(piece, base))
    covered = Polygon(corners)
    reach = base.pixel_to_lattice(corners)
    limits = box(
        *np.maximum(opened[0], reach.min(axis=0) - 1), *np.minimum(opened[1], reach.max(axis=0) + 1)
    )
    outline = base.lattice_to_pixel(shapely.get_coordinates(limits))
    return Laid(
        piece,
        None if move is None else (int(move[0]), int(move[1])),
        covered.intersection(Polygon(outline)),
        bounds[0],
        bounds[1],
        opened[0],
        opened[1],
    )


def _pulled(laid: Laid, low: NDArray[np.float64]) -> Laid:
    """The same on the canvas, whose first pixel is at `low`."""
    move = laid.move_px
    return replace(
        laid,
        move_px=None if move is None else (move[0] - int(low[0]), move[1] - int(low[1])),
        area=shapely.affinity.translate(laid.area, -float(low[0]), -float(low[1])),
    )


def _take(
    canvas: Canvas, laid: Laid, free: NDArray[np.bool_], *, strict: bool, fill: bool
) -> Iterator[_Taken]:
    """Pixels that a board gives and no other has given, in bands; marks them in `free`."""
    piece = laid.piece
    slack = math.ceil(EDGE_SLACK * max(piece.layout.dx, piece.layout.dy)) + 1 if fill else 0
    width, height = canvas.size_px
    x0, y0, x1, y1 = laid.area.bounds
    left, right = max(0, math.floor(x0) - slack), min(width, math.ceil(x1) + slack + 1)
    top, bottom = max(0, math.floor(y0) - slack), min(height, math.ceil(y1) + slack + 1)
    if left >= right:
        return
    lower, upper = (laid.lower, laid.upper) if strict else (laid.open_lower, laid.open_upper)
    own_width, own_height = piece.size_px
    band = max(1, _BAND_PX // (right - left))
    for start in range(top, bottom, band):
        rows, cols = np.nonzero(free[start : min(bottom, start + band), left:right])
        if not len(rows):
            continue
        rows, cols = rows + start, cols + left
        points = np.stack([cols, rows], axis=1)
        lattice = canvas.layout.pixel_to_lattice(points)
        if laid.move_px is None:
            own = piece.layout.lattice_to_pixel(lattice - np.array(piece.shift))
            from_cols, from_rows = np.rint(own).astype(np.intp).T
        else:
            from_cols, from_rows = cols - laid.move_px[0], rows - laid.move_px[1]
        take = np.all((lattice >= lower) & (lattice <= upper), axis=1)
        take &= (from_cols >= -slack) & (from_cols < own_width + slack)
        take &= (from_rows >= -slack) & (from_rows < own_height + slack)
        rows, cols = rows[take], cols[take]
        free[rows, cols] = False
        yield _Taken(
            rows,
            cols,
            np.clip(from_rows[take], 0, own_height - 1),
            np.clip(from_cols[take], 0, own_width - 1),
        )


def paste(
    canvas: Canvas, planes: Sequence[Sequence[NDArray[Any]]]
) -> tuple[list[NDArray[Any]], NDArray[np.bool_]]:
    """Lay rasters of the boards on the canvas.

    Parameters
    ----------
    canvas : Canvas
    planes : sequence of sequences of (H, W, …) arrays
        For each raster wanted one array a board, as the boards lie (turned ones
        turned already).

    Returns
    -------
    list of (H, W, …) arrays
        0 where no board lies.
    (H, W) bool
        Where a board lies.
    """
    width, height = canvas.size_px
    outs = [np.zeros((height, width, *p[0].shape[2:]), p[0].dtype) for p in planes]
    covered = np.zeros((height, width), bool)
    for index, taken in canvas.sources():
        for out, plane in zip(outs, planes, strict=True):
            out[taken.rows, taken.cols] = plane[index][taken.from_rows, taken.from_cols]
        covered[taken.rows, taken.cols] = True
    return outs, covered
