"""Data of the board "red-factory": flat-topped hexes, three stone factories, a street grid.

Its columns stand half a hex apart as on ASL boards: A1 whole, B0 and B14 cut
by the edge of the picture.
"""

from __future__ import annotations

from .hexes import HexLayout, Numbering, Point, turned
from .spec import Bar, BoardSpec, Building, Palette, Road, Roof

LAYOUT = HexLayout(
    dx=56.2,
    dy=64.9,
    x0=23.4,
    y0=33.7,
    sideways=False,
    numbering=Numbering(first="H", h_type="A", v_type="N", h_off=0, v_off=1, stagger=False),
)

PALETTE = Palette(
    ground=(209, 196, 146),
    ground_spread=(2.6, 1.6),
    grid=(0, 0, 0),
    grid_width_px=1,
    grid_smooth=False,
    label=(0, 0, 0),
    dot=(255, 255, 255),
    paved=(178, 197, 206),
    dirt=(234, 214, 174),
    stone_roof=(104, 106, 103),
    wood_roof=(122, 86, 44),
    floor=(146, 147, 143),
    bar=(18, 19, 17),
    ring=(20, 20, 20),
    woods=(66, 108, 52),
    brush=(150, 178, 92),
    orchard=(72, 124, 52),
    hedge=(38, 76, 36),
    wall=(166, 164, 156),
    shellhole=(120, 86, 58),
    stone_rubble=(142, 144, 140),
    wooden_rubble=(98, 58, 40),
    debris=(134, 132, 126),
)


def _rect(u0: float, v0: float, u1: float, v1: float) -> tuple[Point, ...]:
    return (u0, v0), (u1, v0), (u1, v1), (u0, v1)


FOUNDRY = Building(
    id="foundry",
    material="stone",
    outline=(
        (2.71, 0.75),
        (5.29, 0.75),
        (5.29, 6.3),
        (4.5, 6.3),  # a porch
        (4.5, 6.44),
        (4.05, 6.44),
        (4.05, 6.3),
        (1.71, 6.3),
        (1.71, 2.75),
        (2.71, 2.75),
    ),
    roofs=(
        Roof("skylights", (2.71, 0.75, 5.29, 1.7), "u"),
        Roof("planks", (2.71, 1.7, 5.29, 3.2), "u", -6),
        Roof("panels", (1.71, 2.75, 2.75, 4.5), "u"),
        Roof("ridge", (2.75, 3.2, 5.29, 4.8), "u"),
        Roof("planks", (1.71, 4.5, 2.75, 6.3), "v", 6),
        Roof("sawtooth", (2.75, 5.4, 5.29, 5.8), "u"),
        Roof("planks", (2.75, 5.8, 5.29, 6.3), "u"),
        Roof("planks", (2.75, 4.8, 5.29, 5.4), "u", -10),
    ),
    bars=(
        # a chain with a gap: E3-E4 has no bar though bars end at both its vertices
        Bar(("D2", "D3")),
        Bar(("D3", "E3")),
        Bar(("E3", "F3")),
        Bar(("F2", "F3")),
        # a bar that stops half way along the hexside, beside the roofless area
        Bar(("C5", "C6")),
        Bar(("C6", "D5"), (0.0, 0.5)),
        # an angle near the southern wall
        Bar(("E6", "F6")),
        Bar(("E7", "F6")),
    ),
    roofless=(("D4", "D5", "E5", "E6", "F5"),),
)

TRACTOR_WORKS = Building(
    id="tractor-works",
    material="stone",
    outline=(
        (7.71, 0.75),
        (11.29, 0.75),
        (11.29, 1.36),  # a bay
        (11.48, 1.36),
        (11.48, 1.64),
        (11.29, 1.64),
        (11.29, 3.3),
        (9.71, 3.3),
        (9.71, 5.2),
        (7.71, 5.2),
    ),
    roofs=(
        Roof("planks", (7.71, 0.75, 9.4, 1.9), "v"),
        Roof("skylights", (9.4, 0.75, 11.29, 1.9), "u"),
        Roof("ridge", (7.71, 1.9, 11.29, 2.75), "u", 4),
        Roof("sawtooth", (7.71, 2.75, 9.71, 3.3), "u"),
        Roof("planks", (9.71, 2.75, 11.29, 3.3), "u", -8),
        Roof("panels", (7.71, 3.3, 9.71, 4.3), "u"),
        Roof("planks", (7.71, 4.3, 9.71, 5.2), "u", 8),
    ),
    bars=(
        Bar(("I3", "I4")),
        Bar(("I4", "J3")),
        Bar(("J3", "J4")),
        Bar(("J4", "K4")),
        Bar(("K2", "K3"), (0.5, 1.0)),
        Bar(("K3", "L2")),
        Bar(("L2", "L3")),
        Bar(("I5", "J5")),
    ),
    stairwells=("J2", "I5"),
)

ROLLING_MILL = Building(
    id="rolling-mill",
    material="stone",
    outline=(
        (14.71, 9.25),
        (16.95, 9.25),
        (16.95, 9.1),  # a loading dock
        (17.36, 9.1),
        (17.36, 9.25),
        (18.29, 9.25),
        (18.29, 12.3),
        (16.71, 12.3),
        (16.71, 12.85),
        (14.71, 12.85),
    ),
    roofs=(
        Roof("ridge", (14.71, 9.25, 16.3, 10.4), "u"),
        Roof("panels", (16.3, 9.25, 18.29, 10.4), "u", 6),
        Roof("planks", (14.71, 10.4, 15.6, 12.85), "v", -4),
        Roof("planks", (15.6, 10.4, 18.29, 11.5), "u"),
        Roof("skylights", (15.6, 11.5, 16.71, 12.85), "u", 4),
        Roof("planks", (16.71, 11.5, 18.29, 12.3), "u", 5),
    ),
    bars=(
        Bar(("P10", "P11")),
        Bar(("P11", "Q11")),
        Bar(("Q11", "Q12")),
        Bar(("P12", "P13")),
        Bar(("Q13", "Q14"), (0.45, 1.0)),
    ),
    roofless=(("Q12", "R11", "R12", "S12"),),
)

ADMINISTRATION = Building(
    id="administration",
    material="stone",
    outline=(
        (14.71, 1.75),
        (17.29, 1.75),
        (17.29, 4.25),
        (15.71, 4.25),
        (15.71, 3.25),
        (14.71, 3.25),
    ),
    roofs=(
        Roof("slate", (14.71, 1.75, 17.29, 4.25), "u", 20),
        Roof("ridge", (14.71, 2.05, 17.29, 2.95), "u", 16),
        Roof("ridge", (16.05, 2.95, 16.95, 4.25), "v", 16),
    ),
    stairwells=("Q4",),
)

WORKSHOP = Building(
    id="workshop",
    material="stone",
    outline=_rect(15.75, 5.75, 17.25, 6.4),
    roofs=(Roof("ridge", (15.75, 5.75, 17.25, 6.4), "u", 10),),
)

BARN = Building(
    id="barn",
    material="wood",
    outline=_rect(3.75, 11.0, 5.25, 11.75),
    roofs=(Roof("ridge", (3.75, 11.0, 5.25, 11.75), "u"),),
)


def _house(
    name: str, material: str, u: float, v: float, w: float, h: float, *, turn_deg: float = 0.0
) -> Building:
    box = (u - w / 2, v - h / 2, u + w / 2, v + h / 2)
    middle = LAYOUT.px(u, v)
    corners = [turned(LAYOUT.px(*p), middle, turn_deg) for p in _rect(*box)]
    along = "u" if w * LAYOUT.dx > h * LAYOUT.dy else "v"
    return Building(
        id=f"house-{name}",
        material=material,
        outline=tuple(LAYOUT.uv(*p) for p in corners),
        roofs=(Roof("ridge", box, along, 8, turn_deg),),
    )


HOUSES = (
    _house("a2", "wood", 0.05, 1.1, 0.45, 0.6),
    _house("b2", "wood", 1.0, 1.55, 0.4, 0.55),
    _house("a7", "wood", 0.1, 6.1, 0.6, 0.4),
    _house("o7", "wood", 14.0, 6.05, 0.42, 0.62),
    _house("s8", "wood", 18.05, 7.0, 0.55, 0.4),
    _house("e10", "wood", 4.0, 9.05, 0.6, 0.36, turn_deg=-31),
    _house("b7", "stone", 1.0, 6.47, 0.48, 0.5, turn_deg=24),
    _house("m2", "stone", 12.0, 1.1, 0.42, 0.6),
    _house("m5", "stone", 11.95, 4.0, 0.5, 0.5),
    _house("o13", "stone", 14.0, 12.05, 0.45, 0.55),
)

ROADS = (
    Road("paved", ((-2.0, 7.95), (21.0, 7.95))),
    Road("paved", ((7.0, -2.0), (7.0, 15.0))),
    Road("dirt", ((13.0, -2.0), (13.0, 2.0), (13.1, 5.0), (13.0, 7.95)), 0.24),
    Road("dirt", ((-2.0, 4.35), (0.6, 4.15), (1.9, 3.95)), 0.24),  # foundry, C5
    Road("paved", ((7.0, 5.5), (5.1, 5.5)), 0.26),  # foundry, F6
    Road("dirt", ((10.0, -2.0), (10.0, 0.95)), 0.24),  # tractor works, K2
    Road("paved", ((9.0, 7.95), (9.0, 5.0)), 0.26),  # tractor works, J6
    Road("paved", ((16.0, 7.95), (16.0, 9.45)), 0.26),  # rolling mill, Q10
    Road("dirt", ((21.0, 11.5), (19.2, 11.9), (18.1, 12.0)), 0.24),  # rolling mill, S13
    Road("dirt", ((13.0, 2.3), (13.6, 2.3), (14.05, 2.45)), 0.24),  # ends in the open
    Road("dirt", ((3.0, 7.95), (3.0, 9.6), (2.4, 11.0), (2.2, 15.0)), 0.22),
)

SPEC = BoardSpec(
    name="red-factory",
    title="Red Factory",
    seed=20240,
    layout=LAYOUT,
    size_px=(1109, 911),
    map_area_px=(0, 0, 1108, 910),
    palette=PALETTE,
    buildings=(
        FOUNDRY,
        TRACTOR_WORKS,
        ROLLING_MILL,
        ADMINISTRATION,
        WORKSHOP,
        BARN,
        *HOUSES,
    ),
    roads=ROADS,
    patches={
        "stone_rubble": ("C2", "C3", "B4", "O10", "O11", "S5", "H7"),
        "wooden_rubble": ("L5", "L6", "G13", "F10", "T10"),
        "woods": ("A11", "A12", "B10", "B11", "B12", "S3", "T2", "T3", "M13", "M14"),
        "brush": ("I10", "J9", "I11", "O2", "P1", "D14"),
        "orchard": ("K13", "L12", "L13", "A14", "T6", "T7"),
        "debris": ("G4", "H3", "H6", "M7", "L7", "K7", "N10", "P8", "F9", "O5", "H12", "B6"),
        "shellholes": (
            "G2",
            "G7",
            "B9",
            "E9",
            "F14",
            "I13",
            "I8",
            "L9",
            "N3",
            "N6",
            "Q8",
            "R2",
            "S10",
            "E1",
            "K9",
            "A4",
            "T12",
            "O14",
        ),
    },
    walls=(
        ("M10", "N9"),
        ("M10", "N10"),
        ("M11", "N10"),
        ("M11", "N11"),
        ("M12", "N11"),
        ("M12", "N12"),
    ),
    hedges=(
        ("I12", "J11"),
        ("J11", "J12"),
        ("J11", "K12"),
        ("K11", "K12"),
        ("K11", "L11"),
        ("F11", "G11"),
        ("G11", "G12"),
    ),
    rings=(
        (7.05, 2.3),
        (4.2, 1.25),
        (9.3, 1.2),
        (16.2, 10.85),
        (13.0, 6.2),
        (7.0, 10.4),
        (15.2, 2.9),
        (11.0, 7.95),
        (4.35, 4.2),
    ),
)
