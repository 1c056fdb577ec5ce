"""Cells: the parts of hexes with one terrain and one elevation, and the cell of each pixel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hexsight.los.grid import BoardGrid
from hexsight.los.profile import Profile
from hexsight.los.tables import (
    BAR,
    C_AMOUNT,
    C_COLUMNS,
    CLIFF,
    FACTORY,
    HINDRANCE,
    NONE,
    OBSTACLE,
    WALL,
    Pixels,
)
from hexsight.model.board import Board
from hexsight.model.layout import CORNERS, DIRECTIONS, neighbour
from hexsight.model.terrain import BAR_KINDS, Catalogue, TerrainType

# Share of the inner half of a hex that an inherent terrain must show to fill the hex (B.6).
INHERENT_SHARE = 0.03
# Kinds that stay themselves inside a hex of inherent terrain.
_OWN = frozenset({"road", "bridge", "water", "depression"})


def with_inherent(
    board: Board, geometry: BoardGrid, catalogue: Catalogue
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
    # The inner half: nearer to the centre than to the middle of any hexside.
    inner = np.ones(len(where), bool)
    for x, y in DIRECTIONS[:3]:
        normal = np.array((x, y * np.sqrt(3.0)))
        inner &= np.abs(d @ normal) < 0.25 * (normal**2).sum()
    area = abs(float(np.linalg.det([board.layout.col_px, board.layout.row_px]))) / 4
    counts = np.bincount(mine[inner].astype(np.int64) * 256 + codes[where][inner])
    best = np.full(n, INHERENT_SHARE * area)
    for key in np.flatnonzero(counts).tolist():
        index, code = divmod(key, 256)
        if counts[key] > best[index]:
            filled[index], best[index] = code, counts[key]
    codes[where] = 0
    # Owner −1 takes the last place: no hex.
    inside = np.flatnonzero(np.append(filled >= 0, False)[owner])
    own = np.zeros(256, bool)
    for t in catalogue.types:
        own[t.code] = t.los != "none" or t.below != "none" or t.kind in _OWN or t.in_depiction
    plain = inside[~own[codes[inside]]]
    codes[plain] = filled[owner[plain]]
    return codes, filled


class Cells:
    """Cells of a board and the cell of each pixel."""

    def __init__(
        self,
        board: Board,
        geometry: BoardGrid,
        catalogue: Catalogue,
        codes: NDArray[np.uint8],
        inherent: NDArray[np.int32],
    ) -> None:
        self.board, self.catalogue = board, catalogue
        self.rows: list[dict[str, int]] = []
        owner = board.owner.ravel()
        heights = board.elevation_half.ravel()
        # Roads, water and the like are all the same to a line.
        plain = np.arange(256, dtype=np.uint16)
        plain[[t.code for t in catalogue.types if _is_plain(t)]] = 0
        # Few combinations of code and height exist, so cells are found by ticking them off.
        combo = (plain << 8)[codes] | (heights.view(np.uint8) ^ 128)
        present = _ticked(combo, 1 << 16)
        small = np.zeros(1 << 16, np.int32)
        small[present] = np.arange(len(present))
        key = (owner + 1) * np.int32(len(present))
        key += small[combo]
        total = (len(board.hexes) + 1) * len(present)
        used = _ticked(key, total)
        number = np.zeros(total, np.int32)
        number[used] = np.arange(len(used))
        self.pixels: Pixels = number[key]
        del combo, key
        for k in used.tolist():
            hex_plus, which = divmod(k, len(present))
            code, height = divmod(int(present[which]), 256)
            self._add(hex_plus - 1, code, height - 128, -1)
        self._split_by_side(geometry, codes, owner, heights)
        self.inherent = np.full(len(board.hexes), -1, np.int32)
        for i in np.flatnonzero(inherent >= 0).tolist():
            self.inherent[i] = len(self.rows)
            self._add(i, int(inherent[i]), board.hexes[i].base_half, -1)
        # The fewer bytes a pixel has, the more of the board stays near the processor.
        if len(self.rows) <= 1 << 16:
            self.pixels = self.pixels.astype(np.uint16)

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
        what, below = class_of(t), _below(t)
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
        geometry: BoardGrid,
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
        # One number a combination, in the order of hex, code, height and hexside.
        sides = len(self.board.hexsides) + 1
        key = mine.astype(np.int64) * 256 + codes[where]
        key = key * 256 + (heights[where].astype(np.int64) + 128)
        rows, back = np.unique(key * sides + side + 1, return_inverse=True)
        self.pixels[where] = len(self.rows) + back.ravel()
        for row in rows.tolist():
            rest, k = divmod(row, sides)
            rest, ground = divmod(rest, 256)
            index, code = divmod(rest, 256)
            self._add(index, code, ground - 128, k - 1)

    def _nearest_bar(
        self,
        geometry: BoardGrid,
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


def _ticked(values: NDArray[np.unsignedinteger] | NDArray[np.int32], end: int) -> NDArray[np.intp]:
    """Which of the numbers 0 … end − 1 occur, in ascending order."""
    seen = np.zeros(end, bool)
    seen[values] = True
    return np.flatnonzero(seen)


def _around(
    geometry: BoardGrid, board: Board
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
    return class_of(t) == NONE and _below(t) == NONE and not t.in_depiction


def class_of(t: TerrainType) -> int:
    """Class of a terrain in the compiled board: what a line through its pixels meets.

    Bars, walls and cliffs are met along their length and not by area, so each has a
    class of its own whatever its `los` says.
    """
    if t.kind == "hexside":
        return WALL
    if t.kind == "cliff":
        return CLIFF
    if t.kind in BAR_KINDS:
        return BAR
    return {"none": NONE, "hindrance": HINDRANCE, "obstacle": OBSTACLE}[t.los]


def _below(t: TerrainType) -> int:
    if not t.split_half or t.kind in BAR_KINDS or t.kind == "hexside":
        return class_of(t)
    return {"none": NONE, "hindrance": HINDRANCE, "obstacle": OBSTACLE}[t.below]
