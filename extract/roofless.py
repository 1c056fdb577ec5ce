"""Floors under open sky inside Factories (O5.4).

A roof is drawn with lines that follow the building: whichever way it stands,
its strokes meet at right angles.  A roofless floor is strewn with debris that
lies in all directions.  So the measure is the fourth circular moment of the
stroke directions: it is near 1 where strokes run along two crossed directions
and near 0 where they lie at random.  Floors grow from where it is low and the
tone is even, and stop at the jagged inner edge of the roof, which is darker than
both (a watershed).  All floors of a map are drawn in one tone; what differs from
the surest ones is roof.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.classify import disc, odd
from hexsight.model.regions import large_regions, regions_of

# Shares of the hex size (areas: of its square).
_LEAST_BUILDING = 1.2
_LEAST_FLOOR = 0.45
_LEAST_SEED = 0.15
_LEAST_ROOF = 0.15
_SMOOTH, _WIDE, _FINE = 0.02, 0.2, 0.12
_TONE_BAND = 22  # grey values on either side of the floor's tone
_STREWN, _ORDERED = 0.2, 0.36  # fourth moment of floors, of roofs
_SEEDED = 0.33  # share of a floor that must be surely floor
_DOUBTFUL = (0.2, 0.4)  # the same, and how dark its edge, of a narrow floor between planks
_FLAT, _FLAT_BAND, _LIGHTER = 0.5, 6, 1.05  # floors in one flat tone need no dark edge
_FLAT_SEEDED, _FLAT_GROW = 0.5, 0.25
_SURE = 0.5  # confidence of floors that tell the usual tone
_BY_TONE = 0.3  # confidence of a floor that only the tone of surer ones tells
_EDGE_TONE = 0.58  # tone of dark lines, as a share of the floor's
_LONG = 0.7  # longer than a piece of debris
_LEAST_PIECE = 0.02
_PARTED = 0.6  # share of the border between two pieces of floor that is a dark line
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
    printed: NDArray[np.bool_] | None = None,
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
    printed : (H, W) bool ndarray, optional
        Where hex names and dots were taken off: what lies below them, such as a piece
        of a torn edge, was not seen.
    """
    s = hex_px
    unseen = np.zeros(buildings.shape, bool)
    if printed is not None:
        unseen = cv2.dilate(printed.astype(np.uint8), disc(0.06 * s)) > 0
    mask = np.zeros(buildings.shape, bool)
    thick_bars = cv2.dilate(bars.astype(np.uint8), disc(0.05 * s)) > 0
    pad = int(0.2 * s) + 1
    found: list[tuple[Floor, tuple[slice, slice], NDArray[np.bool_]]] = []
    for region in regions_of(buildings, connectivity=4):
        if region.area < _LEAST_BUILDING * s * s:
            continue
        at = region.window(pad)
        top, left = at[0].start, at[1].start
        for floor, part in _in_building(
            lightness[at], region.pixels(pad), thick_bars[at], unseen[at], s
        ):
            bx, by, bw, bh = floor.box
            found.append((replace(floor, box=(bx + left, by + top, bw, bh)), at, part))
    # Whoever drew the map drew all its floors in one tone, that of most of the sure ones.
    surest = max((f.confidence for f, _, _ in found), default=0.0)
    least = min(surest, _SURE)
    tones_px = [(f.tone, f.area_px) for f, _, _ in found if f.confidence >= least]
    usual = _weighted_median(tones_px)
    kept = [
        f
        for f in found
        if abs(f[0].tone - usual) <= (_TONE_BAND if f[0].confidence > _BY_TONE else _FLAT_BAND)
        and surest > _BY_TONE
    ]
    for _, at, part in kept:
        mask[at] |= part
    floors = sorted((f for f, _, _ in kept), key=lambda f: (f.box[1], f.box[0]))
    return Roofless(tuple(floors), mask)


def _weighted_median(values: list[tuple[int, int]]) -> int:
    """Median of values (first) that count so often (second); 0 of none."""
    ordered = sorted(values)
    total, seen = sum(n for _, n in ordered), 0
    for value, n in ordered:
        seen += n
        if 2 * seen >= total:
            return value
    return 0


def _in_building(
    tones: NDArray[np.uint8],
    inside: NDArray[np.bool_],
    bars: NDArray[np.bool_],
    unseen: NDArray[np.bool_],
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
    dark = _long_dark(np.where(bars, 255, tones).astype(np.uint8), tone, s)
    surely = (inside & (off < _TONE_BAND) & (wide < _STREWN) & ~bars & ~dark & ~unseen).astype(
        np.uint8
    )
    floor = cv2.morphologyEx(surely, cv2.MORPH_OPEN, disc(0.12 * s)) > 0
    if not floor.any():
        return []
    # The outer wall and bars are straight, but say nothing of what lies between them.
    asked = (cv2.erode(inside.astype(np.uint8), disc(0.11 * s)) > 0) & ~bars
    inner_wide, inner_fine = (_order(tones, asked, s, reach) for reach in (_WIDE, _FINE))
    # A few planks side by side are no roof.
    planks = (inner_wide > _ORDERED) & (inner_fine > _ORDERED - 0.06)
    ordered = large_regions(planks, _LEAST_ROOF * s * s, connectivity=4)
    roof = ordered | ((off > 2.2 * _TONE_BAND) & inside)
    roof = cv2.erode((roof & ~floor).astype(np.uint8), disc(0.05 * s)) > 0
    roof |= ~inside
    out: list[tuple[Floor, NDArray[np.bool_]]] = []
    for grown in _flooded(tones, inside, floor, roof, bars, unseen, tone, s):
        shape = cv2.morphologyEx(grown.astype(np.uint8), cv2.MORPH_OPEN, disc(0.1 * s))
        shape = cv2.morphologyEx(shape, cv2.MORPH_CLOSE, disc(0.16 * s)) & inside.astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(shape, connectivity=4)
        for i in range(1, count):
            x, y, w, h, area = (int(v) for v in stats[i])
            part = labels == i
            seeded = float(floor[part].mean())
            if area < _LEAST_FLOOR * s * s or seeded < _DOUBTFUL[0]:
                continue
            edge = _dark_edge(tones, part, inside, bars, s)
            if tone < np.median(tones[inside]) - 4:
                continue
            own = int(np.median(tones[part]))
            sure = round(float(np.clip(0.4 + (edge - _JAGGED) * 3, 0.0, 1.0)), 3)
            if _is_flat(tones, inside, part) and seeded >= _SEEDED:
                # Without an edge it still has its colour.
                near = cv2.dilate(part.astype(np.uint8), disc(2 * _FLAT_GROW * s)) > 0
                plain = near & inside & (np.abs(even.astype(np.int16) - own) <= _FLAT_BAND)
                solid = cv2.morphologyEx(plain.astype(np.uint8), cv2.MORPH_OPEN, disc(0.1 * s))
                part = cv2.morphologyEx(solid, cv2.MORPH_CLOSE, disc(0.16 * s)) > 0
                part &= inside
                large = seeded >= _FLAT_SEEDED and area >= _LEAST_BUILDING * s * s
                sure = 0.6 if large else _BY_TONE
            elif edge < _JAGGED or (seeded < _SEEDED and edge < _DOUBTFUL[1]):
                continue
            elif seeded < _SEEDED:
                sure = min(sure, 0.4)
            order = round(float(wide[part].mean()), 3)
            out.append((Floor((x, y, w, h), area, own, order, sure), part))
    return out


def _is_flat(tones: NDArray[np.uint8], inside: NDArray[np.bool_], part: NDArray[np.bool_]) -> bool:
    """Whether a part is painted in one flat tone, lighter than the roof around it."""
    own, roof = float(np.median(tones[part])), tones[inside & ~part]
    alike = float((np.abs(tones[part].astype(np.int16) - own) <= _FLAT_BAND).mean())
    return bool(roof.size and alike >= _FLAT and own > _LIGHTER * float(np.median(roof)))


def _long_dark(tones: NDArray[np.uint8], tone: int, s: float) -> NDArray[np.bool_]:
    """Dark lines (H, W) bool longer than any piece of debris, such as a torn roof's edge."""
    smooth = cv2.GaussianBlur(tones, (0, 0), max(0.8, _SMOOTH * s))
    dark = (smooth < _EDGE_TONE * tone).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=8)
    long = np.hypot(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]) > _LONG * s
    long[0] = False
    return np.asarray(long[labels], bool)


def _flooded(
    tones: NDArray[np.uint8],
    inside: NDArray[np.bool_],
    floor: NDArray[np.bool_],
    roof: NDArray[np.bool_],
    bars: NDArray[np.bool_],
    unseen: NDArray[np.bool_],
    tone: int,
    s: float,
) -> list[NDArray[np.bool_]]:
    """Masks of what grows from sure floor against sure roof, parted where dark lines part it."""
    count, seeds, stats, _ = cv2.connectedComponentsWithStats(
        floor.astype(np.uint8), connectivity=8
    )
    keep = stats[:, cv2.CC_STAT_AREA] >= _LEAST_PIECE * s * s
    keep[0] = False
    markers = np.where(keep[seeds], seeds + 1, 0).astype(np.int32)
    markers[roof & ~floor] = 1
    relief = np.asarray(cv2.medianBlur(tones, odd(0.06 * s)), np.uint8)
    cv2.watershed(cv2.cvtColor(relief, cv2.COLOR_GRAY2BGR), markers)
    markers[~inside] = 1
    group = _joined(relief, markers, bars, unseen, tone, count + 1)
    basin = np.where(markers > 1, group[np.maximum(markers, 0)], 0)
    # The watershed's own lines belong to the floor when it lies on both sides of them.
    high = cv2.dilate(basin.astype(np.float32), np.ones((3, 3), np.uint8))
    low = cv2.erode(np.where(basin > 0, basin, 1e6).astype(np.float32), np.ones((3, 3), np.uint8))
    between = (markers == -1) & inside & (high == low)
    basin = np.where(between, high, basin).astype(np.int32)
    return [basin == g for g in np.unique(basin[basin > 0]).tolist()]


def _joined(
    relief: NDArray[np.uint8],
    markers: NDArray[np.int32],
    bars: NDArray[np.bool_],
    unseen: NDArray[np.bool_],
    tone: int,
    count: int,
) -> NDArray[np.int32]:
    """Group (n,) of each basin: two are one where hardly a dark line lies between them."""
    parent = list(range(count + 1))

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    basin = np.where(markers > 1, markers, 0).astype(np.float32)
    kernel = np.ones((3, 3), np.uint8)
    high = cv2.dilate(basin, kernel)
    low = cv2.erode(np.where(basin > 0, basin, 1e6).astype(np.float32), kernel)
    rows, cols = np.nonzero((markers == -1) & (high != low) & (high > 0) & (low < 1e6))
    pairs = np.stack([low[rows, cols], high[rows, cols]], axis=1).astype(np.int64)
    # A bar stands on a floor and parts nothing.
    dark = (relief[rows, cols] < _EDGE_TONE * tone) & ~bars[rows, cols]
    for a, b in np.unique(pairs, axis=0).tolist():
        here = (pairs[:, 0] == a) & (pairs[:, 1] == b)
        if (here & ~unseen[rows, cols]).sum() >= 3:
            here &= ~unseen[rows, cols]
        if dark[here].mean() < _PARTED:
            parent[root(b)] = root(a)
    return np.array([root(i) for i in range(count + 1)], np.int32)


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
