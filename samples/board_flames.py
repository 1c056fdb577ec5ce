"""Data of the board "flames": a village of stone houses for miniatures, 20 px to the inch.

Nothing here is played by hexes.  A faint grid is printed all the same, for every board
of hexsight lies on a lattice: it names places and says how large the map is.
"""

from __future__ import annotations

from .canvas import Colour
from .hexes import HexLayout, Numbering, Point, turned
from .spec import Area, BoardSpec, Building, Opening, Palette, Road, Roof

LAYOUT = HexLayout(
    dx=51.96,
    dy=60.0,
    x0=34.0,
    y0=28.0,
    sideways=False,
    numbering=Numbering(first="H", h_type="A", v_type="N", h_off=0, v_off=1, stagger=False),
)

PALETTE = Palette(
    ground=(182, 190, 134),
    ground_spread=(3.0, 2.2),
    grid=(240, 242, 214),
    grid_width_px=1,
    grid_smooth=True,
    grid_opacity=0.5,
    label=(108, 114, 80),
    dot=(255, 255, 255),
    paved=(188, 182, 170),
    dirt=(222, 206, 168),
    stone_roof=(118, 126, 150),
    wood_roof=(124, 96, 62),
    floor=(160, 160, 156),
    bar=(14, 14, 16),
    ring=(30, 28, 28),
    woods=(92, 120, 70),
    brush=(140, 168, 78),
    orchard=(98, 138, 64),
    hedge=(52, 92, 50),
    wall=(150, 128, 104),
    shellhole=(112, 92, 66),
    stone_rubble=(150, 152, 154),
    wooden_rubble=(110, 66, 42),
    debris=(126, 124, 120),
    tarmac=(204, 198, 184),
    garden=(158, 180, 106),
)

TILES = (186, 104, 80)
# Side of a box that an opening is in, as its corners run round: north, east, south, west.
SIDES = "nesw"


def _box(u: float, v: float, w: float, h: float, turn_deg: float) -> tuple[Point, ...]:
    """Corners of a box of w × h inches round a lattice point, turned clockwise."""
    x, y = LAYOUT.px(u, v)
    a, b = 10.0 * w, 10.0 * h
    corners = ((x - a, y - b), (x + a, y - b), (x + a, y + b), (x - a, y + b))
    return tuple(LAYOUT.uv(*turned(p, (x, y), turn_deg)) for p in corners)


def _openings(outline: tuple[Point, ...], said: str) -> tuple[Opening, ...]:
    """Openings of a box as they are written: side, place in percent, d for door, w for window."""
    out = []
    for word in said.split():
        k = SIDES.index(word[0])
        p, q = outline[k], outline[(k + 1) % 4]
        t = int(word[1:-1]) / 100
        middle = (p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]))
        kind = "door" if word[-1] == "d" else "window"
        out.append(Opening(kind, middle, 20 / LAYOUT.dy if kind == "door" else 16 / LAYOUT.dy))
    return tuple(out)


def _house(
    name: str,
    at: Point,
    size: Point,
    openings: str,
    *,
    turn_deg: float = 0.0,
    material: str = "stone",
    colour: Colour | None = None,
    roof: str = "ridge",
    height_half: int | None = None,
) -> Building:
    """A house of so many inches with a ridged roof along its longer side."""
    (u, v), (w, h) = at, size
    outline = _box(u, v, w, h, turn_deg)
    du, dv = 10.0 * w / LAYOUT.dx, 10.0 * h / LAYOUT.dy
    return Building(
        id=name,
        material=material,
        outline=outline,
        roofs=(Roof(roof, (u - du, v - dv, u + du, v + dv), "u" if w > h else "v", 4, turn_deg),),
        colour=colour,
        height_half=height_half,
        openings=_openings(outline, openings),
    )


HOUSES = (
    _house("mairie", (10.4, 3.95), (6.0, 3.6), "s50d s20w s80w n25w n75w e50w w50w", height_half=5),
    _house("bakery", (7.4, 5.15), (4.0, 3.2), "s50d e50w n50w", colour=TILES, turn_deg=-7),
    _house("smithy", (7.3, 8.75), (4.2, 3.2), "n60d e40w w50w", colour=TILES, turn_deg=9),
    _house("inn", (10.7, 9.5), (4.8, 3.6), "n50d n22w n78w s50w e50w", turn_deg=2),
    _house("presbytery", (14.0, 9.0), (3.8, 3.2), "n40d w50w s60w", colour=TILES, turn_deg=-6),
    _house("school", (17.2, 8.9), (4.6, 3.0), "n50d n20w n80w s30w", turn_deg=5),
    _house("west-farm", (3.6, 5.3), (4.6, 3.2), "s40d s80w e50w n50w", turn_deg=4),
    _house("cottage", (3.9, 9.0), (3.2, 2.8), "n50d w50w", colour=TILES, turn_deg=-12),
    _house("north-house", (8.2, 1.3), (3.4, 3.0), "e50d s50w n50w", colour=TILES, turn_deg=3),
    _house("mill", (13.0, 11.9), (3.4, 3.4), "w50d n50w s50w", turn_deg=-4),
    _house("barn", (18.6, 5.1), (5.2, 3.0), "s50d n50d w50w", material="wood", roof="planks"),
    _house("shed", (6.2, 11.7), (2.6, 2.0), "e50d", material="wood", roof="planks", turn_deg=-5),
)

# Nave and steeple; the door is in the foot of the steeple.
CHURCH = Building(
    id="church",
    material="stone",
    height_half=5,
    outline=(
        (13.5, 4.3),
        (13.9, 4.3),
        (13.9, 4.15),
        (16.2, 4.15),
        (16.45, 4.5),
        (16.45, 4.85),
        (16.2, 5.2),
        (13.9, 5.2),
        (13.9, 5.05),
        (13.5, 5.05),
    ),
    roofs=(
        Roof("slate", (13.5, 4.1, 16.5, 5.25), "u"),
        Roof("ridge", (13.9, 4.15, 16.2, 5.2), "u", -6),
        Roof("deck", (13.5, 4.3, 14.1, 5.05), "v", -22),
    ),
    openings=(
        Opening("door", (13.5, 4.675), 20 / LAYOUT.dy),
        Opening("window", (14.6, 5.2), 16 / LAYOUT.dy),
        Opening("window", (15.5, 5.2), 16 / LAYOUT.dy),
        Opening("window", (15.0, 4.15), 16 / LAYOUT.dy),
    ),
)

SPEC = BoardSpec(
    name="flames",
    title="Saint-Aubin",
    seed=1944,
    layout=LAYOUT,
    size_px=(1160, 840),
    map_area_px=(0, 0, 1159, 839),
    palette=PALETTE,
    buildings=(CHURCH, *HOUSES),
    roads=(
        Road("dirt", ((-2.0, 7.05), (3.0, 7.05), (7.0, 7.0), (9.0, 6.9)), 0.42),
        Road("dirt", ((12.8, 6.9), (16.0, 7.1), (19.0, 6.95), (24.0, 7.05)), 0.42),
        Road("dirt", ((12.8, -2.0), (12.6, 1.0), (12.45, 3.6), (12.0, 5.54)), 0.36),
        Road("dirt", ((9.75, 8.16), (9.1, 9.8), (9.3, 12.0), (9.0, 16.0)), 0.36),
    ),
    areas=(
        Area("square", ((9.2, 5.7), (12.6, 5.7), (12.6, 8.0), (9.2, 8.0))),
        Area("fountain", ((10.9, 6.85),)),
        Area("lawn", ((2.0, 2.6), (5.4, 2.6), (5.4, 4.3), (2.0, 4.3)), 20.0),
        Area("lawn", ((15.8, 10.3), (18.9, 10.3), (18.9, 12.0), (15.8, 12.0)), 90.0),
        Area("lawn", ((9.9, 10.5), (11.7, 10.5), (11.7, 11.9), (9.9, 11.9)), 0.0),
    ),
    patches={
        "copse": (
            "A1",
            "B1",
            "B2",
            "C1",
            "U1",
            "V1",
            "T2",
            "U12",
            "V12",
            "T13",
            "U13",
            "A13",
            "B13",
        ),
        "orchard": ("E12", "D12", "D13", "P2", "Q2", "Q3"),
        "brush": ("S3", "L14"),
    },
    walls=(
        *(("N3", "O4"), ("O3", "O4"), ("O4", "P3"), ("P3", "P4"), ("P4", "Q4"), ("Q4", "Q5")),
        *(("B6", "C6"), ("B5", "C6"), ("B5", "C5"), ("B4", "C5")),
    ),
    hedges=(
        *(("P10", "Q11"), ("P11", "Q11"), ("P11", "Q12"), ("P12", "Q12"), ("P12", "Q13")),
        *(("T9", "U10"), ("T9", "U9"), ("T8", "U9"), ("T10", "U10"), ("S10", "T9")),
        *(("F3", "G3"), ("F2", "G3"), ("F2", "G2")),
    ),
    ornaments=(),
    label_size_px=9,
    dots=False,
    names_on_roofs=False,
    project=True,
    default=False,
)
