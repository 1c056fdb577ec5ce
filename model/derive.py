"""From what was found on a map to what holds on it.

Pure functions: a `Survey` (and a person's overrides, already painted into it)
goes in, a `Board` comes out.  Here the rules decide what a drawing *means*:
which pixels are one building, which building a road enters and so is a Factory
(O5.1), how high it is (O.4B, B23.2), which hexside a black bar covers and which
vertices it reaches (O5.3, O5.31), which hex counts as roofless (O5.4).
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import (
    Board,
    Building,
    Doubt,
    HexFacts,
    Mark,
    Ring,
    RooflessArea,
    Survey,
    owner_index,
)
from hexsight.model.building_types import name_hexes, touches_edge
from hexsight.model.derive_depiction import Coverage, Depiction, cover, find_depiction
from hexsight.model.derive_hexes import MIN_BUILDING_SHARE, hex_facts, roofless_areas
from hexsight.model.derive_levels import sunk
from hexsight.model.derive_places import stairwell_marks, told_entries
from hexsight.model.derive_roads import road_entries
from hexsight.model.derive_sides import hexside_facts
from hexsight.model.overrides import Overrides
from hexsight.model.shapes import mask_polygons, rings_of
from hexsight.model.terrain import (
    BAR_KINDS,
    DEPICTION_KINDS,
    Catalogue,
    load_catalogue,
)

# Share from which a hex counts when B23.2 asks whether a building is multi-hex.
MULTI_HEX_SHARE = 0.15


@dataclass(frozen=True, eq=False)
class Prepared:
    """A survey with what no correction changes; made once for many.

    Attributes
    ----------
    survey : Survey
        Depressions sunk into their ground.
    owner : (H, W) int32
        Index of the hex of each pixel, −1 for none.
    catalogue : Catalogue
    """

    survey: Survey
    owner: NDArray[np.int32]
    catalogue: Catalogue

    @cached_property
    def depiction(self) -> Depiction:
        """The buildings as they were found, before any correction."""
        return find_depiction(self.survey, self.catalogue)


@dataclass(frozen=True, eq=False)
class Concluded:
    """A board and what it was concluded with.

    Attributes
    ----------
    board : Board
    painted : (H, W) uint8
        The label raster after corrections, before kinds and heights of buildings.
    depiction : Depiction
        Buildings in it by pixel.
    """

    board: Board
    painted: NDArray[np.uint8]
    depiction: Depiction


def derive(survey: Survey, overrides: Overrides | None = None) -> Board:
    """Conclude the facts of a board from what was found on its map.

    Parameters
    ----------
    survey : Survey
    overrides : Overrides, optional
        A person's corrections; they always win.

    Returns
    -------
    Board

    Raises
    ------
    UsageError
        If an override names a hex, a hexside or a terrain that does not exist.
    """
    return conclude(prepare(survey), overrides or Overrides()).board


def prepare(survey: Survey) -> Prepared:
    """Do once what is the same with any corrections."""
    catalogue = load_catalogue(survey.catalogue)
    if not survey.typed:
        survey = replace(
            survey,
            elevation_half=sunk(survey.terrain, survey.elevation_half, catalogue, survey.layout.dy),
        )
    offsets = [(c.col, c.row) for c in survey.cells]
    owner = owner_index(survey.layout, offsets, survey.terrain.shape[::-1])
    return Prepared(survey, owner, catalogue)


def conclude(prepared: Prepared, overrides: Overrides) -> Concluded:
    """As `derive`, with what later corrections can start from.

    Raises
    ------
    UsageError
        As `derive`.
    """
    found = prepared.depiction if overrides.buildings else None
    survey = overrides.paint(prepared.survey, prepared.catalogue, prepared.owner, found)
    return conclude_painted(prepared, survey, overrides)


def conclude_painted(prepared: Prepared, survey: Survey, overrides: Overrides) -> Concluded:
    """As `conclude`, for a survey whose raster holds the corrections already."""
    catalogue, owner = prepared.catalogue, prepared.owner
    same = survey.terrain is prepared.survey.terrain
    depiction = prepared.depiction if same else find_depiction(survey, catalogue)
    marks = stairwell_marks(survey, owner, overrides)
    buildings, terrain, hexes, roofless, doubts = from_painted(
        survey, catalogue, owner, depiction, marks, overrides
    )
    sides = hexside_facts(
        survey.layout, hexes, terrain, depiction.ids > 0, catalogue, overrides.hexsides
    )
    board = Board(
        name=survey.name,
        layout=survey.layout,
        terrain=terrain,
        elevation_half=survey.elevation_half,
        hexes=hexes,
        hexsides=sides,
        buildings=buildings,
        roofless=roofless,
        stairwells=tuple(m for m, _ in marks),
        doubts=survey.doubts + doubts,
        provenance=survey.provenance,
        catalogue_name=survey.catalogue,
        openings=overrides.place_openings(buildings, survey.layout.dy),
    )
    return Concluded(owned(board, owner), survey.terrain, depiction)


def owned(board: Board, owner: NDArray[np.int32]) -> Board:
    """The board, knowing which hex holds each pixel; to find that out anew takes long."""
    vars(board)["owner"] = owner
    return board


def from_painted(
    survey: Survey,
    catalogue: Catalogue,
    owner: NDArray[np.int32],
    depiction: Depiction,
    marks: list[tuple[Mark, int]],
    overrides: Overrides,
    shaped: Container[int] | None = None,
) -> tuple[
    tuple[Building, ...],
    NDArray[np.uint8],
    tuple[HexFacts, ...],
    tuple[RooflessArea, ...],
    tuple[Doubt, ...],
]:
    """Buildings, raster, facts of hexes, open floors and doubts of a raster with corrections.

    Parameters
    ----------
    survey : Survey
        Corrections painted.
    catalogue : Catalogue
    owner : (H, W) int32
    depiction : Depiction
    marks : list of (Mark, int)
        Stairwells with the index of their hex.
    overrides : Overrides
    shaped : container of int, optional
        Numbers of the buildings whose outlines are wanted; the others have none.
    """
    coverage = cover(owner, depiction, len(survey.cells))
    buildings, terrain, doubts = _resolve_buildings(
        survey, catalogue, depiction, coverage, owner, marks, overrides, shaped
    )
    hexes = hex_facts(survey, catalogue, terrain, owner, coverage, buildings, marks, overrides)
    roofless = roofless_areas(terrain, catalogue, depiction, owner, hexes)
    return buildings, terrain, hexes, roofless, doubts


def _resolve_buildings(
    survey: Survey,
    catalogue: Catalogue,
    depiction: Depiction,
    coverage: Coverage,
    owner: NDArray[np.int32],
    marks: list[tuple[Mark, int]],
    overrides: Overrides,
    shaped: Container[int] | None,
) -> tuple[tuple[Building, ...], NDArray[np.uint8], tuple[Doubt, ...]]:
    """Kind and height of each building, and the raster with the codes that say so."""
    terrain = survey.terrain.copy()
    # Two touching buildings may share a hex: a printed square belongs to the one it is drawn on.
    stairs: dict[int, set[int]] = {}
    for mark, index in marks:
        around = _patch(depiction.ids, mark)
        on = np.bincount(around[around > 0], minlength=1)
        building = int(on.argmax()) if on.size and on.max() > 0 else 0
        if not building and coverage.by_building[index]:
            building = coverage.by_building[index][0][0]
        stairs.setdefault(building, set()).add(index)
    entries = road_entries(survey, catalogue, depiction.ids, owner)
    told_entries(survey, depiction, coverage, owner, entries, overrides)
    hexes_of: dict[int, list[int]] = {}
    for index in range(len(survey.cells)):
        for building, px in coverage.by_building[index]:
            if px / max(1, coverage.hex_px[index]) >= MIN_BUILDING_SHARE:
                hexes_of.setdefault(building, []).append(index)
    for building in range(1, depiction.count + 1):
        if building not in hexes_of and (best := coverage.most(building)) >= 0:
            hexes_of[building] = [best]  # a shed: in some hex it must stand
    out: list[Building] = []
    doubts: list[Doubt] = []
    corrected: set[str] = set()
    wood = catalogue.table(material="wood", kind=DEPICTION_KINDS)
    solid = catalogue.table(kind=frozenset(DEPICTION_KINDS - BAR_KINDS))
    for number in range(1, depiction.count + 1):
        window = depiction.windows[number - 1]
        top, left = window[0].start, window[1].start
        mask = depiction.ids[window] == number
        codes = terrain[window][mask]
        own = codes[solid[codes]]
        counts = np.bincount(own, minlength=256) if own.size else np.bincount(codes, minlength=256)
        material = "wood" if 2 * counts[wood].sum() > counts.sum() else "stone"
        names = [survey.cells[i].name for i in hexes_of.get(number, [])]
        # What the map's edge cuts goes on in a hex beyond it.
        cut = touches_edge(mask, window, terrain.shape)
        road = bool(entries[number])
        kind, height = _kind_and_height(
            survey, catalogue, counts, number, coverage, hexes_of, stairs, road=road, cut=cut
        )
        kind, height = overrides.building(names, kind, height)
        retyped = any(overrides.retypes(n) for n in names)
        corrected.update(names if retyped else ())
        if retyped or not survey.typed:
            _retype(terrain, window, mask, catalogue, material, kind, height)
        rings = _outline(mask, (left, top)) if shaped is None or number in shaped else ()
        if rings is None:
            continue
        confidence = _mean_confidence(survey, window, mask)
        out.append(
            Building(
                id=number,
                rings=rings,
                material=material,
                kind=kind,
                height_half=height,
                hexes=tuple(names),
                stairwells=tuple(survey.cells[i].name for i in sorted(stairs.get(number, ()))),
                entries=tuple(entries[number]) if kind == "factory" or not survey.typed else (),
                confidence=confidence,
            )
        )
        if not survey.typed:
            doubts.extend(entry_doubts(out[-1]))
    if not survey.typed:
        name_hexes(survey, catalogue, terrain, owner, corrected)
    return tuple(out), terrain, tuple(doubts)


def _outline(mask: NDArray[np.bool_], corner: tuple[int, int]) -> tuple[Ring, ...] | None:
    """Rings of a building, None of one too thin to have any."""
    polygons = mask_polygons(mask, offset_px=corner)
    return rings_of(polygons[0]) if polygons else None


def _patch(ids: NDArray[np.int32], mark: Mark) -> NDArray[np.int32]:
    r = max(1, round(mark.size_px / 2))
    x, y = round(mark.x_px), round(mark.y_px)
    return ids[max(0, y - r) : y + r + 1, max(0, x - r) : x + r + 1]


def _kind_and_height(
    survey: Survey,
    catalogue: Catalogue,
    counts: NDArray[np.int64],
    number: int,
    coverage: Coverage,
    hexes_of: dict[int, list[int]],
    stairs: dict[int, set[int]],
    *,
    road: bool,
    cut: bool,
) -> tuple[str, int]:
    if survey.typed:
        main = catalogue[int(counts.argmax())]
        if main.kind == "roofless":
            # The catalogue's height of a roofless Factory is that of its debris;
            # its walls stand to the roof that was (O5.3, O5.52).
            return "factory", main.split_half + 1
        return ("factory" if main.kind == "factory-wall" else main.kind), main.height_half
    hexes = hexes_of.get(number, [])
    named = [
        catalogue[survey.building_types[survey.cells[i].name]]
        for i in hexes
        if survey.cells[i].name in survey.building_types
    ]
    if named:
        best = max(named, key=lambda t: t.height_half)
        return ("factory" if best.kind == "factory-wall" else best.kind), best.height_half
    # O5.1 makes a Factory of every building that a road enters; where the board's maker
    # names building types one by one, a Factory is a building that is named so.
    if road and not survey.building_types:
        return "factory", 5 if stairs.get(number) else 3
    wide = [i for i in hexes if coverage.share(i, number) >= MULTI_HEX_SHARE]
    if stairs.get(number):
        return "building", 5
    return "building", 3 if len(wide) > 1 or cut else 2


def _retype(
    terrain: NDArray[np.uint8],
    window: tuple[slice, slice],
    mask: NDArray[np.bool_],
    catalogue: Catalogue,
    material: str,
    kind: str,
    height: int,
) -> None:
    """Write the codes of kind and height over a building's plain ones, in place."""
    part = terrain[window]
    bar = catalogue.table(kind=BAR_KINDS)[part] & mask
    open_floor = catalogue.table(kind="roofless")[part] & mask
    part[mask & ~bar & ~open_floor] = catalogue.find(
        kind, material=material, height_half=height
    ).code
    if kind == "factory":
        wall = catalogue.find("interior-wall", height_half=height).code
        roofless = [t for t in catalogue.types if t.kind == "roofless"]
        floor = next((t.code for t in roofless if t.split_half == height - 1), roofless[0].code)
        part[open_floor] = floor
    else:
        wall = _rowhouse_wall(catalogue, height)
        part[open_floor] = catalogue.find(kind, material=material, height_half=height).code
    part[bar] = wall


def _rowhouse_wall(catalogue: Catalogue, height: int) -> int:
    """Code of the bar in a building: the highest one that does not rise above it.

    VASL's bar of four levels is as high as that of three.
    """
    bars = [t for t in catalogue.types if t.kind == "rowhouse-wall"]
    low = [t for t in bars if t.height_half <= height] or bars[:1]
    return max(low, key=lambda t: (t.height_half, -t.code)).code


def _mean_confidence(survey: Survey, window: tuple[slice, slice], mask: NDArray[np.bool_]) -> float:
    if survey.confidence is None:
        return 1.0
    return round(float(survey.confidence[window][mask].mean()) / 255.0, 3)


def entry_doubts(building: Building) -> list[Doubt]:
    """A building that is a Factory only by one uncertain road is worth a look."""
    if building.kind != "factory" or not building.entries:
        return []
    best = max(building.entries, key=lambda e: e.confidence)
    if best.confidence >= 0.5:
        return []
    return [
        Doubt(
            "factory-by-one-road",
            best.hex,
            best.x_px,
            best.y_px,
            best.confidence,
            f"The building in {best.hex} counts as a Factory: a road seems to enter it here.",
            f"hexes: {{{best.hex}: {{factory: false}}}}",
        )
    ]
