"""Exact traversal of the hex lattice, and of the raster below it.

A line of sight runs from centre to centre.  In lattice coordinates both ends
and all vertices are integers, so which hexes it crosses, which hexsides it
runs along and which vertices it touches is decided by the signs of integer
cross products: never by a tolerance, and alike from both ends.

`lattice_walk` is the shared inner function (interpreted or compiled);
`hex_line` is its readable form.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.los.jit import rule
from hexsight.model.layout import CORNERS, DIRECTIONS, from_lattice, hex_distance, to_lattice

# The same steps as in the layout, as arrays for compiled code.
STEP = np.array(DIRECTIONS, np.int64)
CORNER = np.array(CORNERS, np.int64)
NOWHERE = -(1 << 30)  # stands for "no second hex" in lattice coordinates


@rule
def lattice_walk(
    x0: int,
    y0: int,
    x1: int,
    y1: int,
    hexes: NDArray[np.int64],
    vertices: NDArray[np.int64],
) -> tuple[int, int]:
    """Walk from one hex centre to another.

    Parameters
    ----------
    x0, y0, x1, y1 : int
        Lattice coordinates of two different centres.
    hexes : (n, 4) int64
        Filled with one row a step: centre of the hex, and of a second hex
        where the line runs along the hexside between both (else NOWHERE).
        Needs 2 · range + 2 rows.
    vertices : (n, 3) int64
        Filled with one row for each vertex strictly between both ends:
        lattice coordinates, and the number of the step before it.

    Returns
    -------
    (int, int)
        Number of steps and of vertices.
    """
    dx, dy = x1 - x0, y1 - y0
    hexes[0, 0], hexes[0, 1], hexes[0, 2], hexes[0, 3] = x0, y0, NOWHERE, NOWHERE
    n, m = 1, 0
    for k in range(6):
        ex, ey = CORNER[k, 0], CORNER[k, 1]
        if dx * ey == dy * ex and dx * ex + dy * ey > 0:
            # Along hexspines: centre, vertex, hexside, vertex, centre, …
            a, b = (k + 5) % 6, k
            x, y = x0, y0
            while x != x1 or y != y1:
                hexes[n, 0], hexes[n, 1] = x + STEP[a, 0], y + STEP[a, 1]
                hexes[n, 2], hexes[n, 3] = x + STEP[b, 0], y + STEP[b, 1]
                vertices[m, 0], vertices[m, 1], vertices[m, 2] = x + ex, y + ey, n - 1
                vertices[m + 1, 0], vertices[m + 1, 1] = x + 2 * ex, y + 2 * ey
                vertices[m + 1, 2] = n
                x, y = x + 3 * ex, y + 3 * ey
                hexes[n + 1, 0], hexes[n + 1, 1] = x, y
                hexes[n + 1, 2], hexes[n + 1, 3] = NOWHERE, NOWHERE
                n += 2
                m += 2
            return n, m
    x, y = x0, y0
    while x != x1 or y != y1:
        side, corner = -1, -1
        reach = -1
        px, py = x + CORNER[5, 0] - x0, y + CORNER[5, 1] - y0
        before = dx * py - dy * px
        for k in range(6):
            px, py = x + CORNER[k, 0] - x0, y + CORNER[k, 1] - y0
            here = dx * py - dy * px
            # Side k − 1 runs from corner k − 1 to k, clockwise; the line leaves
            # through it where it passes from its left to its right.
            if before < 0 and here > 0:
                side = (k + 5) % 6
            if here == 0 and dx * px + dy * py > reach:
                corner, reach = k, dx * px + dy * py
            before = here
        if side < 0:
            ex, ey = CORNER[corner, 0], CORNER[corner, 1]
            vertices[m, 0], vertices[m, 1], vertices[m, 2] = x + ex, y + ey, n - 1
            m += 1
            side = corner if ex * dy - ey * dx > 0 else (corner + 5) % 6
        x, y = x + STEP[side, 0], y + STEP[side, 1]
        hexes[n, 0], hexes[n, 1], hexes[n, 2], hexes[n, 3] = x, y, NOWHERE, NOWHERE
        n += 1
    return n, m


@dataclass(frozen=True)
class HexStep:
    """One step of a line of sight.

    Attributes
    ----------
    hexes : tuple of (int, int)
        Offset of the hex crossed, or of the two hexes that share the hexside
        along which the line runs.
    """

    hexes: tuple[tuple[int, int], ...]

    @property
    def along(self) -> bool:
        """True where the line runs along a hexside."""
        return len(self.hexes) > 1


@dataclass(frozen=True)
class HexLine:
    """What a line of sight between two hexes meets, in its order.

    Attributes
    ----------
    steps : tuple of HexStep
        From the first hex to the last, both included.
    vertices : tuple of (int, int)
        Lattice coordinates of the vertices touched.
    """

    steps: tuple[HexStep, ...]
    vertices: tuple[tuple[int, int], ...]


def hex_line(a: tuple[int, int], b: tuple[int, int]) -> HexLine:
    """Hexes, hexsides and vertices on the line between two hex centres.

    Parameters
    ----------
    a, b : (int, int)
        Odd-q offsets.

    Returns
    -------
    HexLine
        The reverse of ``hex_line(b, a)``, exactly.

    Examples
    --------
    >>> [step.hexes for step in hex_line((0, 0), (2, 0)).steps]
    [((0, 0),), ((1, -1), (1, 0)), ((2, 0),)]
    """
    if a == b:
        return HexLine((HexStep((a,)),), ())
    room = 2 * hex_distance(a, b) + 4
    hexes = np.empty((room, 4), np.int64)
    vertices = np.empty((room, 3), np.int64)
    n, m = lattice_walk(*to_lattice(*a), *to_lattice(*b), hexes, vertices)
    steps = []
    for X1, Y1, X2, Y2 in hexes[:n].tolist():
        first = from_lattice(X1, Y1)
        pair = (first,) if X2 == NOWHERE else tuple(sorted([first, from_lattice(X2, Y2)]))
        steps.append(HexStep(pair))
    return HexLine(tuple(steps), tuple((int(x), int(y)) for x, y, _ in vertices[:m]))


# Sub-pixels of a pixel in which centres are kept for the raster walk.
SUB = 256


@rule
def grid_start(u0: int, u1: int, slope: int) -> tuple[int, int, int, int]:
    """Set-up of the raster walk along one axis.

    Parameters
    ----------
    u0, u1 : int
        Ends in sub-pixels, counted from the edge of pixel 0.
    slope : int
        Length of the line along the *other* axis, in sub-pixels.

    Returns
    -------
    (int, int, int, int)
        First pixel, step (−1, 0, 1), measure of the way to the next pixel
        edge, and what that measure grows by for each pixel.
    """
    if u1 > u0:
        first = u0 // SUB
        return first, 1, ((first + 1) * SUB - u0) * slope, SUB * slope
    if u1 < u0:
        first = -((-u0) // SUB) - 1  # an end on a pixel edge belongs to the pixel it leaves through
        return first, -1, (u0 - first * SUB) * slope, SUB * slope
    return u0 // SUB, 0, 0, 0


def pixel_line(start: tuple[int, int], end: tuple[int, int]) -> set[tuple[int, int]]:
    """Pixels that a line touches, the same from both ends and in every mirror image.

    Parameters
    ----------
    start, end : (int, int)
        In sub-pixels from the outer edge of pixel (0, 0); SUB to a pixel.

    Returns
    -------
    set of (int, int)
        (x, y) of every pixel whose interior the line crosses; where it passes
        exactly through a corner or along an edge, the pixels on both sides.
    """
    out: set[tuple[int, int]] = set()
    (x0, y0), (x1, y1) = start, end
    ax, ay = abs(x1 - x0), abs(y1 - y0)
    x, sx, to_x, by_x = grid_start(x0, x1, ay)
    y, sy, to_y, by_y = grid_start(y0, y1, ax)
    twin_x = -1 if sx == 0 and x0 % SUB == 0 else 0
    twin_y = -1 if sy == 0 and y0 % SUB == 0 else 0
    last_x = x1 // SUB if sx >= 0 else -((-x1) // SUB) - 1
    last_y = y1 // SUB if sy >= 0 else -((-y1) // SUB) - 1
    if sx > 0 and x1 % SUB == 0:
        last_x -= 1
    if sy > 0 and y1 % SUB == 0:
        last_y -= 1
    if sx < 0:
        last_x = x1 // SUB
    if sy < 0:
        last_y = y1 // SUB
    while True:
        out.add((x, y))
        if twin_x:
            out.add((x + twin_x, y))
        if twin_y:
            out.add((x, y + twin_y))
        done_x = sx == 0 or (x - last_x) * sx >= 0
        done_y = sy == 0 or (y - last_y) * sy >= 0
        if done_x and done_y:
            return out
        if not done_x and not done_y and to_x == to_y:
            out.add((x + sx, y))
            out.add((x, y + sy))
            x, y, to_x, to_y = x + sx, y + sy, to_x + by_x, to_y + by_y
        elif done_y or (not done_x and to_x < to_y):
            x, to_x = x + sx, to_x + by_x
        else:
            y, to_y = y + sy, to_y + by_y
