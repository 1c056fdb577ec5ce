"""View of a legend: what its classes stand for and the colours each is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Triple = tuple[float, float, float]
_STEPS = 21  # points by which a ramp is looked at


@dataclass(frozen=True, eq=False)
class ClassView:
    """A class of a legend.

    Attributes
    ----------
    name : str
    meaning : (int or None, int or None)
        Terrain code and ground level in half-levels that it stands for.
    colours : (n, 3) float64
        Points on its ramps in CIELAB.
    """

    name: str
    meaning: tuple[int | None, int | None]
    colours: NDArray[np.float64]


@dataclass(frozen=True)
class UnnamedClass:
    """A class of which nobody has said yet what it is.

    Attributes
    ----------
    name : str
        As it was proposed: ``"unknown-2"``.
    terrain : str
        What it is read as meanwhile.
    share : float
        Of the picture.
    pixel : (float, float) or None
        Within its largest area, in board pixels; None where it has none.
    """

    name: str
    terrain: str
    share: float
    pixel: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class LegendView:
    """A legend that was read.

    Attributes
    ----------
    name : str
    classes : tuple of ClassView
        Those that have colours.
    unnamed : tuple of UnnamedClass
        The one that covers most first.
    """

    name: str
    classes: tuple[ClassView, ...]
    unnamed: tuple[UnnamedClass, ...] = ()


class ClassLike(Protocol):
    """As ``hexsight.extract.legend.LegendClass``."""

    @property
    def name(self) -> str:
        """For reports."""

    @property
    def code(self) -> int | None:
        """Terrain code; None for print, which hides no terrain."""

    @property
    def half(self) -> int | None:
        """Ground elevation in half-levels that the colour tells, if it does."""

    @property
    def segments(self) -> Sequence[tuple[Triple, Triple]]:
        """Ramps of colour in CIELAB, each from one end to the other."""


class LegendLike(Protocol):
    """As ``hexsight.extract.legend.Legend``, its boxes learnt."""

    @property
    def name(self) -> str:
        """Name of the legend."""

    @property
    def classes(self) -> Sequence[ClassLike]:
        """Its classes, those without colours too."""


def legend_view(legend: LegendLike, unnamed: Sequence[UnnamedClass] = ()) -> LegendView:
    """View of a legend whose boxes have become colours."""
    t = np.linspace(0.0, 1.0, _STEPS)[:, None]
    classes = []
    for one in legend.classes:
        if not one.segments:
            continue
        ramps = [np.array(a) + t * (np.array(b) - np.array(a)) for a, b in one.segments]
        classes.append(ClassView(one.name, (one.code, one.half), np.concatenate(ramps)))
    return LegendView(legend.name, tuple(classes), tuple(unnamed))
