"""A first legend for a map that nobody has described yet.

The colours of the picture are sorted into 6 to 20 classes; each is shown with places on
the map where it is seen, and with a guess of its terrain.  Guesses are there to be put
right by a person: the legend that is written says where to look and what to fill in.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.classify import odd
from hexsight.extract.cleaning import Cleaned, clean
from hexsight.extract.legend import DEFAULT_SPREAD, load_legend
from hexsight.extract.propose_guess import Guess, PresetFit, Seen, guess_terrain, preset_fit
from hexsight.extract.propose_modes import (
    NO_MODE,
    Canvas,
    Modes,
    canvas_of,
    find_modes,
    group_modes,
    meetings,
)
from hexsight.model.board import Cell
from hexsight.model.layout import Layout
from hexsight.model.terrain import load_catalogue

PRESETS = ("vasl", "samples")
FEWEST, MOST = 6, 20
_BOXES = 3
_BOX_SIDES = (0.3, 0.2, 0.14, 0.1, 0.06)  # of sample boxes, as shares of the hex size
_FINE = 0.1
_PURE = 0.85  # share of a sample box that is of its class
_MOST_SPREAD = 6.0

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class ProposedClass:
    """One class of colours.

    Attributes
    ----------
    number : int
        From 1, the largest class first.
    share : float
        Of the map's area, print left out.
    mean_rgb : (int, int, int)
        Mean colour.
    colours : tuple of ((r, g, b), share of the class)
        What it is made of, the most frequent first.
    spread : float
        Standard deviation around them, CIELAB units.
    contrast : float
        Texture: standard deviation of lightness within the class, in a window of an
        eighth of a hex, CIELAB units; 0 is flat.
    width_hex : float
        How wide it is drawn, in hexes; meaningless far above 1.
    boxes : tuple of (x, y, width, height)
        Up to three places in board pixels that show it.
    guess : Guess
    """

    number: int
    share: float
    mean_rgb: tuple[int, int, int]
    colours: tuple[tuple[tuple[int, int, int], float], ...]
    spread: float
    contrast: float
    width_hex: float
    boxes: tuple[Box, ...]
    guess: Guess

    @property
    def name(self) -> str:
        """Guessed terrain, or ``unknown-N``."""
        return self.guess.terrain if self.guess.sure else f"unknown-{self.number}"


@dataclass(frozen=True)
class LegendProposal:
    """Proposed classes of a map.

    Attributes
    ----------
    classes : tuple of ProposedClass
        The largest first; 6 to 20 unless the map has fewer colours.
    label : (h, w) uint8
        Number of the class of each working pixel, 0 off the map.
    scale : float
        Working pixels per board pixel.
    hex_px : float
        Flat-to-flat size of a hex in board pixels.
    fits : tuple of PresetFit
        How well each preset knows the map already.
    """

    classes: tuple[ProposedClass, ...]
    label: NDArray[np.uint8]
    scale: float
    hex_px: float
    fits: tuple[PresetFit, ...]

    @property
    def preset(self) -> PresetFit | None:
        """The preset that was made for this map, if any was."""
        good = [f for f in self.fits if f.fits]
        return max(good, key=lambda f: f.claimed, default=None)


def propose_legend(
    rgb: NDArray[np.uint8],
    layout: Layout,
    cells: tuple[Cell, ...],
    *,
    line_px: float | None = None,
    presets: tuple[str, ...] = PRESETS,
) -> LegendProposal:
    """Sort the colours of a map into classes and guess what they are.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
        Board picture.
    layout : Layout
        Lattice as drawn, within about a pixel.
    cells : tuple of Cell
        Hexes; what lies outside of them is not looked at.
    line_px : float, optional
        Width of the printed grid lines; measured when absent.
    presets : tuple of str
        Legends that might be made for it already; terrain is guessed from the first.
    """
    legends = [load_legend(p) for p in presets]
    known = legends[0]
    cleaned = clean(rgb, layout, cells, line_px=line_px)
    printed = cleaned.lines | cleaned.names
    canvas = canvas_of(cleaned.rgb, printed, layout, cells)
    modes = find_modes(canvas)
    groups = group_modes(modes, meetings(canvas, modes), FEWEST, MOST)
    table = np.zeros(256, np.uint8)
    for number, members in enumerate(groups, start=1):
        table[list(members)] = number
    table[NO_MODE] = 0
    label = table[modes.label]
    names = {t.code: t.name for t in load_catalogue(known.catalogue).types}
    contrast = _contrast(canvas)
    seen = []
    for number, members in enumerate(groups, start=1):
        picked = list(members)
        share = float(modes.share[picked].sum())
        mask = label == number
        steady = mask & canvas.steady
        seen.append(
            Seen(
                lab=modes.lab[picked],
                weight=modes.share[picked] / share,
                share=share,
                width_hex=_width_hex(mask, canvas.hex_px),
                contrast=float(contrast[steady].mean()) if steady.any() else 0.0,
            )
        )
    guesses = guess_terrain(seen, known, names)
    classes = []
    for number, (members, one, guess) in enumerate(zip(groups, seen, guesses, strict=True), 1):
        classes.append(
            ProposedClass(
                number=number,
                share=round(one.share, 4),
                mean_rgb=_rgb((one.lab * one.weight[:, None]).sum(axis=0)),
                colours=tuple(
                    (_rgb(lab), round(float(w), 3))
                    for lab, w in zip(one.lab, one.weight, strict=True)
                ),
                spread=_spread(modes, list(members)),
                contrast=round(one.contrast, 1),
                width_hex=round(one.width_hex, 2),
                boxes=_boxes((label == number) & canvas.steady, canvas, cleaned),
                guess=guess,
            )
        )
    return LegendProposal(
        tuple(classes),
        label,
        canvas.scale,
        layout.dy,
        tuple(preset_fit(cleaned.rgb, printed, layout, cells, one) for one in legends),
    )


def _rgb(lab: NDArray[np.floating]) -> tuple[int, int, int]:
    colour = cv2.cvtColor(np.asarray(lab, np.float32).reshape(1, 1, 3), cv2.COLOR_LAB2RGB)
    r, g, b = (int(v) for v in np.clip(np.rint(np.asarray(colour).ravel() * 255), 0, 255))
    return r, g, b


def _spread(modes: Modes, picked: list[int]) -> float:
    weight = modes.share[picked]
    mean2 = float((weight * modes.spread[picked] ** 2).sum() / weight.sum())
    return round(min(max(DEFAULT_SPREAD, float(np.sqrt(mean2))), _MOST_SPREAD), 1)


def _contrast(canvas: Canvas) -> NDArray[np.float32]:
    """Standard deviation (h, w) of lightness within an eighth of a hex."""
    size = (odd(0.125 * canvas.hex_px),) * 2
    light = canvas.lab[..., 0]
    mean = np.asarray(cv2.blur(light, size))
    square = np.asarray(cv2.blur(light * light, size))
    return np.sqrt(np.maximum(square - mean * mean, 0.0), dtype=np.float32)


def _width_hex(mask: NDArray[np.bool_], hex_px: float) -> float:
    """Width of the art: four times the mean distance to its edge, which is exact for bands."""
    solid = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    if not solid.any():
        return 0.0
    depth = np.asarray(cv2.distanceTransform(np.pad(solid, 1), cv2.DIST_L2, 5))[1:-1, 1:-1]
    return 4.0 * float(depth[solid > 0].mean()) / hex_px


def _boxes(mask: NDArray[np.bool_], canvas: Canvas, cleaned: Cleaned) -> tuple[Box, ...]:
    """Places that show a class: as large as it allows, free of print, far from each other."""
    share = mask.astype(np.float32)
    wide = (odd(0.8 * canvas.hex_px),) * 2
    typical = np.asarray(cv2.blur(share, wide), np.float32)
    best: list[tuple[float, float]] = []
    best_size = 3
    for side in _BOX_SIDES:
        size = odd(max(3.0, side * canvas.hex_px))
        purity = np.asarray(cv2.blur(share, (size, size)))
        found = _spread_out(purity >= _PURE, typical, canvas.hex_px)
        if len(found) > len(best):
            best, best_size = found, size
        if len(best) == _BOXES or (best and side <= _FINE):
            break  # one good sample says more than three of single pixels
    if not best and mask.any():  # a class of single pixels
        best = _spread_out(mask, typical, canvas.hex_px)
    height, width = cleaned.lines.shape
    full = min(max(1, round((best_size - 1) / canvas.scale)), height, width)
    out = []
    for px, py in best:
        x = min(max(0, round((px + 0.5) / canvas.scale - full / 2)), width - full)
        y = min(max(0, round((py + 0.5) / canvas.scale - full / 2)), height - full)
        out.append((x, y, full, full))
    return tuple(out)


def _spread_out(
    good: NDArray[np.bool_], typical: NDArray[np.float32], hex_px: float
) -> list[tuple[float, float]]:
    """Up to three of the good pixels, where the class is at home, a hex or more apart.

    The first one lies nearest to the middle of the map, the others far from it.
    """
    rows, cols = np.nonzero(good)
    if len(rows) == 0:
        return []
    home = typical[rows, cols]
    at = home >= np.median(home)
    points = np.stack([cols[at], rows[at]], axis=1).astype(np.float64)
    middle = np.array([good.shape[1], good.shape[0]]) / 2
    chosen = [int(np.linalg.norm(points - middle, axis=1).argmin())]
    gap = np.linalg.norm(points - points[chosen[0]], axis=1)
    while len(chosen) < _BOXES and float(gap.max()) > hex_px:
        chosen.append(int(gap.argmax()))
        gap = np.minimum(gap, np.linalg.norm(points - points[chosen[-1]], axis=1))
    return [(float(points[k, 0]), float(points[k, 1])) for k in chosen]
