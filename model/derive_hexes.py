"""What holds in each hex: terrain at the centre dot, levels, building, roofless or not (O5.4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Building, HexFacts, Mark, RooflessArea, Survey
from hexsight.model.derive_depiction import Coverage, Depiction
from hexsight.model.overrides import HexOverride, Overrides
from hexsight.model.regions import regions_of
from hexsight.model.shapes import mask_polygons, rings_of
from hexsight.model.terrain import BAR_KINDS, Catalogue

# Share of a hex that a building must cover to stand in it at all.  Outlines that
# overhang a hexside by a few pixels of art do not make a building hex.
MIN_BUILDING_SHARE = 0.03
# A hex is roofless by the presence of a floor under open sky (O5.4): at its centre dot, or
# over this share of its depiction. Torn roof art along the edge hides more than half of a small
# floor; a floor that only laps over from the next hex covers less than a fifth.
ROOFLESS_SHARE = 0.28


def hex_facts(
    survey: Survey,
    catalogue: Catalogue,
    terrain: NDArray[np.uint8],
    owner: NDArray[np.int32],
    coverage: Coverage,
    buildings: tuple[Building, ...],
    marks: list[tuple[Mark, int]],
    overrides: Overrides,
) -> tuple[HexFacts, ...]:
    """Facts of all hexes, in the order of ``survey.cells``.

    Parameters
    ----------
    survey : Survey
    catalogue : Catalogue
    terrain : (H, W) uint8
        Terrain codes with the overrides painted in.
    owner : (H, W) int32
        Index of the hex that a pixel is in, −1 outside of all.
    coverage : Coverage
        What of each hex lies in buildings.
    buildings : tuple of Building
    marks : list of (Mark, int)
        Stairwells with the index of their hex.
    overrides : Overrides
        What a person says of hexes goes before all else.
    """
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


def roofless_areas(
    terrain: NDArray[np.uint8],
    catalogue: Catalogue,
    depiction: Depiction,
    owner: NDArray[np.int32],
    hexes: tuple[HexFacts, ...],
) -> tuple[RooflessArea, ...]:
    """Open floors as polygons whose ring is the jagged inner roof edge (O5.43)."""
    floor = catalogue.table(kind="roofless")[terrain]
    out: list[RooflessArea] = []
    for region in regions_of(floor, connectivity=4):
        window, mask = region.window(), region.pixels()
        ids = depiction.ids[window][mask]
        building = int(np.bincount(ids).argmax()) if ids.any() else 0
        inside = owner[window][mask]
        names = [hexes[k].name for k in np.unique(inside[inside >= 0]) if hexes[k].roofless]
        polygons = mask_polygons(mask, offset_px=(region.left, region.top))
        if building and names and polygons:
            out.append(RooflessArea(building, rings_of(polygons[0]), tuple(names)))
    return tuple(sorted(out, key=reading_order))


def reading_order(area: RooflessArea) -> tuple[object, ...]:
    """Key by which open floors are listed: the topmost first, then the leftmost."""
    columns, rows = zip(*area.rings[0], strict=True)
    return min(rows), min(columns), area.rings
