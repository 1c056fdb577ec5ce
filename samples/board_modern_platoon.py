"""Data of the board "modern-platoon": an airport as an aerial photograph shows it.

Runway, apron, a terminal of three storeys with two piers, control tower, hangars, a
factory, car park, houses, woods.  Flat-topped hexes, so that a hex lies to the north.
"""

from __future__ import annotations

import math

from .hexes import HexLayout, Numbering, Point
from .spec import Area, BoardSpec, Building, Palette, Road, Roof

LAYOUT = HexLayout(
    dx=63.2,
    dy=73.0,
    x0=41.3,
    y0=34.6,
    sideways=False,
    numbering=Numbering(first="H", h_type="A", v_type="N", h_off=0, v_off=1, stagger=False),
)

PALETTE = Palette(
    ground=(170, 180, 122),
    ground_spread=(3.0, 2.2),
    grid=(46, 50, 40),
    grid_width_px=1,
    grid_smooth=True,
    label=(30, 32, 28),
    dot=(255, 255, 255),
    paved=(140, 141, 143),
    dirt=(206, 190, 150),
    stone_roof=(116, 142, 170),
    wood_roof=(138, 112, 78),
    floor=(160, 160, 156),
    bar=(14, 14, 16),
    ring=(30, 28, 28),
    woods=(84, 112, 66),
    brush=(158, 184, 110),
    orchard=(92, 134, 60),
    hedge=(44, 84, 44),
    wall=(164, 132, 108),
    shellhole=(112, 92, 66),
    stone_rubble=(150, 152, 154),
    wooden_rubble=(110, 66, 42),
    debris=(126, 124, 120),
    tarmac=(205, 201, 188),
    runway=(104, 106, 110),
    fence=(70, 72, 66),
    garden=(150, 172, 104),
)

STEEL, SHEET, BRICK = (112, 140, 172), (128, 158, 150), (166, 90, 76)


def _rect(u0: float, v0: float, u1: float, v1: float) -> tuple[Point, ...]:
    return (u0, v0), (u1, v0), (u1, v1), (u0, v1)


TERMINAL = Building(
    id="terminal",
    material="stone",
    colour=STEEL,
    height_half=7,
    outline=(
        (4.71, 5.25),
        (6.71, 5.25),
        (6.71, 4.75),  # the entrance hall
        (9.29, 4.75),
        (9.29, 5.25),
        (11.29, 5.25),
        (11.29, 6.3),
        (10.29, 6.3),  # eastern pier
        (10.29, 7.3),
        (9.71, 7.3),
        (9.71, 6.3),
        (6.29, 6.3),
        (6.29, 7.3),  # western pier
        (5.71, 7.3),
        (5.71, 6.3),
        (4.71, 6.3),
    ),
    roofs=(
        Roof("deck", (4.71, 5.25, 6.71, 6.3), "u"),
        Roof("deck", (9.29, 5.25, 11.29, 6.3), "u"),
        Roof("deck", (5.71, 6.3, 6.29, 7.3), "v", 8),
        Roof("deck", (9.71, 6.3, 10.29, 7.3), "v", 8),
        Roof("skylights", (6.71, 4.75, 9.29, 6.3), "u", 6),
    ),
)

TOWER = Building(
    id="tower",
    material="stone",
    colour=(136, 158, 182),
    height_half=9,
    outline=tuple(
        (
            13.0 + 0.3 * math.cos(k * math.pi / 4 + 0.39),
            5.5 + 0.27 * math.sin(k * math.pi / 4 + 0.39),
        )
        for k in range(8)
    ),
    roofs=(Roof("deck", (12.7, 5.2, 13.3, 5.8), "u", 10),),
)


def _hangar(name: str, v0: float, v1: float) -> Building:
    return Building(
        id=f"hangar-{name}",
        material="stone",
        colour=SHEET,
        outline=_rect(14.71, v0, 16.29, v1),
        roofs=(Roof("barrel", (14.71, v0, 16.29, v1), "u"),),
    )


FACTORY = Building(
    id="factory",
    material="stone",
    colour=BRICK,
    outline=(
        (12.71, 0.75),
        (15.29, 0.75),
        (15.29, 1.75),
        (16.29, 1.75),
        (16.29, 3.25),
        (12.71, 3.25),
    ),
    roofs=(
        Roof("sawtooth", (12.71, 0.75, 15.29, 2.0), "u"),
        Roof("ridge", (12.71, 2.0, 14.6, 3.25), "u", 6),
        Roof("planks", (14.6, 1.75, 16.29, 3.25), "v", -4),
    ),
)


def _house(name: str, u: float, v: float, w: float, h: float) -> Building:
    box = (u - w / 2, v - h / 2, u + w / 2, v + h / 2)
    return Building(
        id=f"house-{name}",
        material="wood",
        outline=_rect(*box),
        roofs=(Roof("ridge", box, "u" if w > h else "v", 6),),
    )


SPEC = BoardSpec(
    name="modern-platoon",
    title="Northfield Airport",
    seed=1985,
    layout=LAYOUT,
    size_px=(1157, 897),
    map_area_px=(0, 0, 1156, 896),
    palette=PALETTE,
    buildings=(
        TERMINAL,
        TOWER,
        _hangar("1", 5.7, 7.3),
        _hangar("2", 7.75, 9.3),
        FACTORY,
        _house("b3", 1.0, 2.42, 0.5, 0.36),
        _house("d3", 3.0, 2.44, 0.5, 0.36),
        _house("b5", 1.0, 4.62, 0.5, 0.36),
        _house("d5", 3.0, 4.62, 0.5, 0.38),
        _house("g1", 6.02, 0.02, 0.5, 0.38),
    ),
    roads=(
        Road("paved", ((-2.0, 3.5), (4.0, 3.5), (8.0, 4.05), (12.0, 4.3), (20.0, 4.0)), 0.2),
        Road("paved", ((11.0, -2.0), (11.0, 2.0), (10.9, 4.22)), 0.2),
        Road("paved", ((10.95, 2.5), (12.0, 2.5), (13.1, 2.5)), 0.18),  # factory, N3
        Road("dirt", ((2.0, 3.5), (2.0, 6.0), (1.6, 9.0), (-2.0, 9.8)), 0.14),
    ),
    areas=(
        Area("runway", _rect(-2.0, 10.2, 20.0, 11.3)),
        Area(
            "tarmac",
            (
                (3.3, 6.55),
                (14.62, 6.55),
                (14.62, 9.3),
                (12.9, 9.3),
                (12.9, 10.25),
                (12.1, 10.25),
                (12.1, 9.05),
                (4.9, 9.05),
                (4.9, 10.25),
                (4.1, 10.25),
                (4.1, 9.05),
                (3.3, 9.05),
            ),
        ),
        Area("parking", _rect(5.6, 1.85, 10.3, 3.2)),
        Area("lawn", _rect(4.75, 4.35, 6.2, 4.95), 90.0),
        Area("lawn", _rect(9.8, 4.65, 11.2, 5.0), 90.0),
        Area("plane", ((4.67, 7.1),), -60.0),
        Area("plane", ((7.33, 7.1),), -125.0),
        Area("plane", ((8.67, 6.98),), -55.0),
        Area("plane", ((12.67, 8.0),), 200.0),
    ),
    patches={
        "copse": (
            *("A1", "A2", "B1", "C1", "C2", "D1"),
            *("A7", "A8", "B7", "B8"),
            *("Q1", "R1", "R2"),
            *("R7", "R8", "R9"),
            *("H1", "I1"),
        ),
        "brush": ("D8", "A10", "M2"),
    },
    walls=(("M4", "M5"), ("M5", "N4")),
    hedges=(("B3", "C3"), ("C3", "D2"), ("C5", "D5"), ("D5", "D6"), ("D5", "E5")),
    fences=(
        *(("C7", "D6"), ("D6", "D7"), ("D6", "E7"), ("E6", "E7")),
        *(("L6", "L7"), ("L6", "M7"), ("M6", "M7"), ("M6", "N6")),
        *(("N6", "O6"), ("O5", "O6"), ("O6", "P5"), ("P5", "P6"), ("P5", "Q6")),
    ),
    dots=False,
    project=True,
    default=False,
)
