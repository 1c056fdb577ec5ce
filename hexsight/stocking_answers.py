"""Answers of a table in the form that the encoder of messages asks for."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hexsight.export.stock_messages import NOT_KEPT, StockBoard, StockPlace
from hexsight.export.stock_sayings import saying
from hexsight.export.stock_size import Spread, distances
from hexsight.extract.module import ModuleBoard
from hexsight.los.blocking import BlockingPlaces, only_code
from hexsight.los.engine import blocking_for
from hexsight.los.rules.registry import REASONS
from hexsight.los.rulesets import RuleSet
from hexsight.los.table import BLOCKED, Table
from hexsight.model.board import Board

# Marks a blocked pair among hindrances, above all bits of a place.
_BLOCKED = 1 << 60


@dataclass(frozen=True, eq=False)
class Prepared:
    """A board with its table and the names that VASSAL gives its hexes.

    Attributes
    ----------
    board : Board
    homes : tuple of ModuleBoard
        Boards of the module that it was made from.
    table : Table
    places : tuple of StockPlace
        Locations that are exported.
    keep : (k,) int64
        Their numbers in the table.
    hexes : tuple of (int, int)
        For each hex that is exported its first place and the one after its last.
    kept_hexes : tuple of int
        Numbers of these hexes on the board.
    spread : Spread
    offsets : (n, 2) int64
        Column and row of every hex of the board.
    profile : RuleSet
    most : int or None
        Highest range.
    where : bool
        Whether to find the places that block.
    warnings : tuple of str
    observer : str or None
        Class of observer of the table.
    """

    board: Board
    homes: tuple[ModuleBoard, ...]
    table: Table
    places: tuple[StockPlace, ...]
    keep: NDArray[np.int64]
    hexes: tuple[tuple[int, int], ...]
    kept_hexes: tuple[int, ...]
    spread: Spread
    offsets: NDArray[np.int64]
    profile: RuleSet
    most: int | None
    where: bool
    warnings: tuple[str, ...]
    observer: str | None = None

    @cached_property
    def hex_of(self) -> NDArray[np.int64]:
        """Hex of every Location of the table."""
        index = {h.name: i for i, h in enumerate(self.board.hexes)}
        return np.array([index[n.partition("@")[0]] for n in self.table.names], np.int64)

    def stock_board(self) -> StockBoard:
        """As the encoder takes it."""
        finder = Finder(self)
        maps = tuple(dict.fromkeys(h.map_name for h in self.homes))
        return StockBoard(
            self.homes[0].name, maps, self.places, self.hexes, finder.answers, finder.text
        )


class Finder:
    """Answers of a table with the places that block, each numbered once."""

    def __init__(self, prepared: Prepared) -> None:
        self._p = prepared
        # Scratch is one thread's own.
        self._places: list[BlockingPlaces] = blocking_for(
            prepared.board, prepared.profile, prepared.observer, 2
        )
        self._numbers: dict[int, int] = {}
        self._values: list[int] = []

    def answers(self, first: int, last: int) -> NDArray[np.int32]:
        """For `StockBoard.answers`."""
        p = self._p
        h0, h1 = p.kept_hexes[first], p.kept_hexes[last - 1] + 1
        starts = np.searchsorted(p.hex_of, np.arange(h0, h1 + 1))
        rows = np.arange(starts[0], starts[-1])
        said = rows_of(p.table.answers, len(p.table.names), rows)
        why = None
        if p.table.reasons is not None:
            why = rows_of(p.table.reasons, len(p.table.names), rows)
        if p.where:
            where = self._blocking(h0, h1, starts - starts[0], said, why)
        else:
            where = np.zeros(said.shape, np.int64) if why is None else only_code(why)
        value = np.where(said & BLOCKED, where | _BLOCKED, said)
        out = self._number(value)
        if p.most is not None:
            away = distances(p.offsets[p.hex_of[rows]], p.offsets[p.hex_of])
            out[away > p.most] = NOT_KEPT
        own = p.keep[(p.keep >= rows[0]) & (p.keep <= rows[-1])] - rows[0]
        return np.ascontiguousarray(out[own][:, p.keep])

    def _blocking(
        self,
        h0: int,
        h1: int,
        starts: NDArray[np.int64],
        said: NDArray[np.uint8],
        why: NDArray[np.uint8] | None,
    ) -> NDArray[np.int64]:
        middle = (h0 + h1 + 1) // 2
        out = np.zeros(said.shape, np.int64)

        def work(k: int, a: int, b: int) -> None:
            part = slice(int(starts[a - h0]), int(starts[b - h0]))
            reasons = None if why is None else why[part]
            out[part] = self._places[k].rows(a, b, said[part], reasons, self._p.most)

        with ThreadPoolExecutor(2) as pool:
            jobs = [pool.submit(work, k, a, b) for k, (a, b) in _halves(h0, middle, h1)]
            for job in jobs:
                job.result()
        return out

    def _number(self, value: NDArray[np.int64]) -> NDArray[np.int32]:
        found, inverse = np.unique(value, return_inverse=True)
        numbers = np.empty(len(found), np.int32)
        for k, v in enumerate(found.tolist()):
            if v not in self._numbers:
                self._numbers[v] = len(self._values)
                self._values.append(v)
            numbers[k] = self._numbers[v]
        return numbers[inverse.reshape(value.shape)]

    def text(self, number: int) -> str:
        """For `StockBoard.texts`."""
        value = self._values[number]
        if not value & _BLOCKED:
            return saying(False, value, "", "", "")
        place = value & ~_BLOCKED
        finder = self._places[0]
        reason = REASONS.get(finder.code(place))
        word, text = (reason.code, reason.text) if reason else ("", "")
        return saying(True, 0, word, text, finder.name(place))


def _halves(a: int, middle: int, b: int) -> list[tuple[int, tuple[int, int]]]:
    return [(k, h) for k, h in enumerate(((a, middle), (middle, b))) if h[0] < h[1]]


def rows_of(plane: NDArray[np.uint8], n: int, rows: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Rows of a condensed upper triangle of n Locations, (r, n); 0 up to the diagonal."""
    out = np.zeros((len(rows), n), np.uint8)
    for k, i in enumerate(rows.tolist()):
        start = i * (2 * n - i - 1) // 2
        out[k, i + 1 :] = plane[start : start + n - i - 1]
    return out
