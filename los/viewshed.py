"""All that is seen from one Location."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hexsight.los.kernel import BLOCKED
from hexsight.los.overlay import Overlay
from hexsight.los.overlay_prepare import UnderOverlay, prepare
from hexsight.los.overlay_table import star
from hexsight.los.profile import Profile
from hexsight.los.rules.registry import REASONS
from hexsight.los.table import Table
from hexsight.los.tables import Compiled
from hexsight.model.board import Board
from hexsight.model.layout import hex_distance
from hexsight.model.locations import find_location


@dataclass(frozen=True)
class Seen:
    """What one Location is to the viewer.

    Attributes
    ----------
    name : str
        Location.
    hex : str
    kind : str
        ``ground``, ``level``, ``roof``, ``cellar`` or ``bridge``.
    level : int
        Storey, as in `hexsight.model.locations.Location`.
    state : str
        ``clear``, ``hindered``, ``half`` or ``blocked``.
    hindrance : int
        0 unless hindered.
    range : int
        In hexes.
    code, rule : str or None
        Of one thing that blocks.
    halvings : int
        0 unless half.
    """

    name: str
    hex: str
    kind: str
    level: int
    state: str
    hindrance: int
    range: int
    code: str | None = None
    rule: str | None = None
    halvings: int = 0

    def to_json(self) -> dict[str, Any]:
        """Part of ``hexsight los --from … --json``."""
        out: dict[str, Any] = {
            "to": self.name,
            "state": self.state,
            "hindrance": self.hindrance,
            "range": self.range,
        }
        if self.code is not None:
            out |= {"code": self.code, "rule": self.rule}
        if self.halvings:
            out["halvings"] = self.halvings
        return out


@dataclass(frozen=True)
class Viewshed:
    """What is seen from one Location.

    Attributes
    ----------
    from_name : str
        The viewer's Location.
    seen : tuple of Seen
        Every other Location, in the board's order.
    observer : str or None
        Class of observer, where rules have several.
    """

    from_name: str
    seen: tuple[Seen, ...]
    observer: str | None = None

    def count(self, state: str) -> int:
        """How many Locations are in a state."""
        return sum(one.state == state for one in self.seen)

    def to_json(self) -> dict[str, Any]:
        """Fixed interface of ``hexsight los --from … --json``."""
        out: dict[str, Any] = {"from": self.from_name}
        if self.observer is not None:
            out["observer"] = self.observer
        return out | {"locations": [one.to_json() for one in self.seen]}


def viewshed(
    board: Board, from_name: str, profile: Profile, overlay: Overlay | None = None
) -> Viewshed:
    """Answer every line from one Location.

    Parameters
    ----------
    board : Board
    from_name : str
        Location, such as ``K15`` or ``O18@2``.
    profile : Profile
    overlay : Overlay, optional
        Scenario state.

    Returns
    -------
    Viewshed
        The same answers as a table's.

    Raises
    ------
    UsageError
        If there is no such Location, or the overlay is wrong.
    """
    return viewshed_under(prepare(board, profile, overlay), from_name)


def viewshed_under(ready: UnderOverlay, from_name: str) -> Viewshed:
    """As `viewshed`, for a board and an overlay that are arrays already."""
    return _viewshed(ready.compiled, *star(ready, from_name))


def viewshed_of_table(table: Table, compiled: Compiled, from_name: str) -> Viewshed:
    """As `viewshed`, out of the table of a board that is arrays already; the fastest way.

    Of several things that block a line, a table may name another one.

    Raises
    ------
    UsageError
        If there is no such Location.
    """
    return _viewshed(compiled, *table_row(table, compiled, from_name))


def table_row(
    table: Table, compiled: Compiled, from_name: str
) -> tuple[int, NDArray[np.uint8], NDArray[np.uint8]]:
    """As `hexsight.los.overlay_table.star`, out of a table: place, answers and codes (v,).

    Raises
    ------
    UsageError
        If there is no such Location.
    """
    locations = compiled.locations
    place = locations.index(find_location(locations, from_name, compiled.board))
    n = len(locations)
    answers, why = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
    others = np.delete(np.arange(n, dtype=np.int64), place)
    low, high = np.minimum(others, place), np.maximum(others, place)
    at = low * (2 * n - low - 1) // 2 + high - low - 1
    answers[others] = table.answers[at]
    if table.reasons is not None:
        why[others] = table.reasons[at]
    return place, answers, why


def _viewshed(
    compiled: Compiled, place: int, answers: NDArray[np.uint8], codes: NDArray[np.uint8]
) -> Viewshed:
    """A row of answers and reason codes (v,) in words."""
    locations, hexes = compiled.locations, compiled.board.hexes
    here = hexes[locations[place].hex]
    seen = []
    for j, loc in enumerate(locations):
        if j == place:
            continue
        facts = hexes[loc.hex]
        value, reason = int(answers[j]), REASONS.get(int(codes[j]))
        blocked = bool(value & BLOCKED)
        seen.append(
            Seen(
                loc.name,
                facts.name,
                loc.kind,
                loc.level,
                "blocked" if blocked else "hindered" if value else "clear",
                0 if blocked else value,
                hex_distance((here.col, here.row), (facts.col, facts.row)),
                reason.code if blocked and reason else None,
                reason.rule if blocked and reason else None,
            )
        )
    return Viewshed(locations[place].name, tuple(seen))
