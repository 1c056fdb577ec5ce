"""One line of sight drawn on the map: where it runs, and what stops or hinders it.

Takes plain data, so that whatever computed the answer (the engine, a table, a
test, another program's JSON) can have it drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.export.canvas import BLACK, WHITE, Canvas, Colour
from hexsight.export.legend import PAPER, with_legend
from hexsight.export.lettering import text_mask
from hexsight.export.picture import GREEN, ORANGE, VERMILION, YELLOW, check_picture
from hexsight.export.picture_state import (
    StateDrawing,
    draw_state,
    shown_in,
    state_legend,
    write_letters,
)
from hexsight.model.board import Board
from hexsight.model.errors import UsageError

STATES: dict[str, Colour] = {
    "clear": GREEN,
    "hindered": ORANGE,
    "half": ORANGE,
    "blocked": VERMILION,
}


@dataclass(frozen=True)
class LosMark:
    """A place that matters to a line of sight.

    Attributes
    ----------
    x_px, y_px : float
        In board pixels.
    kind : str
        ``"blocks"`` or ``"hinders"``.
    label : str
        Written beside it, such as ``"O5.31"`` or ``"+2"``.
    """

    x_px: float
    y_px: float
    kind: str = "blocks"
    label: str = ""


@dataclass(frozen=True)
class LosDrawing:
    """What is to be drawn of an answer.

    Attributes
    ----------
    start, end : str
        Names of the two hexes.
    state : str
        ``"clear"``, ``"hindered"``, ``"half"`` or ``"blocked"``.
    hexes : tuple of str
        Hexes that the line crosses or that matter to it.
    marks : tuple of LosMark
    caption : str
        One line below the picture, such as
        ``"K15 to L16: blocked by the wall K15-K16 (O5.31)"``.
    on_map : StateDrawing, optional
        Units, smoke and the like, drawn below the line and told in a legend.
    """

    start: str
    end: str
    state: str
    hexes: tuple[str, ...] = ()
    marks: tuple[LosMark, ...] = ()
    caption: str = ""
    on_map: StateDrawing | None = None


def draw_los(
    rgb: NDArray[np.uint8],
    board: Board,
    los: LosDrawing,
    *,
    scale: float = 1.0,
    crop: bool = True,
) -> NDArray[np.uint8]:
    """Draw a line of sight over the map.

    Solid up to the blocking point nearest to `start`, dashed behind it.

    Parameters
    ----------
    rgb : (H, W, 3) uint8
        The map's picture.
    board : Board
    los : LosDrawing
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
        If a hex is not on the board, or the state is none of the four.
    InputError
        If picture and board differ in size.
    """
    if los.state not in STATES:
        raise UsageError(f"A line of sight is {', '.join(STATES)}, not {los.state!r}.")
    check_picture(rgb, board)
    a, b = board.hex(los.start), board.hex(los.end)
    ends = np.array([(a.x_px, a.y_px), (b.x_px, b.y_px)])
    shift = np.zeros(2)
    if crop:
        rgb, shift = around(rgb, ends, 1.6 * board.layout.dy)
    canvas = Canvas(rgb, scale)
    unit = max(8.0, board.layout.dy * scale)
    crossed = [board.hex(name) for name in los.hexes]
    outlines = [board.layout.corners(h.col, h.row) - shift for h in crossed]
    canvas.blend(canvas.area([o] for o in outlines), YELLOW, 0.22)
    canvas.lines(outlines, YELLOW, 0.02 * unit, closed=True, casing=BLACK, alpha=0.8)
    state = shown_in(los.on_map or StateDrawing(), board, shift, shift + rgb.shape[1::-1])
    draw_state(canvas, board, state, shift)
    draw_line(canvas, ends - shift, los, shift, unit)
    write_letters(canvas, board, state, shift, (a.name, b.name))
    for mark in los.marks:
        x, y = mark.x_px - shift[0], mark.y_px - shift[1]
        if mark.kind == "blocks":
            draw_cross(canvas, x, y, 0.14 * unit / scale, unit)
        else:
            canvas.shapes([canvas.disc(x, y, 0.1 * unit)], ORANGE, WHITE, 0.02 * unit)
        if mark.label:
            canvas.text(x, y - 0.26 * board.layout.dy, mark.label, 0.2 * unit)
    for h, (x, y) in zip((a, b), ends - shift, strict=True):
        canvas.shapes([canvas.disc(x, y, 0.1 * unit)], STATES[los.state], WHITE, 0.03 * unit)
        canvas.text(x, y + 0.27 * board.layout.dy, h.name, 0.24 * unit)
    image = with_caption(canvas.image, los.caption, unit) if los.caption else canvas.image
    signs = state_legend(state)
    return with_legend(image, "On the map:", signs, unit) if signs else image


def around(
    rgb: NDArray[np.uint8], ends: NDArray[np.float64], margin: float
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Part of the picture around a line, and by how much it is shifted."""
    size = np.array(rgb.shape[1::-1])
    low = np.clip(np.floor(ends.min(axis=0) - margin), 0, size - 1).astype(int)
    high = np.clip(np.ceil(ends.max(axis=0) + margin), low + 1, size).astype(int)
    return rgb[low[1] : high[1], low[0] : high[0]], low.astype(np.float64)


def draw_line(
    canvas: Canvas,
    ends: NDArray[np.float64],
    los: LosDrawing,
    shift: NDArray[np.float64],
    unit: float,
) -> None:
    """Draw the line: solid to the first place that blocks, dashed behind it."""
    along = ends[1] - ends[0]
    length = float(np.hypot(*along))
    colour = STATES[los.state]
    stop = 1.0
    if los.state == "blocked":
        blocks = [m for m in los.marks if m.kind == "blocks"]
        places = [
            float(((m.x_px, m.y_px) - shift - ends[0]) @ along) / max(length**2, 1e-9)
            for m in blocks
        ]
        stop = float(np.clip(min(places, default=0.0), 0.0, 1.0))
    canvas.lines([ends[0] + np.outer((0.0, stop), along)], colour, 0.05 * unit, casing=WHITE)
    if stop < 1.0 and length > 0:
        step = 0.22 * unit / canvas.scale / length
        starts = np.arange(stop + step / 2, 1.0, step)
        dashes = [ends[0] + np.outer((s, min(1.0, s + step / 2)), along) for s in starts]
        canvas.lines(dashes, BLACK, 0.03 * unit, casing=WHITE)


def draw_cross(canvas: Canvas, x: float, y: float, arm: float, unit: float) -> None:
    """Draw a saltire where a line is blocked."""
    canvas.shapes(_cross(x, y, arm), VERMILION, WHITE, 0.02 * unit)


def _cross(x: float, y: float, arm: float) -> list[NDArray[np.float64]]:
    """Outline of a saltire."""
    w = 0.3
    plus = [(w, w), (1, w), (1, -w), (w, -w), (w, -1), (-w, -1), (-w, -w), (-1, -w)]
    plus += [(-1, w), (-w, w), (-w, 1), (w, 1)]
    turn = np.array([(1, -1), (1, 1)]) / np.sqrt(2)
    return [np.array(plus) @ turn * arm + (x, y)]


def with_caption(image: NDArray[np.uint8], text: str, unit: float) -> NDArray[np.uint8]:
    """The picture with a line of text below."""
    size = round(min(24.0, max(11.0, 0.28 * unit)))
    while size > 12 and text_mask(text, size).shape[1] + size > image.shape[1]:
        size -= 1
    width = max(image.shape[1], text_mask(text, size).shape[1] + size)
    out = np.empty((image.shape[0] + 2 * size, width, 3), np.uint8)
    out[:] = PAPER
    out[: image.shape[0], : image.shape[1]] = image
    canvas = Canvas(out)
    canvas.text(size / 2, image.shape[0] + size, text, size, BLACK, None, anchor="left")
    return canvas.image
