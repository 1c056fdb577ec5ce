"""Whether a fitted lattice is really printed there.

A fit always finds something.  What tells a grid from chance: the ridges lie
*on* the predicted sides, far more often than the width of the search allows by
chance; they do so for all three directions of sides (bricks and squares fail);
they do not run on beyond the corners (triangles fail); both ends of a side carry
them (lines that merely cross the sides fail); and they look like lines
(`grid_shape`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.grid_refine import Measured, Pen, Sides, measure, thin_out
from hexsight.extract.grid_shape import look_across
from hexsight.model.layout import Layout

_STRETCH = (0.06, 0.16)  # scans are stretched by some hundredths; beyond the second, none is
BAND = 0.15  # half width of the look across a side, in row spacings


@dataclass(frozen=True)
class Evidence:
    """How well the printed lines bear out a lattice, over one set of sides.

    Attributes
    ----------
    hits : (float, float, float)
        Share of the sides of each direction whose ridge lies on the line.
    hits_beyond : (float, float, float)
        The same for the continuations of the sides.
    chance : float
        Share that ridges at random places would hit.
    contrast : (float, float, float)
        Ridge response on the sides minus that on the continuations, in
        standard deviations of the latter.
    ends : (float, float, float)
        Response at the weaker end of the sides, as a share of that at the
        strongest place along them: near 1 for lines, near 0 for crossings.
    sides : int
        Sides looked at.
    confidence : float
        0 to 1.
    reason : str
        Why the confidence is low; empty when it is not.
    """

    hits: tuple[float, float, float]
    hits_beyond: tuple[float, float, float]
    chance: float
    contrast: tuple[float, float, float]
    ends: tuple[float, float, float]
    sides: int
    confidence: float
    reason: str


NOTHING = Evidence(
    (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0, 0.0,
    "no part of the picture carries periodic lines",
)  # fmt: skip


def tolerance_of(layout: Layout, scatter_px: float) -> float:
    """Distance (px) up to which a ridge counts as lying on the line."""
    return max(0.7, 0.006 * layout.dy, 2.5 * scatter_px)


def on_line(measured: Measured, tolerance_px: float, least: float) -> NDArray[np.bool_]:
    """Sides (n,) whose strongest ridge lies on the predicted line and is no mere trace."""
    return (np.abs(measured.offset_px) <= tolerance_px) & (measured.strength > least)


def judge(
    gray: NDArray[np.uint8], layout: Layout, sides: Sides, scatter_px: float, pen: Pen
) -> Evidence:
    """Evidence for a lattice from its sides and their continuations.

    Parameters
    ----------
    gray : (H, W) uint8 ndarray
        Picture.
    layout : Layout
        Fitted lattice.
    sides : Sides
        Hexsides within the extent of the print.
    scatter_px : float
        Robust standard deviation that the fit left.
    pen : Pen
        What the lines look like.
    """
    if len(sides) < 24:
        return NOTHING
    sides = thin_out(sides)
    tolerance = tolerance_of(layout, scatter_px)
    band = BAND * layout.dy
    on = measure(gray, layout, sides, band_px=band, pen=pen)
    beyond = [measure(gray, layout, s, band_px=band, pen=pen) for s in sides.runs_on()]
    hits, hits_beyond, contrast, ends = [], [], [], []
    for d in range(3):
        m = sides.direction == d
        if m.sum() < 6:
            return NOTHING
        hits.append(float(np.mean(on_line(on, tolerance, pen.least)[m])))
        hits_beyond.append(float(np.mean([on_line(b, tolerance, pen.least)[m] for b in beyond])))
        null = np.concatenate([b.at_zero[m] for b in beyond])
        contrast.append(float((on.at_zero[m].mean() - null.mean()) / max(float(null.std()), 0.05)))
        along = on.along[m].mean(axis=0) - np.mean([b.along[m].mean(axis=0) for b in beyond])
        third = len(along) // 4
        weaker = min(float(along[:third].max()), float(along[-third:].max()))
        ends.append(max(0.0, weaker / max(float(along.max()), 1e-3)))
    chance = min(1.0, (tolerance + 0.25) / band)
    confidence, reason = _verdict(hits, hits_beyond, chance, contrast, ends, len(sides))
    # Even hand-drawn hexes stay within a few hundredths of their size.
    steady = 1.0 - _ramp(scatter_px, max(0.5, 0.018 * layout.dy), max(1.0, 0.03 * layout.dy))
    if steady * confidence < 0.5 <= confidence:
        reason = "the lines found wobble too much to lie on one lattice"
    confidence *= steady
    stretch = abs(math.log(layout.dx / layout.dy / (math.sqrt(3) / 2)))
    regular = 1.0 - _ramp(stretch, *_STRETCH)
    if regular * confidence < 0.5 <= confidence:
        reason = "the hexes would be stretched as no map is"
    confidence *= regular
    if confidence > 0:
        objection = look_across(gray, layout, sides, pen).objection(layout.dy, pen)
        if not objection and _finer(gray, layout, sides, (tolerance, band), pen, on, chance):
            objection = "the pattern repeats several times within each hex"
        if objection:
            confidence, reason = 0.0, objection
    return Evidence(
        (hits[0], hits[1], hits[2]),
        (hits_beyond[0], hits_beyond[1], hits_beyond[2]),
        chance,
        (contrast[0], contrast[1], contrast[2]),
        (ends[0], ends[1], ends[2]),
        len(sides),
        confidence,
        reason,
    )


# Steps (X, Y) in lattice coordinates that a lattice of a half, a third or a seventh of the area
# of the hexes has besides theirs: half steps, steps to corners, and the two chiral ones.
_FRACTIONS: tuple[tuple[tuple[float, float], ...], ...] = (
    ((1.5, 0.5), (0.0, 1.0), (1.5, -0.5)),
    ((2.0, 0.0),),
    ((6 / 7, 4 / 7),),
    ((9 / 7, 1 / 7),),
)


def _finer(
    gray: NDArray[np.uint8],
    layout: Layout,
    sides: Sides,
    limits: tuple[float, float],
    pen: Pen,
    on: Measured,
    chance: float,
) -> bool:
    """Whether the sides, moved by a fraction of a hex, find as much as where they are."""
    tolerance, band = limits
    usual = float(np.mean(on_line(on, tolerance, pen.least)))
    some = thin_out(sides, 600)
    for family in _FRACTIONS:
        found = []
        for step in family:
            moved = replace(some, ends=some.ends + np.array(step))
            look = measure(gray, layout, moved, band_px=band, pen=pen)
            found.append(float(np.mean(on_line(look, tolerance, pen.least))))
        if min(found) - chance > 0.6 * (usual - chance):
            return True
    return False


def _ramp(value: float, low: float, high: float) -> float:
    return min(1.0, max(0.0, (value - low) / (high - low)))


def _verdict(
    hits: list[float],
    beyond: list[float],
    chance: float,
    contrast: list[float],
    ends: list[float],
    n: int,
) -> tuple[float, str]:
    if chance > 0.55:
        return 0.0, "the lines found do not lie on one lattice"
    excess = []
    for f, b in zip(hits, beyond, strict=True):
        # A continuation that is printed as often as chance allows says nothing;
        # one printed far more often says that the lines run through the hexes.
        excess.append((f - max(chance, b)) / (1.0 - chance) - max(0.0, b - chance))
    worst = int(np.argmin(excess))
    base = max(chance, beyond[worst])
    # Binomial: how surely does the worst direction beat chance at all?
    sure = (hits[worst] - base) / math.sqrt(max(chance * (1 - chance), 0.01) / (n / 3))
    certain = 1.0 - math.exp(-max(0.0, sure - 3.0) / 3.0)
    clear = _ramp(excess[worst], 0.25, 0.65)
    visible = _ramp(min(contrast), 0.3, 1.0)
    whole = _ramp(min(ends), 0.15, 0.5)
    confidence = certain * clear * visible * whole
    if confidence >= 0.8:
        return confidence, ""
    if beyond[worst] - chance > 0.25:
        return confidence, "the lines run on through the hexes: triangles or bricks, not hexes"
    if whole < 0.8 * clear:
        return confidence, "lines cross the hexsides rather than follow them"
    names = ("first", "second", "third")
    return (
        confidence,
        f"only {hits[worst]:.0%} of the hexsides in the {names[worst]} direction carry a line "
        f"({base:.0%} would by chance)",
    )
