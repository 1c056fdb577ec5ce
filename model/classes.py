"""Terrain classes: types of the catalogue that a comparison of two readings counts as one.

Two readings of one map may name a building by other heights, or a rubble by another level;
what a pixel *is* they agree on.  Heights are compared hex by hex instead.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import HexsideFacts
from hexsight.model.terrain import BAR_KINDS, Catalogue, TerrainType

CLEAR_BAR = 0.5  # share of a hexside from which a bar must be seen by any reading
_MATERIALS = {"stone": "Stone", "wood": "Wooden"}
_BY_MATERIAL = {
    "building": "building",
    "factory": "building",
    "factory-wall": "building",
    "rubble": "rubble",
    "bridge": "bridge",
}
_BY_KIND = {"market": "Market place", "roofless": "Roofless floor", "water": "Water"}


@dataclass(frozen=True)
class TerrainClasses:
    """What counts as one terrain.

    Attributes
    ----------
    names : tuple of str
    table : (256,) int
        Position in `names` of each code.
    depiction, ground : (n,) bool
        By class: part of a building; ground on which nothing is drawn.
    """

    names: tuple[str, ...]
    table: NDArray[np.intp]
    depiction: NDArray[np.bool_]
    ground: NDArray[np.bool_]


def terrain_classes(catalogue: Catalogue) -> TerrainClasses:
    """Group the codes of a catalogue: buildings, bars, rubble, water by what they are."""
    place: dict[str, int] = {}
    table = np.zeros(256, np.intp)
    for code in range(256):
        table[code] = place.setdefault(_class_name(catalogue[code]), len(place))
    depiction, ground = np.zeros(len(place), bool), np.zeros(len(place), bool)
    for code in range(256):
        if code in catalogue:
            depiction[table[code]] |= catalogue[code].in_depiction
    ground[table[0]] = True
    return TerrainClasses(tuple(place), table, depiction, ground)


def _class_name(terrain: TerrainType) -> str:
    if terrain.kind in BAR_KINDS:
        return "Black bar"
    if terrain.kind in _BY_KIND:
        return _BY_KIND[terrain.kind]
    if terrain.kind in _BY_MATERIAL and terrain.material in _MATERIALS:
        return f"{_MATERIALS[terrain.material]} {_BY_MATERIAL[terrain.kind]}"
    return terrain.name


def bars_comparable(found: HexsideFacts, truth: HexsideFacts) -> bool:
    """Whether it means something that only one of two readings has a bar on a hexside.

    The end of a thick bar spills over to the next hexside: a short stub in one reading alone
    is drawing, not a bar.
    """
    if bool(found.bar) == bool(truth.bar):
        return True
    return max(found.bar_share, truth.bar_share) >= CLEAR_BAR
