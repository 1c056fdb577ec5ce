"""Hex lattice on a picture, in the terms of the Red Blob Games reference.

Three coordinate systems meet here:

offset ``(col, row)``
    "odd-q": odd columns are shoved half a row towards larger rows, as in
    VASSAL's ``HexGrid``.  Maps whose odd columns stand half a hex *higher*
    (VASL's boards) use row −1 for the extra hex at the top of an odd column.
lattice ``(X, Y)``
    integers in which hex centres *and* vertices lie:  a centre is
    ``(3·col, 2·row + (col & 1))``, its corners are one or two steps away.
    All exact line-of-sight arithmetic is done here; a map that is stretched,
    turned or skewed has the same lattice.
board pixels ``(x, y)``
    ``x`` to the right, ``y`` down, the centre of the top left pixel is
    ``(0, 0)``.

"Sideways" (pointy-topped) maps follow VASSAL: columns run down the picture and
rows across, that is, everything is computed in swapped coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Steps from a centre to its six neighbours, clockwise from "up" (row − 1), in
# lattice coordinates, and to its six corners; side d runs from corner d to
# corner d + 1.
DIRECTIONS: tuple[tuple[int, int], ...] = ((0, -2), (3, -1), (3, 1), (0, 2), (-3, 1), (-3, -1))
CORNERS: tuple[tuple[int, int], ...] = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))


def to_lattice(col: int, row: int) -> tuple[int, int]:
    """Lattice coordinates of the centre of the hex at odd-q offset (col, row).

    Examples
    --------
    >>> to_lattice(0, 0), to_lattice(1, 0), to_lattice(1, 2)
    ((0, 0), (3, 1), (3, 5))
    """
    return 3 * col, 2 * row + (col & 1)


def from_lattice(X: int, Y: int) -> tuple[int, int]:
    """Offset (col, row) of the hex whose centre is at lattice (X, Y).

    Raises
    ------
    ValueError
        If no hex centre lies there.
    """
    col, rest = divmod(X, 3)
    if rest or (Y - (col & 1)) % 2:
        raise ValueError(f"({X}, {Y}) is no hex centre of the lattice")
    return col, (Y - (col & 1)) // 2


def neighbour(col: int, row: int, direction: int) -> tuple[int, int]:
    """Hex next to (col, row) in a direction 0–5, clockwise from up.

    Examples
    --------
    >>> neighbour(0, 0, 0), neighbour(1, 0, 0)
    ((0, -1), (1, -1))
    """
    X, Y = to_lattice(col, row)
    dX, dY = DIRECTIONS[direction % 6]
    return from_lattice(X + dX, Y + dY)


def direction_to(a: tuple[int, int], b: tuple[int, int]) -> int | None:
    """Direction 0–5 from hex a to its neighbour b, or None when they do not touch."""
    (aX, aY), (bX, bY) = to_lattice(*a), to_lattice(*b)
    step = (bX - aX, bY - aY)
    return DIRECTIONS.index(step) if step in DIRECTIONS else None


def vertex_hexes(X: int, Y: int) -> tuple[tuple[int, int], ...]:
    """Offsets of the three hexes that meet in the vertex at lattice (X, Y)."""
    found = []
    for dX, dY in CORNERS:
        cX, cY = X - dX, Y - dY
        if cX % 3 == 0 and (cY - ((cX // 3) & 1)) % 2 == 0:
            found.append(from_lattice(cX, cY))
    return tuple(sorted(found))


def offset_to_axial(col: int, row: int) -> tuple[int, int]:
    """Axial (q, r) of an odd-q offset."""
    return col, row - (col - (col & 1)) // 2


def hex_distance(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Range between two hexes given as odd-q offsets, in hexes.

    Examples
    --------
    >>> hex_distance((0, 0), (2, 0)), hex_distance((0, 0), (1, 5))
    (2, 6)
    """
    aq, ar = offset_to_axial(*a)
    bq, br = offset_to_axial(*b)
    dq, dr = aq - bq, ar - br
    return max(abs(dq), abs(dr), abs(dq + dr))


@dataclass(frozen=True)
class Layout:
    """Affine map between the hex lattice and board pixels.

    Attributes
    ----------
    origin_px : (float, float)
        Board pixel of the centre of hex (0, 0).
    col_px : (float, float)
        Step in pixels from column c to c + 1 at the same height, that is,
        without the half-row shift of odd columns.
    row_px : (float, float)
        Step in pixels from row r to r + 1.
    sideways : bool
        True where the hexes are pointy-topped and columns run down the
        picture.  Only names the case: the vectors hold the geometry.
    """

    origin_px: tuple[float, float]
    col_px: tuple[float, float]
    row_px: tuple[float, float]
    sideways: bool = False

    def __post_init__(self) -> None:
        values = (*self.origin_px, *self.col_px, *self.row_px)
        if not all(math.isfinite(v) for v in values):
            raise ValueError("a layout needs finite numbers")
        if abs(self._determinant()) < 1e-9:
            raise ValueError("the column and row steps of a layout must not be parallel")

    @classmethod
    def from_grid(
        cls,
        dx: float,
        dy: float,
        x0: float,
        y0: float,
        *,
        sideways: bool = False,
        rot_deg: float = 0.0,
        skew_deg: float = 0.0,
    ) -> Layout:
        """Layout from spacing, origin and turn.

        Parameters
        ----------
        dx, dy : float
            Column and row spacing in pixels, as VASSAL's HexGrid has them.
        x0, y0 : float
            Centre of hex (0, 0) in pixels; when `sideways`, in VASSAL's swapped
            coordinates (x0 runs down the picture).
        rot_deg : float
            Turn of the whole lattice about that centre, in the sense that takes
            the x axis to the y axis (clockwise as seen, since y runs down).
        skew_deg : float
            Further turn of the row axis alone.

        Examples
        --------
        >>> layout = Layout.from_grid(56.25, 64.5, 0, 32.25)
        >>> layout.centre(1, 0)
        (56.25, 64.5)
        >>> layout.pixel_to_hex((60, 70)).tolist()
        [1, 0]
        """
        a, b = math.radians(rot_deg), math.radians(rot_deg + skew_deg)
        if sideways:
            return cls(
                (y0, x0),
                (-dx * math.sin(a), dx * math.cos(a)),
                (dy * math.cos(b), dy * math.sin(b)),
                True,
            )
        return cls(
            (x0, y0),
            (dx * math.cos(a), dx * math.sin(a)),
            (-dy * math.sin(b), dy * math.cos(b)),
            False,
        )

    def _determinant(self) -> float:
        return self.col_px[0] * self.row_px[1] - self.col_px[1] * self.row_px[0]

    @property
    def dx(self) -> float:
        """Column spacing in pixels."""
        return math.hypot(*self.col_px)

    @property
    def dy(self) -> float:
        """Row spacing (flat-to-flat height of a hex) in pixels."""
        return math.hypot(*self.row_px)

    @property
    def x0(self) -> float:
        """VASSAL's x0 (as a decimal): centre of hex (0, 0) along the column axis."""
        return self.origin_px[1] if self.sideways else self.origin_px[0]

    @property
    def y0(self) -> float:
        """VASSAL's y0 (as a decimal): centre of hex (0, 0) along the row axis."""
        return self.origin_px[0] if self.sideways else self.origin_px[1]

    @property
    def rot_deg(self) -> float:
        """Turn of the column axis, in degrees; 0 for an upright map."""
        cx, cy = self.col_px
        return math.degrees(math.atan2(-cx, cy) if self.sideways else math.atan2(cy, cx))

    @property
    def skew_deg(self) -> float:
        """Turn of the row axis beyond that of the column axis, in degrees."""
        rx, ry = self.row_px
        turn = math.degrees(math.atan2(ry, rx) if self.sideways else math.atan2(-rx, ry))
        return turn - self.rot_deg

    def lattice_to_pixel(self, lattice: ArrayLike) -> NDArray[np.float64]:
        """Board pixels (…, 2) of lattice points (…, 2); fractions are allowed."""
        p = np.asarray(lattice, dtype=np.float64)
        pixels: NDArray[np.float64] = (
            np.array(self.origin_px)
            + p[..., :1] / 3.0 * np.array(self.col_px)
            + p[..., 1:] / 2.0 * np.array(self.row_px)
        )
        return pixels

    def pixel_to_lattice(self, pixels: ArrayLike) -> NDArray[np.float64]:
        """Fractional lattice points (…, 2) of board pixels (…, 2)."""
        p = np.asarray(pixels, dtype=np.float64) - np.array(self.origin_px)
        det = self._determinant()
        cx, cy = self.col_px
        rx, ry = self.row_px
        u = (p[..., 0] * ry - p[..., 1] * rx) / det
        v = (p[..., 1] * cx - p[..., 0] * cy) / det
        return np.stack([3.0 * u, 2.0 * v], axis=-1)

    def centre(self, col: int, row: int) -> tuple[float, float]:
        """Board pixel of the centre of a hex."""
        x, y = self.lattice_to_pixel(to_lattice(col, row))
        return float(x), float(y)

    def corners(self, col: int, row: int) -> NDArray[np.float64]:
        """Six corners (6, 2) of a hex in board pixels, in the order of CORNERS."""
        X, Y = to_lattice(col, row)
        return self.lattice_to_pixel([(X + a, Y + b) for a, b in CORNERS])

    def side(self, col: int, row: int, direction: int) -> NDArray[np.float64]:
        """End points (2, 2) in board pixels of a hexside."""
        corners = self.corners(col, row)
        return corners[[direction % 6, (direction + 1) % 6]]

    def pixel_to_hex(self, pixels: ArrayLike) -> NDArray[np.int64]:
        """Offsets (…, 2) of the hexes that hold board pixels (…, 2) (``hex_round``).

        Exact for any affine picture of the lattice: the nearest centre is
        sought in the undistorted regular lattice.
        """
        p = self.pixel_to_lattice(pixels)
        return hex_round(p[..., 0], p[..., 1])

    def owner_map(self, size_px: tuple[int, int]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Column and row (each (H, W) int32) of the hex that holds each pixel of a picture."""
        width, height = size_px
        cols = np.empty((height, width), np.int32)
        rows = np.empty((height, width), np.int32)
        for top, found in self.owner_bands(size_px):
            cols[top : top + len(found)] = found[..., 0]
            rows[top : top + len(found)] = found[..., 1]
        return cols, rows

    def owner_bands(self, size_px: tuple[int, int]) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """Bands of a picture from top to bottom: first row, and hexes (h, W, 2) of its pixels.

        Bands are so small that what is worked out on the way stays in the
        processor's cache: this is three times as fast as the picture as a whole.
        """
        width, height = size_px
        xs = np.arange(width, dtype=np.float64)
        band = max(1, 40_000 // max(1, width))
        for top in range(0, height, band):
            ys = np.arange(top, min(height, top + band), dtype=np.float64)
            yield top, self.pixel_to_hex(np.stack(np.meshgrid(xs, ys), axis=-1))

    def hexes_on(self, size_px: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Offsets of all hexes whose centre lies on a picture, column by column."""
        width, height = size_px
        edges = self.pixel_to_lattice([(0, 0), (width, 0), (0, height), (width, height)])
        c_lo, c_hi = math.floor(edges[:, 0].min() / 3) - 1, math.ceil(edges[:, 0].max() / 3) + 1
        r_lo, r_hi = math.floor(edges[:, 1].min() / 2) - 1, math.ceil(edges[:, 1].max() / 2) + 1
        for col in range(c_lo, c_hi + 1):
            for row in range(r_lo, r_hi + 1):
                x, y = self.centre(col, row)
                if -0.5 <= x < width - 0.5 and -0.5 <= y < height - 0.5:
                    yield col, row


def hex_round(X: NDArray[np.float64], Y: NDArray[np.float64]) -> NDArray[np.int64]:
    """Offsets (…, 2) of the hexes nearest to fractional lattice points.

    The cube rounding of the Red Blob Games reference, on axial
    ``q = X / 3``, ``r = (Y − X / 3) / 2``.
    """
    q = X / 3.0
    r = (Y - q) / 2.0
    s = -q - r
    rq, rr, rs = np.rint(q), np.rint(r), np.rint(s)
    dq, dr, ds = np.abs(rq - q), np.abs(rr - r), np.abs(rs - s)
    fix_q = (dq > dr) & (dq > ds)
    fix_r = ~fix_q & (dr > ds)
    rq = np.where(fix_q, -rr - rs, rq).astype(np.int64)
    rr = np.where(fix_r, -rq - rs, rr).astype(np.int64)
    return np.stack([rq, rr + (rq - (rq & 1)) // 2], axis=-1)
