"""The viewshed of a Location drawn on the map: what is seen, hindered and hidden.

Takes plain data, as `hexsight.export.picture_los` does.  Hidden hexes are
darkened, so that what is seen stays the map as printed, with a tint and, where
it is hindered, a number; in colours that people with any colour blindness tell
apart, and told apart by light and dark as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.export.canvas import BLACK, WHITE, Canvas, Colour
from hexsight.export.legend import Entry, Swatch, with_legend
from hexsight.export.picture import BLUE, ORANGE, SKY, VERMILION, check_picture
from hexsight.export.picture_state import StateDrawing, draw_state, state_legend, write_letters
from hexsight.model.board import Board, HexFacts
from hexsight.model.errors import UsageError

HIDDEN: Colour = (40, 40, 48)
TINTS: dict[str, tuple[Colour, float]] = {
    "clear": (SKY, 0.42),
    "hindered": (ORANGE, 0.5),
    "half": (ORANGE, 0.5),
    "blocked": (HIDDEN, 0.62),
}
_SPOTS: dict[str, Colour] = {
    "clear": SKY,
    "hindered": ORANGE,
    "half": ORANGE,
    "blocked": HIDDEN,
}


@dataclass(frozen=True)
class ViewMark:
    """One Location of a viewshed.

    Attributes
    ----------
    hex : str
    label : str
        Empty for the ground, else what is written beside its dot: ``"1"``,
        ``"R"`` for the rooftop, ``"C"`` for the cellar, ``"B"`` for a bridge.
    state : str
        ``"clear"``, ``"hindered"``, ``"half"`` or ``"blocked"``.
    hindrance : int
    """

    hex: str
    label: str
    state: str
    hindrance: int = 0


def draw_viewshed(
    rgb: NDArray[np.uint8],
    board: Board,
    start: str,
    marks: Sequence[ViewMark],
    *,
    title: str = "",
    scale: float = 1.0,
    on_map: StateDrawing | None = None,
) -> NDArray[np.uint8]:
    """Draw what is seen from a hex.

    The tint of a hex is that of its ground; each further Location is a dot in
    its upper half, filled by its own state.

    Parameters
    ----------
    rgb : (H, W, 3) uint8
        The map's picture.
    board : Board
    start : str
        The viewer's hex.
    marks : sequence of ViewMark
    title : str
        Of the legend.
    scale : float
        Size of the drawing to the picture's.
    on_map : StateDrawing, optional
        Units, smoke and the like.

    Returns
    -------
    (H', W', 3) uint8
        With a legend below.

    Raises
    ------
    UsageError
        If a hex is not on the board, or a state is none of the four.
    InputError
        If picture and board differ in size.
    """
    check_picture(rgb, board)
    for mark in marks:
        if mark.state not in TINTS:
            raise UsageError(f"A Location is {', '.join(TINTS)}, not {mark.state!r}.")
    viewer = board.hex(start)
    canvas = Canvas(rgb, scale)
    unit = max(8.0, board.layout.dy * scale)
    ground = [mark for mark in marks if not mark.label]
    for state, (colour, alpha) in TINTS.items():
        rings = [_outline(board, board.hex(m.hex)) for m in ground if m.state == state]
        # Outlines meet on the hexsides; one mask for all keeps them from doubling there.
        canvas.blend(canvas.area([ring] for ring in rings), colour, alpha)
        if state == "clear" and rings:
            canvas.lines(rings, SKY, 0.015 * unit, closed=True, alpha=0.6)
    if on_map is not None:
        draw_state(canvas, board, on_map)
        write_letters(canvas, board, on_map, (0, 0), (viewer.name,))
    for mark in ground:
        if mark.state in ("hindered", "half"):
            facts = board.hex(mark.hex)
            text = f"+{mark.hindrance}" if mark.state == "hindered" else "½"
            at = facts.y_px + 0.2 * board.layout.dy
            canvas.text(facts.x_px, at, text, 0.26 * unit)
    _dots(canvas, board, [mark for mark in marks if mark.label], unit)
    outline = _outline(board, viewer)
    canvas.lines([outline], VERMILION, 0.07 * unit, closed=True, casing=WHITE)
    disc = canvas.disc(viewer.x_px, viewer.y_px, 0.12 * unit)
    canvas.shapes([disc], VERMILION, WHITE, 0.03 * unit)
    canvas.text(viewer.x_px, viewer.y_px + 0.3 * board.layout.dy, viewer.name, 0.26 * unit)
    entries = _legend(marks) + (state_legend(on_map) if on_map is not None else [])
    return with_legend(canvas.image, title or f"Seen from {viewer.name}", entries, unit)


def _outline(board: Board, facts: HexFacts) -> NDArray[np.float64]:
    ring: NDArray[np.float64] = board.layout.corners(facts.col, facts.row)
    return ring


def _dots(canvas: Canvas, board: Board, marks: Sequence[ViewMark], unit: float) -> None:
    """A row of dots for the Locations over or under the ground of each hex."""
    by_hex: dict[str, list[ViewMark]] = {}
    for mark in marks:
        by_hex.setdefault(mark.hex, []).append(mark)
    step, dy = 0.2 * board.layout.dy, board.layout.dy
    placed: list[tuple[float, float, ViewMark]] = []
    for name, here in by_hex.items():
        facts = board.hex(name)
        for k, mark in enumerate(here):
            x = facts.x_px + (k - (len(here) - 1) / 2) * step
            placed.append((x, facts.y_px - 0.27 * dy, mark))
    for state, fill in _SPOTS.items():
        discs = [canvas.disc(x, y, 0.095 * unit) for x, y, m in placed if m.state == state]
        canvas.shapes(discs, fill, WHITE if state == "blocked" else BLACK, 0.02 * unit)
    for x, y, mark in placed:
        ink = WHITE if mark.state == "blocked" else BLACK
        canvas.text(x, y, mark.label, 0.15 * unit, ink, None)
        if mark.hindrance:
            canvas.text(x, y + 0.16 * dy, f"+{mark.hindrance}", 0.15 * unit)


def _legend(marks: Sequence[ViewMark]) -> list[Entry]:
    entries = [Entry(Swatch.OUTLINE, VERMILION, "viewer")]
    told = {
        "clear": (SKY, "ground seen"),
        "hindered": (ORANGE, "seen, hindered by +n"),
        "half": (ORANGE, "seen at half strength"),
        "blocked": (HIDDEN, "not seen"),
    }
    states = {mark.state for mark in marks}
    entries += [
        Entry(Swatch.AREA, colour, text)
        for state, (colour, text) in told.items()
        if state in states
    ]
    if any(mark.label for mark in marks):
        entries.append(
            Entry(Swatch.RING, BLUE, "dots: level 1, 2, …, R rooftop, C cellar, B bridge")
        )
    return entries
