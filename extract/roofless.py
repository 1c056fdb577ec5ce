"""Floors under open sky inside Factories (O5.4).

A roof is drawn with lines that follow the building: whichever way it stands,
its strokes meet at right angles.  A roofless floor is strewn with debris that
lies in all directions.  So the measure is the fourth circular moment of the
stroke directions: it is near 1 where strokes run along two crossed directions
and near 0 where they lie at random.  Floors grow from where it is low and the
tone is even, and stop at the jagged inner edge of the roof, which is darker than
both (a watershed).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.classify import disc, odd

# Shares of the hex size (areas: of its square).
_LEAST_BUILDING = 1.2
_LEAST_FLOOR = 0.3
_LEAST_SEED = 0.15
_LEAST_ROOF = 0.15
_SMOOTH, _WIDE, _FINE = 0.02, 0.2, 0.12
_TONE_BAND = 22  # grey values on either side of the floor's tone
_STREWN, _ORDERED = 0.2, 0.36  # fourth moment of floors, of roofs
_SEEDED = 0.33  # share of a floor that must be surely floor
_JAGGED = 0.32  # how much darker its edge is drawn than itself, as a share of its tone


@dataclass(frozen=True)
class Floor:
    """One floor; its outline is the jagged inner edge of the roof.

    Attributes
    ----------
    box : (left, top, width, height)
        In board pixels.
    area_px : int
    tone : int
        Its lightness, 0–255.
    order : float
        Fourth circular moment of its strokes, 0 = in all directions.
    confidence : float
    """

    box: tuple[int, int, int, int]
    area_px: int
    tone: int
    order: float
    confidence: float


@dataclass(frozen=True)
class Roofless:
    """All floors of a board: list, and mask (H, W) bool of their pixels."""

    floors: tuple[Floor, ...]
    mask: NDArray[np.bool_]


def find_roofless(
    lightness: NDArray[np.uint8],
    buildings: NDArray[np.bool_],
    bars: NDArray[np.bool_],
    hex_px: float,
) -> Roofless:
    """Find floors under open sky.

    Parameters
    ----------
    lightness : (H, W) uint8 ndarray
        CIELAB lightness 0–255 of the cleaned picture.
    buildings, bars : (H, W) bool ndarray
        Pixels of depictions and of black bars.
    hex_px : float
        Flat-to-flat size of a hex.
    """
    s = hex_px
    mask = np.zeros(buildings.shape, bool)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        buildings.astype(np.uint8), connectivity=4
    )
    thick_bars = cv2.dilate(bars.astype(np.uint8), disc(0.05 * s)) > 0
    pad = int(0.2 * s) + 1
    found: list[Floor] = []
    for i in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[i])
        if area < _LEAST_BUILDING * s * s:
            continue
        top, left = max(0, y - pad), max(0, x - pad)
        at = (slice(top, y + h + pad), slice(left, x + w + pad))
        for floor, part in _in_building(lightness[at], labels[at] == i, thick_bars[at], s):
            bx, by, bw, bh = floor.box
            found.append(
                Floor(
                    (bx + left, by + top, bw, bh),
                    floor.area_px,
                    floor.tone,
                    floor.order,
                    floor.confidence,
                )
            )
            mask[at] |= part
    return Roofless(tuple(sorted(found, key=lambda f: (f.box[1], f.box[0]))), mask)


def _in_building(
    tones: NDArray[np.uint8],
    inside: NDArray[np.bool_],
    bars: NDArray[np.bool_],
    s: float,
) -> list[tuple[Floor, NDArray[np.bool_]]]:
    even = np.asarray(cv2.medianBlur(tones, odd(0.11 * s)))
    wide = _order(tones, np.ones_like(inside), s, _WIDE)
    deep = cv2.erode(inside.astype(np.uint8), disc(0.3 * s)) > 0
    seed = deep & (wide < _STREWN + 0.02) & ~bars
    if seed.sum() < _LEAST_SEED * s * s:
        return []
    counts = np.bincount(even[seed], minlength=256).astype(np.float64)
    tone = int(np.convolve(counts, np.ones(25), "same").argmax())
    off = np.abs(even.astype(np.int16) - tone)
    surely = (inside & (off < _TONE_BAND) & (wide < _STREWN) & ~bars).astype(np.uint8)
    floor = cv2.morphologyEx(surely, cv2.MORPH_OPEN, disc(0.12 * s)) > 0
    if not floor.any():
        return []
    # The outer wall and bars are straight, but say nothing of what lies between them.
    asked = (cv2.erode(inside.astype(np.uint8), disc(0.11 * s)) > 0) & ~bars
    inner_wide, inner_fine = (_order(tones, asked, s, reach) for reach in (_WIDE, _FINE))
    ordered = _large((inner_wide > _ORDERED) & (inner_fine > _ORDERED - 0.06), _LEAST_ROOF * s * s)
    roof = ordered | ((off > 2.2 * _TONE_BAND) & inside)
    roof = cv2.erode((roof & ~floor).astype(np.uint8), disc(0.05 * s)) > 0
    roof |= ~inside
    markers = np.zeros(inside.shape, np.int32)
    markers[roof], markers[floor] = 1, 2
    relief = cv2.medianBlur(tones, odd(0.06 * s))
    flooded = cv2.watershed(cv2.cvtColor(relief, cv2.COLOR_GRAY2BGR), markers)
    grown = ((flooded == 2) & inside).astype(np.uint8)
    grown = cv2.morphologyEx(grown, cv2.MORPH_OPEN, disc(0.1 * s))
    grown = cv2.morphologyEx(grown, cv2.MORPH_CLOSE, disc(0.16 * s)) & inside.astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(grown, connectivity=4)
    out: list[tuple[Floor, NDArray[np.bool_]]] = []
    for i in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[i])
        part = labels == i
        seeded = float(floor[part].mean())
        if area < _LEAST_FLOOR * s * s or seeded < _SEEDED:
            continue
        dark = _dark_edge(tones, part, inside, bars, s)
        if dark < _JAGGED or tone < np.median(tones[inside]) - 4:
            continue
        order = float(wide[part].mean())
        confidence = float(np.clip(0.4 + (dark - _JAGGED) * 3, 0.0, 1.0))
        out.append((Floor((x, y, w, h), area, tone, round(order, 3), round(confidence, 3)), part))
    return out


def _large(mask: NDArray[np.bool_], least_px: float) -> NDArray[np.bool_]:
    """Parts of a mask of at least so many pixels: a few planks side by side are no roof."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    keep = stats[:, cv2.CC_STAT_AREA] >= least_px
    keep[0] = False
    return np.asarray(keep[labels], bool)


def _dark_edge(
    tones: NDArray[np.uint8],
    part: NDArray[np.bool_],
    inside: NDArray[np.bool_],
    bars: NDArray[np.bool_],
    s: float,
) -> float:
    """How much darker the inner roof edge is than the floor, as a share of the floor's tone.

    Asked only where the floor borders roof, not where it reaches the outer wall or a bar.
    """
    p8 = part.astype(np.uint8)
    edge = (cv2.dilate(p8, disc(0.14 * s)) > 0) & (cv2.erode(p8, disc(0.04 * s)) == 0)
    edge &= cv2.erode(inside.astype(np.uint8), disc(0.16 * s)) > 0
    edge &= cv2.dilate(bars.astype(np.uint8), disc(0.08 * s)) == 0
    middle = cv2.erode(p8, disc(0.1 * s)) > 0
    if edge.sum() < 0.3 * s or not middle.any():
        return 0.0
    floor = float(np.median(tones[middle]))
    return (floor - float(np.percentile(tones[edge], 25))) / max(floor, 1.0)


def _order(
    tones: NDArray[np.uint8], asked: NDArray[np.bool_], s: float, reach: float
) -> NDArray[np.float32]:
    """Fourth circular moment (H, W) float32 of stroke directions within a reach."""
    smooth = cv2.GaussianBlur(tones.astype(np.float32), (0, 0), max(0.8, _SMOOTH * s))
    gx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0)
    gy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    gx, gy = gx * asked, gy * asked
    energy = gx * gx + gy * gy
    real, imag = gx * gx - gy * gy, 2 * gx * gy  # twice the angle
    sigma = reach * s
    fourth_real = cv2.GaussianBlur((real * real - imag * imag) / (energy + 1e-3), (0, 0), sigma)
    fourth_imag = cv2.GaussianBlur(2 * real * imag / (energy + 1e-3), (0, 0), sigma)
    total = cv2.GaussianBlur(energy, (0, 0), sigma) + 1.0
    return np.asarray(np.hypot(fourth_real, fourth_imag) / total, np.float32)


def draw_roofless(rgb: NDArray[np.uint8], result: Roofless) -> NDArray[np.uint8]:
    """Picture with floors outlined in orange."""
    out = rgb.copy()
    rings, _ = cv2.findContours(result.mask.astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(out, rings, -1, (255, 128, 0), 1)
    return out
