"""A fitted lattice of dots, how sure it is, and what else its dots may be."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.grid_extent import Extent, axial_of, lattice_of
from hexsight.model.layout import Layout

CENTRES, CORNER_DOTS = "centre dots", "corner dots"
_MOST = 0.75  # confidence that dots alone can earn
_MOST_BROAD = 0.3
_MOST_CROSSED = 0.12
_MOST_FLARED = 0.04


def _finer_steps() -> tuple[NDArray[np.float64], ...]:
    found = []
    for p in (2, 3, 5, 7, 11, 13):
        for a, b in [(1, k) for k in range(p)] + [(0, 1)]:
            k = np.arange(1, p)
            # The same places of the cell, as near as there are any.
            u, v = ((k * n + p // 2) % p - p // 2 for n in (a, b))
            # Along two sides of the cell, (3, 1) and (0, 2) in lattice coordinates.
            found.append(np.stack([3.0 * u, u + 2.0 * v], axis=-1) / p)
    return tuple(found)


# Steps (n, 2) in lattice coordinates that a finer lattice with 2 to 13 times as many places has
# between those of this one: multiples of one step that reach a place of this one again.
FINER_STEPS = _finer_steps()


@dataclass(frozen=True)
class DotFit:
    """A lattice of dots.

    Attributes
    ----------
    layout : Layout
    style : str
        ``centre dots`` or ``corner dots``.
    polarity : int
        0 dark, 1 light.
    radius_px : float
        Scale at which the dots answer best, about their radius.
    scatter_px : float
        Robust standard deviation of the dots from the lattice.
    extent : Extent
        Where the dots are printed.
    offsets_px : (n, 3) float64 ndarray
        Place x, y of every dot seen and its distance from the fit.
    hits, elsewhere, chance : float
        Share of places with a dot on them; the same between the places; and by chance.
    broad, crossed : float
        How much of a dot is left a fifth of the way to the next one, and how
        strong lines are that run out of all dots in one direction: where lines
        cross it looks as if there were a dot, and waves have tops.
    dots : int
        Places looked at.
    """

    layout: Layout
    style: str
    polarity: int
    radius_px: float
    scatter_px: float
    extent: Extent
    offsets_px: NDArray[np.float64]
    hits: float
    elsewhere: float
    chance: float
    broad: float
    crossed: float
    flared: float
    finer: bool
    dots: int

    @property
    def reason(self) -> str:
        """Why this is worth a look."""
        place = "hex centres" if self.style == CENTRES else "hex corners"
        return (
            f"only dots are printed: {self.hits:.0%} of the {place} carry one; "
            "look at the picture of the fit"
        )

    @property
    def rank(self) -> tuple[bool, float]:
        """Sort key: of the sure ones the lattice that explains most dots and invents fewest."""
        return self.confidence >= 0.6 * _MOST, self.dots * (2 * self.hits - 1)

    @property
    def confidence(self) -> float:
        """0 to 0.75."""
        base = max(self.elsewhere, self.chance)
        if self.dots < 20 or self.chance > 0.4:
            return 0.0
        if self.broad > _MOST_BROAD or self.crossed > _MOST_CROSSED:
            return 0.0
        if self.finer or self.flared > _MOST_FLARED:
            return 0.0
        sure = (self.hits - base) / math.sqrt(max(base * (1 - base), 0.01) / self.dots)
        clear = min(1.0, max(0.0, (self.hits - base - 0.25) / 0.4))
        return _MOST * clear * (1.0 - math.exp(-max(0.0, sure - 3.0) / 3.0))


def honeycomb(fit: DotFit) -> Layout | None:
    """Layout of the hexes whose corners the dots are, if every third place is empty.

    Dots on the corners of hexes are a lattice of centres of smaller hexes that
    stand the other way, without those in the centres of the larger ones.
    """
    if fit.style != CENTRES or len(fit.extent.hexes) < 20 or len(fit.offsets_px) == 0:
        return None
    all_, seen = (
        axial_of(fit.extent.hexes),
        axial_of(fit.layout.pixel_to_hex(fit.offsets_px[:, :2])),
    )
    places = np.bincount((all_[:, 0] - all_[:, 1]) % 3, minlength=3)
    dots = np.bincount((seen[:, 0] - seen[:, 1]) % 3, minlength=3)
    if places.min() == 0:
        return None
    share = dots / places
    empty = int(np.argmin(share))
    if share[empty] > 0.35 or np.delete(share, empty).min() < 0.55:
        return None
    site = fit.extent.hexes[(all_[:, 0] - all_[:, 1]) % 3 == empty][:1]
    x, y = fit.layout.lattice_to_pixel(lattice_of(site))[0]
    (cx, cy), (rx, ry) = fit.layout.col_px, fit.layout.row_px
    return Layout(
        (float(x), float(y)), (1.5 * rx, 1.5 * ry), (2 * cx, 2 * cy), not fit.layout.sideways
    )
