"""Names of hexes, hexsides and buildings as hexsight.yaml writes them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from hexsight.model.board import parse_hexside
from hexsight.model.derive import Concluded, Prepared
from hexsight.model.errors import UsageError
from hexsight.model.layout import Layout
from hexsight.model.outlines import building_at
from hexsight.model.overrides import Overrides, Point
from hexsight.model.shapes import ring_mask


def pixel_key(point: Point) -> str:
    """A pixel as a key of hexsight.yaml."""
    return f"{point[0]:.0f} {point[1]:.0f}"


def grid_numbers(layout: Layout) -> dict[str, float]:
    """A layout as ``grid:`` of hexsight.yaml has it."""
    return {
        "dx": layout.dx,
        "dy": layout.dy,
        "x0": layout.x0,
        "y0": layout.y0,
        "rot_deg": layout.rot_deg,
        "skew_deg": layout.skew_deg,
    }


@dataclass(frozen=True, eq=False)
class Anchors:
    """What the places of a board are called.

    Attributes
    ----------
    prepared : Prepared
        The map as it was found.
    now : Concluded
        The board as it is.
    overrides : Overrides
        As hexsight.yaml has them.
    grid_is_written : bool
        Whether hexsight.yaml holds numbers of a grid.
    offsets : dict of str to (int, int)
        Hexes by name.
    """

    prepared: Prepared
    now: Concluded
    overrides: Overrides
    grid_is_written: bool
    offsets: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def grid(self) -> dict[str, float]:
        """Numbers of the grid as it is."""
        return grid_numbers(self.prepared.survey.layout)

    @property
    def sideways(self) -> bool:
        """Whether the rows of hexes run down the map."""
        return self.prepared.survey.layout.sideways

    def hex(self, name: str) -> str:
        """Name of a hex as it is printed.

        Raises
        ------
        UsageError
            If there is none.
        """
        return self.now.board.hex(name).name

    def hex_at(self, x: float, y: float) -> str:
        """Name of the hex that holds a pixel.

        Raises
        ------
        UsageError
            If none does.
        """
        owner = self.prepared.owner
        inside = math.isfinite(x) and math.isfinite(y)
        inside = inside and 0 <= round(x) < owner.shape[1] and 0 <= round(y) < owner.shape[0]
        index = int(owner[round(y), round(x)]) if inside else -1
        if index < 0:
            raise UsageError(f"No hex of the board lies at {x:g}, {y:g}.")
        return self.prepared.survey.cells[index].name

    def hexside(self, text: str) -> str:
        """Key of a hexside: as hexsight.yaml has it, else both hexes in the board's order.

        Raises
        ------
        UsageError
            If there is none.
        """
        wanted = parse_hexside(text, self.offsets)
        for key in self.overrides.hexsides:
            try:
                if parse_hexside(key, self.offsets) == wanted:
                    return key
            except UsageError:
                continue  # told when the board is built
        by_offset = self.now.board.by_offset
        return f"{by_offset[wanted[0]].name}-{by_offset[wanted[1]].name}"

    def building(self, number: int) -> tuple[str, str | None]:
        """Key of a building of the board by its number, and the material it needs to be told.

        Raises
        ------
        UsageError
            If there is no such building.
        """
        building = self.now.board.building_by_id.get(number)
        if building is None:
            raise UsageError(f"There is no building {number} on the board any more.")
        window = self.now.depiction.windows[number - 1]
        mine = self.now.depiction.ids[window] == number
        corner = (window[1].start, window[0].start)
        best, key = 0, ""
        for name, one in self.overrides.buildings.items():
            both = int(np.count_nonzero(ring_mask([one.outline], mine.shape, corner) & mine))
            if both > best:
                best, key = both, name
        if 2 * best > np.count_nonzero(mine):
            return key, None
        found = self.prepared.depiction
        original = np.bincount(found.ids[window][mine], minlength=1)
        original[0] = 0
        if not original.any():
            middle = cv2.distanceTransform(np.pad(mine, 1).astype(np.uint8), cv2.DIST_L2, 3)
            y, x = np.unravel_index(int(middle[1:-1, 1:-1].argmax()), mine.shape)
            return pixel_key((float(x + corner[0]), float(y + corner[1]))), building.material
        return self._found(int(original.argmax())), None

    def building_at(self, at: str | Point) -> tuple[str, str | None]:
        """As `building`, by a hex or a pixel of the map as it was found."""
        key = at if isinstance(at, str) else pixel_key(at)
        if key in self.offsets or isinstance(at, tuple):
            return key, None
        return self.hex(key), None

    def _found(self, number: int) -> str:
        """Key of a building that was found: a hex that holds most of it, or a pixel."""
        depiction, owner = self.prepared.depiction, self.prepared.owner
        window = depiction.windows[number - 1]
        mine = depiction.ids[window] == number
        hexes = owner[window][mine]
        counts = np.bincount(hexes[hexes >= 0], minlength=1)
        for index in np.argsort(-counts, kind="stable")[:20].tolist():
            if not counts[index]:
                break
            name: str = self.prepared.survey.cells[index].name
            if building_at(self.prepared.survey, depiction, owner, name) == number:
                return name
        middle = cv2.distanceTransform(np.pad(mine, 1).astype(np.uint8), cv2.DIST_L2, 3)
        y, x = np.unravel_index(int(middle[1:-1, 1:-1].argmax()), mine.shape)
        return pixel_key((float(x + window[1].start), float(y + window[0].start)))


def corrections_json(content: dict[str, Any]) -> dict[str, Any]:
    """Corrections in force as hexsight.yaml has them."""
    part = content.get("overrides") or {}
    grid = content.get("grid")
    return {
        "hexes": dict(part.get("hexes") or {}),
        "hexsides": dict(part.get("hexsides") or {}),
        "buildings": [{"at": k, **v} for k, v in (part.get("buildings") or {}).items()],
        "grid": grid if isinstance(grid, dict) else None,
    }
