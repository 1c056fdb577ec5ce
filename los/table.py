"""The table of all pairs of Locations of a board: build, write, open, query.

The file format is described in docs/lostab.md; a reader needs a memory map
and this arithmetic only.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from queue import SimpleQueue

import numpy as np
from numpy.typing import NDArray

from hexsight.los import kernel
from hexsight.los.compile import compile_board
from hexsight.los.jit import have_numba
from hexsight.los.patches import find_patches
from hexsight.los.profile import Profile
from hexsight.los.rules.registry import REASONS, Reason
from hexsight.los.rulesets import RuleSet
from hexsight.los.scratch import Scratch, make_scratch
from hexsight.los.tables import Compiled, Tables
from hexsight.model.atomic import check_target, replacing, write_problem
from hexsight.model.board import Board
from hexsight.model.errors import InputError, MissingPartError, OutputError, UsageError
from hexsight.model.inputs import open_input

MAGIC = b"LOSTAB\x1a\n"
# One class of observer, and several.
VERSION, CLASSES_VERSION = 1, 2
HAS_REASONS = 1
# magic, version, flags, Locations, bytes of names, board, profile, digest of all that follows.
HEADER = struct.Struct("<8sHHIQ32s32s32s")
# What follows it in format 2: classes, bytes of their names, nothing.
CLASS_HEADER = struct.Struct("<IIQ")
MAX_CLASSES, MAX_CLASS_BYTES = 8, 4096
BLOCKED = kernel.BLOCKED
# Fire is halved, as often as the low bits say.
HALF, AMOUNT = 64, 63
# More Locations than any printed map has: four maps of 120 × 120 hexes with six levels each.
MAX_LOCATIONS = 400_000
Progress = Callable[[int, int], None]


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
    if engine not in ("auto", "numba", "python"):
        raise UsageError(f"There is no engine {engine!r}. Use auto, numba or python.")
    if engine == "numba" and not have_numba():
        raise MissingPartError("The engine numba is not installed. Use --engine python.")
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


def write_table(table: Table, path: Path) -> None:
    """Write a table; the file is whole or not there at all.

    One class of observer is written as format 1, several as format 2.

    Raises
    ------
    OutputError
        If it cannot be written, or something that is no table lies there.
    """
    several = len(table.observers) > 1
    start = HEADER.size + (CLASS_HEADER.size if several else 0)
    names = "\n".join(table.names).encode()
    names += b"\n" * (-(start + len(names)) % 16)
    parts = [names]
    if several:
        classes = "\n".join(table.observers).encode()
        classes += b"\n" * (-len(classes) % 16)
        parts = [CLASS_HEADER.pack(len(table.observers), len(classes), 0), names, classes]
    for answers, reasons in table.planes:
        parts.append(answers.tobytes())
        if reasons is not None:
            parts.append(reasons.tobytes())
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    head = HEADER.pack(
        MAGIC,
        CLASSES_VERSION if several else VERSION,
        HAS_REASONS if table.reasons is not None else 0,
        len(table.names),
        len(names),
        table.board_digest,
        table.profile_digest,
        digest.digest(),
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file():
            with path.open("rb") as old:
                earlier = old.read(len(MAGIC))
            if earlier not in (b"", MAGIC):
                raise OutputError(
                    f"{path} is no LOS table and is not replaced by one. Name another file."
                )
    except OSError as error:
        raise write_problem(path, error) from error
    check_target(path, overwrite=True)
    with replacing(path, overwrite=True) as stream:
        for part in (head, *parts):
            stream.write(part)


def open_table(path: Path, *, verify: bool = True) -> Table:
    """Open a table; its planes are memory-mapped, not read.

    Parameters
    ----------
    path : Path
    verify : bool
        Also compare the digest of the content, which reads all of it once.

    Raises
    ------
    InputError
        If it is no table, of a newer version, cut off, too long or damaged.
    """
    try:
        with open_input(path) as stream:
            size = os.fstat(stream.fileno()).st_size
            head = stream.read(HEADER.size)
            extra = stream.read(CLASS_HEADER.size) if _version(head) == CLASSES_VERSION else b""
            fields = _header(head, extra, size, path)
            names_raw = stream.read(fields.names_bytes)
            classes_raw = stream.read(fields.class_bytes)
            if verify:
                _verify(stream, extra + names_raw + classes_raw, fields.digest, path)
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror or error}.") from error
    names = _words(names_raw, fields.count, "Locations", path)
    classes = _words(classes_raw, fields.classes, "classes", path) if extra else ()
    planes = []
    offset = HEADER.size + len(extra) + fields.names_bytes + fields.class_bytes
    for _ in range(fields.planes):
        planes.append(
            np.memmap(path, np.uint8, "r", offset, (fields.pairs,))
            if fields.pairs
            else np.zeros(0, np.uint8)
        )
        offset += fields.pairs
    why = fields.flags & HAS_REASONS
    by_class = [(p, q) for p, q in zip(planes[::2], planes[1::2], strict=True)] if why else None
    both = by_class if by_class is not None else [(p, None) for p in planes]
    answers, reasons = both[0]
    others = tuple(both[1:])
    return Table(names, answers, reasons, fields.board, fields.profile, classes, others)


def _words(raw: bytes, count: int, what: str, path: Path) -> tuple[str, ...]:
    """A list of names, each once."""
    try:
        names = tuple(raw.decode().rstrip("\n").split("\n"))
    except UnicodeDecodeError as error:
        raise InputError(f"Cannot read {path}: its names are damaged. Build it again.") from error
    if len(names) != count or len(set(names)) != count:
        raise InputError(
            f"Cannot read {path}: it names {len(names)} {what} where its head says "
            f"{count}. Build it again."
        )
    return names


@dataclass(frozen=True)
class _Header:
    flags: int
    count: int
    names_bytes: int
    board: bytes
    profile: bytes
    digest: bytes
    classes: int = 1
    class_bytes: int = 0

    @property
    def pairs(self) -> int:
        return self.count * (self.count - 1) // 2

    @property
    def planes(self) -> int:
        return self.classes * (2 if self.flags & HAS_REASONS else 1)


def _version(head: bytes) -> int:
    """Format of a file, 0 if it is no table."""
    if len(head) < HEADER.size or not head.startswith(MAGIC):
        return 0
    return int(HEADER.unpack(head)[1])


def _header(head: bytes, extra: bytes, size: int, path: Path) -> _Header:
    version = _version(head)
    if not version and not head.startswith(MAGIC):
        raise InputError(f"Cannot read {path}: it is no LOS table (*.lostab).")
    if len(head) < HEADER.size or (extra and len(extra) < CLASS_HEADER.size):
        raise InputError(f"Cannot read {path}: it is no LOS table (*.lostab).")
    _, _, flags, count, names_bytes, board, profile, digest = HEADER.unpack(head)
    if version not in (VERSION, CLASSES_VERSION):
        raise InputError(
            f"Cannot read {path}: it is a table of format {version}, this hexsight reads "
            f"{VERSION} and {CLASSES_VERSION}. Update hexsight or build the table again."
        )
    classes, class_bytes = 1, 0
    if version == CLASSES_VERSION:
        classes, class_bytes, _ = CLASS_HEADER.unpack(extra)
        if not 0 < classes <= MAX_CLASSES or class_bytes > MAX_CLASS_BYTES:
            raise InputError(
                f"Cannot read {path}: a table of {classes} classes of observer is impossible."
            )
    fields = _Header(flags, count, names_bytes, board, profile, digest, classes, class_bytes)
    if not 0 < count <= MAX_LOCATIONS:
        raise InputError(f"Cannot read {path}: a table of {count} Locations is impossible.")
    expected = HEADER.size + len(extra) + names_bytes + class_bytes + fields.planes * fields.pairs
    if size != expected:
        what = "cut off" if size < expected else "too long"
        raise InputError(
            f"Cannot read {path}: it is {what} ({size} bytes instead of {expected}). "
            "Build it again."
        )
    return fields


def _verify(stream: object, names: bytes, expected: bytes, path: Path) -> None:
    digest = hashlib.sha256(names)
    while chunk := stream.read(1 << 20):  # type: ignore[attr-defined]
        digest.update(chunk)
    if digest.digest() != expected:
        raise InputError(f"Cannot read {path}: its content is damaged. Build it again.")


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
