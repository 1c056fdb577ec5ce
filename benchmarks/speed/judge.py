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
class Round:
    """One round: processor seconds of the case, and of its loop beside it."""

    case_s: float
    loop_s: float


@dataclass(frozen=True)
class Measured:
    """What the rounds of one case come to.

    Attributes
    ----------
    ratio : float
        The best of the case over the best of its loop: other programs only ever add to both.
    noise : float
        How far the rounds' own ratios lie from their middle one, in the middle, as a share.
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


def measured(rounds: Sequence[Round]) -> Measured:
    """Sum the rounds up."""
    best = min(r.case_s for r in rounds) / min(r.loop_s for r in rounds)
    own = [r.case_s / r.loop_s for r in rounds]
    middle = statistics.median(own)
    return Measured(best, statistics.median(abs(o / middle - 1) for o in own), len(rounds))


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
