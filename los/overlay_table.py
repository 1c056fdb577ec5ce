"""A table under an overlay: the stored one, with only those pairs walked again that it touches."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.los.kernel import BLOCKED
from hexsight.los.overlay import Overlay
from hexsight.los.overlay_judge import V_LOCATION, Screens, fill_pairs
from hexsight.los.overlay_prepare import UnderOverlay, prepare, under
from hexsight.los.profile import Profile
from hexsight.los.scratch import make_scratch
from hexsight.los.table import Table, board_digest
from hexsight.los.tables import Compiled
from hexsight.model.board import Board, parse_hexside, side_vertices
from hexsight.model.layout import CORNERS, neighbour, vertex_hexes
from hexsight.model.locations import find_location

# How far beside its lattice a line may touch the pixels of a hex, in pixels.
MARGIN_PX = 2.0


@dataclass(frozen=True, eq=False)
class Overlaid:
    """A table under an overlay, and what it took.

    Attributes
    ----------
    table : Table
        Answers for every pair of Locations of the changed board.
    walked : int
        Pairs of Locations that were walked again.
    pairs : int
        All pairs of Locations.
    """

    table: Table
    walked: int
    pairs: int


def overlay_table(
    board: Board, profile: Profile, overlay: Overlay, base: Table | None = None
) -> Overlaid:
    """The table of a board under an overlay.

    Parameters
    ----------
    board : Board
        As printed.
    profile : Profile
    overlay : Overlay
    base : Table, optional
        Of `board` and `profile` without an overlay.  Only the pairs whose line
        touches a hex that the overlay changes are walked again, all others
        are taken over.  Without it, or when it was made from something else,
        every pair is walked.

    Returns
    -------
    Overlaid
        The same as a table of the changed board, pair by pair.

    Raises
    ------
    UsageError
        As `prepare`.
    """
    ready = prepare(board, profile, overlay)
    compiled = ready.compiled
    n = len(compiled.locations)
    names = tuple(loc.name for loc in compiled.locations)
    answers = np.zeros(n * (n - 1) // 2, np.uint8)
    usable = base is not None and base.is_made_from(board, profile)
    why = np.zeros(
        len(answers) if base is None or not usable or base.reasons is not None else 0, np.uint8
    )
    first, second = np.triu_indices(len(board.hexes))
    if base is not None and usable:
        take_over(base, names, answers, why)
        changed = changed_hexes(board, ready, overlay)
        touched = touching(compiled, first, second, changed)
        first, second = first[touched], second[touched]
    pairs = np.stack([first, second], axis=1).astype(np.int64)
    see_vehicles(ready)
    tables = compiled.tables
    scratch = make_scratch(tables)
    walked = int(fill_pairs(tables, scratch, ready.screens, pairs, -1, answers, why))
    digest = hashlib.sha256(board_digest(board) + overlay.digest).digest()
    made = Table(names, answers, why if len(why) else None, digest, profile.digest)
    return Overlaid(made, walked, len(answers))


def star(ready: UnderOverlay, name: str) -> tuple[int, NDArray[np.uint8], NDArray[np.uint8]]:
    """From one Location to all: its place, a table's bytes (v,) and reason codes (v,).

    Raises
    ------
    UsageError
        If there is no such Location.
    """
    compiled = ready.compiled
    place = compiled.locations.index(find_location(compiled.locations, name, compiled.board))
    see_vehicles(ready)
    return (place, *_row(compiled, ready.screens, place))


def see_vehicles(ready: UnderOverlay) -> None:
    """Find out from where the map lets each vehicle and wreck be seen (D9.4)."""
    screens = ready.screens
    nothing = under(ready.compiled).screens
    for k in np.flatnonzero(screens.rows[:, V_LOCATION] >= 0).tolist():
        row, _ = _row(ready.compiled, nothing, int(screens.rows[k, V_LOCATION]))
        screens.seen[k] = row < BLOCKED


def _row(
    compiled: Compiled, screens: Screens, place: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Answers and reason codes (v,) from one Location to all."""
    out = np.zeros(len(compiled.locations), np.uint8)
    why = np.zeros_like(out)
    tables = compiled.tables
    others = np.arange(len(tables.hexes), dtype=np.int64)
    here = compiled.locations[place].hex
    pairs = np.stack([np.minimum(others, here), np.maximum(others, here)], axis=1)
    fill_pairs(tables, make_scratch(tables), screens, pairs, place, out, why)
    return out, why


def take_over(
    base: Table, names: tuple[str, ...], answers: NDArray[np.uint8], why: NDArray[np.uint8]
) -> None:
    """Copy a table's answers for the Locations that are still there."""
    n, m = len(names), len(base.names)
    if names == base.names:
        answers[:] = base.answers
        if base.reasons is not None and len(why):
            why[:] = base.reasons
        return
    there = np.array([base.index.get(name, -1) for name in names], np.int64)
    for i in range(n - 1):
        if there[i] < 0:
            continue
        others = np.arange(i + 1, n)
        others = others[there[others] >= 0]
        p, q = np.minimum(there[i], there[others]), np.maximum(there[i], there[others])
        source = p * (2 * m - p - 1) // 2 + q - p - 1
        target = i * (2 * n - i - 1) // 2 + others - i - 1
        answers[target] = base.answers[source]
        if base.reasons is not None and len(why):
            why[target] = base.reasons[source]


def changed_hexes(board: Board, ready: UnderOverlay, overlay: Overlay) -> NDArray[np.intp]:
    """Indices of the hexes in which an overlay changes anything that a line could meet."""
    after = ready.compiled.board
    mark = np.zeros(len(board.hexes), bool)
    mark[ready.screens.rows[:, 0]] = True
    index = {(h.col, h.row): i for i, h in enumerate(board.hexes)}
    if after is not board:
        owner = board.owner[board.terrain != after.terrain]
        mark[owner[owner >= 0]] = True
        mark |= [a != b for a, b in zip(board.hexes, after.hexes, strict=True)]
    offsets = {h.name: (h.col, h.row) for h in board.hexes}
    sides = [s.name for s, t in zip(board.hexsides, after.hexsides, strict=True) if s != t]
    for name in [*sides, *sorted(overlay.breached)]:
        one, other, direction = parse_hexside(name, offsets)
        # A bar's end hides what is behind it in all hexes that meet at the vertex.
        cells = {one, other}
        for vertex in side_vertices(one, direction):
            cells |= set(vertex_hexes(*vertex))
        for cell in sorted(cells):
            if cell in index:
                mark[index[cell]] = True
    for was, is_ in zip(board.hexes, after.hexes, strict=True):
        if was.building != is_.building:
            # A vertex that the depiction no longer reaches belongs to all hexes around (O5.31).
            for k in range(6):
                cell = neighbour(was.col, was.row, k)
                if cell in index:
                    mark[index[cell]] = True
    return np.flatnonzero(mark)


def touching(
    compiled: Compiled, first: NDArray[np.intp], second: NDArray[np.intp], changed: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Which lines between hexes may touch one of the changed hexes, (p,) bool.

    A line touches a hex when its corners do not all lie on one side of it and
    the hex lies between its ends; corners are moved outwards by a margin, as
    a line may graze pixels whose middle lies in the next hex.
    """
    board = compiled.board
    centres = np.array([(h.x_px, h.y_px) for h in board.hexes], np.float64)
    corner = board.layout.lattice_to_pixel(np.array(CORNERS)) - board.layout.lattice_to_pixel(
        (0, 0)
    )
    radius = np.hypot(*corner.T)
    corner *= (1 + MARGIN_PX / radius)[:, None]
    reach = float(radius.max()) + MARGIN_PX
    out = np.zeros(len(first), bool)
    a, d = centres[first], centres[second] - centres[first]
    length = np.hypot(*d.T)
    unit = d / np.maximum(length, 1e-9)[:, None]
    for h in changed.tolist():
        along_x, along_y = centres[h, 0] - a[:, 0], centres[h, 1] - a[:, 1]
        along = along_x * unit[:, 0] + along_y * unit[:, 1]
        beside = along_x * unit[:, 1] - along_y * unit[:, 0]
        near = (np.abs(beside) <= reach) & (along >= -reach) & (along <= length + reach)
        near &= ~out
        at = np.flatnonzero(near & (length > 0))
        offsets = unit[at, 1, None] * corner[None, :, 0] - unit[at, 0, None] * corner[None, :, 1]
        side = beside[at, None] + offsets
        out[at] = (side.min(axis=1) <= 0) & (side.max(axis=1) >= 0)
        out |= (first == h) | (second == h)
    return out
