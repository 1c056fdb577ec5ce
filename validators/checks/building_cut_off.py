"""Check building/cut-off."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Board, HexFacts
from hexsight.model.layout import neighbour
from hexsight.model.terrain import DEPICTION_KINDS
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

# In row spacings: how far beside the hexside the two bands lie, clear of a printed line.
BESIDE = (0.05, 0.08, 0.12)
FULL, EMPTY = 0.9, 0.05
SAMPLES = 24


@check(
    id="building/cut-off",
    severity=Severity.WARN,
    needs=("board",),
    title="A building ends along the hexsides of a hex that lies in its middle",
    what="""A hex has no building, and on two of its sides that do not meet a building
        reaches up to the whole hexside and ends there.""",
    why="""Roofs are not cut along hexsides. The hex in the middle was missed or
        wiped, and the building is split in two: there is open ground in its midst and
        two heights instead of one.""",
    example="""The building in K14 and K16 ends along two hexsides of K15.""",
    how_to_mend="""Fill the hex with the line of the finding, or, if there is a yard,
        leave it.""",
    options={"share": "smallest share of a hexside that a building must fill"},
)
def cut_off(subject: Subject, *, share: float = FULL) -> Iterator[Problem]:
    board = subject.board
    assert board is not None
    roof = board.catalogue.table(kind=DEPICTION_KINDS)[board.terrain]
    for facts in board.hexes:
        if facts.building:
            continue
        cut = []
        for direction in range(6):
            other = board.by_offset.get(neighbour(facts.col, facts.row, direction))
            if other is None or not other.building:
                continue
            outside = _filled(board, roof, facts, other, 1)
            inside = _filled(board, roof, facts, other, -1)
            if outside >= share and inside <= EMPTY:
                cut.append((direction, other))
        # A building that turns a corner round the hex has two sides that meet.
        if not any(2 <= (b - a) % 6 <= 4 for a, _ in cut for b, _ in cut):
            continue
        building = board.building_by_id[cut[0][1].building]
        names = " and ".join(other.name for _, other in cut)
        yield Problem(
            f"{facts.name} has no building, and the building in {names} ends along its hexsides. "
            "Fill the hex, if its roof was missed.",
            hex=facts.name,
            pixel=(facts.x_px, facts.y_px),
            confidence=0.8,
            settle=f"hexes: {{{facts.name}: {{building: {building.material}}}}}",
        )


def _filled(
    board: Board, roof: NDArray[np.bool_], facts: HexFacts, other: HexFacts, way: int
) -> float:
    """Share of building pixels in a band beside a hexside: `way` 1 beyond it, −1 inside."""
    here = np.array([facts.x_px, facts.y_px])
    step = np.array([other.x_px, other.y_px]) - here
    length = math.hypot(*step)
    unit = step / length
    along = np.array([-unit[1], unit[0]])
    # The middle two thirds of the hexside, which is as long as a hex is wide by √3.
    t = np.linspace(-1 / 3, 1 / 3, SAMPLES) * length / math.sqrt(3)
    points = [here + step / 2 + way * d * length * unit + np.outer(t, along) for d in BESIDE]
    at = np.rint(np.concatenate(points)).astype(np.int64)
    height, width = roof.shape
    inside = (at[:, 0] >= 0) & (at[:, 1] >= 0) & (at[:, 0] < width) & (at[:, 1] < height)
    if not inside.all():
        return 0.0 if way > 0 else 1.0
    return float(roof[at[:, 1], at[:, 0]].mean())
