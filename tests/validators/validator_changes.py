"""One thing of the good subject changed, and the register of what breaks it for each check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import validator_goods as goods
from numpy.typing import NDArray

from hexsight.model.board import HexFacts, HexsideFacts
from hexsight.model.layout import Layout
from hexsight.validators import (
    HexContrast,
    HexGridView,
    Probe,
    Subject,
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


def module(subject: Subject, **changed: object) -> Subject:
    assert subject.module is not None
    return replace(subject, module=replace(subject.module, **changed))  # type: ignore[arg-type]


def town(subject: Subject, **changed: object) -> Subject:
    """Change the board view of the module."""
    assert subject.module is not None
    first, *rest = subject.module.boards
    return module(subject, boards=(replace(first, **changed), *rest))  # type: ignore[arg-type]


def grid(subject: Subject, **attributes: str) -> Subject:
    """Change HexGrid attributes, and nothing else."""
    view = HexGridView(goods.grid_attributes(**attributes), goods.numbering_attributes())
    return town(subject, hex_grids=(view,))


def numbering(subject: Subject, **attributes: str) -> Subject:
    view = HexGridView(goods.grid_attributes(), goods.numbering_attributes(**attributes))
    return town(subject, hex_grids=(view,))


def archive(subject: Subject, **changed: object) -> Subject:
    assert subject.archive is not None
    return replace(subject, archive=replace(subject.archive, **changed))  # type: ignore[arg-type]


def evidence(subject: Subject, **changed: object) -> Subject:
    return replace(subject, grids=(replace(subject.grids[0], **changed),))  # type: ignore[arg-type]


def fitted(subject: Subject, **numbers: float | bool) -> Subject:
    """The printed grid, with other numbers than the module has."""
    values: dict[str, float | bool] = {
        "dx": goods.DX,
        "dy": goods.DY,
        "x0": goods.X0,
        "y0": goods.Y0,
        **numbers,
    }
    return evidence(subject, fitted=Layout.from_grid(**values))  # type: ignore[arg-type]


def picture(subject: Subject, **changed: object) -> Subject:
    assert subject.picture is not None
    return replace(subject, picture=replace(subject.picture, **changed))  # type: ignore[arg-type]


def table(subject: Subject, **changed: object) -> Subject:
    assert subject.table is not None
    return replace(subject, table=replace(subject.table, **changed))  # type: ignore[arg-type]


def hex(subject: Subject, name: str, **changed: object) -> Subject:
    """Change the facts of one hex of the board."""
    assert subject.board is not None
    hexes: tuple[HexFacts, ...] = tuple(
        replace(h, **changed) if h.name == name else h  # type: ignore[arg-type]
        for h in subject.board.hexes
    )
    return goods.with_board(subject, hexes=hexes)


def hexside(subject: Subject, name: str, **changed: object) -> Subject:
    assert subject.board is not None
    sides: tuple[HexsideFacts, ...] = tuple(
        replace(s, **changed) if s.name == name else s  # type: ignore[arg-type]
        for s in subject.board.hexsides
    )
    return goods.with_board(subject, hexsides=sides)


def slopes(subject: Subject, *names: str) -> Subject:
    """Mark hexsides as slopes."""
    for name in names:
        subject = hexside(subject, name, terrain=goods.STEEP)
    return subject


def painted(subject: Subject) -> NDArray[np.uint8]:
    assert subject.board is not None
    return subject.board.terrain.copy()


def building(subject: Subject, index: int, **changed: object) -> Subject:
    assert subject.board is not None
    buildings = list(subject.board.buildings)
    buildings[index] = replace(buildings[index], **changed)  # type: ignore[arg-type]
    return goods.with_board(subject, buildings=tuple(buildings))


def refreshed(subject: Subject) -> Subject:
    """A table that fits the board as it has become."""
    assert subject.board is not None
    return replace(subject, table=goods.table(subject.board))


def labels(subject: Subject, **changed: object) -> Subject:
    return replace(subject, labels=(replace(subject.labels[0], **changed),))  # type: ignore[arg-type]


def contrasts(subject: Subject, *hexes: HexContrast) -> Subject:
    assert subject.terrain is not None
    return replace(
        subject, terrain=replace(subject.terrain, hexes=(*hexes, *subject.terrain.hexes))
    )


def probe(subject: Subject, stored: str, there: str, back: str) -> Subject:
    return table(subject, probes=(Probe("A1", "H6", stored, there, back),))
