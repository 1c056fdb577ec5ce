"""Small printed symbols: stairwell squares, round dots, crosses, centre dots, manholes.

All but manholes are white spots.  They differ in shape: a square fills its
bounding box, a disc four fifths of it, a cross or a plus-shaped centre dot
half.  Size alone says little, since boards of different scales print the same
symbol at different shares of a hex.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.classify import disc
from hexsight.extract.symbols_rings import find_rings
from hexsight.extract.symbols_squares import find_squares
from hexsight.model.board import Mark
from hexsight.model.regions import regions_of

Shape = Literal["square", "round", "cross", "dot", "ring"]

# Shares of the flat-to-flat size of a hex.
_LEAST, _MOST = 0.045, 0.2
_LEAST_CROSS, _MOST_CROSS = 0.14, 0.26  # height of the cross on a church
_LEAST_PX = 4
_WHITE = 200  # the least of the three channels in the middle of a spot
_CONTRAST = 60
_FRAME = 0.7  # a printed frame is darker than what lies four pixels further in
_NOMINAL_PX = 64  # hexes smaller than this are looked at enlarged


@dataclass(frozen=True)
class Symbol:
    """A printed symbol; place and size in board pixels."""

    shape: Shape
    mark: Mark


@dataclass(frozen=True)
class Symbols:
    """All symbols of a board, in reading order.

    Attributes
    ----------
    symbols : tuple of Symbol
    """

    symbols: tuple[Symbol, ...]

    def of(self, shape: Shape) -> tuple[Mark, ...]:
        """Marks of one shape."""
        return tuple(s.mark for s in self.symbols if s.shape == shape)


def find_symbols(
    rgb: NDArray[np.uint8],
    buildings: NDArray[np.bool_],
    hex_px: float,
    *,
    noisy: bool = False,
    rings: bool = True,
) -> Symbols:
    """Find white spots in buildings and tell them by shape, and black rings everywhere.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
        Picture as printed.
    buildings : (H, W) bool ndarray
        Pixels inside a depiction.
    hex_px : float
        Flat-to-flat size of a hex.
    noisy : bool
        True for scans and JPEG pictures: smooth before looking.
    rings : bool
        False leaves manholes out, which say nothing about terrain.
    """
    if hex_px < _NOMINAL_PX - 4:
        return _enlarged(rgb, buildings, hex_px, noisy=noisy, rings=rings)
    picture = rgb
    if noisy:
        picture = np.asarray(cv2.GaussianBlur(rgb, (0, 0), max(0.6, 0.01 * hex_px)))
    # The edge of the map cuts symbols in the middle: mirrored there, they are whole again.
    pad = round(_MOST * hex_px) + 1
    ring = (pad, pad, pad, pad, cv2.BORDER_REFLECT)
    whole = np.asarray(cv2.copyMakeBorder(_unframed(picture), *ring), np.uint8)
    roofs = np.asarray(cv2.copyMakeBorder(buildings.astype(np.uint8), *ring)) > 0
    spots = _spots(whole, roofs, hex_px)
    reach = 0.1 * hex_px
    found = [s for s in spots if s.shape == "cross"]
    squares = [Symbol("square", m) for m in find_squares(whole, roofs, hex_px)]
    for symbol in squares + [s for s in spots if s.shape != "cross"]:
        # Parts of a cross look like a square, and a square's middle like a spot.
        before = squares + found if symbol.shape != "square" else found
        if all(_apart(symbol.mark, other.mark) > reach for other in before):
            found.append(symbol)
    found = _on_map(found, pad, rgb.shape)
    if rings:
        found += [Symbol("ring", m) for m in find_rings(picture, hex_px)]
    order = sorted(found, key=lambda s: (s.mark.y_px, s.mark.x_px, s.shape))
    return Symbols(tuple(order))


def _enlarged(
    rgb: NDArray[np.uint8],
    buildings: NDArray[np.bool_],
    hex_px: float,
    *,
    noisy: bool,
    rings: bool,
) -> Symbols:
    """Symbols of a small picture, found at the usual size: there, five pixels are no square."""
    height, width = buildings.shape
    size = (round(width * _NOMINAL_PX / hex_px), round(height * _NOMINAL_PX / hex_px))
    fx, fy = size[0] / width, size[1] / height
    large = np.asarray(cv2.resize(rgb, size, interpolation=cv2.INTER_LANCZOS4), np.uint8)
    mask = cv2.resize(buildings.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST_EXACT) > 0
    found = find_symbols(large, np.asarray(mask), hex_px * fy, noisy=noisy, rings=rings)
    back = []
    for symbol in found.symbols:
        mark = symbol.mark
        x, y = (mark.x_px + 0.5) / fx - 0.5, (mark.y_px + 0.5) / fy - 0.5
        small = replace(
            mark, x_px=round(x, 2), y_px=round(y, 2), size_px=round(mark.size_px / fy, 2)
        )
        back.append(Symbol(symbol.shape, small))
    return Symbols(tuple(back))


def _unframed(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Picture whose outermost rows and columns, where a dark frame is printed, repeat the next."""
    out = rgb.copy()
    for turned in (out, out[::-1], out.swapaxes(0, 1), out.swapaxes(0, 1)[::-1]):
        for k in (1, 0):
            if len(turned) > 4 and np.median(turned[k]) < _FRAME * np.median(turned[4]):
                turned[: k + 1] = turned[k + 1]
                break
    return out


def _apart(a: Mark, b: Mark) -> float:
    """Distance of two marks in pixels."""
    return float(np.hypot(a.x_px - b.x_px, a.y_px - b.y_px))


def _on_map(found: list[Symbol], pad: int, shape: tuple[int, ...]) -> list[Symbol]:
    """Symbols in board pixels, without those that only their mirror image shows."""
    out = []
    for symbol in found:
        x, y = symbol.mark.x_px - pad, symbol.mark.y_px - pad
        if -0.6 <= x <= shape[1] - 0.4 and -0.6 <= y <= shape[0] - 0.4:
            x, y = min(max(x, 0.0), shape[1] - 1.0), min(max(y, 0.0), shape[0] - 1.0)
            at = replace(symbol.mark, x_px=round(x, 2), y_px=round(y, 2))
            out.append(Symbol(symbol.shape, at))
    return out


def _spots(rgb: NDArray[np.uint8], buildings: NDArray[np.bool_], s: float) -> list[Symbol]:
    """White spots that lie in, or touch, a building."""
    darkest = rgb.min(axis=2)
    near = cv2.dilate(buildings.astype(np.uint8), disc(0.1 * s)) > 0
    seeds = (darkest > _WHITE) & near
    found: list[Symbol] = []
    pad = max(4, round(0.12 * s))
    for one in regions_of(seeds, connectivity=8):
        if max(one.width, one.height) > 1.6 * _MOST * s or one.area < 3:
            continue
        at = one.window(pad)
        top, left = at[0].start, at[1].start
        spot = _half_height(darkest[at], one.pixels(pad), s)
        if spot is None:
            continue
        rows, cols = np.nonzero(spot)
        r0, r1, c0, c1 = rows.min(), rows.max() + 1, cols.min(), cols.max() + 1
        region = spot[r0:r1, c0:c1]
        if max(region.shape) > (_MOST_CROSS if _has_cross(region) else _MOST) * s:
            continue
        shape, sure = _shape(region, s)
        if shape is not None:
            cx, cy = left + float(cols.mean()), top + float(rows.mean())
            size = float(np.sqrt(region.shape[0] * region.shape[1]))
            found.append(
                Symbol(shape, Mark(round(cx, 2), round(cy, 2), round(size, 2), round(sure, 3)))
            )
    return found


def _half_height(
    window: NDArray[np.uint8], seed: NDArray[np.bool_], s: float
) -> NDArray[np.bool_] | None:
    """A spot cut off half way between its white and the tone around it, bits of roof detached."""
    around = (cv2.dilate(seed.astype(np.uint8), disc(0.14 * s)) > 0) & (
        cv2.dilate(seed.astype(np.uint8), np.ones((5, 5), np.uint8)) == 0
    )
    if not around.any():
        return None
    peak, ground = float(np.median(window[seed])), float(np.median(window[around]))
    if peak - ground < _CONTRAST:
        return None
    cut = (window > 0.5 * (peak + ground)).astype(np.uint8)
    side = max(2, round(0.045 * s))
    whole = cv2.morphologyEx(cut, cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    for mask in (whole, cut):
        _, labels = cv2.connectedComponents(mask, connectivity=4)
        hit = labels[seed & (mask > 0)]
        if hit.size:
            return np.asarray(labels == np.bincount(hit).argmax(), bool)
    return None


def _shape(region: NDArray[np.bool_], s: float) -> tuple[Shape | None, float]:
    """Which symbol a white spot is, and how surely."""
    h, w = region.shape
    fill = float(region.mean())
    even = min(w, h) / max(w, h)
    if min(w, h) < max(_LEAST_PX, _LEAST * s):
        return ("dot", 0.6) if even > 0.6 else (None, 0.0)
    corners = _corner_fill(region)
    if even > 0.8 and fill > 0.66 and corners <= 0.5:
        return "round", min(1.0, 0.5 + (fill - 0.66) * 3)
    if fill < 0.66 and _has_cross(region):
        tall = _LEAST_CROSS * s < h and 1.1 < h / w < 2.2
        return ("cross", 0.7) if tall else ("dot", 0.6)
    return None, 0.0


def _corner_fill(region: NDArray[np.bool_]) -> float:
    """Share of white among the four corners of the bounding box (an eighth of its side each)."""
    h, w = region.shape
    a, b = max(1, round(h / 8)), max(1, round(w / 8))
    parts = [region[:a, :b], region[:a, -b:], region[-a:, :b], region[-a:, -b:]]
    return float(np.mean([p.mean() for p in parts]))


def _has_cross(region: NDArray[np.bool_]) -> bool:
    """True for an upright and a shorter bar across its upper half, and nothing beside them."""
    h, w = region.shape
    upright, across = region.mean(axis=0) > 0.8, region.mean(axis=1) > 0.75
    if not upright.any() or not across.any():
        return False
    rest = region[np.ix_(~across, ~upright)]
    thick, tall = upright.sum() / w, across.sum() / h
    middle = np.flatnonzero(across).mean() / h
    beside = float(rest.mean()) if rest.size else 1.0
    centred = abs(np.flatnonzero(upright).mean() + 0.5 - w / 2) < 0.15 * w
    return bool(
        0.12 < thick < 0.5 and tall < 0.4 and 0.15 < middle < 0.55 and beside < 0.2 and centred
    )


def draw_symbols(rgb: NDArray[np.uint8], result: Symbols) -> NDArray[np.uint8]:
    """Picture with a coloured circle around each symbol."""
    colours = {
        "square": (255, 0, 0),
        "round": (255, 0, 255),
        "cross": (255, 160, 0),
        "dot": (0, 160, 255),
        "ring": (0, 255, 0),
    }
    out = rgb.copy()
    for symbol in result.symbols:
        m = symbol.mark
        at = (round(m.x_px), round(m.y_px))
        cv2.circle(out, at, max(3, round(0.8 * m.size_px)), colours[symbol.shape], 1)
    return out
