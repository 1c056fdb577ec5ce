"""Neutral facts of a board: what other programs and scoring read.

One JSON object that any program can write and compare: the lattice, what
stands in each hex, which hexsides carry a black bar.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.grid import GridFit
from hexsight.model.board import Board
from hexsight.model.layout import Layout
from hexsight.model.terrain import DEPICTION_KINDS

SCHEMA_VERSION = 1
# Share of a hexside that must be covered for the bar to count as one of its facts.
BAR_SHARE = 0.4


def grid_facts(layout: Layout) -> dict[str, Any]:
    """A lattice in VASSAL's meaning with decimals, its turn in degrees clockwise.

    ``x0, y0`` is the centre of hex (0, 0), along the column and the row axis;
    odd columns stand half a row lower.
    """
    return {
        "dx": round(layout.dx, 5),
        "dy": round(layout.dy, 5),
        "x0": round(layout.x0, 4),
        "y0": round(layout.y0, 4),
        "rot_deg": round(layout.rot_deg, 5),
        "skew_deg": round(layout.skew_deg, 5),
        "sideways": layout.sideways,
    }


def fit_facts(fit: GridFit, layout: Layout) -> dict[str, Any]:
    """A printed grid: lattice (as numbered by `layout`), look of its lines, extent, residuals."""
    return {
        "grid": grid_facts(layout),
        "confidence": round(fit.confidence, 3),
        "reason": fit.reason,
        "style": fit.style,
        "line_width_px": round(fit.line_width_px, 2),
        "line_color": list(fit.line_color),
        "light_lines": fit.light_lines,
        "scatter_px": round(fit.scatter_px, 3),
        "residuals": [
            {
                "box_px": _pixels(part.box_px),
                "sides": part.sides,
                "shift_px": [round(float(v), 3) for v in part.shift_px],
                "rms_px": round(float(part.rms_px), 3),
            }
            for part in fit.residuals
        ],
        "hexes": len(fit.extent.hexes),
        "box_px": _pixels(fit.extent.box_px),
        "extent_px": [_pixels(point) for point in fit.extent_px],
        "holes_px": [[_pixels(point) for point in hole] for hole in fit.extent.holes_px],
    }


def _pixels(values: Iterable[float]) -> list[float]:
    return [round(float(v), 1) for v in values]


def board_facts(board: Board) -> dict[str, Any]:
    """Facts of a board.

    Returns
    -------
    dict
        ``schema_version``, ``board``, ``grid``, ``hexes`` by name with what is
        found in each, and ``bars`` as pairs of hex names.
    """
    catalogue = board.catalogue
    return {
        "schema_version": SCHEMA_VERSION,
        "board": board.name,
        "size_px": list(board.size_px),
        "grid": grid_facts(board.layout),
        "hexes": {
            h.name: {
                "building": h.building != 0,
                "roofless": h.roofless,
                "stairwell": board.joins_levels(h),
                "stairwell_printed": h.stairwell,
                "factory": h.factory,
                "height_half": h.height_half,
                "vehicular_entrance": h.vehicular_entrance,
                "terrain": catalogue[h.terrain].name,
                "base_half": h.base_half,
                "confidence": h.confidence,
            }
            for h in board.hexes
        },
        "bars": [[s.a, s.b] for s in board.hexsides if s.bar_share >= BAR_SHARE],
        "partial_bars": [[s.a, s.b] for s in board.hexsides if 0 < s.bar_share < BAR_SHARE],
    }


def building_mask(board: Board) -> NDArray[np.uint8]:
    """Picture (H, W) uint8: 255 inside buildings, 0 elsewhere."""
    table = board.catalogue.table(kind=DEPICTION_KINDS)
    return table[board.terrain].astype(np.uint8) * np.uint8(255)
