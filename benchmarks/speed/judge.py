"""From times to verdicts: no clock in here, so that tests can say what would be seen."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

LIMIT = 0.20
# The reference was measured once and is itself a little uncertain: what lies above the rest
# is told, so that a regression of LIMIT is seen although both were measured with luck.
MARGIN = 0.05
# A machine so restless that even the best rounds say little.
UNSURE = 0.25


@dataclass(frozen=True)
class Measured:
    """What the rounds of one case come to.

    Attributes
    ----------
    ratio : float
        Of the best round: seconds of the case over seconds of its loop beside it. Other
        programs only ever add to a round.
    noise : float
        How much the middle round lies above the best, as a share.
    rounds : int
    """

    ratio: float
    noise: float
    rounds: int


@dataclass(frozen=True)
class Verdict:
    """A case beside its reference.

    Attributes
    ----------
    name : str
    measured : Measured
    reference : float or None
    state : str
        ``ok``, ``slower``, ``faster``, ``new`` (no reference) or ``unsure``.
    """

    name: str
    measured: Measured
    reference: float | None
    state: str

    @property
    def change(self) -> float | None:
        """Share by which it takes longer than it did; negative when it takes less."""
        return None if self.reference is None else self.measured.ratio / self.reference - 1


def measured(ratios: Sequence[float]) -> Measured:
    """Sum the rounds up."""
    best = min(ratios)
    return Measured(best, statistics.median(ratios) / best - 1, len(ratios))


def verdict(name: str, found: Measured, reference: float | None) -> Verdict:
    """Hold a case against its reference."""
    if reference is None:
        return Verdict(name, found, None, "new")
    change = found.ratio / reference - 1
    if change > LIMIT - MARGIN:
        state = "slower"
    elif found.noise > UNSURE:
        state = "unsure"
    elif change < -LIMIT:
        state = "faster"
    else:
        state = "ok"
    return Verdict(name, found, reference, state)
