"""The board that a scenario has made of a printed one: rubble, fallen roofs, gutted Factories."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hexsight.los.overlay import Overlay
from hexsight.model.board import Board, HexFacts, HexsideFacts, parse_hexside, side_vertices
from hexsight.model.errors import UsageError
from hexsight.model.layout import direction_to, neighbour
from hexsight.model.terrain import BAR_KINDS, DEPICTION_KINDS, Catalogue, TerrainType

# Rubble at ground level is a half-level obstacle (B24.2).
RUBBLE_HALF = 1
# Kinds of a Factory's inside, which a fallen roof lays open; its walls and bars stay (O5.5).
_ROOFED = frozenset({"factory"})
# What a road, a stream or a bridge is stays when rubble falls on the hex around it.
_KEPT = frozenset({"road", "bridge", "water", "depression"})


def apply_overlay(board: Board, overlay: Overlay) -> Board:
    """A board after what a scenario did to its buildings.

    Parameters
    ----------
    board : Board
        As printed; not changed.
    overlay : Overlay

    Returns
    -------
    Board
        `board` itself where nothing about its terrain changes.  A rubbled hex
        has no building, upper levels or rooftop any more; buildings keep their
        list of hexes as printed, so that what is left of a multi-hex building
        keeps its rooftop and cellar Locations (B23.8).

    Raises
    ------
    UsageError
        If a hex or hexside does not exist, or is not what the rule needs: a
        Factory hex for a fallen roof (O5.4) or a Gutted Factory (O5.5), a
        building for rubble (B24.1), a hexside with a bar for a Breach (O5.33),
        an adjacent hex for falling rubble (B24.121).

    Notes
    -----
    Rubble fills its hex (B24.2, inherent).  A bar between two rubbled hexes
    ceases to exist, one with rubble on one side only stays (O5.34).  Each hex
    of a Gutted Factory is roofless, walls and height unchanged (O5.5, O5.52);
    a rubbled hex of it is rubble (the exceptions of O5.51 and O5.52).
    """
    check_overlay(board, overlay)
    opened, rubbled = _opened(board, overlay), _rubbled(board, overlay)
    if not opened and not rubbled:
        return board
    opened -= set(rubbled)
    terrain = board.terrain.copy()
    catalogue = board.catalogue
    index = {h.name: i for i, h in enumerate(board.hexes)}
    gone = {s.name for s in board.hexsides if s.bar and s.a in rubbled and s.b in rubbled}
    for name in sorted(opened):
        facts = board.by_name[name]
        inside = _pixels(board, index[name])
        floor = _roofless_code(catalogue, facts.height_half)
        inside &= catalogue.table(kind=_ROOFED)[terrain]
        terrain[inside] = floor
    for name, material in sorted(rubbled.items()):
        terrain = _bury(board, terrain, index[name], _rubble_code(catalogue, material), gone)
    hexes = tuple(_hex(board, h, opened, rubbled) for h in board.hexes)
    sides = tuple(_side(s, gone) for s in board.hexsides)
    return replace(board, terrain=terrain, hexes=hexes, hexsides=sides)


def check_overlay(board: Board, overlay: Overlay) -> None:
    """Look up all hexes and hexsides that an overlay names.

    Raises
    ------
    UsageError
        As `apply_overlay`.
    """
    _opened(board, overlay)
    _rubbled(board, overlay)
    _check_breaches(board, overlay)
    for cloud in (*overlay.smoke, *overlay.blazes):
        board.hex(cloud.hex)


def _opened(board: Board, overlay: Overlay) -> set[str]:
    """Names of the hexes whose roof is gone (O5.4, O5.52)."""
    out = set()
    for given in overlay.collapsed:
        facts = board.hex(given)
        if not facts.factory:
            raise UsageError(
                f"roof_collapse: hex {facts.name} of board {board.name} is in no Factory. "
                "Only a Factory's roof falls in (O5.4); a house becomes rubble."
            )
        out.add(facts.name)
    for given in overlay.gutted:
        facts = board.hex(given)
        if not facts.factory:
            raise UsageError(
                f"gutted: hex {facts.name} of board {board.name} is in no Factory (O5.5). "
                "Name any hex of the Factory."
            )
        out |= {h.name for h in board.hexes if h.building == facts.building and h.factory}
    return out


def _rubbled(board: Board, overlay: Overlay) -> dict[str, str]:
    """Material of the rubble by name of the hex; stone over wood where both fell (B24.2)."""
    out: dict[str, str] = {}
    for rubble in overlay.rubble:
        facts = board.hex(rubble.hex)
        if not facts.building and board.catalogue[facts.terrain].kind != "rubble":
            raise UsageError(
                f"rubble: hex {facts.name} of board {board.name} has no building that could fall "
                "(B24.1). Name the hex of the building, and this one under its 'into'."
            )
        around = [facts]
        for given in rubble.into:
            other = board.hex(given)
            if direction_to((facts.col, facts.row), (other.col, other.row)) is None:
                raise UsageError(
                    f"rubble: {other.name} does not touch {facts.name}; rubble falls into "
                    "adjacent hexes (B24.121)."
                )
            around.append(other)
        for hex_ in around:
            if out.get(hex_.name) != "stone":
                out[hex_.name] = rubble.material
    return out


def _check_breaches(board: Board, overlay: Overlay) -> None:
    offsets = {h.name: (h.col, h.row) for h in board.hexes}
    for given in sorted(overlay.breached):
        first, second, _ = parse_hexside(given, offsets)
        name = f"{board.by_offset[first].name}-{board.by_offset[second].name}"
        if not board.side_by_name[name].bar:
            raise UsageError(
                f"breach: hexside {name} of board {board.name} has no bar to be Breached (O5.33). "
                "Draw it with an override if it is printed."
            )


def _pixels(board: Board, index: int) -> NDArray[np.bool_]:
    mask: NDArray[np.bool_] = board.owner == index
    return mask


def _roofless_code(catalogue: Catalogue, height_half: int) -> int:
    """Open floor of a Factory of a height; the nearest one in the catalogue."""
    kinds = [t for t in catalogue.types if t.kind == "roofless"]
    if not kinds:
        raise UsageError("The terrain catalogue has no Roofless Factory; add a type of that kind.")
    return min(kinds, key=lambda t: (abs(t.split_half + 1 - height_half), t.code)).code


def _rubble_code(catalogue: Catalogue, material: str) -> int:
    return catalogue.find("rubble", material=material, height_half=RUBBLE_HALF).code


def _stays(t: TerrainType) -> bool:
    """Whether rubble leaves a type be that is in no building."""
    return t.los != "none" or t.below != "none" or t.kind in _KEPT


def _bury(
    board: Board, terrain: NDArray[np.uint8], index: int, code: int, gone: set[str]
) -> NDArray[np.uint8]:
    """Fill a hex with rubble; bars stay but for those of hexsides in `gone` (O5.34)."""
    catalogue = board.catalogue
    mine = _pixels(board, index)
    bars = catalogue.table(kind=BAR_KINDS)[terrain] & mine
    depiction = catalogue.table(kind=DEPICTION_KINDS)
    stays = np.zeros(256, bool)
    for t in catalogue.types:
        stays[t.code] = _stays(t) and not depiction[t.code]
    out = terrain.copy()
    out[mine & ~bars & ~stays[terrain]] = code
    ys, xs = np.nonzero(bars)
    if len(xs) and gone:
        nearest = _nearest_sides(board, index, np.stack([xs, ys], axis=1))
        falls = np.array([name in gone for name in nearest])
        out[ys[falls], xs[falls]] = code
    return out


def _nearest_sides(board: Board, index: int, points: NDArray[np.int64]) -> list[str]:
    """Hexside with a bar nearest to each pixel, among the sides and hexspines of a hex."""
    names: list[str] = []
    gaps = []
    for side in _around(board, board.hexes[index]):
        a = board.by_name[side.a]
        ends = board.layout.lattice_to_pixel(side_vertices((a.col, a.row), side.direction))
        p, q = ends[0], ends[1]
        t = np.clip(((points - p) @ (q - p)) / ((q - p) @ (q - p)), 0, 1)
        gaps.append(np.hypot(*(points - (p + t[:, None] * (q - p))).T))
        names.append(side.name)
    if not names:
        return [""] * len(points)
    best = np.argmin(np.stack(gaps), axis=0)
    return [names[k] for k in best.tolist()]


def _around(board: Board, facts: HexFacts) -> Iterable[HexsideFacts]:
    """Sides and hexspines of a hex that carry a bar."""
    ring = [neighbour(facts.col, facts.row, k) for k in range(6)]
    pairs = [((facts.col, facts.row), other) for other in ring]
    pairs += [(ring[k - 1], ring[k]) for k in range(6)]
    for one, other in pairs:
        if one in board.by_offset and other in board.by_offset:
            name = f"{board.by_offset[one].name}-{board.by_offset[other].name}"
            side = board.side_by_name.get(name)
            if side is not None and side.bar:
                yield side


def _hex(board: Board, facts: HexFacts, opened: set[str], rubbled: dict[str, str]) -> HexFacts:
    if facts.name in rubbled:
        return replace(
            facts,
            terrain=_rubble_code(board.catalogue, rubbled[facts.name]),
            building=0,
            building_share=0.0,
            roofless_share=0.0,
            factory=False,
            roofless=False,
            stairwell=False,
            vehicular_entrance=False,
            height_half=0,
        )
    if facts.name in opened:
        here = board.catalogue[facts.terrain]
        floor = _roofless_code(board.catalogue, facts.height_half)
        return replace(
            facts,
            roofless=True,
            roofless_share=facts.building_share,
            terrain=floor if here.kind in _ROOFED else facts.terrain,
        )
    return facts


def _side(side: HexsideFacts, gone: set[str]) -> HexsideFacts:
    if side.name not in gone:
        return side
    return replace(side, bar=(), bar_share=0.0, vertices=(), bar_half=0)
