"""A board as the small arrays that rules and loops work on.

Everything that does not depend on the pair asked is decided here once: what
the terrain at each pixel is to a line of sight, how high it is, to which
hexside a wall or bar belongs, which vertices a bar reaches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hexsight.los.profile import Profile
from hexsight.los.traverse import SUB
from hexsight.model.board import Board, parse_hexside, side_vertices, vertex_name
from hexsight.model.layout import CORNERS, DIRECTIONS, neighbour, to_lattice
from hexsight.model.locations import Location, locations_of
from hexsight.model.terrain import BAR_KINDS, DEPICTION_KINDS, Catalogue, TerrainType

# What a cell is to a line of sight.
NONE, OBSTACLE, HINDRANCE, WALL, BAR, FACTORY, CLIFF = range(7)
# Flags of hexes.
IS_FACTORY, IS_ROOFLESS, IS_DEPRESSION, HAS_STAIRS, IS_BUILDING = 1, 2, 4, 8, 16
# Kinds of Locations as numbers.
GROUND, LEVEL, ROOF, CELLAR, BRIDGE = range(5)
KINDS = {"ground": GROUND, "level": LEVEL, "roof": ROOF, "cellar": CELLAR, "bridge": BRIDGE}
NO_HEIGHT = -10_000
# Share of the inner half of a hex that an inherent terrain must show to fill the hex (B.6).
INHERENT_SHARE = 0.03
# How near to a vertex a building's depiction must come, in hex heights.
VERTEX_REACH = 1 / 64
# Kinds that stay themselves inside a hex of inherent terrain.
_OWN = frozenset({"road", "bridge", "water", "depression"})
# Stairs are inherent up to this height (B23.22): a two-storey house.
INHERENT_STAIRS_HALF = 3


# Columns of `Tables.hexes`.
H_X, H_Y, H_PX, H_PY, H_BASE, H_FLAGS, H_INHERENT, H_FIRST, H_LAST = range(9)
H_VERTEX, H_SIDE, H_INDEX, H_COLUMNS = 9, 15, 21, 27
# Columns of `Tables.cells`.
C_CLASS, C_GROUND, C_TOP, C_INSIDE, C_HEX, C_BELOW, C_SIDE, C_AMOUNT, C_COLUMNS = range(9)
# Columns of `Tables.sides`.
S_A, S_B, S_X1, S_Y1, S_X2, S_Y2, S_BREACHED, S_WALL, S_CLIFF, S_COLUMNS = range(10)
# Columns of `Tables.locations`.
L_HEX, L_HALF, L_KIND, L_LEVEL, L_SIGHT, L_COLUMNS = range(6)
# Places in `Tables.numbers` behind those of the profile.
N_WIDTH, N_HEIGHT, N_COL, N_ROW = range(6, 10)


class Tables(NamedTuple):
    """Arrays of one board and one rule set; n hexes, m cells, k hexsides, v Locations.

    A *cell* is the part of a hex with one terrain and one elevation; walls and
    bars are further split by the hexside they belong to.  There are few arrays
    with many columns because compiled functions pass each array at a cost.

    Attributes
    ----------
    hexes : (n, 27) int32
        Lattice coordinates of the centre; centre in sub-pixels from the outer
        edge of pixel (0, 0); ground at the centre in half-levels; flags; cell
        of the inherent terrain that fills it, −1 for none; its first Location
        and the one after its last; from H_VERTEX and from H_SIDE on six
        absolute tops of the bar that reaches a corner, that lies on a side;
        from H_INDEX on its six hexsides.
    cells : (m, 8) int32
        What the cell is to a line; ground and absolute top; building depiction
        (0 none, 1 other, 2 Factory); hex, −1 off the board; what it is to a
        line between two ends on its own ground; hexside, −1 for none;
        Hindrance.
    sides : (k, 9) int32
        Both hexes, lattice coordinates of both vertices, 1 where Breached, 1
        where a wall, hedge or the like lies along most of it, 1 where a cliff does.
    locations : (v, 5) int32
        Hex, height, kind, level, height from which it looks.
    lookup : (C, R) int32
        Hex by odd-q offset minus numbers[N_COL], numbers[N_ROW]; −1 for none.
    pixels : (H · W,) int32
        Cell of each pixel.
    numbers : (10,) int32
        Of the profile, width and height of the picture, start of `lookup`.
    """

    hexes: NDArray[np.int32]
    cells: NDArray[np.int32]
    sides: NDArray[np.int32]
    locations: NDArray[np.int32]
    lookup: NDArray[np.int32]
    pixels: NDArray[np.int32]
    numbers: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Compiled:
    """A board ready for questions.

    Attributes
    ----------
    board : Board
    profile : Profile
    locations : tuple of Location
    tables : Tables
    cell_code : (m,) uint8
        Terrain code of each cell, for reasons.
    """

    board: Board
    profile: Profile
    locations: tuple[Location, ...]
    tables: Tables
    cell_code: NDArray[np.uint8]


def compile_board(
    board: Board, profile: Profile, *, breached: frozenset[str] = frozenset()
) -> Compiled:
    """Turn a board into arrays.

    Parameters
    ----------
    board : Board
    profile : Profile
    breached : set of str
        Names of Breached hexsides (O5.33).

    Raises
    ------
    UsageError
        If a breached hexside does not exist.
    """
    geometry = _Geometry(board)
    catalogue = board.catalogue
    codes, inherent = _with_inherent(board, geometry, catalogue)
    cells = _Cells(board, geometry, catalogue, codes, inherent)
    locations = locations_of(board)
    tables = Tables(
        hexes=_hexes(board, geometry, catalogue, cells.inherent, locations),
        cells=cells.table(profile),
        sides=_sides(board, geometry, breached),
        locations=_locations(board, locations),
        lookup=geometry.lookup,
        pixels=cells.pixels,
        numbers=np.concatenate(
            [profile.numbers, np.array(board.size_px), geometry.lookup_at]
        ).astype(np.int32),
    )
    return Compiled(
        board, profile, locations, tables, np.array([row["code"] for row in cells.rows], np.uint8)
    )


class _Geometry:
    """Lattice of a board: centres, lookup by offset, hexsides."""

    def __init__(self, board: Board) -> None:
        offsets = [(h.col, h.row) for h in board.hexes]
        self.names = {o: h.name for o, h in zip(offsets, board.hexes, strict=True)}
        self.index = {o: i for i, o in enumerate(offsets)}
        n = len(offsets)
        self.lattice = np.array([to_lattice(*o) for o in offsets], np.int64).reshape(n, 2)
        centres = board.layout.lattice_to_pixel(self.lattice)
        # Pixel 0 reaches from −½ to ½: count sub-pixels from its outer edge.
        # A half hex at the edge has its centre there: it moves on to the picture.
        self.sub_px = np.rint((centres + 0.5) * SUB).astype(np.int64)
        self.sub_px = np.clip(self.sub_px, 1, np.array(board.size_px) * SUB - 1)
        at = np.array(offsets, np.int64).reshape(n, 2)
        self.lookup_at = at.min(axis=0) - 2
        shape = at.max(axis=0) - self.lookup_at + 3
        self.lookup = np.full((int(shape[0]), int(shape[1])), -1, np.int32)
        self.lookup[at[:, 0] - self.lookup_at[0], at[:, 1] - self.lookup_at[1]] = np.arange(n)
        self.side_of = np.full((n, 6), -1, np.int32)
        rows = []
        for k, side in enumerate(board.hexsides):
            a, b = board.by_name[side.a], board.by_name[side.b]
            i, j = self.index[a.col, a.row], self.index[b.col, b.row]
            first, last = side_vertices((a.col, a.row), side.direction)
            rows.append((i, j, *first, *last))
            self.side_of[i, side.direction] = k
            self.side_of[j, (side.direction + 3) % 6] = k
        self.sides = np.array(rows, np.int64).reshape(len(rows), 6)
        self.layout = board.layout

    def offset_of(
        self, where: NDArray[np.intp], width: int, owner: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """Regular-plane vectors from the centre of their hex to pixels (ravelled)."""
        points = np.stack([where % width, where // width], axis=1)
        d = self.layout.pixel_to_lattice(points) - self.lattice[owner]
        return d * (1.0, np.sqrt(3.0))


def _hexes(
    board: Board,
    geometry: _Geometry,
    catalogue: Catalogue,
    inherent: NDArray[np.int32],
    locations: tuple[Location, ...],
) -> NDArray[np.int32]:
    """`Tables.hexes`."""
    n = len(board.hexes)
    out = np.zeros((n, H_COLUMNS), np.int32)
    out[:, H_X : H_Y + 1] = geometry.lattice
    out[:, H_PX : H_PY + 1] = geometry.sub_px
    out[:, H_BASE] = [h.base_half for h in board.hexes]
    out[:, H_FLAGS] = _flags(board, catalogue)
    out[:, H_INHERENT] = inherent
    starts = np.searchsorted([loc.hex for loc in locations], np.arange(n + 1))
    out[:, H_FIRST], out[:, H_LAST] = starts[:-1], starts[1:]
    side_top, vertex_top = _bars(board, geometry)
    out[:, H_VERTEX : H_VERTEX + 6] = vertex_top
    out[:, H_SIDE : H_SIDE + 6] = side_top
    out[:, H_INDEX : H_INDEX + 6] = geometry.side_of
    return out


def _locations(board: Board, locations: tuple[Location, ...]) -> NDArray[np.int32]:
    """`Tables.locations`; a cellar looks from the ground of its hex (O6.3)."""
    return np.array(
        [
            (
                loc.hex,
                loc.level_half,
                KINDS[loc.kind],
                loc.level,
                board.hexes[loc.hex].base_half if loc.kind == "cellar" else loc.level_half,
            )
            for loc in locations
        ],
        np.int32,
    ).reshape(len(locations), L_COLUMNS)


def _flags(board: Board, catalogue: Catalogue) -> NDArray[np.int32]:
    out = np.zeros(len(board.hexes), np.int32)
    for i, h in enumerate(board.hexes):
        flags = 0
        if h.factory:
            flags |= IS_FACTORY
        if h.roofless:
            flags |= IS_ROOFLESS
        if catalogue[h.terrain].kind == "depression":
            flags |= IS_DEPRESSION
        if h.building:
            flags |= IS_BUILDING
            if h.stairwell or (not h.factory and h.height_half == INHERENT_STAIRS_HALF):
                flags |= HAS_STAIRS
        out[i] = flags
    return out


def _with_inherent(
    board: Board, geometry: _Geometry, catalogue: Catalogue
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Codes (H · W) after B.6: inherent terrain fills its hexes and is nothing elsewhere.

    Returns the codes and, by hex, the code of its inherent terrain or −1.
    """
    codes = board.terrain.ravel().copy()
    n = len(board.hexes)
    filled = np.full(n, -1, np.int32)
    table = catalogue.table(inherent=True)
    where = np.flatnonzero(table[codes])
    owner = board.owner.ravel()
    if len(where):
        where = where[owner[where] >= 0]
    if not len(where):
        return codes, filled
    mine = owner[where]
    d = geometry.offset_of(where, board.terrain.shape[1], mine)
    normals = np.array([(x, y * np.sqrt(3.0)) for x, y in DIRECTIONS])
    # The inner half: nearer to the centre than to the middle of any hexside.
    inner = (d @ normals.T).max(axis=1) < 0.25 * (normals**2).sum(axis=1)[0]
    area = abs(float(np.linalg.det([board.layout.col_px, board.layout.row_px]))) / 4
    keys, counts = np.unique(
        mine[inner].astype(np.int64) * 256 + codes[where][inner], return_counts=True
    )
    best = np.full(n, INHERENT_SHARE * area)
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        index, code = divmod(key, 256)
        if count > best[index]:
            filled[index], best[index] = code, count
    codes[where] = 0
    inside = np.flatnonzero((owner >= 0) & (filled[owner] >= 0))
    own = np.zeros(256, bool)
    for t in catalogue.types:
        own[t.code] = t.los != "none" or t.below != "none" or t.kind in _OWN or t.in_depiction
    plain = inside[~own[codes[inside]]]
    codes[plain] = filled[owner[plain]]
    return codes, filled


class _Cells:
    """Cells of a board and the cell of each pixel."""

    def __init__(
        self,
        board: Board,
        geometry: _Geometry,
        catalogue: Catalogue,
        codes: NDArray[np.uint8],
        inherent: NDArray[np.int32],
    ) -> None:
        self.board, self.catalogue = board, catalogue
        self.rows: list[dict[str, int]] = []
        owner = board.owner.ravel()
        heights = board.elevation_half.ravel()
        # Roads, water and the like are all the same to a line.
        plain = np.arange(256, dtype=np.int32)
        plain[[t.code for t in catalogue.types if _is_plain(t)]] = 0
        # Few combinations of code and height exist, so cells are found by counting.
        combo = plain[codes] * 256 + (heights.astype(np.int32) + 128)
        present = np.flatnonzero(np.bincount(combo, minlength=65536))
        small = np.zeros(65536, np.int32)
        small[present] = np.arange(len(present))
        key = (owner + 1) * len(present) + small[combo]
        used = np.flatnonzero(np.bincount(key, minlength=(len(board.hexes) + 1) * len(present)))
        number = np.zeros((len(board.hexes) + 1) * len(present), np.int32)
        number[used] = np.arange(len(used))
        self.pixels = number[key]
        for k in used.tolist():
            hex_plus, which = divmod(k, len(present))
            code, height = divmod(int(present[which]), 256)
            self._add(hex_plus - 1, code, height - 128, -1)
        self._split_by_side(geometry, codes, owner, heights)
        self.inherent = np.full(len(board.hexes), -1, np.int32)
        for i in np.flatnonzero(inherent >= 0).tolist():
            self.inherent[i] = len(self.rows)
            self._add(i, int(inherent[i]), board.hexes[i].base_half, -1)

    def table(self, profile: Profile) -> NDArray[np.int32]:
        """The cells as `Tables.cells`."""
        light = {t.code for t in self.catalogue.types if t.name == "Light Woods"}
        out = np.zeros((len(self.rows), C_COLUMNS), np.int32)
        for at, row in enumerate(self.rows):
            out[at, :C_AMOUNT] = [
                row[name] for name in ("what", "ground", "top", "inside", "hex", "below", "side")
            ]
            out[at, C_AMOUNT] = (
                profile.hindrance.light_woods if row["code"] in light else profile.hindrance.terrain
            )
        return out

    def _add(self, index: int, code: int, ground: int, side: int) -> None:
        t = self.catalogue[code]
        what, below = _class_of(t), _below(t)
        height = t.height_half
        inside = int(t.in_depiction)
        if index >= 0 and inside:
            h = self.board.hexes[index]
            if h.factory or t.kind in {"factory", "factory-wall", "roofless", "interior-wall"}:
                inside = 2
                if what != BAR:
                    what, below = FACTORY, FACTORY
                    height = t.split_half + 1 if t.kind == "roofless" else t.height_half
                    if h.factory and h.height_half:
                        height = h.height_half
        if what in (WALL, BAR) and side < 0:
            what, below = NONE, NONE  # art that lies on no hexside of this kind
        self.rows.append(
            {
                "hex": index,
                "code": code,
                "ground": ground,
                "top": ground + height,
                "what": what,
                "below": below,
                "side": side,
                "inside": inside,
            }
        )

    def _split_by_side(
        self,
        geometry: _Geometry,
        codes: NDArray[np.uint8],
        owner: NDArray[np.int32],
        heights: NDArray[np.int8],
    ) -> None:
        """Give pixels of walls and bars cells of their own, by hexside."""
        walls = self.catalogue.table(kind=frozenset({"hexside", "cliff"}))
        bars = self.catalogue.table(kind=BAR_KINDS)
        where = np.flatnonzero((walls | bars)[codes] & (owner >= 0))
        if not len(where):
            return
        mine = owner[where]
        d = geometry.offset_of(where, self.board.terrain.shape[1], mine)
        normals = np.array([(x, y * np.sqrt(3.0)) for x, y in DIRECTIONS])
        side = geometry.side_of[mine, (d @ normals.T).argmax(axis=1)]
        is_bar = bars[codes[where]]
        if is_bar.any():
            side[is_bar] = self._nearest_bar(geometry, d[is_bar], mine[is_bar], side[is_bar])
        key = np.stack(
            [mine, codes[where].astype(np.int64), heights[where].astype(np.int64), side], axis=1
        )
        rows, back = np.unique(key, axis=0, return_inverse=True)
        self.pixels[where] = len(self.rows) + back.ravel()
        for index, code, ground, k in rows.tolist():
            self._add(index, code, ground, k)

    def _nearest_bar(
        self,
        geometry: _Geometry,
        d: NDArray[np.float64],
        mine: NDArray[np.int32],
        first: NDArray[np.int32],
    ) -> NDArray[np.int32]:
        """Hexside with a bar that is nearest to each pixel, of its own hex or a hexspine."""
        has = np.array([bool(s.bar) for s in self.board.hexsides] + [False])
        candidates, ends = _around(geometry, self.board)
        best = np.full(len(mine), np.inf)
        out = np.full(len(mine), -1, np.int32)
        for c in range(candidates.shape[1]):
            side = candidates[mine, c]
            a, b = ends[c]
            t = np.clip(((d - a) @ (b - a)) / ((b - a) @ (b - a)), 0, 1)
            gap = np.hypot(*(d - (a + t[:, None] * (b - a))).T)
            take = has[side] & (gap < best)
            out[take], best[take] = side[take], gap[take]
        return np.where(has[first], first, out).astype(np.int32)


def _around(
    geometry: _Geometry, board: Board
) -> tuple[NDArray[np.int32], list[tuple[NDArray[np.float64], NDArray[np.float64]]]]:
    """The six sides and six hexspines of each hex (n, 12), and where they lie round a centre."""
    n = len(board.hexes)
    out = np.full((n, 12), -1, np.int32)
    out[:, :6] = geometry.side_of
    for i, h in enumerate(board.hexes):
        for k in range(6):
            # The spine at corner k lies between the neighbours before and after it.
            other = geometry.index.get(neighbour(h.col, h.row, (k + 5) % 6))
            if other is not None:
                out[i, 6 + k] = geometry.side_of[other, (k + 1) % 6]
    corner = [np.array((x, y * np.sqrt(3.0))) for x, y in CORNERS]
    ends = [(corner[k], corner[(k + 1) % 6]) for k in range(6)]
    ends += [(corner[k], 2 * corner[k]) for k in range(6)]
    return out, ends


def _is_plain(t: TerrainType) -> bool:
    return _class_of(t) == NONE and _below(t) == NONE and not t.in_depiction


def _class_of(t: TerrainType) -> int:
    if t.kind == "hexside":
        return WALL
    if t.kind == "cliff":
        return CLIFF
    if t.kind in BAR_KINDS:
        return BAR
    return {"none": NONE, "hindrance": HINDRANCE, "obstacle": OBSTACLE}[t.los]


def _below(t: TerrainType) -> int:
    if not t.split_half or t.kind in BAR_KINDS or t.kind == "hexside":
        return _class_of(t)
    return {"none": NONE, "hindrance": HINDRANCE, "obstacle": OBSTACLE}[t.below]


def _bars(board: Board, geometry: _Geometry) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Absolute tops of bars by side and by corner of each hex, (n, 6) int32 each."""
    n = len(board.hexes)
    depiction = board.catalogue.table(kind=DEPICTION_KINDS)
    around = max(1, round(VERTEX_REACH * board.layout.dy))

    def inside(X: int, Y: int) -> bool:
        x, y = (round(float(v)) for v in board.layout.lattice_to_pixel((X, Y)))
        top, left = max(0, y - around), max(0, x - around)
        near = board.terrain[top : max(top, y + around + 1), left : max(left, x + around + 1)]
        return bool(depiction[near].any())

    side_top = np.full((n, 6), NO_HEIGHT, np.int32)
    vertex: dict[tuple[int, int], int] = {}
    for k, side in enumerate(board.hexsides):
        if not side.bar:
            continue
        i, j = int(geometry.sides[k, 0]), int(geometry.sides[k, 1])
        top = max(board.hexes[i].base_half, board.hexes[j].base_half) + side.bar_half
        side_top[i, side.direction] = top
        side_top[j, (side.direction + 3) % 6] = top
        a = board.hexes[i]
        for point in side_vertices((a.col, a.row), side.direction):
            # O5.31: vertices count as far as they lie inside the depiction.
            if vertex_name(geometry.names, *point) in side.vertices and inside(*point):
                vertex[point] = max(vertex.get(point, NO_HEIGHT), top)
    vertex_top = np.full((n, 6), NO_HEIGHT, np.int32)
    for i, (X, Y) in enumerate(geometry.lattice.tolist()):
        for c, (dX, dY) in enumerate(CORNERS):
            vertex_top[i, c] = vertex.get((X + dX, Y + dY), NO_HEIGHT)
    return side_top, vertex_top


def _sides(board: Board, geometry: _Geometry, breached: frozenset[str]) -> NDArray[np.int32]:
    """`Tables.sides`."""
    out = np.zeros((len(board.hexsides), S_COLUMNS), np.int32)
    out[:, :S_BREACHED] = geometry.sides
    classes = [_class_of(board.catalogue[s.terrain]) for s in board.hexsides]
    out[:, S_WALL] = [c == WALL for c in classes]
    out[:, S_CLIFF] = [c == CLIFF for c in classes]
    offsets = {h.name: (h.col, h.row) for h in board.hexes}
    for name in sorted(breached):
        first, _, direction = parse_hexside(name, offsets)
        out[geometry.side_of[geometry.index[first], direction], S_BREACHED] = 1
    return out
