"""Wrecks on roads in the modern platoon game.

Wrecks are a set of hexes: one marker stands for any number, blocks the road of its hex and is
never removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from hexsight.los.overlay import Overlay
from hexsight.model.board import Board, HexFacts
from hexsight.model.errors import UsageError
from hexsight.model.layout import direction_to

ROAD_KINDS = frozenset({"road", "bridge"})
# How far on either side of a hexside, and how much of it, a road is looked for: as shares of
# the hex height (flat to flat), and of the hexside.
ACROSS = 0.08
SAMPLES = 41
LEAST_SAMPLES = 2


@dataclass(frozen=True)
class Entered:
    """A hex that a vehicle entered.

    Attributes
    ----------
    hex : str
    by_road : bool
        Whether it paid for the road.
    cost : float
        Movement paid.
    stops : bool
        Whether a wreck on the road ends its movement here.
    """

    hex: str
    by_road: bool
    cost: float
    stops: bool = False


def add_wreck(board: Board, wrecks: Iterable[str], hex_: str) -> frozenset[str]:
    """The wrecks after a vehicle was lost in a hex."""
    return frozenset(wrecks) | {board.hex(hex_).name}


def wrecks_of(overlay: Overlay) -> frozenset[str]:
    """Hexes with a wreck in an overlay file."""
    return frozenset(v.at.partition("@")[0] for v in overlay.vehicles if v.wreck)


def road_between(board: Board, a: str, b: str) -> bool:
    """Whether a printed road crosses the hexside between two adjacent hexes."""
    one, other = board.hex(a), board.hex(b)
    direction = direction_to((one.col, one.row), (other.col, other.row))
    if direction is None:
        return False
    ends = board.layout.side(one.col, one.row, direction)
    way = np.array([other.x_px - one.x_px, other.y_px - one.y_px])
    off = way / np.hypot(*way) * ACROSS * board.layout.dy
    along = ends[0] + np.linspace(0.0, 1.0, SAMPLES)[:, None] * (ends[1] - ends[0])
    road = board.catalogue.table(kind=ROAD_KINDS)
    hits = np.ones(SAMPLES, bool)
    for shift in (-1.0, 0.0, 1.0):
        x, y = np.rint(along + shift * off).astype(int).T
        width, height = board.size_px
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        codes = board.terrain[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
        hits &= inside & road[codes]
    return int(np.count_nonzero(hits)) >= LEAST_SAMPLES


def beside_road(board: Board, hex_: str) -> str:
    """Name of the terrain of a hex beside its road: what most of it is, roads left out."""
    facts = board.hex(hex_)
    codes = board.terrain[board.owner == board.hexes.index(facts)]
    other = codes[~board.catalogue.table(kind=ROAD_KINDS)[codes]]
    code = int(np.bincount(other).argmax()) if other.size else facts.terrain
    return board.catalogue[code].name


def drive(
    board: Board,
    start: str,
    way: Iterable[tuple[str, bool]],
    wrecks: Iterable[str],
    *,
    road_cost: float,
    costs: Mapping[str, float | None],
    bypassing: bool = False,
) -> tuple[Entered, ...]:
    """What a vehicle pays on its way, and where wrecks stop it.

    Parameters
    ----------
    board : Board
    start : str
        Hex in which it begins.
    way : iterable of (str, bool)
        Each hex entered, and whether along the road.
    wrecks : iterable of str
        Hexes with a wreck marker.
    road_cost : float
        Of a hex entered by road.
    costs : mapping of str to float or None
        Of other terrain by the name of its type; None where vehicles cannot enter it.
    bypassing : bool
        Whether it passed a wreck beside the road when it came to `start`.

    Returns
    -------
    tuple of Entered
        By road into a hex with a wreck it stops there.  Beside the road it passes the wreck
        at full cost, and pays full cost into the next hex too, road or not.

    Raises
    ------
    UsageError
        If hexes do not touch, no road leads on, terrain cannot be entered or has no cost,
        or it goes on where it had to stop.
    """
    blocked = {board.hex(name).name for name in wrecks}
    out: list[Entered] = []
    here = board.hex(start)
    for name, on_road in way:
        there = board.hex(name)
        if out and out[-1].stops:
            raise UsageError(f"The vehicle must stop in {here.name}: a wreck blocks its road.")
        _check_step(board, here, there, on_road=on_road)
        if on_road and not bypassing:
            stops = there.name in blocked
            out.append(Entered(there.name, True, road_cost, stops))
        else:
            out.append(Entered(there.name, False, _full_cost(board, there, costs)))
        bypassing = there.name in blocked and not out[-1].by_road
        here = there
    return tuple(out)


def _check_step(board: Board, here: HexFacts, there: HexFacts, *, on_road: bool) -> None:
    if direction_to((here.col, here.row), (there.col, there.row)) is None:
        raise UsageError(f"A vehicle cannot go from {here.name} to {there.name}: no common side.")
    if on_road and not road_between(board, here.name, there.name):
        raise UsageError(f"No road leads from {here.name} to {there.name}.")


def _full_cost(board: Board, there: HexFacts, costs: Mapping[str, float | None]) -> float:
    terrain = beside_road(board, there.name)
    if terrain not in costs:
        raise UsageError(f"No cost was passed for {terrain}, the terrain of {there.name}.")
    cost = costs[terrain]
    if cost is None:
        raise UsageError(f"A vehicle cannot enter {there.name} beside its road: {terrain}.")
    return cost
