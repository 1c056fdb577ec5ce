"""Boards from their makers' LOSData, and the stored answers of the engine that players use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.boardarchive import read_board_archive
from hexsight.los.table import Table
from hexsight.model.board import Board, Cell, Mark, Survey
from hexsight.model.derive import derive


@lru_cache(maxsize=2)
def board_of(shared: Path, name: str) -> Board:
    """Model of a shared board, from its LOSData on the nominal grid."""
    archive = read_board_archive(shared / "boards" / name)
    losdata = archive.losdata()
    assert losdata is not None
    cells = tuple(Cell(*hex_) for hex_ in archive.hexes(losdata.size_px))
    stairs = archive.stairways(losdata, losdata.size_px)
    marks = tuple(
        Mark(*archive.layout.centre(c.col, c.row), 6.0) for c in cells if c.name in stairs
    )
    return derive(
        Survey(
            name,
            archive.layout,
            cells,
            losdata.terrain,
            (losdata.elevation * 2).astype(np.int8),
            typed=True,
            stairwells=marks,
        )
    )


@dataclass(frozen=True, eq=False)
class Comparison:
    """Our answers beside the stored ones, for Locations that both know.

    Pairs on which the engine failed or contradicts itself from the two ends
    are left out.
    """

    ours: NDArray[np.uint8]
    blocked: NDArray[np.bool_]
    hindrance: NDArray[np.uint8]
    ground: NDArray[np.bool_]
    names: NDArray[np.str_]
    pairs: NDArray[np.intp]

    @property
    def agree(self) -> NDArray[np.bool_]:
        """Same state, blocked or not."""
        same: NDArray[np.bool_] = (self.ours >= 128) == self.blocked
        return same

    def share(self, *, ground_only: bool) -> float:
        """Share of pairs with the same state."""
        which = self.ground if ground_only else np.ones(len(self.ours), bool)
        return float(self.agree[which].mean())

    def hindrance_share(self) -> float:
        """Share of equal Hindrance among the pairs that both call clear."""
        both = ~self.blocked & (self.ours < 128)
        return float((self.ours[both] == self.hindrance[both]).mean())


def their_names(answers: dict[str, NDArray[np.generic]], ours: set[str]) -> list[str]:
    """The engine's Locations in our spelling."""
    count: dict[str, int] = {}
    for hex_ in answers["hex"]:
        count[str(hex_)] = count.get(str(hex_), 0) + 1
    out, seen = [], set()
    for hex_, level, terrain in zip(
        answers["hex"].tolist(), answers["level"].tolist(), answers["terrain"].tolist(), strict=True
    ):
        bridge = f"{hex_}@bridge" in ours and ("Bridge" in terrain or count[hex_] == 1)
        if terrain in ("Rooftop", "Cellar"):
            name = f"{hex_}@roof" if terrain == "Rooftop" else f"{hex_}@-1"
        elif bridge:
            name = f"{hex_}@bridge"
        else:
            name = f"{hex_}@{level}" if level > 0 and hex_ in seen else hex_
        seen.add(hex_)
        out.append(name)
    return out


def compare(shared: Path, name: str, table: Table) -> Comparison:
    """Our table of a shared board beside the stored answers."""
    with np.load(shared / "los" / f"{name}.npz") as file:
        answers = {key: file[key] for key in file.files}
    names = their_names(answers, set(table.names))
    both = [(i, table.index[n]) for i, n in enumerate(names) if n in table.index]
    theirs, ours = (np.array(column) for column in zip(*both, strict=True))
    i, j = np.triu_indices(len(both), 1)
    kept = np.array([names[k] for k in theirs])
    at_theirs, at_ours = (
        np.minimum(p[i], p[j]) * (2 * n - np.minimum(p[i], p[j]) - 1) // 2
        + np.maximum(p[i], p[j])
        - np.minimum(p[i], p[j])
        - 1
        for p, n in ((theirs, len(names)), (ours, len(table.names)))
    )
    valid = (answers["failed"][at_theirs] == 0) & (answers["blocked"][at_theirs] != 2)
    plain = np.array(["@" not in n for n in kept])
    return Comparison(
        table.answers[at_ours][valid],
        answers["blocked"][at_theirs][valid] == 1,
        answers["hindrance"][at_theirs][valid],
        (plain[i] & plain[j])[valid],
        kept,
        np.stack([i, j], axis=1)[valid],
    )
