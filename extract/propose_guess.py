"""Guessing what a class of colours is: by the nearest art of a preset, and by its build.

Maps are printed in other inks than the preset was made from, so a guess is relative: of
all terrain of the preset, which is nearest, by how much, and does the class lie on the
map as such terrain does?  Roads and walls are narrow, ground is not; one class only is
what most of the map is.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.classify import measured_noise
from hexsight.extract.legend import PRINT, Legend, LegendClass, to_lab
from hexsight.model.board import Cell
from hexsight.model.layout import Layout

_TOLERANCE = 6.0  # CIELAB units after which likeness has fallen to a third
_HUE_ONLY = 0.4  # likeness of two colours that share the hue alone
_LESSER = 0.35  # how much lightness and strength count in that
_MOSTLY_OPEN = 0.3  # likeness of what most of a map is made of to open ground, in any colour
_SHADED = 0.5  # likeness of one colour to a ramp, which stands for many shades
_TEXTURED = 8.0  # contrast in CIELAB units from which art counts as shaded
_TAKEN = 0.3  # of a ground colour that a larger class has already
_TELLING = 0.2  # share of a map from which the preset's expected shares count in full
_NOWHERE = 0.015  # belief in "nothing of this preset", in the same measure as likeness
_SURE, _LIKELY = 0.5, 0.3  # on real maps 85 of 100 guesses believed more hold, and 1 of 3
_CLAIMED = 1.5  # spreads around the colours of a preset that are its own
# Share of a map that its own preset claims at least: measured 0.94 to 1.0 on the boards that
# `vasl` was made for, 0.58 to 0.82 on noisy JPEG copies of them, and up to 0.59 on other
# maps, of which none has a ground of the preset.
_OWN, _OWN_NOISY = 0.8, 0.55
_NOISY = 1.0  # measured noise; drawn art has 0
_STEP = 4  # of the histogram that fits are measured on, grey values

# How wide the art of a kind is drawn, in hexes: narrowest and widest without a penalty.
_WIDTHS: dict[str, tuple[float, float]] = {
    PRINT: (0.0, 0.5),
    "hexside": (0.03, 0.2),
    "cliff": (0.03, 0.25),
    "road": (0.08, 0.6),
    "bridge": (0.08, 0.6),
    "depression": (0.03, 0.5),
    "building": (0.08, 4.0),
    "rubble": (0.03, 1.0),
    "rough": (0.03, 2.0),
    "orchard": (0.05, 0.4),
    "woods": (0.1, 100.0),
    "growth": (0.05, 100.0),
    "water": (0.2, 100.0),
    "open": (0.4, 100.0),
}
# Kinds that more than this share of a map is never made of.
_RARE = frozenset({PRINT, "hexside", "cliff", "road", "bridge", "building", "rubble", "rough"})
_RARE_SHARE = 0.3
# How much more often than others art of a kind is met on maps.
_OFTEN = {"woods": 1.5, "building": 1.5, "hexside": 0.7, "rubble": 0.7, "depression": 0.6}
_OFTEN |= {"rough": 0.5, "cliff": 0.5}
_FLAT_KINDS = frozenset({"open", "water"})  # drawn in one colour
_GROUND_KINDS = frozenset({"open", "growth", "woods", "water"})

Segment = tuple[tuple[float, float, float], tuple[float, float, float]]


@dataclass(frozen=True)
class Guess:
    """What a class might be.

    Attributes
    ----------
    terrain : str
        Name in the catalogue, or ``"print"``.
    name : str
        Name of the preset's class that is nearest.
    half : int or None
        Ground elevation in half-levels that the preset reads from that colour.
    confidence : float
        0 to 1: its part of the likeness to all terrain and to none.
    """

    terrain: str
    name: str
    half: int | None
    confidence: float

    @property
    def sure(self) -> bool:
        """Whether it is more than a hint."""
        return self.confidence >= _SURE

    @property
    def likely(self) -> bool:
        """Whether it is better than taking the class for open ground."""
        return self.confidence >= _LIKELY


@dataclass(frozen=True)
class Seen:
    """What is known of a class before it is guessed.

    Attributes
    ----------
    lab : (m, 3) float32
        Its colours.
    weight : (m,) float64
        Their shares of it, together 1.
    share : float
        Its share of the map.
    width_hex : float
        How wide it is drawn, in hexes.
    contrast : float
        Of its texture, CIELAB units of lightness.
    """

    lab: NDArray[np.float32]
    weight: NDArray[np.float64]
    share: float
    width_hex: float
    contrast: float


def guess_terrain(classes: list[Seen], legend: Legend, names: dict[int, str]) -> list[Guess]:
    """Guess the terrain of each class, the largest first.

    Parameters
    ----------
    classes : list of Seen
    legend : Legend
        The preset.
    names : dict of int to str
        Terrain names by code.
    """
    taken: set[int] = set()
    out = []
    for seen in classes:
        total: dict[str, float] = {}
        nearest: dict[str, int] = {}
        for k, cls in enumerate(legend.classes):
            like = _likeness(seen, cls) * (_TAKEN if k in taken else 1.0)
            terrain = PRINT if cls.code is None else names[cls.code]
            # Many shades of one terrain are one chance and not many.
            if like > total.get(terrain, 0.0):
                total[terrain], nearest[terrain] = like, k
        if not total:
            out.append(Guess("Open Ground", "open ground", None, 0.0))
            continue
        terrain = max(sorted(total), key=lambda t: total[t])
        found = legend.classes[nearest[terrain]]
        if found.kind in _FLAT_KINDS:
            taken.add(nearest[terrain])
        # Squared: a likeness twice as large is more than twice as telling.
        rest = sum(v**2 for v in total.values()) + _NOWHERE
        confidence = total[terrain] ** 2 / rest
        out.append(Guess(terrain, found.name, found.half, round(confidence, 2)))
    return out


def _likeness(seen: Seen, cls: LegendClass) -> float:
    """How like the art of a preset's class is, 0 to the class's expected share."""
    like = np.zeros(len(seen.lab))
    for shaded in (False, True):
        parts = tuple(p for p in cls.segments if (p[0] != p[1]) is shaded)
        if not parts:
            continue
        off = np.maximum(0.0, distances(seen.lab, parts) - 0.5 * cls.spread)
        factor = 1.0
        if shaded:
            factor = min(1.0, max(0.3, (seen.contrast / _TEXTURED) ** 2))
            factor *= _SHADED if len(seen.lab) == 1 else 1.0
        like = np.maximum(like, factor * np.exp(-off / _TOLERANCE))
        hue = np.exp(-hue_distances(seen.lab, parts) / _TOLERANCE)
        like = np.maximum(like, _HUE_ONLY * factor * hue)
    mean = float((seen.weight * like).sum())
    expected: float = (
        mean * cls.share ** min(1.0, seen.share / _TELLING) * _OFTEN.get(cls.kind, 1.0)
    )
    if cls.kind == "open" and seen.share > _RARE_SHARE:
        expected = max(expected, _MOSTLY_OPEN)
    return expected * _build(cls.kind, seen)


def _build(kind: str, seen: Seen) -> float:
    """How well share and width fit a kind: 1, or less."""
    low, high = _WIDTHS.get(kind, (0.03, 100.0))
    width = max(seen.width_hex, 1e-3)
    off = max(0.0, np.log(max(low, 1e-6) / width), np.log(width / high))
    fits = float(np.exp(-0.5 * (off / 0.5) ** 2))
    if kind in _RARE and seen.share > _RARE_SHARE:
        fits *= 0.05
    return fits


def distances(
    lab: NDArray[np.float32],
    segments: tuple[Segment, ...],
) -> NDArray[np.float64]:
    """Distance (n,) of colours (n, 3) to the nearest of some ramps, CIELAB units."""
    out = np.full(len(lab), np.inf)
    for first, last in segments:
        start = np.array(first)
        along = np.array(last) - start
        length2 = float(along @ along)
        t = np.clip((lab - start) @ along / length2, 0, 1) if length2 else np.zeros(len(lab))
        out = np.minimum(out, np.linalg.norm(lab - start - t[:, None] * along, axis=1))
    return out


def hue_distances(lab: NDArray[np.float32], segments: tuple[Segment, ...]) -> NDArray[np.float64]:
    """Distance (n,) to the nearest end of some ramps that counts the hue in full, the rest little.

    Water is blue on every map, however dark and strong the blue is.
    """
    ends = np.array([end for pair in segments for end in pair], np.float64)
    chroma = np.hypot(lab[:, 1], lab[:, 2])[:, None].astype(np.float64)
    other = np.hypot(ends[:, 1], ends[:, 2])[None]
    light = lab[:, None, 0] - ends[None, :, 0]
    strength = chroma - other
    gap2 = ((lab[:, None, 1:] - ends[None, :, 1:]) ** 2).sum(axis=2)
    hue2 = np.maximum(gap2 - strength**2, 0.0)
    total = hue2 + _LESSER**2 * (light**2 + strength**2)
    return np.asarray(np.sqrt(total).min(axis=1), np.float64)


@dataclass(frozen=True)
class PresetFit:
    """How well a preset knows a map.

    Attributes
    ----------
    name : str
        Of the preset.
    claimed : float
        Share of the map's pixels, print left out, that lie within 1½ spreads of a
        colour of the preset, widened by the noise of the picture.
    ground : str
        Name of the preset's class that the most pixels are nearest to.
    fits : bool
        True when at least 0.8 is claimed (0.55 of a noisy picture, where textures run
        together) and the largest class is a ground and not, say, road.
    """

    name: str
    claimed: float
    ground: str
    fits: bool


def preset_fit(
    cleaned: NDArray[np.uint8],
    printed: NDArray[np.bool_],
    layout: Layout,
    cells: tuple[Cell, ...],
    legend: Legend,
) -> PresetFit:
    """Measure whether a preset was made for a map.

    Colours that are merely near are no evidence: with ramps for roofs, a preset comes
    near to most colours of any map.

    Parameters
    ----------
    cleaned : (H, W, 3) uint8 ndarray
        Picture without print.
    printed : (H, W) bool ndarray
        Where print was.
    layout : Layout
    cells : tuple of Cell
    legend : Legend
        Without boxes.
    """
    noise = measured_noise(cleaned)
    on_map = np.zeros(printed.shape, np.uint8)
    for c in cells:
        ring = np.rint(layout.corners(c.col, c.row) * 16).astype(np.int32)
        cv2.fillConvexPoly(on_map, ring, 1, cv2.LINE_8, 4)
    if noise > 1.5:
        cleaned = np.asarray(cv2.GaussianBlur(cleaned, (0, 0), max(0.8, 0.0125 * layout.dy)))
    pixels = cleaned[(on_map > 0) & ~printed] // _STEP
    if len(pixels) == 0:
        return PresetFit(legend.name, 0.0, "", False)
    packed = pixels.astype(np.int32) @ np.array([4096, 64, 1], np.int32)
    counts = np.bincount(packed, minlength=4096 * 64)
    keys = np.flatnonzero(counts)
    rgb = np.stack([keys >> 12, (keys >> 6) & 63, keys & 63], axis=1) * _STEP + _STEP // 2
    lab = to_lab(rgb.astype(np.uint8)[None])[0]
    nearest = np.full(len(keys), np.inf)
    owner = np.zeros(len(keys), np.int64)
    for k, cls in enumerate(legend.classes):
        gap = distances(lab, cls.segments) / np.hypot(cls.spread, 0.4 * noise)
        closer = gap < nearest
        nearest[closer], owner[closer] = gap[closer], k
    seen = counts[keys] / len(pixels)
    claimed = float(seen[nearest < _CLAIMED].sum())
    by_class = np.bincount(owner, weights=seen, minlength=len(legend.classes))
    ground = legend.classes[int(by_class.argmax())]
    least = _OWN if noise < _NOISY else _OWN_NOISY
    fits = claimed >= least and ground.kind in _GROUND_KINDS
    return PresetFit(legend.name, round(claimed, 3), ground.name, fits)
