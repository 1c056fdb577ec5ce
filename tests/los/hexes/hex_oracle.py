"""Hex games a second time, written from the rules with fractions and shapely alone.

It shares nothing with the engine but the profile's data: which hexes and
hexsides a line meets comes from polygons with exact corners, heights are
compared as fractions, and the rules are written as sets.
"""

from __future__ import annotations

from fractions import Fraction

from shapely.geometry import LineString, Polygon

from hexsight.los.hexes.profile import HexProfile
from hexsight.los.overlay import Overlay
from hexsight.model.board import Board, HexFacts, HexsideFacts

# Corners of a hex around its centre, in a lattice in which all of them are whole numbers.
CORNERS = [(-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0)]


def centre(h: HexFacts) -> tuple[int, int]:
    return 3 * h.col, 2 * h.row + h.col % 2


def polygon(h: HexFacts) -> Polygon:
    x, y = centre(h)
    return Polygon([(x + dx, y + dy) for dx, dy in CORNERS])


def void(h: HexFacts) -> bool:
    return h.name.startswith("~")


def gap(a: HexFacts, b: HexFacts) -> int:
    """Range, counted by walking in rings."""
    (ax, ay), (bx, by) = centre(a), centre(b)
    over, down = abs(ax - bx) // 3, abs(ay - by)
    return over + max(0, (down - over) // 2)


class Oracle:
    """Answers for one board, overlay, profile and class.

    Attributes
    ----------
    state : as ``blocked`` or (hindrance, halvings)
    """

    def __init__(
        self, board: Board, profile: HexProfile, overlay: Overlay, observer: str, side: str | None
    ) -> None:
        self.board, self.rules, self.overlay = board, profile.rules, overlay
        self.observer, self.side = observer, side
        # Holes and the edge of the map are hexes too, in which there is nothing.
        cells = {(h.col, h.row): h for h in board.hexes}
        cols, rows = [c for c, _ in cells], [r for _, r in cells]
        for c in range(min(cols), max(cols) + 1):
            for r in range(min(rows) - 1, max(rows) + 2):
                void = HexFacts(f"~{c},{r}", c, r, 0, 0, 0, 0, 0)
                cells.setdefault((c, r), void)
        self.cells = list(cells.values())
        self.polygons = {h.name: polygon(h) for h in self.cells}
        self.sides = {frozenset((s.a, s.b)): s for s in board.hexsides}

    # What there is.

    def base(self, h: HexFacts) -> int:
        return 0 if self.rules.elevation == "none" else h.base_half

    def row(self, h: HexFacts):
        kind = self.board.catalogue[h.terrain]
        word = self.board.building_by_id[h.building].kind if h.building else kind.kind
        for row in self.rules.hexes:
            if row.classes and self.observer not in row.classes:
                continue
            if kind.name in row.terrain or word in row.kinds:
                return row
        return None

    def side_row(self, s: HexsideFacts):
        if not s.terrain:
            return None
        kind = self.board.catalogue[s.terrain]
        for row in self.rules.hexsides:
            if row.classes and self.observer not in row.classes:
                continue
            if kind.name in row.terrain or kind.kind in row.kinds:
                return row
        return None

    def slope(self, s: HexsideFacts):
        slopes = self.rules.slopes
        if s.terrain:
            kind = self.board.catalogue[s.terrain]
            for row in (slopes.steep, slopes.gentle):
                if kind.name in row.terrain or kind.kind in row.kinds:
                    return row
        rises = self.base(self.board.by_name[s.a]) != self.base(self.board.by_name[s.b])
        word = self.overlay.slopes or slopes.unmarked
        if not rises or word == "none":
            return None
        return slopes.steep if word == "steep" else slopes.gentle

    # The line.

    def groups(self, a: HexFacts, b: HexFacts) -> list[list[HexFacts]]:
        """Hexes on the way from a to b; two together where the line runs between them."""
        line = LineString([centre(a), centre(b)])
        dx, dy = centre(b)[0] - centre(a)[0], centre(b)[1] - centre(a)[1]

        def along(h: HexFacts) -> Fraction:
            x, y = centre(h)[0] - centre(a)[0], centre(h)[1] - centre(a)[1]
            return Fraction(x * dx + 3 * y * dy, dx * dx + 3 * dy * dy)

        found: dict[Fraction, list[HexFacts]] = {}
        for h in self.cells:
            shape = self.polygons[h.name]
            if not shape.intersects(line):
                continue
            x, y = centre(h)[0] - centre(a)[0], centre(h)[1] - centre(a)[1]
            signs = {
                (v > 0) - (v < 0) for v in (dx * (y + ey) - dy * (x + ex) for ex, ey in CORNERS)
            }
            through = {1, -1} <= signs
            zeros = [k for k, (ex, ey) in enumerate(CORNERS) if dx * (y + ey) - dy * (x + ex) == 0]
            edge = len(zeros) == 2 and not through
            inside = through and shape.intersection(line).length > 0
            if inside or (edge and shape.intersection(line).length > 0):
                found.setdefault(along(h), []).append(h)
        return [sorted(found[t], key=lambda h: (h.col, h.row)) for t in sorted(found)]

    def share(self, a: HexFacts, b: HexFacts, *of: HexFacts) -> Fraction:
        dx, dy = centre(b)[0] - centre(a)[0], centre(b)[1] - centre(a)[1]
        x = Fraction(sum(centre(h)[0] for h in of), len(of)) - centre(a)[0]
        y = Fraction(sum(centre(h)[1] for h in of), len(of)) - centre(a)[1]
        return (x * dx + 3 * y * dy) / (dx * dx + 3 * dy * dy)

    def reaches(self, top, a: HexFacts, b: HexFacts, t: Fraction, heights) -> bool:
        """Whether blocking terrain with such a top matters to a line."""
        if top is None:
            return True
        ha, hb = heights
        tie = self.rules.tie == "blocks"
        if self.rules.elevation == "sight-line":
            here = ha + (hb - ha) * t
        elif self.rules.elevation == "higher":
            here = max(ha, hb)
        elif self.rules.elevation == "bounded":
            return self.rules.lower_terrain == "counts" or not (top < ha and top < hb)
        else:
            return True
        return top > here or (tie and top == here)

    def top(self, base: int, height, own: int):
        if height == "any" or self.rules.elevation == "none":
            return None
        if self.rules.elevation == "bounded":
            return base
        return base + (own if height is None else height)

    # The rules.

    def ask(self, a: HexFacts, b: HexFacts, heights: tuple[int, int]):
        limit = self.rules.classes[self.observer].range_limit or self.rules.range_limit
        if limit is not None and gap(a, b) > limit:
            return "blocked"
        if heights[0] > heights[1]:
            return self.trace(a, b, heights)
        if heights[0] < heights[1]:
            return self.trace(b, a, heights[::-1])
        one, two = self.trace(a, b, heights), self.trace(b, a, heights)
        if "blocked" in (one, two):
            return "blocked"
        return max(one[0], two[0]), one[1]

    def trace(self, a: HexFacts, b: HexFacts, heights):
        """From the higher end a."""
        groups = self.groups(a, b)
        assert groups[0] == [a] and groups[-1] == [b]
        dead, beyond = self.shadows(groups, heights[0])
        hindrance, clouds = 0, 0
        k = 1
        while k < len(groups):
            if self._beside(groups, k):
                # Two ways round, from the hex before to the hex after.
                there = [h for h in groups[k] if not void(h)]
                ways = [
                    self.way([groups[k - 1][0], h, groups[k + 1][0]], a, b, heights, dead, beyond)
                    for h in there
                ]
                smoky = [self.smoky(h) for h in there] or [0]
                pick = max if self.rules.along_hexside == "either" else min
                blocked = [w is None for w in ways]
                if any(blocked) and (pick is max or all(blocked)):
                    return "blocked"
                # A way that blocks still says how much it hindered before.
                sums = [
                    self.way_hindrance(
                        [groups[k - 1][0], h, groups[k + 1][0]], a, b, heights, dead, beyond
                    )
                    for h in there
                ] or [0]
                hindrance += pick(sums)
                clouds += pick(smoky)
                after = groups[k + 1][0]
                if after is not b:
                    inner = self.through(after, a, b, heights, dead, beyond)
                    if inner is None:
                        return "blocked"
                    hindrance += inner
                    clouds += self.smoky(after)
                k += 2
                continue
            h, before = groups[k][0], groups[k - 1][0]
            cost = self.crossing(before, h, a, b, heights, dead)
            if cost is None:
                return "blocked"
            hindrance += cost
            if h is not b:
                cost = self.through(h, a, b, heights, dead, beyond)
                if cost is None:
                    return "blocked"
                hindrance += cost
                clouds += self.smoky(h)
            k += 1
        if b.name in dead:
            return "blocked"
        across = self.rules.classes[self.observer].across_dead_zone
        if dead and not across:
            return "blocked"
        return self.totals(a, b, hindrance, clouds)

    def totals(self, a: HexFacts, b: HexFacts, hindrance: int, clouds: int):
        halvings = 0
        smoke = (self.rules.overlay.smoke or {}).get(self.observer)
        if smoke is not None:
            if clouds and smoke.through == "blocks":
                return "blocked"
            if smoke.limit is not None and clouds > smoke.limit:
                return "blocked"
            halvings += clouds if smoke.through == "half" else 0
            hindrance += clouds * smoke.hinders if smoke.through == "hinders" else 0
            if smoke.inside == "half":
                halvings += self.smoky(a) + self.smoky(b)
        if self.rules.hindrance_limit is not None and hindrance >= self.rules.hindrance_limit:
            return "blocked"
        if self.rules.half_limit is not None and halvings > self.rules.half_limit:
            return "blocked"
        return hindrance, halvings

    @staticmethod
    def _beside(groups, k: int) -> bool:
        """Whether group k lies on both sides of the line."""
        return len(groups[k]) == 2

    def way(self, hexes, a, b, heights, dead, beyond):
        """None where one way round blocks."""
        first = self.crossing(hexes[0], hexes[1], a, b, heights, dead)
        inner = self.through(hexes[1], a, b, heights, dead, beyond)
        last = self.crossing(hexes[1], hexes[2], a, b, heights, dead)
        return None if None in (first, inner, last) else first + inner + last

    def way_hindrance(self, hexes, a, b, heights, dead, beyond) -> int:
        # In the order in which the line is written: from the earlier end.
        order = hexes if (a.col, a.row) < (b.col, b.row) else hexes[::-1]
        total = 0
        for part in (
            lambda: self.crossing(order[0], order[1], a, b, heights, dead),
            lambda: self.through(order[1], a, b, heights, dead, beyond),
            lambda: self.crossing(order[1], order[2], a, b, heights, dead),
        ):
            cost = part()
            if cost is None:
                return total
            total += cost
        return total

    def smoky(self, h: HexFacts) -> int:
        known = (self.rules.overlay.smoke or {}).get(self.observer) is not None
        return int(known and h.name in {s.hex for s in self.overlay.smoke})

    def crossing(self, one: HexFacts, two: HexFacts, a, b, heights, dead):
        s = self.sides.get(frozenset((one.name, two.name)))
        if s is None:
            return 0
        slope = self.slope(s)
        if slope is not None and self.observer in slope.stops:
            return None
        if one.name in dead and two.name in dead:
            return 0
        row = self.side_row(s)
        if row is None or not (row.blocks or row.hinders):
            return 0
        if row.two_sided and gap(a, b) == 1:
            return 0
        if row.own_hex == "clear" and {one.name, two.name} & {a.name, b.name}:
            return 0
        base = max(self.base(one), self.base(two))
        top = self.top(base, row.height, self.board.catalogue[s.terrain].height_half)
        if not self.reaches(top, a, b, self.share(a, b, one, two), heights):
            return 0
        return None if row.blocks else row.hinders

    def through(self, h: HexFacts, a, b, heights, dead, beyond):
        if void(h):
            return 0
        t = self.share(a, b, h)
        ground = self.base(h)
        if self.rules.elevation == "bounded":
            if ground > max(heights) and self.bounded(h):
                return None
        elif self.rules.elevation == "higher":
            if ground > max(heights):
                return None
        elif (
            self.rules.elevation == "sight-line"
            and ground > heights[0] + (heights[1] - heights[0]) * t
        ):
            return None
        if h.name in dead:
            return 0
        units = self.units(h)
        if h.name in beyond and gap(h, b) > 1:
            return None if units is None else 0
        row = self.row(h)
        cost = 0
        if row is not None and (row.blocks or row.hinders):
            own = h.height_half if h.building else self.board.catalogue[h.terrain].height_half
            if self.reaches(self.top(ground, row.height, own), a, b, t, heights):
                if row.blocks:
                    return None
                cost = row.hinders
        return None if units is None else cost + units

    def units(self, h: HexFacts):
        over, hinders = self.rules.overlay, 0
        here = [(over.units[u.kind], u.side) for u in self.overlay.units if h.name in u.hexes] + [
            (over.wrecks if v.wreck else over.vehicles, None)
            for v in self.overlay.vehicles
            if v.at == h.name
        ]
        for row, side in here:
            enemy = self.side is None or side is None or side != self.side
            if self.observer in row.blocks or (enemy and self.observer in row.enemy_blocks):
                return None
            hinders = max(hinders, row.hinders)
        return hinders

    def bounded(self, h: HexFacts) -> bool:
        for other in self.board.hexes:
            s = self.sides.get(frozenset((h.name, other.name)))
            if s is not None and self.base(other) < self.base(h):
                slope = self.slope(s)
                if slope is not None and slope.bounds:
                    return True
        return False

    def shadows(self, groups, height: int) -> tuple[set[str], set[str]]:
        """Names of the hexes in a dead zone, and of those below and beyond a steep slope."""
        dead: set[str] = set()
        beyond: set[str] = set()
        for k in range(1, len(groups)):
            for h in (h for h in groups[k] if not void(h)):
                d, far = self._shadow(groups, k, h, height)
                dead |= {h.name} if d else set()
                beyond |= {h.name} if far else set()
        return dead, beyond

    def _shadow(self, groups, k: int, h: HexFacts, height: int) -> tuple[bool, bool]:
        dead = far = False
        j = 0
        while j < k:
            if not self._beside(groups, j + 1):
                d, f = self._slope_hides(groups[0][0], groups[j][0], groups[j + 1][0], h, height)
                dead, far, j = dead or d, far or f, j + 1
                continue
            if j + 1 == k:
                d, f = self._slope_hides(groups[0][0], groups[j][0], h, h, height)
                return dead or d, far or f
            ways = []
            for side in (h for h in groups[j + 1] if not void(h)):
                one = self._slope_hides(groups[0][0], groups[j][0], side, h, height)
                two = self._slope_hides(groups[0][0], side, groups[j + 2][0], h, height)
                ways.append((one[0] or two[0], one[1] or two[1]))
            pick = any if self.rules.along_hexside == "either" else all
            dead = dead or (bool(ways) and pick(w[0] for w in ways))
            far = far or (bool(ways) and pick(w[1] for w in ways))
            j += 2
        return dead, far

    def _slope_hides(self, eye, upper, lower, h, height: int) -> tuple[bool, bool]:
        s = self.sides.get(frozenset((upper.name, lower.name)))
        slope = self.slope(s) if s is not None else None
        if slope is None or not slope.dead_zone:
            return False, False
        if not self.base(lower) < self.base(upper) <= height or self.base(h) >= self.base(upper):
            return False, False
        return gap(upper, h) <= gap(eye, upper), True
