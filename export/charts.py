"""What a board holds, for spreadsheets and for GIS programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from typing import Any

from hexsight.export.charts_sights import GROUND, Sights
from hexsight.model.board import Board, HexFacts

SCHEMA_VERSION = 1

HEX_COLUMNS = (
    "hex",
    "col",
    "row",
    "x_px",
    "y_px",
    "terrain",
    "base_levels",
    "building",
    "kind",
    "material",
    "height_levels",
    "factory",
    "roofless",
    "stairwell",
    "vehicular_entrance",
    "bars",
    "confidence",
)
SIGHT_COLUMNS = ("levels", "sees_clear", "sees_hindered", "farthest_hexes")


def write_csv(board: Board, sights: Sights | None = None) -> bytes:
    """Table of the hexes of a board.

    Parameters
    ----------
    board : Board
    sights : Sights, optional
        Adds four columns: the levels of the hex, and what its lowest one, the ground as
        a rule, sees.

    Returns
    -------
    bytes
        UTF-8 CSV with CRLF line ends (RFC 4180), one row a hex in the order
        of the board; heights in levels; ``bars`` names the hexsides with a bar.
    """
    bars: dict[str, list[str]] = {}
    for side in board.hexsides:
        if side.bar:
            bars.setdefault(side.a, []).append(side.name)
            bars.setdefault(side.b, []).append(side.name)
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(HEX_COLUMNS if sights is None else HEX_COLUMNS + SIGHT_COLUMNS)
    for index, h in enumerate(board.hexes):
        building = board.building_by_id.get(h.building)
        writer.writerow(
            [
                h.name,
                h.col,
                h.row,
                round(h.x_px, 2),
                round(h.y_px, 2),
                board.catalogue[h.terrain].name,
                h.base_half / 2,
                h.building or "",
                building.kind if building else "",
                building.material if building else "",
                h.height_half / 2 if building else "",
                int(h.factory),
                int(h.roofless),
                int(h.stairwell),
                int(h.vehicular_entrance),
                " ".join(bars.get(h.name, [])),
                round(h.confidence, 3),
                *([] if sights is None else _sight_cells(sights, index)),
            ]
        )
    return out.getvalue().encode("utf-8")


def _sight_cells(sights: Sights, index: int) -> list[Any]:
    places = sights.of_hex(index)
    if not places:
        return ["", "", "", ""]
    at = next((i for i in places if sights.levels[i] == GROUND), places[0])
    counts = [int(a[at]) for a in (sights.clear, sights.hindered, sights.farthest)]
    return [" ".join(sights.levels[i].replace(" ", "-") for i in places), *counts]


def write_json(board: Board, sights: Sights | None = None) -> bytes:
    """Hexes of a board as JSON, for programs.

    Returns
    -------
    bytes
        ``schema_version``, ``board``, and ``hexes`` by name, one a line: terrain, heights in
        half-levels, building, and with `sights` what each of its levels sees.
    """
    rows = ",\n".join(
        f" {json.dumps(h.name, ensure_ascii=False)}: "
        + json.dumps(_hex_json(board, index, h, sights), ensure_ascii=False)
        for index, h in enumerate(board.hexes)
    )
    name = json.dumps(board.name, ensure_ascii=False)
    head = f'"schema_version": {SCHEMA_VERSION}, "board": {name}'
    return f'{{{head}, "hexes": {{\n{rows}\n}}}}\n'.encode()


def _hex_json(board: Board, index: int, h: HexFacts, sights: Sights | None) -> dict[str, Any]:
    building = board.building_by_id.get(h.building)
    found: dict[str, Any] = {
        "pixel": _point(h.x_px, h.y_px),
        "terrain": board.catalogue[h.terrain].name,
        "base_half": h.base_half,
    }
    if building is not None:
        found["building"] = {
            "id": building.id,
            "kind": building.kind,
            "material": building.material,
            "height_half": h.height_half,
            "roofless": h.roofless,
            "stairs": board.joins_levels(h),
            "vehicular_entrance": h.vehicular_entrance,
        }
    if sights is not None:
        found["sees"] = {
            sights.levels[i]: {
                "clear": int(sights.clear[i]),
                "hindered": int(sights.hindered[i]),
                "blocked": int(sights.blocked[i]),
                "farthest_hexes": int(sights.farthest[i]),
            }
            for i in sights.of_hex(index)
        }
    return found


def write_geojson(board: Board) -> bytes:
    """Features of a board as GeoJSON.

    Returns
    -------
    bytes
        A FeatureCollection (RFC 7946 but for the coordinates, which are board
        pixels with y running down): hexes, buildings, roofless areas, bars,
        walls and hedges, stairwells, road entries.  ``feature`` in the
        properties says which.  One feature a line.
    """
    rows = ",\n".join(
        json.dumps(f, ensure_ascii=False, separators=(",", ":")) for f in _features(board)
    )
    head = json.dumps(
        {
            "name": board.name,
            "hexsight": {"units": "board pixels, y down", "size_px": list(board.size_px)},
        },
        ensure_ascii=False,
    )
    text = f'{{"type":"FeatureCollection",{head[1:-1]},"features":[\n{rows}\n]}}\n'
    return text.encode("utf-8")


def _features(board: Board) -> Iterable[dict[str, Any]]:
    for h in board.hexes:
        ring = board.layout.corners(h.col, h.row).tolist()
        yield _feature(
            "hex",
            "Polygon",
            _rings([ring]),
            name=h.name,
            terrain=board.catalogue[h.terrain].name,
            base_half=h.base_half,
            building=h.building or None,
            factory=h.factory,
            roofless=h.roofless,
            stairwell=h.stairwell,
            height_half=h.height_half,
        )
    for b in board.buildings:
        yield _feature(
            "building",
            "Polygon",
            _rings(b.rings),
            id=b.id,
            kind=b.kind,
            material=b.material,
            height_half=b.height_half,
            hexes=list(b.hexes),
        )
        for e in b.entries:
            yield _feature("road entry", "Point", _point(e.x_px, e.y_px), building=b.id, hex=e.hex)
    for r in board.roofless:
        rings = _rings(r.rings)
        yield _feature("roofless", "Polygon", rings, building=r.building, hexes=list(r.hexes))
    for side in board.hexsides:
        a = board.by_name[side.a]
        p, q = board.layout.side(a.col, a.row, side.direction)
        for t0, t1 in side.bar:
            line = [_point(*(p + t * (q - p))) for t in (t0, t1)]
            vertices, height = list(side.vertices), side.bar_half
            yield _feature(
                "bar", "LineString", line, name=side.name, vertices=vertices, height_half=height
            )
        if side.terrain:
            name = board.catalogue[side.terrain].name
            line = [_point(*p), _point(*q)]
            yield _feature("hexside", "LineString", line, name=side.name, terrain=name)
    for m in board.stairwells:
        yield _feature("stairwell", "Point", _point(m.x_px, m.y_px))


def _feature(feature: str, shape: str, coordinates: Any, **properties: Any) -> dict[str, Any]:
    return {
        "type": "Feature",
        "geometry": {"type": shape, "coordinates": coordinates},
        "properties": {"feature": feature, **properties},
    }


def _point(x: float, y: float) -> list[float]:
    return [round(float(x), 2), round(float(y), 2)]


def _rings(rings: Iterable[Iterable[Iterable[float]]]) -> list[list[list[float]]]:
    """Rings that end where they begin."""
    out = []
    for ring in rings:
        points = [_point(*p) for p in ring]
        out.append(points if points[0] == points[-1] else [*points, points[0]])
    return out
