"""Find the printed hex grid of a map picture, to a fraction of a pixel, or say that none is there.

The search goes from coarse to fine: oriented line responses
(`grid_response`), lattice steps from their autocorrelation (`grid_period`),
the origin from folding all hexes onto each other (`grid_fold`), a robust
affine fit to the hexsides that grows over the whole picture (`grid_refine`),
the extent of the print (`grid_extent`), and a verdict against chance
(`grid_verdict`).  What to do with a fit is in `grid_tools`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.grid_extent import Extent, extent_of, hex_support, printed_hexes
from hexsight.extract.grid_fold import Seed, seeds
from hexsight.extract.grid_period import candidates
from hexsight.extract.grid_refine import (
    Measured,
    Sides,
    canonical,
    measure,
    normals,
    plausible,
    sides_on,
    solve,
)
from hexsight.extract.grid_response import line_response, reduce_planes, to_gray
from hexsight.extract.grid_tools import (
    align_to,
    compare,
    draw_fit,
    straighten,
    vassal_attributes,
)
from hexsight.extract.grid_verdict import Evidence, judge, on_line, thin_out, tolerance_of
from hexsight.model.errors import InputError
from hexsight.model.layout import Layout

__all__ = [
    "Alternative",
    "GridFit",
    "GridSearch",
    "RegionResidual",
    "align_to",
    "compare",
    "draw_fit",
    "find_grid",
    "search_grid",
    "straighten",
    "vassal_attributes",
]

ACCEPT = 0.5  # confidence from which a lattice counts as found
_CLEAR = 0.9  # confidence that ends the search
_MIN_PLANE_PX = 64
_BAND = 0.13  # first search across a side, in row spacings


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


@dataclass(frozen=True)
class Alternative:
    """Another lattice that was considered, with the confidence it got."""

    layout: Layout
    confidence: float
    reason: str


@dataclass(frozen=True)
class GridFit:
    """A printed hex grid.

    Attributes
    ----------
    layout : Layout
        In board pixels; hex (0, 0) is the one nearest the top left corner of
        the picture, and odd columns are shifted down (odd-q).
    confidence : float
        0.5 to 1.
    line_width_px : float
        Width of the printed lines.
    line_color : (int, int, int)
        RGB of the printed lines, as far as thin lines show it.
    light_lines : bool
        True for lines lighter than the ground.
    extent : Extent
        Where the lattice is printed.
    scatter_px : float
        Robust standard deviation of single hexsides from the fit.
    offsets_px : (n, 3) float64 ndarray
        Middle x, y of every hexside that was seen and its distance from the
        fit along its normal.
    residuals : tuple of RegionResidual
        By parts of the map, three by three.
    evidence : Evidence
        What the verdict rests on.
    alternatives : tuple of Alternative
        Other lattices considered, best first.
    reason : str
        Why the fit is doubtful; empty when it is not.
    """

    layout: Layout
    confidence: float
    line_width_px: float
    line_color: tuple[int, int, int]
    light_lines: bool
    extent: Extent
    scatter_px: float
    offsets_px: NDArray[np.float64]
    residuals: tuple[RegionResidual, ...]
    evidence: Evidence
    alternatives: tuple[Alternative, ...]
    reason: str

    @property
    def sideways(self) -> bool:
        """True for pointy-topped hexes."""
        return self.layout.sideways

    @property
    def extent_px(self) -> NDArray[np.float64]:
        """Outer boundary (m, 2) of the printed grid in board pixels."""
        return self.extent.polygon_px


@dataclass(frozen=True)
class GridSearch:
    """Outcome of a search: a fit, or the reason why there is none."""

    fit: GridFit | None
    reason: str
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True)
class _Grown:
    """A seed grown over the whole picture."""

    layout: Layout
    sides: Sides
    measured: Measured
    scatter_px: float
    sigma_px: float
    clip: float
    polarity: int


def find_grid(rgb: NDArray[np.uint8], *, hint: Layout | None = None) -> GridFit | None:
    """Hex grid printed on a map picture, or None when there is none.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
        Picture.
    hint : Layout, optional
        What is believed, such as the module's own grid.  It is tried besides
        the lattices found and must stand the same tests.

    Returns
    -------
    GridFit or None
        `search_grid` tells the reason for None.

    Raises
    ------
    hexsight.model.errors.InputError
        If the array is no RGB picture.
    """
    return search_grid(rgb, hint=hint).fit


def search_grid(rgb: NDArray[np.uint8], *, hint: Layout | None = None) -> GridSearch:
    """As `find_grid`, with the reason when nothing was found."""
    if rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.dtype != np.uint8:
        raise InputError(
            f"Cannot look for a grid in an array of shape {rgb.shape} and type {rgb.dtype}: "
            "give an RGB picture of 8 bits per channel."
        )
    height, width = rgb.shape[:2]
    if min(height, width) < _MIN_PLANE_PX:
        return GridSearch(None, f"the picture is only {width} × {height} pixels", ())
    gray = to_gray(rgb)
    tried: list[tuple[_Grown, Evidence, Extent]] = []
    for seed in _seeds(gray, hint):
        grown = _grow(gray, seed)
        if grown is None:
            continue
        extent, evidence = _examine(gray, grown)
        tried.append((grown, evidence, extent))
        if evidence.confidence >= _CLEAR:
            break
    tried.sort(key=lambda t: -t[1].confidence)
    others = tuple(Alternative(g.layout, e.confidence, e.reason) for g, e, _ in tried[1:4])
    if not tried:
        return GridSearch(None, "no periodic lines were found", ())
    grown, evidence, extent = tried[0]
    if evidence.confidence < ACCEPT:
        first = Alternative(grown.layout, evidence.confidence, evidence.reason)
        return GridSearch(None, evidence.reason, (first, *others))
    fit = _report(rgb, gray, grown, evidence, extent, others)
    return GridSearch(fit, evidence.reason, others)


def _seeds(gray: NDArray[np.uint8], hint: Layout | None) -> list[Seed]:
    """Lattices worth growing, best first."""
    response = line_response(gray)
    found: list[Seed] = []
    factor = 1
    while min(response.planes.shape[-2:]) // factor >= _MIN_PLANE_PX:
        level = reduce_planes(response.planes, factor)
        for candidate in candidates(level)[:4]:
            best = seeds(level, candidate, factor * response.reduction)[0]
            if plausible(best.layout):
                found.append(best)
        factor *= 2
    found.sort(key=lambda s: -s.score)
    kept: list[Seed] = []
    for seed in found:
        if not any(_same(seed, k) for k in kept):
            kept.append(seed)
    kept = kept[:5]
    if hint is not None:
        height, width = gray.shape
        box = (width * 0.25, height * 0.25, width * 0.75, height * 0.75)
        kept += [Seed(hint, box, 0.0, polarity) for polarity in range(2)]
    return kept


def _same(a: Seed, b: Seed) -> bool:
    p, q = a.layout, b.layout
    return (
        a.polarity == b.polarity
        and p.sideways == q.sideways
        and abs(p.dy / q.dy - 1) < 0.03
        and abs(p.dx / q.dx - 1) < 0.03
        and abs(p.rot_deg - q.rot_deg) < 2.0
    )


def _grow(gray: NDArray[np.uint8], seed: Seed) -> _Grown | None:
    """Fit a seed in its window, then in ever larger boxes up to the whole picture."""
    height, width = gray.shape
    whole = (-0.5, -0.5, width - 0.5, height - 0.5)
    box = seed.window_px
    layout, sigma, clip = seed.layout, 1.3, 60.0
    band = _BAND * layout.dy
    again = 2
    while True:
        sides = thin_out(sides_on(layout, box))
        if len(sides) < 12:
            return None
        measured = measure(
            gray,
            layout,
            sides,
            band_px=band,
            sigma_px=sigma,
            polarity=seed.polarity,
            clip=clip,
        )
        layout, used, scatter = solve(layout, sides, measured, tolerance_px=band)
        if not plausible(layout) or not used.any():
            return None
        clip = max(3.0, 2.0 * float(np.median(measured.strength[used])))
        band = min(max(3.0, 6.0 * scatter, 0.05 * layout.dy), _BAND * layout.dy)
        if box == whole:
            again -= 1
            if again == 0:
                break
        cx, cy = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        w, h = 0.8 * (box[2] - box[0]), 0.8 * (box[3] - box[1])
        box = (
            max(whole[0], cx - w),
            max(whole[1], cy - h),
            min(whole[2], cx + w),
            min(whole[3], cy + h),
        )
    return _Grown(canonical(layout), sides, measured, scatter, sigma, clip, seed.polarity)


def _examine(gray: NDArray[np.uint8], grown: _Grown) -> tuple[Extent, Evidence]:
    """Extent of a grown lattice and the verdict over it."""
    height, width = gray.shape
    layout = grown.layout
    sides = sides_on(layout, (-0.5, -0.5, width - 0.5, height - 0.5))
    look = measure(
        gray,
        layout,
        sides,
        band_px=_BAND * layout.dy,
        sigma_px=grown.sigma_px,
        polarity=grown.polarity,
        clip=grown.clip,
    )
    tolerance = tolerance_of(layout, grown.scatter_px)
    hit = on_line(look, tolerance) & (look.strength > 0.15 * grown.clip)
    chance = min(1.0, tolerance / (_BAND * layout.dy))
    hexes = printed_hexes(hex_support(sides, hit.astype(np.float64)), chance)
    extent = extent_of(layout, hexes, (width, height))
    inside = set(hexes)
    keep = np.array([(int(c), int(r)) in inside for c, r in sides.hexes], dtype=np.bool_)
    evidence = judge(
        gray,
        layout,
        sides.take(keep),
        scatter_px=grown.scatter_px,
        sigma_px=grown.sigma_px,
        polarity=grown.polarity,
        clip=grown.clip,
    )
    return extent, evidence


def _report(
    rgb: NDArray[np.uint8],
    gray: NDArray[np.uint8],
    grown: _Grown,
    evidence: Evidence,
    extent: Extent,
    others: tuple[Alternative, ...],
) -> GridFit:
    layout = grown.layout
    sides = sides_on(layout, extent.box_px)
    inside = {(int(c), int(r)) for c, r in extent.hexes}
    sides = sides.take(np.array([(int(c), int(r)) in inside for c, r in sides.hexes], np.bool_))
    measured = measure(
        gray,
        layout,
        sides,
        band_px=max(3.0, 0.06 * layout.dy),
        sigma_px=grown.sigma_px,
        polarity=grown.polarity,
        clip=grown.clip,
    )
    seen = on_line(measured, max(2.0, 4 * grown.scatter_px))
    sides, offset = sides.take(seen), measured.offset_px[seen]
    mid = layout.lattice_to_pixel(sides.ends.mean(axis=1))
    width_px, color = _line_look(rgb, layout, sides, measured.profile[seen], measured.step_px)
    return GridFit(
        layout,
        round(evidence.confidence, 4),
        width_px,
        color,
        grown.polarity == 1,
        extent,
        grown.scatter_px,
        np.column_stack([mid, offset]),
        _regions(mid, offset, normals(layout, sides), extent.box_px),
        evidence,
        others,
        evidence.reason,
    )


def _line_look(
    rgb: NDArray[np.uint8],
    layout: Layout,
    sides: Sides,
    profile: NDArray[np.float32],
    step_px: float,
) -> tuple[float, tuple[int, int, int]]:
    """Width and colour of the printed line, from the median look across all sides."""
    normal = normals(layout, sides)
    ends = layout.lattice_to_pixel(sides.ends)
    t = np.linspace(0.1, 0.9, 9)
    base = ends[:, None, 0] + t[None, :, None] * (ends[:, None, 1] - ends[:, None, 0])
    across = np.arange(-8, 9) * 0.5
    xy = base[:, None] + across[None, :, None, None] * normal[:, None, None, :]
    x = np.clip(np.rint(xy[..., 0]).astype(np.int64), 0, rgb.shape[1] - 1)
    y = np.clip(np.rint(xy[..., 1]).astype(np.int64), 0, rgb.shape[0] - 1)
    look = np.median(rgb[y, x], axis=(0, 2))
    middle = look[len(across) // 2]
    ground = np.median(np.concatenate([look[:3], look[-3:]]), axis=0)
    depth = np.abs(look - ground).sum(axis=1)
    width = float((depth / max(float(depth.max()), 1e-6)).sum() * 0.5)
    red, green, blue = (int(v) for v in np.rint(middle))
    return width, (red, green, blue)


def _regions(
    mid: NDArray[np.float64],
    offset: NDArray[np.float64],
    normal: NDArray[np.float64],
    box: tuple[float, float, float, float],
) -> tuple[RegionResidual, ...]:
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


def with_layout(fit: GridFit, layout: Layout) -> GridFit:
    """The same fit with its lattice renumbered (see `align_to`)."""
    return replace(fit, layout=layout)
