"""Symbols that a person puts on the map: where they lie, and to which building they belong."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Mark, RoadEntry, Survey
from hexsight.model.derive_depiction import Coverage, Depiction
from hexsight.model.errors import UsageError
from hexsight.model.overrides import Overrides
from hexsight.model.terrain import load_catalogue

# How far from a wall, in hex heights, the end of a road may be put.
REACH = 0.35


def place_in(
    survey: Survey, owner: NDArray[np.int32], index: int, place: tuple[float, float]
) -> tuple[float, float]:
    """A pixel that a person put a symbol on, when it lies in the hex it is written for.

    Raises
    ------
    UsageError
        If it does not; names the hex that it lies in.
    """
    x, y = round(place[0]), round(place[1])
    inside = 0 <= x < owner.shape[1] and 0 <= y < owner.shape[0]
    there = int(owner[y, x]) if inside else -1
    if there != index:
        lies = f"in {survey.cells[there].name}" if there >= 0 else "in no hex"
        raise UsageError(
            f"the pixel [{place[0]:g}, {place[1]:g}] lies {lies} and not in "
            f"{survey.cells[index].name}. Write it for the hex that it lies in."
        )
    return place


def stairwell_marks(
    survey: Survey, owner: NDArray[np.int32], overrides: Overrides
) -> list[tuple[Mark, int]]:
    """Stairwell marks with the index of their hex, after overrides.

    Raises
    ------
    UsageError
        If a person puts one on a pixel that lies in another hex.
    """
    height, width = owner.shape
    told = {name: one.stairwell for name, one in overrides.hexes.items()}
    out: list[tuple[Mark, int]] = []
    for mark in survey.stairwells:
        x, y = round(mark.x_px), round(mark.y_px)
        if not (0 <= x < width and 0 <= y < height) or owner[y, x] < 0:
            continue
        index = int(owner[y, x])
        if told.get(survey.cells[index].name) in (None, True):
            out.append((mark, index))
    have = {index for _, index in out}
    for index, cell in enumerate(survey.cells):
        wanted = told.get(cell.name)
        if wanted and index not in have:
            x_px, y_px = survey.layout.centre(cell.col, cell.row)
            if isinstance(wanted, tuple):
                with overrides.placed(cell.name):
                    x_px, y_px = place_in(survey, owner, index, wanted)
            out.append((Mark(round(x_px, 2), round(y_px, 2)), index))
    return sorted(out, key=lambda m: (m[1], m[0].x_px, m[0].y_px))


def told_entries(
    survey: Survey,
    depiction: Depiction,
    coverage: Coverage,
    owner: NDArray[np.int32],
    entries: dict[int, list[RoadEntry]],
    overrides: Overrides,
) -> None:
    """Put right, in place, where roads enter buildings (O5.1) as a person says.

    Parameters
    ----------
    survey : Survey
        Corrections painted.
    depiction : Depiction
    coverage : Coverage
    owner : (H, W) int32
    entries : dict of int to list of RoadEntry
        By building number.
    overrides : Overrides

    Raises
    ------
    UsageError
        If there is no building where a road is to enter one, or the pixel lies in
        another hex.
    """
    told = {n: o.road_entry for n, o in overrides.hexes.items() if o.road_entry is not None}
    if not told:
        return
    index_of = {c.name: i for i, c in enumerate(survey.cells)}
    for name, wanted in told.items():
        index = index_of[name]
        with overrides.placed(name):
            if wanted is True and _confirm(entries, name):
                continue
            for here in entries.values():
                here[:] = [e for e in here if e.hex != name]
            if wanted is False:
                continue
            place = survey.layout.centre(survey.cells[index].col, survey.cells[index].row)
            if isinstance(wanted, tuple):
                place = place_in(survey, owner, index, wanted)
            number = _building_near(survey, depiction, coverage, index, place)
        x, y = round(place[0], 1), round(place[1], 1)
        entries[number].append(RoadEntry(name, x, y, _road_at(survey, place), 1.0))
        entries[number].sort(key=lambda e: (e.y_px, e.x_px))


def _confirm(entries: dict[int, list[RoadEntry]], name: str) -> bool:
    """Make entries that were found in a hex certain; False when there are none."""
    found = False
    for here in entries.values():
        for k, entry in enumerate(here):
            if entry.hex == name:
                here[k] = RoadEntry(name, entry.x_px, entry.y_px, entry.road, 1.0)
                found = True
    return found


def _building_near(
    survey: Survey,
    depiction: Depiction,
    coverage: Coverage,
    index: int,
    place: tuple[float, float],
) -> int:
    """Number of the building that a road at a place enters: the nearest, else that of the hex."""
    r = math.ceil(REACH * survey.layout.dy)
    top, left = max(0, round(place[1]) - r), max(0, round(place[0]) - r)
    ids = depiction.ids[top : round(place[1]) + r + 1, left : round(place[0]) + r + 1]
    here = {number for number, _ in coverage.by_building[index]}
    rows, columns = np.nonzero(np.isin(ids, sorted(here)) & (ids > 0))
    if len(rows):
        away = np.hypot(columns + left - place[0], rows + top - place[1])
        nearest = int(away.argmin())
        return int(ids[rows[nearest], columns[nearest]])
    if coverage.by_building[index]:
        return coverage.by_building[index][0][0]
    name = survey.cells[index].name
    raise UsageError(f"there is no building in {name} that a road could enter.")


def _road_at(survey: Survey, place: tuple[float, float]) -> int:
    """Code of the road round a place; where none is, the catalogue's first."""
    road = load_catalogue(survey.catalogue).table(kind="road")
    r = math.ceil(survey.layout.dy)
    top, left = max(0, round(place[1]) - r), max(0, round(place[0]) - r)
    codes = survey.terrain[top : round(place[1]) + r + 1, left : round(place[0]) + r + 1]
    found = np.bincount(codes[road[codes]], minlength=256)
    return int(found.argmax()) if found.any() else int(np.flatnonzero(road)[0])
