"""What was drawn, as plain data for tests to compare with."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import cv2
import numpy as np

from . import codes
from .canvas import U8
from .facts import BarFact, BuildingFact, HexRaster, Slope, level_of, polygon_mask
from .hexes import Hex, Point
from .spec import BoardSpec

SCHEMA_VERSION = 1
ROOFLESS_SHARE = 0.5  # of the hex's part in the building, from which it is a Roofless Factory Hex
ROAD_SHARE = 0.03  # of the hex, from which a road counts as being in it


def _px(p: Point) -> list[float]:
    return [round(p[0], 2), round(p[1], 2)]


def _side_name(spec: BoardSpec, hexes: tuple[Hex, ...]) -> str:
    return "-".join(sorted(spec.layout.name(h) for h in hexes))


def _bar(spec: BoardSpec, fact: BuildingFact, bar: BarFact) -> dict[str, Any]:
    a, b = bar.hexes
    vertices = [
        _side_name(spec, spec.layout.vertex_hexes(a, b, end)) for end in (0, 1) if bar.reaches[end]
    ]
    return {
        "building": fact.spec.id,
        "hexside": _side_name(spec, bar.hexes),
        "end_points_px": [_px(p) for p in bar.hexside_px],
        "interval": [round(t, 4) for t in bar.interval],
        "full": bool(bar.interval[1] - bar.interval[0] > 0.9),
        "vertices": sorted(vertices),
        "thickness_px": round(spec.bar_width * spec.layout.dy, 2),
    }


def _roofless_polygons(fact: BuildingFact, terrain: U8) -> list[list[list[float]]]:
    """Outlines of the roofless floor as drawn, cut off at the building's outline."""
    code = codes.roofless_code(fact.height_half)
    out = []
    for polygon in fact.roofless_px:
        floor = np.zeros(terrain.shape, np.uint8)
        cv2.fillPoly(
            floor, [np.rint(np.asarray(polygon) * 16).astype(np.int32)], 255, cv2.LINE_8, 4
        )
        floor[~np.isin(terrain, (code, codes.bar_code(fact.height_half)))] = 0
        contours, _ = cv2.findContours(floor, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        largest = max(contours, key=cv2.contourArea)
        out.append([[float(x), float(y)] for x, y in largest[:, 0].tolist()])
    return out


def _building(spec: BoardSpec, fact: BuildingFact) -> dict[str, Any]:
    name = spec.layout.name
    return {
        "id": fact.spec.id,
        "material": fact.spec.material,
        "outline_px": [_px(p) for p in spec.layout.px_path(fact.spec.outline)],
        "hexes": sorted(name(h) for h in fact.hexes),
        "factory": fact.factory,
        "height_half": fact.height_half,
        "stairwells": sorted(fact.spec.stairwells),
        "code": codes.building_code(
            fact.spec.material, factory=fact.factory, height_half=fact.height_half
        ),
        "road_entries": [
            {"hex": name(e.hex), "point_px": _px(e.point_px), "surface": e.surface}
            for e in fact.entries
        ],
    }


def _road_of(codes_in_hex: np.ndarray, visible: int) -> str | None:
    share = {
        "paved": float(np.count_nonzero(codes_in_hex == codes.PAVED_ROAD)) / visible,
        "dirt": float(np.count_nonzero(codes_in_hex == codes.DIRT_ROAD)) / visible,
    }
    surface = max(share, key=lambda s: share[s])
    return surface if share[surface] >= ROAD_SHARE else None


def board_truth(
    spec: BoardSpec,
    raster: HexRaster,
    facts: list[BuildingFact],
    by_name: dict[str, Hex],
    terrain: U8,
    slopes: tuple[Slope, ...] = (),
) -> dict[str, Any]:
    """Truth of one board, ready for JSON (``samples/README.md`` describes it)."""
    layout = spec.layout
    home = {h: fact for fact in facts for h in fact.hexes}
    roofless_mask = np.zeros(terrain.shape, np.uint8)
    for fact in facts:
        for polygon in fact.roofless_px:
            inside = polygon_mask(spec, polygon) & polygon_mask(
                spec, layout.px_path(fact.spec.outline)
            )
            roofless_mask |= inside
    roofless_share = raster.share(roofless_mask)
    stairs = {name for fact in facts for name in fact.spec.stairwells}
    entrances = {e.hex for fact in facts for e in fact.entries}
    rubble = {
        name: kind
        for kind in ("stone_rubble", "wooden_rubble")
        for name in spec.patches.get(kind, ())
    }
    order = np.argsort(raster.index, axis=None, kind="stable")
    starts = np.searchsorted(raster.index.ravel()[order], np.arange(len(raster.hexes) + 1))
    flat = terrain.ravel()[order]
    hexes = []
    for i, h in enumerate(raster.hexes):
        at = home.get(h)
        x, y = layout.centre(h)
        share = at.hexes[h] if at else 0.0
        row, col = (
            int(min(max(round(c), 0), n - 1)) for c, n in zip((y, x), terrain.shape, strict=True)
        )
        hexes.append(
            {
                "name": layout.name(h),
                "col": h[0],
                "row": h[1],
                "centre_px": _px((x, y)),
                "visible_px": int(raster.visible_px[i]),
                "building": at.spec.id if at else None,
                "building_fraction": round(share, 4),
                "factory": bool(at and at.factory),
                "roofless_fraction": round(float(roofless_share[i]), 4),
                "roofless": bool(at and roofless_share[i] >= ROOFLESS_SHARE * share),
                "stairwell": layout.name(h) in stairs,
                "height_half": at.height_half if at else 0,
                "material": at.spec.material if at else None,
                "vehicular_entrance": bool(at and at.factory and h in entrances),
                "road": _road_of(flat[starts[i] : starts[i + 1]], int(raster.visible_px[i])),
                "terrain_centre": int(terrain[row, col]),
                "rubble": rubble.get(layout.name(h)),
            }
        )
    numbering = {_camel(key): value for key, value in asdict(layout.numbering).items()}
    used = np.unique(terrain).tolist()
    return {
        "schema_version": SCHEMA_VERSION,
        "board": spec.name,
        "size_px": list(spec.size_px),
        "map_area_px": list(spec.map_area_px),
        "grid": {
            "dx": layout.dx,
            "dy": layout.dy,
            "x0": layout.x0,
            "y0": layout.y0,
            "sideways": layout.sideways,
        },
        "numbering": numbering,
        "grid_line_px": spec.palette.grid_width_px,
        "terrain_codes": {str(code): codes.NAMES[code] for code in used},
        "hexes": hexes,
        "buildings": [_building(spec, fact) for fact in facts],
        "bars": [_bar(spec, fact, bar) for fact in facts for bar in fact.bars],
        "roofless": [
            {"building": fact.spec.id, "hexes": sorted(group), "polygon_px": polygon}
            for fact in facts
            for group, polygon in zip(
                fact.spec.roofless, _roofless_polygons(fact, terrain), strict=True
            )
        ],
        "walls": sorted(_side_name(spec, (by_name[a], by_name[b])) for a, b in spec.walls),
        "hedges": sorted(_side_name(spec, (by_name[a], by_name[b])) for a, b in spec.hedges),
        "patches": {kind: sorted(names) for kind, names in sorted(spec.patches.items())},
        "rings_px": [_px(layout.px(u, v)) for u, v in spec.rings],
        **_country(spec, by_name, slopes, facts),
    }


def _country(
    spec: BoardSpec,
    by_name: dict[str, Hex],
    slopes: tuple[Slope, ...],
    facts: list[BuildingFact],
) -> dict[str, Any]:
    """Keys that only boards have on which there is such a thing."""
    of = {codes.STEEP_SLOPE: "steep", codes.GENTLE_SLOPE: "gentle"}
    sides = [(_side_name(spec, (s.upper, s.lower)), of[s.code]) for s in slopes]
    openings = [
        {
            "building": f.spec.id,
            "kind": o.kind,
            "middle_px": _px(spec.layout.px(*o.middle)),
            "width_px": round(o.width * spec.layout.dy, 2),
        }
        for f in facts
        for o in f.spec.openings
    ]
    found: dict[str, Any] = {
        "levels_half": dict(sorted(level_of(spec).items())),
        "slopes": {kind: sorted(n for n, k in sides if k == kind) for kind in of.values()}
        if sides
        else {},
        "streams": sorted(_side_name(spec, (by_name[a], by_name[b])) for a, b in spec.streams),
        "fences": sorted(_side_name(spec, (by_name[a], by_name[b])) for a, b in spec.fences),
        "openings": openings,
    }
    return {key: value for key, value in found.items() if value}


def _camel(key: str) -> str:
    head, *rest = key.split("_")
    return head + "".join(word.capitalize() for word in rest)
