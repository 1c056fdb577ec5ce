"""Where the line of a blocked pair of a hex game is blocked, for many pairs at once."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hexsight.los.blocking import AT_HEX, AT_HEXSIDE, BlockingPlaces, pack, what_is_asked
from hexsight.los.hexes.compile import compile_hexes
from hexsight.los.hexes.judge import judge
from hexsight.los.hexes.profile import HexProfile
from hexsight.los.hexes.steps import away, lay
from hexsight.los.hexes.tables import (
    I_LOG,
    LOG_CELL,
    LOG_CODE,
    LOG_SIDE,
    N_WIDE,
    PAD_COLUMNS,
    HexCompiled,
    HexTables,
    Line,
    make_line,
)
from hexsight.los.jit import compiled, rule
from hexsight.los.rules.registry import (
    HALF_LIMIT,
    HEX_HINDERS,
    HINDERS,
    OUT_OF_RANGE,
    TOO_MANY_HINDRANCES,
)
from hexsight.model.board import Board

# What blocks, and hindrances of every hex on the way.
LOG_ROOM = 512


@rule
def place_logged(T: HexTables, S: Line, wanted: int, sides: NDArray[np.int32]) -> int:
    """Code and place of the event of a code in the log; of the code alone without one.

    Where HINDERS is wanted, of the first that hinders or halves.
    """
    for k in range(S.info[I_LOG]):
        found = S.log[k, LOG_CODE]
        if found == wanted or (wanted == HINDERS and found >= HEX_HINDERS):
            wanted = found
            cell, d = S.log[k, LOG_CELL], S.log[k, LOG_SIDE]
            if wanted in (HALF_LIMIT, OUT_OF_RANGE, TOO_MANY_HINDRANCES):
                return pack(wanted, 0, 0, 0)
            if d >= 0 and sides[cell, d] >= 0:
                return pack(wanted, AT_HEXSIDE, sides[cell, d], 0)
            return pack(wanted, AT_HEX, T.place[cell], 0)
    return pack(wanted, 0, 0, 0)


def _fill_places(
    T: HexTables,
    S: Line,
    sides: NDArray[np.int32],
    first: int,
    last: int,
    most: int,
    asked: NDArray[np.uint8],
    out: NDArray[np.int64],
) -> None:
    """Rows of the Locations of hexes first … last − 1, against all later Locations.

    `asked` is 0 where nothing is asked, else the table's code with bit 7 set, or
    HINDERS; `most` is the highest range asked, −1 for all.
    """
    wide, row0 = T.numbers[N_WIDE], T.first[first]
    for i in range(first, last):
        one = T.hex_cell[i]
        c1 = one // wide - PAD_COLUMNS
        y1 = 2 * (one % wide) + (c1 & 1)
        for p in range(T.first[i], T.first[i + 1]):
            for q in range(p + 1, T.first[i + 1]):
                if asked[p - row0, q]:
                    out[p - row0, q] = pack(asked[p - row0, q] & 0x7F, AT_HEX, i, 0)
        for j in range(i + 1, len(T.hex_cell)):
            two = T.hex_cell[j]
            c2 = two // wide - PAD_COLUMNS
            y2 = 2 * (two % wide) + (c2 & 1)
            if most >= 0 and away(3 * (c2 - c1), y2 - y1) > most:
                continue
            laid = False
            turned = c2 < c1 or (c2 == c1 and y2 < y1)
            for p in range(T.first[i], T.first[i + 1]):
                for q in range(T.first[j], T.first[j + 1]):
                    if asked[p - row0, q] == 0:
                        continue
                    if not laid:
                        x, y = 3 * (c2 - c1), y2 - y1
                        lay(T, S, -x if turned else x, -y if turned else y)
                        laid = True
                    a, b = T.height[p], T.height[q]
                    if turned:
                        code = judge(T, S, two, c2 & 1, b, a)
                    else:
                        code = judge(T, S, one, c1 & 1, a, b)
                    told = asked[p - row0, q] & 0x7F
                    wanted = told if told else code
                    out[p - row0, q] = place_logged(T, S, wanted, sides)


fill_places = compiled(_fill_places)


class HexBlockingPlaces(BlockingPlaces):
    """As `BlockingPlaces`, for one class of observer of a hex game."""

    def __init__(self, compiled_board: HexCompiled, observer: str) -> None:
        object.__setattr__(self, "compiled", compiled_board)
        object.__setattr__(self, "observer", observer)

    @cached_property
    def _tables(self) -> HexTables:
        hexes: HexCompiled = self.compiled  # type: ignore[assignment]
        return hexes.by_class[self.observer]  # type: ignore[attr-defined]

    @cached_property
    def _line(self) -> Line:
        return make_line(self._tables, LOG_ROOM)

    @cached_property
    def _sides(self) -> NDArray[np.int32]:
        """Number of the hexside (G, 6) in each direction of a cell, −1 for none."""
        board, T = self.compiled.board, self._tables
        out = np.full((len(T.place), 6), -1, np.int32)
        index = {h.name: k for k, h in enumerate(board.hexes)}
        for k, side in enumerate(board.hexsides):
            a, b = (int(T.hex_cell[index[name]]) for name in (side.a, side.b))
            out[a, side.direction] = out[b, (side.direction + 3) % 6] = k
        return out

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
        """Code and place of what blocks; see `BlockingPlaces.rows`."""
        out = np.zeros(answers.shape, np.int64)
        asked = what_is_asked(answers, reasons, hindered=hindered)
        limit = -1 if most is None else most
        fill_places(self._tables, self._line, self._sides, first, last, limit, asked, out)
        return out


def hex_blocking(
    board: Board, profile: HexProfile, observer: str, count: int
) -> list[BlockingPlaces]:
    """Prepare a board for questions where lines are blocked, for some threads."""
    compiled_board = compile_hexes(board, profile, observers=(observer,))
    return [HexBlockingPlaces(compiled_board, observer) for _ in range(count)]
