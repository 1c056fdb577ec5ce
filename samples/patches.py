"""Painter of each kind of terrain that fills hexes."""

from __future__ import annotations

from collections.abc import Callable

from . import country_art, plan_art, terrain_art
from .canvas import Canvas, rng_for
from .hexes import Hex
from .spec import Area, BoardSpec
from .terrain_art import Rng

Painter = Callable[[Canvas, BoardSpec, Hex, Rng], None]

PAINTERS: dict[str, Painter] = {
    "shellholes": terrain_art.paint_shellholes,
    "plough": country_art.paint_plough,
    "stubble": country_art.paint_stubble,
    "garden": country_art.paint_garden,
    "marsh": country_art.paint_marsh,
    "brush": terrain_art.paint_brush,
    "orchard": terrain_art.paint_orchard,
    "woods": terrain_art.paint_woods,
    "copse": plan_art.paint_copse,
    "grove": country_art.paint_grove,
    "village": country_art.paint_village,
    "church": country_art.paint_church,
    "debris": terrain_art.paint_debris,
    "wooden_rubble": terrain_art.paint_wooden_rubble,
    "stone_rubble": terrain_art.paint_stone_rubble,
}
"""In the order of drawing."""

AREAS: dict[str, Callable[[Canvas, BoardSpec, Area], None]] = {
    "tarmac": plan_art.paint_tarmac,
    "runway": plan_art.paint_runway,
    "parking": plan_art.paint_parking,
    "plane": plan_art.paint_plane,
    "fountain": plan_art.paint_fountain,
    "square": plan_art.paint_cobbles,
    "lawn": plan_art.paint_lawn,
}
"""Painter of each kind of area."""


def paint_patches(canvas: Canvas, spec: BoardSpec, by_name: dict[str, Hex]) -> None:
    """Vegetation, shellholes, debris, rubble and villages of a board."""
    for kind, paint in PAINTERS.items():
        for name in spec.patches.get(kind, ()):
            paint(canvas, spec, by_name[name], rng_for(spec.seed, kind, name))
