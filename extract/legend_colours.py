"""Colours of a legend, tabulated over the colour cube.

A class is a mixture of points and ramps in CIELAB.  Which class a colour means
is worked out once for every cell of a 64³ cube, so that pictures of any size are
looked up and not computed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from hexsight.extract.legend import Legend, LegendClass

BITS = 6  # per channel of the colour table
_STEPS = 4
_COMMON = 0.01  # share of a picture from which a class counts as present
_RAREST = 0.02  # what is left of the share of one that is absent


def to_lab(rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    """CIELAB (…, 3) float32, L 0–100, of sRGB colours (H, W, 3) uint8."""
    scaled = rgb.astype(np.float32) / np.float32(255)
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_RGB2LAB), np.float32)


def class_density(cls: LegendClass, lab: NDArray[np.float32]) -> NDArray[np.float32]:
    """How densely the colours of a class lie about CIELAB points (n, 3), as (n,) float32."""
    total = np.zeros(len(lab), np.float32)
    weight = np.float32(1.0 / (cls.spread**3 * max(1, len(cls.segments))))
    for a, b in cls.segments:
        d2 = _distance2(lab, np.array(a, np.float32), np.array(b, np.float32))
        total += weight * np.exp(-0.5 * d2 / np.float32(cls.spread**2))
    return total


def colour_table(legend: Legend, counts: NDArray[np.int64] | None = None) -> NDArray[np.uint8]:
    """Probability of each class for each colour.

    Parameters
    ----------
    legend : Legend
        All boxes learnt.
    counts : (64³,) int ndarray, optional
        How many pixels of a picture have each colour.  Classes that the picture
        hardly has then give way to those that it has: a legend for many maps
        holds colours that mean one thing here and another there.

    Returns
    -------
    (n classes, 64³) uint8 ndarray
        255 = surely this class; the rest to 255 is "no class of this legend".
        Index of a colour: ``(r >> 2) << 12 | (g >> 2) << 6 | b >> 2``.
    """
    side = 1 << BITS
    steps = (np.arange(side, dtype=np.uint8) << (8 - BITS)) + np.uint8(1 << (7 - BITS))
    cube = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    used = np.arange(len(cube)) if counts is None else np.flatnonzero(counts)
    lab = to_lab(cube[None, used]).reshape(-1, 3)
    density = np.stack([class_density(c, lab) for c in legend.classes])
    share = np.array([c.share for c in legend.classes], np.float32)
    if counts is not None:
        ground = np.array([c.kind == "open" and c.half is not None for c in legend.classes])
        share = _present(density, share, counts[used], ground)
    density *= share[:, None]
    floor = 1e-5  # of a colour that no class claims, spread over the whole cube
    total = density.sum(axis=0) + floor
    table = np.zeros((len(legend.classes), len(cube)), np.uint8)
    table[:, used] = np.rint(density * (255.0 / total))
    return table


def _present(
    density: NDArray[np.float32],
    share: NDArray[np.float32],
    counts: NDArray[np.int64],
    ground: NDArray[np.bool_],
) -> NDArray[np.float32]:
    """Shares of the classes after a few steps of expectation maximisation.

    Only grounds of a certain level lose, which are everywhere or nowhere: a
    wall, a wood or a crag is rare on every map that has it.
    """
    weight = counts.astype(np.float32) / np.float32(counts.sum())
    now = share.copy()
    for _ in range(_STEPS):
        found = density * now[:, None]
        found /= found.sum(axis=0) + np.float32(1e-5)
        seen = found @ weight
        present = np.clip(seen / np.float32(_COMMON), _RAREST, 1.0)
        now = np.where(ground, share * present, share)
    return np.asarray(now, np.float32)


def _distance2(
    lab: NDArray[np.float32], a: NDArray[np.float32], b: NDArray[np.float32]
) -> NDArray[np.float32]:
    along = b - a
    length2 = float(along @ along)
    if length2 == 0.0:
        t = np.zeros(len(lab), np.float32)
    else:
        t = np.clip((lab - a) @ along / np.float32(length2), 0.0, 1.0).astype(np.float32)
    rest = lab - a - t[:, None] * along
    return np.asarray(np.einsum("ij,ij->i", rest, rest), np.float32)


def colour_index(rgb: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Index (H, W) int32 of each pixel's colour in `colour_table`."""
    part = (rgb >> (8 - BITS)).astype(np.int32)
    return (part[..., 0] << (2 * BITS)) | (part[..., 1] << BITS) | part[..., 2]
