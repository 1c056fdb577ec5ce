"""The legend of a project as the validators look at it: its colours, and what nobody named yet."""

from __future__ import annotations

import math
import re

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.legend import Legend, load_legend
from hexsight.extract.legend_colours import BITS, colour_index, colour_table
from hexsight.model.regions import regions_of
from hexsight.model.terrain import load_catalogue
from hexsight.reading import Request
from hexsight.validators import LegendView, UnnamedClass, legend_view

# As `hexsight new` calls a class of which it does not know what it is.
_UNNAMED = re.compile(r"unknown-\d+")
_PIXELS = 250_000  # as many of a picture tell how much of it a class covers


def load_named_legend(request: Request) -> Legend | None:
    """The legend that a project names, None where it leaves the choice to hexsight.

    Raises
    ------
    HexsightError
        If there is none of that name, or something in it is wrong.
    """
    return load_legend(request.legend) if request.legend != "auto" else None


def named_legend_view(request: Request, rgb: NDArray[np.uint8]) -> LegendView | None:
    """View of the legend that a project names, on its picture (H, W, 3); None without one.

    Raises
    ------
    HexsightError
        As `load_named_legend`; also if it samples places beside the picture.
    """
    legend = load_named_legend(request)
    if legend is None:
        return None
    learnt = legend.learn(rgb)
    asked = request.terrain_from == "picture"
    return legend_view(learnt, unnamed_classes(learnt, rgb) if asked else ())


def unnamed_classes(legend: Legend, rgb: NDArray[np.uint8]) -> tuple[UnnamedClass, ...]:
    """Classes that still have the name of a proposal, the one that covers most first.

    Parameters
    ----------
    legend : Legend
        All boxes learnt.
    rgb : (H, W, 3) uint8
    """
    wanted = [i for i, c in enumerate(legend.classes) if _UNNAMED.fullmatch(c.name)]
    if not wanted:
        return ()
    step = max(1, math.isqrt(rgb.shape[0] * rgb.shape[1] // _PIXELS))
    index = colour_index(np.ascontiguousarray(rgb[::step, ::step]))
    counts = np.bincount(index.ravel(), minlength=1 << (3 * BITS))
    best = colour_table(legend, counts).argmax(axis=0)[index]
    catalogue = load_catalogue()
    found = []
    for i in wanted:
        cls, mask = legend.classes[i], best == i
        terrain = catalogue[cls.code].name if cls.code is not None else cls.kind
        found.append(UnnamedClass(cls.name, terrain, float(mask.mean()), _within(mask, step)))
    return tuple(sorted(found, key=lambda c: -c.share))


def _within(mask: NDArray[np.bool_], step: int) -> tuple[float, float] | None:
    """The pixel deepest inside the largest region of a mask of every `step`-th pixel."""
    regions = regions_of(mask, connectivity=8)
    if not regions:
        return None
    largest = max(regions, key=lambda r: r.area)
    # A rim, so that the edge of the picture is an edge of the region too.
    inside = np.pad(largest.pixels().astype(np.uint8), 1)
    deep = cv2.distanceTransform(inside, cv2.DIST_L2, 3)
    y, x = np.unravel_index(int(deep.argmax()), deep.shape)
    return float((largest.left + x - 1) * step), float((largest.top + y - 1) * step)
