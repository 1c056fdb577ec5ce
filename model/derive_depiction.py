"""Which pixels are which building, and how much of each hex it covers."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Survey
from hexsight.model.regions import Region, regions_of
from hexsight.model.terrain import BAR_KINDS, DEPICTION_KINDS, Catalogue

# Smallest building, in hex areas: less is a speck that no player would call a building.
MIN_BUILDING_HEX_AREAS = 0.01
# Share of a building that must be roof or floor rather than bar.
BARE_SHARE = 0.2
# Largest patch of the other material on a roof that is art and no building.
ISLAND_HEX_AREAS = 0.15


@dataclass(frozen=True)
class Depiction:
    """Buildings as a raster.

    ids : (H, W) int32, building number by pixel, 0 outside
    windows : rows and columns that hold building 1, 2, …
    """

    ids: NDArray[np.int32]
    windows: tuple[tuple[slice, slice], ...]

    @property
    def count(self) -> int:
        """How many buildings there are."""
        return len(self.windows)


@dataclass(frozen=True)
class Coverage:
    """How much of each hex lies on the map and in each building.

    hex_px : (n,) int64, pixels of each hex on the picture
    by_building : list, per hex, of (building id, pixels), most first
    """

    hex_px: NDArray[np.int64]
    by_building: tuple[tuple[tuple[int, int], ...], ...]

    def share(self, hex_index: int, building: int | None = None) -> float:
        """Share of a hex in a building, or in any."""
        total = max(1, int(self.hex_px[hex_index]))
        parts = self.by_building[hex_index]
        return sum(px for b, px in parts if building is None or b == building) / total

    def most(self, building: int) -> int:
        """Index of the hex that holds most of a building, −1 when none does."""
        held = [
            (-px, i) for i, parts in enumerate(self.by_building) for b, px in parts if b == building
        ]
        return min(held)[1] if held else -1


def cover(owner: NDArray[np.int32], depiction: Depiction, n: int) -> Coverage:
    """How much of each hex lies in which building.

    Parameters
    ----------
    owner : (H, W) int32
        Index of the hex that a pixel is in, −1 outside of all.
    depiction : Depiction
    n : int
        Number of hexes.
    """
    on = owner >= 0
    hex_px = np.bincount(owner[on], minlength=n).astype(np.int64)
    both = on & (depiction.ids > 0)
    keys, counts = np.unique(
        owner[both].astype(np.int64) * (depiction.count + 1) + depiction.ids[both],
        return_counts=True,
    )
    parts: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        parts[key // (depiction.count + 1)].append((key % (depiction.count + 1), count))
    return Coverage(hex_px, tuple(tuple(sorted(p, key=lambda bp: (-bp[1], bp[0]))) for p in parts))


def find_depiction(survey: Survey, catalogue: Catalogue) -> Depiction:
    """Number the connected buildings; stone and wood that touch are two."""
    inside = catalogue.table(kind=DEPICTION_KINDS)[survey.terrain]
    wood = catalogue.table(material="wood", kind=DEPICTION_KINDS)[survey.terrain]
    bar = catalogue.table(kind=BAR_KINDS)[survey.terrain]
    if inside.any() and wood.any() and bar.any():
        # A bar has no material of its own: it belongs to the roof next to it.
        known = (inside & ~bar).astype(np.uint8)
        _, nearest = cv2.distanceTransformWithLabels(
            1 - known, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
        )
        material_of = np.zeros(int(nearest.max()) + 1, bool)
        material_of[nearest[known > 0]] = wood[known > 0]
        wood = np.where(bar, material_of[nearest], wood) & inside
    area_px = abs(float(np.linalg.det([survey.layout.col_px, survey.layout.row_px])))
    if not survey.typed:
        # A manhole ring or a gray chimney on a wooden roof is no stone building.
        for odd, other in ((inside & ~wood, wood & inside), (wood & inside, inside & ~wood)):
            wood = np.where(_islands(odd, other, ISLAND_HEX_AREAS * area_px), ~wood, wood)
    ids = np.zeros(survey.terrain.shape, np.int32)
    found: list[Region] = []
    for mask in (inside & ~wood, inside & wood):
        for region in regions_of(mask, connectivity=4):
            if region.area < max(4.0, MIN_BUILDING_HEX_AREAS * area_px):
                continue
            # A black stroke alone, beside any roof, is no building.
            bare = np.count_nonzero(region.pixels() & ~bar[region.window()])
            if bare > BARE_SHARE * region.area:
                found.append(region)
    found.sort(key=lambda r: (r.top, r.left, r.height, r.width))
    windows = tuple(region.window() for region in found)
    for number, (region, window) in enumerate(zip(found, windows, strict=True), start=1):
        ids[window][region.pixels()] = number
    return Depiction(ids, windows)


def _islands(
    mask: NDArray[np.bool_], around: NDArray[np.bool_], most_px: float
) -> NDArray[np.bool_]:
    """Small regions of a mask whose rim lies mostly in another mask."""
    out = np.zeros_like(mask)
    for region in regions_of(mask, connectivity=4):
        if region.area > most_px:
            continue
        window, part = region.window(1), region.pixels(1)
        rim = (cv2.dilate(part.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0) & ~part
        if 2 * np.count_nonzero(rim & around[window]) > np.count_nonzero(rim):
            out[window] |= part
    return out
