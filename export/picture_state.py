"""What a scenario has put on a map, drawn on it: units, smoke, wrecks, rubble and what is broken.

Takes plain data, as `hexsight.export.picture_los` does.  A side has a shape as well as a colour,
and whatever covers a hex a pattern as well as a tint, so that nothing hangs on telling colours
apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hexsight.export.canvas import BLACK, WHITE, Canvas, Colour
from hexsight.export.legend import Entry, Swatch, counter_outline
from hexsight.export.picture import BLUE, ORANGE, PURPLE, SKY, VERMILION, YELLOW
from hexsight.model.board import Board, HexFacts, parse_hexside, vertex_name
from hexsight.model.layout import CORNERS, neighbour, to_lattice

SIDES: tuple[Colour, ...] = (SKY, ORANGE, PURPLE, BLUE)
GREY: Colour = (90, 90, 96)
BROWN: Colour = (120, 84, 50)
_HALF = 0.29  # of a counter's edge, as a share of a hex's height
# Places of puffs and stones about the middle of a hex, as shares of its height.
_PUFFS = ((0.0, 0.0), (-0.3, 0.06), (0.3, 0.04), (-0.14, -0.25), (0.17, -0.24), (0.02, 0.28))
_STONES = ((-0.28, 0.1), (-0.1, 0.28), (0.16, 0.24), (0.3, 0.0), (0.13, -0.24), (-0.18, -0.2))
Point = NDArray[np.float64]


@dataclass(frozen=True)
class UnitMark:
    """A unit.

    Attributes
    ----------
    hexes : tuple of str
        One hex, or both of a double-size unit.
    kind : str
    letters : str
        Written on it: short for its kind.
    side : str or None
    facing : str or None
        Adjacent hex, vertex, or a direction ``0``–``5``.
    """

    hexes: tuple[str, ...]
    kind: str
    letters: str
    side: str | None = None
    facing: str | None = None


@dataclass(frozen=True)
class StateDrawing:
    """What is to be drawn of a scenario; names of hexes, and of hexsides in `breached`.

    Attributes
    ----------
    units : tuple of UnitMark
    smoke, blazes, wrecks, vehicles, rubble, gutted, collapsed, breached : tuple of str
    sides : tuple of str
        All sides of the scenario, in the order of their colours.
    """

    units: tuple[UnitMark, ...] = ()
    smoke: tuple[str, ...] = ()
    blazes: tuple[str, ...] = ()
    wrecks: tuple[str, ...] = ()
    vehicles: tuple[str, ...] = ()
    rubble: tuple[str, ...] = ()
    gutted: tuple[str, ...] = ()
    collapsed: tuple[str, ...] = ()
    breached: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()


def short_names(kinds: Iterable[str]) -> dict[str, str]:
    """One to four letters for each kind of unit, no two alike."""
    out: dict[str, str] = {}
    for kind in sorted(set(kinds)):
        words = kind.split("-")
        whole = "".join(words).upper()
        initials = "".join(word[0] for word in words).upper()
        tries = [initials[:3], *(whole[:n] for n in range(2, 5))]
        tries += [f"{initials[:2]}{n}" for n in range(2, 1000)]
        out[kind] = next(t for t in tries if t not in out.values())
    return out


def draw_state(
    canvas: Canvas, board: Board, state: StateDrawing, shift: ArrayLike = (0, 0)
) -> None:
    """Draw a scenario's state, without the letters of its units.

    Parameters
    ----------
    canvas : Canvas
    board : Board
    state : StateDrawing
    shift : (x, y)
        Board pixel at the canvas's corner.
    """
    painter = _Painter(canvas, board, np.asarray(shift, np.float64))
    painter.ruins(state)
    painter.clouds(state.smoke, state.blazes)
    for names, wreck in ((state.vehicles, False), (state.wrecks, True)):
        for name in dict.fromkeys(names):
            painter.vehicle(board.hex(name), wreck=wreck)
    for unit in state.units:
        painter.counter(unit, state.sides)


def with_state(rgb: NDArray[np.uint8], board: Board, state: StateDrawing) -> NDArray[np.uint8]:
    """The map's picture (H, W, 3) with a scenario's state drawn on it, for other layers above."""
    canvas = Canvas(rgb)
    draw_state(canvas, board, state)
    write_letters(canvas, board, state, (0, 0))
    return canvas.image


def shown_in(state: StateDrawing, board: Board, low: ArrayLike, high: ArrayLike) -> StateDrawing:
    """What of a scenario's state lies in a part of the picture, from corner to corner."""

    def inside(*names: str) -> bool:
        places = [(board.hex(n).x_px, board.hex(n).y_px) for n in names]
        return any(
            bool(np.all(p >= np.asarray(low)) and np.all(p < np.asarray(high))) for p in places
        )

    def some(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in names if inside(name))

    return replace(
        state,
        units=tuple(unit for unit in state.units if inside(*unit.hexes)),
        smoke=some(state.smoke),
        blazes=some(state.blazes),
        wrecks=some(state.wrecks),
        vehicles=some(state.vehicles),
        rubble=some(state.rubble),
        gutted=some(state.gutted),
        collapsed=some(state.collapsed),
    )


def _side(board: Board, name: str) -> NDArray[np.float64]:
    """Both ends of a hexside, written either way."""
    cell, _, direction = parse_hexside(name, {h.name: (h.col, h.row) for h in board.hexes})
    return board.layout.side(*cell, direction)


def write_letters(
    canvas: Canvas, board: Board, state: StateDrawing, shift: ArrayLike, ends: Iterable[str] = ()
) -> None:
    """Write on the units what they are, above whatever has been drawn since.

    In the hexes `ends` the lower half is taken by the hex's name, elsewhere the upper half by
    what a mark says.
    """
    unit_px, taken = max(8.0, board.layout.dy * canvas.scale), set(ends)
    for unit in state.units:
        cells = [board.hex(name) for name in unit.hexes]
        x, y = np.mean([(c.x_px, c.y_px) for c in cells], axis=0) - shift
        if len(cells) == 1:
            y += board.layout.dy * (-0.2 if cells[0].name in taken else 0.19)
        canvas.text(x, y, unit.letters, 0.21 * unit_px)


def state_legend(state: StateDrawing) -> list[Entry]:
    """What the signs mean that are drawn."""
    entries = [
        Entry(Swatch.COUNTER, SIDES[k % len(SIDES)], side, shape=k)
        for k, side in enumerate(state.sides)
        if any(unit.side == side for unit in state.units)
    ]
    if any(unit.side is None for unit in state.units):
        entries.append(Entry(Swatch.COUNTER, WHITE, "no side"))
    kinds = sorted({(unit.letters, unit.kind) for unit in state.units})
    entries += [Entry(Swatch.LETTERS, BLACK, kind, sign=letters) for letters, kind in kinds]
    told: tuple[tuple[tuple[str, ...], Swatch, Colour, str], ...] = (
        (state.smoke, Swatch.PUFFS, WHITE, "smoke"),
        (state.blazes, Swatch.TRIANGLE, VERMILION, "blaze"),
        (state.wrecks, Swatch.CROSSED, GREY, "wreck"),
        (state.vehicles, Swatch.OUTLINE, GREY, "vehicle"),
        (state.rubble, Swatch.DOTS, BROWN, "rubble"),
        (state.gutted, Swatch.HATCH, BLACK, "gutted"),
        (state.collapsed, Swatch.HATCH, PURPLE, "roof fallen in"),
        (state.breached, Swatch.CASED, YELLOW, "breach"),
    )
    return entries + [Entry(swatch, ink, text) for names, swatch, ink, text in told if names]


class _Painter:
    """Draws signs in board pixels on a part of the picture."""

    def __init__(self, canvas: Canvas, board: Board, shift: Point) -> None:
        self.canvas, self.board, self.shift = canvas, board, shift
        self.dy = board.layout.dy
        self.unit = max(8.0, self.dy * canvas.scale)

    def _at(self, facts: HexFacts) -> Point:
        return np.array([facts.x_px, facts.y_px]) - self.shift

    def _hexes(self, names: Iterable[str]) -> list[list[Point]]:
        cells = [self.board.hex(name) for name in dict.fromkeys(names)]
        return [[self.board.layout.corners(c.col, c.row) - self.shift] for c in cells]

    def _spots(self, names: Iterable[str], places: Iterable[tuple[float, float]]) -> list[Point]:
        spots = list(places)
        cells = [self.board.hex(name) for name in dict.fromkeys(names)]
        return [self._at(c) + np.array(p) * self.dy for c in cells for p in spots]

    def ruins(self, state: StateDrawing) -> None:
        """Rubble, gutted and roofless hexes, breaches."""
        canvas, thin = self.canvas, max(1.0, 0.02 * self.unit)
        for names, ink in ((state.gutted, BLACK), (state.collapsed, PURPLE)):
            shapes = self._hexes(names)
            canvas.hatch(shapes, ink, 0.14 * self.unit, 0.03 * self.unit)
            canvas.lines([s[0] for s in shapes], ink, 2 * thin, closed=True, casing=WHITE)
        stone = np.array([(-1, -0.4), (-0.2, -1), (1, -0.5), (0.7, 0.8), (-0.6, 0.9)])
        stones = [stone * 0.075 * self.dy + p for p in self._spots(state.rubble, _STONES)]
        canvas.shapes(stones, BROWN, WHITE, thin)
        lines = []
        for name in state.breached:
            one, two = _side(self.board, name) - self.shift
            lines.append(np.array([one + 0.3 * (two - one), one + 0.7 * (two - one)]))
        canvas.lines(lines, YELLOW, 0.12 * self.unit, casing=BLACK)

    def clouds(self, smoke: tuple[str, ...], blazes: tuple[str, ...]) -> None:
        """A veil with puffs in it; a flame below where it burns."""
        canvas = self.canvas
        canvas.blend(canvas.area(self._hexes((*smoke, *blazes))), WHITE, 0.45)
        puffs = [
            canvas.disc(x, y, 0.17 * self.unit) for x, y in self._spots((*smoke, *blazes), _PUFFS)
        ]
        canvas.lines(puffs, GREY, max(1.0, 0.025 * self.unit), closed=True, alpha=0.8)
        flame = np.array([(0, -1), (0.45, -0.2), (0.6, 0.45), (0, 1), (-0.6, 0.45), (-0.35, -0.1)])
        flames = [flame * 0.22 * self.dy + p for p in self._spots(blazes, [(0.0, 0.0)])]
        canvas.shapes(flames, VERMILION, BLACK, 0.03 * self.unit)

    def vehicle(self, facts: HexFacts, *, wreck: bool) -> None:
        """A hull seen from above, crossed out where it is a wreck."""
        canvas, at, size = self.canvas, self._at(facts), 0.17 * self.dy
        hull = np.array([(-1.3, -0.8), (1.3, -0.8), (1.3, 0.8), (-1.3, 0.8)]) * size + at
        canvas.shapes([hull], GREY, WHITE, 0.03 * self.unit)
        gun = np.array([(0, 0), (1.9, 0)]) * size + at
        canvas.lines([gun], BLACK, 0.05 * self.unit, casing=WHITE)
        canvas.shapes([canvas.disc(at[0], at[1], 0.09 * self.unit)], GREY, WHITE, 0.02 * self.unit)
        if wreck:
            cross = [np.array([(-1.5, k), (1.5, -k)]) * size + at for k in (-1.2, 1.2)]
            canvas.lines(cross, BLACK, 0.05 * self.unit, casing=WHITE)

    def counter(self, unit: UnitMark, sides: tuple[str, ...]) -> None:
        """A counter, turned to its front; over two hexes where it takes two."""
        cells = [self.board.hex(name) for name in unit.hexes]
        places = np.array([self._at(c) for c in cells])
        middle, half = places.mean(axis=0), np.array([_HALF, _HALF]) * self.dy
        ahead = self._ahead(unit.facing, cells)
        right = np.array([1.0, 0.0])
        if len(cells) == 2:
            gap = places[1] - places[0]
            half[0] += float(np.hypot(*gap)) / 2
            right = gap / np.hypot(*gap)
            normal = np.array([right[1], -right[0]])
            front = normal if ahead is None or ahead @ normal >= 0 else -normal
        else:
            front = np.array([0.0, -1.0]) if ahead is None else ahead
            right = np.array([-front[1], front[0]])
        k = -1 if unit.side is None else sides.index(unit.side)
        colour = WHITE if k < 0 else SIDES[k % len(SIDES)]
        # Drawn out in the middle, so that corners stay as they are on a counter on one hex.
        outline = counter_outline(k) * half[1]
        outline[:, 0] += np.sign(outline[:, 0]) * (half[0] - half[1])
        canvas, turn = self.canvas, np.array([right, -front])
        canvas.shapes([outline @ turn + middle], colour, BLACK, 0.03 * self.unit)
        if ahead is not None:
            head = np.array([(-0.17, -0.9 * _HALF), (0.0, -_HALF - 0.14), (0.17, -0.9 * _HALF)])
            canvas.shapes([head * self.dy @ turn + middle], BLACK, WHITE, 1.0)

    def _ahead(self, facing: str | None, cells: list[HexFacts]) -> Point | None:
        """Unit vector towards what a unit faces; None where that is not known."""
        if facing is None:
            return None
        middle = np.mean([(c.x_px, c.y_px) for c in cells], axis=0)
        wanted = facing.strip().upper()
        names = {(h.col, h.row): h.name for h in self.board.hexes}
        layout, to = self.board.layout, None
        if wanted in {"0", "1", "2", "3", "4", "5"}:
            there = neighbour(cells[0].col, cells[0].row, int(wanted))
            to = np.array(layout.centre(*there)) - (cells[0].x_px, cells[0].y_px) + middle
        else:
            for cell in cells:
                X, Y = to_lattice(cell.col, cell.row)
                for dX, dY in CORNERS:
                    if vertex_name(names, X + dX, Y + dY).upper() == wanted:
                        to = layout.lattice_to_pixel((X + dX, Y + dY))
            other = self.board.by_name.get(facing) or self.board.by_name.get(wanted)
            if to is None and other is not None:
                to = np.array([other.x_px, other.y_px])
        if to is None:
            return None
        way = np.asarray(to, np.float64) - middle
        length = float(np.hypot(*way))
        return way / length if length > 0 else None
