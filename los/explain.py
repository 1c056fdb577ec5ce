"""One pair of Locations, with everything that decides it and where on the map.

The pair is traced and judged by the functions that fill tables, with a log
switched on; so an explanation cannot differ from a table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hexsight.los.judge import judge_same_hex
from hexsight.los.kernel import forget, judge_line, trace
from hexsight.los.overlay import Overlay
from hexsight.los.overlay_judge import V_LOCATION, judge_screens_in_hex, judge_under
from hexsight.los.overlay_prepare import UnderOverlay, out_of_smoke, prepare, under
from hexsight.los.profile import Profile
from hexsight.los.rules.registry import (
    CLEAR,
    HINDERS_SMOKE,
    HINDERS_VEHICLE,
    HINDRANCE_LIMIT,
    REASONS,
)
from hexsight.los.scratch import (
    AT_SPINE,
    AT_TOTAL,
    AT_VERTEX,
    FIRST_HEX,
    HINDER,
    HINDRANCES,
    JOINS_B,
    LEFT_A,
    LOG_AMOUNT,
    LOG_CODE,
    LOG_HEX,
    LOG_SIDE,
    LOG_X,
    LOG_Y,
    N_LOG,
    N_RUNS,
    N_STEPS,
    R_CELL,
    REACH,
    Scratch,
    make_scratch,
)
from hexsight.los.tables import (
    C_HEX,
    C_INSIDE,
    H_FLAGS,
    H_INHERENT,
    IS_FACTORY,
    IS_ROOFLESS,
    L_HEX,
    L_SIGHT,
    Compiled,
)
from hexsight.model.board import Board, HexFacts, vertex_name
from hexsight.model.layout import hex_distance
from hexsight.model.locations import Location, find_location

LOG_ROOM = 4096


@dataclass(frozen=True)
class ReasonAt:
    """Something that decides a line, and where.

    Attributes
    ----------
    code, rule, text : str
        As in the registry.
    pixel : (float, float)
        Board pixel.
    hex, hexside, vertex : str or None
        Name of the place.
    hindrance : int
        What it adds, 0 where it blocks.
    """

    code: str
    rule: str
    text: str
    pixel: tuple[float, float]
    hex: str | None = None
    hexside: str | None = None
    vertex: str | None = None
    hindrance: int = 0

    def to_json(self) -> dict[str, Any]:
        """Fixed interface of ``hexsight los --json``."""
        out: dict[str, Any] = {"code": self.code, "rule": self.rule, "text": self.text}
        for key in ("hex", "hexside", "vertex"):
            if getattr(self, key) is not None:
                out[key] = getattr(self, key)
        if self.hindrance:
            out["hindrance"] = self.hindrance
        out["pixel"] = list(self.pixel)
        return out


@dataclass(frozen=True)
class ClassAnswer:
    """What a pair is to one class of observer.

    Attributes
    ----------
    state : str
        ``clear``, ``hindered``, ``half`` or ``blocked``.
    hindrance, halvings : int
        0 unless hindered, half.
    """

    state: str
    hindrance: int = 0
    halvings: int = 0

    def to_json(self) -> dict[str, Any]:
        """Part of ``hexsight los --json``."""
        out: dict[str, Any] = {"state": self.state}
        for key in ("hindrance", "halvings"):
            if getattr(self, key):
                out[key] = getattr(self, key)
        return out


@dataclass(frozen=True)
class Answer:
    """What there is to say of one pair.

    Attributes
    ----------
    from_name, to_name : str
        Locations.
    state : str
        ``clear``, ``hindered``, ``half`` or ``blocked``.
    hindrance : int
        Total of a hindered line, else 0.
    hindrance_by_hex : dict of str to int
        What each hex on the line adds, in order from the first Location; where
        the line runs along a hexside, the hex that adds most speaks for both.
    tem : int or None
        Target's terrain effects modifier when the first fires at the second;
        None on rooftops and where the line is blocked.
    range : int
        In hexes.
    reasons : tuple of ReasonAt
        In order from the first Location.
    out_of_smoke : int
        DRM when the first fires out of SMOKE in its own Location (A24.8); part
        of no Hindrance, for it counts from one end only.
    observer : str or None
        Class of observer that was asked for, where rules have classes.
    halvings : int
        How often the strength of fire is halved, where the state is ``half``.
    by_class : dict of str to ClassAnswer
        The answer for every class, in the profile's order.
    notes : dict of str to value
        More that rules have to say, such as ``{"gone_to_ground": True}``; part
        of the JSON.
    """

    from_name: str
    to_name: str
    state: str
    hindrance: int
    hindrance_by_hex: dict[str, int]
    tem: int | None
    range: int
    reasons: tuple[ReasonAt, ...]
    out_of_smoke: int = 0
    observer: str | None = None
    halvings: int = 0
    by_class: dict[str, ClassAnswer] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Fixed interface of ``hexsight los --json``."""
        out: dict[str, Any] = {
            "from": self.from_name,
            "to": self.to_name,
            "state": self.state,
            "hindrance": self.hindrance,
            "hindrance_by_hex": self.hindrance_by_hex,
            "tem": self.tem,
            "range": self.range,
            "reasons": [reason.to_json() for reason in self.reasons],
        }
        if self.out_of_smoke:
            out["out_of_smoke"] = self.out_of_smoke
        if self.observer is not None:
            out["observer"] = self.observer
        if self.halvings:
            out["halvings"] = self.halvings
        if self.by_class:
            out["by_class"] = {name: one.to_json() for name, one in self.by_class.items()}
        if self.notes:
            out["notes"] = self.notes
        return out


def explain(
    board: Board,
    from_name: str,
    to_name: str,
    profile: Profile,
    overlay: Overlay | None = None,
) -> Answer:
    """Line of sight between two Locations, with reasons.

    Parameters
    ----------
    board : Board
    from_name, to_name : str
        Locations, such as ``K15`` and ``O18@2``.
    profile : Profile
    overlay : Overlay, optional
        Scenario state.

    Raises
    ------
    UsageError
        If a Location or a hexside of the overlay does not exist.
    """
    return explain_under(prepare(board, profile, overlay), from_name, to_name)


def explain_compiled(compiled: Compiled, from_name: str, to_name: str) -> Answer:
    """As `explain`, for a board that is compiled already: for many questions."""
    return explain_under(under(compiled), from_name, to_name)


def explain_under(ready: UnderOverlay, from_name: str, to_name: str) -> Answer:
    """As `explain`, for a board and an overlay that are arrays already."""
    compiled, T = ready.compiled, ready.compiled.tables
    board = compiled.board
    start = find_location(compiled.locations, from_name, board)
    end = find_location(compiled.locations, to_name, board)
    i, j = compiled.locations.index(start), compiled.locations.index(end)
    S, screens = make_scratch(T, log=LOG_ROOM), ready.screens
    screens.by_range[:] = 0
    if start.hex == end.hex:
        return _same_hex(ready, S, start, end)
    _see_vehicles(ready, S, (i, j))
    # A table traces from the earlier hex; so does an explanation.
    turned = i > j
    a, b = (end.hex, start.hex) if turned else (start.hex, end.hex)
    low = min(int(T.locations[i, L_SIGHT]), int(T.locations[j, L_SIGHT]))
    trace(T, S, a, b, 1 << 20, low)
    code = judge_under(T, S, screens, a, b, min(i, j), max(i, j))
    forget(S)
    state = "blocked" if code else "hindered" if S.info[HINDRANCES] else "clear"
    reasons = _reasons(compiled, S, end)
    by_hex = _by_hex(ready, S, reasons)
    if turned:
        reasons = reasons[::-1]
        by_hex = dict(reversed(by_hex.items()))
    if state == "blocked":
        kept = tuple(r for r in reasons if not r.hindrance or code == HINDRANCE_LIMIT)
    else:
        kept = reasons
    one, two = board.hexes[start.hex], board.hexes[end.hex]
    return Answer(
        start.name,
        end.name,
        state,
        int(S.info[HINDRANCES]) if state == "hindered" else 0,
        by_hex,
        None if code else _tem(compiled, S, end, at_a=turned),
        hex_distance((one.col, one.row), (two.col, two.row)),
        kept,
        0 if code else out_of_smoke(ready, start),
    )


def _see_vehicles(ready: UnderOverlay, S: Scratch, ends: tuple[int, int]) -> None:
    """Find out whether both ends see the vehicles and wrecks of an overlay (D9.4)."""
    T, screens = ready.compiled.tables, ready.screens
    for k, row in enumerate(screens.rows.tolist()):
        vehicle = row[V_LOCATION]
        for end in ends if vehicle >= 0 else ():
            first, last = min(end, vehicle), max(end, vehicle)
            a, b = int(T.locations[first, L_HEX]), int(T.locations[last, L_HEX])
            screens.seen[k, end] = a == b or judge_line(T, S, a, b, first, last) == CLEAR


def _same_hex(ready: UnderOverlay, S: Scratch, start: Location, end: Location) -> Answer:
    compiled = ready.compiled
    facts = compiled.board.hexes[start.hex]
    i, j = compiled.locations.index(start), compiled.locations.index(end)
    code = CLEAR if i == j else judge_same_hex(compiled.tables, i, j)
    reasons: tuple[ReasonAt, ...] = ()
    if code:
        r = REASONS[code]
        reasons = (ReasonAt(r.code, r.rule, r.text, (facts.x_px, facts.y_px), hex=facts.name),)
    elif i != j:
        code = judge_screens_in_hex(compiled.tables, S, ready.screens, i, j)
        reasons = _reasons(compiled, S, end)
    hindrance = int(S.info[HINDRANCES])
    return Answer(
        start.name,
        end.name,
        "blocked" if code else "hindered" if hindrance else "clear",
        0 if code else hindrance,
        {facts.name: hindrance} if hindrance else {},
        None if code or end.kind == "roof" else _own_tem(compiled, end),
        0,
        reasons,
        0 if code else out_of_smoke(ready, start),
    )


def _reasons(compiled: Compiled, S: Scratch, end: Location) -> tuple[ReasonAt, ...]:
    """Events of the log, each code once for a place; a total is told at the far end."""
    board = compiled.board
    out: dict[tuple[int, str], ReasonAt] = {}
    for row in S.log[: int(S.info[N_LOG])].tolist():
        reason = REASONS[row[LOG_CODE]]
        place = _place(board, row, board.hexes[end.hex])
        named = {k: v for k, v in place.items() if k != "pixel"}
        key = (row[LOG_CODE], str(named or place))
        if key not in out:
            out[key] = ReasonAt(
                reason.code,
                reason.rule,
                reason.text,
                hindrance=row[LOG_AMOUNT] if row[LOG_CODE] != HINDRANCE_LIMIT else 0,
                **place,
            )
        if len(out) >= LOG_ROOM:
            break
    first = board.hexes[0]
    # Along the line; what has no place of its own comes last.
    a = S.steps[0, FIRST_HEX] if S.info[N_STEPS] else -1
    x0, y0 = (board.hexes[a].x_px, board.hexes[a].y_px) if a >= 0 else (first.x_px, first.y_px)
    return tuple(
        sorted(
            out.values(),
            key=lambda r: (
                r.code == "hindrance-limit",
                (r.pixel[0] - x0) ** 2 + (r.pixel[1] - y0) ** 2,
                r.code,
            ),
        )
    )


def _place(board: Board, row: list[int], far: HexFacts) -> dict[str, Any]:
    index, side = row[LOG_HEX], row[LOG_SIDE]
    x, y = row[LOG_X], row[LOG_Y]
    if side == AT_VERTEX:
        names = {(h.col, h.row): h.name for h in board.hexes}
        px, py = board.layout.lattice_to_pixel((x, y))
        return {
            "vertex": vertex_name(names, x, y),
            "pixel": (round(float(px), 1), round(float(py), 1)),
        }
    if side == AT_SPINE:
        one, two = board.hexes[x], board.hexes[y]
        return {
            "hexside": f"{one.name}-{two.name}",
            "pixel": (round((one.x_px + two.x_px) / 2, 1), round((one.y_px + two.y_px) / 2, 1)),
        }
    if side == AT_TOTAL:
        return {"pixel": (round(far.x_px, 1), round(far.y_px, 1))}
    if side >= 0:
        return {"hexside": board.hexsides[side].name, "pixel": (float(x), float(y))}
    return {"hex": board.hexes[index].name, "pixel": (float(x), float(y))}


def _by_hex(ready: UnderOverlay, S: Scratch, reasons: tuple[ReasonAt, ...]) -> dict[str, int]:
    """Hindrance that each range adds, under the hex that adds it."""
    board, reach = ready.compiled.board, int(S.info[REACH])
    first = board.hexes[int(S.steps[0, FIRST_HEX])]
    smoke, vehicle = REASONS[HINDERS_SMOKE].code, REASONS[HINDERS_VEHICLE].code
    added: dict[int, dict[str, ReasonAt]] = {}
    due: dict[tuple[int, str], int] = {}
    for away in range(reach + 1):
        clouds, carts = (int(v) for v in ready.screens.by_range[away])
        ground = int(S.steps[away, HINDER]) if 0 < away < reach else 0
        due[away, smoke] = clouds
        due[away, vehicle] = carts if carts > ground else 0
        due[away, ""] = 0 if carts > ground else ground
    for reason in reasons:
        if reason.hex is None or not reason.hindrance:
            continue
        facts = board.by_name[reason.hex]
        away = hex_distance((first.col, first.row), (facts.col, facts.row))
        kind = reason.code if reason.code in (smoke, vehicle) else ""
        # A vehicle's amount holds the terrain of its hex as well.
        fits = kind == vehicle or due.get((away, kind), 0) == reason.hindrance
        if due.get((away, kind)) and fits:
            added.setdefault(away, {}).setdefault(kind, reason)
    out: dict[str, int] = {}
    for away in sorted(added):
        for kind, reason in added[away].items():
            name = str(reason.hex)
            out[name] = out.get(name, 0) + due[away, kind]
    return out


def _tem(compiled: Compiled, S: Scratch, target: Location, *, at_a: bool) -> int | None:
    """TEM of a target, from how the traced line enters its hex (O5.41, B23.741)."""
    T = compiled.tables
    if target.kind in ("roof", "bridge"):
        return None
    flags = int(T.hexes[target.hex, H_FLAGS])
    tem = compiled.profile.tem
    if not flags & IS_FACTORY:
        return _own_tem(compiled, target)
    runs, left_a, joins_b = (int(S.info[k]) for k in (N_RUNS, LEFT_A, JOINS_B))
    order = range(runs) if at_a else range(runs - 1, -1, -1)
    for r in order:
        if left_a >= 0 and (r >= left_a if at_a else r < joins_b):
            break
        cell = int(S.runs[r, R_CELL])
        if T.cells[cell, C_INSIDE] and T.cells[cell, C_HEX] != target.hex:
            return tem.roofless if flags & IS_ROOFLESS else tem.factory
    return _own_tem(compiled, target)


def _own_tem(compiled: Compiled, target: Location) -> int:
    """TEM of the terrain of a Location, however it is fired at."""
    board, tem = compiled.board, compiled.profile.tem
    facts = board.hexes[target.hex]
    if facts.building:
        return tem.building.of(board.building_by_id[facts.building].material)
    cell = int(compiled.tables.hexes[target.hex, H_INHERENT])
    kind = board.catalogue[int(compiled.cell_code[cell]) if cell >= 0 else facts.terrain]
    if kind.kind == "rubble":
        return tem.rubble.of(kind.material)
    return {"woods": tem.woods, "rough": tem.rough}.get(kind.kind, tem.other)
