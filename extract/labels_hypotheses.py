"""Ways of numbering hexes, and the search for the one that the print follows.

A name is a column part and a row part, each a count along one axis of the grid
written in digits or letters.  The two parts can be searched for one by one,
since one stands at the beginning of the name and the other at its end.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.labels_score import LONGEST, NONE, OTHER, Evidence, Score, encode
from hexsight.model.vassal_numbering import ALPHABET, write_number

_HIGHEST = 160  # count to which parts are searched
_LATE_START = 20  # or first count, on maps of so many columns or rows
_TABLE = 1024  # counts that are written out
_KEEP = 16  # parts of each way of writing that are tried together
_SCREENED = 600  # words by which parts are sorted out
_WEIGHED = 300  # whole numberings that are weighed in full
_TELLS = 3.0  # nats: signs that follow columns or rows by less are chance
# Stagger and slant of rows, the usual ones first.
_WAYS = ((0, 0), (1, 0), (0, 1), (0, -1), (1, 1), (1, -1))
# How letters run on after Z, and which are left out; with the first count for
# which that is another letter than in VASSAL's own way.
_LETTERS = {"AABB": 0, "AAAB": 27, "AABB-I": 8, "AABB-IO": 14}
_LAST_LETTERS = 104
# Nats: a separator may look like anything and so explains too much.
_ODD_SEP = 12.0
_ODD_LETTERS = 3.0
_ODD_SLANT = 3.0
_ODD_START = 6.0
_USUAL_START = 2  # hexes cut by the edge often have no name


@dataclass(frozen=True)
class Part:
    """How one part of a name follows from (col, row).

    Attributes
    ----------
    axis : "col" or "row"
    kind : str
        ``"N"``, or how letters run: ``"AABB"`` as VASSAL has it, ``"AAAB"`` as
        in spreadsheets, ``-I``, ``-IO`` without these letters.
    leading : int
        Leading zeros as VASSAL counts them: at least one digit more.
    step : int
        1, or -1 when it counts down.
    offset : int
        Count of the raw hex (0, 0).
    stagger : int
        Added in odd raw columns.
    slant : int
        Rows by which the count moves for each two columns: 0, 1 or -1.
    """

    axis: str
    kind: str
    leading: int
    step: int
    offset: int
    stagger: int = 0
    slant: int = 0

    def values(self, cols: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Counts of hexes."""
        if self.axis == "col":
            return self.step * cols + self.offset
        return pattern(cols, rows, self.stagger, self.slant) * self.step + self.offset

    def oddity(self, evidence: Evidence) -> float:
        """Nats against it, for being met more rarely than plain counts from 0 or 1."""
        odd = _ODD_LETTERS * (self.kind not in ("N", "AABB")) + _ODD_SLANT * abs(self.slant)
        first = int(self.values(evidence.cols, evidence.rows).min())
        return odd + _ODD_START * (first > _USUAL_START)

    def text(self, col: int, row: int) -> str | None:
        """The part of a hex's name, None for counts below 0."""
        value = int(self.values(np.array([col]), np.array([row]))[0])
        return write(value, self.kind, self.leading) if value >= 0 else None


def pattern(
    cols: NDArray[np.int64], rows: NDArray[np.int64], stagger: int, slant: int
) -> NDArray[np.int64]:
    """Row counts of hexes before step and offset."""
    counted: NDArray[np.int64] = rows + stagger * (cols & 1) + slant * ((cols - (cols & 1)) // 2)
    return counted


def write(value: int, kind: str, leading: int) -> str:
    """A count as a board prints it."""
    if kind == "N":
        return write_number(value, "N", leading)
    letters = "".join(x for x in ALPHABET if x not in kind.partition("-")[2])
    if kind == "AAAB" and value >= len(letters):
        first, second = divmod(value - len(letters), len(letters))
        return letters[first % len(letters)] + letters[second]
    times, index = divmod(value, len(letters))
    return letters[index] * (times + 1)


@functools.cache
def _table(kind: str, leading: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Codes and lengths of all counts that are written out."""
    return encode([write(value, kind, leading) for value in range(_TABLE)])


def _written(part: Part, evidence: Evidence) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Codes and lengths of a part for all words; length 0 where it has no count."""
    codes, length = _table(part.kind, part.leading)
    values = part.values(evidence.cols, evidence.rows)
    good = (values >= 0) & (values < len(length))
    values = np.where(good, values, 0)
    return codes[values], np.where(good, length[values], 0)


@dataclass(frozen=True)
class Naming:
    """A way of naming hexes.

    Attributes
    ----------
    column, row : Part
    column_first : bool
    tall_sep : bool
        A sign as tall as the letters stands between the parts.
    """

    column: Part
    row: Part
    column_first: bool = True
    tall_sep: bool = False

    def parts(self, col: int, row: int) -> tuple[str, str] | None:
        """First and second part of a hex's name."""
        a, b = self.column.text(col, row), self.row.text(col, row)
        if a is None or b is None:
            return None
        return (a, b) if self.column_first else (b, a)

    def codes(self, evidence: Evidence) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Codes and lengths of the names of all words."""
        a, b = (
            _written(p, evidence)
            for p in ((self.column, self.row) if self.column_first else (self.row, self.column))
        )
        sep = int(self.tall_sep)
        length = np.where((a[1] > 0) & (b[1] > 0), a[1] + b[1] + sep, 0)
        length[length > LONGEST] = 0
        codes = a[0].copy()
        here = np.arange(len(length))
        if sep:
            codes[here[length > 0], a[1][length > 0]] = OTHER
        start = a[1] + sep
        for i in range(LONGEST):
            put = (length > 0) & (start + i < length)
            codes[here[put], (start + i)[put]] = b[0][put, i]
        codes[length == 0] = NONE
        return codes, length


@dataclass(frozen=True)
class Ranked:
    """A naming with its evidence."""

    naming: Naming
    score: Score


def search(evidence: Evidence) -> tuple[Ranked, ...]:
    """Namings that explain the print best, best first; different ones may give equal names.

    Empty when neither columns nor rows tell in the signs.
    """
    if not _tells(evidence):
        return ()
    few = evidence.first(_SCREENED)
    tried: list[_Tried] = []
    for column_first in (True, False):
        columns = _best(few, _column_parts(few), from_left=column_first)
        rows = _best(few, _row_parts(few, not column_first), from_left=not column_first)
        tried += _pairs(columns, rows, few.length, column_first)
    # Names of another length than the print cannot be right, however well one end fits.
    least = 0.5 * max((t.fitting for t in tried), default=0)
    likely = sorted((t for t in tried if t.fitting >= max(least, 1)), key=lambda t: -t.gain)
    return weigh(evidence, [t.naming for t in likely[:_WEIGHED]])


def _pairs(
    columns: Sequence[_Fitted],
    rows: Sequence[_Fitted],
    length: NDArray[np.int64],
    column_first: bool,
) -> list[_Tried]:
    """The most likely pairs of a column and a row part, with the words that are as long."""
    if not columns or not rows:
        return []
    ends = np.stack([row.length for row in rows])
    fitting = np.zeros((len(columns), len(rows), 2), np.int64)
    gain = np.zeros(fitting.shape)
    for i, column in enumerate(columns):
        both = (column.length > 0) & (ends > 0)
        for sep in (0, 1):
            fitting[i, :, sep] = (both & (column.length + ends + sep == length)).sum(axis=1)
            gain[i, :, sep] = column.gain - column.odd - _ODD_SEP * sep
    gain += np.array([row.gain - row.odd for row in rows])[None, :, None]
    good = fitting >= max(0.5 * fitting.max(), 1)
    order = np.argsort(np.where(good, -gain, np.inf), axis=None, kind="stable")
    found = []
    for at in order[: min(_WEIGHED, int(good.sum()))]:
        i, j, sep = (int(v) for v in np.unravel_index(at, gain.shape))
        naming = Naming(columns[i].part, rows[j].part, column_first, bool(sep))
        found.append(_Tried(float(gain[i, j, sep]), int(fitting[i, j, sep]), naming))
    return found


def weigh(evidence: Evidence, namings: Sequence[Naming]) -> tuple[Ranked, ...]:
    """Namings with their evidence, best first."""
    found = []
    for naming in namings:
        score = evidence.score(*naming.codes(evidence))
        odd = naming.column.oddity(evidence) + naming.row.oddity(evidence)
        odd += _ODD_SEP * naming.tall_sep
        found.append(Ranked(naming, replace(score, prior=-odd)))
    found.sort(key=lambda r: r.score.total, reverse=True)
    return tuple(found)


def _ways_to_write(values: NDArray[np.int64]) -> Iterator[tuple[str, int, int]]:
    """Kind, leading zeros and offset under which no word counts below 0 or beyond the search.

    Ways that write all of the counts alike are given once, the usual one first.
    """
    low, high = int(values.min()), int(values.max())
    for offset in range(-low, max(_LATE_START - low, _HIGHEST - high) + 1):
        first, last = low + offset, high + offset
        for leading in (1, 0, 2):
            if leading == 1 or first < 10 ** max(1, leading):
                yield "N", leading, offset
        if last <= _LAST_LETTERS:
            for kind, differs in _LETTERS.items():
                if last >= differs:
                    yield kind, 0, offset


def _column_parts(evidence: Evidence) -> Iterator[Part]:
    for step in (1, -1):
        for kind, leading, offset in _ways_to_write(step * evidence.cols):
            yield Part("col", kind, leading, step, offset)


def _row_parts(evidence: Evidence, from_left: bool) -> Iterator[Part]:
    for stagger, slant in _row_patterns(evidence, from_left):
        counted = pattern(evidence.cols, evidence.rows, stagger, slant)
        for step in (1, -1):
            for kind, leading, offset in _ways_to_write(step * counted):
                yield Part("row", kind, leading, step, offset, stagger, slant)


def _tells(evidence: Evidence) -> bool:
    """Whether the first or last signs of names follow columns or rows at all."""
    rows = [pattern(evidence.cols, evidence.rows, *way) for way in _WAYS]
    return any(
        _follows(evidence, counted, from_left) > _TELLS
        for counted in (evidence.cols, *rows)
        for from_left in (True, False)
    )


def _follows(evidence: Evidence, counted: NDArray[np.int64], from_left: bool) -> float:
    """Evidence that the sign at one end follows a count, however it may be written."""
    # More counts than codes: those thirty apart may share one, for digits repeat anyway.
    codes = ((counted - counted.min()) % 30)[:, None]
    table = evidence.counts(codes, np.ones(len(codes), bool), from_left=from_left)
    return evidence.order(table, from_left=from_left)


def _row_patterns(evidence: Evidence, from_left: bool) -> list[tuple[int, int]]:
    """The two ways of counting rows that the sign at the end of names follows best.

    Whatever the offset, hexes of the same count have the same last sign.
    """
    found = [
        (_follows(evidence, pattern(evidence.cols, evidence.rows, *way), from_left), way)
        for way in _WAYS
    ]
    found.sort(key=lambda f: -f[0])
    return [way for _, way in found[:2]]


@dataclass(frozen=True)
class _Fitted:
    """A part with its evidence, what speaks against it, and its length in every word."""

    part: Part
    gain: float
    odd: float
    length: NDArray[np.int64]


@dataclass(frozen=True)
class _Tried:
    """A naming with its quick evidence and the words it is as long as."""

    gain: float
    fitting: int
    naming: Naming


def _best(evidence: Evidence, parts: Iterator[Part], *, from_left: bool) -> list[_Fitted]:
    """Parts that explain one end of the words best, some of each way of writing."""
    ranked: dict[tuple[str, int], list[_Fitted]] = {}
    for part in parts:
        codes, length = _written(part, evidence)
        fit = (length > 0) & (length < evidence.length)
        codes = codes[:, : max(1, int(length.max()))]
        if not from_left:
            place = np.arange(codes.shape[1])
            back = np.clip(length[:, None] - 1 - place, 0, None)
            codes = np.where(place < length[:, None], np.take_along_axis(codes, back, 1), NONE)
        table = evidence.counts(codes, fit, from_left=from_left)
        gain = evidence.order(table, from_left=from_left) + evidence.quick_shape(table)
        ranked.setdefault((part.kind, part.leading), []).append(_Fitted(part, gain, 0.0, length))
    kept = []
    for alike in ranked.values():
        alike.sort(key=lambda f: -f.gain)
        kept += [replace(f, odd=f.part.oddity(evidence)) for f in alike[:_KEEP]]
    return kept
