"""Black bars: rowhouse walls (B23.71) and Interior Factory Walls (O5.3).

A bar is a stroke as black as anything in the building, about a tenth of a hex
wide and of even width, that runs along a hexside inside a building and stops
at a vertex or at the outline.  Grid lines are thinner, shadows wider or uneven,
roof art ends anywhere, names and circles are not straight.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.classify import disc
from hexsight.extract.hexsides import Sides, profiles

# Lengths are shares of the flat-to-flat size of a hex, along a hexside shares of its length.
_WIDTHS = (0.055, 0.19)
_REACH = 0.085  # how far beside the hexside its middle may be drawn
_WOBBLE = 0.025  # how far the middle may vary along one bar
_FLANK = 0.12
_SCAN = 0.25
_STEP = 0.01
_SAMPLES = 41
_BLACK = 0.28  # between the darkest tone of roofs and their median
_LEAST = 0.38  # covered share of a hexside, when both ends make sense
_LEAST_RULED = 0.41  # when one end does and the stroke is even
_LEAST_LOOSE = 0.62  # when an end lies nowhere in particular
_END = 0.12  # tolerance of an end at a vertex, along the hexside
_EDGE = 0.22  # and at the outline of the building, which is found a little too wide
_RULED = 0.0225  # mean change of width and middle along a stroke drawn with a ruler
_STRAY_LENGTH = 0.3


@dataclass(frozen=True)
class Bar:
    """A bar on a hexside.

    Attributes
    ----------
    side : int
        Position in `Sides`.
    interval : (float, float)
        Covered part, 0 at the hexside's first end, 1 at its last.
    width_px, shift_px : float
        Width, and how far its middle lies to the right of the hexside.
    confidence : float
    """

    side: int
    interval: tuple[float, float]
    width_px: float
    shift_px: float
    confidence: float


@dataclass(frozen=True)
class Stray:
    """A stroke that looks like a bar and fits no hexside; middle, length and turn of it."""

    x_px: float
    y_px: float
    length_px: float
    angle_deg: float


@dataclass(frozen=True)
class Bars:
    """All bars of a board.

    Attributes
    ----------
    bars : tuple of Bar
        In the order of the hexsides.
    doubtful : tuple of Bar
        Almost taken for bars.
    strays : tuple of Stray
    mask : (H, W) bool
        Pixels of the bars, snapped to their hexsides.
    share : (n,) float32
        Of each hexside that looks like a bar.
    black : float
        Lightness, 0 to 255, up to which a pixel counted as black.
    """

    bars: tuple[Bar, ...]
    doubtful: tuple[Bar, ...]
    strays: tuple[Stray, ...]
    mask: NDArray[np.bool_]
    share: NDArray[np.float32]
    black: float


def find_bars(
    lightness: NDArray[np.uint8],
    buildings: NDArray[np.bool_],
    sides: Sides,
    hex_px: float,
) -> Bars:
    """Find the bars.

    Parameters
    ----------
    lightness : (H, W) uint8 ndarray
        CIELAB lightness 0–255 of the picture with its grid lines (a bar covers
        its line).
    buildings : (H, W) bool ndarray
        Pixels inside a depiction.
    sides : Sides
        All hexsides.
    hex_px : float
        Flat-to-flat size of a hex.
    """
    shape = lightness.shape
    nothing = np.zeros(len(sides.ends), np.float32)
    if not buildings.any() or not len(sides.ends):
        return Bars((), (), (), np.zeros(shape, bool), nothing, 0.0)
    low, middle = np.percentile(lightness[buildings], [1, 50])
    black = float(low + _BLACK * (middle - low))
    grown = np.asarray(cv2.dilate(buildings.astype(np.uint8), disc(0.1 * hex_px)), np.uint8)
    along = (np.arange(_SAMPLES) + 0.5) / _SAMPLES
    # A bar has roof on both sides; an outline that falls on a hexside has not.
    beside = np.array([-_FLANK, 0.0, _FLANK]) * hex_px
    inside = profiles(grown, sides.ends, along, beside).min(axis=2) > 0
    share = nothing.copy()
    taken, doubtful = [], []
    for i in np.flatnonzero(inside.mean(axis=1) >= 0.5 * _LEAST):
        seen = _scan(lightness, sides.ends[i], inside[i], hex_px, black)
        if seen is None:
            continue
        cover, width, shift, wobble = seen
        share[i] = cover.mean()
        start, end = _interval(cover)
        ends = int(_sound_end(start, inside[i], 0)) + int(_sound_end(end, inside[i], 1))
        # A bar that stops in the middle of nowhere must at least be drawn as with a ruler.
        ruled = ends == 1 and wobble <= _RULED
        limit = _LEAST if ends == 2 else _LEAST_RULED if ruled else _LEAST_LOOSE
        certain = float(np.clip((share[i] - limit) / 0.25 + 0.5, 0.0, 1.0))
        bar = Bar(int(i), (start, end), width * hex_px, shift * hex_px, round(certain, 3))
        if share[i] >= limit:
            taken.append(bar)
        elif share[i] >= limit - 0.1:
            doubtful.append(bar)
    mask = _paint(shape, taken, sides)
    strays = _strays(lightness <= black, buildings, mask, hex_px)
    return Bars(tuple(taken), tuple(doubtful), strays, mask, share, black)


def _scan(
    lightness: NDArray[np.uint8],
    ends: NDArray[np.float64],
    inside: NDArray[np.bool_],
    s: float,
    black: float,
) -> tuple[NDArray[np.bool_], float, float, float] | None:
    """Covered samples; width, shift, unevenness (hex sizes) of a hexside's best stroke."""
    along = (np.arange(_SAMPLES) + 0.5) / _SAMPLES
    reach = round(_SCAN / _STEP)
    across = np.linspace(-reach * _STEP, reach * _STEP, 2 * reach + 1)
    dark = profiles(lightness, ends[None], along, across * s)[0] <= black
    count = dark.shape[1]
    place = np.arange(count)
    before = np.maximum.accumulate(np.where(~dark, place, -1), axis=1)
    after = np.minimum.accumulate(np.where(~dark, place, count)[:, ::-1], axis=1)[:, ::-1]
    width = np.where(dark, (after - before - 1) * _STEP, 0.0)
    middle = ((after + before) / 2 - count // 2) * _STEP
    good = (width >= _WIDTHS[0]) & (width <= _WIDTHS[1]) & (np.abs(middle) <= _REACH)
    good &= inside[:, None]
    best, found = 0.0, None
    for shift in np.arange(-_REACH, _REACH + 1e-6, 0.015):
        hit = good & (np.abs(middle - shift) <= _WOBBLE)
        cover = hit.any(axis=1)
        value = float(cover.mean()) - 0.3 * abs(float(shift))
        if value > best:
            best = value
            wide, at = width[hit], middle[hit]
            uneven = float(
                np.abs(wide - np.median(wide)).mean() + np.abs(at - np.median(at)).mean()
            )
            found = (cover, float(np.median(wide)), float(np.median(at)), uneven)
    return found


def _interval(cover: NDArray[np.bool_]) -> tuple[float, float]:
    """Longest covered part, gaps of up to three samples closed."""
    places = np.flatnonzero(cover)
    groups = np.split(places, np.flatnonzero(np.diff(places) > 4) + 1)
    longest = max(groups, key=len)
    start, end = longest[0] / _SAMPLES, (longest[-1] + 1) / _SAMPLES
    return (
        0.0 if start < 0.08 else round(float(start), 3),
        1.0 if end > 0.92 else round(float(end), 3),
    )


def _sound_end(place: float, inside: NDArray[np.bool_], last: int) -> bool:
    """True where a bar ends at a vertex, or where the building ends."""
    if (place > 1 - _END) if last else (place < _END):
        return True
    beyond = place + (_EDGE if last else -_EDGE)
    return not inside[int(np.clip(beyond * _SAMPLES, 0, _SAMPLES - 1))]


def _paint(shape: tuple[int, ...], bars: list[Bar], sides: Sides) -> NDArray[np.bool_]:
    """Pixels of bars, widened so that they cover the hexside that they stand on."""
    mask = np.zeros(shape, np.uint8)
    for bar in bars:
        a, b = sides.ends[bar.side]
        step = b - a
        unit = step / max(float(np.linalg.norm(step)), 1e-9)
        normal = np.array([-unit[1], unit[0]])
        half = bar.width_px / 2
        low, high = min(bar.shift_px - half, -1.0), max(bar.shift_px + half, 1.0)
        p, q = a + bar.interval[0] * step, a + bar.interval[1] * step
        ring = np.stack([p + low * normal, q + low * normal, q + high * normal, p + high * normal])
        cv2.fillPoly(mask, [np.rint(ring * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
    return mask > 0


def _strays(
    dark: NDArray[np.bool_],
    buildings: NDArray[np.bool_],
    mask: NDArray[np.bool_],
    s: float,
) -> tuple[Stray, ...]:
    """Straight strokes of a bar's width inside buildings, away from the bars."""
    near = cv2.dilate(mask.astype(np.uint8), disc(0.2 * s)) > 0
    inner = cv2.erode(buildings.astype(np.uint8), disc(0.16 * s)) > 0
    thick = cv2.morphologyEx((dark & buildings).astype(np.uint8), cv2.MORPH_OPEN, disc(0.07 * s))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thick, connectivity=8)
    found = []
    for i in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[i])
        if np.hypot(w, h) < _STRAY_LENGTH * s:
            continue
        region = labels[y : y + h, x : x + w] == i
        if near[y : y + h, x : x + w][region].any():
            continue
        if inner[y : y + h, x : x + w][region].mean() < 0.8:
            continue
        points = np.argwhere(region)[:, ::-1].astype(np.float32)
        (cx, cy), sizes, angle = cv2.minAreaRect(points)
        length, width = max(sizes) + 1, min(sizes) + 1
        if length < _STRAY_LENGTH * s or not _WIDTHS[0] * s <= width <= _WIDTHS[1] * s:
            continue
        if area > 0.8 * length * width:
            turn = angle if sizes[0] >= sizes[1] else angle + 90
            found.append(
                Stray(round(x + cx, 1), round(y + cy, 1), round(length, 1), round(turn % 180, 1))
            )
    return tuple(found)


def draw_bars(rgb: NDArray[np.uint8], result: Bars, sides: Sides) -> NDArray[np.uint8]:
    """Picture with bars in red, doubtful ones in orange, strays in magenta."""
    out = rgb.copy()
    out[result.mask] = (255, 0, 0)
    for bar in result.doubtful:
        a, b = sides.ends[bar.side]
        p, q = (a + t * (b - a) for t in bar.interval)
        cv2.line(
            out,
            tuple(np.rint(p).astype(int).tolist()),
            tuple(np.rint(q).astype(int).tolist()),
            (255, 160, 0),
            2,
        )
    for stray in result.strays:
        cv2.circle(out, (round(stray.x_px), round(stray.y_px)), 6, (255, 0, 255), 2)
    return out
