"""Reading each printed name with the letters that the board itself has taught."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.labels_alphabet import SIGNS
from hexsight.extract.labels_glyphs import Word
from hexsight.extract.labels_print import Print
from hexsight.extract.labels_score import OTHER, THIN, encode

_GOOD = 0.75  # correlation with its letter from which a sign counts as read
_LEAD = 0.12  # by which it must exceed that of another letter
_WIDE = 0.12  # heights by which a sign may be wider or narrower than its letter
_UNEVEN = 0.06  # heights by which it may be higher or lower than others
_DIGITS = len("0123456789")


@dataclass(frozen=True)
class Letter:
    """A letter or digit as the board prints it.

    Attributes
    ----------
    sign : str
    picture : (CELL, CELL) float32
        Mean picture, 0 ground to 1 ink.
    count : int
        Signs it was learnt from.
    """

    sign: str
    picture: NDArray[np.float32]
    count: int


@dataclass(frozen=True)
class Label:
    """What is printed in a hex.

    Attributes
    ----------
    col, row : int
    text : str
    confidence : float
        0 to 1, that of its least certain sign.
    """

    col: int
    row: int
    text: str
    confidence: float


class Reader:
    """Letters learnt from names that are believed, and what every word reads with them.

    Parameters
    ----------
    found : Print
    names : sequence of str or None
        Believed names of ``found.evidence.words``.
    """

    def __init__(self, found: Print, names: Sequence[str | None]) -> None:
        evidence, glyphs = found.evidence, found.glyphs
        codes, length = encode(names)
        sign: list[int] = []
        meaning: list[int] = []
        for i, word in enumerate(evidence.words):
            if length[i] == word.length:
                sign += range(word.first, word.first + word.length)
                meaning += codes[i, : word.length].tolist()
        self._ink = _centred(glyphs.pictures.reshape(len(glyphs.pictures), -1))
        at, code = np.array(sign, np.int64), np.array(meaning, np.int64)
        self._known = np.unique(code[code < OTHER])
        self._height = float(np.median(glyphs.heights))
        self._glyphs = glyphs
        letters, middles, widths = [], [], []
        for known in self._known:
            mine = at[code == known]
            for _ in range(2):
                middle = _centred(self._ink[mine].mean(axis=0)[None])[0]
                # Wrong cuts look little like the rest.
                good = self._ink[mine] @ middle >= _GOOD - 0.1
                mine = mine[good] if good.any() else mine
            middles.append(_centred(self._ink[mine].mean(axis=0)[None])[0])
            widths.append(float(np.median(glyphs.widths[mine])))
            letters.append(Letter(SIGNS[known], glyphs.pictures[mine].mean(axis=0), len(mine)))
        self._widths = np.array(widths)
        self._like = self._ink @ np.array(middles).T if middles else np.zeros((len(self._ink), 0))
        self.letters = tuple(letters)

    def read(self, word: Word, expected: str | None) -> Label | None:
        """Text of a word; `expected` tells where letters, digits and separators stand.

        None when it is not as long as what is expected.
        """
        signs = [s for s in (expected or "").upper() if s not in THIN]
        if len(signs) != word.length or len(self._known) == 0:
            return None
        read, confidence = [], 1.0
        for i, sign in enumerate(signs):
            like = self._like[word.first + i]
            allowed = self._allowed(sign)
            if not allowed.any():
                read.append(sign)
                continue
            order = np.argsort(np.where(allowed, like, -2.0), kind="stable")[::-1]
            best = float(like[order[0]])
            lead = best - float(like[order[1]]) if allowed.sum() > 1 else best
            read.append(SIGNS[self._known[order[0]]])
            sure = min(1.0, max(0.0, best / _GOOD)) * min(1.0, max(0.0, lead / _LEAD))
            confidence = min(confidence, sure)
        rest = iter(read)
        text = "".join(s if s in THIN else next(rest) for s in expected or "")
        return Label(word.col, word.row, text, round(confidence, 3))

    def contradicts(self, word: Word, label: Label, expected: str) -> bool:
        """Whether the print is plainly something else than expected."""
        mine, named = (encode([t])[0][0, : word.length] for t in (label.text, expected))
        differ = np.flatnonzero(mine != named)
        if not word.clean or len(differ) == 0:
            return False
        for i in differ:
            at = np.searchsorted(self._known, [mine[i], named[i]])
            if (at >= len(self._known)).any() or self._known[at[1]] != named[i]:
                return False
            like = self._like[word.first + i]
            # A letter that lost a part, or took up a part of another, has a wrong size.
            glyphs, sign = self._glyphs, word.first + i
            width, height = glyphs.widths[sign], glyphs.heights[sign]
            if abs(width - self._widths[at[0]]) > _WIDE or abs(height - self._height) > _UNEVEN:
                return False
            if like[at[0]] < _GOOD or like[at[0]] - like[at[1]] < 2 * _LEAD:
                return False
        return True

    def _allowed(self, sign: str) -> NDArray[np.bool_]:
        """Known letters of the same kind, so that an O is no 0."""
        if sign not in SIGNS:
            return np.zeros(len(self._known), bool)
        digit = SIGNS.index(sign) < _DIGITS
        allowed: NDArray[np.bool_] = (self._known < _DIGITS) == digit
        return allowed


def read_words(
    found: Print, reader: Reader, expected: Mapping[tuple[int, int], str]
) -> dict[tuple[int, int], tuple[Word, Label | None]]:
    """Every word with its label, by hex."""
    return {
        (w.col, w.row): (w, reader.read(w, expected.get((w.col, w.row))))
        for w in found.glyphs.words
    }


def _centred(rows: NDArray[np.floating]) -> NDArray[np.float64]:
    wide = rows.astype(np.float64)
    wide = wide - wide.mean(axis=1, keepdims=True)
    unit: NDArray[np.float64] = wide / np.maximum(np.linalg.norm(wide, axis=1, keepdims=True), 1e-9)
    return unit


def plain(name: str | None) -> str | None:
    """A name as signs are cut out: capitals, without points, dashes and spaces."""
    return None if name is None else "".join(s for s in name.upper() if s not in THIN)


__all__ = ["Label", "Letter", "Reader", "plain", "read_words"]
