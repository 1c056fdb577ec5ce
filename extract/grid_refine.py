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

from hexsight.extract.grid_solve import Solution, solve
from hexsight.model.layout import CORNERS, Layout

_ALONG = 12  # samples along a side


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
class Pen:
    """What the printed lines look like to the measurement.

    Attributes
    ----------
    polarity : int
        0 dark lines, 1 light lines.
    sigma_px : float
        Scale of the ridge, about half the line width.
    clip : float
        Grey levels at which one place along a side stops counting more: a
        black wall must not speak louder than a printed line.
    """

    polarity: int
    sigma_px: float = 1.3
    clip: float = 60.0

    @property
    def least(self) -> float:
        """Ridge below which a side counts as bare; lines are about half of `clip`."""
        return 0.12 * self.clip


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
    along : (n, 12) float32 ndarray
        The same by places along the side.
    profile : (n, m) float32 ndarray
        Ridge response across the side.
    step_px : float
        Spacing of the profile; its middle is the predicted line.
    """

    offset_px: NDArray[np.float64]
    strength: NDArray[np.float64]
    at_zero: NDArray[np.float64]
    along: NDArray[np.float32]
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


def thin_out(sides: Sides, most: int = 6000) -> Sides:
    """At most so many sides, evenly spread (the order is by column)."""
    if len(sides) <= most:
        return sides
    return sides.take(np.unique(np.linspace(0, len(sides) - 1, most).astype(np.int64)))


def measure(
    gray: NDArray[np.uint8], layout: Layout, sides: Sides, *, band_px: float, pen: Pen
) -> Measured:
    """Ridge across each side, within ±`band_px` of where the layout predicts it.

    Parameters
    ----------
    gray : (H, W) uint8 ndarray
        Picture.
    layout : Layout
        Predicts the sides.
    sides : Sides
        Sides to look at.
    band_px : float
        Half the width searched, pixels.
    pen : Pen
        Polarity, scale and contrast of the lines.

    Returns
    -------
    Measured
        Sides of which less than half lies on the picture get strength 0.
    """
    step = max(0.5, pen.sigma_px / 3.0)
    half = math.ceil(band_px / step)
    kernel = _ridge_kernel(pen.sigma_px, step)
    reach = len(kernel) // 2
    offsets = (np.arange(-(half + reach), half + reach + 1) * step).astype(np.float32)
    t = np.linspace(0.06, 0.94, _ALONG, dtype=np.float32)
    p = layout.lattice_to_pixel(sides.ends).astype(np.float32)
    normal = normals(layout, sides).astype(np.float32)
    m = 2 * half + 1
    profile = np.zeros((len(sides), m), np.float32)
    along = np.zeros((len(sides), _ALONG), np.float32)
    weights = (kernel if pen.polarity == 0 else -kernel).astype(np.float32)[:, None]
    chunk = max(1, 2_000_000 // (len(offsets) * _ALONG))
    height, width = gray.shape
    for lo in range(0, len(sides), chunk):
        q, nq = p[lo : lo + chunk], normal[lo : lo + chunk]
        n = len(q)
        base = q[:, None, 0] + t[None, :, None] * (q[:, None, 1] - q[:, None, 0])
        # One row of the sampled image per side and place along it, offsets across.
        x = base[..., 0, None] + offsets * nq[:, None, None, 0]
        y = base[..., 1, None] + offsets * nq[:, None, None, 1]
        values = sample(gray, x.reshape(n * _ALONG, -1), y.reshape(n * _ALONG, -1))
        ridge = cv2.filter2D(values, cv2.CV_32F, weights.T, borderType=cv2.BORDER_REPLICATE)
        ridge = ridge[:, reach : reach + m].reshape(n, _ALONG, m)
        ridge = np.clip(ridge, -pen.clip, pen.clip)
        inside = (
            (base[..., 0] > -0.5)
            & (base[..., 0] < width - 0.5)
            & (base[..., 1] > -0.5)
            & (base[..., 1] < height - 0.5)
        )
        ridge *= inside[..., None]
        seen = inside.sum(axis=1)
        profile[lo : lo + n] = ridge.sum(axis=1) / np.maximum(seen, 1)[:, None]
        profile[lo : lo + n][seen < _ALONG / 2] = 0.0
        along[lo : lo + n] = ridge[:, :, half]
    return _peaks(profile, along, step)


def sample(
    gray: NDArray[np.uint8], x: NDArray[np.float32], y: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Picture (H, W) uint8 at places x, y (both (n, m)), bilinear, the rim going on beyond it."""
    out = np.empty(x.shape, np.float32)
    for lo in range(0, len(x), 30_000):  # the resampler takes at most 32,767 rows
        out[lo : lo + 30_000] = cv2.remap(
            gray,
            x[lo : lo + 30_000],
            y[lo : lo + 30_000],
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


def _peaks(profile: NDArray[np.float32], along: NDArray[np.float32], step: float) -> Measured:
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
        along,
        profile,
        step,
    )


def solve_sides(
    layout: Layout, sides: Sides, measured: Measured, *, tolerance_px: float, skew: bool
) -> Solution:
    """Layout that brings the sides onto their ridges; see `grid_solve.solve`."""
    return solve(
        layout,
        sides.ends.mean(axis=1),
        normals(layout, sides),
        measured.offset_px,
        measured.strength,
        tolerance_px=tolerance_px,
        skew=skew,
    )
