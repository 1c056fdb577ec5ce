"""A board, an overlay and the rules of a hex game as arrays, one set for each class."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexsight.los.hexes.profile import HexProfile, HexRow, HexsideRow, SlopeRow, UnitRow
from hexsight.los.hexes.rows import hex_row, side_row, slope_row
from hexsight.los.hexes.state import check_state
from hexsight.los.hexes.tables import (
    ANY,
    BOUNDED,
    ELEVATIONS,
    HIGHER,
    N_ACROSS_DEAD,
    N_COLUMNS,
    N_EITHER,
    N_HALF_LIMIT,
    N_HINDRANCE_LIMIT,
    N_IGNORE_LOWER,
    N_MODE,
    N_NUMBERS,
    N_RANGE_LIMIT,
    N_ROWS,
    N_SINGLE,
    N_SMOKE,
    N_SMOKE_HINDERS,
    N_SMOKE_IN,
    N_SMOKE_LIMIT,
    N_STEEP,
    N_TIE,
    N_WIDE,
    NONE,
    NOTHING,
    PAD_COLUMNS,
    PAD_ROWS,
    S_BLOCKS,
    S_COLUMNS,
    S_HINDER,
    S_OWN_CLEAR,
    S_STOPS,
    S_TOP,
    S_TWO_SIDED,
    SIGHT_LINE,
    THROUGH,
    X_BASE,
    X_COLUMNS,
    X_GROUND,
    X_HINDER,
    X_HINDER_TOP,
    X_INDEX,
    X_SMOKE,
    X_TOP,
    X_UNIT,
    X_UNIT_HINDER,
    HexCompiled,
    HexTables,
)
from hexsight.los.overlay import Overlay
from hexsight.los.rules.registry import GROUND_BLOCKS, HEX_BLOCKS
from hexsight.model.board import Board, HexFacts
from hexsight.model.locations import Location, locations_of

_KINDS = {"ground": {"ground"}, "levels": {"ground", "level"}}


def compile_hexes(
    board: Board,
    profile: HexProfile,
    overlay: Overlay | None = None,
    *,
    side: str | None = None,
    observers: tuple[str, ...] | None = None,
) -> HexCompiled:
    """Turn a board into arrays.

    Parameters
    ----------
    board : Board
    profile : HexProfile
    overlay : Overlay, optional
    side : str, optional
        Whose observers look: units of other sides are enemies; every unit is
        one without.
    observers : tuple of str, optional
        Classes that are wanted; all without.

    Raises
    ------
    UsageError
        If the overlay names what is not there, or what the rules do not know.
    """
    overlay = overlay or Overlay()
    check_state(board, overlay, profile)
    places = _Places(board, profile)
    edges = _edges(board, profile, overlay, places)
    by_class = {
        name: _of_class(board, profile, overlay, places, edges, name, side)
        for name in observers or profile.observers
    }
    return HexCompiled(board, profile, places.locations, by_class)


def locations_known(board: Board, profile: HexProfile) -> tuple[Location, ...]:
    """Locations of a board that the rules know."""
    kinds = _KINDS.get(profile.rules.locations)
    if profile.rules.locations == "ground":
        # The ground needs no look at buildings and bridges, which takes long.
        return tuple(
            Location(h.name, k, "ground", 0, h.base_half) for k, h in enumerate(board.hexes)
        )
    found = locations_of(board)
    return found if kinds is None else tuple(loc for loc in found if loc.kind in kinds)


class _Places:
    """Where the hexes of a board lie in the arrays."""

    def __init__(self, board: Board, profile: HexProfile) -> None:
        hexes = board.hexes
        # An even column stays even.
        self.column = min(h.col for h in hexes) & ~1
        self.row = min(h.row for h in hexes)
        self.columns = max(h.col for h in hexes) - self.column + 1
        self.rows = max(h.row for h in hexes) - self.row + 1
        self.wide = self.rows + 2 * PAD_ROWS
        self.count = (self.columns + 2 * PAD_COLUMNS) * self.wide
        self.cell = np.array([self.of(h.col, h.row) for h in hexes], np.int32)
        self.index = np.full(self.count, -1, np.int32)
        self.index[self.cell] = np.arange(len(hexes))
        self.base = np.zeros(self.count, np.int32)
        height = np.array([h.base_half for h in hexes], np.int32)
        self.base[self.cell] = 0 if profile.rules.elevation == "none" else height
        self.locations = locations_known(board, profile)
        flat = profile.rules.elevation == "none"
        self.height = np.array([0 if flat else k.level_half for k in self.locations], np.int32)
        counts = np.bincount([k.hex for k in self.locations], minlength=len(hexes))
        self.first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)

    def of(self, col: int, row: int) -> int:
        """Cell of a hex by its offset."""
        return (col - self.column + PAD_COLUMNS) * self.wide + row - self.row + PAD_ROWS


class _Edge(NamedTuple):
    """One hexside: both cells, direction from the first to the second, what is there."""

    one: int
    two: int
    direction: int
    terrain: int
    slope: SlopeRow | None

    def both(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Each cell with the direction to the other."""
        return (self.one, self.direction), (self.two, (self.direction + 3) % 6)


def _edges(
    board: Board, profile: HexProfile, overlay: Overlay, places: _Places
) -> tuple[_Edge, ...]:
    """Hexsides on which there is anything, or a slope."""
    catalogue, cell, out = board.catalogue, {}, []
    for facts, where in zip(board.hexes, places.cell.tolist(), strict=True):
        cell[facts.name] = where
    known: dict[tuple[int, bool], SlopeRow | None] = {}
    base = places.base.tolist()
    for side in board.hexsides:
        one, two = cell[side.a], cell[side.b]
        key = (side.terrain, base[one] != base[two])
        if key not in known:
            known[key] = slope_row(profile, catalogue, *key, overlay.slopes)
        if side.terrain or known[key] is not None:
            out.append(_Edge(one, two, side.direction, side.terrain, known[key]))
    return tuple(out)


def _of_class(
    board: Board,
    profile: HexProfile,
    overlay: Overlay,
    places: _Places,
    edges: tuple[_Edge, ...],
    observer: str,
    side: str | None,
) -> HexTables:
    """The arrays of one class."""
    cells = np.zeros((places.count, X_COLUMNS), np.int32)
    cells[:, X_INDEX] = places.index
    cells[:, X_BASE] = places.base
    cells[:, [X_TOP, X_GROUND, X_HINDER_TOP]] = NOTHING
    _terrain(cells, board, profile, places, observer)
    _ground(cells, profile, places, edges)
    _units(cells, board, profile, overlay, places, observer, side)
    smoke = (profile.rules.overlay.smoke or {}).get(observer)
    if smoke is not None:
        for cloud in overlay.smoke:
            facts = board.hex(cloud.hex)
            cells[places.of(facts.col, facts.row), X_SMOKE] = 1
    sides = _sides(board, profile, places, edges, observer)
    steep = np.zeros(places.count, np.uint8)
    for edge in edges:
        level = places.base[edge.one] == places.base[edge.two]
        if edge.slope is not None and edge.slope.dead_zone and not level:
            for where, d in edge.both():
                steep[where] |= 1 << d
    numbers = _numbers(profile, places, observer, bool(steep.any()))
    return HexTables(
        numbers,
        _busy(cells, profile, places),
        _sure(cells, profile, places),
        places.index,
        _crossing(sides),
        steep,
        cells,
        sides,
        places.cell,
        places.first,
        places.height,
    )


def _numbers(profile: HexProfile, places: _Places, observer: str, steep: bool) -> NDArray[np.int32]:
    rules, own = profile.rules, profile.rules.classes[observer]
    smoke = (rules.overlay.smoke or {}).get(observer)
    out = np.full(N_NUMBERS, -1, np.int32)
    out[N_WIDE], out[N_COLUMNS], out[N_ROWS] = places.wide, places.columns, places.rows
    out[N_MODE] = ELEVATIONS[rules.elevation]
    out[N_TIE] = rules.tie == "blocks"
    out[N_IGNORE_LOWER] = rules.lower_terrain == "ignored"
    out[N_EITHER] = rules.along_hexside == "either"
    limits = {
        N_HINDRANCE_LIMIT: rules.hindrance_limit,
        N_HALF_LIMIT: rules.half_limit,
        N_RANGE_LIMIT: own.range_limit or rules.range_limit,
        N_SMOKE_LIMIT: smoke.limit if smoke is not None else None,
    }
    for at, limit in limits.items():
        out[at] = -1 if limit is None else limit
    out[N_SMOKE] = 0 if smoke is None else THROUGH[smoke.through]
    out[N_SMOKE_IN] = smoke is not None and smoke.inside == "half"
    out[N_SMOKE_HINDERS] = 0 if smoke is None else smoke.hinders
    out[N_ACROSS_DEAD] = own.across_dead_zone
    out[N_STEEP] = steep
    out[N_SINGLE] = len(places.locations) == len(places.cell)
    return out


def _terrain(
    cells: NDArray[np.int32], board: Board, profile: HexProfile, places: _Places, observer: str
) -> None:
    """What fills the hexes."""
    mode = ELEVATIONS[profile.rules.elevation]
    known: dict[tuple[int, int], HexRow | None] = {}
    for facts, where in zip(board.hexes, places.cell.tolist(), strict=True):
        key = (facts.terrain, facts.building)
        if key not in known:
            known[key] = hex_row(profile, board, facts, observer)
        row = known[key]
        if row is None or not (row.blocks or row.hinders):
            continue
        top = _top(board, facts, row, mode, int(places.base[where]))
        if row.blocks:
            cells[where, X_TOP] = top
        else:
            cells[where, X_HINDER], cells[where, X_HINDER_TOP] = row.hinders, top


def _top(board: Board, facts: HexFacts, row: HexRow, mode: int, base: int) -> int:
    """How high terrain reaches; where only the ground counts, how high it lies."""
    if row.height == "any" or mode == NONE:
        return ANY
    if mode == BOUNDED:
        return base
    if row.height is not None:
        return base + row.height
    if facts.building:
        return base + facts.height_half
    return base + board.catalogue[facts.terrain].height_half


def _ground(
    cells: NDArray[np.int32], profile: HexProfile, places: _Places, edges: tuple[_Edge, ...]
) -> None:
    """Where the ground itself may block."""
    mode = ELEVATIONS[profile.rules.elevation]
    if mode == BOUNDED:
        # 10.9.2: only what a steep slope bounds.
        for edge in edges:
            if edge.slope is None or not edge.slope.bounds:
                continue
            upper, lower = edge.one, edge.two
            if places.base[upper] < places.base[lower]:
                upper, lower = lower, upper
            if places.base[upper] > places.base[lower]:
                cells[upper, X_GROUND] = places.base[upper]
    elif mode != NONE:
        cells[places.cell, X_GROUND] = places.base[places.cell]


def _units(
    cells: NDArray[np.int32],
    board: Board,
    profile: HexProfile,
    overlay: Overlay,
    places: _Places,
    observer: str,
    side: str | None,
) -> None:
    """Units, vehicles and wrecks."""
    rules = profile.rules.overlay
    stand: list[tuple[str, UnitRow, bool]] = []
    for unit in overlay.units:
        enemy = side is None or unit.side is None or unit.side != side
        stand += [(name, rules.units[unit.kind], enemy) for name in unit.hexes]
    for vehicle in overlay.vehicles:
        row = rules.wrecks if vehicle.wreck else rules.vehicles
        if row is not None:
            stand.append((vehicle.at.partition("@")[0], row, True))
    for name, row, enemy in stand:
        facts = board.hex(name)
        where = places.of(facts.col, facts.row)
        if observer in row.blocks or (enemy and observer in row.enemy_blocks):
            cells[where, X_UNIT] = 1
        cells[where, X_UNIT_HINDER] = max(int(cells[where, X_UNIT_HINDER]), row.hinders)


def _sides(
    board: Board,
    profile: HexProfile,
    places: _Places,
    edges: tuple[_Edge, ...],
    observer: str,
) -> NDArray[np.int32]:
    """What is on the hexsides."""
    mode, catalogue = ELEVATIONS[profile.rules.elevation], board.catalogue
    sides = np.zeros((places.count * 6, S_COLUMNS), np.int32)
    known: dict[int, HexsideRow | None] = {}
    for edge in edges:
        if edge.terrain not in known:
            known[edge.terrain] = side_row(profile, catalogue, edge.terrain, observer)
        row = known[edge.terrain]
        values = np.zeros(S_COLUMNS, np.int32)
        values[S_STOPS] = edge.slope is not None and observer in edge.slope.stops
        if row is not None:
            base = int(max(places.base[edge.one], places.base[edge.two]))
            height = catalogue[edge.terrain].height_half if row.height is None else row.height
            if mode == NONE or isinstance(height, str):
                values[S_TOP] = ANY
            else:
                values[S_TOP] = base if mode == BOUNDED else base + height
            values[S_BLOCKS], values[S_HINDER] = row.blocks, row.hinders
            values[S_TWO_SIDED] = row.two_sided
            values[S_OWN_CLEAR] = row.own_hex == "clear"
        for where, d in edge.both():
            sides[where * 6 + d] = values
    return sides


def _crossing(sides: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Bits of the hexsides that may matter, by cell."""
    matters = (sides[:, [S_BLOCKS, S_HINDER, S_STOPS]] != 0).any(axis=1).reshape(-1, 6)
    bits: NDArray[np.uint8] = (matters << np.arange(6)).sum(axis=1).astype(np.uint8)
    return bits


def _busy(cells: NDArray[np.int32], profile: HexProfile, places: _Places) -> NDArray[np.uint8]:
    """Cells that may matter to a line through them: not the flat and empty ones."""
    mode = ELEVATIONS[profile.rules.elevation]
    low = int(places.height.min(initial=ANY)) if mode in (HIGHER, SIGHT_LINE, BOUNDED) else NOTHING
    top = np.maximum(cells[:, X_TOP], cells[:, X_HINDER_TOP])
    busy = (top >= low) & (top > NOTHING)
    busy |= (cells[:, X_GROUND] > low) & (cells[:, X_GROUND] > NOTHING)
    busy |= (cells[:, [X_UNIT, X_UNIT_HINDER, X_SMOKE]] != 0).any(axis=1)
    return busy.astype(np.uint8)


def _sure(cells: NDArray[np.int32], profile: HexProfile, places: _Places) -> NDArray[np.uint8]:
    """Codes of what blocks from whatever heights of Locations, in the order of `pass_through`."""
    rules = profile.rules
    mode = ELEVATIONS[rules.elevation]
    low, high = int(places.height.min(initial=0)), int(places.height.max(initial=0))
    never = (cells[:, X_GROUND] <= low) | (cells[:, X_GROUND] <= NOTHING)
    if mode in (HIGHER, SIGHT_LINE):
        top = cells[:, X_TOP] > high
    elif mode == BOUNDED and rules.lower_terrain == "ignored":
        top = cells[:, X_TOP] >= high
    else:
        top = cells[:, X_TOP] > NOTHING
    out = np.where(never & top, HEX_BLOCKS, 0)
    out = np.where(cells[:, X_GROUND] > high, GROUND_BLOCKS, out)
    return out.astype(np.uint8)
