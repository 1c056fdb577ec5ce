"""The good subject broken in its files: checks of module, picture, security and vasl."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import validator_changes as change
import validator_goods as goods

from hexsight.model.layout import Layout
from hexsight.validators import (
    BoardView,
    LosDataView,
    Subject,
    ZoneView,
)

# -- module


@change.breaks("module/picture-missing")
def _(s: Subject) -> Subject:
    return change.town(s, image="town2.png")


@change.breaks("module/picture-wrong-case")
def _(s: Subject) -> Subject:
    return change.town(s, image="Town.PNG")


@change.breaks("module/board-name-twice")
def _(s: Subject) -> Subject:
    assert s.module is not None
    return change.module(
        s, boards=(*s.module.boards, BoardView("Tray", "Main Map", size_px=(9, 9)))
    )


@change.breaks("module/no-hex-grid")
def _(s: Subject) -> Subject:
    return change.town(s, hex_grids=(), other_grids=("RegionGrid",))


@change.breaks("module/build-file-not-read")
def _(s: Subject) -> Subject:
    return change.module(
        s, build_file="buildFile", members=("moduledata", "buildFile", "images/town.png")
    )


@change.breaks("module/moduledata-missing")
def _(s: Subject) -> Subject:
    return change.module(s, members=("buildFile.xml", "images/town.png"))


@change.breaks("module/los-thread-missing")
def _(s: Subject) -> Subject:
    return change.module(s, los_maps=("Small Map",))


@change.breaks("module/zone-path-broken")
def _(s: Subject) -> Subject:
    return change.town(s, zones=(ZoneView("Reserves", "300,300;400,3OO;400,400"),))


@change.breaks("module/zone-off-board")
def _(s: Subject) -> Subject:
    return change.town(s, zones=(ZoneView("Reserves", "900,300;990,300;990,400"),))


# -- picture


@change.breaks("picture/tiny-hexes")
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


@change.breaks("picture/huge")
def _(s: Subject) -> Subject:
    return change.picture(s, size_px=(14000, 9000))


@change.breaks("picture/lossy")
def _(s: Subject) -> Subject:
    return change.picture(s, where="images/town.jpg in town.vmod", format="JPEG")


@change.breaks("picture/not-shown-by-vassal")
def _(s: Subject) -> Subject:
    return change.picture(s, format="WEBP")


@change.breaks("picture/extension-lies")
def _(s: Subject) -> Subject:
    return change.picture(s, format="GIF", mode="P")


@change.breaks("picture/see-through")
def _(s: Subject) -> Subject:
    return change.picture(s, mode="RGBA", see_through_share=0.04)


@change.breaks("picture/changed-since")
def _(s: Subject) -> Subject:
    return change.picture(s, sha256="d" * 64)


# -- security


@change.breaks("security/foreign-program")
def _(s: Subject) -> Subject:
    assert s.module is not None
    return change.module(s, members=(*s.module.members, "tools/setup.exe"))


@change.breaks("security/custom-code")
def _(s: Subject) -> Subject:
    assert s.module is not None
    return change.module(s, members=(*s.module.members, "town/Grid.class", "town/Grid$1.class"))


# -- vasl


@change.breaks("vasl/name-differs-from-file")
def _(s: Subject) -> Subject:
    return change.archive(s, name="66")


@change.breaks("vasl/picture-missing")
def _(s: Subject) -> Subject:
    return change.archive(s, image_named="bd99.jpg")


@change.breaks("vasl/picture-wrong-case")
def _(s: Subject) -> Subject:
    return change.archive(s, image_named="BD99.gif")


@change.breaks("vasl/width-height-swapped")
def _(s: Subject) -> Subject:
    assert s.archive is not None
    return change.archive(
        s, size_hexes=(10, 33), building_types={}, special_hexsides=(), losdata=None
    )


@change.breaks("vasl/size-against-picture")
def _(s: Subject) -> Subject:
    return change.archive(s, size_hexes=(33, 12), losdata=None)


@change.breaks("vasl/losdata-missing")
def _(s: Subject) -> Subject:
    assert s.archive is not None
    members = tuple(m for m in s.archive.members if m != "LOSData")
    return change.archive(s, members=members, losdata=None)


@change.breaks("vasl/losdata-size")
def _(s: Subject) -> Subject:
    assert s.archive is not None and s.archive.losdata is not None
    losdata = s.archive.losdata
    wider = np.pad(losdata.terrain, ((0, 5), (0, 6)))
    return change.archive(s, losdata=LosDataView((33, 10), wider, np.zeros(wider.shape, np.int8)))


@change.breaks("vasl/hills-flag")
def _(s: Subject) -> Subject:
    assert s.archive is not None and s.archive.losdata is not None
    elevation = s.archive.losdata.elevation.copy()
    elevation[100:260, 300:520] = 1
    losdata = LosDataView((33, 10), s.archive.losdata.terrain, elevation)
    return change.archive(s, losdata=losdata)


@change.breaks("vasl/special-hexside-unknown-hex")
def _(s: Subject) -> Subject:
    return change.archive(s, special_hexsides=(("slopes", "K15"),))


@change.breaks("vasl/overlay-picture-missing")
def _(s: Subject) -> Subject:
    return change.archive(s, overlay_images=(("NoRoads", "99_noroads.gif"), ("Mud", "99_Mud.gif")))


@change.breaks("vasl/colour-of-unknown-terrain")
def _(s: Subject) -> Subject:
    return change.archive(s, colours=(("GrainYellow", "Grains"),))


@change.breaks("vasl/legacy-board")
def _(s: Subject) -> Subject:
    return change.archive(
        s,
        legacy=True,
        members=("data", "bd99.gif", "99_NoRoads.gif"),
        image_named="",
        size_hexes=None,
        losdata=None,
    )
