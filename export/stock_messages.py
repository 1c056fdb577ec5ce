"""A table of lines of sight as VASSAL's Global Translatable Messages.

Messages are constant: VASSAL never writes them into saves or logs, unlike
Global Properties.  Three kinds are written, read by `stock_expressions`:

``hexsight.at.MAP|BOARD/LOCATION@LEVEL``
    where a Location stands in the rows, with its name for people;
``hexsight.row.NUMBER``
    the answers of one Location, as codes of one to three characters;
``hexsight.say.BOARD-AND-CODE``
    what a code means, the sentence that a player reads.

Lines of sight are reciprocal, so a pair stands in one row only: Locations are
put together in *tiles*, and a row holds its own tile and later ones.  With a
highest range, tiles out of reach are left out of a row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hexsight.export.stock_expressions import AT, BEYOND, MARK, ROW, SAY
from hexsight.model.errors import UnsupportedError, UsageError
from hexsight.model.vassal_java import java_int

# Characters of codes: no blank, nothing that XML, BeanShell or VASSAL's own formats escape.
ALPHABET = "".join(c for c in map(chr, range(33, 127)) if c not in "\"&'<>\\{}$|" + MARK)
# Locations in a tile: larger ones waste places at the rim of a range, smaller ones cost
# three characters for each in every row.
TILE, TILE_IN_RANGE = 64, 16
NOT_KEPT = -1
MAX_ROWS = 100_000
MAX_BOARDS = len(ALPHABET) ** 2
Progress = Callable[[float], None]


@dataclass(frozen=True)
class StockPlace:
    """A Location that is exported.

    Attributes
    ----------
    location : str
        What VASSAL calls its hex (``LocationName``).
    level : str
        ``0``, ``1``, … for storeys, ``-1``, ``roof``, ``bridge``.
    label : str
        Name for people, such as ``K15 level 2``.
    """

    location: str
    level: str
    label: str


@dataclass(frozen=True, eq=False)
class StockBoard:
    """A board and its answers.

    Attributes
    ----------
    name : str
        As VASSAL knows it (``CurrentBoard``).
    maps : tuple of str
        Names of the map windows that offer it.
    places : tuple of StockPlace
        v Locations, those of one hex together.
    hexes : tuple of (int, int)
        For each hex its first place and the one after its last.
    answers : callable
        Of a first and a last hex (the latter excluded): (rows, v) int32, for
        the places of these hexes against all places the number of an answer,
        or `NOT_KEPT`.  Only columns from the first of these places on are
        read, and of two places of these hexes only the earlier row.
    texts : callable
        Sentence of an answer by its number; called when all rows are known.
    """

    name: str
    maps: tuple[str, ...]
    places: tuple[StockPlace, ...]
    hexes: tuple[tuple[int, int], ...]
    answers: Callable[[int, int], NDArray[np.int32]]
    texts: Callable[[int], str]


@dataclass(frozen=True, eq=False)
class Messages:
    """What is to be written.

    Attributes
    ----------
    items : tuple of (str, str)
        Name and text of every message, in order.
    levels : mapping of str to tuple of str
        By map, the levels that stand on its boards; ground first.
    thread : mapping of str to str
        By map, the board on which a LOS thread must lie; empty where it could
        be another: then only names that stand on one board are known without
        their board.
    pairs : int
        Pairs of places that have an answer.
    warnings : tuple of str
        Places that VASSAL cannot tell apart.
    """

    items: tuple[tuple[str, str], ...] = field(repr=False)
    levels: dict[str, tuple[str, ...]]
    thread: dict[str, str]
    pairs: int
    warnings: tuple[str, ...] = ()


@dataclass
class _Rows:
    """Answers of one board: for each place its tiles."""

    rows: list[list[tuple[int, NDArray[np.int32]]]]
    tile_of: NDArray[np.int32]
    starts: list[int]
    used: list[int]
    pairs: int


def encode_messages(
    boards: Sequence[StockBoard],
    *,
    in_range: bool = False,
    other_names: Mapping[str, Iterable[str]] | None = None,
    progress: Progress | None = None,
) -> Messages:
    """All messages of some boards.

    Parameters
    ----------
    boards : sequence of StockBoard
    in_range : bool
        Whether the answers are limited by range: tiles are then smaller.
    other_names : mapping of str to iterable of str, optional
        By map, LocationNames on boards without a table: a LOS thread does not
        say on which board it lies.
    progress : callable, optional
        Told the share done, 0 to 1.

    Raises
    ------
    UsageError
        If there are no boards, or two of one name on one map.
    UnsupportedError
        If there are more Locations or different answers than codes.
    """
    if not boards:
        raise UsageError("There is no board to export.")
    if len(boards) > MAX_BOARDS or sum(len(b.places) for b in boards) > MAX_ROWS:
        raise UnsupportedError(
            f"There are more than {MAX_ROWS} Locations to export. Export fewer boards or --levels."
        )
    at: list[tuple[StockBoard, int, str]] = []
    rows: list[tuple[str, str]] = []
    says: list[tuple[str, str]] = []
    first_tile, pairs = 0, 0
    for number, board in enumerate(boards):
        size = TILE_IN_RANGE if in_range else TILE
        found = _collect(board, size, _share(progress, number, len(boards)))
        width = _width(len(found.used), board.name)
        code_of = {n: code(k, width) for k, n in enumerate(found.used)}
        mark = code(number, 2)
        says += [
            (SAY + mark + code_of[n], BEYOND if n == NOT_KEPT else board.texts(n))
            for n in found.used
        ]
        table = _code_table(found.used, code_of, width)
        base = len(rows)
        for place, tiles in enumerate(found.rows):
            text = "".join(
                MARK + code(first_tile + t, 2) + table[ids - NOT_KEPT].tobytes().decode("ascii")
                for t, ids in tiles
            )
            rows.append((f"{ROW}{base + place:05d}", text))
            t = int(found.tile_of[place])
            head = (
                f"{MARK}{code(first_tile + t, 2)}{(place - found.starts[t]) * width:05d}"
                f"{base + place:05d}{mark}{width}"
            )
            at.append((board, place, head))
        first_tile += len(found.starts)
        pairs += found.pairs
    levels = _levels(boards)
    others = {m: frozenset(java_form(n) for n in names) for m, names in (other_names or {}).items()}
    thread, warnings = _threads(boards, others)
    keys, unclear = _keys(at, thread, others)
    return Messages(tuple(keys + rows + says), levels, thread, pairs, tuple(unclear + warnings))


def _share(progress: Progress | None, number: int, boards: int) -> Progress | None:
    """Progress of one board as a share of all."""
    if progress is None:
        return None
    return lambda done: progress((number + done) / boards)


def code(number: int, width: int) -> str:
    """A number in the digits of `ALPHABET`.

    Raises
    ------
    UnsupportedError
        If the number is too large for that many characters.
    """
    out = ""
    for _ in range(width):
        number, digit = divmod(number, len(ALPHABET))
        out = ALPHABET[digit] + out
    if number:
        raise UnsupportedError("There is more to export than fits. Export fewer boards or levels.")
    return out


def _width(answers: int, board: str) -> int:
    width = 1
    while len(ALPHABET) ** width < answers:
        width += 1
    if width > 3:
        raise UnsupportedError(
            f"Board {board} has {answers} different answers, too many for an export."
        )
    return width


def _code_table(used: list[int], code_of: dict[int, str], width: int) -> NDArray[np.uint8]:
    """Characters of each answer by its number + 1: `NOT_KEPT` is the first."""
    table = np.zeros((max(used) + 2, width), np.uint8)
    for n, text in code_of.items():
        table[n - NOT_KEPT] = list(text.encode("ascii"))
    return table


def _collect(board: StockBoard, size: int, progress: Progress | None) -> _Rows:
    """Ask for all answers, tile by tile."""
    tiles = _tiles(board.hexes, size)
    starts = [board.hexes[first][0] for first, _ in tiles]
    ends = [*starts[1:], len(board.places)]
    tile_of = np.zeros(len(board.places), np.int32)
    for t, (a, b) in enumerate(zip(starts, ends, strict=True)):
        tile_of[a:b] = t
    rows: list[list[tuple[int, NDArray[np.int32]]]] = []
    seen: set[int] = set()
    pairs = 0
    for t, (first, last) in enumerate(tiles):
        block = board.answers(first, last)
        own = block[:, starts[t] : ends[t]]
        upper = np.triu(own, 1)
        pairs += int((block[:, ends[t] :] != NOT_KEPT).sum())
        pairs += int((own[np.triu_indices(len(own), 1)] != NOT_KEPT).sum())
        block[:, starts[t] : ends[t]] = upper + upper.T + np.diag(np.diag(own))
        for row in block:
            kept = []
            for u in range(t, len(tiles)):
                ids = row[starts[u] : ends[u]]
                if (ids != NOT_KEPT).any():
                    kept.append((u, ids.astype(np.int32)))
                    seen.update(np.unique(ids).tolist())
            rows.append(kept)
        if progress is not None:
            progress((t + 1) / len(tiles))
    return _Rows(rows, tile_of, starts, sorted(seen | {NOT_KEPT}), pairs)


def _tiles(hexes: Sequence[tuple[int, int]], size: int) -> list[tuple[int, int]]:
    """Runs of hexes (first, last excluded) with about `size` places each."""
    out: list[tuple[int, int]] = []
    first = 0
    for h, (_, end) in enumerate(hexes):
        if end - hexes[first][0] >= size or h == len(hexes) - 1:
            out.append((first, h + 1))
            first = h + 1
    return out


def _keys(
    at: list[tuple[StockBoard, int, str]],
    thread: dict[str, str],
    others: Mapping[str, frozenset[str]],
) -> tuple[list[tuple[str, str]], list[str]]:
    """The "at" messages under every name by which VASSAL may ask for them.

    A name that could mean two places gets none: no answer is better than a
    wrong one.
    """
    found: dict[str, set[int]] = {}
    own: list[str] = []
    for n, (board, place, _) in enumerate(at):
        p = board.places[place]
        for map_name in board.maps:
            own.append(f"{map_name}|{board.name}/{p.location}@{p.level}")
            boards = {board.name, java_form(board.name)}
            if not thread[map_name] and java_form(p.location) not in others.get(map_name, ()):
                boards.add("")
            for key in _forms(map_name, boards, p.location, p.level):
                found.setdefault(key, set()).add(n)
    lost = sorted({key for key in own if len(found[key]) > 1})
    warnings = []
    if lost:
        warnings.append(
            f"{len(lost)} Locations have names that VASSAL cannot tell from others (such as "
            f"{lost[0]!r}) and get no answer. Mend the numbering in VASSAL's editor."
        )
    items = []
    for key in sorted(found):
        if len(found[key]) == 1:
            (n,) = found[key]
            board, place, head = at[n]
            items.append((AT + key, head + board.places[place].label))
    return items, warnings


def _forms(map_name: str, boards: set[str], location: str, level: str) -> Iterator[str]:
    for board in boards:
        for form in {location, java_form(location)}:
            yield f"{map_name}|{board}/{form}@{level}"


def _threads(
    boards: Sequence[StockBoard], others: Mapping[str, frozenset[str]]
) -> tuple[dict[str, str], list[str]]:
    """By map the board on which a LOS thread must lie; empty where it could be another.

    A thread is told the names of hexes but not of boards.
    """
    thread: dict[str, str] = {}
    warnings = []
    for map_name in dict.fromkeys(m for b in boards for m in b.maps):
        here = [b for b in boards if map_name in b.maps]
        names = [{java_form(p.location) for p in b.places} for b in here]
        names.append(set(others.get(map_name, ())))
        often = Counter(n for group in names for n in group)
        twice = sorted(n for n, times in often.items() if times > 1)
        thread[map_name] = here[0].name if len(here) == 1 and not twice else ""
        if twice:
            warnings.append(
                f"{len(twice)} names stand on several boards of the map {map_name!r} (such as "
                f"{twice[0]!r}): there the LOS thread cannot know which board is meant and gives "
                "no answer; marker and stack viewer can."
            )
    return thread, warnings


def java_form(text: str) -> str:
    """What becomes of a text that VASSAL takes for a number: ``0101`` is 101.

    Bare variables of an expression (`ExpressionInterpreter`) are made numbers if
    they consist of digits, dots and signs and can be read as one.
    """
    if not text or not re.fullmatch(r"[-+.0-9]+", text):
        return text
    try:
        return str(java_int(text))
    except ValueError:
        pass
    if not re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)", text):
        return text
    value = np.float32(text)
    if value != 0 and not 1e-3 <= abs(value) < 1e7:
        return text  # written with an exponent: nobody names a hex so
    return str(np.format_float_positional(value, unique=True, trim="0"))


def _levels(boards: Sequence[StockBoard]) -> dict[str, tuple[str, ...]]:
    """Levels by map; refuses two boards of one name."""
    levels: dict[str, tuple[str, ...]] = {}
    for map_name in dict.fromkeys(m for b in boards for m in b.maps):
        here = [b for b in boards if map_name in b.maps]
        twice = [n for n, times in Counter(b.name for b in here).items() if times > 1]
        if twice:
            raise UsageError(
                f"Two boards of the map {map_name!r} are named {twice[0]!r}, so VASSAL cannot "
                "tell them apart. Rename one in its editor."
            )
        levels[map_name] = tuple(
            sorted({p.level for b in here for p in b.places}, key=_level_order)
        )
    return levels


def _level_order(level: str) -> tuple[int, int, str]:
    """Ground, upper levels, roof, bridge, cellar."""
    if level.isdigit():
        return (0, int(level), level)
    return ({"roof": 1, "bridge": 2}.get(level, 3), 0, level)
