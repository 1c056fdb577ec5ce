"""Where the line of a blocked pair is blocked: hex, hexside or vertex, for many pairs at once.

A table keeps what blocks a pair but not where; `hexsight.los.explain` tells
both for one pair in milliseconds.  Exports that show a place beside millions of
answers come here: the same trace and judge as both, in a compiled loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hexsight.los.compile import compile_board
from hexsight.los.jit import compiled, rule
from hexsight.los.judge import judge
from hexsight.los.kernel import BLOCKED, forget, trace
from hexsight.los.profile import Profile
from hexsight.los.rules.registry import HINDERS
from hexsight.los.scratch import (
    AT_PIXEL,
    AT_SPINE,
    AT_VERTEX,
    LOG_CODE,
    LOG_HEX,
    LOG_SIDE,
    LOG_X,
    LOG_Y,
    N_LOG,
    Scratch,
    make_scratch,
    span,
)
from hexsight.los.tables import H_FIRST, H_LAST, L_SIGHT, Compiled, Tables
from hexsight.model.board import Board, side_vertices, vertex_name

# Of the lines of a board hardly one meets more: Hindrances of every hex and what blocks.
LOG_ROOM = 512
# A place is code, kind and two numbers of 24 bits.
NOWHERE, AT_HEX, AT_HEXSIDE, AT_CORNER, BETWEEN = range(5)
CODE_SHIFT, KIND_SHIFT, FIRST_SHIFT, LOW = 52, 48, 24, (1 << 24) - 1
# Lattice coordinates of vertices may lie a little below 0.
VERTEX_OFFSET = 1 << 20
HIGH = 1 << 20


@rule
def pack(code: int, kind: int, x: int, y: int) -> int:
    """Code and place as one number."""
    # Numbers of arrays are too short for it where they are not compiled.
    return (int(code) << CODE_SHIFT) | (int(kind) << KIND_SHIFT) | (int(x) << FIRST_SHIFT) | int(y)


@rule
def first_that_blocks(S: Scratch, wanted: int) -> int:
    """Row of the log that tells what blocks: of the wanted code, else the first; −1 for none.

    Where HINDERS is wanted, the first that hinders.
    """
    chosen = -1
    for k in range(S.info[N_LOG]):
        code = S.log[k, LOG_CODE]
        if code == wanted or (wanted == HINDERS and code > HINDERS):
            return k
        if 0 < code < HINDERS and chosen < 0:
            chosen = k
    return chosen


@rule
def place_of(S: Scratch, row: int) -> int:
    """Code and place of an event of the log."""
    code, side = S.log[row, LOG_CODE], S.log[row, LOG_SIDE]
    x, y, h = S.log[row, LOG_X], S.log[row, LOG_Y], S.log[row, LOG_HEX]
    if side == AT_VERTEX:
        return pack(code, AT_CORNER, x + VERTEX_OFFSET, y + VERTEX_OFFSET)
    if side == AT_SPINE:
        return pack(code, BETWEEN, x, y)
    if side >= 0:
        return pack(code, AT_HEXSIDE, side, 0)
    if side == AT_PIXEL and h >= 0:
        return pack(code, AT_HEX, h, 0)
    return pack(code, NOWHERE, 0, 0)


@rule
def lowest_asked(
    T: Tables, ends: tuple[int, int, int, int], row0: int, asked: NDArray[np.uint8]
) -> int:
    """Lowest height that a blocked pair of two hexes looks from; HIGH if none is blocked."""
    i0, i1, j0, j1 = ends
    low = HIGH
    for i in range(i0, i1):
        for j in range(j0, j1):
            if asked[i - row0, j]:
                low = min(low, T.locations[i, L_SIGHT], T.locations[j, L_SIGHT])
    return low


def _fill_places(
    T: Tables,
    S: Scratch,
    first: int,
    last: int,
    most: int,
    asked: NDArray[np.uint8],
    out: NDArray[np.int64],
) -> None:
    """Rows of the Locations of hexes first … last − 1, against all later Locations.

    `asked` is 0 where nothing is asked, else the table's code with bit 7 set, or HINDERS;
    `most` is the highest range asked, −1 for all.
    """
    n = len(T.hexes)
    row0 = T.hexes[first, H_FIRST]
    for a in range(first, last):
        i0, i1 = T.hexes[a, H_FIRST], T.hexes[a, H_LAST]
        for i in range(i0, i1):
            for j in range(i + 1, i1):
                if asked[i - row0, j]:
                    out[i - row0, j] = pack(asked[i - row0, j] & 0x7F, AT_HEX, a, 0)
        for b in range(a + 1, n):
            if most >= 0 and span(T, a, b) > most:
                continue
            j0, j1 = T.hexes[b, H_FIRST], T.hexes[b, H_LAST]
            low = lowest_asked(T, (i0, i1, j0, j1), row0, asked)
            if low == HIGH:
                continue
            trace(T, S, a, b, HIGH, low)
            for i in range(i0, i1):
                for j in range(j0, j1):
                    if asked[i - row0, j]:
                        S.info[N_LOG] = 0
                        judge(T, S, a, b, i, j)
                        wanted = asked[i - row0, j] & 0x7F
                        row = first_that_blocks(S, wanted)
                        out[i - row0, j] = place_of(S, row) if row >= 0 else pack(wanted, 0, 0, 0)
            forget(S)


fill_places = compiled(_fill_places)


def what_is_asked(
    answers: NDArray[np.uint8], reasons: NDArray[np.uint8] | None, *, hindered: bool
) -> NDArray[np.uint8]:
    """For each pair what its line is asked for; arguments as `BlockingPlaces.rows` takes them.

    Returns
    -------
    (rows, v) uint8
        0 for nothing; with the bit `BLOCKED` the code of what blocks, 0 for any; `HINDERS`
        alone for what hinders.
    """
    asked = answers & np.uint8(BLOCKED)
    if reasons is not None:
        asked = np.where(asked, asked | reasons, asked)
    if hindered:
        asked = np.where((answers > 0) & (answers < BLOCKED), np.uint8(HINDERS), asked)
    return np.ascontiguousarray(asked)


@dataclass(frozen=True, eq=False)
class BlockingPlaces:
    """Finds the places that block, a few rows of a table at a time.

    Attributes
    ----------
    compiled : Compiled
        The board under its rules.
    """

    compiled: Compiled

    @cached_property
    def _scratch(self) -> Scratch:
        return make_scratch(self.compiled.tables, log=LOG_ROOM)

    @cached_property
    def _names(self) -> dict[tuple[int, int], str]:
        return {(h.col, h.row): h.name for h in self.compiled.board.hexes}

    def rows(
        self,
        first: int,
        last: int,
        answers: NDArray[np.uint8],
        reasons: NDArray[np.uint8] | None,
        most: int | None = None,
        *,
        hindered: bool = False,
    ) -> NDArray[np.int64]:
        """Code and place of what blocks, for the Locations of some hexes.

        Parameters
        ----------
        first, last : int
            Hexes first … last − 1.
        answers, reasons : (rows, v) uint8
            What a table says between the Locations of these hexes and all
            Locations; only columns behind a row's own Location are read.
        most : int, optional
            Highest range that matters.
        hindered : bool
            Also tell the first that hinders, of pairs that are hindered.

        Returns
        -------
        (rows, v) int64
            For `code` and `name`; 0 where nothing blocks.  The code is that of the
            table if an event on the line has it, else that of the first event:
            a table may know a pair as blocked before it looks at all of the line.
        """
        out = np.zeros(answers.shape, np.int64)
        asked = what_is_asked(answers, reasons, hindered=hindered)
        most = -1 if most is None else most
        tables = self.compiled.tables
        fill_places(tables, self._scratch, first, last, most, asked, out)
        return out

    def code(self, place: int) -> int:
        """Code of the reason, as the registry has it; 0 for none."""
        return place >> CODE_SHIFT

    def name(self, place: int) -> str:
        """Name of a place: ``K15``, ``K15-L14``, or a vertex; empty for none."""
        board = self.compiled.board
        kind, x, y = place >> KIND_SHIFT & 0xF, place >> FIRST_SHIFT & LOW, place & LOW
        if kind == AT_HEX:
            return board.hexes[x].name
        if kind == AT_HEXSIDE:
            return board.hexsides[x].name
        if kind == AT_CORNER:
            return vertex_name(self._names, x - VERTEX_OFFSET, y - VERTEX_OFFSET)
        if kind == BETWEEN:
            return f"{board.hexes[x].name}-{board.hexes[y].name}"
        return ""

    def point_px(self, place: int) -> tuple[int, int] | None:
        """Middle of a place in board pixels: of the hex or hexside, or the vertex."""
        board = self.compiled.board
        kind, x, y = place >> KIND_SHIFT & 0xF, place >> FIRST_SHIFT & LOW, place & LOW
        if kind == AT_HEX:
            return round(board.hexes[x].x_px), round(board.hexes[x].y_px)
        if kind == AT_HEXSIDE:
            side = board.hexsides[x]
            a = board.by_name[side.a]
            ends = side_vertices((a.col, a.row), side.direction)
            spot = np.array(ends, np.float64).mean(axis=0)
        elif kind == AT_CORNER:
            spot = np.array([x - VERTEX_OFFSET, y - VERTEX_OFFSET], np.float64)
        elif kind == BETWEEN:
            one, two = board.hexes[x], board.hexes[y]
            return round((one.x_px + two.x_px) / 2), round((one.y_px + two.y_px) / 2)
        else:
            return None
        found = board.layout.lattice_to_pixel(spot)
        return round(float(found[0])), round(float(found[1]))


def only_code(reasons: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Codes of a table as places that say nothing of where."""
    return reasons.astype(np.int64) << CODE_SHIFT


def blocking_places(board: Board, profile: Profile) -> BlockingPlaces:
    """Prepare a board for questions where lines are blocked."""
    return BlockingPlaces(compile_board(board, profile))
