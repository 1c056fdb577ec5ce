"""What each Location of a board sees, counted from a table of lines of sight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.los.table import BLOCKED, Table
from hexsight.model.board import Board
from hexsight.model.errors import UsageError

_HINDRANCE = 0x3F
GROUND = "ground"
_LEVELS = {"": GROUND, "roof": "rooftop", "-1": "cellar", "bridge": "bridge"}


@dataclass(frozen=True, eq=False)
class Sights:
    """Counts by Location; n Locations in the order of the table.

    Attributes
    ----------
    hexes : (n,) int32
        Index into ``board.hexes``.
    levels : tuple of str
        ``ground``, ``level 1`` …, ``rooftop``, ``cellar``, ``bridge``.
    clear, hindered, blocked : (n,) int32
        Other Locations that are seen clearly, hindered, not at all.
    farthest : (n,) int32
        Range in hexes to the farthest Location that is seen.
    """

    hexes: NDArray[np.int32]
    levels: tuple[str, ...]
    clear: NDArray[np.int32]
    hindered: NDArray[np.int32]
    blocked: NDArray[np.int32]
    farthest: NDArray[np.int32]

    def of_hex(self, index: int) -> list[int]:
        """Locations of a hex, lowest first."""
        return [int(i) for i in np.flatnonzero(self.hexes == index)]


def place_locations(board: Board, table: Table) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Hex (n,) int32 and level of each Location of a table.

    Raises
    ------
    UsageError
        If the table is of another board.
    """
    index = {h.name: i for i, h in enumerate(board.hexes)}
    hexes, levels = [], []
    for name in table.names:
        # Hex names may hold any sign, the level behind the last "@" may not.
        plain, _, level = name.rpartition("@") if name not in index else (name, "", "")
        if plain not in index:
            raise UsageError(
                f"The table has a Location {name} that board {board.name} has not: it is of "
                "another board. Build the table again."
            )
        hexes.append(index[plain])
        levels.append(_LEVELS.get(level, f"level {level}"))
    return np.array(hexes, np.int32), tuple(levels)


def hex_ranges(board: Board, index: int, others: NDArray[np.int32]) -> NDArray[np.int32]:
    """Range in hexes from a hex to others, by index into ``board.hexes``."""
    cols = np.array([h.col for h in board.hexes], np.int32)
    rows = np.array([h.row for h in board.hexes], np.int32)
    return _ranges(cols, rows - (cols - (cols & 1)) // 2, index, others)


def _ranges(
    q: NDArray[np.int32], r: NDArray[np.int32], index: int, others: NDArray[np.int32]
) -> NDArray[np.int32]:
    dq, dr = q[others] - q[index], r[others] - r[index]
    away = np.maximum(np.maximum(np.abs(dq), np.abs(dr)), np.abs(dq + dr))
    return np.asarray(away, np.int32)


def count_sights(board: Board, table: Table) -> Sights:
    """Count what each Location sees.

    Raises
    ------
    UsageError
        If the table is of another board.
    """
    hexes, levels = place_locations(board, table)
    n = len(hexes)
    clear, hindered, blocked, farthest = (np.zeros(n, np.int32) for _ in range(4))
    cols = np.array([h.col for h in board.hexes], np.int32)
    rows = np.array([h.row for h in board.hexes], np.int32)
    r = rows - (cols - (cols & 1)) // 2
    at = 0
    for i in range(n - 1):
        row = np.asarray(table.answers[at : at + n - 1 - i])
        at += n - 1 - i
        no = (row & BLOCKED) != 0
        bad = ~no & ((row & _HINDRANCE) != 0)
        good = ~no & ~bad
        for counts, which in ((clear, good), (hindered, bad), (blocked, no)):
            counts[i + 1 :] += which
            counts[i] += int(np.count_nonzero(which))
        away = np.where(no, 0, _ranges(cols, r, int(hexes[i]), hexes[i + 1 :]))
        farthest[i + 1 :] = np.maximum(farthest[i + 1 :], away)
        farthest[i] = max(int(farthest[i]), int(away.max(initial=0)))
    return Sights(hexes, levels, clear, hindered, blocked, farthest)
