"""Data of the board "sideways-mill": pointy-topped hexes on paper with a margin and a frame.

"Sideways" in VASSAL's sense: raw columns run down the map and raw rows across,
so ``u`` counts lines of hexes downwards and ``v`` hexes from left to right.
Printed names give the place across as a letter and the line as two digits.
"""

from __future__ import annotations

from .hexes import HexLayout, Numbering, Point
from .spec import Bar, BoardSpec, Building, Palette, Road, Roof

LAYOUT = HexLayout(
    dx=52.7,
    dy=60.8,
    x0=49.6,
    y0=63.3,
    sideways=True,
    numbering=Numbering(
        first="V", h_type="N", h_leading=1, h_off=1, v_type="A", v_off=0, stagger=True
    ),
)

PALETTE = Palette(
    ground=(196, 205, 172),
    ground_spread=(2.2, 1.4),
    grid=(66, 54, 44),
    grid_width_px=1,
    grid_smooth=True,
    label=(52, 40, 32),
    dot=(255, 255, 255),
    paved=(206, 204, 200),
    dirt=(222, 196, 148),
    stone_roof=(112, 116, 124),
    wood_roof=(128, 82, 52),
    floor=(160, 160, 156),
    bar=(14, 14, 16),
    ring=(30, 28, 28),
    woods=(78, 116, 66),
    brush=(158, 184, 110),
    orchard=(92, 134, 60),
    hedge=(44, 84, 44),
    wall=(172, 168, 160),
    shellhole=(112, 92, 66),
    stone_rubble=(150, 152, 154),
    wooden_rubble=(110, 66, 42),
    debris=(126, 124, 120),
)


def _rect(u0: float, v0: float, u1: float, v1: float) -> tuple[Point, ...]:
    return (u0, v0), (u1, v0), (u1, v1), (u0, v1)


MILL = Building(
    id="mill",
    material="stone",
    outline=((0.71, 0.8), (4.29, 0.8), (4.29, 3.25), (5.29, 3.25), (5.29, 4.8), (0.71, 4.8)),
    roofs=(
        Roof("planks", (0.71, 0.8, 1.8, 4.8), "v"),
        Roof("ridge", (1.8, 0.8, 3.2, 2.8), "v"),
        Roof("skylights", (3.2, 0.8, 4.29, 2.8), "v"),
        Roof("panels", (1.8, 2.8, 3.2, 4.8), "v", 4),
        Roof("planks", (3.2, 2.8, 5.29, 4.8), "u", -6),
    ),
    bars=(
        Bar(("D02", "E02")),
        Bar(("D03", "E02")),
        Bar(("D03", "E03")),
        Bar(("D03", "E04"), (0.5, 1.0)),
        # E04-E05 has no bar though bars end at both its vertices
        Bar(("E04", "F04")),
        Bar(("D05", "E05")),
    ),
    roofless=(("C03", "C04", "D04"),),
)

SAWMILL = Building(
    id="sawmill",
    material="wood",
    outline=_rect(5.71, 7.3, 8.29, 10.3),
    roofs=(
        Roof("planks", (5.71, 7.3, 7.0, 10.3), "v"),
        Roof("ridge", (7.0, 7.3, 8.29, 9.0), "v"),
        Roof("skylights", (7.0, 9.0, 8.29, 10.3), "v", -4),
    ),
    bars=(
        Bar(("I07", "J07")),
        Bar(("J07", "J08")),
        Bar(("J08", "K08")),
        Bar(("J09", "K08"), (0.0, 0.5)),
    ),
    stairwells=("J08", "K07"),
)

OFFICE = Building(
    id="office",
    material="stone",
    outline=_rect(1.75, 8.2, 3.25, 9.3),
    roofs=(
        Roof("slate", (1.75, 8.2, 3.25, 9.3), "v", 14),
        Roof("ridge", (2.1, 8.2, 2.9, 9.3), "v"),
    ),
    stairwells=("J04",),
)


def _house(name: str, material: str, u: float, v: float, du: float, dv: float) -> Building:
    box = (u - du / 2, v - dv / 2, u + du / 2, v + dv / 2)
    return Building(
        id=f"house-{name}",
        material=material,
        outline=_rect(*box),
        roofs=(Roof("ridge", box, "u" if du > dv else "v", 8),),
    )


SPEC = BoardSpec(
    name="sideways-mill",
    title="Sideways Mill",
    seed=1913,
    layout=LAYOUT,
    size_px=(796, 575),
    map_area_px=(32, 32, 763, 542),
    palette=PALETTE,
    buildings=(
        MILL,
        SAWMILL,
        OFFICE,
        _house("a", "wood", 7.0, 1.5, 0.5, 0.4),
        _house("b", "wood", 8.0, 3.05, 0.45, 0.5),
        _house("c", "stone", 5.0, 10.5, 0.45, 0.5),
    ),
    roads=(
        Road("paved", ((-2.0, 6.0), (12.0, 6.0)), 0.3),
        Road("dirt", ((2.0, 6.0), (2.0, 4.6)), 0.26),
        Road("dirt", ((7.0, 6.0), (7.0, 7.5)), 0.26),
        Road("dirt", ((6.0, -2.0), (6.1, 2.0), (6.0, 6.0)), 0.24),
        Road("paved", ((4.0, 6.0), (4.1, 9.0), (4.0, 13.0)), 0.26),
    ),
    patches={
        "stone_rubble": ("G02", "C06"),
        "wooden_rubble": ("I06", "L09"),
        "woods": ("L01", "L02", "M02", "M04", "A10", "B10", "A08", "A09"),
        "brush": ("E10", "E09", "L04"),
        "orchard": ("G10", "F09", "L03"),
        "debris": ("A01", "G04", "K05", "F08", "C01"),
        "shellholes": ("H04", "H05", "F07", "H10", "K01", "J06", "B06"),
    },
    walls=(("H01", "I02"), ("I01", "I02"), ("I01", "J02"), ("J01", "J02")),
    hedges=(("C08", "C09"), ("C09", "D08"), ("D08", "D09")),
    rings=((3.0, 6.0), (1.2, 2.0), (6.3, 8.4)),
    label_size_px=10,
    stair_size_px=9.0,
)
