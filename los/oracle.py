"""A slow second opinion on lines of sight, for tests only.

What is compared
----------------
The oracle takes from a compiled board what each pixel *is* (its terrain, its
ground, its hexside) and asks the same rule functions of `hexsight.los.rules`.
All geometry is its own and shares nothing with the kernel: every pixel is a
unit square, cut with the line in exact fractions; every hex is a polygon, cut
with shapely; vertices and hexsides on the line are sought among all of the
board; distances come from offsets.  It knows no traces, no runs left out, no
early ends and no remembered blockers, and looks at every pixel of the line
for every pair.

It covers obstacles, hindrances, half-level terrain, inherent terrain, hills
and Crest Lines, walls, hedges and bocage, buildings with levels and rooftops,
and bars of rowhouses; not Factories, depressions, cliffs, bridges and cellars.
"""

from __future__ import annotations

from fractions import Fraction

from hexsight.los.oracle_lines import BoardLines, Crossed, Run
from hexsight.los.rules.buildings import leaves
from hexsight.los.rules.heights import crest, obstacle
from hexsight.los.rules.hexsides import (
    ALONG,
    FULL_LEVEL,
    TOUCHES,
    bar,
    hedgerow,
    meets,
    wall,
)
from hexsight.los.rules.registry import CLEAR, GROUND_ADVANTAGE
from hexsight.los.tables import (
    BAR,
    C_AMOUNT,
    C_BELOW,
    C_CLASS,
    C_GROUND,
    C_HEX,
    C_INSIDE,
    C_SIDE,
    C_TOP,
    H_INHERENT,
    H_SIDE,
    H_VERTEX,
    HINDRANCE,
    L_HALF,
    L_SIGHT,
    NO_HEIGHT,
    NONE,
    OBSTACLE,
    S_WALL,
    WALL,
)
from hexsight.model.board import side_vertices
from hexsight.model.layout import CORNERS, DIRECTIONS, to_lattice

# Terrain lower than this over its ground makes no Blind Hexes of its own (half-levels).
FULL = 2


class Oracle(BoardLines):
    """Answers for pairs of Locations of a compiled board."""

    def answer(self, i: int, j: int) -> tuple[bool, int]:
        """Whether two Locations of different hexes are blocked, and the Hindrance."""
        pair = _Pair(self, i, j)
        if pair.blocked():
            return True, 0
        total = sum(pair.hindrance.values())
        return total >= int(self.tables.numbers[0]), total


class _Pair:
    """One pair of Locations."""

    def __init__(self, oracle: BoardLines, i: int, j: int) -> None:
        T = oracle.tables
        self.o, self.T = oracle, T
        self.a, self.b = (oracle.compiled.locations[k].hex for k in (i, j))
        si, sj = int(T.locations[i, L_SIGHT]), int(T.locations[j, L_SIGHT])
        self.own = int(T.locations[i, L_HALF]), int(T.locations[j, L_HALF])
        self.hi_end, self.lo_end = (self.a, self.b) if si >= sj else (self.b, self.a)
        self.hi, self.lo = max(si, sj), min(si, sj)
        self.exact = bool((si | sj) & 1)
        self.reach = oracle.span(self.a, self.b)
        self.runs = oracle.runs(self.a, self.b)
        self.crossed = oracle.crossed(self.a, self.b)
        self.per = int(T.numbers[1])
        self.hindrance: dict[int, int] = {}

    def fact(self, cell: int, column: int) -> int:
        return int(self.T.cells[cell, column])

    def blocked(self) -> bool:
        """Whether anything blocks; fills `hindrance` on the way."""
        found = [self.stays_inside(self.runs, self.a, self.own[0], self.own[1])]
        found += [self.stays_inside(self.runs[::-1], self.b, self.own[1], self.own[0])]
        found += [self.at_vertex(*v) for v in self.o.between(self.a, self.b)]
        found += [self.wall_at_vertex(*v) for v in self.o.between(self.a, self.b)]
        found += [self.along_bar(c) for c in self.crossed]
        found += [self.inherent(c) for c in self.crossed]
        found += [self.at_run(run) for run in self.runs]
        return any(code != CLEAR for code in found)

    def stays_inside(self, runs: list[Run], home: int, own: int, other: int) -> int:
        """A6.8 from the end where `runs` begins."""
        for run in runs:
            if not self.fact(run.cell, C_INSIDE):
                return CLEAR
            h = self.fact(run.cell, C_HEX)
            if h in (home, -1):
                continue
            if self.fact(run.cell, C_CLASS) == BAR:
                return CLEAR
            return int(leaves(own, other, self.fact(run.cell, C_TOP)))
        return CLEAR

    def side_bar(self, crossed: Crossed) -> int | None:
        """Top of the bar along which the line runs in a hex, if another hex lies behind."""
        if crossed.along is None:
            return None
        col, row = self.o.offsets[crossed.hex]
        X, Y = to_lattice(col, row)
        dX, dY = DIRECTIONS[crossed.along]
        if not any(to_lattice(*self.o.offsets[c.hex]) == (X + dX, Y + dY) for c in self.crossed):
            return None
        top = int(self.T.hexes[crossed.hex, H_SIDE + crossed.along])
        return None if top == NO_HEIGHT else top

    def at_vertex(self, x: int, y: int) -> int:
        """A vertex that a bar may reach (O5.31)."""
        around = []
        for c in self.crossed:
            X, Y = to_lattice(*self.o.offsets[c.hex])
            if (x - X, y - Y) in CORNERS:
                around.append((c, CORNERS.index((x - X, y - Y))))
        top = max((int(self.T.hexes[c.hex, H_VERTEX + k]) for c, k in around), default=NO_HEIGHT)
        watching = any(self.side_bar(c) is not None for c, _ in around)
        if top == NO_HEIGHT or (watching and self.hi >= top):
            return CLEAR
        near = min(self.o.span(self.lo_end, c.hex) + 1 for c, _ in around)
        far = min(self.o.span(self.hi_end, c.hex) for c, _ in around)
        return int(bar(top, TOUCHES, self.hi, self.lo, far, near, self.per))

    def wall_at_vertex(self, x: int, y: int) -> int:
        """Walls that end at a vertex on the line (B9.1), whether drawn so far or not."""
        (ax, ay), (bx, by) = (to_lattice(*self.o.offsets[k]) for k in (self.a, self.b))
        board = self.o.compiled.board
        for k, side in enumerate(board.hexsides):
            if not self.T.sides[k, S_WALL]:
                continue
            hexes = [board.by_name[n] for n in (side.a, side.b)]
            vertices = list(side_vertices((hexes[0].col, hexes[0].row), side.direction))
            (px, py), (qx, qy) = vertices
            if (x, y) not in vertices or meets(ax, ay, bx - ax, by - ay, px, py, qx, qy) != TOUCHES:
                continue
            near = any(self.adjoins(vertices, end) for end in (self.a, self.b))
            near = near or any(self.forks_off(vertices, end) for end in (self.a, self.b))
            if wall(max(h.base_half for h in hexes) + 1, self.hi, near):
                return int(wall(max(h.base_half for h in hexes) + 1, self.hi, near))
        return CLEAR

    def along_bar(self, crossed: Crossed) -> int:
        """A bar along which the line runs (O5.31)."""
        top = self.side_bar(crossed)
        if top is None:
            return CLEAR
        return int(bar(top, ALONG, self.hi, self.lo, 0, 0, self.per))

    def inherent(self, crossed: Crossed) -> int:
        """Inherent terrain of a hex along whose side the line runs (B.6)."""
        cell = int(self.T.hexes[crossed.hex, H_INHERENT])
        if crossed.along is None or cell < 0:
            return CLEAR
        what = self.fact(cell, C_CLASS)
        if any(
            self.fact(r.cell, C_HEX) == crossed.hex and self.fact(r.cell, C_CLASS) == what
            for r in self.runs
        ):
            return CLEAR  # its pixels are asked one by one
        if self.hi != self.lo and self.fact(cell, C_TOP) - self.fact(cell, C_GROUND) < FULL:
            return CLEAR
        return self.terrain(cell, crossed.hex)

    def at_run(self, run: Run) -> int:
        """What the pixels of a cell do."""
        h, what = self.fact(run.cell, C_HEX), self.fact(run.cell, C_CLASS)
        if h < 0:
            return CLEAR
        code = CLEAR
        if what == BAR:
            code = self.bar_pixels(run.cell)
        elif what == WALL:
            code = self.wall_pixels(run.cell)
        between = self.o.span(self.a, h) < self.reach and self.o.span(h, self.b) < self.reach
        if code or h in (self.a, self.b) or not between:
            return code
        if self.fact(run.cell, C_GROUND) > self.lo:
            code = self.ground(run, h)
        if not code and what in (OBSTACLE, HINDRANCE):
            code = self.terrain(run.cell, h)
        return code

    def side_of(self, cell: int) -> tuple[tuple[int, int], list[tuple[int, int]]]:
        """Hexside of a cell: both hexes, both vertices."""
        facts = self.o.compiled.board.hexsides[self.fact(cell, C_SIDE)]
        names = {h.name: k for k, h in enumerate(self.o.compiled.board.hexes)}
        one, two = names[facts.a], names[facts.b]
        return (one, two), list(side_vertices(self.o.offsets[one], facts.direction))

    def adjoins(self, vertices: list[tuple[int, int]], end: int) -> bool:
        """Whether a hexside is part of a hex or one of its hexspines."""
        X, Y = to_lattice(*self.o.offsets[end])
        return any((x - X, y - Y) in CORNERS for x, y in vertices)

    def bar_pixels(self, cell: int) -> int:
        """A bar's pixels (O5.31, O5.43)."""
        (one, two), ((px, py), (qx, qy)) = self.side_of(cell)
        top = self.fact(cell, C_TOP)
        (ax, ay), (bx, by) = (to_lattice(*self.o.offsets[k]) for k in (self.a, self.b))
        how = meets(ax, ay, bx - ax, by - ay, px, py, qx, qy)
        if how == TOUCHES or (self.hi_end in (one, two) and self.hi >= top):
            return CLEAR
        near = min(self.o.span(self.lo_end, k) for k in (one, two)) + 1
        far = min(self.o.span(self.hi_end, k) for k in (one, two))
        return int(bar(top, how, self.hi, self.lo, far, near, self.per))

    def wall_pixels(self, cell: int) -> int:
        """A wall's, hedge's or bocage's pixels (B9.2, B9.52)."""
        (one, two), vertices = self.side_of(cell)
        top = self.fact(cell, C_TOP)
        near = any(self.adjoins(vertices, end) for end in (self.hi_end, self.lo_end))
        near = near or any(self.forks_off(vertices, end) for end in (self.a, self.b))
        if top - self.fact(cell, C_GROUND) < FULL_LEVEL or near:
            return int(wall(top, self.hi, near))
        behind = min(self.o.span(self.lo_end, k) for k in (one, two)) + 1
        before = min(self.o.span(self.hi_end, k) for k in (one, two))
        return int(hedgerow(top, self.hi, self.lo, before, behind, self.per))

    def forks_off(self, vertices: list[tuple[int, int]], end: int) -> bool:
        """Whether a hexside begins where a walled hexspine of an end stops, that the line follows.

        Where only one hexside goes on from there with a wall, it hides nothing (B9.2).
        """
        X, Y = to_lattice(*self.o.offsets[end])
        other = self.b if end == self.a else self.a
        dX, dY = (v - w for v, w in zip(to_lattice(*self.o.offsets[other]), (X, Y), strict=True))
        for cx, cy in CORNERS:
            if dX * cy != dY * cx or dX * cx + dY * cy <= 0:
                continue
            tip = (X + 2 * cx, Y + 2 * cy)
            beyond = (X + 3 * cx, Y + 3 * cy)
            beside = [
                (X + p, Y + q)
                for p, q in DIRECTIONS
                if (X + p - tip[0], Y + q - tip[1]) in [(-u, -v) for u, v in CORNERS]
            ]
            if tip not in vertices or len(beside) != 2:
                return False
            walls = [
                self.has_wall(beside[0], beside[1]),
                self.has_wall(beside[0], beyond),
                self.has_wall(beside[1], beyond),
            ]
            return None not in walls and bool(walls[0]) and not (walls[1] and walls[2])
        return False

    def has_wall(self, one: tuple[int, int], two: tuple[int, int]) -> bool | None:
        """Whether a wall lies between two hexes by their centres; None off the board."""
        for k, side in enumerate(self.o.compiled.board.hexsides):
            hexes = (self.o.compiled.board.by_name[n] for n in (side.a, side.b))
            if {to_lattice(h.col, h.row) for h in hexes} == {one, two}:
                return bool(self.T.sides[k, S_WALL])
        return None

    def ground(self, run: Run, h: int) -> int:
        """The ground of a hex between both ends (B10.2, B10.23)."""
        far, near = self.o.span(self.hi_end, h), self.o.span(self.lo_end, h)
        code = int(
            crest(self.fact(run.cell, C_GROUND), self.hi, self.lo, far, near, self.per, False)
        )
        base = self.o.compiled.board.hexes[h].base_half
        if code == GROUND_ADVANTAGE and far == 1 and base < self.hi:
            cx, cy = self.o.centre(self.hi_end)
            hx, hy = self.o.centre(h)
            away = (hx - cx) ** 2 + (hy - cy) ** 2
            half = Fraction(1, 2)
            if all(
                (x + half - cx) ** 2 + (y + half - cy) ** 2 < away for x, y in (run.first, run.last)
            ):
                return CLEAR  # art of the higher hex that spills over
        return code

    def terrain(self, cell: int, h: int) -> int:
        """Terrain of a hex between both ends; may add a Hindrance (A6.2, A6.4, A6.7)."""
        what, ground, top = (self.fact(cell, c) for c in (C_CLASS, C_GROUND, C_TOP))
        if self.hi == self.lo == ground:
            what = self.fact(cell, C_BELOW)
        if what == NONE or (top - ground < FULL and top <= self.hi):
            return CLEAR
        far, near = self.o.span(self.hi_end, h), self.o.span(self.lo_end, h)
        exact = self.exact and self.fact(cell, C_INSIDE) != 0
        code = int(obstacle(top, exact, self.hi, self.lo, far, near, self.per))
        if not code or what == OBSTACLE:
            return code
        away = self.o.span(self.a, h)
        if any(c.hex == h for c in self.crossed) and 0 < away < self.reach:
            amount = self.fact(cell, C_AMOUNT)
            self.hindrance[away] = max(self.hindrance.get(away, 0), amount)
        return CLEAR
