"""A subject without fault: a small drawn board with a module, an archive and a table."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Board, Cell, Mark, Provenance, Survey
from hexsight.model.derive import derive
from hexsight.model.layout import Layout
from hexsight.model.locations import locations_of
from hexsight.model.overrides import HexOverride, HexsideOverride, Overrides
from hexsight.model.vassal_vasl import VaslNaming, column_letters
from hexsight.validators import (
    ArchiveView,
    BoardView,
    ClassView,
    GridEvidence,
    GridPart,
    HexContrast,
    HexGridView,
    LabelEvidence,
    LegendView,
    LosDataView,
    Misnamed,
    ModuleView,
    PictureView,
    Probe,
    Subject,
    TableView,
    TerrainEvidence,
    ZoneView,
)

COLUMNS, ROWS = 8, 6
DX, DY, X0, Y0 = 56.25, 64.5, 32, 40
SIZE = (460, 440)
OPEN, STONE, WOOD, ROAD, WOODS, ROOFLESS, CLIFF, STEEP = 0, 40, 50, 66, 60, 170, 75, 230
INPUTS = {"buildFile.xml": "e" * 64}
SHA = hashlib.sha256(b"the picture").hexdigest()

LAYOUT = Layout.from_grid(DX, DY, X0, Y0)


def cells() -> tuple[Cell, ...]:
    """Hexes A1 … H6 of the board."""
    return tuple(
        Cell(c, r, f"{column_letters(c)}{r + 1}") for c in range(COLUMNS) for r in range(ROWS)
    )


def centre(name: str) -> tuple[float, float]:
    """Board pixel of the centre of a named hex."""
    cell = next(c for c in cells() if c.name == name)
    return LAYOUT.centre(cell.col, cell.row)


def box(
    terrain: NDArray[np.uint8], code: int, x: float, y: float, width: float, height: float
) -> None:
    """Fill a rectangle of a raster."""
    terrain[round(y) : round(y + height), round(x) : round(x + width)] = code


def survey() -> Survey:
    """A Factory of several hexes with a road, a roofless hex and a stairwell; a shed; a hill."""
    terrain = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    x, y = centre("C2")
    right, bottom = centre("E4")
    box(terrain, ROAD, 0, y + 60, x, 16)  # runs into the Factory's left wall
    box(terrain, STONE, x - 16, y - 16, right - x + 32, bottom - y + 32)
    roofless = cv2.fillPoly(
        np.zeros(terrain.shape, np.uint8), [np.rint(LAYOUT.corners(3, 2)).astype(np.int32)], 1
    )
    terrain[(roofless > 0) & (terrain == STONE)] = ROOFLESS
    hx, hy = centre("G2")
    box(terrain, WOOD, hx - 14, hy - 12, 28, 24)
    wx, wy = centre("B6")
    cv2.circle(terrain, (round(wx), round(wy)), 22, WOODS, -1)
    elevation = np.zeros(terrain.shape, np.int8)
    top = centre("F5")[1] - 20
    elevation[round(top) :, round(centre("F5")[0] - 20) :] = 2
    p, q = LAYOUT.side(5, 3, 3)  # between F4 and F5, where the hill begins
    cv2.line(terrain, tuple(np.rint(p).astype(int)), tuple(np.rint(q).astype(int)), CLIFF, 4)
    sx, sy = centre("C4")
    return Survey(
        name="Town",
        layout=LAYOUT,
        cells=cells(),
        terrain=terrain,
        elevation_half=elevation,
        stairwells=(Mark(sx, sy, 9.0),),
        provenance=Provenance(
            source="Town in town.vmod",
            picture="images/town.png",
            picture_sha256=SHA,
            inputs_sha256=dict(INPUTS),
        ),
    )


# Where the hill rises; between F4 and F5 a cliff is drawn.
SLOPES = ["E5-F5", "E6-F5", "E6-F6", "F5-G5", "G5-H5", "G5-G6", "G6-H6", "H4-H5", "H5-H6"]
OVERRIDES = Overrides(
    hexes={"H6": HexOverride.model_validate({"level": 2})},
    hexsides={
        "C2-C3": HexsideOverride(bar="full"),
        "C3-D3": HexsideOverride(bar="full"),
        **{name: HexsideOverride(terrain="Gentle Slope") for name in SLOPES},
    },
)


def board() -> Board:
    """The board of `survey` with its overrides."""
    return derive(survey(), OVERRIDES)


def grid_attributes(**changed: str) -> dict[str, str]:
    """HexGrid attributes of the printed grid."""
    values = {"dx": "56.25", "dy": "64.5", "x0": "32", "y0": "40", "sideways": "false"}
    return {**values, **changed}


def numbering_attributes(**changed: str) -> dict[str, str]:
    """Attributes of a numbering that gives A1 … H6."""
    values = {
        "first": "H",
        "sep": "",
        "hType": "A",
        "vType": "N",
        "hLeading": "0",
        "vLeading": "0",
        "hOff": "0",
        "vOff": "1",
        "stagger": "false",
    }
    return {**values, **changed}


def board_view() -> BoardView:
    """The board in the module."""
    return BoardView(
        name="Town",
        map_name="Main Map",
        image="town.png",
        size_px=SIZE,
        hex_grids=(HexGridView(grid_attributes(), numbering_attributes()),),
        zones=(ZoneView("Reserves", "300,300;400,300;400,400;300,400"),),
    )


def module() -> ModuleView:
    """A module with that board and one of plain colour."""
    return ModuleView(
        build_file="buildFile.xml",
        members=("moduledata", "buildFile.xml", "images/town.png", "images/red.png"),
        name="Town",
        version="1.0",
        vassal_version="3.6.19",
        boards=(board_view(), BoardView("Tray", "Main Map", size_px=(300, 200))),
        los_maps=("Main Map",),
    )


def evidence() -> GridEvidence:
    """The printed grid, exactly where the module says."""
    return GridEvidence(
        board="Town",
        kind="module",
        size_px=SIZE,
        nominal=LAYOUT,
        fitted=LAYOUT,
        printed=tuple((c.col, c.row) for c in cells()),
        parts=(GridPart((115.0, 110.0), 60, (0.1, 0.2)), GridPart((345.0, 330.0), 3, (9.0, 0.0))),
    )


def labels() -> LabelEvidence:
    """The printed names are those of the module, but for one under debris."""
    lost = Misnamed("B8", "B3", centre("B3"))
    return LabelEvidence("Town", "module", "agrees", 44, (lost,), None, 1.0)


def contrasts() -> TerrainEvidence:
    """Picture and LOSData agree but for the edge of a roof and piles of timber."""
    edge = HexContrast("E4", centre("E4"), 0.02, (("building", "none", "stone"),))
    timber = (("terrain", "Wooden building", "Lumberyard"), ("building", "wood", "none"))
    piles = HexContrast("F5", centre("F5"), 0.9, timber)
    return TerrainEvidence("Town", (piles, edge), COLUMNS * ROWS)


def archive() -> ArchiveView:
    """A standard VASL board, flat, with two houses."""
    naming = VaslNaming()
    size = (1800, 645)
    terrain = np.zeros((size[1], size[0]), np.uint8)
    layout = naming.layout()
    for name, code in (("E4", 42), ("F5", 40)):
        hx, hy = layout.centre(*naming.offset(name))
        box(terrain, code, hx - 20, hy - 16, 40, 32)
    return ArchiveView(
        file_name="bd99",
        members=("BoardMetadata.xml", "LOSData", "bd99.gif", "99_NoRoads.gif"),
        name="99",
        image_named="bd99.gif",
        image_used="bd99.gif",
        naming=naming,
        size_hexes=(33, 10),
        picture_size_px=size,
        building_types={"E4": "Stone Building, 2 Level"},
        special_hexsides=(("slopes", "K5"),),
        colours=(("BocageGreen", "Bocage"), ("NumberBlack", "UNKNOWN")),
        overlay_images=(("NoRoads", "99_NoRoads.gif"),),
        losdata=LosDataView((33, 10), terrain, np.zeros(terrain.shape, np.int8)),
    )


def picture() -> PictureView:
    """The board's picture."""
    return PictureView(where="images/town.png in town.vmod", size_px=SIZE, sha256=SHA)


def table(of: Board) -> TableView:
    """A table that fits the board."""
    names = tuple(location.name for location in locations_of(of))
    probes = (Probe("A1", "H6", "blocked", "blocked", "blocked"),)
    return TableView(names, "b" * 64, "c" * 64, "b" * 64, "c" * 64, names, probes)


def good() -> Subject:
    """Everything that a check may need, and nothing wrong with it."""
    made = board()
    return Subject(
        path="town.vmod",
        board=made,
        survey=survey(),
        overrides=OVERRIDES,
        module=module(),
        picture=picture(),
        grids=(evidence(),),
        archive=archive(),
        table=table(made),
        labels=(labels(),),
        terrain=contrasts(),
        inputs=INPUTS,
        legend=legend(),
    )


def legend() -> LegendView:
    """Woods that have some of the orchard's green, and two grounds of one colour and level."""
    return LegendView(
        "mine",
        (
            ClassView("Woods", (WOODS, None), np.array([[40.0, -20, 30], [30, -15, 20]])),
            ClassView("Orchard", (63, None), np.array([[40.0, -20, 30], [55, -25, 40]])),
            ClassView("grass", (OPEN, 0), np.array([[70.0, -10, 40]])),
            ClassView("meadow", (OPEN, 0), np.array([[70.0, -10, 40]])),
        ),
    )


def with_board(subject: Subject, **changed: object) -> Subject:
    """The subject with another board."""
    assert subject.board is not None
    return replace(subject, board=replace(subject.board, **changed))  # type: ignore[arg-type]
