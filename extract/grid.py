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

from hexsight.extract.grid_dotfit import DotFit
from hexsight.extract.grid_dots import find_dots
from hexsight.extract.grid_extent import Extent
from hexsight.extract.grid_refine import measure, normals, thin_out
from hexsight.extract.grid_report import RegionResidual, line_look, regions
from hexsight.extract.grid_response import channels, to_gray
from hexsight.extract.grid_search import MIN_PLANE_PX, PITCHES, Found, search, sides_within
from hexsight.extract.grid_tools import (
    Offsets,
    VassalGrid,
    align_to,
    compare,
    draw_fit,
    straighten,
    vassal_attributes,
)
from hexsight.extract.grid_verdict import Evidence, on_line
from hexsight.model.errors import InputError
from hexsight.model.layout import Layout

__all__ = [
    "Alternative",
    "GridFit",
    "GridSearch",
    "Offsets",
    "RegionResidual",
    "VassalGrid",
    "align_to",
    "compare",
    "draw_fit",
    "find_grid",
    "search_grid",
    "straighten",
    "vassal_attributes",
    "with_layout",
]

ACCEPT = 0.5  # confidence from which a lattice counts as found


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
        0.5 to 1; at most 0.75 where only dots are printed.
    style : str
        ``lines`` (also dashed ones, and ticks at the corners), ``centre dots``
        or ``corner dots``.
    line_width_px : float
        Width of the printed lines, or of the dots.
    line_color : (int, int, int)
        RGB of the printed lines, as far as thin lines show it.
    light_lines : bool
        True for lines lighter than the ground.
    extent : Extent
        Where the lattice is printed.
    scatter_px : float
        Robust standard deviation of single hexsides from the fit.
    offsets_px : (n, 3) float64 ndarray
        Middle x, y of every hexside (or place of every dot) that was seen and
        its distance from the fit, along its normal.
    residuals : tuple of RegionResidual
        By parts of the map, three by three.
    evidence : hexsight.extract.grid_verdict.Evidence
        What the verdict rests on.
    alternatives : tuple of Alternative
        Other lattices considered, best first.
    reason : str
        Why the fit is doubtful; empty when it is not.
    """

    layout: Layout
    confidence: float
    style: str
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
    """Outcome of a search: a fit, or the reason why there is none.

    Attributes
    ----------
    fit : GridFit or None
        The grid; of several on one sheet the main one.
    reason : str
        Why there is none, or why it is doubtful.
    alternatives : tuple of Alternative
        Other lattices considered, best first.
    others : tuple of GridFit
        Further grids on the sheet, largest first; only `grid_many.search_grids`
        looks for them.
    """

    fit: GridFit | None
    reason: str
    alternatives: tuple[Alternative, ...]
    others: tuple[GridFit, ...] = ()


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
    return search_main(rgb, hint)[0]


def search_main(
    rgb: NDArray[np.uint8], hint: Layout | None
) -> tuple[GridSearch, Found | None, NDArray[np.uint8]]:
    """The search, what it found in the raw (None for dots), and the plane in which."""
    if rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.dtype != np.uint8:
        raise InputError(
            f"Cannot look for a grid in an array of shape {rgb.shape} and type {rgb.dtype}: "
            "give an RGB picture of 8 bits per channel."
        )
    height, width = rgb.shape[:2]
    if min(height, width) < MIN_PLANE_PX:
        reason = f"the picture is only {width} × {height} pixels"
        return GridSearch(None, reason, ()), None, to_gray(rgb)
    tried: list[tuple[Found, NDArray[np.uint8]]] = []
    for plane, pitches in zip(channels(rgb), (PITCHES, PITCHES[:3], PITCHES[:3]), strict=False):
        tried += [(found, plane) for found in search(plane, hint, pitches=pitches)]
        tried.sort(key=lambda t: t[0].rank, reverse=True)
        if tried and tried[0][0].rank[0]:
            break
    others = tuple(_alternative(found) for found, _ in tried[:4])
    if tried and tried[0][0].evidence.confidence >= ACCEPT:
        best, plane = tried[0]
        fit = report_lines(rgb, plane, best, others[1:])
        return GridSearch(fit, best.evidence.reason, others[1:]), best, plane
    gray = to_gray(rgb)
    dots = find_dots(gray, PITCHES)
    if dots is not None and dots.confidence >= ACCEPT:
        return GridSearch(_report_dots(rgb, dots, others), dots.reason, others), None, gray
    reason = tried[0][0].evidence.reason if tried else "no periodic lines were found"
    return GridSearch(None, reason, others), None, gray


def _alternative(found: Found) -> Alternative:
    return Alternative(found.layout, found.evidence.confidence, found.evidence.reason)


def report_lines(
    rgb: NDArray[np.uint8],
    gray: NDArray[np.uint8],
    found: Found,
    others: tuple[Alternative, ...],
) -> GridFit:
    """What a caller wants to know of a lattice found in a plane `gray` of a picture."""
    layout, pen = found.layout, found.pen
    sides = sides_within(layout, found.extent)
    band = max(3.0, 5.0 * found.scatter_px)
    measured = measure(gray, layout, sides, band_px=band, pen=pen)
    seen = on_line(measured, 0.8 * band, pen.least)
    sides, offset = sides.take(seen), measured.offset_px[seen]
    mid = layout.lattice_to_pixel(sides.ends.mean(axis=1))
    width_px, color = line_look(rgb, layout, thin_out(sides, 2000), pen.sigma_px)
    return GridFit(
        layout,
        round(found.evidence.confidence, 4),
        "lines",
        width_px,
        color,
        pen.polarity == 1,
        found.extent,
        found.scatter_px,
        np.column_stack([mid, offset]),
        regions(mid, offset, normals(layout, sides), found.extent.box_px),
        found.evidence,
        others,
        found.evidence.reason,
    )


def _report_dots(rgb: NDArray[np.uint8], dots: DotFit, others: tuple[Alternative, ...]) -> GridFit:
    high = np.array(rgb.shape[1::-1]) - 1
    x, y = np.clip(np.rint(dots.offsets_px[:, :2]), 0, high).astype(np.int64).T
    red, green, blue = (int(v) for v in np.rint(np.median(rgb[y, x], axis=0)))
    share = (dots.hits, dots.hits, dots.hits)
    beyond = (dots.elsewhere, dots.elsewhere, dots.elsewhere)
    evidence = Evidence(
        share, beyond, dots.chance, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0),
        dots.dots, dots.confidence, dots.reason,
    )  # fmt: skip
    return GridFit(
        dots.layout,
        round(dots.confidence, 4),
        dots.style,
        2.0 * dots.radius_px,
        (red, green, blue),
        dots.polarity == 1,
        dots.extent,
        dots.scatter_px,
        dots.offsets_px,
        (),
        evidence,
        others,
        dots.reason,
    )


def with_layout(fit: GridFit, layout: Layout) -> GridFit:
    """The same fit with its lattice renumbered (see `align_to`)."""
    return replace(fit, layout=layout)
