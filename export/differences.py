"""Where two boards of one map say different things, hex by hex and hexside by hexside."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from hexsight.export.lettering import half_levels
from hexsight.model.board import Board, HexFacts
from hexsight.model.classes import bars_comparable, terrain_classes


class Verdict(IntEnum):
    """What a pixel's terrain is to the truth."""

    AGREED = 0
    MISSED = 1
    FALSE = 2
    CONFUSED = 3


def pixel_verdicts(board: Board, truth: Board) -> NDArray[np.uint8]:
    """Verdict (H, W) uint8 on each pixel.

    A building is missed or false whatever else is there; other terrain that is taken for
    open ground is missed, open ground that is taken for it false, and the rest confused.
    """
    classes = terrain_classes(board.catalogue)
    found, real = classes.table[board.terrain], classes.table[truth.terrain]
    n = len(classes.names)
    verdict = np.full((n, n), Verdict.CONFUSED, np.uint8)  # by truth, by what was found
    verdict[~classes.ground[:, None] & classes.ground[None, :]] = Verdict.MISSED
    verdict[classes.ground[:, None] & ~classes.ground[None, :]] = Verdict.FALSE
    verdict[classes.depiction[:, None] & ~classes.depiction[None, :]] = Verdict.MISSED
    verdict[~classes.depiction[:, None] & classes.depiction[None, :]] = Verdict.FALSE
    verdict[np.arange(n), np.arange(n)] = Verdict.AGREED
    return np.asarray(verdict[real, found], np.uint8)


@dataclass(frozen=True)
class Difference:
    """One fact that differs.

    Attributes
    ----------
    where : str
        Name of hex or hexside.
    text : str
        ``"+bar"`` where the first board has one too many, ``"-bar"`` where it lacks one.
    x_px, y_px : float
        Place in board pixels.
    """

    where: str
    text: str
    x_px: float
    y_px: float


def differences(board: Board, truth: Board) -> tuple[Difference, ...]:
    """Facts in which a board differs from what is really there.

    Compared where both boards have a hex or hexside of that name: building,
    Factory, roofless, stairwell, height of building, bar and the vertices it
    reaches.
    """
    found: list[Difference] = []
    for h in board.hexes:
        other = truth.by_name.get(h.name)
        if other is not None:
            texts = _hex_texts(board, truth, h, other)
            found += [Difference(h.name, t, h.x_px, h.y_px) for t in texts]
    for side in board.hexsides:
        real = truth.side_by_name.get(side.name)
        if real is None or not bars_comparable(side, real):
            continue
        text = _sign(bool(side.bar), bool(real.bar), "bar")
        if not text and side.bar and set(side.vertices) != set(real.vertices):
            text = "vertices"
        if text:
            a = board.by_name[side.a]
            x, y = board.layout.side(a.col, a.row, side.direction).mean(axis=0)
            found.append(Difference(side.name, text, float(x), float(y)))
    return tuple(found)


def _hex_texts(board: Board, truth: Board, h: HexFacts, other: HexFacts) -> list[str]:
    text = _sign(bool(h.building), bool(other.building), "building")
    if text:
        return [text]
    texts = [
        _sign(h.factory, other.factory, "Factory"),
        _sign(h.roofless, other.roofless, "roofless"),
        _sign(board.joins_levels(h), truth.joins_levels(other), "stairwell"),
    ]
    if h.building and h.height_half != other.height_half:
        texts.append(f"{half_levels(h.height_half)} for {half_levels(other.height_half)}")
    return [" ".join(t for t in texts if t)] if any(texts) else []


def _sign(here: bool, there: bool, what: str) -> str:
    if here == there:
        return ""
    return f"+{what}" if here else f"-{what}"
