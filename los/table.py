"""The table of all pairs of Locations of a board: build, write, open, query.

This is the door to tables: what one holds stands in `entries`, its file in
`tablefile`.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

import numpy as np
from numpy.typing import NDArray

from hexsight.los import kernel
from hexsight.los.compile import compile_board
from hexsight.los.entries import (
    BLOCKED,
    Entry,
    Table,
    board_digest,
    differences,
    entry_of,
    pair_index,
)
from hexsight.los.jit import check_engine
from hexsight.los.patches import find_patches
from hexsight.los.profile import Profile
from hexsight.los.scratch import Scratch, make_scratch
from hexsight.los.tablefile import HEADER, MAGIC, open_table, write_table
from hexsight.los.tables import Compiled, Tables
from hexsight.model.board import Board

__all__ = [
    "BLOCKED",
    "HEADER",
    "MAGIC",
    "Entry",
    "Table",
    "board_digest",
    "build_table",
    "differences",
    "entry_of",
    "open_table",
    "pair_index",
    "ways_between",
    "write_table",
]

Progress = Callable[[int, int], None]


def build_table(
    board: Board,
    profile: Profile,
    progress: Progress | None = None,
    *,
    threads: int = 2,
    reasons: bool = True,
    engine: str = "auto",
) -> Table:
    """Answer every pair of Locations of a board.

    Parameters
    ----------
    board : Board
    profile : Profile
    progress : callable, optional
        Called with pairs of hexes done and in all, from this thread.
    threads : int
        How many threads work at once.
    reasons : bool
        Also keep the code of what blocks each pair.
    engine : str
        ``numba``, ``python``, or ``auto`` for the first that is there.

    Raises
    ------
    MissingPartError
        If numba is asked for and not installed.
    UsageError
        If the engine is none of these.

    See Also
    --------
    hexsight.los.overlay_table.overlay_table : a table under the state of a scenario.
    """
    check_engine(engine)
    compiled = compile_board(board, profile)
    n = len(compiled.locations)
    answers = np.zeros(n * (n - 1) // 2, np.uint8)
    why = np.zeros(len(answers) if reasons else 0, np.uint8)
    fill = kernel._fill if engine == "python" else kernel.fill
    find_patches(compiled.tables, interpreted=engine == "python")
    _in_blocks(compiled, fill, answers, why, max(1, threads), progress)
    return Table(
        tuple(loc.name for loc in compiled.locations),
        answers,
        why if reasons else None,
        board_digest(board),
        profile.digest,
    )


def _in_blocks(
    compiled: Compiled,
    fill: Callable[..., None],
    answers: NDArray[np.uint8],
    why: NDArray[np.uint8],
    threads: int,
    progress: Progress | None,
) -> None:
    """Fill a table by blocks of rows; blocks touch different places, so order is free."""
    n = len(compiled.tables.hexes)
    total = n * (n - 1) // 2
    bounds = _blocks(n, 32 * threads)
    ways = ways_between(compiled.tables)
    # A worker takes a scratch for a block and gives it back: none is used by two at once.
    spare: SimpleQueue[Scratch] = SimpleQueue()
    for _ in range(threads):
        spare.put(make_scratch(compiled.tables))

    def work(first: int, last: int) -> int:
        scratch = spare.get()
        fill(compiled.tables, scratch, ways, first, last, answers, why)
        spare.put(scratch)
        return sum(n - 1 - a for a in range(first, last))

    done = 0
    with ThreadPoolExecutor(threads) as pool:
        try:
            for finished in pool.map(work, bounds[:-1], bounds[1:]):
                done += finished
                if progress is not None:
                    progress(done, total)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def ways_between(tables: Tables) -> NDArray[np.int32]:
    """Half of all ways between hexes of a board, by direction; see `kernel._fill`.

    Returns
    -------
    (w, 3) int32
        Columns over, and rows down from a hex in an even and in an odd column.
    """
    columns, rows = (int(k) for k in tables.lookup.shape)
    dX = np.arange(columns)[:, None] * 3
    dY = np.arange(-2 * rows, 2 * rows + 1)[None, :]
    dX, dY = (k.ravel() for k in np.broadcast_arrays(dX, dY))
    keep = ((dX // 3 + dY) % 2 == 0) & ((dX > 0) | (dY > 0))
    dX, dY = dX[keep], dY[keep]
    # By direction in lowest terms: lines in one direction come out equal to the last bit.
    step = np.gcd(dX, dY)
    order = np.lexsort((step, np.arctan2(dY // step, dX // step)))
    over, down = dX[order] // 3, dY[order]
    return np.stack(
        [over, (down - (over & 1)) // 2, (down + 1 - ((over + 1) & 1)) // 2], axis=1
    ).astype(np.int32)


def _blocks(n: int, wanted: int) -> list[int]:
    """Bounds of blocks of hexes with about as many pairs each."""
    left = np.cumsum(np.arange(n - 1, -1, -1, dtype=np.int64))
    if not n or not left[-1]:
        return [0, n]
    cuts = np.searchsorted(left, left[-1] * np.arange(1, wanted) / wanted)
    return sorted({0, n, *(int(c) for c in cuts)})
