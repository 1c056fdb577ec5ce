"""The table of a board after a correction: only lines walked again that touch what changed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.los.overlay_judge import fill_pairs
from hexsight.los.overlay_prepare import under
from hexsight.los.overlay_table import take_over, touching
from hexsight.los.scratch import make_scratch
from hexsight.los.table import Table, board_digest, build_table
from hexsight.los.tables import (
    C_HEX,
    H_BASE,
    H_FLAGS,
    H_INHERENT,
    H_LOW,
    H_SIDE,
    H_TOP,
    H_VERTEX,
    S_BREACHED,
    Compiled,
)
from hexsight.model.board import side_vertices
from hexsight.model.layout import vertex_hexes

# What a line asks of a hex besides its pixels: columns of `Tables.hexes`.
_ASKED = [H_BASE, H_FLAGS, H_TOP, H_LOW, *range(H_VERTEX, H_VERTEX + 6), *range(H_SIDE, H_SIDE + 6)]


@dataclass(frozen=True, eq=False)
class Retabled:
    """A table after a correction, and what it took.

    Attributes
    ----------
    table : Table
    walked, pairs : int
        Pairs of Locations that were walked again, and all.
    changed : int
        Answers of pairs in both tables that are others than before.
    """

    table: Table
    walked: int
    pairs: int
    changed: int


def retable(base: Table, before: Compiled, after: Compiled) -> Retabled:
    """The table of a board from that of the board before a correction.

    Parameters
    ----------
    base : Table
        Of `before`.
    before, after : Compiled

    Returns
    -------
    Retabled
        With the answers that `build_table` gives for the board after it.  Of several
        things that block a line, the reason may be another one than there, where
        lines remember what blocked their neighbours.

    Notes
    -----
    A line depends on nothing but the pixels, hexes and hexsides that it touches.  Where
    none of these is another in the arrays of both boards, its answer is the old one.
    Of a board on another lattice, or under other rules, all lines are walked.
    """
    hexes = changed_hexes(before, after)
    if hexes is None or base.reasons is None:
        reasons = base.reasons is not None
        made = build_table(after.board, after.profile, reasons=reasons)
        return Retabled(made, len(made.answers), len(made.answers), _differ(base, made))
    n = len(after.locations)
    answers = np.zeros(n * (n - 1) // 2, np.uint8)
    why = np.zeros(len(answers), np.uint8)
    names = tuple(loc.name for loc in after.locations)
    take_over(base, names, answers, why)
    old = answers.copy()
    first, second = np.triu_indices(len(after.board.hexes))
    touched = touching(after, first, second, hexes)
    pairs = np.stack([first[touched], second[touched]], axis=1).astype(np.int64)
    tables = after.tables
    walked = int(
        fill_pairs(tables, make_scratch(tables), under(after).screens, pairs, -1, answers, why)
    )
    digest = board_digest(after.board)
    table = Table(names, answers, why, digest, after.profile.digest)
    return Retabled(table, walked, len(answers), int(np.count_nonzero(old != answers)))


def _differ(one: Table, other: Table) -> int:
    if one.names != other.names:
        return len(other.answers)
    return int(np.count_nonzero(one.answers != other.answers))


def changed_hexes(before: Compiled, after: Compiled) -> NDArray[np.intp] | None:
    """Hexes of which anything is another that a line could ask; None where all may be."""
    old, new = before.tables, after.tables
    same = (
        before.board.layout == after.board.layout
        and old.pixels.shape == new.pixels.shape
        and np.array_equal(old.numbers, new.numbers)
        and np.array_equal(old.lookup, new.lookup)
        and np.array_equal(old.sides[:, :S_BREACHED], new.sides[:, :S_BREACHED])
    )
    if not same:
        return None
    mark = (old.hexes[:, _ASKED] != new.hexes[:, _ASKED]).any(axis=1)
    mark |= _other_inherent(before, after)
    mark |= _other_locations(before, after)
    pixels = _other_pixels(before, after)
    if len(pixels) and pixels[0] < 0:
        return None  # beside the hexes: whoever passes there is not known
    mark[pixels] = True
    sides = np.flatnonzero((old.sides != new.sides).any(axis=1))
    index = {(h.col, h.row): i for i, h in enumerate(after.board.hexes)}
    for k in sides.tolist():
        side = after.board.hexsides[k]
        one = after.board.by_name[side.a]
        for vertex in side_vertices((one.col, one.row), side.direction):
            for cell in vertex_hexes(*vertex):
                if cell in index:
                    mark[index[cell]] = True
    return np.flatnonzero(mark)


def _other_inherent(before: Compiled, after: Compiled) -> NDArray[np.bool_]:
    """Hexes that are filled by another terrain."""
    rows = []
    for tables in (before.tables, after.tables):
        at = tables.hexes[:, H_INHERENT]
        content = np.where(at[:, None] >= 0, tables.cells[np.maximum(at, 0)], -1)
        rows.append(content if len(tables.cells) else np.full((len(at), 1), -1))
    found: NDArray[np.bool_] = (rows[0] != rows[1]).any(axis=1)
    return found


def _other_locations(before: Compiled, after: Compiled) -> NDArray[np.bool_]:
    """Hexes that have other Locations, or Locations at other heights."""
    told: list[list[tuple[object, ...]]] = [[] for _ in after.board.hexes]
    for loc in before.locations:
        told[loc.hex].append((loc.kind, loc.level, loc.level_half))
    now: list[list[tuple[object, ...]]] = [[] for _ in after.board.hexes]
    for loc in after.locations:
        now[loc.hex].append((loc.kind, loc.level, loc.level_half))
    return np.array([a != b for a, b in zip(told, now, strict=True)], bool)


def _other_pixels(before: Compiled, after: Compiled) -> NDArray[np.int64]:
    """Hexes (−1: none) of the pixels that are something else to a line, sorted."""
    old, new = before.tables, after.tables
    # Cells are numbered anew on each board: most of them only under another number.
    new_of = np.zeros(len(old.cells), np.int64)
    new_of[old.pixels] = new.pixels
    used = np.zeros(len(old.cells), bool)
    used[old.pixels] = True
    differs = used & (old.cells != new.cells[new_of]).any(axis=1)
    hexes = [old.cells[differs, C_HEX].astype(np.int64)]
    split = np.flatnonzero(new_of[old.pixels] != new.pixels)
    if len(split):
        was, is_ = old.cells[old.pixels[split]], new.cells[new.pixels[split]]
        other = (was != is_).any(axis=1)
        hexes += [was[other, C_HEX].astype(np.int64), is_[other, C_HEX].astype(np.int64)]
    return np.unique(np.concatenate(hexes))
