"""The map with what was detected drawn over it.

Meant for the eye of the person who has to find what detection got wrong, so
each kind of thing has its own shape as well as its own colour.  The colours are
those of Okabe and Ito [1]_, which people with any colour blindness tell apart.

.. [1] M. Okabe, K. Ito, "Color Universal Design", 2008.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hexsight.export.canvas import BLACK, WHITE, Canvas, Colour
from hexsight.export.differences import Verdict, differences, pixel_verdicts
from hexsight.export.legend import Entry, Swatch, with_legend
from hexsight.export.lettering import half_levels
from hexsight.model.board import (
    Board,
    Building,
    HexsideFacts,
    RoadEntry,
    side_vertices,
    vertex_name,
)
from hexsight.model.errors import InputError, UsageError
from hexsight.model.terrain import HEXSIDE_KINDS

ORANGE: Colour = (230, 159, 0)
SKY: Colour = (86, 180, 233)
GREEN: Colour = (0, 158, 115)
YELLOW: Colour = (240, 228, 66)
BLUE: Colour = (0, 100, 190)
VERMILION: Colour = (213, 94, 0)
PURPLE: Colour = (204, 121, 167)
MAGENTA: Colour = (255, 0, 144)
MISSED: Colour = (225, 0, 30)
FALSE: Colour = (0, 70, 255)
CONFUSED: Colour = (170, 0, 200)
CYAN: Colour = (0, 190, 255)

LAYERS = (
    "terrain",
    "truth",
    "grid",
    "buildings",
    "roofless",
    "hexsides",
    "bars",
    "roads",
    "openings",
    "stairwells",
    "heights",
    "names",
    "differences",
    "doubts",
    "legend",
)
"""All layers, from the lowest to the highest."""

DEFAULT_LAYERS = frozenset(LAYERS) - {"terrain", "truth", "names"}
TRUTH_LAYERS = frozenset({"truth", "differences", "legend"})
"""What shows truth against found, the map otherwise bare."""

# Tints of the layer "terrain"; kinds that other layers show have none.
_TERRAIN: dict[str, Colour] = {
    "woods": (0, 120, 60),
    "orchard": (150, 190, 0),
    "growth": YELLOW,
    "rubble": VERMILION,
    "rough": ORANGE,
    "water": BLUE,
    "depression": CYAN,
    "road": PURPLE,
    "bridge": MAGENTA,
    "entrenchment": (120, 70, 20),
    "other": (120, 120, 120),
    "unknown": BLACK,
}
# By material, or by kind where that is not just "building".
_BUILDINGS: dict[str, tuple[str, Colour]] = {
    "stone": ("stone building", SKY),
    "wood": ("wooden building", ORANGE),
    "market": ("market place", PURPLE),
    "factory": ("Factory", BLUE),
}
# Walls, hedges and cliffs, by the order of their codes on this board.
_HEXSIDE_COLOURS: tuple[Colour, ...] = (YELLOW, (120, 220, 90), (150, 90, 40), CYAN, PURPLE, WHITE)


def render_overlay(
    rgb: NDArray[np.uint8],
    board: Board,
    *,
    layers: set[str] | None = None,
    scale: float = 1.0,
    truth: Board | None = None,
    left_out: NDArray[np.bool_] | None = None,
) -> NDArray[np.uint8]:
    """Draw what was detected over the map.

    Parameters
    ----------
    rgb : (H, W, 3) uint8
        The map's picture, of the size of the board.
    board : Board
    layers : set of str, optional
        Some of `LAYERS`; by default all but ``"terrain"`` (tints by terrain
        kind), ``"truth"`` and ``"names"`` (hex names).
    scale : float
        Size of the drawing to the picture's.
    truth : Board, optional
        What is really there; where `board` says something else, the layer
        ``"truth"`` tints what was missed red and what was found falsely blue,
        pixel by pixel and bar by bar, and the layer ``"differences"`` writes
        it, ``+`` for too much, ``-`` for missing.
    left_out : (H, W) bool, optional
        Pixels that the layer ``"truth"`` says nothing of: grid lines and names.

    Returns
    -------
    (H', W', 3) uint8
        The drawing.  The map lies at its top left corner; the legend, if
        any, below.

    Raises
    ------
    UsageError
        If a layer has no such name or the drawing would be too large.
    InputError
        If picture and board, or board and truth, differ in size.
    """
    wanted = set(DEFAULT_LAYERS) if layers is None else set(layers)
    unknown = sorted(wanted - set(LAYERS))
    if unknown:
        raise UsageError(f"There is no layer {unknown[0]!r}. Layers are {', '.join(LAYERS)}.")
    check_picture(rgb, board)
    if truth is not None and truth.size_px != board.size_px:
        raise InputError(
            f"Cannot compare {board.name} ({board.size_px[0]} × {board.size_px[1]} px) with "
            f"{truth.name} ({truth.size_px[0]} × {truth.size_px[1]} px): they are of two pictures."
        )
    painter = _Painter(board, Canvas(rgb, scale), truth, left_out)
    for layer in LAYERS:
        if layer in wanted and layer != "legend":
            painter.paint(layer)
    if "legend" in wanted:
        return with_legend(painter.canvas.image, board.name, painter.legend, painter.hex_px)
    return painter.canvas.image


def check_picture(rgb: NDArray[np.uint8], board: Board) -> None:
    """Refuse a picture that is not the board's.

    Raises
    ------
    InputError
        If it has another size or is no RGB picture.
    """
    width, height = board.size_px
    if rgb.shape != (height, width, 3) or rgb.dtype != np.uint8:
        raise InputError(
            f"Cannot draw on the picture of {board.name}: it is "
            f"{rgb.shape[1] if rgb.ndim > 1 else '?'} × {rgb.shape[0]} px and the board "
            f"{width} × {height}. Build the board again from this picture."
        )


class _Painter:
    """Draws one layer after another; collects the legend on the way."""

    def __init__(
        self,
        board: Board,
        canvas: Canvas,
        truth: Board | None,
        left_out: NDArray[np.bool_] | None,
    ) -> None:
        self.board = board
        self.canvas = canvas
        self.truth = truth
        self.left_out = left_out
        self.legend: list[Entry] = []
        # Height of a hex in the drawing: every width and size is a share of it.
        self.hex_px = max(8.0, board.layout.dy * canvas.scale)

    def paint(self, layer: str) -> None:
        """Draw a layer."""
        method: Callable[[], None] = getattr(self, f"_{layer}")
        method()

    def _width(self, share: float) -> float:
        return max(1.0, share * self.hex_px)

    def _note(self, swatch: Swatch, colour: Colour, text: str, count: int | None = None) -> None:
        if count != 0:
            self.legend.append(Entry(swatch, colour, f"{text} ({count})" if count else text))

    def _truth(self) -> None:
        if self.truth is None:
            return
        seen = pixel_verdicts(self.board, self.truth)
        if self.left_out is not None:
            seen[self.left_out] = Verdict.AGREED
        large = self.canvas.enlarged(seen)
        for verdict, colour, text in (
            (Verdict.MISSED, MISSED, "missed"),
            (Verdict.FALSE, FALSE, "found falsely"),
            (Verdict.CONFUSED, CONFUSED, "taken for other terrain"),
        ):
            mask = np.where(large == verdict, 255, 0).astype(np.uint8)
            self.canvas.blend(mask, colour, 0.75)
            self._note(Swatch.AREA, colour, text, int(np.count_nonzero(seen == verdict)))
        for texts, colour in (("-bar", MISSED), ("+bar", FALSE)):
            sides = [d for d in differences(self.board, self.truth) if d.text == texts]
            ends = [self._ends(self.board.side_by_name[d.where]) for d in sides]
            self.canvas.lines(ends, colour, self._width(0.09), casing=WHITE)

    def _terrain(self) -> None:
        board, canvas = self.board, self.canvas
        kinds = np.array([board.catalogue[code].kind for code in range(256)])
        labels = canvas.enlarged(board.terrain)
        present = set(kinds[np.flatnonzero(np.bincount(labels.ravel(), minlength=256))].tolist())
        for kind, colour in _TERRAIN.items():
            if kind in present:
                mask = np.where(kinds == kind, 255, 0).astype(np.uint8)[labels]
                canvas.blend(mask, colour, 0.4)
                self._note(Swatch.AREA, colour, kind)

    def _grid(self) -> None:
        layout = self.board.layout
        outlines = [layout.corners(h.col, h.row) for h in self.board.hexes]
        self.canvas.lines(outlines, CYAN, self._width(0.012), alpha=0.55, closed=True)
        dots = [self.canvas.disc(h.x_px, h.y_px, self._width(0.02)) for h in self.board.hexes]
        self.canvas.blend(self.canvas.area([d] for d in dots), CYAN, 0.7)
        self._note(Swatch.LINE, CYAN, "grid", len(self.board.hexes))

    def _buildings(self) -> None:
        for style, (text, colour) in _BUILDINGS.items():
            found = [b for b in self.board.buildings if _style(b) == style]
            shapes = [_arrays(b.rings) for b in found]
            self.canvas.blend(self.canvas.area(shapes), colour, 0.22)
            rings = [ring for rings in shapes for ring in rings]
            self.canvas.lines(
                rings, colour, self._width(0.035), closed=True, casing=WHITE, alpha=0.95
            )
            self._note(Swatch.OUTLINE, colour, text, len(found))

    def _roofless(self) -> None:
        shapes = [_arrays(r.rings) for r in self.board.roofless]
        self.canvas.hatch(shapes, GREEN, self._width(0.14), self._width(0.03))
        rings = [ring for rings in shapes for ring in rings]
        self.canvas.lines(rings, GREEN, self._width(0.035), closed=True, casing=WHITE)
        count = sum(h.roofless for h in self.board.hexes)
        self._note(Swatch.HATCH, GREEN, "roofless hexes", count)

    def _ends(self, side: HexsideFacts) -> NDArray[np.float64]:
        a = self.board.by_name[side.a]
        return self.board.layout.side(a.col, a.row, side.direction)

    def _hexsides(self) -> None:
        catalogue = self.board.catalogue
        codes = sorted({s.terrain for s in self.board.hexsides if s.terrain})
        for i, code in enumerate(codes):
            colour = _HEXSIDE_COLOURS[i % len(_HEXSIDE_COLOURS)]
            sides = [self._ends(s) for s in self.board.hexsides if s.terrain == code]
            self.canvas.lines(sides, colour, self._width(0.05), casing=BLACK)
            if catalogue[code].kind in HEXSIDE_KINDS:
                self._note(Swatch.CASED, colour, catalogue[code].name.lower(), len(sides))

    def _bars(self) -> None:
        names = {(h.col, h.row): h.name for h in self.board.hexes}
        lines, dots = [], []
        for side in self.board.hexsides:
            if not side.bar:
                continue
            ends = self._ends(side)
            lines += [ends[0] + np.outer(span, ends[1] - ends[0]) for span in side.bar]
            a = self.board.by_name[side.a]
            for vertex, place in zip(
                side_vertices((a.col, a.row), side.direction), ends, strict=True
            ):
                if vertex_name(names, *vertex) in side.vertices:
                    x, y = place.tolist()
                    dots.append(self.canvas.disc(x, y, self._width(0.09)))
        self.canvas.lines(lines, MAGENTA, self._width(0.07), casing=WHITE)
        self.canvas.shapes(dots, MAGENTA, WHITE, 1.0)
        bars = sum(bool(s.bar) for s in self.board.hexsides)
        self._note(Swatch.DOTTED, MAGENTA, "bar on hexside, dot: vertex reached", bars)

    def _roads(self) -> None:
        arrows = [
            self._arrow(building, entry)
            for building in self.board.buildings
            for entry in building.entries
        ]
        self.canvas.shapes(arrows, VERMILION, WHITE, self._width(0.02))
        self._note(Swatch.ARROW, VERMILION, "road enters", len(arrows))

    def _arrow(self, building: Building, entry: RoadEntry) -> NDArray[np.float64]:
        """Arrow that points into the building with its tip just inside."""
        hex_px = self.board.layout.dy
        turn = np.arange(32) * (2 * np.pi / 32)
        around = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        points = around * (0.12 * hex_px) + (entry.x_px, entry.y_px)
        inward = around[_inside(points, building)].sum(axis=0)
        if np.hypot(*inward) < 1e-6:
            inward = np.array(building.polygon.centroid.coords[0]) - (entry.x_px, entry.y_px)
        ahead = inward / max(1e-9, float(np.hypot(*inward)))
        across = np.array([-ahead[1], ahead[0]])
        shape = np.array(
            [(0.1, 0), (-0.08, 0.11), (-0.05, 0.035), (-0.22, 0.035)]
            + [(-0.22, -0.035), (-0.05, -0.035), (-0.08, -0.11)]
        )
        turned = shape[:, :1] * ahead + shape[:, 1:] * across
        return np.asarray(turned * hex_px + (entry.x_px, entry.y_px), np.float64)

    def _openings(self) -> None:
        lines = [np.array(o.ends_px) for o in self.board.openings]
        self.canvas.lines(lines, YELLOW, self._width(0.09), casing=BLACK)
        self._note(Swatch.CASED, YELLOW, "opening", len(lines))

    def _stairwells(self) -> None:
        rings = [
            self.canvas.disc(
                m.x_px, m.y_px, max(self._width(0.15), 0.85 * m.size_px * self.canvas.scale)
            )
            for m in self.board.stairwells
        ]
        self.canvas.lines(rings, BLACK, self._width(0.035), closed=True, casing=WHITE)
        self._note(Swatch.RING, BLACK, "stairwell", len(rings))

    def _heights(self) -> None:
        hex_px = self.board.layout.dy
        marks = np.array([(m.x_px, m.y_px) for m in self.board.stairwells]).reshape(-1, 2)
        for building in self.board.buildings:
            small = building.polygon.area < 0.3 * hex_px**2
            size = self._width(0.22 if small else 0.3)
            x, y = _label_place(building, marks, hex_px)
            self.canvas.text(x, y, half_levels(building.height_half), size)
        if self.board.buildings:
            self._note(Swatch.TEXT, BLACK, "height in levels")

    def _names(self) -> None:
        row = np.array(self.board.layout.row_px) * 0.36
        if self.board.layout.sideways:
            row = np.array(self.board.layout.col_px) * 0.4
        for h in self.board.hexes:
            self.canvas.text(h.x_px + row[0], h.y_px + row[1], h.name, self._width(0.17), BLUE)

    def _differences(self) -> None:
        if self.truth is None:
            return
        found = differences(self.board, self.truth)
        for d in found:
            self.canvas.text(d.x_px, d.y_px, d.text, self._width(0.2), BLACK, YELLOW)
        self._note(Swatch.TEXT, YELLOW, "differs from truth: + too much, - missing", len(found))

    def _doubts(self) -> None:
        shape = np.array([(0.0, -0.2), (0.19, 0.13), (-0.19, 0.13)]) * self.hex_px
        marks = [shape / self.canvas.scale + (d.x_px, d.y_px) for d in self.board.doubts]
        self.canvas.shapes(marks, YELLOW, BLACK, self._width(0.035))
        for d in self.board.doubts:
            self.canvas.text(
                d.x_px, d.y_px + 0.035 * self.board.layout.dy, "?", self._width(0.22), halo=None
            )
        self._note(Swatch.TRIANGLE, YELLOW, "doubtful, please look", len(marks))


def _style(building: Building) -> str:
    return building.material if building.kind == "building" else building.kind


def _arrays(rings: Sequence[ArrayLike]) -> list[NDArray[np.float64]]:
    return [np.asarray(ring, np.float64) for ring in rings]


def _label_place(
    building: Building, marks: NDArray[np.float64], hex_px: float
) -> tuple[float, float]:
    """Place inside a building for its label, off the stairwells if there is room."""
    middle = building.polygon.representative_point()
    steps = np.array([(0, 0), (0, 0.34), (0, -0.34), (0.4, 0), (-0.4, 0), (0, 0.6), (0, -0.6)])
    places = steps * hex_px + (middle.x, middle.y)
    free = _inside(places, building)
    if len(marks):
        gap = np.hypot(*(places[:, None] - marks[None]).transpose(2, 0, 1)).min(axis=1)
        free &= gap > 0.3 * hex_px
    x, y = places[int(free.argmax())]
    return float(x), float(y)


def _inside(points: NDArray[np.float64], building: Building) -> NDArray[np.bool_]:
    """Which points lie in a building (even-odd over all its rings)."""
    hit = np.zeros(len(points), bool)
    for ring in building.rings:
        a = np.asarray(ring, np.float64)
        b = np.roll(a, -1, axis=0)
        y, x = points[:, None, 1], points[:, None, 0]
        across = (a[:, 1] > y) != (b[:, 1] > y)
        rise = np.where(a[:, 1] == b[:, 1], 1.0, b[:, 1] - a[:, 1])
        cut = a[:, 0] + (y - a[:, 1]) * (b[:, 0] - a[:, 0]) / rise
        hit ^= (across & (x < cut)).sum(axis=1) % 2 == 1
    return hit
