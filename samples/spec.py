"""What a board is, as data: the painter, the truth and the module all read these records.

All places are lattice units (`hexsight.samples.hexes`), so a board can be drawn
at any size and either way up.  Hexes are written by their printed names.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .canvas import Colour
from .hexes import HexLayout, Point


@dataclass(frozen=True)
class Palette:
    """Colours of one board."""

    ground: Colour
    ground_spread: tuple[float, float]  # grey levels of coarse and of fine texture
    grid: Colour
    grid_width_px: int
    grid_smooth: bool
    label: Colour
    dot: Colour
    paved: Colour
    dirt: Colour
    stone_roof: Colour
    wood_roof: Colour
    floor: Colour
    bar: Colour
    ring: Colour
    woods: Colour
    brush: Colour
    orchard: Colour
    hedge: Colour
    wall: Colour
    shellhole: Colour
    stone_rubble: Colour
    wooden_rubble: Colour
    debris: Colour
    margin: Colour = (244, 241, 232)
    frame: Colour = (40, 38, 36)
    road_rim: Colour | None = None  # else a little darker than the road
    grid_opacity: float = 1.0
    halo: Colour | None = None  # thin rim of labels, where the art below is dark
    relief: tuple[Colour, ...] = ()  # ground of level 1, 2, …
    hachure: Colour = (110, 78, 48)
    stream: Colour = (120, 150, 172)
    village: Colour = (222, 172, 150)
    tile: Colour = (168, 84, 58)  # roofs of cottages
    field: Colour = (206, 190, 120)
    marsh: Colour = (176, 196, 176)
    tarmac: Colour = (198, 196, 186)
    runway: Colour = (120, 120, 122)
    fence: Colour = (92, 92, 96)
    garden: Colour = (150, 176, 110)


@dataclass(frozen=True)
class Roof:
    """Roof art on a rectangle of a building.

    `kind` is one of ``planks, ridge, skylights, sawtooth, slate, panels, barrel,
    deck``; `along` tells whether its lines run along ``u`` (columns) or ``v`` (rows).
    """

    kind: str
    box: tuple[float, float, float, float]
    along: str = "u"
    shade: int = 0
    turn_deg: float = 0.0  # clockwise in the picture, round the middle of the box


@dataclass(frozen=True)
class Bar:
    """Thick black bar on the hexside of two hexes.

    `span` is the drawn part, from the hexside's first end point (the left one,
    of two on one vertical the upper one) to its second.  What would stick out
    of the building is cut off.
    """

    hexes: tuple[str, str]
    span: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True)
class Building:
    """One building with all that is printed on it."""

    id: str
    material: str  # "stone" | "wood"
    outline: tuple[Point, ...]
    roofs: tuple[Roof, ...] = ()
    bars: tuple[Bar, ...] = ()
    roofless: tuple[tuple[str, ...], ...] = ()  # groups of adjoining hexes
    stairwells: tuple[str, ...] = ()
    height_half: int | None = None  # where it is not what its picture makes of it
    colour: Colour | None = None  # of its roof, else that of its material
    openings: tuple[Opening, ...] = ()


@dataclass(frozen=True)
class Opening:
    """Door or window on the outer wall of a building.

    `middle` is a lattice point on the outline, `width` a share of dy along it.
    """

    kind: str  # "door" | "window" | "gate"
    middle: Point
    width: float = 0.12


@dataclass(frozen=True)
class Area:
    """Ground of another kind inside an outline; drawn below roads, as `terrain_art` knows it."""

    kind: str
    outline: tuple[Point, ...]
    turn_deg: float = 0.0  # direction of furrows and markings


@dataclass(frozen=True)
class Road:
    """Road along a path; it is drawn below buildings, so it may end inside one."""

    surface: str  # "dirt" | "paved"
    path: tuple[Point, ...]
    width: float = 0.3  # of dy


@dataclass(frozen=True)
class BoardSpec:
    """A whole board.

    Attributes
    ----------
    name : str
        Also the stem of its files.
    size_px : (int, int)
        Width and height of the picture.
    map_area_px : (int, int, int, int)
        Left, top, right, bottom of the hex field in the picture.
    patches : dict
        Terrain that fills hexes: kind → hex names. Kinds: ``woods, brush,
        orchard, shellholes, debris, stone_rubble, wooden_rubble``, and those of
        `country_art` and `plan_art`.
    walls, hedges, streams, fences : tuple
        Hexsides, each as two hex names.
    rills : tuple
        Paths of water inside hexes: where a stream comes on to the map and leaves it.
    levels : dict
        Ground above level 0: half-levels → hex names.
    steep : tuple
        Of the hexsides where the ground rises, the steep ones; the others are gentle.
    areas : tuple of Area
    ornaments : tuple of (str, Point)
        Drawn things that mean nothing, such as a compass rose: kind and place in px.
    project : bool
        A folder with hexsight.yaml, legend and overlays is written with the board
        (``samples/projects``).
    rings : tuple
        Places of manhole rings, which mean nothing.
    """

    name: str
    title: str
    seed: int
    layout: HexLayout
    size_px: tuple[int, int]
    map_area_px: tuple[int, int, int, int]
    palette: Palette
    buildings: tuple[Building, ...]
    roads: tuple[Road, ...]
    patches: dict[str, tuple[str, ...]]
    walls: tuple[tuple[str, str], ...] = ()
    hedges: tuple[tuple[str, str], ...] = ()
    rings: tuple[Point, ...] = ()
    streams: tuple[tuple[str, str], ...] = ()
    fences: tuple[tuple[str, str], ...] = ()
    rills: tuple[tuple[Point, ...], ...] = ()
    levels: dict[int, tuple[str, ...]] = field(default_factory=dict)
    steep: tuple[tuple[str, str], ...] = ()
    areas: tuple[Area, ...] = ()
    ornaments: tuple[tuple[str, Point], ...] = ()
    dots: bool = True
    names_on_roofs: bool = True  # else hexes whose name would touch a building go without
    project: bool = False
    label_size_px: int = 11
    stair_size_px: float = 9.5
    bar_width: float = 0.145  # of dy
    default: bool = field(default=True)  # written by `write_samples` unless others are named
