"""The good subject broken in its grid and its names: checks of grid and numbering."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import validator_changes as change
import validator_goods as goods

from hexsight.model.layout import Layout
from hexsight.model.vassal_vasl import VaslNaming
from hexsight.validators import (
    HexGridView,
    LosDataView,
    Subject,
)

# -- grid


@change.breaks("grid/bad-number")
def _(s: Subject) -> Subject:
    return change.grid(s, dx="56,25")


@change.breaks("grid/offset-not-whole")
def _(s: Subject) -> Subject:
    return change.grid(s, x0="32.5")


@change.breaks("grid/not-regular")
def _(s: Subject) -> Subject:
    return change.evidence(change.grid(s, dx="64.5"), nominal=None, fitted=None)


@change.breaks("grid/wrong-orientation")
def _(s: Subject) -> Subject:
    return change.fitted(s, sideways=True)


@change.breaks("grid/offset-off-print")
def _(s: Subject) -> Subject:
    return change.fitted(s, x0=goods.X0 - 7.0, y0=goods.Y0 + 2.5)


@change.breaks("grid/half-hex-off")
def _(s: Subject) -> Subject:
    return change.fitted(s, y0=goods.Y0 + goods.DY / 2)


@change.breaks("grid/spacing-off-print")
def _(s: Subject) -> Subject:
    # Stretched about the middle, so that it fits there.
    assert s.grids[0].nominal is not None
    x, _ = s.grids[0].nominal.centre(3, 2)
    dx = goods.DX + 0.8
    return change.fitted(s, dx=dx, x0=x - 3 * dx)


@change.breaks("grid/rotated-print")
def _(s: Subject) -> Subject:
    turned = Layout.from_grid(goods.DX, goods.DY, 0, 0, rot_deg=0.6)
    x, y = goods.LAYOUT.centre(3, 2)
    tx, ty = turned.centre(3, 2)
    return change.evidence(s, fitted=replace(turned, origin_px=(x - tx, y - ty)))


@change.breaks("grid/not-in-module")
def _(s: Subject) -> Subject:
    return change.evidence(s, nominal=None)


@change.breaks("grid/not-printed")
def _(s: Subject) -> Subject:
    return change.evidence(s, fitted=None, confidence=0.0)


@change.breaks("grid/hexes-off-picture")
def _(s: Subject) -> Subject:
    return change.hex(s, "A6", on_map=0.02)


@change.breaks("grid/offset-by-one-row")
def _(s: Subject) -> Subject:
    # The picture is one row higher, so that the number of hexes still fits.
    assert s.archive is not None and s.archive.losdata is not None
    naming = VaslNaming(a1_y=96.75)
    height = 645 + 65
    terrain = np.zeros((height, 1800), np.uint8)
    return change.archive(
        s,
        naming=naming,
        picture_size_px=(1800, height),
        building_types={},
        losdata=LosDataView((33, 10), terrain, np.zeros(terrain.shape, np.int8)),
    )


# -- numbering


@change.breaks("numbering/bad-value")
def _(s: Subject) -> Subject:
    return change.numbering(s, hType="alpha", hOff="1")


@change.breaks("numbering/missing")
def _(s: Subject) -> Subject:
    return change.town(s, hex_grids=(HexGridView(goods.grid_attributes(), None),))


@change.breaks("numbering/lookup-goes-wrong")
def _(s: Subject) -> Subject:
    # 460 px / 64.5 px are 7 hexes: odd.
    return change.numbering(s, hDescend="true", hOff="0", stagger="true")


@change.breaks("numbering/names-twice")
def _(s: Subject) -> Subject:
    return change.numbering(s, locationFormat="$column$")


@change.breaks("numbering/negative-names")
def _(s: Subject) -> Subject:
    return change.numbering(s, hType="N", hOff="-1", sep=".")


@change.breaks("numbering/starts-one-off")
def _(s: Subject) -> Subject:
    return change.numbering(s, hOff="1")


@change.breaks("numbering/hex-twice")
def _(s: Subject) -> Subject:
    assert s.board is not None
    # At the end, so that every index into the hexes stays what it was.
    return goods.with_board(s, hexes=(*s.board.hexes, replace(s.board.by_name["A4"], row=40)))
