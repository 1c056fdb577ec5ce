"""Tints of the layers that lie over the map as pictures, and what they mean.

Colours of Okabe and Ito, and for elevations and confidence a scale from blue to orange
whose lightness says the same: people with any colour blindness tell them apart.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.export.lettering import half_levels
from hexsight.model.board import Board

Colour = tuple[int, int, int]

_TERRAIN: dict[str, tuple[str, Colour]] = {
    "woods": ("woods", (0, 120, 60)),
    "orchard": ("orchard", (150, 190, 0)),
    "growth": ("grain, brush, marsh", (240, 228, 66)),
    "rubble": ("rubble", (213, 94, 0)),
    "rough": ("rough, debris, graveyard", (160, 110, 60)),
    "water": ("water", (0, 100, 190)),
    "depression": ("gully, stream", (0, 190, 255)),
    "road": ("road", (204, 121, 167)),
    "bridge": ("bridge", (255, 0, 144)),
    "entrenchment": ("trench", (120, 70, 20)),
    "stone": ("stone building", (86, 180, 233)),
    "wood": ("wooden building", (230, 159, 0)),
    "market": ("market place", (150, 90, 200)),
    "factory": ("Factory", (0, 70, 150)),
    "roofless": ("roofless floor", (170, 215, 240)),
    "bar": ("bar", (0, 0, 0)),
    "hexside": ("wall, hedge, cliff", (0, 158, 115)),
    "other": ("other", (120, 120, 120)),
    "unknown": ("unknown code", (255, 0, 0)),
}
_OPEN = frozenset({"open", "town", "cellar", "rooftop"})
_GROUPS = {
    "factory-wall": "factory",
    "interior-wall": "bar",
    "rowhouse-wall": "bar",
    "cliff": "hexside",
    "slope": "hexside",
    "stream": "hexside",
    "fence": "hexside",
}
_TINT = 150  # of 255: the print stays legible below
_LOW: Colour = (8, 60, 160)
_MIDDLE: Colour = (235, 235, 235)
_HIGH: Colour = (180, 70, 0)
# Below this nobody is sure of a pixel; from there on it fades away.
_SURE = 230


@dataclass(frozen=True)
class Swatch:
    """One line of a layer's key."""

    label: str
    colour: Colour

    def to_json(self) -> dict[str, str]:
        """Label and ``#rrggbb``."""
        return {"label": self.label, "colour": "#{:02x}{:02x}{:02x}".format(*self.colour)}


@dataclass(frozen=True, eq=False)
class Palette:
    """Tint (256, 4) uint8 RGBA of each byte of a raster, and its key."""

    table: NDArray[np.uint8]
    key: tuple[Swatch, ...]


def _group(board: Board, code: int) -> str:
    kind = board.catalogue[code]
    if kind.kind == "building":
        return "wood" if kind.material == "wood" else "stone"
    group = _GROUPS.get(kind.kind, kind.kind)
    return group if group in _TERRAIN or group in _OPEN else "other"


def terrain_palette(board: Board) -> Palette:
    """By kind of terrain, open ground clear; the key names what occurs on the board."""
    table = np.zeros((256, 4), np.uint8)
    # Ten times as fast as numpy's count, and asked after every correction.
    counts = cv2.calcHist([board.terrain], [0], None, [256], [0, 256])
    present = np.flatnonzero(counts).tolist()
    groups = {code: _group(board, code) for code in range(256)}
    for code, group in groups.items():
        if group not in _OPEN:
            table[code] = (*_TERRAIN[group][1], _TINT)
    seen = {groups[code] for code in present}
    return Palette(table, tuple(Swatch(*told) for name, told in _TERRAIN.items() if name in seen))


def elevation_palette(board: Board) -> Palette:
    """By half-level, as bytes ``elevation_half + 128``: blue below 0, orange above."""
    table = np.zeros((256, 4), np.uint8)
    found = np.unique(board.elevation_half).tolist()
    reach = max(4, *(abs(int(level)) for level in found)) if found else 4
    for level in range(-128, 128):
        share = min(1.0, abs(level) / reach)
        towards = _HIGH if level > 0 else _LOW
        mixed = [
            round(m + (t - m) * (0.25 + 0.75 * share))
            for m, t in zip(_MIDDLE, towards, strict=True)
        ]
        table[level + 128] = (*mixed, _TINT) if level else (0, 0, 0, 0)
    key = tuple(
        Swatch(f"level {half_levels(level)}", _rgb(table[level + 128])) for level in found if level
    )
    return Palette(table, key)


def confidence_palette() -> Palette:
    """Sure pixels clear; the less sure, the more of a magenta that no map prints."""
    table = np.zeros((256, 4), np.uint8)
    for value in range(256):
        doubt = max(0.0, (_SURE - value) / _SURE)
        if doubt > 0:
            table[value] = (180, 0, round(60 + 110 * doubt), round(60 + 150 * doubt))
    key = tuple(
        Swatch(label, _rgb(table[value]))
        for label, value in (("guessed", 20), ("doubtful", 110), ("rather sure", 200))
    )
    return Palette(table, key)


def _rgb(row: NDArray[np.uint8]) -> Colour:
    return int(row[0]), int(row[1]), int(row[2])
