"""A board of a few hexes with one of everything, and a picture of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from painted import BAR, DIRT, FLOOR, HEDGE, WALL, WOOD, WOODS, Painted

from hexsight.model.board import Board, Doubt
from hexsight.model.derive import derive
from hexsight.model.layout import Layout

_COLOURS = {0: (196, 205, 160), FLOOR: (80, 80, 80), BAR: (0, 0, 0), WOOD: (150, 110, 60)}


def tiny_board(*, sideways: bool = False) -> tuple[NDArray[np.uint8], Board]:
    """Picture (H, W, 3) uint8 and board: Factory C3 to D4 with road, bar, stairs, open floor."""
    layout = Layout.from_grid(45.0, 52.0, 32.0, 28.0, sideways=sideways)
    paint = Painted(7, 6, layout=layout)
    middle = layout.centre(*paint.where["C3"])
    paint.hexes("A3", "B3", code=0)
    paint.box(0, middle[1] - 5, middle[0] - 12, middle[1] + 5, DIRT)
    paint.hexes("C3", "C4", "D3", "D4").hexes("D4", code=FLOOR, grow=0.95)
    paint.side("C3", "D3").side("C4", "D4", part=(0.0, 0.5))
    paint.hexes("F2", code=WOOD, grow=0.5).hexes("F5", code=WOODS)
    paint.side("A1", "A2", HEDGE).side("E5", "E6", WALL).stairs("C4")
    x, y = layout.centre(*paint.where["G1"])
    survey = paint.survey(name="Tiny ½", doubts=(Doubt("test", "G1", x, y, 0.4, "Is this woods?"),))
    rgb = np.full((*survey.terrain.shape, 3), (130, 140, 150), np.uint8)
    for code, colour in _COLOURS.items():
        rgb[survey.terrain == code] = colour
    return rgb, derive(survey)
