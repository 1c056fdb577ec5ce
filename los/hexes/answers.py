"""What the hex engine answers: one line, a star of them, all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hexsight.los.hexes import kernel
from hexsight.los.hexes.build import table_of
from hexsight.los.hexes.compile import compile_hexes
from hexsight.los.hexes.explain import ask
from hexsight.los.hexes.hook import ask_rule_file, entry_of_verdict
from hexsight.los.hexes.profile import HexProfile
from hexsight.los.hexes.reasons import reasons_of
from hexsight.los.hexes.tables import HexCompiled, make_line
from hexsight.los.overlay import Overlay
from hexsight.los.table import entry_of
from hexsight.los.viewshed import Seen, Viewshed
from hexsight.model.board import Board
from hexsight.model.layout import hex_distance
from hexsight.model.locations import find_location

__all__ = ["ask", "seen_compiled", "seen_from", "star_of", "table_of"]

# Fewer lines are answered sooner than a compiler is loaded.
_FEW = 1500


def seen_from(
    board: Board,
    a: str,
    profile: HexProfile,
    overlay: Overlay | None = None,
    observer: str | None = None,
    *,
    side: str | None = None,
) -> Viewshed:
    """All Locations seen from one; see `hexsight.los.engine.seen_from`."""
    name, state = profile.observer(observer), overlay or Overlay()
    compiled = compile_hexes(board, profile, state, side=side, observers=(name,))
    return seen_compiled(compiled, a, name, state)


def star_of(
    compiled: HexCompiled, a: str, observer: str
) -> tuple[int, NDArray[np.uint8], NDArray[np.uint8]]:
    """From one Location to all: its place, a table's bytes (n,) and reason codes (n,).

    Without what a rule file says.

    Raises
    ------
    UsageError
        If there is no such Location.
    """
    T, locations = compiled.by_class[observer], compiled.locations
    viewer = find_location(locations, a, compiled.board)
    place = locations.index(viewer)
    answers = np.zeros(len(locations), np.uint8)
    why = np.zeros(len(locations), np.uint8)
    line, cell = make_line(T), int(T.hex_cell[viewer.hex])
    star = kernel._fill_star if len(locations) < _FEW else kernel.fill_star
    star(T, line, cell, int(T.height[place]), answers, why)
    inside = slice(int(T.first[viewer.hex]), int(T.first[viewer.hex + 1]))
    why[inside] = kernel.within(T, line, cell)
    answers[inside] = kernel.as_byte(line, int(why[place]))
    return place, answers, why


def seen_compiled(compiled: HexCompiled, a: str, name: str, state: Overlay) -> Viewshed:
    """As `seen_from`, for a board that is compiled already with the class and the overlay."""
    board, profile, locations = compiled.board, compiled.profile, compiled.locations
    place, answers, why = star_of(compiled, a, name)
    viewer = locations[place]
    told, here, seen = reasons_of(profile, name), board.hexes[viewer.hex], []
    for j, loc in enumerate(locations):
        if j == place:
            continue
        facts = board.hexes[loc.hex]
        entry = entry_of(int(answers[j]), int(why[j]))
        rule = told[int(why[j])][0] if entry.state == "blocked" else None
        if profile.judge is not None:
            verdict = ask_rule_file(compiled, entry, viewer, loc, name, state)
            if verdict is not None:
                entry, rule = entry_of_verdict(verdict), verdict.rule or None
        seen.append(
            Seen(
                loc.name,
                facts.name,
                loc.kind,
                loc.level,
                entry.state,
                entry.hindrance,
                hex_distance((here.col, here.row), (facts.col, facts.row)),
                entry.reason.code if entry.reason is not None else None,
                rule,
                entry.halvings,
            )
        )
    several = len(profile.observers) > 1
    return Viewshed(viewer.name, tuple(seen), name if several else None)
