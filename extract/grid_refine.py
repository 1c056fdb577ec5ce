"""Sub-pixel fit of the lattice to the printed hexsides.

Every hexside is looked at across its line: the profile of the picture, taken
along the side, has a ridge where the line is printed.  How far the ridge lies
beside the predicted side is linear in the six numbers of the affine map, so a
robust least squares fit of thousands of hexsides settles them to hundredths of
a pixel.  The fit starts in the window where the lattice was seen best and
grows outwards, so that an error of a tenth of a pixel per hex cannot jump to
the next line on the far side of a large map.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.model.layout import CORNERS, Layout, to_lattice

_ALONG = 16  # samples along a side


@dataclass(frozen=True)
class Sides:
    """Hexsides in lattice coordinates.

    Attributes
    ----------
    ends : (n, 2, 2) float64 ndarray
        End points in lattice coordinates.
    direction : (n,) int64 ndarray
        Side 0, 1 or 2 of the hex `hexes`.
    hexes : (n, 2) int64 ndarray
        Offset (col, row) of one of the two hexes it belongs to.
    """

    ends: NDArray[np.float64]
    direction: NDArray[np.int64]
    hexes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.direction)

    def take(self, keep: NDArray[np.bool_] | NDArray[np.int64]) -> Sides:
        """The sides selected by a mask or by indices."""
        return Sides(self.ends[keep], self.direction[keep], self.hexes[keep])

    def runs_on(self) -> tuple[Sides, Sides]:
        """The continuations of every side beyond its two ends, as long as the side."""
        p, q = self.ends[:, 0], self.ends[:, 1]
        return (
            replace(self, ends=np.stack([q, 2 * q - p], axis=1)),
            replace(self, ends=np.stack([p, 2 * p - q], axis=1)),
        )


@dataclass(frozen=True)
class Measured:
    """What was seen across each side.

    Attributes
    ----------
    offset_px : (n,) float64 ndarray
        Distance from the predicted side to the strongest ridge, along the
        normal of the side.
    strength : (n,) float64 ndarray
        Height of that ridge in grey levels, clipped along the side.
    at_zero : (n,) float64 ndarray
        Height of the ridge response on the predicted line itself.
    profile : (n, m) float32 ndarray
        Ridge response across the side.
    step_px : float
        Spacing of the profile; its middle is the predicted line.
    """

    offset_px: NDArray[np.float64]
    strength: NDArray[np.float64]
    at_zero: NDArray[np.float64]
    profile: NDArray[np.float32]
    step_px: float


def sides_on(layout: Layout, box: tuple[float, float, float, float]) -> Sides:
    """All hexsides whose middle lies in a box (left, top, right, bottom) of picture pixels."""
    left, top, right, bottom = box
    corners = layout.pixel_to_lattice([(left, top), (right, top), (left, bottom), (right, bottom)])
    c0, c1 = math.floor(corners[:, 0].min() / 3) - 1, math.ceil(corners[:, 0].max() / 3) + 1
    r0, r1 = math.floor(corners[:, 1].min() / 2) - 2, math.ceil(corners[:, 1].max() / 2) + 1
    cols, rows = (
        v.ravel() for v in np.meshgrid(np.arange(c0, c1 + 1), np.arange(r0, r1 + 1), indexing="ij")
    )
    centre = np.stack([3 * cols, 2 * rows + (cols & 1)], axis=-1).astype(np.float64)
    steps = np.array([(CORNERS[d], CORNERS[d + 1]) for d in range(3)], np.float64)
    ends = (centre[:, None, None, :] + steps).reshape(-1, 2, 2)
    hexes = np.repeat(np.stack([cols, rows], axis=-1), 3, axis=0)
    direction = np.tile(np.arange(3), len(cols))
    mid = layout.lattice_to_pixel(ends.mean(axis=1))
    keep = (mid[:, 0] >= left) & (mid[:, 0] <= right) & (mid[:, 1] >= top) & (mid[:, 1] <= bottom)
    return Sides(ends[keep], direction[keep], hexes[keep])


def normals(layout: Layout, sides: Sides) -> NDArray[np.float64]:
    """Unit normals (n, 2) of sides in the picture."""
    p = layout.lattice_to_pixel(sides.ends)
    t = p[:, 1] - p[:, 0]
    t = t / np.linalg.norm(t, axis=1, keepdims=True)
    return np.stack([-t[:, 1], t[:, 0]], axis=-1)


def measure(
    gray: NDArray[np.uint8],
    layout: Layout,
    sides: Sides,
    *,
    band_px: float,
    sigma_px: float,
    polarity: int,
    clip: float,
) -> Measured:
    """Ridge across each side, within ±`band_px` of where the layout predicts it.

    Parameters
    ----------
    gray : (H, W) uint8 ndarray
        Picture.
    band_px : float
        Half the width searched, pixels.
    sigma_px : float
        Scale of the ridge, about half the line width.
    polarity : int
        0 dark lines, 1 light lines.
    clip : float
        Grey levels at which one place along a side stops counting more: a
        black wall must not speak louder than a printed line.
    """
    step = max(0.5, sigma_px / 3.0)
    half = math.ceil(band_px / step)
    reach = math.ceil(3.0 * sigma_px / step)
    offsets = (np.arange(-(half + reach), half + reach + 1) * step).astype(np.float32)
    t = np.linspace(0.07, 0.93, _ALONG, dtype=np.float32)
    p = layout.lattice_to_pixel(sides.ends).astype(np.float32)
    normal = normals(layout, sides).astype(np.float32)
    kernel = _ridge_kernel(sigma_px, step)
    m = 2 * half + 1
    profile = np.zeros((len(sides), m), np.float32)
    sign = 1.0 if polarity == 0 else -1.0
    chunk = max(1, 3_000_000 // (len(offsets) * _ALONG))
    height, width = gray.shape
    for lo in range(0, len(sides), chunk):
        q = p[lo : lo + chunk]
        base = q[:, None, 0] + t[None, :, None] * (q[:, None, 1] - q[:, None, 0])
        xy = base[:, None] + offsets[None, :, None, None] * normal[lo : lo + chunk, None, None, :]
        n = len(q)
        flat = xy.reshape(n * len(offsets), _ALONG, 2)
        inside = (
            (xy[..., 0] > -0.5)
            & (xy[..., 0] < width - 0.5)
            & (xy[..., 1] > -0.5)
            & (xy[..., 1] < height - 0.5)
        ).all(axis=1)
        values = _sample(gray, flat).reshape(n, len(offsets), _ALONG)
        ridge = np.zeros((n, m, _ALONG), np.float32)
        for k, weight in enumerate(kernel):
            ridge += np.float32(sign * weight) * values[:, k : k + m]
        np.clip(ridge, -clip, clip, out=ridge)
        ridge *= inside[:, None, :]
        seen = np.maximum(inside.sum(axis=1), 1)[:, None]
        profile[lo : lo + n] = ridge.sum(axis=2) / seen
        profile[lo : lo + n][inside.mean(axis=1) < 0.5] = 0.0
    return _peaks(profile, step)


def _sample(gray: NDArray[np.uint8], xy: NDArray[np.float32]) -> NDArray[np.float32]:
    out = np.empty(xy.shape[:2], np.float32)
    for lo in range(0, len(xy), 30_000):
        part = xy[lo : lo + 30_000]
        out[lo : lo + 30_000] = cv2.remap(
            gray,
            np.ascontiguousarray(part[..., 0]),
            np.ascontiguousarray(part[..., 1]),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return out


def _ridge_kernel(sigma_px: float, step: float) -> NDArray[np.float64]:
    """Second derivative of a Gaussian, scaled so that a wide step of height 1 gives about 1."""
    reach = math.ceil(3.0 * sigma_px / step)
    x = np.arange(-reach, reach + 1) * step / sigma_px
    k = (x * x - 1.0) * np.exp(-x * x / 2)
    k -= k.mean()
    return np.asarray(k / np.abs(k).sum() * 2.0)


def _peaks(profile: NDArray[np.float32], step: float) -> Measured:
    n, m = profile.shape
    middle = m // 2
    k = np.argmax(profile, axis=1)
    rim = (k == 0) | (k == m - 1)
    inner = np.clip(k, 1, m - 2)
    rows = np.arange(n)
    a, b, c = profile[rows, inner - 1], profile[rows, inner], profile[rows, inner + 1]
    bend = a - 2 * b + c
    shift = np.where(bend < -1e-9, 0.5 * (a - c) / np.where(bend < -1e-9, bend, -1.0), 0.0)
    offset = (inner + np.clip(shift, -0.5, 0.5) - middle) * step
    strength = np.where(rim, 0.0, b)
    return Measured(
        offset.astype(np.float64),
        np.maximum(strength, 0.0).astype(np.float64),
        profile[:, middle].astype(np.float64),
        profile,
        step,
    )


def solve(
    layout: Layout,
    sides: Sides,
    measured: Measured,
    *,
    tolerance_px: float,
    rounds: int = 12,
) -> tuple[Layout, NDArray[np.bool_], float]:
    """Affine layout that brings the sides onto their ridges.

    Tukey's biweight, with a limit that shrinks from `tolerance_px` to what the
    scatter of the good sides asks for.

    Returns
    -------
    layout : Layout
    used : (n,) bool ndarray
        Sides that count in the end.
    scatter_px : float
        Robust standard deviation of their offsets after the fit.
    """
    mid = sides.ends.mean(axis=1)
    centre = mid.mean(axis=0)
    spread = max(float(np.abs(mid - centre).max()), 1.0)
    u = (mid - centre) / spread
    normal = normals(layout, sides)
    one = np.ones(len(sides))
    columns = np.stack([one, u[:, 0], u[:, 1]], axis=-1)
    matrix = np.concatenate([columns * normal[:, :1], columns * normal[:, 1:]], axis=1)
    target = measured.offset_px
    strong = float(np.percentile(measured.strength, 75)) if len(sides) else 0.0
    vote = np.minimum(measured.strength, strong)
    solution = np.zeros(6)
    limit = tolerance_px
    rest = target
    scatter = tolerance_px
    for _ in range(rounds):
        w = vote * np.clip(1 - (rest / limit) ** 2, 0, None) ** 2
        root = np.sqrt(w)[:, None]
        # A little weight on "no change" keeps a handful of sides from bending the map.
        ridge = 1e-6 * max(float(w.sum()), 1e-9) * np.eye(6)
        normal_matrix = (matrix * root).T @ (matrix * root) + ridge
        solution = np.linalg.solve(normal_matrix, (matrix * w[:, None]).T @ target)
        rest = target - matrix @ solution
        good = (np.abs(rest) < limit) & (vote > 0)
        if not good.any():
            break
        scatter = 1.4826 * float(np.median(np.abs(rest[good])))
        limit = max(0.75 * limit, 4.0 * scatter, 0.6)
        limit = min(limit, tolerance_px)
    moved = solution.reshape(2, 3)
    shift_x, shift_y = moved[:, 1] / spread, moved[:, 2] / spread
    at_zero = moved[:, 0] - shift_x * centre[0] - shift_y * centre[1]
    o, c, r = (np.array(v) for v in (layout.origin_px, layout.col_px, layout.row_px))
    o, c, r = o + at_zero, c + 3 * shift_x, r + 2 * shift_y
    fitted = Layout(
        (float(o[0]), float(o[1])),
        (float(c[0]), float(c[1])),
        (float(r[0]), float(r[1])),
        layout.sideways,
    )
    used = (np.abs(rest) < limit) & (vote > 0.25 * strong)
    return fitted, used, scatter


def plausible(layout: Layout) -> bool:
    """True for hexes that a printed map can have: nearly regular, little skew."""
    ratio = layout.dx / layout.dy / (math.sqrt(3) / 2)
    return 0.8 < ratio < 1.25 and abs(layout.skew_deg) < 8.0


def canonical(layout: Layout) -> Layout:
    """The same lattice with hex (0, 0) nearest the top left corner of the picture."""
    col, row = (int(v) for v in layout.pixel_to_hex((0.0, 0.0)))
    x, y = layout.lattice_to_pixel(to_lattice(col, row))
    return replace(layout, origin_px=(float(x), float(y)))
