"""Reasons of hex games with the rule numbers of their profiles, and where on the map."""

from __future__ import annotations

from typing import Any

from hexsight.los.explain import ReasonAt
from hexsight.los.hexes.profile import HexProfile, SlopeRow
from hexsight.los.hexes.rows import hex_row, side_row, slope_row
from hexsight.los.hexes.tables import HexTables
from hexsight.los.overlay import Overlay
from hexsight.los.rules import registry as codes
from hexsight.model.board import Board, HexFacts, HexsideFacts
from hexsight.model.layout import neighbour

# Codes that belong to the whole line and have no place of their own.
_TOTALS = frozenset({codes.TOO_MANY_HINDRANCES, codes.HALF_LIMIT, codes.OUT_OF_RANGE})
_UNITS = frozenset({codes.UNIT_BLOCKS, codes.UNIT_HINDERS})
_SMOKE = frozenset(
    {
        codes.SMOKE_HIDES,
        codes.TOO_MUCH_SMOKE,
        codes.SMOKE_HALVES,
        codes.IN_SMOKE,
        codes.SMOKE_ON_WAY,
    }
)
_HEXES = frozenset({codes.HEX_BLOCKS, codes.HEX_HINDERS})
_SIDES = frozenset({codes.HEXSIDE_BLOCKS, codes.HEXSIDE_HINDERS})


def reasons_of(profile: HexProfile, observer: str | None = None) -> dict[int, tuple[str, str]]:
    """Rule numbers and sentence of every code, for tables, which keep codes alone.

    What is a class's own is that of `observer`, of all classes without.
    """
    rules = profile.rules
    units = [*rules.overlay.units.values(), rules.overlay.wrecks, rules.overlay.vehicles]
    steep, gentle = rules.slopes.steep, rules.slopes.gentle
    stopping = [row.rule for row in (steep, gentle) if row.stops]
    numbers: dict[int, list[str]] = {
        codes.HEX_BLOCKS: [r.rule for r in rules.hexes if r.blocks],
        codes.HEX_HINDERS: [r.rule for r in rules.hexes if r.hinders],
        codes.HEXSIDE_BLOCKS: [r.rule for r in rules.hexsides if r.blocks],
        codes.HEXSIDE_HINDERS: [r.rule for r in rules.hexsides if r.hinders],
        codes.SLOPE_STOPS: stopping,
        codes.DEAD_ZONE: [steep.rule if steep.dead_zone else gentle.rule],
        codes.DEAD_ACROSS: [c.rule for c in rules.classes.values() if not c.across_dead_zone],
        codes.UNIT_BLOCKS: [u.rule for u in units if u and (u.blocks or u.enemy_blocks)],
        codes.UNIT_HINDERS: [u.rule for u in units if u and u.hinders],
        codes.OUT_OF_RANGE: [
            own.rule
            for name, own in rules.classes.items()
            if own.range_limit and observer in (None, name)
        ],
    }
    for code in _SMOKE:
        numbers[code] = [s.rule for s in (rules.overlay.smoke or {}).values()]
    out = {}
    for code, reason in codes.REASONS.items():
        if not codes.HEX_BLOCKS <= code < codes.HEX_HINDERS + 20:
            continue
        own = rules.rules.get(reason.code)
        found = [own] if own else list(dict.fromkeys(n for n in numbers.get(code, []) if n))
        out[code] = (", ".join(found) or reason.rule, reason.text)
    return out


def centre_of(facts: HexFacts) -> tuple[float, float]:
    """Middle of a hex in board pixels, to a tenth."""
    return round(facts.x_px, 1), round(facts.y_px, 1)


class Reasons:
    """Turns rows of a log into reasons.

    Parameters
    ----------
    board : Board
    profile : HexProfile
    overlay : Overlay
    observer : str
    tables : HexTables
    far : HexFacts
        Hex of the second Location: what is of the whole line is told there.
    """

    def __init__(
        self,
        board: Board,
        profile: HexProfile,
        overlay: Overlay,
        observer: str,
        tables: HexTables,
        far: HexFacts,
    ) -> None:
        self._board = board
        self._far = far
        self._profile = profile
        self._overlay = overlay
        self._observer = observer
        self._tables = tables
        self._general = reasons_of(profile, observer)

    def at(self, code: int, cell: int, direction: int, amount: int) -> ReasonAt:
        """The reason that a row of the log says."""
        reason = codes.REASONS[code]
        place: dict[str, Any] = {"pixel": centre_of(self._far)}
        facts = self._board.hexes[int(self._tables.cells[cell, 0])]
        side = None
        if direction >= 0:
            side = self._side(facts, direction)
        if side is not None:
            ends = self._board.layout.side(facts.col, facts.row, direction)
            x, y = ends.mean(axis=0)
            place = {"hexside": side.name, "pixel": (round(float(x), 1), round(float(y), 1))}
        elif code not in _TOTALS:
            place = {"hex": facts.name, "pixel": centre_of(facts)}
        return ReasonAt(
            reason.code,
            self._rule(code, facts, side),
            reason.text,
            hindrance=amount,
            **place,
        )

    def _side(self, facts: HexFacts, direction: int) -> HexsideFacts | None:
        other = self._board.by_offset.get(neighbour(facts.col, facts.row, direction))
        if other is None:
            return None
        return self._board.side_by_name.get(f"{facts.name}-{other.name}")

    def _rule(self, code: int, facts: HexFacts, side: HexsideFacts | None) -> str:
        """Number of the rule: that of the very row, where there is one."""
        profile, observer = self._profile, self._observer
        if codes.REASONS[code].code in profile.rules.rules:
            return self._general[code][0]
        row: Any = None
        if code in _HEXES:
            row = hex_row(profile, self._board, facts, observer)
        elif code in _SIDES and side is not None:
            row = side_row(profile, self._board.catalogue, side.terrain, observer)
        elif code == codes.SLOPE_STOPS and side is not None:
            row = self._slope(side)
        elif code in _UNITS:
            row = self._unit(facts)
        elif code in _SMOKE:
            row = (profile.rules.overlay.smoke or {}).get(observer)
        elif code == codes.DEAD_ACROSS:
            row = profile.rules.classes[observer]
        return str(row.rule) if row is not None and row.rule else self._general[code][0]

    def _slope(self, side: HexsideFacts) -> SlopeRow | None:
        a, b = self._board.by_name[side.a], self._board.by_name[side.b]
        rises = a.base_half != b.base_half
        return slope_row(
            self._profile, self._board.catalogue, side.terrain, rises, self._overlay.slopes
        )

    def _unit(self, facts: HexFacts) -> Any:
        rules = self._profile.rules.overlay
        for unit in self._overlay.units:
            row = rules.units[unit.kind]
            here = facts.name in {self._board.hex(name).name for name in unit.hexes}
            if here and (self._observer in (*row.blocks, *row.enemy_blocks) or row.hinders):
                return row
        for vehicle in self._overlay.vehicles:
            if self._board.hex(vehicle.at.partition("@")[0]).name == facts.name:
                return rules.wrecks if vehicle.wreck else rules.vehicles
        return None
