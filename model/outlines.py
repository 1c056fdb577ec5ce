"""Outlines of buildings that a person draws or moves, painted into the label raster.

A correction names a building by a hex that holds most of it there, or by a pixel
inside of it, as it was found: so it means the same building after any other
correction.  What was found is taken out of the raster and put back in the new
outline, with its roofs, open floors and bars where they still lie inside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Literal

import cv2
import numpy as np
import shapely
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, model_validator
from shapely.geometry import Polygon

from hexsight.model.board import Survey
from hexsight.model.derive_depiction import Depiction, find_depiction
from hexsight.model.errors import UsageError
from hexsight.model.shapes import Ring, ring_mask
from hexsight.model.terrain import BAR_KINDS, DEPICTION_KINDS, HEXSIDE_KINDS, Catalogue

MAX_POINTS = 5_000
FAR = 1e6
_PIXEL = re.compile(r"(-?\d+(?:\.\d+)?)\s+(-?\d+(?:\.\d+)?)\Z")
Placed = Callable[[str], AbstractContextManager[None]]


class BuildingOverride(BaseModel):
    """What a person says of the outline of one building; board pixels."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    outline: Ring = Field(
        min_length=3, max_length=MAX_POINTS, description="corners of its outer wall, [x, y] each"
    )
    holes: tuple[Ring, ...] | None = Field(
        None, max_length=1_000, description="its courtyards; without it those found stay"
    )
    material: Literal["stone", "wood"] | None = Field(
        None, description="needed where no building was found"
    )

    @model_validator(mode="after")
    def _is_a_shape(self) -> BuildingOverride:
        for ring in (self.outline, *(self.holes or ())):
            if not np.isfinite(ring).all() or np.abs(ring).max() > FAR:
                raise ValueError("write finite pixels of the board")
            if len(set(ring)) < 3 or not shapely.is_valid(Polygon(ring)):
                raise ValueError("the outline must not cross or touch itself")
        return self


def paint_outlines(
    survey: Survey,
    terrain: NDArray[np.uint8],
    owner: NDArray[np.int32],
    wanted: Mapping[str, BuildingOverride],
    catalogue: Catalogue,
    placed: Placed,
    depiction: Depiction | None = None,
) -> None:
    """Redraw buildings in a label raster, in place.

    Parameters
    ----------
    survey : Survey
        As it was found.
    terrain : (H, W) uint8
        A copy of its raster.
    owner : (H, W) int32
        Index of the hex of each pixel, −1 for none.
    wanted : mapping of str to BuildingOverride
        By hex name or pixel (``"1034 812"``).
    catalogue : Catalogue
    placed : callable
        Gives the context in which an error is told with the line of a name.
    depiction : Depiction, optional
        Of `survey`, where it is known already.

    Raises
    ------
    UsageError
        If there is no building at a place and no material is given, two names mean
        one building, or an outline lies off the board.
    """
    if not wanted:
        return
    found = depiction or find_depiction(survey, catalogue)
    codes = _new_codes(survey, found, owner, wanted, catalogue, placed)
    for name, (number, code) in codes.items():
        if number:
            _erase(terrain, found, number, wanted[name], catalogue)
            _recode(terrain, found, number, code, catalogue)
    bar = catalogue.table(kind=BAR_KINDS)
    for name, (number, code) in codes.items():
        with placed(name):
            _draw(terrain, found, number, code, wanted[name], bar)


def pixel_of(name: str) -> tuple[float, float] | None:
    """Board pixel that a name such as ``"1034 812"`` tells, None for any other name."""
    match = _PIXEL.match(name.strip())
    return (float(match[1]), float(match[2])) if match else None


def building_at(survey: Survey, depiction: Depiction, owner: NDArray[np.int32], name: str) -> int:
    """Number of the building that a hex name or a pixel means, 0 for none.

    Raises
    ------
    UsageError
        If the board has no such hex or pixel.
    """
    cells = {c.name: i for i, c in enumerate(survey.cells)}
    if name in cells:
        ids = depiction.ids[owner == cells[name]]
        counts = np.bincount(ids[ids > 0])
        return int(counts.argmax()) if counts.size else 0
    at = pixel_of(name)
    if at is None:
        raise UsageError(
            f"there is no hex {name} on board {survey.name}. Name a building by a hex that it "
            "stands in, or by a pixel inside of it, such as 1034 812."
        )
    x, y = round(at[0]), round(at[1])
    height, width = depiction.ids.shape
    if not (0 <= x < width and 0 <= y < height):
        raise UsageError(f"the pixel {name} lies off the board ({width} × {height}).")
    return int(depiction.ids[y, x])


def _new_codes(
    survey: Survey,
    found: Depiction,
    owner: NDArray[np.int32],
    wanted: Mapping[str, BuildingOverride],
    catalogue: Catalogue,
    placed: Placed,
) -> dict[str, tuple[int, int]]:
    """Number of each building that is meant (0: a new one), and the code of its new parts."""
    solid = catalogue.table(kind=frozenset(DEPICTION_KINDS - BAR_KINDS - {"roofless"}))
    out: dict[str, tuple[int, int]] = {}
    meant: dict[int, str] = {}
    for name, one in wanted.items():
        with placed(name):
            number = building_at(survey, found, owner, name)
            if number and meant.setdefault(number, name) != name:
                raise UsageError(f"{name} and {meant[number]} mean one building. Keep one of them.")
            if not number and one.material is None:
                raise UsageError(
                    f"no building was found at {name}. Add material: stone or wood to draw one."
                )
            codes = np.zeros(0, np.uint8)
            if number:
                window = found.windows[number - 1]
                codes = survey.terrain[window][found.ids[window] == number]
            own = codes[solid[codes]]
            if own.size and one.material in (None, catalogue[int(own[0])].material):
                out[name] = (number, int(np.bincount(own).argmax()))
            else:
                material = one.material or "stone"
                plain = catalogue.find("building", material=material, height_half=2)
                out[name] = (number, plain.code)
    return out


def _erase(
    terrain: NDArray[np.uint8],
    found: Depiction,
    number: int,
    one: BuildingOverride,
    catalogue: Catalogue,
) -> None:
    """Give what no longer is building the terrain beside it."""
    rows, columns = found.windows[number - 1]
    height, width = terrain.shape
    window = (
        slice(max(0, rows.start - 2), min(height, rows.stop + 2)),
        slice(max(0, columns.start - 2), min(width, columns.stop + 2)),
    )
    part, ids = terrain[window], found.ids[window]
    kept = ring_mask([one.outline, *(one.holes or ())], part.shape, _corner(window))
    gone = (ids == number) & ~kept
    if not gone.any():
        return
    ground = ~catalogue.table(kind=frozenset(DEPICTION_KINDS | HEXSIDE_KINDS))[part]
    if not ground.any():
        part[gone] = 0
        return
    _, nearest = cv2.distanceTransformWithLabels(
        (~ground).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    code_of = np.zeros(int(nearest.max()) + 1, np.uint8)
    code_of[nearest[ground]] = part[ground]
    part[gone] = code_of[nearest[gone]]


def _recode(
    terrain: NDArray[np.uint8], found: Depiction, number: int, code: int, catalogue: Catalogue
) -> None:
    """Give the roofs of a building another material where its new code has another."""
    material = catalogue[code].material
    part = terrain[found.windows[number - 1]]
    mine = found.ids[found.windows[number - 1]] == number
    roofs = catalogue.table(kind=frozenset(DEPICTION_KINDS - BAR_KINDS - {"roofless"}))[part]
    if not (catalogue.table(material=material)[part] & roofs & mine).any():
        part[roofs & mine] = code


def _draw(
    terrain: NDArray[np.uint8],
    found: Depiction,
    number: int,
    code: int,
    one: BuildingOverride,
    bar: NDArray[np.bool_],
) -> None:
    """Fill a new outline, but for what of the building, its courtyards and bars is there."""
    height, width = terrain.shape
    points = np.array(one.outline)
    low = np.clip(np.floor(points.min(axis=0)).astype(int), 0, None)
    high = np.clip(np.ceil(points.max(axis=0)).astype(int) + 1, None, (width, height))
    window = (slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0])))
    inside = np.zeros((0, 0), bool)
    if (high > low).all():
        inside = ring_mask(
            [one.outline, *(one.holes or ())], terrain[window].shape, _corner(window)
        )
    if not inside.any():
        raise UsageError(f"the outline lies off the board ({width} × {height} pixels).")
    part = terrain[window]
    new = inside & ~bar[part]
    if number:
        old = found.ids[window] == number
        new &= ~old
        if one.holes is None:
            new &= ~_courtyards(found, number, window)
    part[new] = code


def _courtyards(found: Depiction, number: int, window: tuple[slice, slice]) -> NDArray[np.bool_]:
    """Pixels of a window that the found building encloses and does not hold."""
    rows, columns = found.windows[number - 1]
    own = np.pad((found.ids[rows, columns] == number).astype(np.uint8), 1)
    _, labels = cv2.connectedComponents(1 - own, connectivity=4)
    holes = (labels != labels[0, 0]) & (own == 0)
    whole = np.zeros(found.ids.shape, bool)
    whole[rows, columns] = holes[1:-1, 1:-1]
    return whole[window]


def _corner(window: tuple[slice, slice]) -> tuple[int, int]:
    return window[1].start, window[0].start
