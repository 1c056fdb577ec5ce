"""How well a way of naming the hexes explains the signs printed in them.

Under the right names every character stands for one shape: the pictures of all
the signs that should be a ``7`` fall into the same few clusters.  Under wrong
names they mix.  The measure is a likelihood ratio against signs that come in
any order (Dirichlet-multinomial, so that many characters with few signs each
are not rewarded for fitting noise).  Which shape is *called* 7 is left open by
that; where position leaves it open too, likeness to common letters decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.labels_alphabet import SIGNS, Alphabet
from hexsight.extract.labels_glyphs import Glyphs

LONGEST = 10  # signs of a name
MOST_WORDS = 1500
OTHER = len(SIGNS)  # code of any character that is no capital letter or digit
NONE = -1
_MASS = 2.0  # prior signs of a character
# Nats for full likeness.  Common fonts name three of four clean clusters right
# at this steepness; it is set lower than the best fit, for unknown fonts.
_LIKENESS = 15.0
THIN = " .,-–·:_'"  # characters that are not cut out as signs
_CODES = {sign: i for i, sign in enumerate(SIGNS)}

T = TypeVar("T")


@dataclass(frozen=True)
class Score:
    """Natural logarithms of likelihood ratios.

    Attributes
    ----------
    order : float
        From clusters that keep to their characters.
    shape : float
        From likeness to common letters.
    length : float
        From names as long as the print.
    fitting : int
        Words as long as their names.
    named : int
        Words that have a name.
    signs : int
        Different letters and digits of the names.
    """

    order: float
    shape: float
    length: float
    fitting: int
    named: int
    signs: int

    @property
    def total(self) -> float:
        """Sum of all evidence."""
        return self.order + self.shape + self.length


class Evidence:
    """Words of a board as sequences of clusters, ready to be scored.

    Parameters
    ----------
    glyphs : Glyphs
    alphabet : Alphabet
    most : int
        Words that are weighed.
    """

    def __init__(self, glyphs: Glyphs, alphabet: Alphabet, most: int = MOST_WORDS) -> None:
        words = [w for w in glyphs.words if w.length <= LONGEST]
        clean = [w for w in words if w.clean]
        words = clean if len(clean) >= max(24, len(words) // 4) else words
        self.words = mixed(words)[:most]
        n = len(self.words)
        self.cols = np.array([w.col for w in self.words], np.int64)
        self.rows = np.array([w.row for w in self.words], np.int64)
        self.length = np.array([w.length for w in self.words], np.int64)
        self.left = np.full((n, LONGEST), NONE, np.int64)
        self.right = np.full((n, LONGEST), NONE, np.int64)
        for i, w in enumerate(self.words):
            mine = alphabet.cluster[w.first : w.first + w.length]
            self.left[i, : w.length] = mine
            self.right[i, : w.length] = mine[::-1]
        self.clusters = len(alphabet.widths)
        seen = self.left[self.left >= 0]
        share = np.bincount(seen, minlength=self.clusters) + 0.5
        self._log_share = np.log(share / share.sum())
        prior = _MASS * share / share.sum()
        numbers = np.arange(len(seen) + 1, dtype=np.float64)
        # Rising factorials in logarithms: entry [k, n] is prior·(prior+1)···(prior+n−1).
        steps = np.log(prior[:, None] + numbers[None, :-1])
        self._rise = np.concatenate([np.zeros((self.clusters, 1)), steps.cumsum(axis=1)], axis=1)
        self._rise_all = np.concatenate([[0.0], np.log(_MASS + numbers[:-1]).cumsum()])
        self._alphabet = alphabet
        self._shape = np.concatenate(
            [_against_all(alphabet.likeness), np.zeros((self.clusters, 1))], axis=1
        )
        usual = np.bincount(self.length, minlength=LONGEST + 1) + 0.5
        self._log_length = np.log(usual / usual.sum())

    def counts(self, clusters: NDArray[np.int64], codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """How often each character (rows, 37) met each cluster."""
        pairs = codes * self.clusters + clusters
        table = np.bincount(pairs, minlength=(OTHER + 1) * self.clusters)
        return table.reshape(OTHER + 1, self.clusters)

    def order_and_shape(self, table: NDArray[np.int64]) -> tuple[float, float]:
        """Evidence of a table of `counts`; that of the shapes is a quick estimate."""
        many = table.sum(axis=1)
        used = np.flatnonzero(many)
        part = table[used]
        at, cluster = np.nonzero(part)
        met = part[at, cluster]
        order = (
            self._rise[cluster, met].sum()
            - self._rise_all[many[used]].sum()
            - (met * self._log_share[cluster]).sum()
        )
        shape = (part * self._shape[:, used].T).sum(axis=1) / many[used]
        return float(order), float((shape * _trust(many[used])).sum())

    def shape(self, table: NDArray[np.int64]) -> float:
        """Evidence from likeness to common letters, of the mean picture of each character."""
        table = table[:OTHER]
        many = table.sum(axis=1)
        used = np.flatnonzero(many)
        share = table[used] / many[used, None]
        # Clusters that a character meets now and then are wrong cuts, not its shape.
        share = np.where(share >= 0.4 * share.max(axis=1, keepdims=True), share, 0.0)
        fonts = self._alphabet.match.shape[1]
        found = share @ self._alphabet.match.reshape(self.clusters, -1)
        norm = np.sqrt(np.einsum("ik,kl,il->i", share, self._alphabet.gram, share))
        like = found.reshape(len(used), fonts, OTHER).max(axis=1)
        like /= np.maximum(norm, 1e-9)[:, None]
        gain = _against_all(like)[np.arange(len(used)), used]
        return float((gain * _trust(many[used])).sum())

    def score(self, codes: NDArray[np.int64], length: NDArray[np.int64]) -> Score:
        """Evidence for names, given as codes (n, LONGEST) and lengths (n), 0 for no name."""
        named = length > 0
        fit = named & (length == self.length)
        mask = fit[:, None] & (codes >= 0)
        table = self.counts(self.left[mask], codes[mask])
        order, _ = self.order_and_shape(table)
        shape = self.shape(table)
        total, good = int(named.sum()), int(fit.sum())
        if total == 0:
            return Score(0.0, 0.0, 0.0, 0, 0, 0)
        miss = float(np.clip((total - good + 0.5) / (total + 1.0), 0.01, 0.99))
        length_score = (
            good * np.log(1 - miss)
            - self._log_length[self.length[fit]].sum()
            + (total - good) * np.log(miss)
        )
        signs = int((table[:OTHER].sum(axis=1) > 0).sum())
        return Score(order, shape, float(length_score), good, total, signs)

    def score_names(self, names: Sequence[str | None]) -> Score:
        """Evidence for names of the words, in the order of `words`."""
        return self.score(*encode(names))


def mixed(things: Sequence[T]) -> list[T]:
    """The same things in an order without pattern, always the same.

    Every k-th hex of a list would leave out whole rows.
    """
    order = np.random.default_rng(len(things)).permutation(len(things))
    return [things[i] for i in order]


def _against_all(like: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log likelihood ratios (n, 36) of being each sign instead of any."""
    like = _LIKENESS * (like - like.max(axis=1, keepdims=True))
    found: NDArray[np.float64] = like - np.log(np.exp(like).mean(axis=1, keepdims=True))
    return found


def _trust(many: NDArray[np.int64]) -> NDArray[np.float64]:
    """A character met once or twice is weak evidence: it may be a wrong cut."""
    return np.minimum(1.0, many / 4.0)


def encode(names: Sequence[str | None]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Codes (n, LONGEST) and lengths (n) of names; None, empty and too long ones have length 0.

    Characters that are thinner than letters (points, dashes, spaces) are not
    among the signs that are read, and so are left out.
    """
    codes = np.full((len(names), LONGEST), NONE, np.int64)
    length = np.zeros(len(names), np.int64)
    for i, name in enumerate(names):
        mine = [_CODES.get(sign, OTHER) for sign in (name or "").upper() if sign not in THIN]
        if len(mine) <= LONGEST:
            codes[i, : len(mine)] = mine
            length[i] = len(mine)
    return codes, length
