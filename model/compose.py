"""Several boards laid side by side as one map, as VASSAL's map set-up does.

Boards stand in rows, each turned by 180° or not, each cropped at hexrows or
not.  Half hexes that meet at a seam become one hex; its terrain comes half
from each picture.  What the map *means* is then derived anew from the joined
rasters, so that a building that continues across a seam is one building, and
line of sight knows of no seam.  See docs/composed-maps.md.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Survey
from hexsight.model.compose_edges import Crop, Placement
from hexsight.model.compose_facts import (
    doubts_of,
    finish,
    marks_of,
    name_hexes,
    openings_of,
    provenance_of,
    seam_doubts,
    told,
)
from hexsight.model.compose_place import Piece, arrange, seam
from hexsight.model.compose_raster import Canvas, make_canvas, paste
from hexsight.model.composed import ComposedBoard
from hexsight.model.derive import derive
from hexsight.model.errors import UsageError
from hexsight.model.layout import from_lattice

__all__ = ["ComposedBoard", "Crop", "Placement", "compose", "compose_pictures"]


def compose(placements: Sequence[Placement], *, name: str | None = None) -> ComposedBoard:
    """Lay boards side by side and derive the map that they make.

    Parameters
    ----------
    placements : sequence of Placement
        In any order: their rows and columns say where they lie.
    name : str, optional
        Of the map; the names of its boards joined by ``+`` without.

    Returns
    -------
    ComposedBoard
        On the lattice that most of its hexes share.  Hexes are called by board and
        name, ``20K5``.

    Raises
    ------
    UsageError
        If the boards cannot be joined: pointed and flat-topped hexes, spacings
        more than 2 % apart, hexrows that do not meet, a picture that does not
        end in the middle of a hexrow, boards on top of each other, names twice;
        or if a hexrow to crop at does not exist.
    """
    pieces = arrange(placements)
    names = name_hexes(pieces)
    _check_seams(pieces, {(c.col, c.row) for c in names.cells})
    canvas = make_canvas(pieces)
    (terrain, elevation_half), covered = paste(
        canvas, [[p.terrain for p in pieces], [p.elevation_half for p in pieces]]
    )
    survey = Survey(
        name=name or "+".join(p.label for p in pieces),
        layout=canvas.layout,
        cells=names.cells,
        terrain=terrain,
        elevation_half=elevation_half,
        typed=True,
        stairwells=marks_of(pieces, canvas),
        doubts=doubts_of(pieces, canvas, names),
        provenance=provenance_of(pieces),
        catalogue=pieces[0].placement.board.catalogue_name,
    )
    board = derive(survey, told(pieces, names))
    fields = {f.name: getattr(board, f.name) for f in dataclasses.fields(board)}
    fields |= finish(board, pieces, names, covered)
    fields["openings"] = openings_of(board, pieces, canvas)
    fields["doubts"] = board.doubts + seam_doubts(board, pieces, names)
    return ComposedBoard(**fields, aliases=names.aliases)


def compose_pictures(
    placements: Sequence[Placement], pictures: Sequence[NDArray[np.uint8]]
) -> NDArray[np.uint8]:
    """Lay the pictures of boards side by side, pixel for pixel as `compose` lays their terrain.

    Parameters
    ----------
    placements : sequence of Placement
    pictures : sequence of (H, W, 3) uint8
        One for each placement, in their order, of the size of its board and not
        turned.

    Returns
    -------
    (H, W, 3) uint8

    Raises
    ------
    UsageError
        As `compose`; and if a picture is of another size than its board.
    """
    by_place: dict[tuple[int, int], NDArray[np.uint8]] = {}
    for placement, picture in zip(placements, pictures, strict=True):
        width, height = placement.board.size_px
        if picture.shape[:2] != (height, width):
            raise UsageError(
                f"The picture of board {placement.label} is {picture.shape[1]} × "
                f"{picture.shape[0]} px and the board {width} × {height}. Use the picture that "
                "the board was built from."
            )
        by_place[placement.row, placement.column] = (
            picture[::-1, ::-1] if placement.turned else picture
        )
    pieces = arrange(placements)
    canvas: Canvas = make_canvas(pieces)
    laid: list[NDArray[Any]] = [by_place[p.placement.row, p.placement.column] for p in pieces]
    out: NDArray[np.uint8] = paste(canvas, [laid])[0][0]
    return out


def _check_seams(pieces: Sequence[Piece], offsets: set[tuple[int, int]]) -> None:
    """Refuse seams along which no hex has a name on either board: a map with a gap."""
    for a, b in permutations(pieces, 2):
        for axis in (0, 1):
            if not seam(a, axis, 1, [b]):
                continue
            line, cross = a.line(axis, 1), 1 - axis
            assert line is not None
            low = math.ceil(max(a.at(cross, 0), b.at(cross, 0)))
            high = math.floor(min(a.at(cross, 1), b.at(cross, 1)))
            along = [(line, v) if axis == 0 else (v, line) for v in range(low, high + 1)]
            centres = [(X, Y) for X, Y in along if X % 3 == 0 and (Y - X // 3) % 2 == 0]
            if centres and not any(from_lattice(X, Y) in offsets for X, Y in centres):
                raise UsageError(
                    f"The half hexes between boards {a.label} and {b.label} have no names on "
                    "either board. Let the numbering of one of them reach to the edge of its "
                    "picture, or crop one at a hexrow with names."
                )
