"""Regions of a raster as polygons with holes, exact to the pixel's edge."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely
import shapely.affinity
from numpy.typing import NDArray
from shapely.geometry import MultiPolygon, Polygon

Ring = tuple[tuple[float, float], ...]


def mask_polygons(
    mask: NDArray[np.bool_], *, offset_px: tuple[int, int] = (0, 0), simplify_px: float = 0.6
) -> list[Polygon]:
    """Outlines of the regions of a mask.

    Parameters
    ----------
    mask : (H, W) bool
    offset_px : (int, int)
        x and y added to all points, for a mask that was cut from a larger raster.
    simplify_px : float
        Largest distance by which a point may move when steps of the raster
        are straightened; 0 keeps every step.

    Returns
    -------
    list of Polygon
        Largest first; regions that touch only in a corner are separate.  A
        pixel counts as the unit square round its centre, so the area of
        unsimplified polygons is the number of pixels.
    """
    padded = np.pad(mask, 1)
    edges = np.concatenate([_edges(padded, axis) for axis in (0, 1)])
    if not len(edges):
        return []
    faces = shapely.get_parts(shapely.polygonize(shapely.linestrings(edges)))
    inner = shapely.get_coordinates(shapely.point_on_surface(faces))
    columns, rows = np.rint(inner).astype(int).T
    faces = faces[padded[np.clip(rows, 0, None) + 1, np.clip(columns, 0, None) + 1]]
    if simplify_px:
        faces = shapely.simplify(faces, simplify_px)
    out: list[Polygon] = []
    for face in faces:
        parts = list(face.geoms) if isinstance(face, MultiPolygon) else [face]
        out.extend(p for p in parts if isinstance(p, Polygon) and p.area > 0)
    if offset_px != (0, 0):
        out = [shapely.affinity.translate(p, *offset_px) for p in out]
    return sorted(out, key=lambda p: (-p.area, p.bounds))


def _edges(padded: NDArray[np.bool_], axis: int) -> NDArray[np.float64]:
    """Unit edges (n, 2, 2) between pixels in and out of a mask that differ along an axis."""
    rows, cols = np.nonzero(np.diff(padded.astype(np.int8), axis=axis))
    # Padding moved everything by one pixel; the edge lies half a pixel further on.
    if axis == 0:
        a = np.stack([cols - 1.5, rows - 0.5], axis=1)
        b = a + [1, 0]
    else:
        a = np.stack([cols - 0.5, rows - 1.5], axis=1)
        b = a + [0, 1]
    return np.stack([a, b], axis=1)


def rings_of(polygon: Polygon) -> tuple[Ring, ...]:
    """Outer ring and holes of a polygon, rounded to a hundredth of a pixel for stable files."""

    def ring(coords: object) -> Ring:
        return tuple((round(float(x), 2), round(float(y), 2)) for x, y in np.asarray(coords))

    return (ring(polygon.exterior.coords), *(ring(r.coords) for r in polygon.interiors))


def ring_mask(
    rings: Sequence[Ring], shape: tuple[int, ...], offset_px: tuple[int, int] = (0, 0)
) -> NDArray[np.bool_]:
    """Pixels whose centre lies inside of rings (of an odd number of them), (H, W) bool.

    Parameters
    ----------
    rings : sequence of rings
        In board pixels, open or closed.
    shape : (int, int)
        H and W.
    offset_px : (int, int)
        Board pixel of the mask's first pixel.

    Notes
    -----
    Each edge counts the rows from its upper end to just above its lower one, so that
    a vertex at the height of a row counts once; a pixel on an edge belongs to one side.
    Rings of `mask_polygons` without simplifying give back their mask.
    """
    height, width = shape[0], shape[1]
    turns = np.zeros((height, width + 1), np.int32)
    for ring in rings:
        points = np.asarray(ring, np.float64) - offset_px
        for (x0, y0), (x1, y1) in zip(points, np.roll(points, -1, axis=0), strict=True):
            if y0 == y1:
                continue
            top, bottom = (y0, y1) if y0 < y1 else (y1, y0)
            first, last = max(0, math.ceil(top)), min(height, math.ceil(bottom))
            if last <= first:
                continue
            rows = np.arange(first, last)
            x = x0 + (rows - y0) * ((x1 - x0) / (y1 - y0))
            turns[rows, np.clip(np.ceil(x), 0, width).astype(np.intp)] += 1
    inside: NDArray[np.bool_] = np.cumsum(turns, axis=1)[:, :width] % 2 == 1
    return inside
