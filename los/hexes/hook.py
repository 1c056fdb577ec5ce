"""The rule file of a game: a function that is asked for every pair after the data.

A package offers it by the entry point group ``hexsight.rules``: a module or
object with ``PROFILE`` (the text of a YAML file) and, where data does not do,

    def judge(line: HexLine, verdict: Verdict) -> Verdict

which returns `verdict` or a changed copy of it.  It must not depend on
anything but its arguments.  The engine hands it each line from the higher end,
between ends of one height from the hex that comes first on the board, so that
answers stay reciprocal.
"""

from __future__ import annotations

import numpy as np

from hexsight.los.hexes.lines import HexLine, LineStep, Verdict
from hexsight.los.hexes.sweep import AMOUNT, BLOCKED, HALF
from hexsight.los.hexes.tables import HexCompiled
from hexsight.los.overlay import Overlay
from hexsight.los.rules.registry import REASONS, RULE_FILE
from hexsight.los.table import Entry, Table, entry_of
from hexsight.los.traverse import hex_line
from hexsight.model.board import Board
from hexsight.model.errors import UsageError
from hexsight.model.locations import Location

_STATES = ("clear", "hindered", "half", "blocked")


def ask_rule_file(
    compiled: HexCompiled,
    entry: Entry,
    start: Location,
    end: Location,
    observer: str,
    overlay: Overlay,
) -> Verdict | None:
    """What a game's rule file makes of an answer; None where it leaves it as it is.

    Raises
    ------
    UsageError
        If it fails, or gives back what is no verdict.
    """
    profile = compiled.profile
    line = line_between(compiled.board, start, end, observer, overlay)
    before = Verdict(entry.state, entry.hindrance, entry.halvings)
    where = f"The rule file of the rules {profile.name} failed at {start.name} → {end.name}"
    try:
        after = profile.judge(line, before)
    except (Exception, SystemExit) as error:  # whatever somebody else's code raises is told
        said = " ".join(str(error).split())[:200] or "no more is said"
        raise UsageError(f"{where}: {type(error).__name__}: {said}. Mend the rule file.") from error
    if not isinstance(after, Verdict) or after.state not in _STATES:
        raise UsageError(f"{where}: it gave back no Verdict. Return verdict, or a copy of it.")
    wrong = _wrong(after, compiled.board)
    if wrong:
        raise UsageError(f"{where}: {wrong}")
    return None if after == before else after


def _wrong(verdict: Verdict, board: Board) -> str:
    """What is wrong with a verdict."""
    for word in ("rule", "text"):
        told = getattr(verdict, word)
        if not isinstance(told, str) or len(told.splitlines()) > 1:
            return f"{word} must be a text of one line, not {told!r}."
    if verdict.hex is not None and verdict.hex not in board.by_name:
        return f"there is no hex {verdict.hex!r} on board {board.name}."
    for word, state in (("hindrance", "hindered"), ("halvings", "half")):
        value = getattr(verdict, word)
        if type(value) is not int or not 0 <= value <= AMOUNT:
            return f"{word} must be a whole number from 0 to {AMOUNT}, not {value!r}."
        if (value > 0) != (verdict.state == state):
            return f"the state {verdict.state} does not go with {word} {value}."
    return ""


def line_between(
    board: Board, start: Location, end: Location, observer: str, overlay: Overlay
) -> HexLine:
    """A line as rule files get it, from the higher end."""
    high, low = start, end
    if (end.level_half, -end.hex) > (start.level_half, -start.hex):
        high, low = end, start
    one, two = board.hexes[high.hex], board.hexes[low.hex]
    steps: list[LineStep] = []
    for step in hex_line((one.col, one.row), (two.col, two.row)).steps:
        hexes = tuple(board.by_offset[c] for c in step.hexes if c in board.by_offset)
        before = steps[-1].hexes if steps else ()
        sides = (board.side_by_name.get(f"{p.name}-{q.name}") for p in before for q in hexes)
        steps.append(LineStep(hexes, tuple(s for s in sides if s is not None)))
    return HexLine(board, observer, tuple(steps), (high.level_half, low.level_half), overlay)


def entry_of_verdict(verdict: Verdict) -> Entry:
    """A verdict as a table says it."""
    reason = REASONS[RULE_FILE] if verdict.state == "blocked" else None
    return Entry(verdict.state, verdict.hindrance, reason, verdict.halvings)


def apply_rule_file(compiled: HexCompiled, table: Table, observer: str, overlay: Overlay) -> None:
    """Ask a rule file for every pair of a table of one class, and change the table.

    Raises
    ------
    UsageError
        As `ask_rule_file`.
    """
    at = 0
    for i, start in enumerate(compiled.locations):
        for end in compiled.locations[i + 1 :]:
            verdict = ask_rule_file(
                compiled, entry_of(int(table.answers[at])), start, end, observer, overlay
            )
            if verdict is not None:
                table.answers[at] = _byte(verdict)
                if table.reasons is not None:
                    table.reasons[at] = RULE_FILE if verdict.state == "blocked" else 0
            at += 1


def _byte(verdict: Verdict) -> np.uint8:
    if verdict.state == "blocked":
        return np.uint8(BLOCKED)
    return np.uint8(HALF | verdict.halvings if verdict.halvings else verdict.hindrance)
