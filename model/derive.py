"""From what was found on a map to what holds on it.

Pure functions: a `Survey` (and a person's overrides, already painted into it)
goes in, a `Board` comes out.  Here the rules decide what a drawing *means*:
which pixels are one building, which building a road enters and so is a Factory
(O5.1), how high it is (O.4B, B23.2), which hexside a black bar covers and which
vertices it reaches (O5.3, O5.31), which hex counts as roofless (O5.4).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import (
    Board,
    Building,
    Doubt,
    HexFacts,
    Mark,
    RooflessArea,
    Survey,
    owner_index,
)
from hexsight.model.building_types import name_hexes, touches_edge
from hexsight.model.derive_levels import sunk
from hexsight.model.derive_roads import road_entries
from hexsight.model.derive_sides import hexside_facts
from hexsight.model.overrides import HexOverride, Overrides
from hexsight.model.shapes import mask_polygons, rings_of
from hexsight.model.terrain import (
    BAR_KINDS,
    DEPICTION_KINDS,
    Catalogue,
    load_catalogue,
)

# Share of a hex that a building must cover to stand in it at all.  Outlines that
# overhang a hexside by a few pixels of art do not make a building hex.
MIN_BUILDING_SHARE = 0.03
# Share from which a hex counts when B23.2 asks whether a building is multi-hex.
MULTI_HEX_SHARE = 0.15
# A hex is roofless by the presence of a floor under open sky (O5.4): at its centre dot, or
# over this share of its depiction. Torn roof art along the edge hides more than half of a small
# floor; a floor that only laps over from the next hex covers less than a fifth.
ROOFLESS_SHARE = 0.28
# Smallest building, in hex areas: less is a speck that no player would call a building.
MIN_BUILDING_HEX_AREAS = 0.01
# Largest patch of the other material on a roof that is art and no building.
ISLAND_HEX_AREAS = 0.15
# Share of a building that must be roof or floor rather than bar.
BARE_SHARE = 0.2


@dataclass(frozen=True)
class _Depiction:
    """Buildings as a raster.

    ids : (H, W) int32, building number by pixel, 0 outside
    windows : rows and columns that hold building 1, 2, …
    """

    ids: NDArray[np.int32]
    windows: tuple[tuple[slice, slice], ...]

    @property
    def count(self) -> int:
        return len(self.windows)


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
    overrides = overrides or Overrides()
    catalogue = load_catalogue(survey.catalogue)
    if not survey.typed:
        survey = replace(
            survey,
            elevation_half=sunk(survey.terrain, survey.elevation_half, catalogue, survey.layout.dy),
        )
    survey = overrides.paint(survey, catalogue)
    owner = owner_index(
        survey.layout, [(c.col, c.row) for c in survey.cells], survey.terrain.shape[::-1]
    )
    depiction = _find_buildings(survey, catalogue)
    coverage = _coverage(owner, depiction, len(survey.cells))
    marks = _stairwells(survey, owner, overrides)
    buildings, terrain, doubts = _resolve_buildings(
        survey, catalogue, depiction, coverage, owner, marks, overrides
    )
    hexes = _hex_facts(survey, catalogue, terrain, owner, coverage, buildings, marks, overrides)
    roofless = _roofless_areas(terrain, catalogue, depiction, owner, hexes)
    sides = hexside_facts(
        survey.layout, hexes, terrain, depiction.ids > 0, catalogue, overrides.hexsides
    )
    return Board(
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
    )


def _find_buildings(survey: Survey, catalogue: Catalogue) -> _Depiction:
    """Number the connected buildings; stone and wood that touch are two."""
    inside = catalogue.table(kind=DEPICTION_KINDS)[survey.terrain]
    wood = catalogue.table(material="wood", kind=DEPICTION_KINDS)[survey.terrain]
    bar = catalogue.table(kind=BAR_KINDS)[survey.terrain]
    if inside.any() and wood.any() and bar.any():
        # A bar has no material of its own: it belongs to the roof next to it.
        known = (inside & ~bar).astype(np.uint8)
        _, nearest = cv2.distanceTransformWithLabels(
            1 - known, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
        )
        material_of = np.zeros(int(nearest.max()) + 1, bool)
        material_of[nearest[known > 0]] = wood[known > 0]
        wood = np.where(bar, material_of[nearest], wood) & inside
    area_px = abs(float(np.linalg.det([survey.layout.col_px, survey.layout.row_px])))
    if not survey.typed:
        # A manhole ring or a gray chimney on a wooden roof is no stone building.
        for odd, other in ((inside & ~wood, wood & inside), (wood & inside, inside & ~wood)):
            wood = np.where(_islands(odd, other, ISLAND_HEX_AREAS * area_px), ~wood, wood)
    ids = np.zeros(survey.terrain.shape, np.int32)
    found: list[tuple[int, int, int, int, Any, int]] = []
    for mask in (inside & ~wood, inside & wood):
        n, labels, stats, _ = cv2.connectedComponentsWithStats(
            mask.astype(np.uint8), connectivity=4
        )
        for i in range(1, n):
            left, top, w, h, area = (int(v) for v in stats[i])
            if area < max(4.0, MIN_BUILDING_HEX_AREAS * area_px):
                continue
            part = labels[top : top + h, left : left + w] == i
            # A black stroke alone, beside any roof, is no building.
            if np.count_nonzero(part & ~bar[top : top + h, left : left + w]) > BARE_SHARE * area:
                found.append((top, left, h, w, labels, i))
    found.sort(key=lambda f: f[:4])
    windows = []
    for number, (top, left, h, w, labels, i) in enumerate(found, start=1):
        # Only the component's own window is touched: boards hold hundreds of buildings.
        window = (slice(top, top + h), slice(left, left + w))
        ids[window][labels[window] == i] = number
        windows.append(window)
    return _Depiction(ids, tuple(windows))


def _islands(
    mask: NDArray[np.bool_], around: NDArray[np.bool_], most_px: float
) -> NDArray[np.bool_]:
    """Small regions of a mask whose rim lies mostly in another mask."""
    n, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    out = np.zeros_like(mask)
    for i in range(1, n):
        left, top, w, h, area = (int(v) for v in stats[i])
        if area > most_px:
            continue
        window = (
            slice(max(0, top - 1), top + h + 1),
            slice(max(0, left - 1), left + w + 1),
        )
        part = labels[window] == i
        rim = (cv2.dilate(part.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0) & ~part
        if 2 * np.count_nonzero(rim & around[window]) > np.count_nonzero(rim):
            out[window] |= part
    return out


@dataclass(frozen=True)
class _Coverage:
    """How much of each hex lies on the map and in each building.

    hex_px : (n,) int64, pixels of each hex on the picture
    by_building : list, per hex, of (building id, pixels), most first
    """

    hex_px: NDArray[np.int64]
    by_building: tuple[tuple[tuple[int, int], ...], ...]

    def share(self, hex_index: int, building: int | None = None) -> float:
        """Share of a hex in a building, or in any."""
        total = max(1, int(self.hex_px[hex_index]))
        parts = self.by_building[hex_index]
        return sum(px for b, px in parts if building is None or b == building) / total

    def most(self, building: int) -> int:
        """Index of the hex that holds most of a building, −1 when none does."""
        held = [
            (-px, i) for i, parts in enumerate(self.by_building) for b, px in parts if b == building
        ]
        return min(held)[1] if held else -1


def _coverage(owner: NDArray[np.int32], depiction: _Depiction, n: int) -> _Coverage:
    on = owner >= 0
    hex_px = np.bincount(owner[on], minlength=n).astype(np.int64)
    both = on & (depiction.ids > 0)
    keys, counts = np.unique(
        owner[both].astype(np.int64) * (depiction.count + 1) + depiction.ids[both],
        return_counts=True,
    )
    parts: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        parts[key // (depiction.count + 1)].append((key % (depiction.count + 1), count))
    return _Coverage(hex_px, tuple(tuple(sorted(p, key=lambda bp: (-bp[1], bp[0]))) for p in parts))


def _stairwells(
    survey: Survey, owner: NDArray[np.int32], overrides: Overrides
) -> list[tuple[Mark, int]]:
    """Stairwell marks with the index of their hex, after overrides."""
    height, width = owner.shape
    out: list[tuple[Mark, int]] = []
    for mark in survey.stairwells:
        x, y = round(mark.x_px), round(mark.y_px)
        if not (0 <= x < width and 0 <= y < height) or owner[y, x] < 0:
            continue
        index = int(owner[y, x])
        if overrides.hexes.get(survey.cells[index].name, HexOverride()).stairwell is not False:
            out.append((mark, index))
    have = {index for _, index in out}
    for index, cell in enumerate(survey.cells):
        wanted = overrides.hexes.get(cell.name, HexOverride()).stairwell
        if wanted and index not in have:
            cx, cy = survey.layout.centre(cell.col, cell.row)
            out.append((Mark(round(cx, 2), round(cy, 2)), index))
    return sorted(out, key=lambda m: (m[1], m[0].x_px, m[0].y_px))


def _resolve_buildings(
    survey: Survey,
    catalogue: Catalogue,
    depiction: _Depiction,
    coverage: _Coverage,
    owner: NDArray[np.int32],
    marks: list[tuple[Mark, int]],
    overrides: Overrides,
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
        polygons = mask_polygons(mask, offset_px=(left, top))
        if not polygons:
            continue
        confidence = _mean_confidence(survey, window, mask)
        out.append(
            Building(
                id=number,
                rings=rings_of(polygons[0]),
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
            doubts.extend(_entry_doubts(out[-1]))
    if not survey.typed:
        name_hexes(survey, catalogue, terrain, owner, corrected)
    return tuple(out), terrain, tuple(doubts)


def _patch(ids: NDArray[np.int32], mark: Mark) -> NDArray[np.int32]:
    r = max(1, round(mark.size_px / 2))
    x, y = round(mark.x_px), round(mark.y_px)
    return ids[max(0, y - r) : y + r + 1, max(0, x - r) : x + r + 1]


def _kind_and_height(
    survey: Survey,
    catalogue: Catalogue,
    counts: NDArray[np.int64],
    number: int,
    coverage: _Coverage,
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
        wall = catalogue.find("rowhouse-wall", height_half=height).code
        part[open_floor] = catalogue.find(kind, material=material, height_half=height).code
    part[bar] = wall


def _mean_confidence(survey: Survey, window: tuple[slice, slice], mask: NDArray[np.bool_]) -> float:
    if survey.confidence is None:
        return 1.0
    return round(float(survey.confidence[window][mask].mean()) / 255.0, 3)


def _entry_doubts(building: Building) -> list[Doubt]:
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


def _hex_facts(
    survey: Survey,
    catalogue: Catalogue,
    terrain: NDArray[np.uint8],
    owner: NDArray[np.int32],
    coverage: _Coverage,
    buildings: tuple[Building, ...],
    marks: list[tuple[Mark, int]],
    overrides: Overrides,
) -> tuple[HexFacts, ...]:
    by_id = {b.id: b for b in buildings}
    n = len(survey.cells)
    open_floor = catalogue.table(kind="roofless")[terrain]
    floor_px = np.bincount(owner[open_floor & (owner >= 0)], minlength=n)
    conf = (
        np.full(n, 255.0)
        if survey.confidence is None
        else np.bincount(
            owner[owner >= 0], weights=survey.confidence[owner >= 0].astype(float), minlength=n
        )
        / np.maximum(1, coverage.hex_px)
    )
    full_px = abs(float(np.linalg.det([survey.layout.col_px, survey.layout.row_px])))
    stairs = {index for _, index in marks}
    entered = {e.hex for b in buildings if b.kind == "factory" for e in b.entries}
    rubble = catalogue.table(kind="rubble")
    out: list[HexFacts] = []
    for index, cell in enumerate(survey.cells):
        x, y = survey.layout.centre(cell.col, cell.row)
        code = _centre_code(terrain, x, y, survey.layout.dy)
        base = _centre_value(survey.elevation_half, x, y, survey.layout.dy)
        gully = _depression_at(terrain, survey.elevation_half, catalogue, x, y)
        if gully is not None and catalogue[code].kind != "bridge":
            code, base = gully
        parts = [p for p in coverage.by_building[index] if p[0] in by_id]
        share = coverage.share(index)
        main = by_id.get(parts[0][0]) if parts and share >= MIN_BUILDING_SHARE else None
        floor_share = float(floor_px[index]) / max(1, int(coverage.hex_px[index]))
        wanted = overrides.hexes.get(cell.name, HexOverride())
        factory = main is not None and main.kind == "factory"
        floor_here = catalogue[code].kind == "roofless" or floor_share >= ROOFLESS_SHARE * share
        roofless = factory and floor_here
        if wanted.roofless is not None:
            roofless = wanted.roofless
        entrance = factory and cell.name in entered and not rubble[code]
        if wanted.vehicular_entrance is not None:
            entrance = wanted.vehicular_entrance
        out.append(
            HexFacts(
                name=cell.name,
                col=cell.col,
                row=cell.row,
                x_px=round(x, 2),
                y_px=round(y, 2),
                on_map=round(min(1.0, float(coverage.hex_px[index]) / full_px), 3),
                terrain=code,
                base_half=base if wanted.level_half is None else wanted.level_half,
                building=main.id if main else 0,
                building_share=round(share, 4),
                roofless_share=round(floor_share, 4),
                factory=factory,
                roofless=bool(roofless),
                stairwell=index in stairs and (main is not None or bool(wanted.stairwell)),
                vehicular_entrance=bool(entrance),
                height_half=_height_here(survey, catalogue, code, main),
                confidence=round(float(conf[index]) / 255.0, 3),
            )
        )
    return tuple(out)


def _disc(
    raster: NDArray[np.uint8] | NDArray[np.int8], x: float, y: float, dy: float
) -> NDArray[np.int64]:
    """Values of a raster within a twentieth of a hex of a point, nearest first."""
    r = max(1, round(dy / 20))
    height, width = raster.shape
    cx, cy = min(max(round(x), 0), width - 1), min(max(round(y), 0), height - 1)
    y0, y1, x0, x1 = max(0, cy - r), min(height, cy + r + 1), max(0, cx - r), min(width, cx + r + 1)
    return raster[y0:y1, x0:x1].astype(np.int64).ravel()


def _height_here(survey: Survey, catalogue: Catalogue, code: int, building: Building | None) -> int:
    """Height of the building in one hex: parts of one that the makers tell may be lower."""
    if building is None:
        return 0
    at_dot = catalogue[code]
    plain = at_dot.in_depiction and at_dot.kind not in BAR_KINDS | {"roofless"}
    told = survey.typed or (bool(survey.building_types) and at_dot.kind == "building")
    if told and plain and at_dot.material == building.material:
        return at_dot.height_half
    return building.height_half


def _depression_at(
    terrain: NDArray[np.uint8],
    elevation_half: NDArray[np.int8],
    catalogue: Catalogue,
    x: float,
    y: float,
) -> tuple[int, int] | None:
    """Code and bed of a depression that the centre dot touches (A6.3).

    A gully is narrower than the disc that decides about other terrain, and
    the dot may be printed half beside it.
    """
    height, width = terrain.shape
    rows = slice(max(0, round(y) - 1), min(height, round(y) + 2))
    columns = slice(max(0, round(x) - 1), min(width, round(x) + 2))
    codes = terrain[rows, columns]
    inside = catalogue.table(kind="depression")[codes]
    if not inside.any():
        return None
    return int(codes[inside][0]), int(elevation_half[rows, columns][inside].min())


def _centre_code(terrain: NDArray[np.uint8], x: float, y: float, dy: float) -> int:
    return int(np.bincount(_disc(terrain, x, y, dy)).argmax())


def _centre_value(raster: NDArray[np.int8], x: float, y: float, dy: float) -> int:
    values, counts = np.unique(_disc(raster, x, y, dy), return_counts=True)
    return int(values[counts.argmax()])


def _roofless_areas(
    terrain: NDArray[np.uint8],
    catalogue: Catalogue,
    depiction: _Depiction,
    owner: NDArray[np.int32],
    hexes: tuple[HexFacts, ...],
) -> tuple[RooflessArea, ...]:
    """Open floors as polygons whose ring is the jagged inner roof edge (O5.43)."""
    floor = catalogue.table(kind="roofless")[terrain].astype(np.uint8)
    n, labels, stats, _ = cv2.connectedComponentsWithStats(floor, connectivity=4)
    out: list[RooflessArea] = []
    for i in range(1, n):
        x, y, w, h, _ = (int(v) for v in stats[i])
        window = (slice(y, y + h), slice(x, x + w))
        mask = labels[window] == i
        ids = depiction.ids[window][mask]
        building = int(np.bincount(ids).argmax()) if ids.any() else 0
        inside = owner[window][mask]
        names = [hexes[k].name for k in np.unique(inside[inside >= 0]) if hexes[k].roofless]
        polygons = mask_polygons(mask, offset_px=(x, y))
        if building and names and polygons:
            out.append(RooflessArea(building, rings_of(polygons[0]), tuple(names)))
    return tuple(out)
