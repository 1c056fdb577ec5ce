"""Which part of a map a correction can tell on: what is cut out and concluded anew."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Survey, parse_hexside
from hexsight.model.derive import Concluded, Prepared
from hexsight.model.overrides import Overrides, hex_window
from hexsight.model.terrain import DEPICTION_KINDS

# As far as what enters a building is looked for from it, in hex heights, twice over:
# a road within one of a wall, and the walls within that of the road.
REACH = 2.6
# A cut-out larger than this share of the map saves nothing.
MOST = 0.6

Place = tuple[slice, slice]


@dataclass(frozen=True)
class Box:
    """Rows and columns of a raster, ends not counted."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def place(self) -> Place:
        """Slices that take the box out of a raster."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def grown(self, by: int, shape: tuple[int, ...]) -> Box:
        """The box with `by` pixels more on each side, as far as the raster goes.

        Parameters
        ----------
        by : int
        shape : (int, int, …)
            Height and width of the raster.
        """
        return Box(
            max(0, self.top - by),
            max(0, self.left - by),
            min(shape[0], self.bottom + by),
            min(shape[1], self.right + by),
        )

    def joined(self, other: Box) -> Box:
        """The smallest box that holds both."""
        return Box(
            min(self.top, other.top),
            min(self.left, other.left),
            max(self.bottom, other.bottom),
            max(self.right, other.right),
        )

    def holds(self, other: Box) -> bool:
        """Whether all of another box lies within."""
        return self.joined(other) == self

    def within(self, outer: Box) -> Place:
        """Slices of the box in a raster that begins where an outer box does."""
        return (
            slice(self.top - outer.top, self.bottom - outer.top),
            slice(self.left - outer.left, self.right - outer.left),
        )


@dataclass(frozen=True, eq=False)
class Cut:
    """What is concluded anew.

    Attributes
    ----------
    box : Box
        The cut-out; it starts at even pixels, so that halves are rounded as on the map.
    own : (h, w) bool
        Pixels of buildings that may have changed, within the cut-out.
    other : (h, w) bool
        Pixels whose code a correction changed, within the cut-out.
    taken : list of int
        Hexes whose facts are replaced.
    """

    box: Box
    own: NDArray[np.bool_]
    other: NDArray[np.bool_]
    taken: list[int]


def find_cut(
    prepared: Prepared, before: Concluded, survey: Survey, was: Overrides, now: Overrides
) -> Cut | None:
    """What to conclude anew after other overrides were painted; None for all of the map."""
    shape, owner = survey.terrain.shape, prepared.owner
    other = survey.terrain != before.painted
    boxes = [] if (seed := _bounds(other)) is None else [seed]
    index = {c.name: i for i, c in enumerate(survey.cells)}
    touched = sorted(index[name] for name in _corrected(survey, was, now))
    boxes += [hex_box(survey, i) for i in touched]
    whole = Box(0, 0, shape[0], shape[1])
    if not boxes:
        nothing = np.zeros((0, 0), bool)
        return Cut(Box(0, 0, 0, 0), nothing, nothing, [])
    seed = boxes[0]
    for box in boxes[1:]:
        seed = seed.joined(box)
    margin = math.ceil(REACH * survey.layout.dy)
    seed = seed.grown(margin, shape)
    depicted = prepared.catalogue.table(kind=DEPICTION_KINDS)

    def inside(box: Box) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = depicted[before.painted[box.place]]
        return found | depicted[survey.terrain[box.place]]

    def in_seed(box: Box) -> NDArray[np.bool_]:
        mask = np.zeros((box.bottom - box.top, box.right - box.left), bool)
        mask[seed.within(box)] = True
        return mask

    reach, own = _blobs(inside, in_seed, seed, whole, margin)
    at = owner[reach.place]
    taken = np.unique(np.concatenate([at[own | in_seed(reach)], np.array(touched, np.int32)]))
    taken = taken[taken >= 0]
    box = reach
    for i in taken.tolist():
        box = box.joined(hex_box(survey, i))
    is_taken = np.zeros(len(survey.cells) + 1, bool)
    is_taken[taken] = True

    def in_hexes(box: Box) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = is_taken[owner[box.place]]
        return found

    around, _ = _blobs(inside, in_hexes, box, whole, margin)
    around = around.grown(margin, shape)
    around = replace(around, top=around.top & ~1, left=around.left & ~1)
    area = (around.bottom - around.top) * (around.right - around.left)
    if area > MOST * shape[0] * shape[1]:
        return None
    grown = np.zeros((around.bottom - around.top, around.right - around.left), bool)
    grown[reach.within(around)] = own
    return Cut(around, grown, other[around.place], taken.tolist())


def _corrected(survey: Survey, was: Overrides, now: Overrides) -> set[str]:
    """Hexes that a correction speaks of which is new, another or gone."""
    names = {n for n in was.hexes.keys() | now.hexes.keys() if was.hexes.get(n) != now.hexes.get(n)}
    offsets = {c.name: (c.col, c.row) for c in survey.cells}
    name_of = {v: k for k, v in offsets.items()}
    for text in was.hexsides.keys() | now.hexsides.keys():
        if was.hexsides.get(text) != now.hexsides.get(text):
            first, second, _ = parse_hexside(text, offsets)
            names |= {name_of[first], name_of[second]}
    return names


def _bounds(mask: NDArray[np.bool_]) -> Box | None:
    rows = np.flatnonzero(mask.any(axis=1))
    if not len(rows):
        return None
    columns = np.flatnonzero(mask[rows[0] : rows[-1] + 1].any(axis=0))
    return Box(int(rows[0]), int(columns[0]), int(rows[-1]) + 1, int(columns[-1]) + 1)


def hex_box(survey: Survey, index: int) -> Box:
    """Box of the pixels round hex `index`, within the picture."""
    cell = survey.cells[index]
    rows, columns = hex_window(survey.layout, (cell.col, cell.row))
    height, width = survey.terrain.shape
    return Box(
        min(rows.start, height),
        min(columns.start, width),
        min(rows.stop, height),
        min(columns.stop, width),
    )


def _blobs(
    inside: Callable[[Box], NDArray[np.bool_]],
    seeds: Callable[[Box], NDArray[np.bool_]],
    box: Box,
    whole: Box,
    step: int,
) -> tuple[Box, NDArray[np.bool_]]:
    """All that hangs together with a seed: a box that holds it, and its pixels there."""
    shape = (whole.bottom, whole.right)
    while True:
        _, labels, stats, _ = cv2.connectedComponentsWithStats(
            inside(box).astype(np.uint8), connectivity=8
        )
        numbers = np.unique(labels[seeds(box)])
        numbers = numbers[numbers > 0]
        left, top = stats[numbers, 0], stats[numbers, 1]
        right, bottom = left + stats[numbers, 2], top + stats[numbers, 3]
        larger = Box(
            max(0, box.top - step) if (top == 0).any() else box.top,
            max(0, box.left - step) if (left == 0).any() else box.left,
            min(shape[0], box.bottom + step)
            if (bottom == box.bottom - box.top).any()
            else box.bottom,
            min(shape[1], box.right + step) if (right == box.right - box.left).any() else box.right,
        )
        if larger == box:
            wanted = np.zeros(int(labels.max()) + 1, bool)
            wanted[numbers] = True
            return box, wanted[labels]
        box = larger
