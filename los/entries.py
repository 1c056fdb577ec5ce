"""Answers of a table: one byte a pair of Locations, for one class of observer or several."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hexsight.los.rules.registry import REASONS, Reason
from hexsight.los.rulesets import RuleSet
from hexsight.model.board import Board
from hexsight.model.errors import UsageError

# Bits of a byte: blocked; half strength, as often as the low bits say; else they are Hindrance.
BLOCKED, HALF, AMOUNT = 0x80, 0x40, 0x3F


@dataclass(frozen=True)
class Entry:
    """What a table says of one pair.

    Attributes
    ----------
    state : str
        ``clear``, ``hindered``, ``half`` or ``blocked``.
    hindrance : int
        0 unless hindered.
    reason : Reason or None
        Of a blocked pair, when the table holds reasons.
    halvings : int
        How often fire is halved; 0 unless half.
    """

    state: str
    hindrance: int
    reason: Reason | None = None
    halvings: int = 0


def entry_of(value: int, reason: int = 0) -> Entry:
    """What a table's byte and its reason code say."""
    if value & BLOCKED:
        return Entry("blocked", 0, REASONS.get(reason))
    if value & HALF:
        return Entry("half", 0, None, value & AMOUNT)
    return Entry("hindered" if value else "clear", value)


def pair_index(n: int, i: int, j: int) -> int:
    """Place of a pair in the condensed upper triangle (i < j, row-major) of n Locations.

    Examples
    --------
    >>> [pair_index(4, i, j) for i, j in ((0, 1), (0, 3), (2, 3))]
    [0, 2, 5]
    """
    if i > j:
        i, j = j, i
    return i * (2 * n - i - 1) // 2 + j - i - 1


@dataclass(frozen=True, eq=False)
class Table:
    """Answers for every pair of Locations.

    Attributes
    ----------
    names : tuple of str
        Locations in the table's order.
    answers : (n · (n − 1) / 2,) uint8
        Condensed upper triangle: bit 7 blocked; bit 6 half strength, then the
        low six bits count halvings; else the low six bits are Hindrance.
    reasons : same shape uint8, or None
        Codes of `hexsight.los.rules.registry`, 0 for pairs that are not blocked.
    board_digest, profile_digest : bytes
        From what the table was made.
    observers : tuple of str
        Classes of observer, where there are several.
    others : tuple of (answers, reasons)
        Of the classes after the first, as the two above are of the first.
    """

    names: tuple[str, ...]
    answers: NDArray[np.uint8]
    reasons: NDArray[np.uint8] | None
    board_digest: bytes
    profile_digest: bytes
    observers: tuple[str, ...] = ()
    others: tuple[tuple[NDArray[np.uint8], NDArray[np.uint8] | None], ...] = ()

    @cached_property
    def index(self) -> dict[str, int]:
        """Place of each Location by its name."""
        return {name: i for i, name in enumerate(self.names)}

    @property
    def planes(self) -> tuple[tuple[NDArray[np.uint8], NDArray[np.uint8] | None], ...]:
        """Answers and reasons of every class."""
        return ((self.answers, self.reasons), *self.others)

    def of_observer(self, observer: str | None = None) -> Table:
        """The table of one class alone, the first without a name.

        Raises
        ------
        UsageError
            If the table has no such class.
        """
        if observer is None and not self.observers:
            return self
        if not self.observers:
            raise UsageError(
                "The table holds one class of observer without a name. Leave --observer out."
            )
        wanted = self.observers[0] if observer is None else observer.strip().casefold()
        if wanted not in self.observers:
            raise UsageError(
                f"The table has no class of observer {observer!r}. Use {', '.join(self.observers)}."
            )
        answers, reasons = self.planes[self.observers.index(wanted)]
        return Table(self.names, answers, reasons, self.board_digest, self.profile_digest)

    def query(self, a: str, b: str, observer: str | None = None) -> Entry:
        """Answer for two Locations by name.

        Raises
        ------
        UsageError
            If the table has no such Location or class.
        """
        if observer is not None:
            return self.of_observer(observer).query(a, b)
        places = []
        for name in (a, b):
            place = self.index.get(name)
            if place is None:
                raise UsageError(
                    f"The table has no Location {name!r}: it runs from {self.names[0]} "
                    f"to {self.names[-1]}, levels are written K15@2, K15@roof, K15@-1."
                )
            places.append(place)
        return self.at(*places)

    def at(self, i: int, j: int) -> Entry:
        """Answer for two Locations by place."""
        if i == j:
            return Entry("clear", 0)
        k = pair_index(len(self.names), i, j)
        return entry_of(
            int(self.answers[k]), int(self.reasons[k]) if self.reasons is not None else 0
        )

    def is_made_from(self, board: Board, profile: RuleSet) -> bool:
        """True when neither the board nor the rules have changed since."""
        now = board_digest(board, profile), profile.digest
        return (self.board_digest, self.profile_digest) == now


def board_digest(board: Board, profile: RuleSet | None = None) -> bytes:
    """SHA-256 over all that decides lines of sight on a board, 32 bytes.

    The same before and after saving: names, lattice, rasters, and the facts of
    hexes and hexsides; not provenance, confidences or doubts.  Rules of hex
    games ask besides what is printed on hexsides, so that theirs is another.
    """
    if profile is not None and profile.engine != "pixels":
        printed = json.dumps([(s.name, s.terrain) for s in board.hexsides], ensure_ascii=False)
        return hashlib.sha256(board_digest(board) + printed.encode()).digest()
    facts = {
        "layout": [board.layout.origin_px, board.layout.col_px, board.layout.row_px],
        "catalogue": board.catalogue_name,
        "hexes": [
            (h.name, h.col, h.row, h.terrain, h.base_half, h.building, h.factory, h.roofless)
            + (h.access, h.height_half)
            for h in board.hexes
        ],
        "sides": [(s.name, s.direction, s.bar, s.vertices, s.bar_half) for s in board.hexsides],
        "buildings": [(b.id, b.material, b.kind, b.hexes) for b in board.buildings],
        "shape": board.terrain.shape,
    }
    digest = hashlib.sha256(json.dumps(facts, ensure_ascii=False).encode())
    digest.update(np.ascontiguousarray(board.terrain).tobytes())
    digest.update(np.ascontiguousarray(board.elevation_half).tobytes())
    return digest.digest()


def differences(first: Table, second: Table) -> Sequence[tuple[str, str, Entry, Entry]]:
    """Pairs that two tables answer differently, among the Locations that both have."""
    common = [name for name in first.names if name in second.index]
    here = np.array([first.index[n] for n in common], np.int64)
    there = np.array([second.index[n] for n in common], np.int64)
    out: list[tuple[str, str, Entry, Entry]] = []
    for at in range(len(common) - 1):
        rows = []
        for table, places in ((first, here), (second, there)):
            n = len(table.names)
            i, j = (
                np.minimum(places[at], places[at + 1 :]),
                np.maximum(places[at], places[at + 1 :]),
            )
            rows.append(table.answers[i * (2 * n - i - 1) // 2 + j - i - 1])
        for k in np.flatnonzero(rows[0] != rows[1]).tolist():
            b = common[at + 1 + k]
            out.append((common[at], b, first.query(common[at], b), second.query(common[at], b)))
    return out
