"""How large an export becomes and how long VASSAL takes to load it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.export.buildfile import MAX_XML_BYTES
from hexsight.export.stock_messages import ALPHABET

# Measured in the running player (docs/export.md): a build file of 7.9 MB with 1,600
# messages took 1 to 3 s more.
LOAD_S_PER_MB = (1 / 7.9, 3 / 7.9)
# Elements for a Location: its row and one or two "at" messages, and the sentences.
BYTES_A_PLACE, BYTES_A_SENTENCE = 350, 150
# Different answers grow with the size of the board (bdRBv2-like boards: 2.8 a Location).
ANSWERS_A_PLACE = 3
# Tiles hold places beyond the range at its rim, and a mark each.
RANGE_OVERHEAD = 1.35
MOST_BYTES = int(0.9 * MAX_XML_BYTES)


@dataclass(frozen=True, eq=False)
class Spread:
    """How many pairs of places lie at which range.

    Attributes
    ----------
    places : int
    pairs : (m,) int64
        Pairs at range 0, 1, …; each once.
    """

    places: int
    pairs: NDArray[np.int64]


def spread_of(offsets: NDArray[np.int64], counts: NDArray[np.int64]) -> Spread:
    """Count pairs by range.

    Parameters
    ----------
    offsets : (n, 2) int64
        Column and row of each hex, odd-q.
    counts : (n,) int64
        Places of each hex.
    """
    found = np.zeros(1, np.int64)
    for first in range(0, len(offsets), 64):
        away = distances(offsets[first : first + 64], offsets)
        weights = counts[first : first + 64, None] * counts[None, :]
        here = np.bincount(away.ravel(), weights=weights.ravel()).astype(np.int64)
        size = max(len(found), len(here))
        found = np.pad(found, (0, size - len(found))) + np.pad(here, (0, size - len(here)))
    places = int(counts.sum())
    found[0] -= places
    return Spread(places, found // 2)


def distances(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ranges (n, m) between hexes given as odd-q offsets (n, 2) and (m, 2)."""
    q = a[:, None, 0] - b[None, :, 0]
    rows = [x[:, 1] - (x[:, 0] - (x[:, 0] & 1)) // 2 for x in (a, b)]
    r = rows[0][:, None] - rows[1][None, :]
    return np.asarray(np.maximum(np.maximum(np.abs(q), np.abs(r)), np.abs(q + r)))


def estimate_bytes(spread: Spread, most: int | None, *, where: bool = True) -> int:
    """Bytes that the messages of a board will take in the build file, before they are made.

    `where` says whether the places that block are told too.
    """
    width = 1
    while where and len(ALPHABET) ** width < ANSWERS_A_PLACE * spread.places:
        width += 1
    pairs = int(spread.pairs.sum() if most is None else spread.pairs[: most + 1].sum())
    told = pairs * width * (RANGE_OVERHEAD if most is not None else 1.05)
    sentences = ANSWERS_A_PLACE * BYTES_A_SENTENCE if where else 0
    return int(told) + spread.places * (BYTES_A_PLACE + sentences)


def largest_range(spreads: Sequence[Spread], *, where: bool = True, limit: int = MOST_BYTES) -> int:
    """Highest range whose export stays below a limit; 0 if none does."""
    longest = max(len(s.pairs) for s in spreads)
    fitting = [
        most
        for most in range(longest)
        if sum(estimate_bytes(s, most, where=where) for s in spreads) <= limit
    ]
    return max(fitting, default=0)


def load_seconds(build_bytes: int) -> tuple[float, float]:
    """From and to: what VASSAL takes longer to open the module."""
    mb = build_bytes / 1e6
    return LOAD_S_PER_MB[0] * mb, LOAD_S_PER_MB[1] * mb
