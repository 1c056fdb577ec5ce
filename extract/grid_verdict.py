"""Is a fitted lattice really printed there?

A fit always finds something.  What tells a grid from chance: the ridges lie
*on* the predicted sides, far more often than the width of the search allows by
chance; they do so for all three directions of sides (bricks and squares fail);
and they do not run on beyond the corners (triangles fail).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.grid_refine import Measured, Sides, measure
from hexsight.model.layout import Layout

BAND = 0.16  # half width of the look across a side, in row spacings
_MOST = 6000  # sides looked at for a verdict


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
    sides: int
    confidence: float
    reason: str


def tolerance_of(layout: Layout, scatter_px: float) -> float:
    """Distance (px) up to which a ridge counts as lying on the line."""
    return max(0.7, 0.006 * layout.dy, 2.5 * scatter_px)


def thin_out(sides: Sides, most: int = _MOST) -> Sides:
    """At most so many sides, evenly spread (the order is by column)."""
    if len(sides) <= most:
        return sides
    return sides.take(np.unique(np.linspace(0, len(sides) - 1, most).astype(np.int64)))


def judge(
    gray: NDArray[np.uint8],
    layout: Layout,
    sides: Sides,
    *,
    scatter_px: float,
    sigma_px: float,
    polarity: int,
    clip: float,
) -> Evidence:
    """Evidence for a lattice from its sides and their continuations."""
    sides = thin_out(sides)
    band = BAND * layout.dy
    tolerance = tolerance_of(layout, scatter_px)
    look = {"band_px": band, "sigma_px": sigma_px, "polarity": polarity, "clip": clip}

    def at(some: Sides) -> Measured:
        return measure(gray, layout, some, **look)  # type: ignore[arg-type]

    on = at(sides)
    beyond = [at(s) for s in sides.runs_on()]
    hits, hits_beyond, contrast = [], [], []
    for d in range(3):
        m = sides.direction == d
        if not m.any():
            return Evidence((0, 0, 0), (0, 0, 0), 1.0, (0, 0, 0), 0, 0.0, "too few hexsides")
        hits.append(float(np.mean(on_line(on, tolerance)[m])))
        hits_beyond.append(float(np.mean([on_line(b, tolerance)[m] for b in beyond])))
        null = np.concatenate([b.at_zero[m] for b in beyond])
        contrast.append(float((on.at_zero[m].mean() - null.mean()) / max(float(null.std()), 0.05)))
    chance = min(1.0, (tolerance + 0.25) / band)
    confidence, reason = _verdict(hits, hits_beyond, chance, contrast, len(sides))
    return Evidence(
        (hits[0], hits[1], hits[2]),
        (hits_beyond[0], hits_beyond[1], hits_beyond[2]),
        chance,
        (contrast[0], contrast[1], contrast[2]),
        len(sides),
        confidence,
        reason,
    )


def on_line(measured: Measured, tolerance_px: float) -> NDArray[np.bool_]:
    """Sides (n,) whose strongest ridge lies on the predicted line."""
    return (np.abs(measured.offset_px) <= tolerance_px) & (measured.strength > 0)


def _verdict(
    hits: list[float],
    beyond: list[float],
    chance: float,
    contrast: list[float],
    n: int,
) -> tuple[float, str]:
    names = ("first", "second", "third")
    if n < 24:
        return 0.0, f"only {n} hexsides lie on the picture"
    if chance > 0.55:
        return 0.0, "the lines found do not lie on one lattice"
    excess = []
    for f, b in zip(hits, beyond, strict=True):
        base = max(chance, b)
        # A continuation that is printed as often as chance allows says nothing;
        # one printed far more often says that the lines run through the hexes.
        runs_through = max(0.0, b - chance)
        excess.append((f - base) / max(1e-6, 1.0 - chance) - runs_through)
    worst = int(np.argmin(excess))
    # Binomial: how surely does the worst direction beat chance at all?
    sigma = math.sqrt(max(chance * (1 - chance), 0.01) / max(1, n / 3))
    sure = (hits[worst] - max(chance, beyond[worst])) / sigma
    certainty = 1.0 - math.exp(-max(0.0, sure - 3.0) / 3.0)
    clear = min(1.0, max(0.0, (excess[worst] - 0.12) / 0.38))
    visible = min(1.0, max(0.0, (min(contrast) - 0.3) / 0.7))
    confidence = certainty * clear * visible
    if confidence >= 0.8:
        return confidence, ""
    if beyond[worst] - chance > 0.25:
        return confidence, "the lines run on through the hexes: triangles or bricks, not hexes"
    return (
        confidence,
        f"only {hits[worst]:.0%} of the hexsides in the {names[worst]} direction carry a line "
        f"({max(chance, beyond[worst]):.0%} would by chance)",
    )
