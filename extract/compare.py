"""What was found against what is known to be there, pixel by pixel and hex by hex.

The truth is most often the LOSData that a VASL board's makers stored.  It is an opinion
too (see the notes on its limits in the documentation), but one by hand.  Pixels of grid
lines, hex names and centre dots tell nothing about terrain and are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Board, HexFacts
from hexsight.model.classes import TerrainClasses, bars_comparable, terrain_classes

MOST_CONFUSED = 3  # classes that are named for each class
LEAST_CONFUSED = 0.02  # share of the missed pixels below which a class is not named


@dataclass(frozen=True)
class ClassScore:
    """Pixels of one terrain class.

    Attributes
    ----------
    name : str
    agreed_px, missed_px, false_px : int
        In both; only in the truth; only in what was found.
    taken_for : tuple of (str, int)
        What the missed pixels were taken for, most first.
    really : tuple of (str, int)
        What really is where the class was found falsely, most first.
    """

    name: str
    agreed_px: int
    missed_px: int
    false_px: int
    taken_for: tuple[tuple[str, int], ...] = ()
    really: tuple[tuple[str, int], ...] = ()

    @property
    def truth_px(self) -> int:
        """Pixels that the class really has."""
        return self.agreed_px + self.missed_px

    @property
    def iou(self) -> float:
        """Intersection over union."""
        return self.agreed_px / max(1, self.agreed_px + self.missed_px + self.false_px)


@dataclass(frozen=True)
class Fact:
    """One fact that differs: its name, what was found, what is true."""

    what: str
    found: str
    truth: str

    def __str__(self) -> str:
        return f"{self.what} {self.found}, not {self.truth}"


@dataclass(frozen=True)
class HexDifference:
    """A hex of which something differs.

    Attributes
    ----------
    name : str
    x_px, y_px : float
        Its centre in board pixels.
    facts : tuple of Fact
        Terrain and elevation at the centre dot, building, height, Factory, roofless,
        stairwell, bars on its hexsides; none when it is the pixels alone.
    differing_share : float
        Share of its pixels whose class differs.
    """

    name: str
    x_px: float
    y_px: float
    facts: tuple[Fact, ...]
    differing_share: float


@dataclass(frozen=True)
class Comparison:
    """A board against its truth.

    Attributes
    ----------
    board : str
    compared_px : int
        Pixels in hexes and outside of print.
    agreement, elevation_agreement : float
        Share of them with the same class, the same elevation.
    classes : tuple of ClassScore
        Classes that occur, most pixels of truth first.
    elevations : tuple of (int, int, int)
        Confused elevations in half-levels: found, true, pixels; most first.
    hexes : tuple of HexDifference
        Those of which a fact differs, or most of the pixels; worst first.
    hexes_in_all : int
    bars_agreed, bars_missed, bars_false : int
        Hexsides with a bar.
    """

    board: str
    compared_px: int
    agreement: float
    elevation_agreement: float
    classes: tuple[ClassScore, ...]
    elevations: tuple[tuple[int, int, int], ...]
    hexes: tuple[HexDifference, ...]
    hexes_in_all: int
    bars_agreed: int
    bars_missed: int
    bars_false: int


def compare(
    found: Board, truth: Board, left_out: NDArray[np.bool_] | None = None, *, most: float = 0.5
) -> Comparison:
    """Compare a board with its truth.

    Parameters
    ----------
    found, truth : Board
        Of one picture, with the same hexes.
    left_out : (H, W) bool ndarray, optional
        Pixels that do not count: grid lines and labels.
    most : float
        Share of differing pixels from which a hex is told though its facts agree.

    Raises
    ------
    ValueError
        If the two boards are of different size.
    """
    if found.terrain.shape != truth.terrain.shape:
        raise ValueError("both boards must be of one picture")
    asked = found.owner >= 0
    if left_out is not None:
        asked &= ~left_out
    classes = terrain_classes(found.catalogue)
    here, there = classes.table[found.terrain[asked]], classes.table[truth.terrain[asked]]
    n = len(classes.names)
    matrix = np.bincount(there * n + here, minlength=n * n).reshape(n, n)
    hexes = len(found.hexes)
    owner = found.owner[asked]
    px = np.bincount(owner, minlength=hexes)
    differing = np.bincount(owner[here != there], minlength=hexes) / np.maximum(px, 1)
    total = int(asked.sum())
    rise = _elevations(found.elevation_half[asked], truth.elevation_half[asked])
    wrong_rise = sum(count for _, _, count in rise)
    bars = _bars(found, truth)
    return Comparison(
        board=found.name,
        compared_px=total,
        agreement=float(np.trace(matrix)) / max(1, total),
        elevation_agreement=1.0 - wrong_rise / max(1, total),
        classes=_class_scores(matrix, classes),
        elevations=rise,
        hexes=_hexes(found, truth, classes, differing, bars, most),
        hexes_in_all=hexes,
        bars_agreed=sum(a and b for a, b in bars.values()),
        bars_missed=sum(b and not a for a, b in bars.values()),
        bars_false=sum(a and not b for a, b in bars.values()),
    )


def _class_scores(matrix: NDArray[np.intp], classes: TerrainClasses) -> tuple[ClassScore, ...]:
    """Scores from a confusion matrix: rows are the truth, columns what was found."""
    scores = []
    for k, name in enumerate(classes.names):
        agreed = int(matrix[k, k])
        missed, false = matrix[k].copy(), matrix[:, k].copy()
        missed[k] = false[k] = 0
        if agreed + missed.sum() + false.sum() == 0:
            continue
        scores.append(
            ClassScore(
                name,
                agreed,
                int(missed.sum()),
                int(false.sum()),
                _most(missed, classes.names),
                _most(false, classes.names),
            )
        )
    return tuple(sorted(scores, key=lambda s: (-s.truth_px, -s.false_px, s.name)))


def _most(counts: NDArray[np.intp], names: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    order = np.argsort(-counts, kind="stable")[:MOST_CONFUSED]
    least = LEAST_CONFUSED * counts.sum()
    return tuple((names[k], int(counts[k])) for k in order if counts[k] > max(0, least))


def _elevations(
    found: NDArray[np.int8], truth: NDArray[np.int8]
) -> tuple[tuple[int, int, int], ...]:
    wrong = found != truth
    keys = (found[wrong].astype(np.int64) + 128) * 256 + truth[wrong].astype(np.int64) + 128
    pairs, counts = np.unique(keys, return_counts=True)
    listed = [
        (int(p) // 256 - 128, int(p) % 256 - 128, int(c))
        for p, c in zip(pairs, counts, strict=True)
    ]
    return tuple(sorted(listed, key=lambda e: (-e[2], e)))


def _bars(found: Board, truth: Board) -> dict[tuple[str, str], tuple[bool, bool]]:
    """By hexside: whether a bar was found, whether one is there."""
    out: dict[tuple[str, str], tuple[bool, bool]] = {}
    for side in found.hexsides:
        other = truth.side_by_name.get(side.name)
        if other is None or not (side.bar or other.bar):
            continue
        here, there = bool(side.bar), bool(other.bar)
        if bars_comparable(side, other):
            out[side.a, side.b] = (here, there)
    return out


def _hexes(
    found: Board,
    truth: Board,
    classes: TerrainClasses,
    differing: NDArray[np.float64],
    bars: dict[tuple[str, str], tuple[bool, bool]],
    most: float,
) -> tuple[HexDifference, ...]:
    wrong_bars: dict[str, list[Fact]] = {}
    for (a, b), (here, there) in bars.items():
        if here != there:
            fact = Fact(f"bar {a}-{b}", _yes(here), _yes(there))
            wrong_bars.setdefault(a, []).append(fact)
            wrong_bars.setdefault(b, []).append(fact)
    out = []
    for i, h in enumerate(found.hexes):
        other = truth.by_name.get(h.name)
        if other is None:
            continue
        facts = _facts(found, truth, h, other, classes) + wrong_bars.get(h.name, [])
        share = round(float(differing[i]), 3)
        if facts or share > most:
            out.append(HexDifference(h.name, h.x_px, h.y_px, tuple(facts), share))
    order = {h.name: i for i, h in enumerate(found.hexes)}
    return tuple(sorted(out, key=lambda d: (-len(d.facts), -d.differing_share, order[d.name])))


def _facts(
    found: Board, truth: Board, h: HexFacts, other: HexFacts, classes: TerrainClasses
) -> list[Fact]:
    here, there = (classes.names[classes.table[x.terrain]] for x in (h, other))
    facts = [("terrain", here, there)]
    buildings = (found.building_by_id.get(h.building), truth.building_by_id.get(other.building))
    materials = [b.material if b else "none" for b in buildings]
    facts.append(("building", materials[0], materials[1]))
    if all(buildings):
        facts.append(("height", _levels(h.height_half), _levels(other.height_half)))
        facts.append(("Factory", _yes(h.factory), _yes(other.factory)))
    facts.append(("roofless", _yes(h.roofless), _yes(other.roofless)))
    facts.append(("elevation", _levels(h.base_half), _levels(other.base_half)))
    stairs = (found.joins_levels(h), truth.joins_levels(other))
    facts.append(("stairwell", _yes(stairs[0]), _yes(stairs[1])))
    return [Fact(what, a, b) for what, a, b in facts if a != b]


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _levels(half: int) -> str:
    return f"{half / 2:g}"
