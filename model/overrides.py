"""A person's corrections: by hex and hexside name, they survive re-extraction and always win.

Most are painted into the label raster before anything is derived, so that a
correction goes the same way as a detection; the rest sets derived facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, field_validator

from hexsight.model.board import (
    Building,
    Opening,
    Survey,
    owner_index,
    parse_hexside,
    side_vertices,
)
from hexsight.model.derive_depiction import Depiction
from hexsight.model.errors import UsageError
from hexsight.model.layout import CORNERS, Layout, to_lattice
from hexsight.model.openings import OpeningOverride, place_openings
from hexsight.model.outlines import BuildingOverride, paint_outlines
from hexsight.model.terrain import BAR_KINDS, DEPICTION_KINDS, Catalogue

Point = tuple[float, float]
MAX_PX = 1e6
BAR_WIDTH = 0.12  # of a painted bar, as a share of the hex height


def half_levels(value: object) -> int:
    """Height in half-levels from what a person writes: 2, 1.5, "1½", "½".

    Raises
    ------
    ValueError
        If it is no multiple of a half.

    Examples
    --------
    >>> half_levels("1½"), half_levels(2.5), half_levels("-1")
    (3, 5, -2)
    """
    text = str(value).strip().replace("½", ".5").lstrip("+")
    try:
        doubled = 2 * float(text)
    except ValueError:
        raise ValueError(f"{value!r} is no height: write levels, such as 1.5") from None
    if not abs(doubled) <= 100 or doubled != int(doubled):
        raise ValueError(f"{value!r} is no height: write whole or half levels, such as 1.5")
    return int(doubled)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class HexOverride(_Strict):
    """What a person says of one hex; None leaves what was found."""

    terrain: str | None = Field(None, description="terrain type that fills the hex")
    building: Literal["stone", "wood", "none"] | None = Field(
        None, description="fills the hex with a building of that material, or removes it"
    )
    factory: bool | None = Field(None, description="the building in this hex is a Factory")
    height_half: int | None = Field(
        None, alias="height", description="height of the building in levels, such as 1.5"
    )
    roofless: bool | None = None
    stairwell: bool | Point | None = Field(
        None, description="whether a stairwell is printed here, or the pixel [x, y] where"
    )
    road_entry: bool | Point | None = Field(
        None, description="whether a road enters the building here, or the pixel [x, y] where"
    )
    vehicular_entrance: bool | None = None
    level_half: int | None = Field(
        None, alias="level", description="ground level of the hex, such as 1"
    )

    @field_validator("stairwell", "road_entry")
    @classmethod
    def _on_the_board(cls, value: bool | Point | None) -> bool | Point | None:
        if isinstance(value, tuple) and not all(abs(v) < MAX_PX for v in value):
            raise ValueError("write a pixel of the board as [x, y]")
        return value

    @field_validator("height_half", "level_half", mode="before")
    @classmethod
    def _levels(cls, value: object) -> int | None:
        return None if value is None else half_levels(value)

    @field_validator("height_half")
    @classmethod
    def _above_ground(cls, value: int | None) -> int | None:
        if value is not None and value < 0:
            raise ValueError("a building has no height below 0. A hex that lies low takes level")
        return value


class HexsideOverride(_Strict):
    """What a person says of one hexside."""

    bar: Literal["full", "none"] | tuple[float, float] | None = Field(
        None, description="black bar: full, none, or the covered part as [from, to] in 0–1"
    )
    terrain: str | None = Field(None, description="Wall, Hedge, Cliff …, or none")

    @field_validator("bar")
    @classmethod
    def _interval(cls, value: Any) -> Any:
        if isinstance(value, tuple) and not 0 <= value[0] < value[1] <= 1:
            raise ValueError("bar takes two numbers from 0 to 1, the smaller first")
        return value


@dataclass(frozen=True)
class Overrides:
    """All corrections of one board.

    Attributes
    ----------
    hexes : dict of str to HexOverride
    hexsides : dict of str to HexsideOverride
    buildings : dict of str to BuildingOverride
        Outlines by hex or pixel; in `places` they stand as ``buildings.K15``.
    openings : tuple of OpeningOverride
        Doors and windows; in `places` they stand as ``openings.0``, ``openings.1``, …
    places : mapping of str to str
        Where a name was written (``hexsight.yaml, line 12``), for messages.
    """

    hexes: dict[str, HexOverride] = field(default_factory=dict)
    hexsides: dict[str, HexsideOverride] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict, compare=False)
    openings: tuple[OpeningOverride, ...] = ()
    buildings: dict[str, BuildingOverride] = field(default_factory=dict)

    def place(self, name: str) -> str:
        """Where the override of a hex or hexside was written."""
        return self.places.get(name, "overrides")

    @contextmanager
    def placed(self, name: str) -> Iterator[None]:
        """Whatever is wrong with the override of a name is told with its place.

        Raises
        ------
        UsageError
            The same as inside, with file and line before it.
        """
        try:
            yield
        except UsageError as error:
            said = str(error) if name.rpartition(".")[2] in str(error) else f"{name}: {error}"
            raise UsageError(f"{self.place(name)}: {said}") from error

    def _placed_building(self, name: str) -> AbstractContextManager[None]:
        return self.placed(f"buildings.{name}")

    def building(self, names: list[str], kind: str, height: int) -> tuple[str, int]:
        """Kind and height (half-levels) of the building that stands in the named hexes."""
        for name in names:
            wanted = self.hexes.get(name)
            if wanted is None:
                continue
            if wanted.factory is True and kind != "factory":
                kind, height = "factory", 5 if height >= 5 else 3
            elif wanted.factory is False and kind == "factory":
                kind = "building"
            if wanted.height_half is not None:
                height = wanted.height_half
        return kind, height

    def place_openings(self, buildings: tuple[Building, ...], dy_px: float) -> tuple[Opening, ...]:
        """The openings, moved on to the walls of the buildings.

        Raises
        ------
        UsageError
            If no wall is near one of them; names its line.
        """
        places = [self.place(f"openings.{index}") for index in range(len(self.openings))]
        return place_openings(self.openings, buildings, dy_px, places)

    def retypes(self, name: str) -> bool:
        """Whether the hex's override changes kind or height of its building."""
        wanted = self.hexes.get(name)
        return wanted is not None and (wanted.factory is not None or wanted.height_half is not None)

    def paint(
        self,
        survey: Survey,
        catalogue: Catalogue,
        owner: NDArray[np.int32] | None = None,
        depiction: Depiction | None = None,
    ) -> Survey:
        """The survey with outlines, terrain, roofless floors and bars put right in its raster.

        Parameters
        ----------
        survey : Survey
        catalogue : Catalogue
        owner : (H, W) int32, optional
            Index of the hex of each pixel, where it is known already.
        depiction : Depiction, optional
            Of the survey as it was found, where it is known already.

        Raises
        ------
        UsageError
            If a hex, hexside, building or terrain type does not exist.
        """
        if not self.hexes and not self.hexsides and not self.buildings:
            return survey
        terrain = survey.terrain.copy()
        by_name = {c.name: (c.col, c.row) for c in survey.cells}
        for name in self.hexes:
            if name not in by_name:
                raise UsageError(
                    f"{self.place(name)}: there is no hex {name} on board {survey.name}. "
                    "Write the name as it is printed."
                )
        order = {c.name: i for i, c in enumerate(survey.cells)}
        if owner is None:
            owner = owner_index(survey.layout, list(by_name.values()), terrain.shape[::-1])
        paint_outlines(
            survey, terrain, owner, self.buildings, catalogue, self._placed_building, depiction
        )
        for name, wanted in self.hexes.items():
            cell = by_name[name]
            with self.placed(name):
                window = hex_window(survey.layout, cell)
                _paint_hex(terrain[window], owner[window] == order[name], wanted, catalogue)
        seen: dict[tuple[tuple[int, int], int], str] = {}
        for text, side in self.hexsides.items():
            with self.placed(text):
                first, _, direction = parse_hexside(text, by_name)
                if side.terrain not in (None, "none"):
                    catalogue.named(str(side.terrain))
            before = seen.setdefault((first, direction), text)
            if before != text:
                raise UsageError(
                    f"{self.place(text)}: {before} and {text} are one hexside. Keep one of them."
                )
            if side.bar is not None:
                _paint_bar(terrain, survey.layout, first, direction, side.bar, catalogue)
        return replace(survey, terrain=terrain)


def hex_window(layout: Layout, cell: tuple[int, int]) -> tuple[slice, slice]:
    """Rows and columns of a raster that hold all of a hex, and a little more."""
    X, Y = to_lattice(*cell)
    corners = layout.lattice_to_pixel(np.array(CORNERS) + (X, Y))
    low = np.clip(np.floor(corners.min(axis=0)).astype(int) - 2, 0, None)
    high = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 3, 0, None)
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def _paint_hex(
    terrain: NDArray[np.uint8],
    mask: NDArray[np.bool_],
    wanted: HexOverride,
    catalogue: Catalogue,
) -> None:
    depiction = catalogue.table(kind=DEPICTION_KINDS)
    if wanted.terrain is not None:
        terrain[mask] = catalogue.named(wanted.terrain).code
    if wanted.building == "none":
        terrain[mask & depiction[terrain]] = 0
    elif wanted.building is not None:
        plain = catalogue.find("building", material=wanted.building, height_half=2)
        terrain[mask] = plain.code
    if wanted.roofless is None:
        return
    bar = catalogue.table(kind=BAR_KINDS)
    inside = mask & depiction[terrain] & ~bar[terrain]
    floor = catalogue.table(kind="roofless")
    if wanted.roofless:
        terrain[inside] = int(np.flatnonzero(floor)[0])
    else:
        plain = catalogue.find("building", material="stone", height_half=2)
        terrain[inside & floor[terrain]] = plain.code


def _paint_bar(
    terrain: NDArray[np.uint8],
    layout: Layout,
    cell: tuple[int, int],
    direction: int,
    bar: Literal["full", "none"] | tuple[float, float],
    catalogue: Catalogue,
) -> None:
    """Draw or wipe a bar along a hexside of the raster, in place."""
    p, q = layout.lattice_to_pixel(side_vertices(cell, direction))
    # Only the place of it is looked at: boards are large and corrections many.
    reach = 4 * BAR_WIDTH * layout.dy
    low = np.clip(np.floor(np.minimum(p, q) - reach).astype(int), 0, None)
    high = np.clip(np.ceil(np.maximum(p, q) + reach).astype(int) + 2, 0, None)
    part = terrain[low[1] : high[1], low[0] : high[0]]
    p, q = p - low, q - low
    is_bar = catalogue.table(kind=BAR_KINDS)
    if bar != "full":
        # Not quite to the ends: bars of the other hexsides meet there.
        a, b = p + 0.12 * (q - p), q - 0.12 * (q - p)
        wiped = _stroke(part.shape, a, b, 1.6 * BAR_WIDTH * layout.dy) & is_bar[part]
        if wiped.any():
            around = _stroke(part.shape, a, b, reach) & ~is_bar[part]
            inside = catalogue.table(kind=DEPICTION_KINDS)[part] & around
            codes = part[inside] if inside.any() else part[around]
            part[wiped] = np.bincount(codes).argmax() if codes.size else 0
    if bar == "none":
        return
    t0, t1 = (0.0, 1.0) if bar == "full" else bar
    drawn = _stroke(part.shape, p + t0 * (q - p), p + t1 * (q - p), BAR_WIDTH * layout.dy)
    part[drawn] = catalogue.find("interior-wall", height_half=3).code


def _stroke(
    shape: tuple[int, ...],
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    width_px: float,
) -> NDArray[np.bool_]:
    mask = np.zeros(shape, np.uint8)
    along = (b - a) / np.linalg.norm(b - a)
    side = np.array([-along[1], along[0]]) * width_px / 2
    corners = np.array([a + side, b + side, b - side, a - side])
    cv2.fillConvexPoly(mask, np.rint(corners * 16).astype(np.int32), 1, shift=4)
    return mask > 0
