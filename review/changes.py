"""What a step changed on a board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Board

Window = tuple[int, int, int, int]


@dataclass(frozen=True)
class Change:
    """The difference that a step made.

    Attributes
    ----------
    version : int
        Of the board after it.
    label : str
        What was done, in words.
    hexes, hexsides : tuple of str
        Whose facts or pixels are others than before.
    buildings, roofless, stairwells : bool
        Whether any of them changed.
    grid : bool
        Whether the map was read on another grid: everything is new.
    findings : bool
        Whether findings or what is accepted may have changed.
    window : (x0, y0, x1, y1) or None
        Pixels of the terrain and elevation rasters that changed, end not counted.
    undo, redo : int
        Steps that can be undone and done again.
    """

    version: int
    label: str
    hexes: tuple[str, ...] = ()
    hexsides: tuple[str, ...] = ()
    buildings: bool = False
    roofless: bool = False
    stairwells: bool = False
    grid: bool = False
    findings: bool = True
    window: Window | None = None
    undo: int = 0
    redo: int = 0

    def to_json(self) -> dict[str, Any]:
        """As the page takes it."""
        return {
            "version": self.version,
            "label": self.label,
            "hexes": list(self.hexes),
            "hexsides": list(self.hexsides),
            "buildings": self.buildings,
            "roofless": self.roofless,
            "stairwells": self.stairwells,
            "grid": self.grid,
            "findings": self.findings,
            "window": list(self.window) if self.window is not None else None,
            "undo": self.undo,
            "redo": self.redo,
        }


def change_between(
    before: Board, after: Board, *, version: int, label: str, undo: int, redo: int
) -> Change:
    """Compare two boards of one map."""
    if before.layout != after.layout or [h.name for h in before.hexes] != [
        h.name for h in after.hexes
    ]:
        return Change(
            version,
            label,
            tuple(h.name for h in after.hexes),
            tuple(s.name for s in after.hexsides),
            buildings=True,
            roofless=True,
            stairwells=True,
            grid=True,
            window=(0, 0, *after.size_px),
            undo=undo,
            redo=redo,
        )
    other = before.terrain != after.terrain
    if before.elevation_half is not after.elevation_half:
        other |= before.elevation_half != after.elevation_half
    touched = np.unique(after.owner[other])
    names = {after.hexes[i].name for i in touched.tolist() if i >= 0}
    for a, b in zip(before.hexes, after.hexes, strict=True):
        # A number that shifts, since a building before it went, is no other fact.
        if a != b and a != replace(b, building=a.building if b.building else 0):
            names.add(b.name)
    return Change(
        version,
        label,
        tuple(h.name for h in after.hexes if h.name in names),
        tuple(b.name for a, b in zip(before.hexsides, after.hexsides, strict=True) if a != b),
        buildings=before.buildings != after.buildings,
        roofless=before.roofless != after.roofless,
        stairwells=before.stairwells != after.stairwells,
        window=_window(other),
        undo=undo,
        redo=redo,
    )


def _window(mask: NDArray[np.bool_]) -> Window | None:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
