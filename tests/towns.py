"""Small drawn towns, and corrections to them, for tests of what follows a correction."""

from __future__ import annotations

import random
from dataclasses import fields
from typing import Any

import numpy as np
from painted import BAR, DIRT, FLOOR, HEDGE, STONE, WOOD, Painted

from hexsight.model.board import Board, Survey
from hexsight.model.derive import Concluded
from hexsight.model.layout import Layout
from hexsight.model.outlines import BuildingOverride
from hexsight.model.overrides import HexOverride, HexsideOverride, Overrides


def differences(one: Concluded, other: Concluded) -> list[str]:
    """Names of the parts in which two conclusions differ."""
    out = []
    for field in fields(Board):
        a, b = getattr(one.board, field.name), getattr(other.board, field.name)
        if not (np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b):
            out.append(field.name)
    if not np.array_equal(one.depiction.ids, other.depiction.ids):
        out.append("ids")
    if one.depiction.windows != other.depiction.windows:
        out.append("windows")
    return out if np.array_equal(one.painted, other.painted) else [*out, "painted"]


def town(seed: int) -> Survey:
    """A board of scattered houses, factories with open floors, bars, roads and stairs."""
    r = random.Random(seed)
    layout = Layout.from_grid(17.3, 20.0 + r.random(), 11.0, 10.0)
    painted = Painted(20, 16, layout=layout)
    names = [c.name for c in painted.cells]
    for _ in range(r.randint(4, 14)):
        x, y = painted.layout.centre(*painted.where[r.choice(names)])
        wide, high = r.choice([(120, 4), (5, 90)])
        painted.box(x - wide, y - high, x + wide, y + high, r.choice([DIRT, DIRT, HEDGE]))
    for _ in range(r.randint(6, 24)):
        at = r.choice(names)
        code = r.choice([STONE, STONE, WOOD])
        painted.hexes(at, code=code, grow=r.choice([0.5, 0.8, 1.0, 1.1]))
        if r.random() < 0.5:
            x, y = painted.layout.centre(*painted.where[at])
            painted.box(x - 3, y - 3, x + 30, y + 24, code)
        if r.random() < 0.3:
            painted.hexes(at, code=FLOOR, grow=0.5)
        if r.random() < 0.3:
            painted.stairs(at)
    for _ in range(r.randint(0, 10)):
        col, row = painted.where[r.choice(names)]
        if (col, row + 1) in painted.where.values():
            a = painted.cells[col * 16 + row].name
            b = painted.cells[col * 16 + row + 1].name
            painted.side(a, b, BAR, width=3.0)
    return painted.survey()


def correction(r: random.Random, board: Board, now: Overrides) -> Overrides:
    """The overrides with one more, or one less."""
    hexes, sides, buildings = dict(now.hexes), dict(now.hexsides), dict(now.buildings)
    kind = r.random()
    if kind < 0.15 and (hexes or sides or buildings):
        part = r.choice([p for p in (hexes, sides, buildings) if p])
        part.pop(r.choice(sorted(part)))
    elif kind < 0.6:
        built = [h for h in board.hexes if h.building]
        fact = r.choice(built if built and r.random() < 0.7 else list(board.hexes))
        place = (round(fact.x_px + 2.4, 1), round(fact.y_px - 3.3, 1))
        said: list[dict[str, Any]] = [
            {"terrain": r.choice(["Woods", "Open Ground", "Dirt Road", "Grain"])},
            {"building": r.choice(["stone", "wood", "none"])},
            {"height": r.choice([1, 1.5, 2.5])},
            {"level": r.choice([0, 1])},
            {"roofless": r.choice([True, False])},
            {"stairwell": r.choice([True, False, place])},
            {"road_entry": r.choice([True, False, place])},
            {"factory": r.choice([True, False])},
            {"vehicular_entrance": True},
        ]
        hexes[fact.name] = HexOverride.model_validate(r.choice(said))
    elif kind < 0.85 or not board.buildings:
        side = r.choice(board.hexsides)
        bar: Any = r.choice(["full", "none", (0.0, 0.5), (0.3, 0.8), None])
        terrain = r.choice(["Hedge", "none", None])
        sides[side.name] = HexsideOverride(bar=bar, terrain=terrain)
    else:
        building = r.choice(board.buildings)
        ring = [list(p) for p in building.rings[0][:-1]]
        corner = r.choice(ring)
        corner[0] += r.randint(-9, 9)
        corner[1] += r.randint(-9, 9)
        inside = building.polygon.representative_point()
        try:
            one = BuildingOverride(
                outline=tuple((x, y) for x, y in ring), material=building.material
            )
        except ValueError:
            return now
        buildings[f"{inside.x:.0f} {inside.y:.0f}"] = one
    return Overrides(hexes=hexes, hexsides=sides, buildings=buildings)
