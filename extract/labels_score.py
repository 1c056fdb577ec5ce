"""How well a way of naming the hexes explains the signs printed in them.

Under the right names every character stands for one shape: the pictures of all
the signs that should be a ``7`` fall into the same few clusters.  Under wrong
names they mix.  The measure is a likelihood ratio against signs that come in
any order (Dirichlet-multinomial, so that many characters with few signs each
are not rewarded for fitting noise).  Which shape is *called* 7 is left open by
that; where position leaves it open too, likeness to common letters decides.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
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
_MASS = 2.0  # signs that the prior of a character weighs
_SHARED_MASS = 4.0  # signs that what is known of it from other places weighs
_ANY = 0.2  # of the prior of a character that is spread evenly over all clusters
_SHARED = 0.8  # of that, the rest being any cluster
_TEXT = 3.0  # nats of a name that another reader reads alike; it errs in one of three
_LINE_MASS = 4.0  # words of a column or row that the share of all misses weighs
_HALF_LOG_TAU = 0.5 * math.log(2 * math.pi)
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
    prior : float
        Against ways of numbering that are rarely met.
    texts : float
        From texts that another reader made out.
    """

    order: float
    shape: float
    length: float
    fitting: int
    named: int
    signs: int
    prior: float = 0.0
    texts: float = 0.0

    @property
    def total(self) -> float:
        """Sum of all evidence."""
        return self.order + self.shape + self.length + self.prior + self.texts


class Evidence:
    """Words of a board as sequences of clusters, ready to be scored.

    Parameters
    ----------
    glyphs : Glyphs
    alphabet : Alphabet
    texts : mapping of (col, row) to str, optional
        What another reader made of some hexes.
    """

    def __init__(
        self,
        glyphs: Glyphs,
        alphabet: Alphabet,
        texts: Mapping[tuple[int, int], str] | None = None,
    ) -> None:
        words = [w for w in glyphs.words if w.length <= LONGEST]
        clean = [w for w in words if w.clean]
        words = clean if len(clean) >= max(24, len(words) // 4) else words
        self.words = mixed(words)[:MOST_WORDS]
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
        self._share = {True: self._shares(self.left), False: self._shares(self.right)}
        self._alphabet = alphabet
        self._shape = np.concatenate(
            [_against_all(alphabet.likeness), np.zeros((self.clusters, 1))], axis=1
        )
        usual = np.bincount(self.length, minlength=LONGEST + 1) + 0.5
        self._log_length = np.log(usual / usual.sum())

        # Letters it took for digits and such do no harm: only whole names count.
        self._texts = encode([(texts or {}).get((w.col, w.row)) for w in self.words])

    def first(self, count: int) -> Evidence:
        """The same evidence from fewer words, which are as mixed as all of them."""
        part = copy.copy(self)
        part.words = self.words[:count]
        for name in ("cols", "rows", "length", "left", "right"):
            setattr(part, name, getattr(self, name)[:count])
        part._texts = (self._texts[0][:count], self._texts[1][:count])
        return part

    def _shares(self, signs: NDArray[np.int64]) -> NDArray[np.float64]:
        """Share (LONGEST, k) of each cluster among the signs of each place."""
        overall = np.bincount(signs[signs >= 0], minlength=self.clusters) + 0.5
        share = np.tile(overall / overall.sum(), (LONGEST, 1))
        for place in range(LONGEST):
            column = signs[:, place]
            share[place] += np.bincount(column[column >= 0], minlength=self.clusters)
        found: NDArray[np.float64] = share / share.sum(axis=1, keepdims=True)
        return found

    def counts(
        self, codes: NDArray[np.int64], fit: NDArray[np.bool_], *, from_left: bool = True
    ) -> NDArray[np.int64]:
        """How often each character met each cluster at each place.

        Parameters
        ----------
        codes : (n, m) int64
            Characters of the words' first m signs (or last, the last one first);
            `NONE` for no sign.
        fit : (n) bool
            Words that count.
        from_left : bool

        Returns
        -------
        table : (m, 37, k) int64
        """
        signs = (self.left if from_left else self.right)[fit, : codes.shape[1]]
        codes = codes[fit]
        word, place = np.nonzero((codes >= 0) & (signs >= 0))
        shape = (codes.shape[1], OTHER + 1, self.clusters)
        at = (place * shape[1] + codes[word, place]) * shape[2] + signs[word, place]
        return np.bincount(at, minlength=shape[0] * shape[1] * shape[2]).reshape(shape)

    def order(self, table: NDArray[np.int64], *, from_left: bool = True) -> float:
        """Evidence of `counts` in nats: signs follow characters instead of their place alone.

        A character keeps to the clusters it had at earlier places, but not
        strictly: print is often set so that the same letter falls on other
        parts of pixels at other places in a name, and then looks different.
        """
        known = np.zeros(table.shape[1:])
        starts, steps, alls, masses = [], [], [], []
        total = 0.0
        for place, part in enumerate(table):
            many = part.sum(axis=1)
            used = np.flatnonzero(many)
            if len(used) == 0:
                continue
            base = self._share[from_left][place]
            at, cluster = np.nonzero(part[used])
            met = part[used[at], cluster]
            before = known[used]
            seen = before.sum(axis=1)
            mass = np.where(seen > 0, _SHARED_MASS, _MASS)
            # A character not met before may look like any cluster, be that common here or not.
            fresh = _ANY / self.clusters + (1 - _ANY) * base[cluster]
            like = before[at, cluster] / np.maximum(seen, 1)[at]
            like = _SHARED * like + (1 - _SHARED) * base[cluster]
            starts.append(mass[at] * np.where(seen[at] > 0, like, fresh))
            steps.append(met)
            masses.append(mass)
            alls.append(many[used])
            total -= float((met * np.log(base[cluster])).sum())
            known += part
        if starts:
            start, mass = np.concatenate(starts), np.concatenate(masses)
            ends = (start + np.concatenate(steps), mass, start, mass + np.concatenate(alls))
            # In one call: there are thousands of small tables.
            risen = _log_gamma(np.concatenate(ends))
            more = len(start) + len(mass)
            total += float(risen[:more].sum() - risen[more:].sum())
        return total

    def quick_shape(self, table: NDArray[np.int64]) -> float:
        """Estimate of `shape` that is fast enough for thousands of numberings."""
        part = table.sum(axis=0)
        many = part.sum(axis=1)
        used = np.flatnonzero(many)
        shape = (part[used] * self._shape[:, used].T).sum(axis=1) / many[used]
        return float((shape * _trust(many[used])).sum())

    def shape(self, table: NDArray[np.int64]) -> float:
        """Evidence from likeness to common letters, of the mean picture of each character."""
        table = table.sum(axis=0)[:OTHER]
        many = table.sum(axis=1)
        used = np.flatnonzero(many)
        share = table[used] / many[used, None]
        # Clusters that a character meets now and then are wrong cuts, not its shape.
        share = np.where(share >= 0.4 * share.max(axis=1, keepdims=True), share, 0.0)
        # Few clusters are left of each, so that no product of whole matrices is needed.
        sign, cluster = np.nonzero(share)
        part = share[sign, cluster, None, None] * self._alphabet.match[cluster]
        found = np.add.reduceat(part, np.searchsorted(sign, np.arange(len(used))))
        norm = np.sqrt(np.einsum("ik,kl,il->i", share, self._alphabet.gram, share))
        like = found.max(axis=1) / np.maximum(norm, 1e-9)[:, None]
        gain = _against_all(like)[np.arange(len(used)), used]
        # Two characters that claim the same clusters are not evidence twice.
        own = (share * table[used] / np.maximum(table.sum(axis=0), 1)).sum(axis=1)
        return float((gain * own / share.sum(axis=1) * _trust(many[used])).sum())

    def score(self, codes: NDArray[np.int64], length: NDArray[np.int64]) -> Score:
        """Evidence for names, given as codes (n, LONGEST) and lengths (n), 0 for no name."""
        named = length > 0
        fit = named & (length == self.length)
        table = self.counts(codes, fit)
        order, shape = self.order(table), self.shape(table)
        total, good = int(named.sum()), int(fit.sum())
        if total == 0:
            return Score(0.0, 0.0, 0.0, 0, 0, 0)
        length_score = max(
            self._missed(line[named], fit[named]) for line in (self.cols, self.rows)
        ) - float(self._log_length[self.length[fit]].sum())
        signs = int((table.sum(axis=(0, 2))[:OTHER] > 0).sum())
        texts, long = self._texts
        same = (long > 0) & (long == length) & (texts == codes).all(axis=1)
        return Score(
            order, shape, length_score, good, total, signs, texts=_TEXT * float(same.sum())
        )

    def _missed(self, line: NDArray[np.int64], fit: NDArray[np.bool_]) -> float:
        """Evidence of which words are not as long as their names.

        A letter that falls apart does so in every name of its column or row, so
        that misses of one line (n) are hardly more than one.
        """
        line = line - line.min()
        many, good = np.bincount(line), np.bincount(line[fit], minlength=int(line.max()) + 1)
        miss = float(np.clip((len(fit) - fit.sum() + 0.5) / (len(fit) + 1.0), 0.01, 0.99))
        bad, hit = miss * _LINE_MASS, (1 - miss) * _LINE_MASS
        missed = _rise(np.full(len(many), bad), many - good) + _rise(np.full(len(many), hit), good)
        return float((missed - _rise(np.full(len(many), _LINE_MASS), many)).sum())

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


def _rise(start: NDArray[np.float64], steps: NDArray[np.int64]) -> NDArray[np.float64]:
    """Logarithm of start·(start+1)···(start+steps−1)."""
    return _log_gamma(start + steps) - _log_gamma(start)


def _log_gamma(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Stirling's series, after six steps up where it is good to 1e-10."""
    low = np.log(x * (x + 1) * (x + 2) * (x + 3) * (x + 4) * (x + 5))
    y = x + 6
    series = 1 / (12 * y) - 1 / (360 * y**3) + 1 / (1260 * y**5)
    found: NDArray[np.float64] = (y - 0.5) * np.log(y) - y + _HALF_LOG_TAU + series - low
    return found


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
