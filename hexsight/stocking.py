"""From board folders and a module to the components of a stock export."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from hexsight.companions import companion_board
from hexsight.export.companion import (
    DEFAULT_SMOKE,
    companion_components,
    companion_members,
    heap_warning,
)
from hexsight.export.stock_components import Component, components
from hexsight.export.stock_messages import (
    Messages,
    StockPlace,
    encode_messages,
)
from hexsight.export.stock_size import (
    MOST_BYTES,
    Spread,
    estimate_bytes,
    largest_range,
    spread_of,
)
from hexsight.extract.module import Module, ModuleBoard, board_hexes, read_module
from hexsight.los.engine import table_of
from hexsight.los.observers import find_observer
from hexsight.los.rulesets import RuleSet, load_rules
from hexsight.los.table import Table, open_table
from hexsight.model.board import Board
from hexsight.model.errors import HexsightError, InputError, UnsupportedError, UsageError
from hexsight.model.store import BOARD_FILE, load_board
from hexsight.progress import Reporter, Silent
from hexsight.stocking_answers import Prepared

TABLE_FILE = "los.lostab"
LEVEL_WORDS = ("roof", "bridge", "-1")


@dataclass(frozen=True)
class StockChoice:
    """What of a table is exported.

    Attributes
    ----------
    max_range : int or None
        Highest range in hexes.
    levels : frozenset of str or None
        Levels besides the ground; None for all.
    level_property : str
        Property of pieces that says on which level they stand.
    rules : str
    observer : str or None
        Class of observer, where rules have several; the first without.
    places : bool
        Also say where a line is blocked, not only by what.
    palette : bool
        Offer the marker in a palette of its own.
    companion : bool
        The companion's thread and its files instead of messages.
    smoke : str
        Names of smoke counters, for the companion.
    """

    max_range: int | None = None
    levels: frozenset[str] | None = None
    level_property: str = "hexsight_Level"
    rules: str = "asl"
    places: bool = True
    palette: bool = True
    companion: bool = False
    smoke: str = DEFAULT_SMOKE
    observer: str | None = None


@dataclass(frozen=True, eq=False)
class Stock:
    """Ready to be written.

    Attributes
    ----------
    module : Module
    parts : tuple of Component
    messages : Messages
    boards : tuple of str
    spreads : tuple of Spread
    warnings : tuple of str
    files : mapping of str to bytes
        Members of the zip that the parts need.
    """

    module: Module
    parts: tuple[Component, ...] = field(repr=False)
    messages: Messages = field(repr=False)
    boards: tuple[str, ...]
    spreads: tuple[Spread, ...] = field(repr=False)
    warnings: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)


def parse_levels(text: str | None) -> frozenset[str] | None:
    """``all``, or words such as ``0,1,roof``.

    Raises
    ------
    UsageError
        If a word is no level.
    """
    if text is None or text.strip().casefold() == "all":
        return None
    words = [w.strip().casefold() for w in text.split(",") if w.strip()]
    wrong = [w for w in words if not (w.isdecimal() or w in LEVEL_WORDS)]
    if wrong or not words:
        raise UsageError(
            f"--levels does not know {(wrong or [text])[0]!r}. Write all, or some of 0, 1, 2, …, "
            "roof, bridge, -1, with commas."
        )
    return frozenset(words)


def board_folders(result: Path) -> tuple[Path, ...]:
    """Board folders of a build: the folder itself, or those inside it.

    Raises
    ------
    InputError
        If there are none.
    """
    if (result / BOARD_FILE).is_file():
        return (result,)
    inside = tuple(sorted(p.parent for p in result.glob(f"*/{BOARD_FILE}")))
    if not inside:
        raise InputError(
            f"{result} holds no board: there is no {BOARD_FILE} in it. Make one with hexsight "
            "build, and name its folder."
        )
    return inside


def gather(
    source: Path,
    folders: Sequence[Path],
    choice: StockChoice,
    reporter: Reporter | None = None,
) -> Stock:
    """Everything that a stock export puts into a module.

    Parameters
    ----------
    source : Path
        The module.
    folders : sequence of Path
        Board folders, such as `board_folders` finds.
    choice : StockChoice
    reporter : Reporter, optional

    Raises
    ------
    HexsightError
        Whatever the user must mend.
    """
    reporter = reporter or Silent()
    reporter.step(f"Reading {source.name}")
    module = read_module(source)
    if module.kind == "extension":
        raise UnsupportedError(
            f"Cannot export into {source.name}: it is an extension. Name the module, and "
            "--extension for a file of its own."
        )
    prepared = prepare_boards(module, folders, choice, reporter)
    if choice.companion:
        return _companion(module, prepared, choice, reporter)
    spreads = tuple(p.spread for p in prepared)
    _check_size(spreads, choice)
    reporter.step("Finding where lines are blocked")
    messages = encode_messages(
        [p.stock_board() for p in prepared],
        in_range=choice.max_range is not None,
        other_names=_other_names(module, [b for p in prepared for b in p.homes]),
        progress=reporter.done,
    )
    names: dict[str, list[str]] = {}
    for p in prepared:
        for home in p.homes:
            names.setdefault(home.map_name, []).append(home.name)
    return Stock(
        module,
        tuple(components(messages, names, choice.level_property, palette=choice.palette)),
        messages,
        tuple(p.board.name for p in prepared),
        spreads,
        messages.warnings + tuple(w for p in prepared for w in p.warnings),
    )


def _companion(
    module: Module, prepared: Sequence[Prepared], choice: StockChoice, reporter: Reporter
) -> Stock:
    reporter.step("Finding where lines are blocked")
    boards = [companion_board(p, reporter.done) for p in prepared]
    kept = [b.answers for b in boards]
    pairs = sum(
        len(p.table.answers if a is None else a) for p, a in zip(prepared, kept, strict=True)
    )
    warnings = [w for p in prepared for w in p.warnings]
    # Counters of smoke are asl's: other games have rules of their own for it.
    smoke = choice.smoke if prepared[0].profile.engine == "pixels" else ""
    return Stock(
        module,
        tuple(companion_components(boards, smoke=smoke)),
        Messages((), {}, {}, pairs),
        tuple(p.board.name for p in prepared),
        tuple(p.spread for p in prepared),
        (*warnings, *heap_warning(boards)),
        companion_members(boards),
    )


def prepare_boards(
    module: Module,
    folders: Sequence[Path],
    choice: StockChoice,
    reporter: Reporter | None = None,
) -> list[Prepared]:
    """Board folders with their tables and the names that a module gives to their hexes.

    Raises
    ------
    HexsightError
        Whatever the user must mend.
    """
    profile = load_rules(choice.rules)
    _check_rules(profile, choice)
    loaded = [load_board(folder) for folder in folders]
    prepared = []
    for folder, board in zip(folders, loaded, strict=True):
        homes = _homes(module, board, alone=len(loaded) == 1)
        prepared.append(
            _prepare(module, board, folder, homes, profile, choice, reporter or Silent())
        )
    return prepared


def _check_rules(profile: RuleSet, choice: StockChoice) -> None:
    """Refuse what rules cannot give.

    Raises
    ------
    UsageError, UnsupportedError
    """
    if choice.observer is not None:
        if not profile.observers:
            raise UsageError(
                f"In the rules {profile.name} all observers see alike. Leave --observer out."
            )
        find_observer(profile.name, profile.observers, choice.observer)
    if profile.engine == "measured":
        raise UnsupportedError(
            f"The rules {profile.name} measure from base to base and have no table of hexes: there "
            "is nothing to put into a module. Ask hexsight los instead."
        )
    if choice.companion and profile.engine != "pixels" and choice.smoke != DEFAULT_SMOKE:
        raise UsageError(
            f"The companion knows smoke of asl only, and the rules {profile.name} are not. Leave "
            "--smoke out."
        )


def _homes(module: Module, board: Board, *, alone: bool) -> tuple[ModuleBoard, ...]:
    """Boards of the module that a board folder was made from: one board in several windows."""
    named = [b for b in module.boards if b.name == board.name and b.hex_grids]
    if not named and alone:
        named = [b for b in module.boards if b.hex_grids]
        if len(named) > 1:
            named = []
        for home in named:
            size = module.board_size(home)
            if size != board.size_px:
                raise UsageError(
                    f"{module.label} has no board {board.name!r}, and the picture of its board "
                    f"{home.name!r} is {size[0]} × {size[1]} pixels, not {board.size_px[0]} × "
                    f"{board.size_px[1]} as the built one. Build the board from this module."
                )
    if not named:
        raise UsageError(
            f"{module.label} has no board {board.name!r} with a hex grid (boards: "
            f"{', '.join(b.name for b in module.boards) or 'none'}). Build the board from this "
            "module."
        )
    if len({b.image for b in named}) > 1:
        maps = ", ".join(repr(b.map_name) for b in named)
        raise UsageError(
            f"{module.label} has several boards named {board.name!r}, in the maps {maps}. Rename "
            "one in VASSAL's editor."
        )
    return tuple(named)


def _prepare(
    module: Module,
    board: Board,
    folder: Path,
    homes: tuple[ModuleBoard, ...],
    profile: RuleSet,
    choice: StockChoice,
    reporter: Reporter,
) -> Prepared:
    table = _table(board, folder, profile, reporter).of_observer(choice.observer)
    locations = _location_names(module, board, homes[0])
    index = {h.name: i for i, h in enumerate(board.hexes)}
    keep: list[int] = []
    places: list[StockPlace] = []
    hexes: list[tuple[int, int]] = []
    kept: list[int] = []
    for k, name in enumerate(table.names):
        hex_name, _, level = name.partition("@")
        level = level or "0"
        location = locations.get(hex_name, "")
        if not location or not (level == "0" or choice.levels is None or level in choice.levels):
            continue
        if not kept or kept[-1] != index[hex_name]:
            kept.append(index[hex_name])
            hexes.append((len(keep), len(keep)))
        keep.append(k)
        hexes[-1] = (hexes[-1][0], len(keep))
        places.append(StockPlace(location, level, location + _level_text(level)))
    missing = [h.name for h in board.hexes if not locations.get(h.name)]
    if not keep:
        raise UnsupportedError(
            f"{homes[0].where} names no hex of board {board.name!r}: without names VASSAL cannot "
            "ask. Give its grid a numbering in VASSAL's editor, and build again from the module."
        )
    warnings = []
    if homes[0].name != board.name:
        warnings.append(
            f"{module.label} has no board {board.name!r}: its lines of sight go to the one board "
            f"{homes[0].name!r}. If that is another map, build the board from this module."
        )
    if missing:
        warnings.append(
            f"{homes[0].where} does not name {len(missing)} hexes of the built board (such as "
            f"{missing[0]}); they get no answer. Build again from this module."
        )
    offsets = np.array([(h.col, h.row) for h in board.hexes], np.int64)
    counts = np.array([b - a for a, b in hexes], np.int64)
    spread = spread_of(offsets[kept], counts)
    return Prepared(
        board,
        homes,
        table,
        tuple(places),
        np.array(keep, np.int64),
        tuple(hexes),
        tuple(kept),
        spread,
        offsets,
        profile,
        choice.max_range,
        choice.places,
        tuple(warnings),
        choice.observer,
    )


def _level_text(level: str) -> str:
    if level == "0":
        return ""
    return f" level {level}" if level.isdecimal() else " cellar" if level == "-1" else f" {level}"


def _table(board: Board, folder: Path, profile: RuleSet, reporter: Reporter) -> Table:
    """The table of a build if it is up to date, else made anew."""
    path = folder / TABLE_FILE
    if path.is_file():
        table = open_table(path)
        if table.is_made_from(board, profile):
            return table
    reporter.step(f"Walking all lines of sight of {board.name}")
    return table_of(board, profile, progress=lambda done, all_: reporter.done(done / max(1, all_)))


def _location_names(module: Module, board: Board, home: ModuleBoard) -> dict[str, str]:
    """``LocationName`` by name of hex, for hexes that lie where the built board has them."""
    size = module.board_size(home)
    found: dict[str, str] = {}
    wanted = {h.name for h in board.hexes}
    zones = [p.zone.name if p.zone is not None else None for p in home.hex_grids]
    for zone in dict.fromkeys([_chosen_zone(home), *zones]):
        for h in board_hexes(home, size, zone).hexes if zone in zones else ():
            if h.name in wanted:
                found.setdefault(h.name, h.location)
    return found


def _chosen_zone(home: ModuleBoard) -> str | None:
    place = home.hex_grid()
    return place.zone.name if place.zone is not None else None


def _other_names(module: Module, exported: Sequence[ModuleBoard]) -> dict[str, set[str]]:
    """By map, LocationNames on boards that are not exported: a LOS thread may lie there."""
    out: dict[str, set[str]] = {}
    maps = {b.map_name for b in exported}
    done = {(b.map_name, b.name) for b in exported}
    for board in module.boards:
        if board.map_name not in maps or (board.map_name, board.name) in done:
            continue
        try:
            hexes = board_hexes(board, module.board_size(board)).hexes if board.hex_grids else ()
        except HexsightError:
            continue  # a board without picture or with a broken grid: no player lies a thread there
        out.setdefault(board.map_name, set()).update(h.location for h in hexes if h.location)
    return out


def _check_size(spreads: Sequence[Spread], choice: StockChoice) -> None:
    where = choice.places
    size = sum(estimate_bytes(s, choice.max_range, where=where) for s in spreads)
    if size <= MOST_BYTES:
        return
    fits = largest_range(spreads, where=where)
    hint = f"--max-range {fits} fits" if fits else "Export fewer boards or --levels 0"
    raise UnsupportedError(
        f"The build file would have about {size / 1e6:.0f} MB, more than VASSAL opens with ease "
        f"({MOST_BYTES / 1e6:.0f} MB): {hint}."
    )
