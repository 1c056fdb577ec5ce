"""The good subject broken on its board: checks of terrain, building, wall and level."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import validator_changes as change
import validator_goods as goods

from hexsight.model.board import Doubt, Mark
from hexsight.model.overrides import HexOverride, HexsideOverride, Overrides
from hexsight.validators import (
    Subject,
)

# -- terrain


@change.breaks("terrain/in-doubt")
def _(s: Subject) -> Subject:
    doubt = Doubt(
        "bar-off-hexside",
        "C3-C4",
        150.0,
        170.0,
        0.4,
        "A bar lies near C3-C4 but fits it badly.",
        "hexsides: {C3-C4: {bar: none}}",
    )
    return goods.with_board(s, doubts=(doubt,))


@change.breaks("terrain/unknown-code")
def _(s: Subject) -> Subject:
    terrain = change.painted(s)
    x, y = goods.centre("B3")
    goods.box(terrain, 199, x, y, 8, 8)
    return goods.with_board(s, terrain=terrain)


@change.breaks("terrain/one-kind")
def _(s: Subject) -> Subject:
    return goods.with_board(s, terrain=np.zeros_like(change.painted(s)))


@change.breaks("terrain/override-unknown-place")
def _(s: Subject) -> Subject:
    assert s.overrides is not None
    hexes = {**s.overrides.hexes, "A51": HexOverride(stairwell=True)}
    return replace(s, overrides=replace(s.overrides, hexes=hexes))


@change.breaks("terrain/override-changes-nothing")
def _(s: Subject) -> Subject:
    assert s.overrides is not None
    hexes = {**s.overrides.hexes, "C3": HexOverride(factory=True)}
    sides = {**s.overrides.hexsides, "A1-A2": HexsideOverride(bar="none")}
    return replace(s, overrides=Overrides(hexes, sides))


# -- building


@change.breaks("building/roofless-outside-factory")
def _(s: Subject) -> Subject:
    return change.hex(s, "G2", roofless=True, roofless_share=0.3)


@change.breaks("building/stairwell-outside")
def _(s: Subject) -> Subject:
    assert s.board is not None
    x, y = goods.centre("A4")
    return goods.with_board(s, stairwells=(*s.board.stairwells, Mark(x, y, 9.0, 0.8)))


@change.breaks("building/stairwell-too-low")
def _(s: Subject) -> Subject:
    return change.building(s, 0, height_half=3)


@change.breaks("building/factory-without-road")
def _(s: Subject) -> Subject:
    return change.building(change.hex(s, "C3", vehicular_entrance=False), 0, entries=())


@change.breaks("building/split")
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


@change.breaks("building/scrap")
def _(s: Subject) -> Subject:
    assert s.board is not None
    factory = s.board.buildings[0]
    _, top, right, _ = factory.polygon.bounds
    corners = ((right, top), (right + 8, top), (right + 8, top + 8), (right, top + 8), (right, top))
    shed = replace(factory, id=9, kind="building", material="wood", rings=(corners,), hexes=("E2",))
    return goods.with_board(s, buildings=(*s.board.buildings, shed))


@change.breaks("building/no-hex-centre")
def _(s: Subject) -> Subject:
    x, y = goods.centre("G2")
    corners = (
        (x + 6, y - 20),
        (x + 26, y - 20),
        (x + 26, y + 20),
        (x + 6, y + 20),
        (x + 6, y - 20),
    )
    return change.building(s, 1, rings=(corners,))


@change.breaks("building/type-of-unknown-hex")
def _(s: Subject) -> Subject:
    return change.archive(s, building_types={"E51": "Stone Building, 2 Level"})


@change.breaks("building/type-unknown")
def _(s: Subject) -> Subject:
    return change.archive(s, building_types={"E4": "Stone Building, 2 Levels"})


@change.breaks("building/type-without-building")
def _(s: Subject) -> Subject:
    return change.hex(s, "E4", building_share=0.0)


@change.breaks("building/type-against-losdata")
def _(s: Subject) -> Subject:
    return change.archive(s, building_types={"E4": "Stone Building, 1 Level"})


# -- wall


@change.breaks("wall/outside-building")
def _(s: Subject) -> Subject:
    terrain = change.painted(s)
    p, q = goods.LAYOUT.side(6, 4, 0)
    cv2.line(terrain, tuple(np.rint(p).astype(int)), tuple(np.rint(q).astype(int)), 172, 6)
    return goods.with_board(s, terrain=terrain)


@change.breaks("wall/bar-beside-hexside")
def _(s: Subject) -> Subject:
    terrain = change.painted(s)
    x, y = goods.centre("D2")
    goods.box(terrain, 173, x - 12, y - 3, 28, 6)
    return goods.with_board(s, terrain=terrain)


@change.breaks("wall/vertex-in-doubt")
def _(s: Subject) -> Subject:
    side = "D2-D3"
    return change.hexside(s, side, bar=((0.15, 1.0),), bar_share=0.85, vertices=("C3-D2-D3",))


@change.breaks("wall/cliff-without-drop")
def _(s: Subject) -> Subject:
    return change.hexside(s, "A2-A3", terrain=goods.CLIFF)


@change.breaks("wall/slope-without-rise")
def _(s: Subject) -> Subject:
    return change.hexside(s, "A2-A3", terrain=goods.STEEP)


# -- level


@change.breaks("level/jump-without-cliff")
def _(s: Subject) -> Subject:
    return change.slopes(change.hex(s, "A1", base_half=6), "A1-A2", "A1-B1")


@change.breaks("level/step-without-slope")
def _(s: Subject) -> Subject:
    return change.hexside(s, "G5-G6", terrain=0)


@change.breaks("level/lonely-hex")
def _(s: Subject) -> Subject:
    around = ("C5-D5", "C6-D5", "D4-D5", "D5-D6", "D5-E5", "D5-E6")
    return change.slopes(change.hex(s, "D5", base_half=-4), *around)


@change.breaks("level/centre-on-crest")
def _(s: Subject) -> Subject:
    assert s.board is not None
    levels = s.board.elevation_half.copy()
    x, y = goods.centre("A2")
    levels[: round(y) + 1, : round(x) + 20] = 2
    return goods.with_board(s, elevation_half=levels)


@change.breaks("level/stray-pixels")
def _(s: Subject) -> Subject:
    assert s.board is not None
    levels = s.board.elevation_half.copy()
    x, y = (round(v) for v in goods.centre("B2"))
    levels[y + 10 : y + 13, x + 8 : x + 12] = 2
    return goods.with_board(s, elevation_half=levels)
