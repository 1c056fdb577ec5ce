"""Terrain codes of the label raster and the rule that gives a building its height.

The numbers are VASL's terrain codes (``LOSData``, ``SharedBoardMetadata.xml``),
so that a sample's raster can be compared with a real board's; those from 230 are
hexsight's own.
"""

from __future__ import annotations

OPEN = 0
PLOWED_FIELD = 1
MARSH = 14
SHELLHOLES = 15
BRUSH = 25
DEBRIS = 27
WOODS = 60
ORCHARD = 63
DIRT_ROAD = 65
PAVED_ROAD = 66
RUNWAY = 69
WALL = 72
HEDGE = 73
STONE_RUBBLE = 90
WOODEN_RUBBLE = 91
STEEP_SLOPE = 230
GENTLE_SLOPE = 231
VILLAGE = 232
STREAM = 234
FENCE = 238
TARMAC = 239

BUILDINGS = (*range(40, 49), *range(50, 59), *range(170, 174))

NAMES: dict[int, str] = {
    OPEN: "Open Ground",
    PLOWED_FIELD: "Plowed Field",
    MARSH: "Marsh",
    SHELLHOLES: "Shellholes",
    BRUSH: "Brush",
    DEBRIS: "Debris",
    40: "Stone Building",
    41: "Stone Building, 1 Level",
    42: "Stone Building, 2 Level",
    43: "Stone Building, 3 Level",
    44: "Stone Building, 4 Level",
    47: "Stone Factory, 1.5 Level",
    48: "Stone Factory, 2.5 Level",
    50: "Wooden Building",
    51: "Wooden Building, 1 Level",
    52: "Wooden Building, 2 Level",
    57: "Wooden Factory, 1.5 Level",
    58: "Wooden Factory, 2.5 Level",
    WOODS: "Woods",
    ORCHARD: "Orchard",
    DIRT_ROAD: "Dirt Road",
    PAVED_ROAD: "Paved Road",
    RUNWAY: "Runway",
    WALL: "Wall",
    HEDGE: "Hedge",
    STONE_RUBBLE: "Stone Rubble",
    WOODEN_RUBBLE: "Wooden Rubble",
    170: "Roofless Factory, 1.5 Level",
    171: "Roofless Factory, 2.5 Level",
    172: "Interior Factory Wall, 1.5 Level",
    173: "Interior Factory Wall, 2.5 Level",
    VILLAGE: "Village",
    STREAM: "Stream",
    FENCE: "Fence",
    TARMAC: "Tarmac",
}
"""What each code of a sample's label raster stands for."""


def building_height_half(*, factory: bool, stairwell: bool, hexes: int) -> int:
    """Height of a building in half-levels, by what is printed on it.

    Parameters
    ----------
    factory : bool
        Whether a road enters it (rule O5.1).
    stairwell : bool
        Whether a white stairwell square is printed on it (O.4B, B23.22).
    hexes : int
        Number of hexes it stands in.

    Returns
    -------
    int
        3 (1½ levels) for a Factory without stairwell, 5 with one; 2 for a
        building of one hex, 3 for several hexes, 5 with a stairwell.
    """
    if factory:
        return 5 if stairwell else 3
    if stairwell:
        return 5
    return 2 if hexes == 1 else 3


def building_code(material: str, *, factory: bool, height_half: int) -> int:
    """VASL code of the roofed part of a building.

    Parameters
    ----------
    material : {"stone", "wood"}
        What it is built of.
    factory : bool
        Whether it is a Factory.
    height_half : int
        Height in half-levels, see `building_height_half`.

    Returns
    -------
    int
        40–44, 47, 48 for stone, ten more for wood.
    """
    base = 40 if material == "stone" else 50
    if factory:
        return base + (7 if height_half == 3 else 8)
    return base + {2: 0, 3: 1, 5: 2, 7: 3, 9: 4}[height_half]


def roofless_code(height_half: int) -> int:
    """VASL code of the roofless floor of a Factory `height_half` half-levels high."""
    return 170 if height_half == 3 else 171


def bar_code(height_half: int) -> int:
    """VASL code of an Interior Factory Wall in a Factory `height_half` half-levels high."""
    return 172 if height_half == 3 else 173
