"""A board as the small arrays that rules and loops work on.

Everything that does not depend on the pair asked is decided here once: what
the terrain at each pixel is to a line of sight, how high it is, to which
hexside a wall or bar belongs, which vertices a bar reaches.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hexsight.los.cells import Cells, class_of, with_inherent
from hexsight.los.grid import BoardGrid
from hexsight.los.profile import Profile
from hexsight.los.tables import (
    CLIFF,
    FAR_HEIGHT,
    H_BASE,
    H_COLUMNS,
    H_FIRST,
    H_FLAGS,
    H_INDEX,
    H_INHERENT,
    H_LAST,
    H_LOW,
    H_PATCH,
    H_PX,
    H_PY,
    H_SIDE,
    H_TOP,
    H_VERTEX,
    H_X,
    H_Y,
    HAS_STAIRS,
    IS_BUILDING,
    IS_DEPRESSION,
    IS_FACTORY,
    IS_ROOFLESS,
    KINDS,
    L_COLUMNS,
    NO_HEIGHT,
    S_BREACHED,
    S_CLIFF,
    S_COLUMNS,
    S_WALL,
    UNKNOWN_PATCH,
    WALL,
    Compiled,
    Tables,
)
from hexsight.model.board import Board, parse_hexside, side_vertices, vertex_name
from hexsight.model.layout import CORNERS
from hexsight.model.locations import Location, locations_of
from hexsight.model.terrain import DEPICTION_KINDS, Catalogue

# How near to a vertex a building's depiction must come, in hex heights.
VERTEX_REACH = 1 / 64
# Stairs are inherent up to this height (B23.22): a two-storey house.
INHERENT_STAIRS_HALF = 3


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
    geometry = BoardGrid(board)
    catalogue = board.catalogue
    codes, inherent = with_inherent(board, geometry, catalogue)
    cells = Cells(board, geometry, catalogue, codes, inherent)
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


def _hexes(
    board: Board,
    geometry: BoardGrid,
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
    out[:, H_TOP], out[:, H_LOW] = -FAR_HEIGHT, FAR_HEIGHT
    for loc in locations:
        sight = _sight(board, loc)
        out[loc.hex, H_TOP] = max(out[loc.hex, H_TOP], sight)
        out[loc.hex, H_LOW] = min(out[loc.hex, H_LOW], sight)
    out[:, H_PATCH] = UNKNOWN_PATCH
    side_top, vertex_top = _bars(board, geometry)
    out[:, H_VERTEX : H_VERTEX + 6] = vertex_top
    out[:, H_SIDE : H_SIDE + 6] = side_top
    out[:, H_INDEX : H_INDEX + 6] = geometry.side_of
    return out


def _locations(board: Board, locations: tuple[Location, ...]) -> NDArray[np.int32]:
    """`Tables.locations`."""
    return np.array(
        [
            (
                loc.hex,
                loc.level_half,
                KINDS[loc.kind],
                loc.level,
                _sight(board, loc),
            )
            for loc in locations
        ],
        np.int32,
    ).reshape(len(locations), L_COLUMNS)


def _sight(board: Board, loc: Location) -> int:
    """Height from which a Location looks; a cellar's is the ground of its hex (O6.3)."""
    return board.hexes[loc.hex].base_half if loc.kind == "cellar" else loc.level_half


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
            if h.access or (not h.factory and h.height_half == INHERENT_STAIRS_HALF):
                flags |= HAS_STAIRS
        out[i] = flags
    return out


def _bars(board: Board, geometry: BoardGrid) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
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


def _sides(board: Board, geometry: BoardGrid, breached: frozenset[str]) -> NDArray[np.int32]:
    """`Tables.sides`."""
    out = np.zeros((len(board.hexsides), S_COLUMNS), np.int32)
    out[:, :S_BREACHED] = geometry.sides
    classes = [class_of(board.catalogue[s.terrain]) for s in board.hexsides]
    out[:, S_WALL] = [c == WALL for c in classes]
    out[:, S_CLIFF] = [c == CLIFF for c in classes]
    offsets = {h.name: (h.col, h.row) for h in board.hexes}
    for name in sorted(breached):
        first, _, direction = parse_hexside(name, offsets)
        out[geometry.side_of[geometry.index[first], direction], S_BREACHED] = 1
    return out
