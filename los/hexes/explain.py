"""One pair of Locations of a hex game, with all that decides it and where on the map.

The pair is judged by the functions that fill tables, with a log switched on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hexsight.los.explain import Answer, ClassAnswer, ReasonAt
from hexsight.los.hexes.compile import compile_hexes
from hexsight.los.hexes.hook import ask_rule_file, entry_of_verdict
from hexsight.los.hexes.judge import judge
from hexsight.los.hexes.kernel import as_byte, within
from hexsight.los.hexes.profile import HexProfile
from hexsight.los.hexes.reasons import Reasons, centre_of
from hexsight.los.hexes.slopes import hidden_by
from hexsight.los.hexes.steps import lay, place
from hexsight.los.hexes.tables import (
    I_LOG,
    I_STEPS,
    LOG_AMOUNT,
    LOG_CELL,
    LOG_CODE,
    LOG_SIDE,
    T_PAIR,
    T_X,
    T_X_2,
    HexCompiled,
    HexTables,
    Line,
    make_line,
)
from hexsight.los.overlay import Overlay
from hexsight.los.rules import registry as codes
from hexsight.los.table import Entry, entry_of
from hexsight.model.board import Board, HexFacts
from hexsight.model.layout import DIRECTIONS, hex_distance, to_lattice
from hexsight.model.locations import Location, find_location

LOG_ROOM = 2048


@dataclass(frozen=True)
class Judged:
    """What the rules make of one pair.

    Attributes
    ----------
    entry : Entry
        As a table says it.
    reasons : tuple of ReasonAt
        From the first Location.
    """

    entry: Entry
    reasons: tuple[ReasonAt, ...]


def ask(
    board: Board,
    a: str,
    b: str,
    profile: HexProfile,
    overlay: Overlay | None = None,
    observer: str | None = None,
    *,
    side: str | None = None,
) -> Answer:
    """Line of sight between two Locations; see `hexsight.los.engine.ask`."""
    chosen = profile.observer(observer)
    overlay = overlay or Overlay()
    compiled = compile_hexes(board, profile, overlay, side=side)
    return ask_compiled(compiled, a, b, chosen, overlay)


def many(board: Board, profile: HexProfile) -> Callable[[str, str, str | None], Answer]:
    """A function that answers pairs of Locations for a class; see `hexsight.los.engine.asking`."""
    compiled = compile_hexes(board, profile)
    return lambda a, b, name: ask_compiled(compiled, a, b, profile.observer(name), Overlay())


def ask_compiled(compiled: HexCompiled, a: str, b: str, observer: str, overlay: Overlay) -> Answer:
    """As `ask`, for a board that is compiled already: for many questions."""
    board = compiled.board
    start = find_location(compiled.locations, a, board)
    end = find_location(compiled.locations, b, board)
    by_class = {name: judge_pair(compiled, start, end, name, overlay) for name in compiled.by_class}
    mine = by_class[observer]
    one, two = board.hexes[start.hex], board.hexes[end.hex]
    entry = mine.entry
    by_hex: dict[str, int] = {}
    for reason in mine.reasons:
        if reason.hindrance:
            name = reason.hex or reason.hexside or ""
            by_hex[name] = by_hex.get(name, 0) + reason.hindrance
    several = len(by_class) > 1
    return Answer(
        start.name,
        end.name,
        entry.state,
        entry.hindrance,
        by_hex,
        None,
        hex_distance((one.col, one.row), (two.col, two.row)),
        mine.reasons,
        observer=observer if several else None,
        halvings=entry.halvings,
        by_class={
            name: ClassAnswer(j.entry.state, j.entry.hindrance, j.entry.halvings)
            for name, j in by_class.items()
        }
        if several
        else {},
    )


def judge_pair(
    compiled: HexCompiled, start: Location, end: Location, observer: str, overlay: Overlay
) -> Judged:
    """One pair for one class, with reasons."""
    board, T = compiled.board, compiled.by_class[observer]
    S = make_line(T, LOG_ROOM)
    one, two = board.hexes[start.hex], board.hexes[end.hex]
    told = Reasons(board, compiled.profile, overlay, observer, T, two)
    # A table traces from the earlier column and row; so does an explanation.
    turned = (one.col, one.row) > (two.col, two.row)
    low, high = (end, start) if turned else (start, end)
    cell = int(T.hex_cell[low.hex])
    reasons: list[ReasonAt] = []
    if start.hex == end.hex:
        value, code = (0, 0) if start is end else _in_hex(T, S, cell)
    else:
        first, last = board.hexes[low.hex], board.hexes[high.hex]
        (x0, y0), (x1, y1) = to_lattice(first.col, first.row), to_lattice(last.col, last.row)
        lay(T, S, x1 - x0, y1 - y0)
        at = {loc: int(T.height[compiled.locations.index(loc)]) for loc in (low, high)}
        code = int(judge(T, S, cell, first.col & 1, at[low], at[high]))
        value = int(as_byte(S, code))
        slope = _hiding_slope(T, S, cell, first.col & 1, at[low], at[high])
        if slope is not None and codes.DEAD_ZONE in S.log[: S.info[I_LOG], LOG_CODE]:
            reasons.append(told.at(codes.DEAD_ZONE, *slope, 0))
    skip = codes.DEAD_ZONE if reasons else -1
    for row in S.log[: S.info[I_LOG]].tolist():
        if row[LOG_CODE] != skip:
            reasons.append(told.at(row[LOG_CODE], row[LOG_CELL], row[LOG_SIDE], row[LOG_AMOUNT]))
    judged = Judged(entry_of(value, code), _in_order(reasons, one, two))
    if compiled.profile.judge is not None and start is not end:
        judged = _after_rule_file(compiled, judged, start, end, observer, overlay)
    return Judged(judged.entry, _that_decide(judged))


def _in_hex(T: HexTables, S: Line, cell: int) -> tuple[int, int]:
    """Byte and code between two Locations of one hex."""
    code = int(within(T, S, cell))
    return int(as_byte(S, code)), code


def _hiding_slope(
    T: HexTables, S: Line, start: int, odd: int, a: int, b: int
) -> tuple[int, int] | None:
    """Upper cell and direction of the steep slope in whose dead zone the lower end lies."""
    if a == b:
        return None
    from_end, n = b > a, int(S.info[I_STEPS])
    target = 0 if from_end else n - 1
    order = range(n - 1, 0, -1) if from_end else range(n - 1)
    for j in order:
        m = j - 1 if from_end else j + 1
        for x in range(1 + int(S.steps[T_PAIR, j])):
            for y in range(1 + int(S.steps[T_PAIR, m])):
                height = b if from_end else a
                bits = hidden_by(T, S, start, odd, height, from_end, j, x, m, y, target, 0)
                if bits & 1:
                    gap = [
                        int(S.steps[(T_X_2 if y else T_X) + k, m])
                        - int(S.steps[(T_X_2 if x else T_X) + k, j])
                        for k in range(2)
                    ]
                    upper = start + int(S.steps[place(odd, x), j])
                    return upper, DIRECTIONS.index((gap[0], gap[1]))
    return None


def _after_rule_file(
    compiled: HexCompiled,
    before: Judged,
    start: Location,
    end: Location,
    observer: str,
    overlay: Overlay,
) -> Judged:
    """What a rule file makes of an answer."""
    verdict = ask_rule_file(compiled, before.entry, start, end, observer, overlay)
    if verdict is None:
        return before
    board, blocked = compiled.board, verdict.state == "blocked"
    number = codes.RULE_FILE if blocked else codes.RULE_FILE_TELLS
    reason = codes.REASONS[number]
    facts = board.by_name.get(verdict.hex or "", board.hexes[end.hex])
    more = ReasonAt(
        reason.code,
        verdict.rule or reason.rule,
        verdict.text or reason.text,
        centre_of(facts),
        facts.name,
    )
    return Judged(entry_of_verdict(verdict), (more, *before.reasons))


def _in_order(reasons: list[ReasonAt], one: HexFacts, two: HexFacts) -> tuple[ReasonAt, ...]:
    """Each reason once, along the line from the first hex; what has no place comes last."""
    dx, dy = two.x_px - one.x_px, two.y_px - one.y_px

    def along(reason: ReasonAt) -> tuple[bool, float, str]:
        nowhere = reason.hex is None and reason.hexside is None
        x, y = reason.pixel
        share = 0.0 if nowhere else (x - one.x_px) * dx + (y - one.y_px) * dy
        return nowhere, round(share, 3), f"{reason.code} {reason.hex} {reason.hexside}"

    return tuple(sorted(dict.fromkeys(reasons), key=along))


def _that_decide(judged: Judged) -> tuple[ReasonAt, ...]:
    """Of a blocked line only what blocks, and what adds up to a limit."""
    if judged.entry.state != "blocked":
        return judged.reasons
    words = {r.code for r in judged.reasons}
    limits = {codes.REASONS[c].code for c in (codes.TOO_MANY_HINDRANCES, codes.HALF_LIMIT)}
    limits.add(codes.REASONS[codes.TOO_MUCH_SMOKE].code)
    block = {r.code for c, r in codes.REASONS.items() if codes.blocks(c)}
    if words & block and words & block <= limits:
        return judged.reasons
    return tuple(r for r in judged.reasons if r.code in block)
