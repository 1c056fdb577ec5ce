"""A board after one more correction: concluded anew only where the correction can tell.

The part of the map that a correction may change is cut out, with all buildings that
it holds whole and a margin wider than any detector looks, and goes through the very
functions that conclude a whole board.  What they say of hexes and buildings within
reach of the correction replaces what was there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import (
    Board,
    Building,
    HexFacts,
    HexsideFacts,
    Mark,
    RooflessArea,
    Survey,
)
from hexsight.model.derive import (
    Concluded,
    Prepared,
    conclude_painted,
    entry_doubts,
    from_painted,
    owned,
)
from hexsight.model.derive_cut import Box, Cut, Place, find_cut, hex_box
from hexsight.model.derive_depiction import Depiction, find_depiction
from hexsight.model.derive_hexes import reading_order
from hexsight.model.derive_places import stairwell_marks
from hexsight.model.derive_sides import hexside_facts
from hexsight.model.layout import direction_to, neighbour
from hexsight.model.overrides import HexOverride, Overrides
from hexsight.model.shapes import Ring

Side = tuple[tuple[int, int], int]


def conclude_again(
    prepared: Prepared, before: Concluded, was: Overrides, now: Overrides
) -> Concluded:
    """As `conclude` with other overrides, from what was concluded with the old ones.

    Parameters
    ----------
    prepared : Prepared
    before : Concluded
        Of `prepared` and `was`.
    was, now : Overrides

    Returns
    -------
    Concluded
        Equal to that of `conclude`.

    Raises
    ------
    UsageError
        As `conclude`.
    """
    found = prepared.depiction if now.buildings else None
    survey = now.paint(prepared.survey, prepared.catalogue, prepared.owner, found)
    cut = find_cut(prepared, before, survey, was, now)
    if cut is None:
        return conclude_painted(prepared, survey, now)
    return _spliced(prepared, before, survey, now, cut)


def _spliced(
    prepared: Prepared, before: Concluded, survey: Survey, now: Overrides, cut: Cut
) -> Concluded:
    """The board with the cut-out concluded anew and put back."""
    marks = stairwell_marks(prepared.survey, prepared.owner, now)
    old, board = before.depiction, before.board
    if not cut.taken and not cut.other.any():
        board = replace(board, openings=now.place_openings(board.buildings, survey.layout.dy))
        return Concluded(owned(board, prepared.owner), survey.terrain, old)
    place, corner = cut.box.place, (cut.box.left, cut.box.top)
    part, owner, of_part = _part(prepared, survey, cut)
    depiction = find_depiction(part, prepared.catalogue)
    numbers = _number(old, depiction, cut)
    here = [
        (replace(m, x_px=m.x_px - corner[0], y_px=m.y_px - corner[1]), int(of_part[i]))
        for m, i in marks
        if of_part[i] >= 0 and _lies_in(m, cut.box)
    ]
    buildings, terrain, hexes, roofless, _ = from_painted(
        part,
        prepared.catalogue,
        owner,
        depiction,
        here,
        _told(survey, now, cut, of_part),
        shaped=numbers.fresh,
    )
    ids = numbers.ids(old.ids, depiction.ids, cut)
    all_buildings = _buildings(board.buildings, buildings, numbers, corner)
    facts = list(board.hexes)
    for i, fact in enumerate(facts):
        moved = int(numbers.old[fact.building])
        if fact.building != moved:
            facts[i] = replace(fact, building=moved)
    for i in cut.taken:
        fact = hexes[of_part[i]]
        was = board.hexes[i]
        facts[i] = replace(
            fact, x_px=was.x_px, y_px=was.y_px, building=int(numbers.new[fact.building])
        )
    raster = board.terrain.copy()
    mine = cut.own | cut.other
    raster[place][mine] = terrain[mine]
    all_hexes = tuple(facts)
    sides = _sides(board, all_hexes, raster, ids > 0, prepared, now, cut)
    doubts = prepared.survey.doubts
    if not survey.typed:
        doubts += tuple(d for b in all_buildings for d in entry_doubts(b))
    after = replace(
        board,
        terrain=raster,
        hexes=all_hexes,
        hexsides=sides,
        buildings=all_buildings,
        roofless=_roofless(board.roofless, roofless, numbers, corner),
        stairwells=tuple(m for m, _ in marks),
        doubts=doubts,
        openings=now.place_openings(all_buildings, survey.layout.dy),
    )
    return Concluded(owned(after, prepared.owner), survey.terrain, Depiction(ids, numbers.windows))


def _lies_in(mark: Mark, box: Box) -> bool:
    return box.left <= round(mark.x_px) < box.right and box.top <= round(mark.y_px) < box.bottom


def _part(
    prepared: Prepared, survey: Survey, cut: Cut
) -> tuple[Survey, NDArray[np.int32], NDArray[np.int32]]:
    """The cut-out as a survey, owners of its pixels, and its index of each hex (−1: not in it)."""
    place = cut.box.place
    owner = prepared.owner[place]
    used = np.unique(owner)
    used = used[used >= 0]
    of_part = np.full(len(survey.cells) + 1, -1, np.int32)
    of_part[used] = np.arange(len(used), dtype=np.int32)
    x, y = survey.layout.origin_px
    layout = replace(survey.layout, origin_px=(x - cut.box.left, y - cut.box.top))
    part = replace(
        survey,
        layout=layout,
        cells=tuple(survey.cells[i] for i in used.tolist()),
        terrain=np.ascontiguousarray(survey.terrain[place]),
        elevation_half=np.ascontiguousarray(survey.elevation_half[place]),
        confidence=None if survey.confidence is None else survey.confidence[place],
        stairwells=(),
        doubts=(),
    )
    return part, of_part[owner], of_part[:-1]


def _told(survey: Survey, now: Overrides, cut: Cut, of_part: NDArray[np.int32]) -> Overrides:
    """Corrections of the hexes that lie whole in the cut-out, their places counted from it."""
    index = {c.name: i for i, c in enumerate(survey.cells)}
    hexes: dict[str, HexOverride] = {}
    for name, one in now.hexes.items():
        if of_part[index[name]] < 0 or not cut.box.holds(hex_box(survey, index[name])):
            continue
        entry = one.road_entry
        if isinstance(entry, tuple):
            moved = (entry[0] - cut.box.left, entry[1] - cut.box.top)
            hexes[name] = one.model_copy(update={"road_entry": moved})
        else:
            hexes[name] = one
    return Overrides(hexes=hexes, places=now.places)


@dataclass(frozen=True, eq=False)
class _Numbers:
    """Numbers of buildings after a splice.

    Attributes
    ----------
    old, new : (n,) int32
        By number before, by number in the cut-out; 0 for those that are no more, or
        not of the cut-out's own.
    windows : tuple
        Of the buildings after it.
    fresh : set of int
        Numbers in the cut-out that replace old ones.
    """

    old: NDArray[np.int32]
    new: NDArray[np.int32]
    windows: tuple[Place, ...]
    fresh: frozenset[int]

    def ids(
        self, before: NDArray[np.int32], part: NDArray[np.int32], cut: Cut
    ) -> NDArray[np.int32]:
        """Building number by pixel after the splice."""
        kept = self.old > 0
        same = np.array_equal(self.old[kept], np.flatnonzero(kept))
        out = before.copy() if same else self.old[before]
        here = out[cut.box.place]
        here[cut.own] = 0
        mine = cut.own & (part > 0)
        here[mine] = self.new[part[mine]]
        return out


def _number(old: Depiction, part: Depiction, cut: Cut) -> _Numbers:
    """Number all buildings in reading order, those of the cut-out in place of the old ones."""
    before = old.ids[cut.box.place]
    gone = set(np.unique(before[cut.own]).tolist()) - {0}
    fresh = frozenset(np.unique(part.ids[cut.own]).tolist()) - {0}
    rows: list[tuple[tuple[int, int, int, int], bool, int, Place]] = []
    for number, window in enumerate(old.windows, start=1):
        if number not in gone:
            rows.append((_order(window), False, number, window))
    for number in sorted(fresh):
        ys, xs = part.windows[number - 1]
        window = (
            slice(ys.start + cut.box.top, ys.stop + cut.box.top),
            slice(xs.start + cut.box.left, xs.stop + cut.box.left),
        )
        rows.append((_order(window), True, number, window))
    rows.sort(key=lambda r: r[:3])
    of_old = np.zeros(old.count + 1, np.int32)
    of_new = np.zeros(part.count + 1, np.int32)
    for place, (_, new, number, _) in enumerate(rows, start=1):
        (of_new if new else of_old)[number] = place
    # Buildings that only lend their surroundings are known by their old numbers.
    lent = (part.ids > 0) & (before > 0) & ~cut.own
    pairs = np.unique(part.ids[lent].astype(np.int64) * (old.count + 1) + before[lent])
    for pair in pairs.tolist():
        number, known = divmod(pair, old.count + 1)
        if number not in fresh:
            of_new[number] = of_old[known]
    return _Numbers(of_old, of_new, tuple(r[3] for r in rows), fresh)


def _order(window: Place) -> tuple[int, int, int, int]:
    rows, columns = window
    return rows.start, columns.start, rows.stop - rows.start, columns.stop - columns.start


def _buildings(
    before: Iterable[Building],
    part: Iterable[Building],
    numbers: _Numbers,
    corner: tuple[int, int],
) -> tuple[Building, ...]:
    out = []
    for one in before:
        number = int(numbers.old[one.id])
        if number:
            out.append(one if number == one.id else replace(one, id=number))
    for one in part:
        if one.id in numbers.fresh:
            entries = tuple(
                replace(e, x_px=round(e.x_px + corner[0], 1), y_px=round(e.y_px + corner[1], 1))
                for e in one.entries
            )
            out.append(
                replace(
                    one,
                    id=int(numbers.new[one.id]),
                    rings=_moved(one.rings, corner),
                    entries=entries,
                )
            )
    return tuple(sorted(out, key=lambda b: b.id))


def _moved(rings: tuple[Ring, ...], corner: tuple[int, int]) -> tuple[Ring, ...]:
    return tuple(
        tuple((round(x + corner[0], 2), round(y + corner[1], 2)) for x, y in ring) for ring in rings
    )


def _roofless(
    before: Iterable[RooflessArea],
    part: Iterable[RooflessArea],
    numbers: _Numbers,
    corner: tuple[int, int],
) -> tuple[RooflessArea, ...]:
    out = [
        replace(one, building=int(numbers.old[one.building]))
        for one in before
        if numbers.old[one.building]
    ]
    out += [
        replace(one, building=int(numbers.new[one.building]), rings=_moved(one.rings, corner))
        for one in part
        if one.building in numbers.fresh
    ]
    return tuple(sorted(out, key=reading_order))


def _sides(
    board: Board,
    hexes: tuple[HexFacts, ...],
    terrain: NDArray[np.uint8],
    in_building: NDArray[np.bool_],
    prepared: Prepared,
    now: Overrides,
    cut: Cut,
) -> tuple[HexsideFacts, ...]:
    """Facts of hexsides, those in and at the rim of replaced hexes read anew."""
    wanted: set[Side] = set()
    for i in cut.taken:
        cell = (hexes[i].col, hexes[i].row)
        ring = [neighbour(*cell, k) for k in range(6)]
        for one, two in [
            *((cell, other) for other in ring),
            *zip(ring, ring[1:] + ring[:1], strict=True),
        ]:
            first, second = sorted([one, two])
            direction = direction_to(first, second)
            assert direction is not None
            wanted.add((first, direction))
    layout, catalogue = board.layout, prepared.catalogue
    anew = hexside_facts(layout, hexes, terrain, in_building, catalogue, now.hexsides, wanted)
    by_name = {side.name: side for side in anew}
    return tuple(by_name.get(side.name, side) for side in board.hexsides)
