"""A project so small that a session of it opens in a blink: flat colours, a grid that is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from painted import WOODS, Painted
from PIL import Image

GROUND, HOUSE, TREES = (200, 190, 150), (120, 120, 130), (60, 120, 60)
PROJECT = """\
# a map of three colours
source: map.png
legend: legend.yaml
grid: {dx: 34.3, dy: 39.6, x0: 22.0, y0: 20.0}   # as printed
"""
LEGEND = """\
name: three colours
classes:
  - {terrain: Open Ground, share: 3, colours: [[200, 190, 150]]}
  - {terrain: Stone Building, colours: [[120, 120, 130]]}
  - {terrain: Woods, colours: [[60, 120, 60]]}
"""


def tiny_project(
    folder: Path,
    text: str = PROJECT,
    *,
    houses: tuple[str, ...] = ("B2", "B3"),
    grow: float = 0.8,
) -> Path:
    """Six by five hexes with houses (as the painted survey names hexes) and woods in E3."""
    painted = Painted(6, 5).hexes(*houses, grow=grow).hexes("E3", code=WOODS, grow=0.8)
    codes = painted.terrain
    rgb = np.empty((*codes.shape, 3), np.uint8)
    rgb[:] = GROUND
    rgb[codes == WOODS] = TREES
    rgb[(codes != WOODS) & (codes != 0)] = HOUSE
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(rgb).save(folder / "map.png")
    (folder / "legend.yaml").write_text(LEGEND, encoding="utf-8")
    (folder / "hexsight.yaml").write_text(text, encoding="utf-8")
    return folder
