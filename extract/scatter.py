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
from hexsight.extract.legend_colours import colour_index
from hexsight.model.board import Cell, owner_index
from hexsight.model.layout import Layout

# Shares of the hex size, areas of its square.
_INNER = 0.38  # radius of the part that is judged
_FREE = 0.3  # of it must not be building
_THICK = 0.13  # strokes of debris are thinner
_TREE = 0.09  # a single tree is smaller
_CROWN = 0.042  # radius that fits into a tree
_SHRED_PX, _SHRED = 3.0, 0.055  # radius of what wear tears off woods and hedges; at most as a share
_APART = 0.08  # gaps between trees are wider
_ROUND = 0.55  # least share of the circle around a tree that it fills
_LEAST = {"gray": 0.4, "thin": 0.08, "wood": 0.24, "tree": 0.09, "crag": 0.04}
_RAILED, _COVER = 0.1, 0.8  # worn rubble in colours of railroads fills the hex, as no junction does
_ROCKY = 0.4  # share of the strokes in colours of crags from which they are crags
_DARKER = 25  # grey values that a stroke is darker than the ground on both of its sides
_FADES = 0.15  # share of the strokes that is lost, a grey value of noise
_LOOP = 0.02  # larger ground that a stroke runs around: a manhole, not debris
STONE_RUBBLE, WOODEN_RUBBLE, DEBRIS, CRAGS, ORCHARD = 90, 91, 27, 26, 63
RAILROADS = (153, 154, 155, 156)


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
    drawn: NDArray[np.uint8] | None = None,
) -> Scatter:
    """Judge every hex by the pieces strewn over its inner part.

    Parameters
    ----------
    paint : Paint
    layout : Layout
    cells : tuple of Cell
    buildings, taken : (H, W) bool ndarray
        Pixels of buildings and of bands along hexsides, which are left out.
    drawn : (H, W, 3) uint8 ndarray, optional
        Cleaned picture before it was restored, in which thin strokes are still to be
        seen; that of the paint when absent.
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

    gray = paint.evidence(_gray_classes(paint))
    rails = _rails(paint, s)
    thin = (255 * _strokes(paint, paint.rgb if drawn is None else drawn, rails, s)).astype(np.uint8)
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
    rail = _rail_classes(paint)
    near = paint.evidence(np.concatenate([_gray_classes(paint), rail]), 0.15)
    covered = share(np.where(near > 60, 255, 0).astype(np.uint8)) >= _COVER
    filled = covered | (share(paint.evidence(rail)) < _RAILED)
    trees = _single_trees(paint, s)
    tree_share = share((trees * 255).astype(np.uint8))
    crag_share = share(paint.evidence(paint.of(code=CRAGS)))
    open_enough = free_px > _FREE * np.maximum(all_px, 1)
    thin_least = _LEAST["thin"] / (1.0 + _FADES * paint.noise)
    codes = np.zeros(n, np.uint8)
    confidence = np.ones(n, np.float32)
    for code, value, limit, where in (
        (ORCHARD, tree_share, _LEAST["tree"], open_enough),
        (CRAGS, crag_share, _LEAST["crag"], open_enough & (gray_share < 0.5)),
        (
            DEBRIS,
            thin_share,
            thin_least,
            open_enough & (crag_share < _ROCKY * thin_share) & _known(paint, DEBRIS),
        ),
        (
            WOODEN_RUBBLE,
            wood_share,
            _LEAST["wood"],
            open_enough & (other < 0.12) & _known(paint, WOODEN_RUBBLE),
        ),
        (
            STONE_RUBBLE,
            gray_share,
            _LEAST["gray"],
            open_enough & filled & _known(paint, STONE_RUBBLE),
        ),
    ):
        chosen = where & (value >= limit)
        codes[chosen] = code
        ratio = np.abs(np.log(np.maximum(value, 1e-3) / limit))
        confidence = np.minimum(confidence, np.clip(0.4 + ratio, 0.0, 1.0)).astype(np.float32)
    return Scatter(codes, confidence, trees, owner)


def _gray_classes(paint: Paint) -> NDArray[np.int64]:
    """Classes that pieces of stone may look like."""
    return np.concatenate(
        [
            paint.of(kind="building", material="stone"),
            paint.of(code=DEBRIS),
            paint.of(kind="rubble", material="stone"),
        ]
    )


def _rail_classes(paint: Paint) -> NDArray[np.int64]:
    return np.concatenate([paint.of(code=code) for code in RAILROADS])


def _rails(paint: Paint, s: float) -> NDArray[np.bool_]:
    """Railroads with a margin: worn, their sleepers look like strokes of debris."""
    seen = (paint.evidence(_rail_classes(paint), 0.12) > 40).astype(np.uint8)
    return cv2.dilate(cv2.morphologyEx(seen, cv2.MORPH_OPEN, disc(_THICK * s)), disc(0.1 * s)) > 0


def _strokes(
    paint: Paint, drawn: NDArray[np.uint8], rails: NDArray[np.bool_], s: float
) -> NDArray[np.bool_]:
    """Thin grey strokes that are darker than what lies on both sides of them.

    Mixed colours along the edge of a road are grey as well, but between those of its
    sides.  Rims of craters and rings around manholes are left out.
    """
    if paint.noisy:
        drawn = np.asarray(cv2.GaussianBlur(drawn, (0, 0), max(0.8, 0.0125 * s)), np.uint8)
    lab = np.asarray(cv2.cvtColor(drawn, cv2.COLOR_RGB2LAB), np.uint8)
    dark = cv2.morphologyEx(np.ascontiguousarray(lab[..., 0]), cv2.MORPH_BLACKHAT, disc(_THICK * s))
    chances = paint.table[_gray_classes(paint)].sum(axis=0, dtype=np.uint16)
    pieces = (chances[colour_index(drawn)] > 100).astype(np.uint8)
    thick = cv2.dilate(cv2.morphologyEx(pieces, cv2.MORPH_OPEN, disc(_THICK * s)), disc(0.06 * s))
    crater = (paint.evidence(paint.of(name="crater"), 0.06) > 110).astype(np.uint8)
    crater = np.asarray(cv2.morphologyEx(crater, cv2.MORPH_OPEN, disc(0.06 * s)), np.uint8)
    crater = np.asarray(cv2.dilate(crater, disc(0.12 * s)), np.uint8)
    strokes = (pieces > 0) & (dark > _DARKER) & (thick == 0) & ~rails & (crater == 0)
    joined = cv2.morphologyEx(strokes.astype(np.uint8), cv2.MORPH_CLOSE, disc(0.05 * s))
    outlines, nesting = cv2.findContours(joined, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    rings = np.zeros(strokes.shape, np.uint8)
    for k, (_, _, _, outer) in enumerate(nesting[0] if nesting is not None else ()):
        if outer >= 0 and cv2.contourArea(outlines[k]) > _LOOP * s * s:
            cv2.drawContours(rings, outlines, k, 1, max(1, round(0.1 * s)))
    return np.asarray(strokes & (rings == 0), bool)


def _known(paint: Paint, code: int) -> bool:
    """True where the legend has a class of this terrain at all."""
    return len(paint.of(code=code)) > 0


def _single_trees(paint: Paint, s: float) -> NDArray[np.bool_]:
    """Round spots in the colours of trees that are too small for a wood."""
    leaves = np.concatenate([paint.of(kind="woods"), paint.of(kind="orchard")])
    spots = (paint.evidence(leaves, 0.03) > 127).astype(np.uint8)
    spots = np.asarray(cv2.morphologyEx(spots, cv2.MORPH_OPEN, disc(0.05 * s)), np.uint8)
    # Worn woods fall apart into pieces that lie close together; trees stand apart.
    near = cv2.morphologyEx(spots, cv2.MORPH_CLOSE, disc(_APART * s))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(near, connectivity=4)
    area = np.bincount(labels[spots > 0], minlength=len(stats))
    reach = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
    fill = area / (np.pi / 4 * np.maximum(reach, 1).astype(np.float64) ** 2)
    inside = cv2.distanceTransform(spots, cv2.DIST_L2, 5)
    crown = max(_CROWN * s, min(_SHRED_PX, _SHRED * s))
    small = (area < _TREE * s * s) & (fill > _ROUND) & (reach < 0.6 * s)
    small[np.setdiff1d(np.arange(len(area)), labels[inside > crown])] = False
    small[0] = False
    return np.asarray(small[labels] & (spots > 0), bool)


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
