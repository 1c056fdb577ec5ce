"""Where two boards of one map say different things, hex by hex and hexside by hexside."""

from __future__ import annotations

from dataclasses import dataclass

from hexsight.export.lettering import half_levels
from hexsight.model.board import Board, HexFacts


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
            texts = _hex_texts(h, other)
            found += [Difference(h.name, t, h.x_px, h.y_px) for t in texts]
    for side in board.hexsides:
        real = truth.side_by_name.get(side.name)
        if real is None:
            continue
        text = _sign(bool(side.bar), bool(real.bar), "bar")
        if not text and side.bar and set(side.vertices) != set(real.vertices):
            text = "vertices"
        if text:
            a = board.by_name[side.a]
            x, y = board.layout.side(a.col, a.row, side.direction).mean(axis=0)
            found.append(Difference(side.name, text, float(x), float(y)))
    return tuple(found)


def _hex_texts(h: HexFacts, other: HexFacts) -> list[str]:
    text = _sign(bool(h.building), bool(other.building), "building")
    if text:
        return [text]
    texts = [
        _sign(h.factory, other.factory, "Factory"),
        _sign(h.roofless, other.roofless, "roofless"),
        _sign(h.stairwell, other.stairwell, "stairwell"),
    ]
    if h.building and h.height_half != other.height_half:
        texts.append(f"{half_levels(h.height_half)} for {half_levels(other.height_half)}")
    return [" ".join(t for t in texts if t)] if any(texts) else []


def _sign(here: bool, there: bool, what: str) -> str:
    if here == there:
        return ""
    return f"+{what}" if here else f"-{what}"
