"""What a fit says about the print: width and colour of the lines, what is left over where."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.grid_refine import Sides, normals
from hexsight.model.layout import Layout


@dataclass(frozen=True)
class RegionResidual:
    """What the fit leaves over in one part of the map.

    Attributes
    ----------
    box_px : (float, float, float, float)
        Left, top, right, bottom.
    sides : int
        Hexsides that were seen there.
    shift_px : (float, float)
        Mean way from the fitted to the printed lines: a scan that is warped shows here.
    rms_px : float
        Root mean square distance of single sides from their printed lines.
    """

    box_px: tuple[float, float, float, float]
    sides: int
    shift_px: tuple[float, float]
    rms_px: float


def line_look(
    rgb: NDArray[np.uint8], layout: Layout, sides: Sides, sigma_px: float
) -> tuple[float, tuple[int, int, int]]:
    """Width (px) and colour (RGB) of the printed line, from the median look across the sides.

    The width is that of a line of full contrast with the same amount of ink;
    a line thinner than a pixel shows a colour between its own and the ground's.
    """
    normal = normals(layout, sides)
    ends = layout.lattice_to_pixel(sides.ends)
    t = np.linspace(0.1, 0.9, 9)
    base = ends[:, None, 0] + t[None, :, None] * (ends[:, None, 1] - ends[:, None, 0])
    reach = max(4.0, 5.0 * sigma_px)
    step = max(0.5, sigma_px / 4)
    across = np.arange(-round(reach / step), round(reach / step) + 1) * step
    xy = base[:, None] + across[None, :, None, None] * normal[:, None, None, :]
    x = np.clip(np.rint(xy[..., 0]).astype(np.int64), 0, rgb.shape[1] - 1)
    y = np.clip(np.rint(xy[..., 1]).astype(np.int64), 0, rgb.shape[0] - 1)
    look = np.median(rgb[y, x].astype(np.float32), axis=(0, 2))
    half = len(across) // 2
    outer = max(2, half // 3)
    ground = np.median(np.concatenate([look[:outer], look[-outer:]]), axis=0)
    depth = np.abs(look - ground).sum(axis=1)
    deepest = half - 2 + int(np.argmax(depth[half - 2 : half + 3]))
    width = float((depth / max(float(depth[deepest]), 1e-6)).sum() * step)
    red, green, blue = (int(v) for v in np.rint(look[deepest]))
    return width, (red, green, blue)


def regions(
    mid: NDArray[np.float64],
    offset: NDArray[np.float64],
    normal: NDArray[np.float64],
    box: tuple[float, float, float, float],
) -> tuple[RegionResidual, ...]:
    """Residuals of sides (middles (n, 2), distances (n,), normals (n, 2)) by ninths of a box."""
    xs, ys = np.linspace(box[0], box[2], 4), np.linspace(box[1], box[3], 4)
    found = []
    for i in range(3):
        for j in range(3):
            m = (
                (mid[:, 0] >= xs[j])
                & (mid[:, 0] <= xs[j + 1])
                & (mid[:, 1] >= ys[i])
                & (mid[:, 1] <= ys[i + 1])
            )
            n = int(m.sum())
            shift = (0.0, 0.0)
            if n >= 6:
                s = np.linalg.lstsq(normal[m], offset[m], rcond=None)[0]
                shift = (float(s[0]), float(s[1]))
            rms = float(np.sqrt(np.mean(offset[m] ** 2))) if n else 0.0
            area = (float(xs[j]), float(ys[i]), float(xs[j + 1]), float(ys[i + 1]))
            found.append(RegionResidual(area, n, shift, rms))
    return tuple(found)
