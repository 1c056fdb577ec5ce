"""A board as the page draws it: hexes, hexsides, buildings and their words as JSON.

Everything is in board pixels (the middle of the top left pixel is 0, 0), heights in
half-levels.  Lists are in the board's own order, so that the same board gives the same JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hexsight.export.lettering import half_levels
from hexsight.model.board import (
    Board,
    Building,
    HexFacts,
    HexsideFacts,
    Ring,
    RooflessArea,
    side_vertices,
    vertex_name,
)
from hexsight.model.layout import CORNERS
from hexsight.model.locations import Location, locations_of
from hexsight.model.terrain import HEXSIDE_KINDS

SCHEMA = 1
Json = dict[str, Any]
# Hexes with bars of which not even this share is covered are told by their share.
_WHOLE = 0.98


def board_json(
    board: Board,
    locations: tuple[Location, ...] | None = None,
    corrections: Mapping[str, Any] | None = None,
    earlier: tuple[Board, Json] | None = None,
) -> Json:
    """All that the page draws and says of a board.

    Parameters
    ----------
    board : Board
    locations : tuple of Location, optional
        As `locations_of` gives them, where they are at hand.
    corrections : mapping, optional
        What hexsight.yaml says: ``hexes`` and ``hexsides`` by name, and more.
    earlier : (Board, dict), optional
        The board before a correction and its JSON: of what is the same, the same
        objects are taken over, which is fast, and fast to compare.
    """
    said = corrections or {}
    old = _Earlier(*earlier) if earlier is not None else None
    places = locations if locations is not None else locations_of(board)
    layout = board.layout
    corners = layout.lattice_to_pixel(np.array(CORNERS)) - layout.lattice_to_pixel((0, 0))
    kinds = board.catalogue.types
    return {
        "schema": SCHEMA,
        "name": board.name,
        "size_px": list(board.size_px),
        "layout": {
            "origin_px": list(layout.origin_px),
            "col_px": list(layout.col_px),
            "row_px": list(layout.row_px),
            "sideways": layout.sideways,
            "dx": layout.dx,
            "dy": layout.dy,
            "x0": layout.x0,
            "y0": layout.y0,
            "rot_deg": layout.rot_deg,
        },
        "corners_px": _points(corners),
        "terrains": [{"code": t.code, "name": t.name, "kind": t.kind} for t in kinds],
        "hexside_terrains": [t.name for t in kinds if t.kind in HEXSIDE_KINDS],
        "hexes": hexes_json(board, places, said.get("hexes") or {}, old),
        "locations": [[loc.hex, loc.name, level_words(loc)] for loc in places],
        "hexsides": hexsides_json(board, said.get("hexsides") or {}, old),
        "buildings": [_building(b, old) for b in board.buildings],
        "roofless": [_roofless(area) for area in board.roofless],
        "stairwells": _stairwells(board),
        "openings": [
            {"building": o.building, "level": o.level, "ends": _points(np.array(o.ends_px))}
            for o in board.openings
        ],
        "corrections": said,
    }


class _Earlier:
    """What was told of a board before, to be found by what it was told of."""

    def __init__(self, board: Board, told: Json) -> None:
        self.hexes = dict(zip((h.name for h in board.hexes), told["hexes"], strict=True))
        self.facts, self.building_by_id = board.by_name, board.building_by_id
        self.hexsides = {one["name"]: one for one in told["hexsides"]}
        self.sides = board.side_by_name
        self.buildings: dict[int, Json] = dict(
            zip((b.id for b in board.buildings), told["buildings"], strict=True)
        )


def level_words(location: Location) -> str:
    """Level of a Location in words: ``ground``, ``level 2``, ``rooftop``."""
    named = {"roof": "rooftop", "level": f"level {location.level}"}
    return named.get(location.kind, location.kind)


def hexes_json(
    board: Board,
    locations: tuple[Location, ...],
    said: Mapping[str, Any],
    earlier: _Earlier | None = None,
) -> list[Json]:
    """Every hex, in the board's order."""
    starts = np.searchsorted([loc.hex for loc in locations], np.arange(len(board.hexes) + 1))
    starts_at = starts.tolist()
    out = []
    for i, h in enumerate(board.hexes):
        span = [starts_at[i], starts_at[i + 1] - starts_at[i]]
        override = said.get(h.name)
        if earlier is not None and earlier.facts.get(h.name) == h:
            known = earlier.hexes[h.name]
            same = known["locations"] == span and known["override"] == override
            if same and _same_words(board, earlier, h):
                out.append(known)
                continue
        out.append(_hex(board, h, span, override))
    return out


def _same_words(board: Board, earlier: _Earlier, facts: HexFacts) -> bool:
    one = board.building_by_id.get(facts.building)
    two = earlier.building_by_id.get(facts.building)
    if one is None or two is None:
        return one is two
    return (one.material, one.kind) == (two.material, two.kind)


def _hex(board: Board, h: HexFacts, span: list[int], override: object) -> Json:
    return {
        "name": h.name,
        "col": h.col,
        "row": h.row,
        "x": round(h.x_px, 2),
        "y": round(h.y_px, 2),
        "terrain": h.terrain,
        "level_half": h.base_half,
        "building": h.building,
        "height_half": h.height_half,
        "factory": h.factory,
        "roofless": h.roofless,
        "stairwell": h.stairwell,
        "vehicular_entrance": h.vehicular_entrance,
        "confidence": round(h.confidence, 3),
        "on_map": round(h.on_map, 3),
        "locations": span,
        "override": override,
        "words": hex_words(board, h),
    }


def hex_words(board: Board, facts: HexFacts) -> str:
    """What stands in a hex, in one line."""
    parts = []
    building = board.building_by_id.get(facts.building)
    if building is not None:
        what = "Factory" if facts.factory else building.kind
        parts.append(f"{_made_of(building)} {what} of {_levels(facts.height_half)}")
        parts += ["roofless"] if facts.roofless else []
        parts += ["stairwell"] if facts.stairwell else []
        parts += ["road enters"] if facts.vehicular_entrance else []
    kind = board.catalogue[facts.terrain]
    # What lies around a house is not said of it, unless it is more than open ground.
    if building is None or not (kind.in_depiction or kind.kind == "open"):
        parts.append(kind.name)
    if facts.base_half:
        parts.append(f"ground at level {half_levels(facts.base_half)}")
    text = ", ".join(parts)
    return text[:1].upper() + text[1:] + "."


def _made_of(building: Building) -> str:
    return {"wood": "wooden"}.get(building.material, building.material)


def _levels(value_half: int) -> str:
    return f"{half_levels(value_half)} {'level' if value_half == 2 else 'levels'}"


def hexsides_json(
    board: Board, said: Mapping[str, Any], earlier: _Earlier | None = None
) -> list[Json]:
    """The hexsides that carry something: a bar, a wall or hedge, a correction."""
    # A person may have written the hexes the other way round, and with blanks.
    names = {name.replace(" ", ""): value for name, value in said.items()}
    lattice = {(h.col, h.row): h.name for h in board.hexes}
    out = []
    for side in board.hexsides:
        override = names.get(side.name, names.get(f"{side.b}-{side.a}")) if names else None
        if not (side.bar or side.terrain or override is not None):
            continue
        known = earlier.hexsides.get(side.name) if earlier is not None else None
        if known is not None and earlier is not None and earlier.sides.get(side.name) == side:
            out.append(known if known["override"] == override else known | {"override": override})
        else:
            out.append(_hexside(board, lattice, side, override))
    return out


def _hexside(
    board: Board, names: dict[tuple[int, int], str], side: HexsideFacts, override: object
) -> Json:
    a = board.by_name[side.a]
    points = side_vertices((a.col, a.row), side.direction)
    ends = board.layout.lattice_to_pixel(points)
    reached = [k for k in (0, 1) if vertex_name(names, *points[k]) in side.vertices]
    return {
        "name": side.name,
        "a": side.a,
        "b": side.b,
        "direction": side.direction,
        "ends": _points(ends),
        "bar": [[round(p, 4), round(q, 4)] for p, q in side.bar],
        "bar_half": side.bar_half,
        "vertices": _points(ends[reached]),
        "terrain": board.catalogue[side.terrain].name if side.terrain else "",
        "confidence": round(side.confidence, 3),
        "override": override,
        "words": hexside_words(board, side),
    }


def hexside_words(board: Board, side: HexsideFacts) -> str:
    """What lies along a hexside, in one line."""
    parts = []
    if side.bar:
        share = "all of it" if side.bar_share >= _WHOLE else f"{100 * side.bar_share:.0f} % of it"
        parts.append(f"bar of {_levels(side.bar_half)} along {share}")
        count = len(side.vertices)
        if count:
            parts.append(f"reaches {'both vertices' if count > 1 else 'one vertex'}")
    if side.terrain:
        parts.append(board.catalogue[side.terrain].name)
    text = ", ".join(parts) or "nothing"
    return text[:1].upper() + text[1:] + "."


def _building(building: Building, earlier: _Earlier | None = None) -> Json:
    if earlier is not None and earlier.building_by_id.get(building.id) == building:
        return earlier.buildings[building.id]
    what = "Factory" if building.kind == "factory" else building.kind
    text = f"{_made_of(building)} {what} of {_levels(building.height_half)}"
    count = len(building.hexes)
    if count:
        text += f" in {count} {'hex' if count == 1 else 'hexes'}"
    return {
        "id": building.id,
        "rings": _rings(building.rings),
        "material": building.material,
        "kind": building.kind,
        "height_half": building.height_half,
        "hexes": list(building.hexes),
        "stairwells": list(building.stairwells),
        "entries": [
            {
                "hex": e.hex,
                "x": round(e.x_px, 2),
                "y": round(e.y_px, 2),
                "confidence": round(e.confidence, 3),
            }
            for e in building.entries
        ],
        "confidence": round(building.confidence, 3),
        "words": text[:1].upper() + text[1:] + ".",
    }


def _roofless(area: RooflessArea) -> Json:
    return {
        "building": area.building,
        "rings": _rings(area.rings),
        "hexes": list(area.hexes),
        "confidence": round(area.confidence, 3),
    }


def _stairwells(board: Board) -> list[Json]:
    if not board.stairwells:
        return []
    cells = board.layout.pixel_to_hex([(m.x_px, m.y_px) for m in board.stairwells])
    out = []
    for mark, cell in zip(board.stairwells, cells.tolist(), strict=True):
        facts = board.by_offset.get((cell[0], cell[1]))
        out.append(
            {
                "x": round(mark.x_px, 2),
                "y": round(mark.y_px, 2),
                "size": round(mark.size_px, 2),
                "hex": facts.name if facts is not None else "",
                "confidence": round(mark.confidence, 3),
            }
        )
    return out


def _points(points: NDArray[np.float64]) -> list[list[float]]:
    found: list[list[float]] = np.round(points, 2).tolist()
    return found


def _rings(rings: tuple[Ring, ...]) -> list[list[list[float]]]:
    return [_points(np.array(ring, np.float64)) for ring in rings]


def patch_between(before: Json, after: Json) -> Json:
    """What a page that holds one JSON of a board needs to hold another.

    Parameters
    ----------
    before, after : dict
        As `board_json` and more keys.

    Returns
    -------
    dict
        The keys that differ.  Of ``hexes`` and ``buildings``, where both have as many,
        only those that differ, by their place in the list.
    """
    out: Json = {key: value for key, value in after.items() if before.get(key, _NEVER) != value}
    for key in ("hexes", "buildings"):
        old, new = before.get(key), out.get(key)
        if old is not None and new is not None and len(old) == len(new):
            pairs = zip(old, new, strict=True)
            out[key] = {str(i): b for i, (a, b) in enumerate(pairs) if a != b}
    return out


_NEVER = object()
