"""A measured line of sight drawn on the map: bases, smoke, openings, and where it runs.

Takes plain data in board pixels, as `hexsight.export.picture_los` does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.export.canvas import BLACK, WHITE, Canvas, Colour
from hexsight.export.picture import BLUE, ORANGE, PURPLE, SKY, YELLOW, check_picture
from hexsight.export.picture_los import (
    STATES,
    LosDrawing,
    LosMark,
    around,
    draw_cross,
    draw_line,
    with_caption,
)
from hexsight.model.board import Board
from hexsight.model.errors import UsageError

_SIDES: tuple[Colour, ...] = (SKY, ORANGE, PURPLE, BLUE)
MIN_UNIT_PX = 40.0  # what letters are sized by where an inch is shorter
Point = tuple[float, float]


@dataclass(frozen=True)
class BaseDrawing:
    """A team's base.

    Attributes
    ----------
    name : str
    outline : tuple of points
        In board pixels.
    side : int
        0, 1, …: teams of one side have one colour.
    ahead : point
        Where its front is: the middle of its foremost edge.
    """

    name: str
    outline: tuple[Point, ...]
    side: int
    ahead: Point


@dataclass(frozen=True)
class MeasuredDrawing:
    """What is to be drawn of a measured answer; everything in board pixels.

    Attributes
    ----------
    line : (point, point)
    state : str
        ``"clear"``, ``"hindered"`` or ``"blocked"``.
    bases : tuple of BaseDrawing
    discs : tuple of (x, y, radius)
    openings : tuple of (point, point)
    outlines : tuple of tuple of points
        Of buildings.
    marks : tuple of LosMark
    caption : str
        One line below the picture.
    unit_px : float
        What widths and letters are sized by: an inch or the height of a hex.
    """

    line: tuple[Point, Point]
    state: str
    bases: tuple[BaseDrawing, ...] = ()
    discs: tuple[tuple[float, float, float], ...] = ()
    openings: tuple[tuple[Point, Point], ...] = ()
    outlines: tuple[tuple[Point, ...], ...] = ()
    marks: tuple[LosMark, ...] = ()
    caption: str = ""
    unit_px: float = 40.0


def draw_measured(
    rgb: NDArray[np.uint8],
    board: Board,
    drawing: MeasuredDrawing,
    *,
    scale: float = 1.0,
    crop: bool = True,
) -> NDArray[np.uint8]:
    """Draw a measured line of sight over the map.

    Parameters
    ----------
    rgb : (H, W, 3) uint8
        The map's picture.
    board : Board
    drawing : MeasuredDrawing
    scale : float
        Size of the drawing to the picture's.
    crop : bool
        Show only the surroundings of the line.

    Returns
    -------
    (H', W', 3) uint8

    Raises
    ------
    UsageError
        If the state is none of those.
    InputError
        If picture and board differ in size.
    """
    if drawing.state not in STATES:
        raise UsageError(f"A line of sight is {', '.join(STATES)}, not {drawing.state!r}.")
    check_picture(rgb, board)
    ends = np.array(drawing.line, np.float64)
    reach = max(MIN_UNIT_PX, drawing.unit_px)
    shift = np.zeros(2)
    if crop:
        rgb, shift = around(rgb, ends, 3.0 * reach)
    canvas = Canvas(rgb, scale)
    unit = max(8.0, reach * scale)
    outlines = [np.array(o) - shift for o in drawing.outlines]
    canvas.lines(outlines, BLUE, 0.04 * unit, closed=True, casing=WHITE, alpha=0.8)
    openings = [np.array(o) - shift for o in drawing.openings]
    canvas.lines(openings, YELLOW, 0.1 * unit, casing=BLACK)
    clouds = [canvas.disc(x - shift[0], y - shift[1], r * scale) for x, y, r in drawing.discs]
    canvas.shapes(clouds, WHITE, BLACK, 0.03 * unit, alpha=0.6)
    for base in drawing.bases:
        outline = np.array(base.outline) - shift
        colour = _SIDES[base.side % len(_SIDES)]
        canvas.shapes([outline], colour, BLACK, 0.03 * unit, alpha=0.75)
        front = np.array([outline.mean(axis=0), np.array(base.ahead) - shift])
        canvas.lines([front], BLACK, 0.04 * unit)
    los = LosDrawing("", "", drawing.state, (), drawing.marks)
    draw_line(canvas, ends - shift, los, shift, unit)
    labels = []
    for mark in drawing.marks:
        x, y = mark.x_px - shift[0], mark.y_px - shift[1]
        if mark.kind == "blocks":
            draw_cross(canvas, x, y, 0.18 * unit / scale, unit)
        else:
            colour = ORANGE if mark.kind == "hinders" else YELLOW
            canvas.shapes([canvas.disc(x, y, 0.1 * unit)], colour, BLACK, 0.02 * unit)
        if mark.label:
            labels.append((x, y - 0.5 * reach, mark.label))
    for base in drawing.bases:
        x, y = np.array(base.outline).mean(axis=0) - shift
        canvas.text(x, y + 0.42 * reach, base.name, 0.3 * unit)
    # Above all else, and aside from the line: what blocks is what the picture is asked for.
    for x, y, label in labels:
        canvas.text(x, y, label, 0.36 * unit)
    return with_caption(canvas.image, drawing.caption, unit) if drawing.caption else canvas.image
