"""What to do with a fitted grid: renumber it, compare it, give it to VASSAL, straighten, draw."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.model.errors import FindingsError, UnsupportedError
from hexsight.model.layout import Layout, to_lattice

if TYPE_CHECKING:
    from hexsight.extract.grid import GridFit
    from hexsight.extract.grid_extent import Extent


@dataclass(frozen=True)
class Offsets:
    """How far one lattice lies beside another, over the hexes of a map.

    Attributes
    ----------
    rms_px, max_px : float
        Root mean square and largest distance between hex centres.
    mean_px : (float, float)
        Mean way from the first lattice to the second.
    worst_px : (float, float)
        Where on the picture the largest distance is.
    hexes : int
    """

    rms_px: float
    max_px: float
    mean_px: tuple[float, float]
    worst_px: tuple[float, float]
    hexes: int


def align_to(
    fitted: Layout,
    nominal: Layout,
    size_px: tuple[int, int],
    *,
    extent: Extent | None = None,
    most: float = 0.25,
) -> Layout:
    """Fitted geometry with the numbering of a nominal grid.

    Parameters
    ----------
    fitted : Layout
        Lattice as printed, numbered anyhow.
    nominal : Layout
        The module's or the board's grid, whose (col, row) the names hang on.
    size_px : (int, int)
        Width and height of the picture.
    extent : Extent, optional
        Where the grid is printed; without it the whole picture has to agree.
    most : float
        Largest distance accepted between the two, in row spacings.

    Returns
    -------
    Layout
        Hex (col, row) of it is hex (col, row) of `nominal`, where it is printed.

    Raises
    ------
    hexsight.model.errors.FindingsError
        If the lattices lie further apart somewhere on the map, so that a
        name would be a guess.
    """
    if fitted.sideways != nominal.sideways:
        raise FindingsError(
            "The printed hexes are "
            + ("pointy" if fitted.sideways else "flat")
            + "-topped but the module's grid is not: set its 'sideways' the other way."
        )
    left, top, right, bottom = 0.0, 0.0, size_px[0] - 1.0, size_px[1] - 1.0
    if extent is not None and len(extent.polygon_px):
        left, top, right, bottom = extent.box_px
    middle = ((left + right) / 2, (top + bottom) / 2)
    col, row = (int(v) for v in nominal.pixel_to_hex(middle))
    near = fitted.pixel_to_hex(nominal.centre(col, row))
    found = np.array(to_lattice(int(near[0]), int(near[1])))
    shift = found - np.array(to_lattice(col, row))
    # A shift by an odd number of columns brings half a row with it, so lattice
    # coordinates of the new numbering start at `shift` and stay odd-q.
    x, y = fitted.lattice_to_pixel(shift)
    aligned = replace(fitted, origin_px=(float(x), float(y)))
    corners = [(left, top), (right, top), (left, bottom), (right, bottom), middle]
    lattice = nominal.pixel_to_lattice(corners)
    apart = np.linalg.norm(aligned.lattice_to_pixel(lattice) - np.array(corners), axis=1)
    worst = int(np.argmax(apart))
    if apart[worst] > most * fitted.dy:
        cx, cy = corners[worst]
        raise FindingsError(
            f"The printed grid and the module's lie {apart[worst]:.1f} px apart at "
            f"({cx:.0f}, {cy:.0f}), more than {most:g} hexes: hex names would be a guess. "
            "Correct the module's grid or give the right one."
        )
    return aligned


def compare(
    fitted: Layout, other: Layout, extent: Extent | None, size_px: tuple[int, int] | None = None
) -> Offsets:
    """Distances of the hex centres of a fit to the nearest centres of another grid.

    Taken over the hexes of `extent`, or, without one, over those on a picture
    of `size_px`.
    """
    hexes = _hexes(fitted, extent, size_px)
    if len(hexes) == 0:
        return Offsets(0.0, 0.0, (0.0, 0.0), (0.0, 0.0), 0)
    here = _centres(fitted, hexes)
    there = _centres(other, other.pixel_to_hex(here))
    way = there - here
    far = np.hypot(way[:, 0], way[:, 1])
    worst = int(np.argmax(far))
    return Offsets(
        float(np.sqrt(np.mean(far**2))),
        float(far[worst]),
        (float(way[:, 0].mean()), float(way[:, 1].mean())),
        (float(here[worst, 0]), float(here[worst, 1])),
        len(hexes),
    )


def _hexes(
    layout: Layout, extent: Extent | None, size_px: tuple[int, int] | None
) -> NDArray[np.int64]:
    """Hexes (n, 2) of a layout within an extent (in whatever numbering), or on a picture."""
    if extent is not None and len(extent.centres_px):
        return layout.pixel_to_hex(extent.centres_px)
    if size_px is None:
        raise ValueError("the hexes to compare need an extent or the size of the picture")
    return np.array(list(layout.hexes_on(size_px)), np.int64).reshape(-1, 2)


def _centres(layout: Layout, hexes: NDArray[np.int64]) -> NDArray[np.float64]:
    cols, rows = hexes[:, 0], hexes[:, 1]
    return layout.lattice_to_pixel(np.stack([3 * cols, 2 * rows + (cols & 1)], axis=-1))


@dataclass(frozen=True)
class VassalGrid:
    """Attributes that VASSAL's HexGrid can hold, and what they leave over.

    Attributes
    ----------
    attributes : dict of str to str
        ``dx``, ``dy``, ``x0``, ``y0``, ``sideways`` as the build file writes them.
    layout : Layout
        The grid that these attributes draw.
    max_error_px, rms_error_px : float
        Distance of its hex centres from the printed ones over the map.
    """

    attributes: dict[str, str]
    layout: Layout
    max_error_px: float
    rms_error_px: float


def vassal_attributes(
    fitted: Layout, size_px: tuple[int, int], extent: Extent | None = None
) -> VassalGrid:
    """Best HexGrid attributes for a fit: whole x0 and y0, decimal dx and dy.

    VASSAL cannot turn a grid, so a turned scan leaves an error that is told.
    For every whole origin near the fitted one the spacing that makes the
    largest error smallest is found (the error along an axis is linear in the
    spacing, so its maximum is convex).
    """
    hexes = _hexes(fitted, extent, size_px)
    if len(hexes) == 0:
        raise UnsupportedError("No hex of the grid lies on the picture, so it has no attributes.")
    centre = _centres(fitted, hexes)
    along = centre[:, ::-1] if fitted.sideways else centre
    cols = hexes[:, 0].astype(np.float64)
    rows = hexes[:, 1] + 0.5 * (hexes[:, 0] & 1)
    x0, dx = _best_axis(along[:, 0], cols, fitted.x0, fitted.dx)
    y0, dy = _best_axis(along[:, 1], rows, fitted.y0, fitted.dy)
    layout = Layout.from_grid(dx, dy, x0, y0, sideways=fitted.sideways)
    far = np.linalg.norm(_centres(layout, hexes) - centre, axis=1)
    attributes = {
        "dx": repr(dx),
        "dy": repr(dy),
        "x0": str(x0),
        "y0": str(y0),
        "sideways": "true" if fitted.sideways else "false",
    }
    return VassalGrid(attributes, layout, float(far.max()), float(np.sqrt(np.mean(far**2))))


def _best_axis(
    place: NDArray[np.float64], index: NDArray[np.float64], start: float, spacing: float
) -> tuple[int, float]:
    best: tuple[float, int, float] | None = None
    for origin in range(math.floor(start) - 3, math.ceil(start) + 4):
        low, high = spacing * 0.9, spacing * 1.1
        for _ in range(90):
            a, b = low + (high - low) / 3, high - (high - low) / 3
            if np.abs(origin + a * index - place).max() < np.abs(origin + b * index - place).max():
                high = b
            else:
                low = a
        value = round((low + high) / 2, 6)
        error = float(np.abs(origin + value * index - place).max())
        if best is None or error < best[0] - 1e-9:
            best = (error, origin, value)
    assert best is not None
    return best[1], best[2]


def straighten(rgb: NDArray[np.uint8], fitted: Layout) -> tuple[NDArray[np.uint8], Layout]:
    """Picture turned and sheared so that the grid stands upright, and its layout there.

    The canvas grows so that nothing is cut off; new corners are white.  Column
    and row spacing stay as they are.
    """
    dx, dy = fitted.dx, fitted.dy
    col = np.array([0.0, dx]) if fitted.sideways else np.array([dx, 0.0])
    row = np.array([dy, 0.0]) if fitted.sideways else np.array([0.0, dy])
    source = np.stack([fitted.col_px, fitted.row_px], axis=1)
    turn = np.stack([col, row], axis=1) @ np.linalg.inv(source)
    height, width = rgb.shape[:2]
    rim = np.array([(-0.5, -0.5), (width - 0.5, -0.5), (-0.5, height - 0.5),
                    (width - 0.5, height - 0.5)])  # fmt: skip
    moved = rim @ turn.T
    low = moved.min(axis=0)
    size = np.ceil(moved.max(axis=0) - low - 1e-6).astype(int)
    shift = -low - 0.5
    matrix = np.concatenate([turn, shift[:, None]], axis=1)
    out = cv2.warpAffine(
        rgb,
        matrix,
        (int(size[0]), int(size[1])),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(255, 255, 255),
    )
    origin = turn @ np.array(fitted.origin_px) + shift
    layout = Layout(
        (float(origin[0]), float(origin[1])),
        (float(col[0]), float(col[1])),
        (float(row[0]), float(row[1])),
        fitted.sideways,
    )
    return np.asarray(out, np.uint8), layout


def draw_fit(
    rgb: NDArray[np.uint8], fit: GridFit, others: tuple[GridFit, ...] = ()
) -> NDArray[np.uint8]:
    """Picture with the fitted lattice in magenta, its centres, and the extent in cyan.

    The lattice goes on beyond its extent, so that one sees what was left out.
    Further grids of the sheet are drawn in orange, within their extent only.
    """
    height, width = rgb.shape[:2]
    taken = np.zeros((height, width), np.uint8)
    for other in others:
        taken |= other.extent.mask((width, height))
    out = rgb.copy()
    drawn = fit.layout.hexes_on((width, height))
    _draw_hexes(out, fit, drawn, (255, 0, 255), taken)
    for other in others:
        hexes = [(int(c), int(r)) for c, r in other.extent.hexes]
        _draw_hexes(out, other, hexes, (255, 140, 0), None)
    for each in (fit, *others):
        for rim in (each.extent_px, *each.extent.holes_px):
            if len(rim):
                points = np.round(rim * (1 << _SHIFT)).astype(np.int32)
                thick = 3 * _thick(each)
                cv2.polylines(out, [points], True, (0, 220, 255), thick, cv2.LINE_AA, _SHIFT)
    return out


_SHIFT = 4  # sub-pixel bits of OpenCV's drawing


def _thick(fit: GridFit) -> int:
    return max(1, round(fit.layout.dy / 200))


def _draw_hexes(
    out: NDArray[np.uint8],
    fit: GridFit,
    hexes: Iterable[tuple[int, int]],
    color: tuple[int, int, int],
    taken: NDArray[np.uint8] | None,
) -> None:
    """Outlines and centres of hexes, but for those whose centre is taken by another grid."""
    layout, thick = fit.layout, _thick(fit)
    height, width = out.shape[:2]
    for col, row in hexes:
        x, y = (round(v) for v in layout.centre(col, row))
        if taken is not None and taken[min(max(y, 0), height - 1), min(max(x, 0), width - 1)]:
            continue
        corners = np.round(layout.corners(col, row) * (1 << _SHIFT)).astype(np.int32)
        cv2.polylines(out, [corners], True, color, thick, cv2.LINE_AA, _SHIFT)
        cv2.circle(out, (x, y), 2 * thick, color, -1, cv2.LINE_AA)
