"""The good subject, broken in one way for each check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import validator_goods as goods
from numpy.typing import NDArray

from hexsight.model.board import Doubt, HexFacts, HexsideFacts, Mark
from hexsight.model.layout import Layout
from hexsight.model.overrides import HexOverride, HexsideOverride, Overrides
from hexsight.model.vassal_vasl import VaslNaming
from hexsight.validators import (
    BoardView,
    ClassView,
    GridPart,
    HexContrast,
    HexGridView,
    LosDataView,
    Misnamed,
    Probe,
    Subject,
    ZoneView,
)

Breaker = Callable[[Subject], Subject]
CASES: dict[str, Breaker] = {}


def breaks(check_id: str) -> Callable[[Breaker], Breaker]:
    """Enter a function that breaks the good subject so that one check fires."""

    def enter(breaker: Breaker) -> Breaker:
        assert check_id not in CASES
        CASES[check_id] = breaker
        return breaker

    return enter


def _module(subject: Subject, **changed: object) -> Subject:
    assert subject.module is not None
    return replace(subject, module=replace(subject.module, **changed))  # type: ignore[arg-type]


def _town(subject: Subject, **changed: object) -> Subject:
    """Change the board view of the module."""
    assert subject.module is not None
    first, *rest = subject.module.boards
    return _module(subject, boards=(replace(first, **changed), *rest))  # type: ignore[arg-type]


def _grid(subject: Subject, **attributes: str) -> Subject:
    """Change HexGrid attributes, and nothing else."""
    view = HexGridView(goods.grid_attributes(**attributes), goods.numbering_attributes())
    return _town(subject, hex_grids=(view,))


def _numbering(subject: Subject, **attributes: str) -> Subject:
    view = HexGridView(goods.grid_attributes(), goods.numbering_attributes(**attributes))
    return _town(subject, hex_grids=(view,))


def _archive(subject: Subject, **changed: object) -> Subject:
    assert subject.archive is not None
    return replace(subject, archive=replace(subject.archive, **changed))  # type: ignore[arg-type]


def _evidence(subject: Subject, **changed: object) -> Subject:
    return replace(subject, grids=(replace(subject.grids[0], **changed),))  # type: ignore[arg-type]


def _fitted(subject: Subject, **numbers: float | bool) -> Subject:
    """The printed grid, with other numbers than the module has."""
    values: dict[str, float | bool] = {
        "dx": goods.DX,
        "dy": goods.DY,
        "x0": goods.X0,
        "y0": goods.Y0,
        **numbers,
    }
    return _evidence(subject, fitted=Layout.from_grid(**values))  # type: ignore[arg-type]


def _picture(subject: Subject, **changed: object) -> Subject:
    assert subject.picture is not None
    return replace(subject, picture=replace(subject.picture, **changed))  # type: ignore[arg-type]


def _table(subject: Subject, **changed: object) -> Subject:
    assert subject.table is not None
    return replace(subject, table=replace(subject.table, **changed))  # type: ignore[arg-type]


def _hex(subject: Subject, name: str, **changed: object) -> Subject:
    """Change the facts of one hex of the board."""
    assert subject.board is not None
    hexes: tuple[HexFacts, ...] = tuple(
        replace(h, **changed) if h.name == name else h  # type: ignore[arg-type]
        for h in subject.board.hexes
    )
    return goods.with_board(subject, hexes=hexes)


def _hexside(subject: Subject, name: str, **changed: object) -> Subject:
    assert subject.board is not None
    sides: tuple[HexsideFacts, ...] = tuple(
        replace(s, **changed) if s.name == name else s  # type: ignore[arg-type]
        for s in subject.board.hexsides
    )
    return goods.with_board(subject, hexsides=sides)


def _slopes(subject: Subject, *names: str) -> Subject:
    """Mark hexsides as slopes."""
    for name in names:
        subject = _hexside(subject, name, terrain=goods.STEEP)
    return subject


def _painted(subject: Subject) -> NDArray[np.uint8]:
    assert subject.board is not None
    return subject.board.terrain.copy()


def _building(subject: Subject, index: int, **changed: object) -> Subject:
    assert subject.board is not None
    buildings = list(subject.board.buildings)
    buildings[index] = replace(buildings[index], **changed)  # type: ignore[arg-type]
    return goods.with_board(subject, buildings=tuple(buildings))


def _refreshed(subject: Subject) -> Subject:
    """A table that fits the board as it has become."""
    assert subject.board is not None
    return replace(subject, table=goods.table(subject.board))


def _labels(subject: Subject, **changed: object) -> Subject:
    return replace(subject, labels=(replace(subject.labels[0], **changed),))  # type: ignore[arg-type]


def _contrasts(subject: Subject, *hexes: HexContrast) -> Subject:
    assert subject.terrain is not None
    return replace(
        subject, terrain=replace(subject.terrain, hexes=(*hexes, *subject.terrain.hexes))
    )


def _probe(subject: Subject, stored: str, there: str, back: str) -> Subject:
    return _table(subject, probes=(Probe("A1", "H6", stored, there, back),))


# -- module


@breaks("module/picture-missing")
def _(s: Subject) -> Subject:
    return _town(s, image="town2.png")


@breaks("module/picture-wrong-case")
def _(s: Subject) -> Subject:
    return _town(s, image="Town.PNG")


@breaks("module/board-name-twice")
def _(s: Subject) -> Subject:
    assert s.module is not None
    return _module(s, boards=(*s.module.boards, BoardView("Tray", "Main Map", size_px=(9, 9))))


@breaks("module/no-hex-grid")
def _(s: Subject) -> Subject:
    return _town(s, hex_grids=(), other_grids=("RegionGrid",))


@breaks("module/build-file-not-read")
def _(s: Subject) -> Subject:
    return _module(
        s, build_file="buildFile", members=("moduledata", "buildFile", "images/town.png")
    )


@breaks("module/moduledata-missing")
def _(s: Subject) -> Subject:
    return _module(s, members=("buildFile.xml", "images/town.png"))


@breaks("module/los-thread-missing")
def _(s: Subject) -> Subject:
    return _module(s, los_maps=("Small Map",))


@breaks("module/zone-path-broken")
def _(s: Subject) -> Subject:
    return _town(s, zones=(ZoneView("Reserves", "300,300;400,3OO;400,400"),))


@breaks("module/zone-off-board")
def _(s: Subject) -> Subject:
    return _town(s, zones=(ZoneView("Reserves", "900,300;990,300;990,400"),))


# -- picture


@breaks("picture/tiny-hexes")
def _(s: Subject) -> Subject:
    assert s.board is not None
    board = s.board
    small = Layout.from_grid(14.1, 16.1, 8, 10)
    hexes = tuple(replace(h, x_px=h.x_px / 4, y_px=h.y_px / 4) for h in board.hexes)
    return goods.with_board(
        s,
        layout=small,
        hexes=hexes,
        hexsides=(),
        buildings=(),
        stairwells=(),
        terrain=board.terrain[::4, ::4],
        elevation_half=board.elevation_half[::4, ::4] * 0,
    )


@breaks("picture/huge")
def _(s: Subject) -> Subject:
    return _picture(s, size_px=(14000, 9000))


@breaks("picture/lossy")
def _(s: Subject) -> Subject:
    return _picture(s, where="images/town.jpg in town.vmod", format="JPEG")


@breaks("picture/not-shown-by-vassal")
def _(s: Subject) -> Subject:
    return _picture(s, format="WEBP")


@breaks("picture/extension-lies")
def _(s: Subject) -> Subject:
    return _picture(s, format="GIF", mode="P")


@breaks("picture/see-through")
def _(s: Subject) -> Subject:
    return _picture(s, mode="RGBA", see_through_share=0.04)


@breaks("picture/changed-since")
def _(s: Subject) -> Subject:
    return _picture(s, sha256="d" * 64)


# -- grid


@breaks("grid/bad-number")
def _(s: Subject) -> Subject:
    return _grid(s, dx="56,25")


@breaks("grid/offset-not-whole")
def _(s: Subject) -> Subject:
    return _grid(s, x0="32.5")


@breaks("grid/not-regular")
def _(s: Subject) -> Subject:
    return _evidence(_grid(s, dx="64.5"), nominal=None, fitted=None)


@breaks("grid/wrong-orientation")
def _(s: Subject) -> Subject:
    return _fitted(s, sideways=True)


@breaks("grid/offset-off-print")
def _(s: Subject) -> Subject:
    return _fitted(s, x0=goods.X0 - 7.0, y0=goods.Y0 + 2.5)


@breaks("grid/half-hex-off")
def _(s: Subject) -> Subject:
    return _fitted(s, y0=goods.Y0 + goods.DY / 2)


@breaks("grid/spacing-off-print")
def _(s: Subject) -> Subject:
    # Stretched about the middle, so that it fits there.
    assert s.grids[0].nominal is not None
    x, _ = s.grids[0].nominal.centre(3, 2)
    dx = goods.DX + 0.8
    return _fitted(s, dx=dx, x0=x - 3 * dx)


@breaks("grid/rotated-print")
def _(s: Subject) -> Subject:
    turned = Layout.from_grid(goods.DX, goods.DY, 0, 0, rot_deg=0.6)
    x, y = goods.LAYOUT.centre(3, 2)
    tx, ty = turned.centre(3, 2)
    return _evidence(s, fitted=replace(turned, origin_px=(x - tx, y - ty)))


@breaks("grid/not-in-module")
def _(s: Subject) -> Subject:
    return _evidence(s, nominal=None)


@breaks("grid/not-printed")
def _(s: Subject) -> Subject:
    return _evidence(s, fitted=None, confidence=0.0)


@breaks("grid/hexes-off-picture")
def _(s: Subject) -> Subject:
    return _hex(s, "A6", on_map=0.02)


@breaks("grid/offset-by-one-row")
def _(s: Subject) -> Subject:
    # The picture is one row higher, so that the number of hexes still fits.
    assert s.archive is not None and s.archive.losdata is not None
    naming = VaslNaming(a1_y=96.75)
    height = 645 + 65
    terrain = np.zeros((height, 1800), np.uint8)
    return _archive(
        s,
        naming=naming,
        picture_size_px=(1800, height),
        building_types={},
        losdata=LosDataView((33, 10), terrain, np.zeros(terrain.shape, np.int8)),
    )


# -- numbering


@breaks("numbering/bad-value")
def _(s: Subject) -> Subject:
    return _numbering(s, hType="alpha", hOff="1")


@breaks("numbering/missing")
def _(s: Subject) -> Subject:
    return _town(s, hex_grids=(HexGridView(goods.grid_attributes(), None),))


@breaks("numbering/lookup-goes-wrong")
def _(s: Subject) -> Subject:
    # 460 px / 64.5 px are 7 hexes: odd.
    return _numbering(s, hDescend="true", hOff="0", stagger="true")


@breaks("numbering/names-twice")
def _(s: Subject) -> Subject:
    return _numbering(s, locationFormat="$column$")


@breaks("numbering/negative-names")
def _(s: Subject) -> Subject:
    return _numbering(s, hType="N", hOff="-1", sep=".")


@breaks("numbering/starts-one-off")
def _(s: Subject) -> Subject:
    return _numbering(s, hOff="1")


@breaks("numbering/hex-twice")
def _(s: Subject) -> Subject:
    assert s.board is not None
    # At the end, so that every index into the hexes stays what it was.
    return goods.with_board(s, hexes=(*s.board.hexes, replace(s.board.by_name["A4"], row=40)))


# -- terrain


@breaks("terrain/in-doubt")
def _(s: Subject) -> Subject:
    doubt = Doubt(
        "bar-off-hexside",
        "C2-C3",
        150.0,
        170.0,
        0.4,
        "A bar lies near C2-C3 but fits it badly.",
        "hexsides: {C2-C3: {bar: none}}",
    )
    return goods.with_board(s, doubts=(doubt,))


@breaks("terrain/unknown-code")
def _(s: Subject) -> Subject:
    terrain = _painted(s)
    x, y = goods.centre("B3")
    goods.box(terrain, 199, x, y, 8, 8)
    return goods.with_board(s, terrain=terrain)


@breaks("terrain/one-kind")
def _(s: Subject) -> Subject:
    return goods.with_board(s, terrain=np.zeros_like(_painted(s)))


@breaks("terrain/override-unknown-place")
def _(s: Subject) -> Subject:
    assert s.overrides is not None
    hexes = {**s.overrides.hexes, "A51": HexOverride(stairwell=True)}
    return replace(s, overrides=replace(s.overrides, hexes=hexes))


@breaks("terrain/override-changes-nothing")
def _(s: Subject) -> Subject:
    assert s.overrides is not None
    hexes = {**s.overrides.hexes, "C3": HexOverride(factory=True)}
    sides = {**s.overrides.hexsides, "A1-A2": HexsideOverride(bar="none")}
    return replace(s, overrides=Overrides(hexes, sides))


# -- building


@breaks("building/roofless-outside-factory")
def _(s: Subject) -> Subject:
    return _hex(s, "G2", roofless=True, roofless_share=0.3)


@breaks("building/stairwell-outside")
def _(s: Subject) -> Subject:
    assert s.board is not None
    x, y = goods.centre("A4")
    return goods.with_board(s, stairwells=(*s.board.stairwells, Mark(x, y, 9.0, 0.8)))


@breaks("building/stairwell-too-low")
def _(s: Subject) -> Subject:
    return _building(s, 0, height_half=3)


@breaks("building/factory-without-road")
def _(s: Subject) -> Subject:
    return _building(_hex(s, "C3", vehicular_entrance=False), 0, entries=())


@breaks("building/split")
def _(s: Subject) -> Subject:
    assert s.board is not None
    factory = s.board.buildings[0]
    _, top, right, _ = factory.polygon.bounds
    beside = (
        (right + 1.2, top + 20),
        (right + 60, top + 20),
        (right + 60, top + 60),
        (right + 1.2, top + 60),
        (right + 1.2, top + 20),
    )
    other = replace(factory, id=9, rings=(beside,), hexes=("F2",))
    return goods.with_board(s, buildings=(*s.board.buildings, other))


@breaks("building/scrap")
def _(s: Subject) -> Subject:
    assert s.board is not None
    factory = s.board.buildings[0]
    _, top, right, _ = factory.polygon.bounds
    corners = ((right, top), (right + 8, top), (right + 8, top + 8), (right, top + 8), (right, top))
    shed = replace(factory, id=9, kind="building", material="wood", rings=(corners,), hexes=("E2",))
    return goods.with_board(s, buildings=(*s.board.buildings, shed))


@breaks("building/no-hex-centre")
def _(s: Subject) -> Subject:
    x, y = goods.centre("G2")
    corners = (
        (x + 6, y - 20),
        (x + 26, y - 20),
        (x + 26, y + 20),
        (x + 6, y + 20),
        (x + 6, y - 20),
    )
    return _building(s, 1, rings=(corners,))


@breaks("building/type-of-unknown-hex")
def _(s: Subject) -> Subject:
    return _archive(s, building_types={"E51": "Stone Building, 2 Level"})


@breaks("building/type-unknown")
def _(s: Subject) -> Subject:
    return _archive(s, building_types={"E4": "Stone Building, 2 Levels"})


@breaks("building/type-without-building")
def _(s: Subject) -> Subject:
    return _hex(s, "E4", building_share=0.0)


@breaks("building/type-against-losdata")
def _(s: Subject) -> Subject:
    return _archive(s, building_types={"E4": "Stone Building, 1 Level"})


# -- wall


@breaks("wall/outside-building")
def _(s: Subject) -> Subject:
    terrain = _painted(s)
    p, q = goods.LAYOUT.side(6, 4, 0)
    cv2.line(terrain, tuple(np.rint(p).astype(int)), tuple(np.rint(q).astype(int)), 172, 6)
    return goods.with_board(s, terrain=terrain)


@breaks("wall/bar-beside-hexside")
def _(s: Subject) -> Subject:
    terrain = _painted(s)
    x, y = goods.centre("D2")
    goods.box(terrain, 173, x - 12, y - 3, 28, 6)
    return goods.with_board(s, terrain=terrain)


@breaks("wall/vertex-in-doubt")
def _(s: Subject) -> Subject:
    side = "D2-D3"
    return _hexside(s, side, bar=((0.15, 1.0),), bar_share=0.85, vertices=("C3-D2-D3",))


@breaks("wall/cliff-without-drop")
def _(s: Subject) -> Subject:
    return _hexside(s, "A2-A3", terrain=goods.CLIFF)


@breaks("wall/slope-without-rise")
def _(s: Subject) -> Subject:
    return _hexside(s, "A2-A3", terrain=goods.STEEP)


# -- level


@breaks("level/jump-without-cliff")
def _(s: Subject) -> Subject:
    return _slopes(_hex(s, "A1", base_half=6), "A1-A2", "A1-B1")


@breaks("level/step-without-slope")
def _(s: Subject) -> Subject:
    return _hexside(s, "G5-G6", terrain=0)


@breaks("level/lonely-hex")
def _(s: Subject) -> Subject:
    around = ("C5-D5", "C6-D5", "D4-D5", "D5-D6", "D5-E5", "D5-E6")
    return _slopes(_hex(s, "D5", base_half=-4), *around)


@breaks("level/centre-on-crest")
def _(s: Subject) -> Subject:
    assert s.board is not None
    levels = s.board.elevation_half.copy()
    x, y = goods.centre("A2")
    levels[: round(y) + 1, : round(x) + 20] = 2
    return goods.with_board(s, elevation_half=levels)


@breaks("level/stray-pixels")
def _(s: Subject) -> Subject:
    assert s.board is not None
    levels = s.board.elevation_half.copy()
    x, y = (round(v) for v in goods.centre("B2"))
    levels[y + 10 : y + 13, x + 8 : x + 12] = 2
    return goods.with_board(s, elevation_half=levels)


# -- los


@breaks("los/table-of-other-board")
def _(s: Subject) -> Subject:
    return _table(s, board_hash="1234567890abcdef")


@breaks("los/table-of-other-rules")
def _(s: Subject) -> Subject:
    return _table(s, profile_hash="1234567890abcdef")


@breaks("los/table-locations")
def _(s: Subject) -> Subject:
    assert s.table is not None
    names = tuple(n for n in s.table.locations if n != "C4@roof")
    return _table(s, locations=names)


# -- vasl


@breaks("vasl/name-differs-from-file")
def _(s: Subject) -> Subject:
    return _archive(s, name="66")


@breaks("vasl/picture-missing")
def _(s: Subject) -> Subject:
    return _archive(s, image_named="bd99.jpg")


@breaks("vasl/picture-wrong-case")
def _(s: Subject) -> Subject:
    return _archive(s, image_named="BD99.gif")


@breaks("vasl/width-height-swapped")
def _(s: Subject) -> Subject:
    assert s.archive is not None
    return _archive(s, size_hexes=(10, 33), building_types={}, special_hexsides=(), losdata=None)


@breaks("vasl/size-against-picture")
def _(s: Subject) -> Subject:
    return _archive(s, size_hexes=(33, 12), losdata=None)


@breaks("vasl/losdata-missing")
def _(s: Subject) -> Subject:
    assert s.archive is not None
    members = tuple(m for m in s.archive.members if m != "LOSData")
    return _archive(s, members=members, losdata=None)


@breaks("vasl/losdata-size")
def _(s: Subject) -> Subject:
    assert s.archive is not None and s.archive.losdata is not None
    losdata = s.archive.losdata
    wider = np.pad(losdata.terrain, ((0, 5), (0, 6)))
    return _archive(s, losdata=LosDataView((33, 10), wider, np.zeros(wider.shape, np.int8)))


@breaks("vasl/hills-flag")
def _(s: Subject) -> Subject:
    assert s.archive is not None and s.archive.losdata is not None
    elevation = s.archive.losdata.elevation.copy()
    elevation[100:260, 300:520] = 1
    losdata = LosDataView((33, 10), s.archive.losdata.terrain, elevation)
    return _archive(s, losdata=losdata)


@breaks("vasl/special-hexside-unknown-hex")
def _(s: Subject) -> Subject:
    return _archive(s, special_hexsides=(("slopes", "K15"),))


@breaks("vasl/overlay-picture-missing")
def _(s: Subject) -> Subject:
    return _archive(s, overlay_images=(("NoRoads", "99_noroads.gif"), ("Mud", "99_Mud.gif")))


@breaks("vasl/colour-of-unknown-terrain")
def _(s: Subject) -> Subject:
    return _archive(s, colours=(("GrainYellow", "Grains"),))


@breaks("vasl/legacy-board")
def _(s: Subject) -> Subject:
    return _archive(
        s,
        legacy=True,
        members=("data", "bd99.gif", "99_NoRoads.gif"),
        image_named="",
        size_hexes=None,
        losdata=None,
    )


# -- security


@breaks("security/foreign-program")
def _(s: Subject) -> Subject:
    assert s.module is not None
    return _module(s, members=(*s.module.members, "tools/setup.exe"))


@breaks("security/custom-code")
def _(s: Subject) -> Subject:
    assert s.module is not None
    return _module(s, members=(*s.module.members, "town/Grid.class", "town/Grid$1.class"))


# -- the print as evidence


@breaks("numbering/print-disagrees")
def _(s: Subject) -> Subject:
    lost = Misnamed("C3", "B3", goods.centre("B3"))
    told = "the names lie +1 columns and +0 rows beside the print: where C3 is printed, it is B3"
    return _labels(s, verdict="disagrees", agree=0, disagree=(lost,), shift=(1, 0.0), reason=told)


@breaks("numbering/part-reads-otherwise")
def _(s: Subject) -> Subject:
    lost = tuple(Misnamed(f"H{r + 1}", f"H{r}", goods.centre(f"H{r}"), (0, 2)) for r in range(1, 7))
    return _labels(s, agree=40, disagree=lost)


@breaks("grid/warped-print")
def _(s: Subject) -> Subject:
    return _evidence(s, parts=(*s.grids[0].parts, GridPart((345.0, 330.0), 20, (3.0, -6.5))))


@breaks("vasl/losdata-out-of-date")
def _(s: Subject) -> Subject:
    houses = (("terrain", "Stone building", "Open Ground"), ("building", "stone", "none"))
    names = ("B2", "C5", "D5", "F3")
    return _contrasts(s, *(HexContrast(n, goods.centre(n), 0.3, houses) for n in names))


@breaks("building/against-losdata")
def _(s: Subject) -> Subject:
    gone = (("terrain", "Open Ground", "Wooden building"), ("building", "none", "wood"))
    return _contrasts(s, HexContrast("B2", goods.centre("B2"), 0.3, gone))


@breaks("building/material-against-losdata")
def _(s: Subject) -> Subject:
    other = (("terrain", "Stone building", "Wooden building"), ("building", "stone", "wood"))
    return _contrasts(s, HexContrast("B2", goods.centre("B2"), 0.4, other))


@breaks("wall/bar-against-losdata")
def _(s: Subject) -> Subject:
    bar = (("bar C2-D2", "yes", "no"),)
    return _contrasts(s, *(HexContrast(n, goods.centre(n), 0.04, bar) for n in ("C2", "D2")))


@breaks("building/stairwell-against-losdata")
def _(s: Subject) -> Subject:
    assert s.terrain is not None
    return replace(s, terrain=replace(s.terrain, stairs=(("C4", goods.centre("C4")),)))


@breaks("terrain/source-changed-since")
def _(s: Subject) -> Subject:
    return replace(s, inputs={"buildFile.xml": "f" * 64, "images/other.png": "a" * 64})


@breaks("terrain/legend-colours-alike")
def _(s: Subject) -> Subject:
    assert s.legend is not None
    hill = ClassView("hill", (goods.OPEN, 2), np.array([[70.3, -10, 40.2]]))
    classes = tuple(c for c in s.legend.classes if c.name != "meadow")
    return replace(s, legend=replace(s.legend, classes=(*classes, hill)))


# -- consistency


@breaks("level/unreachable")
def _(s: Subject) -> Subject:
    assert s.board is not None
    shed = next(i for i, b in enumerate(s.board.buildings) if b.material == "wood")
    return _refreshed(_hex(_building(s, shed, height_half=5), "G2", height_half=5))


@breaks("building/cut-off")
def _(s: Subject) -> Subject:
    terrain = _painted(s)
    lost = cv2.fillPoly(
        np.zeros(terrain.shape, np.uint8), [np.rint(goods.LAYOUT.corners(3, 1)).astype(np.int32)], 1
    )
    terrain[lost > 0] = goods.OPEN
    s = goods.with_board(s, terrain=terrain)
    return _refreshed(_hex(s, "D2", building=0, height_half=0, factory=False))


@breaks("los/not-reciprocal")
def _(s: Subject) -> Subject:
    return _probe(s, "clear", "clear", "blocked")


@breaks("los/table-differs")
def _(s: Subject) -> Subject:
    return _probe(s, "clear", "hindered by 1", "hindered by 1")
