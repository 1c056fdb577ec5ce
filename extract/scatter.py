"""Terrain that fills whole hexes though only pieces of it are drawn.

Rubble, debris, crags and orchards are inherent terrain: the artist strews blocks,
strokes or trees about the middle of a hex and the whole hex counts.  So each hex
is judged by how much of its inner part such pieces cover.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.classify import Paint, disc
from hexsight.model.board import Cell, owner_index
from hexsight.model.layout import Layout

# Shares of the hex size, areas of its square.
_INNER = 0.38  # radius of the part that is judged
_FREE = 0.3  # of it must not be building
_THICK = 0.13  # strokes of debris are thinner, rails thicker
_TREE = 0.09  # a single tree is smaller
_LEAST = {"gray": 0.4, "thin": 0.115, "wood": 0.24, "tree": 0.09, "crag": 0.04}
STONE_RUBBLE, WOODEN_RUBBLE, DEBRIS, CRAGS, ORCHARD = 90, 91, 27, 26, 63


@dataclass(frozen=True)
class Scatter:
    """Hexes with strewn terrain.

    Attributes
    ----------
    codes : (n,) uint8
        Terrain code that fills each hex, in the order of the cells; 0 for none.
    confidence : (n,) float32
    trees : (H, W) bool
        Pixels of single trees, which belong to orchards and not to woods.
    owner : (H, W) int32
        Index of the hex that holds each pixel, −1 for none.
    """

    codes: NDArray[np.uint8]
    confidence: NDArray[np.float32]
    trees: NDArray[np.bool_]
    owner: NDArray[np.int32]


def find_scatter(
    paint: Paint,
    layout: Layout,
    cells: tuple[Cell, ...],
    buildings: NDArray[np.bool_],
    taken: NDArray[np.bool_],
) -> Scatter:
    """Judge every hex by the pieces strewn over its inner part.

    Parameters
    ----------
    paint : Paint
    layout : Layout
    cells : tuple of Cell
    buildings, taken : (H, W) bool ndarray
        Pixels of buildings and of bands along hexsides, which are left out.
    """
    s = layout.dy
    shape = buildings.shape
    owner = owner_index(layout, [(c.col, c.row) for c in cells], (shape[1], shape[0]))
    inner = np.zeros(shape, np.uint8)
    for cell in cells:
        x, y = layout.centre(cell.col, cell.row)
        cv2.circle(inner, (round(x), round(y)), round(_INNER * s), 1, -1)
    judged = (inner > 0) & (owner >= 0)
    block = cv2.dilate((buildings | taken).astype(np.uint8), disc(0.08 * s)) > 0
    free = judged & ~block
    n = len(cells)
    free_px = np.bincount(owner[free], minlength=n)
    all_px = np.bincount(owner[judged], minlength=n)

    def share(plane: NDArray[np.uint8]) -> NDArray[np.float64]:
        total = np.bincount(owner[free], weights=plane[free] / 255.0, minlength=n)
        return np.asarray(total / np.maximum(free_px, 1), np.float64)

    gray = paint.evidence(
        np.concatenate(
            [
                paint.of(kind="building", material="stone"),
                paint.of(code=DEBRIS),
                paint.of(kind="rubble", material="stone"),
            ]
        )
    )
    pieces = (gray > 100).astype(np.uint8)
    thick = cv2.dilate(cv2.morphologyEx(pieces, cv2.MORPH_OPEN, disc(_THICK * s)), disc(0.06 * s))
    thin = np.where(thick > 0, 0, pieces * 255).astype(np.uint8)
    brown = paint.evidence(
        np.concatenate(
            [paint.of(kind="building", material="wood"), paint.of(kind="rubble", material="wood")]
        )
    )
    gray_share, thin_share, wood_share = share(gray), share(thin), share(brown)
    other = share(
        paint.evidence(
            np.concatenate(
                [paint.of(kind="cliff"), paint.of(kind="depression"), paint.of(kind="woods")]
            )
        )
    )
    trees = _single_trees(paint, s)
    tree_share = share((trees * 255).astype(np.uint8))
    crag_share = share(paint.evidence(paint.of(code=CRAGS)))
    open_enough = free_px > _FREE * np.maximum(all_px, 1)
    codes = np.zeros(n, np.uint8)
    confidence = np.ones(n, np.float32)
    for code, value, limit, where in (
        (ORCHARD, tree_share, _LEAST["tree"], open_enough),
        (CRAGS, crag_share, _LEAST["crag"], open_enough & (gray_share < 0.5)),
        (DEBRIS, thin_share, _LEAST["thin"], open_enough & _known(paint, DEBRIS)),
        (
            WOODEN_RUBBLE,
            wood_share,
            _LEAST["wood"],
            open_enough & (other < 0.12) & _known(paint, WOODEN_RUBBLE),
        ),
        (STONE_RUBBLE, gray_share, _LEAST["gray"], open_enough & _known(paint, STONE_RUBBLE)),
    ):
        chosen = where & (value >= limit)
        codes[chosen] = code
        ratio = np.abs(np.log(np.maximum(value, 1e-3) / limit))
        confidence = np.minimum(confidence, np.clip(0.4 + ratio, 0.0, 1.0)).astype(np.float32)
    return Scatter(codes, confidence, trees, owner)


def _known(paint: Paint, code: int) -> bool:
    """True where the legend has a class of this terrain at all."""
    return len(paint.of(code=code)) > 0


def _single_trees(paint: Paint, s: float) -> NDArray[np.bool_]:
    """Spots in the colours of trees that are too small for a wood."""
    leaves = np.concatenate([paint.of(kind="woods"), paint.of(kind="orchard")])
    spots = (paint.evidence(leaves, 0.03) > 127).astype(np.uint8)
    spots = np.asarray(cv2.morphologyEx(spots, cv2.MORPH_OPEN, disc(0.05 * s)), np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(spots, connectivity=4)
    area = stats[:, cv2.CC_STAT_AREA]
    reach = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
    small = (area < _TREE * s * s) & (area > 0.002 * s * s) & (reach < 0.6 * s)
    small[0] = False
    return np.asarray(small[labels], bool)


def draw_scatter(rgb: NDArray[np.uint8], result: Scatter) -> NDArray[np.uint8]:
    """Picture with filled hexes tinted: rubble red, debris grey, orchards green, crags blue."""
    tint = np.zeros((256, 3), np.uint8)
    tint[STONE_RUBBLE], tint[WOODEN_RUBBLE] = (255, 0, 0), (200, 80, 0)
    tint[DEBRIS], tint[CRAGS], tint[ORCHARD] = (128, 128, 128), (0, 0, 255), (0, 200, 0)
    code = np.where(result.owner >= 0, result.codes[result.owner], 0)
    out = rgb.copy()
    filled = code > 0
    out[filled] = out[filled] // 2 + tint[code[filled]] // 2
    return out
