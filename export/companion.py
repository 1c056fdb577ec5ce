"""The companion: a LOS thread of hexsight's own, its classes and the files that it reads.

The Java sources lie in `companion/`, their class files beside this module.  The
format of the places file is described in docs/companion.md.
"""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from hexsight.export.stock_components import COMPANION as CLASS
from hexsight.export.stock_components import Component, element
from hexsight.export.vassal import FOLDER, board_slugs
from hexsight.model.errors import UnsupportedError, UsageError

COMPANION_FOLDER = FOLDER + "companion/"
THREAD_NAME = "hexsight LOS with tables"
# In the counters that modules of the game ship; a module maker edits the list in VASSAL's editor.
DEFAULT_SMOKE = (
    "Smoke=3; White Phosphorus=2; WP=2; Dispersed Smoke=2; Dispersed White Phosphorus=1; "
    "Dispersed WP=1"
)
DEFAULT_KEYS = "alt UP; alt DOWN; alt shift UP; alt shift DOWN"
DEFAULT_REPORT = "$playerId$: LOS $hexsightFrom$ → $hexsightTo$ (range $Range$): $hexsightLOS$"

MAGIC = b"LOSPLC\x1a\n"
VERSION = 1
# magic, version, bytes a pair, Locations, entries, highest range, bytes of text, table, digest of
# what follows.
HEADER = struct.Struct("<8sHHIIIQ32s32s")
# The class reads a plane into one array, which Java indexes with 31 bits.
MAX_LOCATIONS = 65_000
_NUMBERS = re.compile(r"[1-9]( */ *-?\d{1,3}){0,2}", re.ASCII)
_TABLE_DIGEST = slice(88, 120)
# Of VASSAL 3.6 and later, unless a player changes it.
DEFAULT_HEAP_BYTES = 512 << 20
_CLASSES = "companion_classes"


@dataclass(frozen=True)
class CompanionPlace:
    """A Location as VASSAL and people know it.

    Attributes
    ----------
    name : str
        In tables, such as ``K15@2``.
    location : str
        What VASSAL calls its hex (``LocationName``); empty for one that is not offered.
    label : str
        Name for people, such as ``K15 level 2``.
    col, row : int
        Hex, odd-q.
    x_px, y_px : int
        Centre of the hex, board pixels.
    sight_half, base_half : int
        Height from which it looks, and of the ground of its hex, in half-levels.
    """

    name: str
    location: str
    label: str
    col: int
    row: int
    x_px: int
    y_px: int
    sight_half: int
    base_half: int


@dataclass(frozen=True)
class BlockingEntry:
    """What blocks a line.

    Attributes
    ----------
    code : int
        Of the reason, as tables have it.
    point_px : (int, int) or None
        Where on the board; None for a reason without a place.
    text : str
        Sentence for players.
    """

    code: int
    point_px: tuple[int, int] | None
    text: str


@dataclass(frozen=True)
class SmokeNumbers:
    """Numbers of a rule set for SMOKE.

    Attributes
    ----------
    limit : int
        Hindrance that blocks (A6.7).
    hex_limit : int
        Most of one hex.
    blind_range : int
        Hexes of range for one further Blind Hex (A6.4).
    hindrance, height_half : int
        Of a counter that says nothing else.
    """

    limit: int
    hex_limit: int
    blind_range: int
    hindrance: int
    height_half: int


@dataclass(frozen=True, eq=False)
class CompanionBoard:
    """A board for the companion.

    Attributes
    ----------
    name : str
        As VASSAL knows it.
    maps : tuple of str
        Names of the map windows that offer it.
    table : bytes or None
        The ``.lostab`` file; None where `answers` holds what is kept of it.
    places : tuple of CompanionPlace
        v Locations in the table's order.
    entries : tuple of BlockingEntry
    pairs : (m,) uint32, or None
        For each pair that is kept 0, or the number of its entry, counted from 1.
        None leaves it to the table's reason codes and entries without a place.
    smoke : SmokeNumbers
    max_range : int or None
        Highest range of pairs that are kept, None for all of the table.
    answers : (m,) uint8, or None
        With a highest range, as a table has them: row by row the pairs that are
        kept, each once.
    """

    name: str
    maps: tuple[str, ...]
    table: bytes | None = field(repr=False)
    places: tuple[CompanionPlace, ...] = field(repr=False)
    entries: tuple[BlockingEntry, ...] = field(repr=False)
    pairs: NDArray[np.uint32] | None = field(repr=False)
    smoke: SmokeNumbers
    max_range: int | None = None
    answers: NDArray[np.uint8] | None = field(default=None, repr=False)

    @property
    def width(self) -> int:
        """Bytes for the entry of a pair."""
        if self.pairs is None:
            return 0
        return max(1, (len(self.entries).bit_length() + 7) // 8)


def places_file(board: CompanionBoard) -> bytes:
    """The ``.losplaces`` file of a board; same board, same bytes.

    Raises
    ------
    UnsupportedError
        If the board has more Locations than the companion can hold.
    """
    v = len(board.places)
    if v > MAX_LOCATIONS:
        raise UnsupportedError(
            f"Board {board.name} has {v} Locations; the companion holds {MAX_LOCATIONS}. Export "
            "its part that matters as a board of its own."
        )
    s = board.smoke
    numbers = (s.limit, s.hex_limit, s.blind_range, s.hindrance, s.height_half)
    lines = [_plain(board.name), " ".join(map(str, numbers))]
    lines += [
        "\t".join(
            [_location(p.location), _plain(p.label)]
            + [str(n) for n in (p.col, p.row, p.x_px, p.y_px, p.sight_half, p.base_half)]
            + [p.name]
        )
        for p in board.places
    ]
    for e in board.entries:
        x, y = e.point_px if e.point_px is not None else ("", "")
        lines.append(f"{e.code}\t{x}\t{y}\t{_plain(e.text)}")
    text = "\n".join(lines).encode("utf-8")
    text += b"\n" * (-(HEADER.size + len(text)) % 16)
    parts = [text]
    if board.answers is not None:
        parts.append(board.answers.tobytes())
    if board.pairs is not None:
        # Plane by plane: the high bytes are much alike and pack to little.
        planes = board.pairs.astype("<u4").view(np.uint8).reshape(-1, 4)
        parts += [planes[:, k].tobytes() for k in range(board.width)]
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    head = HEADER.pack(
        MAGIC,
        VERSION,
        board.width,
        v,
        len(board.entries),
        board.max_range or 0,
        len(text),
        board.table[_TABLE_DIGEST] if board.table is not None else bytes(32),
        digest.digest(),
    )
    return b"".join([head, *parts])


def heap_bytes(board: CompanionBoard) -> int:
    """About what VASSAL's memory has to hold for a board while its lines are asked for."""
    v = len(board.places)
    pairs = v * (v - 1) // 2 if board.answers is None else len(board.answers)
    return pairs * (1 + max(1, board.width)) + 400 * (v + len(board.entries))


def heap_warning(boards: Sequence[CompanionBoard]) -> list[str]:
    """What to tell of boards that are large for VASSAL's memory."""
    return [
        f"Board {b.name}: VASSAL needs {heap_bytes(b) / 1e6:.0f} MB of memory for its lines, and "
        f"gives a board a third of what it has. Let players raise Maximum heap to "
        f"{3 * heap_bytes(b) / 1e6 * 1.1:.0f} MB in the module's preferences."
        for b in boards
        if 3 * heap_bytes(b) > DEFAULT_HEAP_BYTES
    ]


def companion_members(boards: Sequence[CompanionBoard] = ()) -> dict[str, bytes]:
    """Members of the module: the classes, and two files for each board.

    Raises
    ------
    UsageError
        If two boards have one name.
    UnsupportedError
        As `places_file`.
    """
    members = {f"{COMPANION_FOLDER}{name}": data for name, data in class_files().items()}
    for board, slug in zip(boards, board_slugs([b.name for b in boards]), strict=True):
        if board.table is not None:
            members[f"{COMPANION_FOLDER}{slug}.lostab"] = board.table
        members[f"{COMPANION_FOLDER}{slug}.losplaces"] = places_file(board)
    return members


@cache
def class_files() -> Mapping[str, bytes]:
    """The compiled classes by file name, such as ``LosThread.class``."""
    folder = resources.files("hexsight.export") / _CLASSES
    found = {f.name: f.read_bytes() for f in folder.iterdir() if f.name.endswith(".class")}
    return dict(sorted(found.items()))


def check_smoke(text: str) -> None:
    """Read a list of smoke counters as the thread does.

    Raises
    ------
    UsageError
        If a part of it is not understood, or a name is there twice.
    """
    seen: set[str] = set()
    for part in text.split(";"):
        before, equals, numbers = part.rpartition("=")
        name = (before if equals else part).strip()
        if equals and not (name and _NUMBERS.fullmatch(numbers.strip())):
            raise UsageError(
                f"--smoke does not understand {part.strip()!r}. Write name=Hindrance (1 to 9), or "
                "name=Hindrance/height/base in half-levels, with semicolons between."
            )
        # The thread does not mind capitals and would take the last.
        if name and name.lower() in seen:
            raise UsageError(f"--smoke names {name!r} twice. Leave one.")
        seen.add(name.lower())


def companion_components(
    boards: Sequence[CompanionBoard], *, smoke: str = DEFAULT_SMOKE, keys: str = DEFAULT_KEYS
) -> list[Component]:
    """The threads, one for each map that offers a board.

    Parameters
    ----------
    boards : sequence of CompanionBoard
    smoke : str
        Names of smoke counters: ``name``, ``name=Hindrance`` or
        ``name=Hindrance/height/base`` in half-levels, with semicolons between.
    keys : str
        Keys, as Java writes them, for the level of the target up and down and
        of the origin up and down.

    Raises
    ------
    UsageError
        If a part of `smoke` is not understood, or two boards have one name.
    """
    check_smoke(smoke)
    slugs = board_slugs([b.name for b in boards])
    out = []
    for map_name in dict.fromkeys(m for b in boards for m in b.maps):
        here = [slug for b, slug in zip(boards, slugs, strict=True) if map_name in b.maps]
        out.append(_thread(map_name, here, smoke, keys))
    return out


def _thread(map_name: str, slugs: Sequence[str], smoke: str, keys: str) -> Component:
    attributes = {
        "drawRange": "true",
        "global": "Never",
        "hexsightKeys": keys,
        "hexsightSmoke": smoke,
        "hexsightTables": " ".join(slugs),
        "hideCounters": "false",
        "hideOpacity": "0",
        "hotkey": "",
        "iconName": "/images/thread.gif",
        "label": "LOS",
        "persistence": "Never",
        "persistentIconName": "",
        "rangeBg": "0,0,0",
        "rangeFg": "255,255,255",
        "report": DEFAULT_REPORT,
        "round": "Nearest whole number",
        "scale": "0",
        "snapEnd": "true",
        "snapStart": "true",
        "threadColor": "110,110,110",
        "threadName": THREAD_NAME,
        "tooltip": "Line of sight, with what blocks it; alt with up and down changes the level",
    }
    xml = element(CLASS, attributes)
    return Component(f"map:{map_name}", CLASS, "threadName", THREAD_NAME, xml)


def _location(text: str) -> str:
    """A name as VASSAL asks for it; one that a line of text cannot hold is left out."""
    return "" if text != _plain(text) else text


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)
