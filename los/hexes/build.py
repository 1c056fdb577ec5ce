"""Tables of hex games, of the printed board and under an overlay; and stars from one Location."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from queue import SimpleQueue

import numpy as np
from numpy.typing import NDArray

from hexsight.los.hexes import kernel
from hexsight.los.hexes.compile import compile_hexes
from hexsight.los.hexes.hook import apply_rule_file
from hexsight.los.hexes.profile import HexProfile
from hexsight.los.hexes.tables import N_COLUMNS, HexCompiled, HexTables, Line, make_line
from hexsight.los.jit import check_engine
from hexsight.los.overlay import Overlay
from hexsight.los.table import Progress, Table, board_digest
from hexsight.model.board import Board

# Columns of hexes that one thread takes at a time: lines from them are laid once.
_AT_A_TIME = 4
Planes = tuple[NDArray[np.uint8], NDArray[np.uint8] | None]


@dataclass(frozen=True, eq=False)
class Built:
    """A table, and how many answers it took.

    Attributes
    ----------
    table : Table
    walked : int
        Answers found anew, over all classes.
    pairs : int
        All answers.
    """

    table: Table
    walked: int
    pairs: int


def table_of(
    board: Board,
    profile: HexProfile,
    overlay: Overlay | None = None,
    *,
    base: Table | None = None,
    progress: Progress | None = None,
    threads: int = 2,
    reasons: bool = True,
    engine: str = "auto",
    side: str | None = None,
) -> Table:
    """The table of all pairs, for every class; see `hexsight.los.engine.table_of`."""
    return build(
        board,
        profile,
        overlay,
        base=base,
        progress=progress,
        threads=threads,
        reasons=reasons,
        engine=engine,
        side=side,
    ).table


def build(
    board: Board,
    profile: HexProfile,
    overlay: Overlay | None = None,
    *,
    base: Table | None = None,
    progress: Progress | None = None,
    threads: int = 2,
    reasons: bool = True,
    engine: str = "auto",
    side: str | None = None,
) -> Built:
    """As `table_of`, and tell how much was answered anew.

    Raises
    ------
    MissingPartError
        If numba is asked for and not installed.
    UsageError
        If the engine is none of these, or the overlay is wrong.
    """
    check_engine(engine)
    compiled = compile_hexes(board, profile, overlay, side=side)
    old = None
    usable = base is not None and overlay is not None and base.is_made_from(board, profile)
    # A rule file may ask for anything that an overlay holds, wherever it lies.
    everywhere = profile.judge is not None or (overlay is not None and overlay.slopes is not None)
    if usable and base is not None and not everywhere:
        old = compile_hexes(board, profile, side=side)
        reasons = base.reasons is not None
    planes: list[Planes] = []
    walked = 0
    work = _Work(compiled, progress, max(1, threads), reasons, python=engine == "python")
    for k, name in enumerate(profile.observers):
        same = next((j for j in range(k) if _alike(compiled, profile.observers[j], name)), None)
        if old is not None and base is not None:
            was = base.planes[k]
            plane, count = work.anew(compiled.by_class[name], old.by_class[name], was)
            walked += count
        elif same is not None and profile.judge is None:
            plane = planes[same]
            walked += len(plane[0])
        else:
            plane = work.all(compiled.by_class[name])
            walked += len(plane[0])
        planes.append(plane)
    digest = board_digest(board, profile)
    if overlay is not None:
        digest = hashlib.sha256(digest + overlay.digest).digest()
    several = len(planes) > 1
    table = Table(
        tuple(loc.name for loc in compiled.locations),
        *planes[0],
        digest,
        profile.digest,
        profile.observers if several else (),
        tuple(planes[1:]),
    )
    if profile.judge is not None:
        for name, (answers, why) in zip(profile.observers, planes, strict=True):
            one = replace(table, answers=answers, reasons=why, observers=(), others=())
            apply_rule_file(compiled, one, name, overlay or Overlay())
    return Built(table, walked, sum(len(p[0]) for p in planes))


def _alike(compiled: HexCompiled, one: str, two: str) -> bool:
    """Whether two classes see a board alike, as far as any line can tell."""
    first, second = compiled.by_class[one], compiled.by_class[two]
    return all(np.array_equal(getattr(first, f), getattr(second, f)) for f in HexTables._fields)


class _Work:
    """Filling planes: the loops, threads, and progress over all classes."""

    def __init__(
        self,
        compiled: HexCompiled,
        progress: Progress | None,
        threads: int,
        reasons: bool,
        *,
        python: bool,
    ) -> None:
        self._n = len(compiled.locations)
        self._progress = progress
        self._threads = threads
        self._reasons = reasons
        self._fill: Callable[..., None] = kernel._fill if python else kernel.fill
        self._touched: Callable[..., int] = kernel._fill_touched if python else kernel.fill_touched
        self._done = 0
        self._total = len(compiled.by_class)

    def _room(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        pairs = self._n * (self._n - 1) // 2
        return np.zeros(pairs, np.uint8), np.zeros(pairs if self._reasons else 0, np.uint8)

    def all(self, tables: HexTables) -> Planes:
        """Every pair of one class."""
        answers, why = self._room()
        columns = int(tables.numbers[N_COLUMNS])
        starts = list(range(0, columns, _AT_A_TIME))
        spare: SimpleQueue[Line] = SimpleQueue()
        for _ in range(self._threads):
            spare.put(make_line(tables))

        def work(first: int) -> int:
            line = spare.get()
            self._fill(tables, line, first, min(columns, first + _AT_A_TIME), answers, why)
            spare.put(line)
            return 1

        with ThreadPoolExecutor(self._threads) as pool:
            try:
                for k, _ in enumerate(pool.map(work, starts), start=1):
                    self._tell(k / len(starts))
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise
        self._done += 1
        return answers, why if self._reasons else None

    def anew(self, tables: HexTables, old: HexTables, base: Planes) -> tuple[Planes, int]:
        """Those pairs of one class whose line meets what is not as it was."""
        answers, why = self._room()
        answers[:] = base[0]
        if base[1] is not None and self._reasons:
            why[:] = base[1]
        changed = np.flatnonzero((tables.cells != old.cells).any(axis=1)).astype(np.int64)
        count = 0
        if len(changed):
            seen = np.zeros(len(tables.cells), np.int32)
            count = int(self._touched(tables, make_line(tables), changed, seen, answers, why))
        self._done += 1
        self._tell(0)
        return (answers, why if self._reasons else None), count

    def _tell(self, share: float) -> None:
        if self._progress is not None:
            self._progress(round((self._done + share) * 1000), self._total * 1000)
