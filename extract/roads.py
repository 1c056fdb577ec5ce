"""Roads: dirt and paved bands of the ground.

Craters, circles and names printed on a road are filled from around before, which
leaves holes where a crater is as wide as the road.  A band goes on below them: it
is laid straight through what hides it, from one seen piece to the next.  Then only
specks are left of false roads, and short gaps where the shadow of a building begins.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.classify import disc
from hexsight.model.regions import large_regions

# Shares of the hex size, areas of its square.
_LEAST_AREA = 0.06
_LEAST_WIDTH = 0.05
_GAP = 0.1  # between a road's end and the outline that it enters
_UNDER = 0.8  # longest hidden stretch of a band
_STRAIGHT = 1.5  # in widths of the band: length of a piece that points at the next
_RIM = 0.07  # around what hides a band: the ragged rim of a crater is no meadow
_COARSE_PX = 24.0  # hex size at which hidden stretches are bridged
_TURNS = 12


@dataclass(frozen=True)
class Roads:
    """Roads of a board.

    Attributes
    ----------
    codes : (H, W) uint8
        Terrain code of the road at each pixel, 0 where there is none; runs up
        to the outlines of the buildings that it enters.
    specks : (H, W) bool
        Pixels in a road's colour that belong to no road.
    confidence : float
        Share of the road pixels that was seen, not filled in.
    """

    codes: NDArray[np.uint8]
    specks: NDArray[np.bool_]
    confidence: float


def find_roads(
    ground: NDArray[np.uint8],
    road_codes: NDArray[np.bool_],
    hidden: NDArray[np.bool_],
    buildings: NDArray[np.bool_],
    hex_px: float,
) -> Roads:
    """Clean the road pixels of a ground raster.

    Parameters
    ----------
    ground : (H, W) uint8 ndarray
        Terrain codes of the ground, hidden places filled from around.
    road_codes : (256,) bool ndarray
        Which codes are roads.
    hidden : (H, W) bool ndarray
        Where the ground was not seen.
    buildings : (H, W) bool ndarray
    hex_px : float
        Flat-to-flat size of a hex.
    """
    s = hex_px
    ground = under_art(ground, road_codes, hidden & ~buildings, s)
    raw = road_codes[ground] & ~buildings
    body = cv2.morphologyEx(raw.astype(np.uint8), cv2.MORPH_OPEN, disc(_LEAST_WIDTH * s))
    kept = large_regions(body, _LEAST_AREA * s * s, connectivity=8)
    # What opening took from the rims of a road comes back; specks do not.
    kept = (cv2.dilate(kept.astype(np.uint8), disc(_LEAST_WIDTH * s)) > 0) & raw
    specks = raw & ~kept
    codes = np.where(kept, ground, 0).astype(np.uint8)
    codes = _to_outlines(codes, kept, hidden, buildings, s)
    total = int(np.count_nonzero(codes))
    seen = int(np.count_nonzero((codes > 0) & ~hidden))
    return Roads(codes, specks, round(seen / total, 3) if total else 1.0)


def under_art(
    ground: NDArray[np.uint8],
    band_codes: NDArray[np.bool_],
    hidden: NDArray[np.bool_],
    hex_px: float,
) -> NDArray[np.uint8]:
    """Ground with its bands (roads, gullies) led straight through what hides them.

    Parameters
    ----------
    ground : (H, W) uint8 ndarray
    band_codes : (256,) bool ndarray
        Which codes are bands.
    hidden : (H, W) bool ndarray
        Where the ground was not seen and a band may run.
    hex_px : float
    """
    known = band_codes[ground] & ~hidden
    veil = cv2.dilate(hidden.astype(np.uint8), disc(2 * _RIM * hex_px)) > 0
    scale = min(1.0, _COARSE_PX / hex_px)
    height, width = ground.shape
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    out = ground
    for code in np.unique(ground[known]).tolist():
        seen, may = known & (ground == code), veil & ~known
        coarse, veiled = (
            cv2.resize(m.astype(np.uint8) * 255, size, interpolation=cv2.INTER_AREA) > 127
            for m in (seen, may)
        )
        laid = _laid(coarse, veiled, _UNDER * hex_px * scale)
        if laid.any():
            whole = cv2.resize(laid.astype(np.uint8), (width, height)) > 0
            out = np.where(whole & may, np.uint8(code), out)
    return np.asarray(out, np.uint8)


def _laid(
    band: NDArray[np.bool_], veiled: NDArray[np.bool_], longest_px: float
) -> NDArray[np.bool_]:
    """Hidden pixels between two pieces of a band of which one points at the other."""
    whole = cv2.morphologyEx(band.astype(np.uint8), cv2.MORPH_CLOSE, disc(3))
    depth = cv2.distanceTransform(whole, cv2.DIST_L2, 3)
    ridge = depth[(depth > 0) & (depth == cv2.dilate(depth, disc(3)))]
    filled = np.zeros_like(band)
    if not ridge.size:
        return filled
    straight_px = _STRAIGHT * (2 * float(np.percentile(ridge, 75)) - 1)
    for turn in np.arange(_TURNS) * (np.pi / _TURNS):
        # Two roads that pass on either side of a crater are none below it.
        straight = cv2.morphologyEx(whole, cv2.MORPH_OPEN, _line(turn, straight_px)) > 0
        steps = _steps(turn, longest_px)
        there, back = _reached(whole > 0, veiled, steps), _reached(whole > 0, veiled, -steps)
        filled |= _reached(straight, veiled, steps) & back
        filled |= there & _reached(straight, veiled, -steps)
    return np.asarray(filled & veiled, bool)


def _line(turn: float, length_px: float) -> NDArray[np.uint8]:
    """Structuring element: a line of a length and direction."""
    half = max(1, round(length_px / 2))
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.uint8)
    x, y = round(half * float(np.cos(turn))), round(half * float(np.sin(turn)))
    cv2.line(kernel, (half - x, half - y), (half + x, half + y), 1)
    return kernel


def _steps(turn: float, length_px: float) -> NDArray[np.intp]:
    """Steps (n, 2) of a pixel, down and right, that together run along a line."""
    places = np.arange(round(length_px) + 1)[:, None] * [np.sin(turn), np.cos(turn)]
    return np.diff(np.rint(places), axis=0).astype(np.intp)


def _reached(
    band: NDArray[np.bool_], veiled: NDArray[np.bool_], steps: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Hidden pixels to which steps lead from a band over hidden pixels only."""
    height, width = band.shape
    out = np.zeros_like(band)
    front = band
    for dy, dx in steps.tolist():
        moved = np.zeros_like(band)
        moved[max(0, dy) : height + min(0, dy), max(0, dx) : width + min(0, dx)] = front[
            max(0, -dy) : height + min(0, -dy), max(0, -dx) : width + min(0, -dx)
        ]
        front = moved & veiled
        out |= front
    return out


def _to_outlines(
    codes: NDArray[np.uint8],
    roads: NDArray[np.bool_],
    hidden: NDArray[np.bool_],
    buildings: NDArray[np.bool_],
    s: float,
) -> NDArray[np.uint8]:
    """Lengthen roads over hidden pixels to the outline of a building close before them."""
    if not roads.any() or not buildings.any():
        return codes
    near = cv2.dilate(buildings.astype(np.uint8), disc(2 * _GAP * s)) > 0
    either = (roads | buildings).astype(np.uint8)
    closed = cv2.morphologyEx(either, cv2.MORPH_CLOSE, disc(_GAP * s)) > 0
    new = closed & near & hidden & (either == 0)
    if not new.any():
        return codes
    out = codes.copy()
    grown = cv2.dilate(codes, disc(2 * _GAP * s))
    out[new] = grown[new]
    return out


def draw_roads(rgb: NDArray[np.uint8], result: Roads) -> NDArray[np.uint8]:
    """Picture with the outline of roads in green, specks in red."""
    out = rgb.copy()
    rings, _ = cv2.findContours(
        (result.codes > 0).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE
    )
    cv2.drawContours(out, rings, -1, (0, 160, 0), 1)
    out[result.specks] = (255, 0, 0)
    return out
